import { takeEvent } from "../engine/inbox/take-event.ts";
import type { Tap } from "./tap.ts";

/**
 * A look takes longer than a tap may: it waits in the chat as if the person had sent /tick, is done in its turn, and is
 * answered with a line whatever comes of it.
 */
export async function askToLook(tap: Tap): Promise<void> {
  await askToRun(tap, "/tick");
}

/** The same for any command: it waits in the chat as if the person had sent it. */
export async function askToRun(tap: Tap, text: string): Promise<void> {
  const { scope, who, person, post, eventKey } = tap;
  const chatId = person.directChatId ?? post.chatId ?? post.receiveId;
  await takeEvent(scope, {
    dedupeKey: `${eventKey}:look`,
    kind: "message",
    chatId,
    senderOpenId: who.openId,
    payload: {
      dedupeKey: `${eventKey}:look`,
      messageId: post.messageId ?? post.id,
      chatId,
      chatType: "p2p",
      senderOpenId: who.openId,
      text,
      mentions: [],
      sentAt: scope.clock.now().toISOString(),
    },
  });
}
