import { textsFor } from "../../text/pick.ts";
import { queueTurn } from "../chat/queue-turn.ts";
import type { ChatPlace } from "../chat/session.ts";
import { inTransaction } from "../db.ts";
import { EngineError } from "../errors.ts";
import { statusesBefore } from "../lifecycle.ts";
import { assertMay } from "../people/person.ts";
import type { Actor, Language, Scope } from "../scope.ts";
import { changeItem } from "./change-item.ts";
import { type DecidedBefore, type Decision, lastDecision, nameOf, recordDecision } from "./decision.ts";
import { itemLifecycle, type TrackingItem } from "./item.ts";

export type CarryOnResult =
  | {
      outcome: "marked";
      item: TrackingItem;
      decisionId: string;
      undoUntil: Date;
      /** What to give to Hermes by hand: the matter and its quoted lines. */
      handOver: string;
      /** Whether it waits for Hermes now, as a turn of the chat. */
      connected: boolean;
    }
  | (DecidedBefore & { handOver: string; connected: boolean });

/** Where the person wants to read how it goes on. */
export interface CarryOnChat {
  place: ChatPlace;
  language: Language;
}

const QUOTES = 5;

/**
 * A person wants the agent to go on with a matter: with Hermes connected it becomes a turn of the chat, in the same
 * transaction, with the matter and its quoted lines as evidence. Without it the wish is marked on the item, and the text
 * to hand over comes back with the plain statement that nobody has been given it.
 * @throws EngineError forbidden · not_found · wrong_state (closed)
 */
export async function carryOn(
  scope: Scope,
  who: Actor,
  input: { itemId: string; chat?: CarryOnChat },
): Promise<CarryOnResult> {
  assertMay(who, "item.decide");
  const { chat } = input;
  const connected = scope.turns.way !== "none" && chat !== undefined && who.kind === "person";
  return inTransaction(scope.db, async (tx) => {
    const patch = { ignoredCount: 0 };
    const result = await changeItem<Decision>(tx, scope, who, input.itemId, async (item) => {
      if (!statusesBefore(itemLifecycle, "update").includes(item.status)) {
        throw new EngineError("wrong_state", { what: "item", state: item.status, possible: ["item.reopen"] });
      }
      const marked = await lastDecision(tx, scope, item.id, "carry_on");
      return marked && marked.revision === item.revision ? { stop: marked } : { write: patch };
    });
    if (!result.changed) {
      return {
        outcome: "already",
        item: result.item,
        by: await nameOf(tx, scope, result.stop.byOpenId),
        at: result.stop.at,
        how: "carried_on",
        handOver: handOverText(result.item),
        connected,
      };
    }
    const decided = await recordDecision(tx, scope, who, { ...result, verb: "carry_on", patch });
    const handOver = handOverText(result.after);
    if (connected) {
      const { prompt } = textsFor(chat.language).chat;
      await queueTurn(tx, scope, who, {
        dedupeKey: carryOnKey(decided.decisionId),
        origin: "carry_on",
        place: chat.place,
        language: chat.language,
        said: result.after.title,
        text: `${prompt.carryOn}\n\n${prompt.evidence}\n${handOver.replace(/^(?!> )/gm, "> ")}`,
      });
    }
    return { outcome: "marked", item: result.after, ...decided, handOver, connected };
  });
}

/** What the turn of a wish to carry on comes from. */
export function carryOnKey(decisionId: string): string {
  return `carry:${decisionId}`;
}

/** Title, summary and the newest quotes, as data and without words of our own. */
export function handOverText(item: Pick<TrackingItem, "title" | "summary" | "evidence">): string {
  const quotes = item.evidence
    .slice(-QUOTES)
    .map(({ at, quote }) => `> ${at.toISOString()} ${quote.replace(/\s+/gu, " ")}`);
  return [item.title, ...(item.summary && item.summary !== item.title ? [item.summary] : []), ...quotes].join("\n");
}
