import { createHash } from "node:crypto";
import { z } from "zod";

/** A message of a person as it is kept until it is handled. */
export const messageSchema = z.object({
  dedupeKey: z.string(),
  messageId: z.string(),
  chatId: z.string(),
  chatType: z.enum(["p2p", "group"]),
  threadId: z.string().optional(),
  parentId: z.string().optional(),
  senderOpenId: z.string(),
  senderUnionId: z.string().optional(),
  text: z.string(),
  mentions: z.array(z.object({ key: z.string(), openId: z.string().optional(), name: z.string() })),
  attachments: z
    .array(z.object({ kind: z.enum(["image", "file"]), key: z.string(), name: z.string().optional() }))
    .default([]),
  sentAt: z.coerce.date(),
});

export type Message = z.infer<typeof messageSchema>;

/** The words as a command is read from them: nobody is named in them. */
export function withoutMentions(message: Message): string {
  let text = message.text;
  for (const { key } of longestFirst(message)) text = text.replaceAll(key, " ");
  return text.trim();
}

/** The words as the agent is given them: the bot itself is not named, others are, by their names. */
export function withNames(message: Message, botOpenId: string | undefined): string {
  let text = message.text;
  for (const { key, openId, name } of longestFirst(message)) {
    text = text.replaceAll(key, openId !== undefined && openId === botOpenId ? " " : `@${name}`);
  }
  return text.trim();
}

/** @_user_1 is the beginning of @_user_12. */
function longestFirst({ mentions }: Message): Message["mentions"] {
  return [...mentions].sort((a, b) => b.key.length - a.key.length);
}

/** The same for every try of one message: of all its answers one arrives. */
export function keyOf(dedupeKey: string): string {
  return createHash("sha256").update(dedupeKey).digest("hex").slice(0, 40);
}
