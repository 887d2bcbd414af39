import { openDb } from "../../src/engine/db.ts";
import { loadSqlite, type SqliteDatabase } from "../../src/engine/load-sqlite.ts";
import { migrate } from "../../src/engine/migrate.ts";

export const AGENT = "main";
export const OWNER = "ou_bench_owner";
export const CHAT = "oc_bench_owner";
export const MATTERS_PER_CARD = 3;

/** The n-th matter stands on this card, in this message. Both count from 0. */
export function placeOf(n: number): { item: string; post: string; message: string } {
  const card = Math.floor(n / MATTERS_PER_CARD);
  return { item: `item-${n}`, post: `post-${card}`, message: `om_bench_${card}` };
}

/**
 * A database of an owner with `items` open matters on cards of three, all sent. With `oldRows`, as many finished events,
 * audit entries and card posts besides: what years of use leave.
 */
export async function makeTapDatabase(path: string, items: number, now: Date, oldRows = 0): Promise<void> {
  await migrate(path, { now });
  const { db, close } = await openDb(path);
  const sent = { wanted: 1, shown: 1, stale: false, sentAt: now, sentAs: "card", chatId: CHAT };
  const post = {
    agentId: AGENT,
    subjectKind: "delivery",
    receiveIdType: "open_id",
    receiveId: OWNER,
    language: "zh",
    createdAt: now,
    ...sent,
  };
  await db.person.create({
    data: {
      id: "person",
      agentId: AGENT,
      openId: OWNER,
      role: "owner",
      directChatId: CHAT,
      createdAt: now,
      name: "林悦",
    },
  });
  await db.trackingItem.create({
    data: {
      id: "template",
      agentId: AGENT,
      number: 0,
      title: "把修改后的报价单发给客户",
      summary: "客户在周四的会上要看",
      kind: "promise",
      status: "active",
      momentum: "on_track",
      dueAt: new Date(now.getTime() + 86_400_000),
      dueGrain: "day",
      evidence: [
        {
          sessionId: "s1",
          messageId: "m1",
          role: "user",
          at: now.toISOString(),
          quote: "周四之前把报价单发给客户",
          chatType: "dm",
        },
      ],
      audience: "private",
      reminderCount: 1,
      createdAt: now,
      updatedAt: now,
    },
  });
  // A tick beside the taps opens matters of its own and numbers them after these.
  await db.counter.create({ data: { agentId: AGENT, name: "item", value: items } });
  await db.cardPost.create({
    data: { id: "template", subjectId: "template", idempotencyKey: "template", messageId: "template", ...post },
  });
  await db.delivery.create({
    data: {
      id: "template",
      agentId: AGENT,
      runId: "run",
      text: "有几件事还没有了结，顺手看一眼？",
      recipientOpenId: OWNER,
      idempotencyKey: "template",
      cardPostId: "template",
      status: "delivered",
      messageId: "template",
      chatId: CHAT,
      createdAt: now,
      settledAt: now,
    },
  });
  await db.deliveryMatter.create({
    data: {
      deliveryId: "template",
      position: 0,
      agentId: AGENT,
      itemId: "template",
      candidateIndex: 1,
      whyNow: "明天到期",
    },
  });
  await db.inboxEvent.create({
    data: {
      agentId: AGENT,
      dedupeKey: "template",
      kind: "tap",
      chatId: "oc_old",
      senderOpenId: OWNER,
      payload: { kind: "tap", tag: "button" },
      status: "done",
      answer: { toast: { type: "success", content: "记下了" } },
      receivedAt: now,
      handledAt: now,
    },
  });
  await db.auditEntry.create({
    data: {
      agentId: AGENT,
      at: now,
      actorKind: "person",
      actorId: OWNER,
      what: "item.done",
      subjectKind: "item",
      subjectId: "template",
      before: { status: "active" },
      after: { status: "closed" },
    },
  });
  await close();

  const file = new (loadSqlite().DatabaseSync)(path);
  file.exec("PRAGMA synchronous = OFF; PRAGMA journal_mode = WAL; PRAGMA foreign_keys = OFF; BEGIN");
  const cards = Math.ceil(items / MATTERS_PER_CARD);
  copies(file, "TrackingItem", `"id" = 'template'`, items, { id: "'item-' || n", number: "n + 1" });
  const card = {
    id: "'card-' || n",
    idempotencyKey: "'card-' || n",
    cardPostId: "'post-' || n",
    messageId: "'om_bench_' || n",
  };
  copies(file, "Delivery", `"id" = 'template'`, cards, card);
  copies(file, "CardPost", `"id" = 'template'`, cards, {
    id: "'post-' || n",
    subjectId: "'card-' || n",
    idempotencyKey: "'post-' || n",
    messageId: "'om_bench_' || n",
  });
  copies(file, "DeliveryMatter", `"deliveryId" = 'template'`, items, {
    deliveryId: `'card-' || (n / ${MATTERS_PER_CARD})`,
    position: `n % ${MATTERS_PER_CARD}`,
    itemId: "'item-' || n",
    candidateIndex: `n % ${MATTERS_PER_CARD} + 1`,
  });
  if (oldRows > 0) {
    const old = { subjectId: "'old-' || n" };
    copies(file, "InboxEvent", `"dedupeKey" = 'template'`, oldRows, { seq: "NULL", dedupeKey: "'old-' || n" });
    copies(file, "AuditEntry", `"subjectId" = 'template'`, oldRows, { id: "NULL", ...old });
    copies(file, "CardPost", `"id" = 'template'`, oldRows, {
      id: "'old-' || n",
      idempotencyKey: "'old-' || n",
      messageId: "'om_old_' || n",
      ...old,
    });
  }
  for (const table of ["TrackingItem", "Delivery", "CardPost"])
    file.exec(`DELETE FROM "${table}" WHERE "id" = 'template'`);
  file.exec('DELETE FROM "DeliveryMatter" WHERE "deliveryId" = \'template\'; COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  file.close();
}

/** Copies of one row, n from 0: all its columns, but those named are expressions of n. */
function copies(
  file: SqliteDatabase,
  table: string,
  template: string,
  count: number,
  changed: Readonly<Record<string, string>>,
): void {
  const columns = file.prepare(`PRAGMA table_info("${table}")`).all() as { name: string }[];
  const names = columns.map(({ name }) => `"${name}"`).join(", ");
  const values = columns.map(({ name }) => changed[name] ?? `t."${name}"`).join(", ");
  file.exec(
    `WITH RECURSIVE k(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM k WHERE n + 1 < ${count})
     INSERT INTO "${table}" (${names}) SELECT ${values} FROM k, (SELECT * FROM "${table}" WHERE ${template}) AS t`,
  );
}
