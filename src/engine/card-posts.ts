import {
  afterShown,
  type CardPost,
  cardPostSchema,
  KEY_CHARS,
  LIST_LIFE_MS,
  nextPost,
  type Shown,
  type SubjectRef,
  type TriedPost,
} from "./card-post.ts";
import { cut } from "./clean-text.ts";
import { inTransaction, readRows, runStatement, type Tx } from "./db.ts";
import { jsonColumn } from "./json-column.ts";
import { LONGEST_PUT_OFF_MS, leaseFrom, POST_LEASE_MS } from "./lease.ts";
import type { Language, Scope } from "./scope.ts";
import { columns, sql } from "./sql.ts";

/**
 * Which card is owed where. Operations say in their transaction that a card is wanted or that pictures of something are
 * out of date; one sweep claims what is owed, draws the present state, sends or changes the message, and notes what is
 * shown. "Exactly one message" rests on four things: one key per business event, a try noted before it is made, an id
 * that is recorded whoever holds the lease, and a doubt that is resolved before the next try.
 */
export type { CardPost, Shown, SubjectKind, SubjectRef, TriedPost } from "./card-post.ts";

export interface WantedCard {
  subject: SubjectRef;
  /** What the drawing needs beyond the subject (page, filter, a line's text); small. */
  view?: Readonly<Record<string, unknown>>;
  to: { openId: string } | { chatId: string };
  language: Language | "both";
  /** Derived from the business event, at most 50 characters: the same event never makes a second message. */
  idempotencyKey: string;
  /** Message id to reply to. */
  replyTo?: string;
}

const PAGE = 100;
const COLLISIONS = 20;

/**
 * A card is owed. The same key again gives the same post, whatever else is said this time.
 * @throws Error when the key is empty, too long, or belongs to another agent (a bug of the caller)
 */
export async function wantCard(tx: Tx, scope: Scope, card: WantedCard): Promise<{ postId: string; fresh: boolean }> {
  const key = card.idempotencyKey;
  if (key.length === 0 || key.length > KEY_CHARS)
    throw new Error(`idempotency key of ${key.length} characters: ${key}`);
  const id = newPostId(scope);
  const row = await tx.cardPost.upsert({
    where: { idempotencyKey: key },
    // One statement that either makes the row or finds it, also when two replicas arrive together.
    update: { idempotencyKey: key },
    create: {
      id,
      agentId: scope.agent.id,
      subjectKind: card.subject.kind,
      subjectId: card.subject.id,
      ...(card.view && { view: jsonColumn(card.view) }),
      ...receiver(card.to),
      language: card.language,
      replyToMessageId: card.replyTo ?? null,
      idempotencyKey: key,
      createdAt: scope.clock.now(),
    },
    select: { id: true, agentId: true },
  });
  if (row.agentId !== scope.agent.id) throw new Error(`idempotency key ${key} belongs to another agent`);
  return { postId: row.id, fresh: row.id === id };
}

/**
 * Pictures of the subject are out of date. For an item these are the deliveries that cover it and the lists of the last
 * two days; for any other subject, its own posts. Posts given up or replaced stay as they are.
 */
export async function touchCards(
  tx: Tx,
  scope: Scope,
  subject: SubjectRef | { kind: "item"; id: string },
): Promise<void> {
  const agentId = scope.agent.id;
  const outOfDate = sql`UPDATE "CardPost" SET "wanted" = "wanted" + 1, "stale" = TRUE WHERE "gaveUpAt" IS NULL AND`;
  if (subject.kind !== "item") {
    const own = sql`"agentId" = ${agentId} AND "subjectKind" = ${subject.kind} AND "subjectId" = ${subject.id}`;
    await runStatement(tx, sql`${outOfDate} ${own}`);
    return;
  }
  const listsSince = new Date(scope.clock.now().getTime() - LIST_LIFE_MS);
  // A union of ids, because SQLite would answer an OR by walking through every post of the agent.
  await runStatement(
    tx,
    sql`${outOfDate} "id" IN (
      SELECT post."id" FROM "DeliveryMatter" AS matter
        JOIN "CardPost" AS post ON post."agentId" = matter."agentId" AND post."subjectKind" = 'delivery'
          AND post."subjectId" = matter."deliveryId"
        WHERE matter."agentId" = ${agentId} AND matter."itemId" = ${subject.id}
      UNION ALL SELECT "id" FROM "CardPost"
        WHERE "agentId" = ${agentId} AND "subjectKind" = 'item-list' AND "createdAt" >= ${listsSince})`,
  );
}

/** The post of a business event, by the key it was wanted with. */
export async function cardPostOf(scope: Scope, idempotencyKey: string): Promise<CardPost | undefined> {
  const row = await scope.db.cardPost.findFirst({ where: { agentId: scope.agent.id, idempotencyKey } });
  return row ? cardPostSchema.parse(row) : undefined;
}

