import { carryOn } from "../../engine/tracking/carry-on.ts";
import { closeItem } from "../../engine/tracking/close-item.ts";
import type { DecidedBefore } from "../../engine/tracking/decision.ts";
import { fewerOfThese } from "../../engine/tracking/fewer-of-these.ts";
import { type SnoozeResult, snoozeItem } from "../../engine/tracking/snooze-item.ts";
import { undo } from "../../engine/tracking/undo.ts";
import type { Answer, Tap } from "../tap.ts";
import type { ActionHandlers } from "./index.ts";
import { openCard } from "./open-card.ts";

type ItemActions = Pick<
  ActionHandlers,
  | "item.done"
  | "item.drop"
  | "item.snooze"
  | "item.snoozeAt"
  | "item.carryOn"
  | "item.fewer"
  | "item.undo"
  | "items.page"
>;

/** What the buttons of a matter do. Each calls one operation and words its result; nothing is decided here. */
export const itemActions: ItemActions = {
  "item.done": async (tap, { item }) => {
    const result = await closeItem(tap.scope, tap.who, { itemId: item, why: "done" });
    return result.outcome === "closed" ? success(tap.reader.t.toast.done) : already(tap, result);
  },
  "item.drop": async (tap, { item }) => {
    const result = await closeItem(tap.scope, tap.who, { itemId: item, why: "dropped" });
    return result.outcome === "closed" ? success(tap.reader.t.toast.dropped) : already(tap, result);
  },
  "item.snooze": async (tap, { item, rev, until }) =>
    snoozed(
      tap,
      await snoozeItem(tap.scope, tap.who, { itemId: item, seenRevision: rev, choice: until, zone: tap.reader.zone }),
    ),
  "item.snoozeAt": async (tap, { item, rev }, { at }) =>
    snoozed(tap, await snoozeItem(tap.scope, tap.who, { itemId: item, seenRevision: rev, at })),
  "item.carryOn": async (tap, { item }) => {
    const chatId = tap.post.chatId ?? tap.person.directChatId;
    const place = { chatType: tap.place.chatType, openId: tap.who.openId };
    const result = await carryOn(tap.scope, tap.who, {
      itemId: item,
      ...(chatId && { chat: { place: { ...place, chatId }, language: tap.reader.language } }),
    });
    if (result.outcome === "already") return already(tap, result);
    const { t } = tap.reader;
    return {
      toast: { type: "info", content: result.connected ? t.chat.toast.handedOver : t.toast.carriedOn },
      redraw: true,
      wakes: ["run-waiting-turns"],
    };
  },
  "item.fewer": async (tap, { item }) => {
    const result = await fewerOfThese(tap.scope, tap.who, { itemId: item });
    return result.outcome === "already" ? already(tap, result) : success(tap.reader.t.toast.fewer);
  },
  "item.undo": async (tap, { decision }) => {
    const { t, when } = tap.reader;
    const result = await undo(tap.scope, tap.who, { decisionId: decision });
    switch (result.outcome) {
      case "undone":
        return success(t.toast.undone);
      case "already":
        return { toast: { type: "info", content: t.toast.alreadyAsked }, redraw: true };
      case "too_late":
        return { toast: { type: "warning", content: t.toast.undoTooLate(when(result.until)) }, redraw: true };
      case "changed":
        return { toast: { type: "warning", content: t.toast.undoChanged }, redraw: true };
    }
  },
  "items.page": (tap, { list, page }) =>
    openCard(
      tap,
      {
        subject: { kind: "item-list", id: tap.who.openId },
        view: { list, page, viewer: tap.who.openId, chatType: tap.place.chatType },
      },
      ["item-list"],
    ),
};

function success(content: string): Answer {
  return { toast: { type: "success", content }, redraw: true };
}

function snoozed(tap: Tap, result: SnoozeResult): Answer {
  if (result.outcome === "already") return already(tap, result);
  return success(tap.reader.t.toast.snoozed(tap.reader.when(result.until)));
}

/** Who came first and what they did: the second tap is told the truth and sees the present card. */
function already(tap: Tap, before: DecidedBefore): Answer {
  const { t, when } = tap.reader;
  const who = before.by.openId === tap.who.openId ? t.toast.you : (before.by.name ?? t.card.common.someone);
  const how = before.how === "snoozed" && before.until ? t.toast.snoozed(when(before.until)) : t.toast.how[before.how];
  return { toast: { type: "info", content: t.toast.already(how, who) }, redraw: true };
}
