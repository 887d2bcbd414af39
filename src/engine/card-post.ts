import { z } from "zod";
import { isDue, isFree, LONGEST_PUT_OFF_MS, POST_LEASE_MS } from "./lease.ts";

/**
 * What a card may be a picture of. `line` is a plain text message whose words stand in the post's view, `file` an image or
 * a file that stands there.
 */
export const subjectKinds = [
  "delivery",
  "item-list",
  "run",
  "run-list",
  "document",
  "why",
  "status",
  "prefs",
  "settings",
  "members",
  "goal",
  "goal-list",
  "watched-goal",
  "audit",
  "notice",
  "report",
  "proposal",
  "proposal-list",
  "strategies",
  "help",
  "line",
  "agent-message",
  "turn",
  "question",
  "file",
] as const;
export type SubjectKind = (typeof subjectKinds)[number];

export interface SubjectRef {
  kind: SubjectKind;
  id: string;
}

/** Feishu: a card can be updated and tapped for 14 days after it was sent. An hour is kept back for clocks that differ. */
export const CARD_LIFE_MS = (14 * 24 - 1) * 60 * 60_000;
/** Feishu: sends with one uuid make one message within 1 hour of the first. Ten minutes are kept back. */
export const SAME_KEY_MS = 50 * 60_000;
/** Feishu: a message's uuid has at most 50 characters. */
export const KEY_CHARS = 50;
/** A list stays a living picture this long; afterwards it is redrawn only when someone taps it. */
export const LIST_LIFE_MS = 48 * 60 * 60_000;

export const cardPostSchema = z.object({
  id: z.string(),
  agentId: z.string(),
  subjectKind: z.enum(subjectKinds),
  subjectId: z.string(),
  view: z.record(z.string(), z.unknown()).nullable().catch(null),
  receiveIdType: z.enum(["open_id", "chat_id"]),
  receiveId: z.string(),
  language: z.enum(["zh", "en", "both"]).catch("both"),
  replyToMessageId: z.string().nullable(),
  idempotencyKey: z.string(),
  wanted: z.number().int(),
  shown: z.number().int(),
  stale: z.boolean(),
  messageId: z.string().nullable(),
  chatId: z.string().nullable(),
  sentAt: z.date().nullable(),
  sentAs: z.enum(["card", "text"]).nullable().catch(null),
  entityId: z.string().nullable(),
  entitySequence: z.number().int(),
  streamingSince: z.date().nullable(),
  attempts: z.number().int(),
  inDoubtSince: z.date().nullable(),
  nextTryAt: z.date().nullable(),
  leaseUntil: z.date().nullable(),
  lastError: z.string().nullable(),
  gaveUpAt: z.date().nullable(),
  gaveUpBecause: z.string().nullable(),
  replacedById: z.string().nullable(),
  createdAt: z.date(),
});

/** One card owed or shown somewhere. */
export type CardPost = z.infer<typeof cardPostSchema>;

/** A post whose try has been noted and may now be made. */
export type TriedPost = CardPost & {
  /** An earlier try whose answer never came: a refusal of this try says nothing about that one. */
  doubtBefore: Date | null;
};

/** The fields `nextPost` decides by. */
export type Waiting = Pick<CardPost, "receiveIdType" | "receiveId" | "messageId" | "nextTryAt" | "leaseUntil">;

/**
 * The first of the owed posts (oldest first) that may be worked on now. New messages to one receiver keep their order: a
 * later one waits while an earlier one is being sent or was put off. Changes of messages already sent wait for nobody.
 * `blocked` carries the receivers whose turn it is not from page to page; what `rests` is passed over for now.
 */
export function nextPost<P extends Waiting>(
  posts: readonly P[],
  now: Date,
  blocked: Set<string>,
  rests: (post: P) => boolean = () => false,
): P | undefined {
  for (const post of posts) {
    const receiver = `${post.receiveIdType} ${post.receiveId}`;
    const ready = isFree(post, now, POST_LEASE_MS) && isDue(post.nextTryAt, now, LONGEST_PUT_OFF_MS);
    if (post.messageId !== null) {
      if (ready && !rests(post)) return post;
      continue;
    }
    if (blocked.has(receiver)) continue;
    if (ready) return post;
    blocked.add(receiver);
  }
  return undefined;
}

/**
 * What to do about a first sending whose answer never came. `none`: nothing is in doubt. `same_key`: send again, the
 * platform recognises the key. `look`: too long ago for that; look for the message in the chat before sending.
 */
export function doubt(post: Pick<CardPost, "messageId" | "inDoubtSince">, now: Date): "none" | "same_key" | "look" {
  if (post.messageId !== null || post.inDoubtSince === null) return "none";
  return now.getTime() - post.inDoubtSince.getTime() < SAME_KEY_MS ? "same_key" : "look";
}

/** True when the platform no longer takes changes of this message: it is replaced, not patched. */
export function isTooOld(post: Pick<CardPost, "sentAt">, now: Date): boolean {
  return post.sentAt !== null && now.getTime() - post.sentAt.getTime() >= CARD_LIFE_MS;
}

export interface Shown {
  /** The `wanted` that was read before the picture was drawn. */
  shown: number;
  messageId?: string;
  chatId?: string;
  sentAs?: "card" | "text";
}

/**
 * The row after a picture has reached the screen. Numbers only rise; when an older picture may have landed on top of a
 * newer one, the card is owed once more. A message id once known stays.
 */
export function afterShown(
  row: CardPost,
  done: Shown,
  now: Date,
): Pick<CardPost, "wanted" | "shown" | "stale" | "messageId" | "chatId" | "sentAt" | "sentAs" | "inDoubtSince"> {
  const overtaken = done.shown < row.shown;
  const wanted = overtaken ? row.wanted + 1 : row.wanted;
  const shown = Math.max(row.shown, done.shown);
  const first = row.messageId === null && done.messageId !== undefined;
  return {
    wanted,
    shown,
    stale: wanted > shown && row.gaveUpAt === null,
    messageId: row.messageId ?? done.messageId ?? null,
    chatId: row.chatId ?? done.chatId ?? null,
    sentAt: first ? now : row.sentAt,
    sentAs: done.sentAs ?? row.sentAs,
    inDoubtSince: row.messageId === null && done.messageId === undefined ? row.inDoubtSince : null,
  };
}
