import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { agentMessageParts } from "../../src/cards/agent-message-card.ts";
import type { TurnResult } from "../../src/engine/ports.ts";
import { openGateway } from "../../src/hermes-bridge/gateway.ts";
import { bridgeRoutes } from "../../src/hermes-bridge/tool-routes.ts";
import { given } from "../helpers/given.ts";
import { openTestDb } from "../helpers/test-db.ts";
import { until } from "../helpers/until.ts";

const TOKEN = "t".repeat(32);
const CHATS = ["oc_owner", "oc_member"] as const;

/** What may happen, in any order. */
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant("say" as const), chat: fc.constantFrom(...CHATS) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("ask" as const), chat: fc.constantFrom(...CHATS) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("send" as const),
      lost: fc.boolean(),
      most: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("fetch" as const), lost: fc.boolean() }) },
  { weight: 3, arbitrary: fc.constant({ do: "work" as const }) },
  { weight: 1, arbitrary: fc.constant({ do: "gatewayDies" as const }) },
  { weight: 1, arbitrary: fc.constant({ do: "heraldDies" as const }) },
);

interface Order {
  seq: number;
  key: string;
  kind: string;
  turnId: string;
  text: string;
  chat: { id: string };
}

/** The plugin's side as it is written in Python: a file that outlives it, and a memory that does not. */
class Plugin {
  file = { spool: "spool-1", next: 1, events: [] as Record<string, unknown>[], noted: new Map<string, string>() };
  instance = "";
  settled: Record<string, unknown>[] = [];
  working: Order[] = [];
  /** every message the agent was given: by turn */
  given: string[] = [];
  starts = 0;

  start(): void {
    this.instance = `gateway-${++this.starts}`;
    this.settled = [];
    this.working = [];
    this.put({ kind: "started", instance: this.instance });
  }

  put(event: Record<string, unknown>): void {
    this.file.events.push({ ...event, seq: this.file.next++ });
  }

  take(orders: readonly Order[]): void {
    for (const order of orders) {
      const noted = this.file.noted.get(order.key);
      if (noted === undefined) {
        this.file.noted.set(order.key, this.instance);
        this.working.push(order);
        this.given.push(order.turnId);
        this.put({ kind: "running", turn: order.turnId, origin: "herald", chat: order.chat.id });
      }
      const earlier = noted !== undefined && noted !== this.instance;
      this.settled.push({ seq: order.seq, status: "taken", ...(earlier && { note: "earlier" }) });
    }
  }

  /** The agent finishes the oldest turn. */
  work(): void {
    const order = this.working.shift();
    if (order === undefined) return;
    this.put({
      kind: "said",
      message: `reply-${order.turnId}`,
      turn: order.turnId,
      chat: order.chat.id,
      text: `re: ${order.text}`,
    });
    this.put({ kind: "ended", turn: order.turnId, outcome: "completed", tools: 0, session: `s-${order.chat.id}` });
  }
}