/** The post with this id, or the one that a message shows: what a tap or a reply is about. */
export async function findPost(
  scope: Scope,
  by: { postId: string } | { messageId: string },
): Promise<CardPost | undefined> {
  const which = "postId" in by ? sql`"id" = ${by.postId}` : sql`"messageId" = ${by.messageId}`;
  const [row] = await readRows(
    scope.db,
    sql`SELECT ${columns(cardPostSchema)} FROM "CardPost" WHERE ${which} AND "agentId" = ${scope.agent.id}`,
  );
  return row === undefined ? undefined : cardPostSchema.parse(row);
}

/**
 * The next owed post, now held by the caller for a minute (see `lease.ts`); undefined when nothing is owed that may be
 * done now. A card that `rests` is passed over. Note its `wanted`: it is what `noteShown` is told. Resolve `doubt(post)` before anything else.
 */
export async function claimPost(scope: Scope, rests?: (post: CardPost) => boolean): Promise<CardPost | undefined> {
  const now = scope.clock.now();
  const blocked = new Set<string>();
  for (let skip = 0; ; ) {
    const rows = await scope.db.cardPost.findMany({
      where: { agentId: scope.agent.id, stale: true },
      orderBy: [{ createdAt: "asc" }, { id: "asc" }],
      skip,
      take: PAGE,
    });
    const next = nextPost(await readable(scope, rows), now, blocked, rests);
    if (next) {
      const claimed = await tryClaim(scope, next, now);
      if (claimed) return claimed;
      // Another replica was quicker: look again from the start.
      skip = 0;
      blocked.clear();
    } else if (rows.length < PAGE) {
      return undefined;
    } else {
      skip += PAGE;
    }
  }
}

/**
 * Notes that a try is about to be made, and takes the lease anew. Undefined when the post is no longer the caller's: then
 * nothing may be sent.
 */
export async function noteTry(scope: Scope, post: CardPost): Promise<TriedPost | undefined> {
  const now = scope.clock.now();
  const noted = {
    attempts: post.attempts + 1,
    inDoubtSince: post.messageId === null ? (post.inDoubtSince ?? now) : null,
    leaseUntil: leaseFrom(now, POST_LEASE_MS),
  };
  const { count } = await scope.db.cardPost.updateMany({ where: heldBy(scope, post), data: noted });
  return count === 1 ? { ...post, ...noted, doubtBefore: post.inDoubtSince } : undefined;
}

/**
 * A picture has reached the screen. Takes effect even when the lease was lost meanwhile: an id that is known is never
 * forgotten. Doing it twice changes nothing.
 */
export async function noteShown(scope: Scope, post: CardPost, done: Shown): Promise<void> {
  await setShown(scope, post.id, done, post.leaseUntil);
}

/** A tap was answered with a picture drawn from `shown`; the sweep's own claim of the post is left alone. */
export async function noteAnswered(scope: Scope, postId: string, shown: number): Promise<void> {
  await setShown(scope, postId, { shown }, null);
}

/**
 * Not now: the post comes up again at `until`, two hours ahead at most. `refused` says that the platform certainly did not take this try;
 * otherwise it stays in doubt.
 */
export async function putOff(
  scope: Scope,
  post: CardPost | TriedPost,
  until: Date,
  why: string,
  outcome: "refused" | "unknown" = "unknown",
): Promise<void> {
  const latest = leaseFrom(scope.clock.now(), LONGEST_PUT_OFF_MS);
  const before = "doubtBefore" in post ? post.doubtBefore : post.inDoubtSince;
  await scope.db.cardPost.updateMany({
    where: heldBy(scope, post),
    data: {
      leaseUntil: null,
      nextTryAt: until < latest ? until : latest,
      lastError: cut(why, 500),
      inDoubtSince: outcome === "refused" ? before : post.inDoubtSince,
    },
  });
}

/** The message shows this card entity (null: it is an ordinary card after all). Noted before it is sent, so that every try sends the same one. */
export async function noteEntity(
  scope: Scope,
  post: CardPost,
  entityId: string | null,
  streaming = false,
): Promise<void> {
  await scope.db.cardPost.updateMany({
    where: { id: post.id, agentId: scope.agent.id, messageId: null },
    data: { entityId, streamingSince: streaming ? scope.clock.now() : null },
  });
}

/** The entity's streaming mode was opened or closed. */
export async function noteStreaming(scope: Scope, postId: string, since: Date | null): Promise<void> {
  await scope.db.cardPost.updateMany({
    where: { id: postId, agentId: scope.agent.id },
    data: { streamingSince: since },
  });
}

/**
 * The next `count` sequence numbers for changes of a post's card entity (Feishu: strictly rising per card over all calls).
 * Who reserves later writes higher numbers, so what an overtaken writer still sends is refused by the platform.
 * @returns the first of them
 */
export async function reserveSequences(scope: Scope, postId: string, count: number): Promise<number> {
  const { entitySequence } = await scope.db.cardPost.update({
    where: { id: postId, agentId: scope.agent.id },
    data: { entitySequence: { increment: count } },
    select: { entitySequence: true },
  });
  return entitySequence - count + 1;
}

