import { describe, expect, test } from "vitest";
import { applyEvent, chatsOf, countUnread, withCard, withMessage } from "../../src/playground/page/apply-event.ts";
import type { PageMessage, PlaygroundState } from "../../src/playground/page-api.ts";
import { cardContent, galleryState, message } from "./page-gallery.ts";

const base = (): PlaygroundState => ({ ...galleryState(), messages: {} });
const cardMessage = (version: number, more: Partial<PageMessage> = {}): PageMessage => ({
  ...message("oc_owner", "ou_bot", cardContent({ v: version }, { version })),
  messageId: "om_card",
  ...more,
});
const shown = (state: PlaygroundState): unknown => {
  const content = state.messages.oc_owner?.[0]?.content;
  return content?.kind === "card" ? content.card.v : content;
};

describe("news from the stream", () => {
  test("a message heard twice is shown once", () => {
    const news = { id: 2, type: "message", message: cardMessage(1) } as const;
    const state = applyEvent(applyEvent(base(), news), { ...news, id: 3 });
    expect(state.messages.oc_owner).toHaveLength(1);
    expect(state.lastEventId).toBe(3);
  });

  test("a changed card keeps its place and an older picture never replaces a newer one", () => {
    let state = applyEvent(base(), { id: 2, type: "message", message: cardMessage(1) });
    state = withMessage(state, message("oc_owner", "ou_owner", { kind: "text", text: "x", mentions: [] }));
    state = applyEvent(state, { id: 3, type: "patch", message: cardMessage(3) });
    state = applyEvent(state, { id: 4, type: "patch", message: cardMessage(2) });
    expect(state.messages.oc_owner).toHaveLength(2);
    expect(shown(state)).toBe(3);
  });

  test("a tap's card shows at once, and the stream's news of it still counts", () => {
    let state = applyEvent(base(), { id: 2, type: "message", message: cardMessage(1) });
    state = withCard(state, cardMessage(1), { v: "from the answer" });
    expect(shown(state)).toBe("from the answer");
    state = applyEvent(state, { id: 3, type: "patch", message: cardMessage(2) });
    expect(shown(state)).toBe(2);
  });

  test("what is recalled stays recalled, whatever arrives late", () => {
    let state = applyEvent(base(), { id: 2, type: "recall", message: cardMessage(1, { recalled: true }) });
    state = applyEvent(state, { id: 3, type: "patch", message: cardMessage(9) });
    state = withCard(state, cardMessage(9), { v: 10 });
    expect(state.messages.oc_owner?.[0]?.recalled).toBe(true);
  });

  test("clock and connection are taken over", () => {
    let state = applyEvent(base(), { id: 2, type: "clock", now: "2027-01-01T00:00:00.000Z" });
    state = applyEvent(state, { id: 3, type: "state", herald: { connected: false, connections: 0 }, reload: false });
    expect(state).toMatchObject({ now: "2027-01-01T00:00:00.000Z", herald: { connected: false }, lastEventId: 3 });
  });
});

describe("the chat list", () => {
  test("shows a person's own chats only, the newest first", () => {
    expect(chatsOf(galleryState(), "ou_owner").map((chat) => chat.chatId)).toEqual(["oc_group", "oc_owner"]);
    expect(chatsOf(galleryState(), "ou_english").map((chat) => chat.chatId)).toEqual(["oc_group", "oc_english"]);
    expect(chatsOf(galleryState(), "ou_stranger")).toEqual([]);
  });

  test("counts what others sent since one looked", () => {
    const messages = [
      cardMessage(1),
      message("oc_owner", "ou_owner", { kind: "text", text: "x", mentions: [] }),
      cardMessage(2),
    ];
    expect(countUnread(messages, "ou_owner", undefined)).toBe(2);
    expect(countUnread(messages, "ou_owner", messages[0]?.createdAt)).toBe(1);
    expect(countUnread(messages, "ou_owner", messages.at(-1)?.createdAt)).toBe(0);
  });
});