describe("whatever happens between the gateway and Herald", () => {
  const hold = (which: { numRuns?: number; seed?: number; path?: string }): Promise<void> =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 40 }), async (steps) => {
        const test = await openTestDb();
        const { a: scope, people } = given(test.db);
        await people();
        for (const [i, openId] of ["ou_owner", "ou_member"].entries()) {
          await test.db.person.updateMany({
            where: { agentId: scope.agent.id, openId },
            data: { directChatId: CHATS[i] ?? null },
          });
        }
        let gateway = openGateway({ scope, split: agentMessageParts, owed: () => {} });
        let handle: ReturnType<typeof bridgeRoutes>;
        const startHerald = (): void => {
          gateway = openGateway({ scope, split: agentMessageParts, owed: () => {} });
          handle = bridgeRoutes({ scope, token: TOKEN, version: "1", changed: () => {}, routes: gateway.routes });
        };
        const call = async (path: string, body: object): Promise<Record<string, unknown>> => {
          const { status, body: answer } = await handle({
            method: "POST",
            path: `/bridge/platform/${path}`,
            authorization: `Bearer ${TOKEN}`,
            host: "127.0.0.1:1",
            forwarded: false,
            peer: "127.0.0.1",
            read: async () => Buffer.from(JSON.stringify(body)),
          });
          expect(status).toBe(200);
          return answer;
        };
        const plugin = new Plugin();
        const fetchOrders = async (lost: boolean): Promise<void> => {
          const { spool } = plugin.file;
          const settled = [...plugin.settled];
          const answer = await call("orders", { spool, instance: plugin.instance, settled, wait: 0, can: {} });
          if (lost) return;
          plugin.settled = plugin.settled.slice(settled.length);
          plugin.take(answer.orders as Order[]);
        };
        const sendEvents = async (lost: boolean, most: number): Promise<void> => {
          const events = plugin.file.events.slice(0, most);
          const answer = await call("events", {
            spool: plugin.file.spool,
            instance: plugin.instance,
            events,
            loose: [],
          });
          if (lost) return;
          plugin.file.events = plugin.file.events.filter((event) => (event.seq as number) > (answer.taken as number));
        };
        startHerald();
        plugin.start();
        await fetchOrders(false);
        const said: Record<string, string[]> = { oc_owner: [], oc_member: [] };
        const turns: { id: string; chat: string; result: Promise<TurnResult | undefined> }[] = [];
        let n = 0;
        const watch = (id: string, chat: string): Promise<TurnResult | undefined> =>
          gateway.turns
            .run(
              {
                turnId: id,
                sessionKey: chat,
                sessionId: `s-${chat}`,
                place: { chatId: chat, type: "dm" },
                text: id,
                purpose: "chat",
              },
              () => {},
            )
            .catch(() => undefined);
        for (const each of steps) {
          switch (each.do) {
            case "say": {
              const text = `note ${n++}`;
              said[each.chat]?.push(text);
              plugin.put({ kind: "said", message: `m-${text.slice(5)}`, chat: each.chat, text });
              break;
            }
            case "ask": {
              const id = `turn-${n++}`;
              turns.push({ id, chat: each.chat, result: watch(id, each.chat) });
              await new Promise((resolve) => setImmediate(resolve));
              break;
            }
            case "send":
              await sendEvents(each.lost, each.most);
              break;
            case "fetch":
              await fetchOrders(each.lost);
              break;
            case "work":
              plugin.work();
              break;
            case "gatewayDies":
              plugin.start();
              break;
            case "heraldDies":
              gateway.close();
              await Promise.all(turns.map((turn) => turn.result));
              startHerald();
              for (const turn of turns) {
                const row = await test.db.gatewayTurn.findFirst({ where: { id: turn.id } });
                if (row) turn.result = watch(turn.id, turn.chat);
              }
              break;
          }
        }
        // Everything comes to rest: both are up, nothing gets lost any more.
        let results: (TurnResult | undefined)[] | undefined;
        void Promise.all(turns.map((turn) => turn.result)).then((all) => {
          results = all;
        });
        await until(async () => {
          await fetchOrders(false);
          plugin.work();
          await sendEvents(false, 100);
          return results !== undefined && plugin.file.events.length === 0 && plugin.working.length === 0;
        });
        expect(new Set(plugin.given).size).toBe(plugin.given.length);
        for (const [i, turn] of turns.entries()) {
          const result = results?.[i];
          const begun = plugin.given.includes(turn.id);
          // Refused turns were never begun; begun ones ended with their own reply, or are known to be lost.
          if (result === undefined) expect(begun).toBe(false);
          else if (result.outcome === "completed") expect(result.text).toBe(`re: ${turn.id}`);
          else expect(result.outcome).toBe("lost");
        }
        for (const chat of CHATS) {
          const rows = await test.db.agentMessage.findMany({
            where: { agentId: scope.agent.id, receiveId: chat, origin: "said" },
          });
          const posts = await test.db.cardPost.findMany({
            where: { agentId: scope.agent.id, receiveId: chat, subjectKind: "agent-message" },
            orderBy: [{ createdAt: "asc" }, { id: "asc" }],
          });
          expect(rows.map((row) => row.text).sort()).toEqual([...(said[chat] ?? [])].sort());
          const order = posts.map((post) => rows.find((row) => row.id === post.subjectId)?.text).filter(Boolean);
          expect(order).toEqual(said[chat]);
        }
        gateway.close();
        await test.release();
      }),
      { ...which, endOnFailure: true },
    );

  it("every word arrives exactly once and in order, and every message is begun at most once and ends", async () => {
    await hold({ numRuns: 15 });
  }, 240_000);

  // Turns red when it is mended: then this goes, and so does the one seed of CI (test/helpers/replay-property.ts).
  it.fails("known fault, not mended: a reply begun before the gateway died may be missing from its turn", async () => {
    await hold({ numRuns: 3, seed: 3888453, path: "2" });
  }, 240_000);
});
