import type { CardJson, PageChat, PageEvent, PageMessage, PlaygroundState } from "../page-api.ts";

/**
 * The state after a piece of news. A message that is known is replaced as a whole and keeps its place; a new one goes
 * to its chat's end. News older than what is known (a lower card version) changes nothing.
 */
export function applyEvent(state: PlaygroundState, event: PageEvent): PlaygroundState {
  switch (event.type) {
    case "message":
    case "patch":
    case "recall":
      return { ...withMessage(state, event.message), lastEventId: event.id };
    case "state":
      return { ...state, herald: event.herald, lastEventId: event.id };
    case "clock":
      return { ...state, now: event.now, lastEventId: event.id };
    case "agent":
      return { ...state, agent: event.agent, lastEventId: event.id };
    default:
      return event satisfies never;
  }
}

/** The state with one message put in its place. */
export function withMessage(state: PlaygroundState, message: PageMessage): PlaygroundState {
  const known = state.messages[message.chatId] ?? [];
  const at = known.findIndex((each) => each.messageId === message.messageId);
  const before = known[at];
  if (before && isOlder(message, before)) return state;
  const next = at < 0 ? [...known, message] : known.with(at, message);
  return { ...state, messages: { ...state.messages, [message.chatId]: next } };
}

/** A tap's answer brought a card: shown at once, before the stream tells of it. */
export function withCard(state: PlaygroundState, message: PageMessage, card: CardJson): PlaygroundState {
  const current = findMessage(state, message.messageId) ?? message;
  if (current.content.kind !== "card" || current.recalled) return state;
  // The version stays: the stream's own news of this change has a higher one and must still count.
  return withMessage(state, { ...current, content: { ...current.content, card } });
}

/** A message by its id, whatever its chat. */
export function findMessage(state: PlaygroundState, messageId: string): PageMessage | undefined {
  for (const messages of Object.values(state.messages)) {
    const found = messages.find((each) => each.messageId === messageId);
    if (found) return found;
  }
  return undefined;
}

/** The chats a person is in: the one with the newest message first, then as the server lists them. */
export function chatsOf(state: PlaygroundState, userId: string): PageChat[] {
  const newest = (chat: PageChat): string => state.messages[chat.chatId]?.at(-1)?.createdAt ?? "";
  return state.chats
    .filter((chat) => chat.members.includes(userId))
    .toSorted((a, b) => newest(b).localeCompare(newest(a)));
}

/** How many messages of others are newer than what the person has seen of a chat. */
export function countUnread(messages: readonly PageMessage[], userId: string, seenAt: string | undefined): number {
  return messages.filter((each) => each.senderId !== userId && !each.recalled && each.createdAt > (seenAt ?? ""))
    .length;
}

function isOlder(message: PageMessage, known: PageMessage): boolean {
  if (known.recalled && !message.recalled) return true;
  return (
    message.content.kind === "card" && known.content.kind === "card" && message.content.version < known.content.version
  );
}
