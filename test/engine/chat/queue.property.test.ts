import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { nobodyWatches } from "../../../src/engine/chat/live-reply.ts";
import { queueTurn } from "../../../src/engine/chat/queue-turn.ts";
import { retryTurn } from "../../../src/engine/chat/retry-turn.ts";
import { stopTurn } from "../../../src/engine/chat/stop-turn.ts";
import { newSession } from "../../../src/engine/chat/switch-session.ts";
import { TurnRunner } from "../../../src/engine/chat/turn-runner.ts";
import { inTransaction } from "../../../src/engine/db.ts";
import { EngineError } from "../../../src/engine/errors.ts";
import { type GivenScope, given, owner } from "../../helpers/given.ts";
import { HOLD, type ScriptedTurns, scriptedTurns } from "../../helpers/scripted-turns.ts";
import { openTestDb, type TestDb } from "../../helpers/test-db.ts";
import { until } from "../../helpers/until.ts";

vi.setConfig({ testTimeout: 300_000 });

let database: TestDb;
beforeEach(async () => {
  database = await openTestDb();
});
afterEach(() => database.release());

/** A process of ours: it can be killed, and then nothing it waits for ever comes back to it. */
class Process {
  readonly scope: GivenScope;
  readonly runner: TurnRunner;
  #dead = false;

  constructor(scope: GivenScope, hermes: ScriptedTurns) {
    const alive = <T>(answer: Promise<T>): Promise<T> =>
      answer.then((value) => (this.#dead ? new Promise<T>(() => {}) : value));
    this.scope = {
      ...scope,
      turns: {
        ...hermes,
        run: (request, on, signal) => alive(hermes.run(request, on, signal)),
        whatBecameOf: (turn) => alive(hermes.whatBecameOf(turn)),
      },
    };
    this.runner = new TurnRunner({ live: nobodyWatches, pages: () => 1, poke: () => {}, askAgainMs: 5 });
  }

  kill(): void {
    this.#dead = true;
  }
}

type Step =
  | { do: "say"; chat: number; again: boolean }
  | { do: "sweep" | "kill" | "stop_process" | "hermes_restart" | "hermes_away" | "hermes_back" }
  | { do: "end"; which: number; how: "completed" | "failed" }
  | { do: "stop" | "retry"; which: number }
  | { do: "new"; chat: number };

const chat = fc.nat({ max: 1 });
const which = fc.nat({ max: 20 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant("say" as const), chat, again: fc.boolean() }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("sweep" as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("end" as const),
      which,
      how: fc.constantFrom("completed" as const, "failed" as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("stop" as const, "retry" as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("new" as const), chat }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom(
        "kill" as const,
        "stop_process" as const,
        "hermes_restart" as const,
        "hermes_away" as const,
        "hermes_back" as const,
      ),
    }),
  },
);

const breath = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2));

test("whatever comes in between (taps, crashes, restarts of either side), each message is one turn, begun at most once, in order", async () => {
  const { a } = given(database.db);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const { db, agent } = a;
      await db.turn.deleteMany({});
      await db.chatSession.deleteMany({});
      await db.cardPost.deleteMany({});
      const hermes = scriptedTurns();
      hermes.script(HOLD);
      let process = new Process(a, hermes);
      const incidents = a.log.lines.length;
      const messages: { key: string; chatId: string }[] = [];

      const say = async (key: string, chatId: string): Promise<void> => {
        await inTransaction(db, (tx) =>
          queueTurn(tx, process.scope, owner, {
            dedupeKey: key,
            origin: "message",
            place: { chatId, chatType: "p2p", openId: owner.openId },
            language: "zh",
            said: key,
            text: key,
          }),
        );
      };
      const nth = async (index: number): Promise<string | undefined> => {
        const rows = await db.turn.findMany({ orderBy: { seq: "asc" }, select: { id: true } });
        return rows.length === 0 ? undefined : rows[index % rows.length]?.id;
      };
      const refused = (error: unknown): void => {
        if (!(error instanceof EngineError)) throw error;
      };
      /** Leases of the dead run out. */
      const next = (): void => {
        a.clock.advance({ seconds: 61 });
        process = new Process(a, hermes);
      };

      for (const each of steps) {
        switch (each.do) {
          case "say": {
            const chatId = `oc_${each.chat}`;
            const last = messages.findLast((message) => message.chatId === chatId);
            const key = each.again && last ? last.key : `m${messages.length}`;
            if (key !== last?.key) messages.push({ key, chatId });
            await say(key, chatId);
            break;
          }
          case "sweep":
            await process.runner.sweep(process.scope);
            break;
          case "end": {
            const running = [...hermes.running.values()];
            running[each.which % Math.max(1, running.length)]?.end({ outcome: each.how, text: "好" });
            break;
          }
          case "stop": {
            const turnId = await nth(each.which);
            if (turnId) await stopTurn(process.scope, owner, { turnId });
            break;
          }
          case "retry": {
            const turnId = await nth(each.which);
            if (turnId) await retryTurn(process.scope, owner, { turnId }).catch(refused);
            break;
          }
          case "new":
            await newSession(process.scope, owner, {
              chatId: `oc_${each.chat}`,
              chatType: "p2p",
              openId: owner.openId,
            });
            break;
          case "kill":
            process.kill();
            hermes.abandon();
            next();
            break;
          case "stop_process":
            await process.runner.leave();
            next();
            break;
          case "hermes_restart":
            hermes.restart();
            break;
          case "hermes_away":
            hermes.down = true;
            break;
          case "hermes_back":
            hermes.down = false;
            break;
        }
        await breath();
      }

      // Quiet at last: everything comes to its end.
      hermes.down = false;
      await until(async () => {
        await process.runner.sweep(process.scope);
        for (const running of hermes.running.values()) running.end("好");
        await breath();
        return (await db.turn.count({ where: { status: { in: ["waiting", "running"] } } })) === 0;
      });
      await process.runner.idle();

      const turns = await db.turn.findMany({ where: { agentId: agent.id }, orderBy: { seq: "asc" } });
      for (const { key } of messages) expect(turns.filter(({ dedupeKey }) => dedupeKey === key)).toHaveLength(1);
      // The scripted agent refuses a second beginning and a second turn at once; refusals are incidents.
      expect(a.log.lines.slice(incidents).filter(({ level }) => level === "incident")).toEqual([]);
      const begun = hermes.requests.map(({ turnId }) => turnId);
      expect(new Set(begun).size).toBe(begun.length);
      for (const chatId of ["oc_0", "oc_1"]) {
        const own = turns.filter((turn) => turn.chatId === chatId).map(({ id }) => id);
        const order = begun.filter((id) => own.includes(id)).map((id) => own.indexOf(id));
        expect(order).toEqual([...order].sort((one, other) => one - other));
      }
      expect(await db.chatSession.count({ where: { heldBy: { not: null } } })).toBe(0);
    }),
    { numRuns: 40 },
  );
});