/**
 * Nothing will come of it any more: recalled, receiver gone, withdrawn. Final. When the answer of a first sending is in
 * doubt, resolve that first: whoever reads the post takes "given up without a message id" for "did not arrive".
 */
export async function giveUp(scope: Scope, post: Pick<CardPost, "id">, because: string): Promise<void> {
  await scope.db.cardPost.updateMany({
    where: { id: post.id, agentId: scope.agent.id, gaveUpAt: null },
    data: {
      gaveUpAt: scope.clock.now(),
      gaveUpBecause: cut(because, 200),
      stale: false,
      leaseUntil: null,
      nextTryAt: null,
    },
  });
}

/**
 * A new message takes this one's place, because it is older than 14 days or was recalled. The old post is given up and
 * remembers the new one; a delivery's receipt moves along. Twice gives the same new post.
 */
export async function replacePost(
  scope: Scope,
  post: CardPost,
  because: "too_old" | "recalled" | "refused",
): Promise<{ postId: string }> {
  return inTransaction(scope.db, async (tx) => {
    const { postId } = await wantCard(tx, scope, {
      subject: { kind: post.subjectKind, id: post.subjectId },
      ...(post.view && { view: post.view }),
      to: post.receiveIdType === "open_id" ? { openId: post.receiveId } : { chatId: post.receiveId },
      language: post.language,
      idempotencyKey: `again-${post.id.slice(-32)}`,
    });
    const { count } = await tx.cardPost.updateMany({
      where: { id: post.id, agentId: scope.agent.id, replacedById: null },
      data: {
        replacedById: postId,
        gaveUpAt: scope.clock.now(),
        gaveUpBecause: because,
        stale: false,
        leaseUntil: null,
        nextTryAt: null,
      },
    });
    if (count === 1 && post.subjectKind === "delivery") {
      await tx.delivery.updateMany({
        where: { agentId: scope.agent.id, cardPostId: post.id },
        data: { cardPostId: postId },
      });
    }
    return { postId };
  });
}

/** A row that cannot be read (of a later release, say) is given up with an incident, so that it holds up no other. */
async function readable(scope: Scope, rows: readonly { id: string }[]): Promise<CardPost[]> {
  const posts: CardPost[] = [];
  for (const row of rows) {
    const parsed = cardPostSchema.safeParse(row);
    if (parsed.success) posts.push(parsed.data);
    else {
      scope.log.incident("card.unreadable", parsed.error, { postId: row.id });
      await giveUp(scope, row, "unreadable");
    }
  }
  return posts;
}

async function tryClaim(scope: Scope, post: CardPost, now: Date): Promise<CardPost | undefined> {
  const leaseUntil = leaseFrom(now, POST_LEASE_MS);
  const { count } = await scope.db.cardPost.updateMany({
    // All that another replica may have changed since the row was read.
    where: {
      ...heldBy(scope, post),
      stale: true,
      shown: post.shown,
      attempts: post.attempts,
      messageId: post.messageId,
      nextTryAt: post.nextTryAt,
    },
    data: { leaseUntil },
  });
  return count === 1 ? { ...post, leaseUntil } : undefined;
}

/** Compare and set: reads the row, works out the next one, and writes it if nobody else was in between. */
async function setShown(scope: Scope, postId: string, done: Shown, lease: Date | null): Promise<void> {
  for (let collision = 0; collision < COLLISIONS; collision++) {
    const row = await findPost(scope, { postId });
    if (!row) return;
    if (row.messageId !== null && done.messageId !== undefined && row.messageId !== done.messageId) {
      scope.log.warn("card.second_message", { postId, kept: row.messageId, second: done.messageId });
    }
    const holder = lease !== null && row.leaseUntil?.getTime() === lease.getTime();
    const { count } = await scope.db.cardPost.updateMany({
      where: {
        id: postId,
        agentId: scope.agent.id,
        wanted: row.wanted,
        shown: row.shown,
        messageId: row.messageId,
        leaseUntil: row.leaseUntil,
        gaveUpAt: row.gaveUpAt,
      },
      data: {
        ...afterShown(row, done, scope.clock.now()),
        ...(holder && { leaseUntil: null, attempts: 0, nextTryAt: null, lastError: null }),
      },
    });
    if (count === 1) return;
  }
  throw new Error(`card post ${postId} changed ${COLLISIONS} times while what is shown was noted`);
}

function heldBy(
  scope: Scope,
  post: CardPost,
): { id: string; agentId: string; leaseUntil: Date | null; gaveUpAt: null } {
  return { id: post.id, agentId: scope.agent.id, leaseUntil: post.leaseUntil, gaveUpAt: null };
}

/** 128 random bits, behind a part that sorts by time, so that posts made in the same millisecond keep their order. */
function newPostId(scope: Scope): string {
  return `${scope.ids.id("p")}-${scope.ids.opaque()}`;
}

function receiver(to: WantedCard["to"]): { receiveIdType: string; receiveId: string } {
  return "openId" in to
    ? { receiveIdType: "open_id", receiveId: to.openId }
    : { receiveIdType: "chat_id", receiveId: to.chatId };
}
