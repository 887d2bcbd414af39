import { wantCard } from "../../src/engine/card-posts.ts";
import { type Db, inTransaction } from "../../src/engine/db.ts";
import { EngineError } from "../../src/engine/errors.ts";
import type { Evidence } from "../../src/engine/evidence.ts";
import { takeEvent } from "../../src/engine/inbox/take-event.ts";
import { putPerson } from "../../src/engine/people/put-person.ts";
import { LlmError } from "../../src/engine/ports.ts";
import type { Actor, PersonActor, Role, Scope } from "../../src/engine/scope.ts";
import type { TrackingItem } from "../../src/engine/tracking/item.ts";
import { type NewItem, openItem } from "../../src/engine/tracking/open-item.ts";
import { noHermesFiles } from "../../src/hermes-bridge/hermes-files.ts";
import { noTurns } from "../../src/hermes-bridge/no-hermes.ts";
import { countedIds } from "./counted-ids.ts";
import { type FixedClock, fixedClock } from "./fixed-clock.ts";
import { type TestLog, testLog } from "./test-log.ts";

/** A Monday, 10:00 in Shanghai. */
export const MONDAY_10 = "2026-11-30T02:00:00Z";

export type GivenScope = Scope & { clock: FixedClock; log: TestLog };

/** A scope over a real database. The world outside of it is empty: no history, no model, no crons. */
export function scopeOn(db: Db, options: Partial<Scope> & { at?: Date | string } = {}): GivenScope {
  const { at = MONDAY_10, ...rest } = options;
  const nothing = (): never => {
    throw new EngineError("unavailable", { what: "history", why: "none in this test" });
  };
  return {
    agent: { id: "agent-a", zone: "Asia/Shanghai", language: "zh" },
    db,
    ids: countedIds(),
    random: () => 0,
    llm: {
      configured: false,
      ask: async () => {
        throw new LlmError("none", "no model in this test");
      },
    },
    history: {
      head: nothing,
      cursorBefore: nothing,
      mayHaveNew: nothing,
      readSince: nothing,
      readEarlier: nothing,
      whereabouts: nothing,
      session: nothing,
      sessionsBegun: nothing,
      directChats: nothing,
      describe: async () => ({ kind: "none" }),
    },
    crons: { list: async () => [] },
    queues: { read: async () => ({ waiting: [], unreadable: 0 }) },
    memory: { recall: async () => ({ state: "missing", memories: [] }) },
    preferences: { read: async () => undefined, write: async () => {} },
    turns: noTurns,
    files: noHermesFiles,
    ...rest,
    clock: (rest.clock as FixedClock | undefined) ?? fixedClock(at),
    log: (rest.log as TestLog | undefined) ?? testLog(),
  };
}

export const owner: PersonActor = { kind: "person", openId: "ou_owner", role: "owner", name: "林悦" };
export const admin: PersonActor = { kind: "person", openId: "ou_admin", role: "admin", name: "周航" };
export const member: PersonActor = { kind: "person", openId: "ou_member", role: "member", name: "Mia" };
export const worker: Actor = { kind: "worker", runId: "run_test" };
export const job: Actor = { kind: "job", name: "tidy" };

/**
 * The one builder of test data. Every row it makes exists for two agents, `a` (what the test is about) and `b` (another
 * one on the same database, with a row of its own beside each), so that a query that forgets the agent shows.
 */
export function given(db: Db, options: Partial<Scope> & { at?: Date | string } = {}): Given {
  const a = scopeOn(db, options);
  const b = scopeOn(db, {
    ...options,
    clock: a.clock,
    log: a.log,
    agent: { id: "agent-b", zone: "Europe/Berlin", language: "en" },
    ids: countedIds(500_000),
  });
  let made = 0;
  const both = async <T>(make: (scope: Scope) => Promise<T>): Promise<T> => {
    await make(b);
    return make(a);
  };
  return {
    a,
    b,
    people: async () => {
      for (const person of [owner, admin, member]) {
        await both((scope) =>
          inTransaction(scope.db, (tx) =>
            putPerson(tx, scope, {
              openId: person.openId,
              role: person.role,
              ...(person.name && { name: person.name }),
              directChatId: `oc_dm_${person.openId.slice(3)}`,
            }),
          ),
        );
      }
    },
    person: (openId, role, name) =>
      inTransaction(db, (tx) => putPerson(tx, a, { openId, role, ...(name && { name }) })),
    item: async (input = {}) => {
      made += 1;
      const matter: NewItem = {
        title: `把报价单发给客户 ${made}`,
        summary: "周四前",
        kind: "promise",
        evidence: [quote()],
        audience: "private",
        ...input,
      };
      return (await both((scope) => openItem(scope, worker, matter))).item;
    },
    delivery: async (items, input = {}) => {
      made += 1;
      const number = made;
      return both(async (scope) => {
        const id = `${scope.agent.id}-delivery-${number}`;
        return inTransaction(scope.db, async (tx) => {
          const { postId } = await wantCard(tx, scope, {
            subject: { kind: "delivery", id },
            to: { openId: input.to ?? owner.openId },
            language: "zh",
            idempotencyKey: id,
          });
          await tx.delivery.create({
            data: {
              id,
              agentId: scope.agent.id,
              runId: input.runId ?? "run_test",
              text: "有几件事",
              recipientOpenId: input.to ?? owner.openId,
              idempotencyKey: id,
              cardPostId: postId,
              status: "pending",
              createdAt: scope.clock.now(),
            },
          });
          for (const [position, item] of items.entries()) {
            await tx.deliveryMatter.create({
              data: {
                deliveryId: id,
                position,
                agentId: scope.agent.id,
                itemId: item.id,
                candidateIndex: position + 1,
                whyNow: "周四到期",
              },
            });
          }
          return { deliveryId: id, postId };
        });
      });
    },
    message: async (chatId, text, messageId) => {
      made += 1;
      const id = messageId ?? `om_${made}`;
      return both(async (scope) => {
        const taken = await takeEvent(scope, {
          dedupeKey: `${scope.agent.id} ${id}`,
          kind: "message",
          chatId,
          senderOpenId: owner.openId,
          payload: { text, messageId: id },
        });
        return taken.seq;
      });
    },
  };
}

export interface Given {
  a: GivenScope;
  b: GivenScope;
  /** Owner, admin and member, each with a direct chat. */
  people(): Promise<void>;
  person(openId: string, role: Role, name?: string): Promise<PersonActor>;
  /** An active item, a private promise unless said otherwise. */
  item(input?: Partial<NewItem>): Promise<TrackingItem>;
  /** A pending delivery of these items and its card post. */
  delivery(
    items: readonly Pick<TrackingItem, "id">[],
    input?: { to?: string; runId?: string },
  ): Promise<{ deliveryId: string; postId: string }>;
  /** A waiting message event; returns its seq. */
  message(chatId: string, text: string, messageId?: string): Promise<number>;
}

export function quote(text = "周四前把报价单发给客户A", messageId = "101"): Evidence {
  return {
    sessionId: "s1",
    messageId,
    role: "user",
    at: new Date("2026-11-30T01:30:00Z"),
    quote: text,
    chatType: "dm",
  };
}
