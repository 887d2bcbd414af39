import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TurnEvent, TurnRequest } from "../../src/engine/ports.ts";
import { ApiTurns } from "../../src/hermes-bridge/api-turns.ts";
import type { TurnTimes } from "../../src/hermes-bridge/follow-run.ts";
import { HermesApi } from "../../src/hermes-bridge/hermes-api.ts";
import { SampleConversations } from "../../src/hermes-bridge/sample-conversations.ts";
import { TurnNotes } from "../../src/hermes-bridge/turn-notes.ts";
import type { AgentBehaviour } from "../../src/playground/agent/agent-behaviour.ts";
import type { Mind, Thought } from "../../src/playground/agent/agent-mind.ts";
import { type AgentServer, startAgentServer } from "../../src/playground/agent/agent-server.ts";
import { countedIds } from "./counted-ids.ts";
import { type FixedClock, fixedClock } from "./fixed-clock.ts";
import { type TestLog, testLog } from "./test-log.ts";

export const FAKE_KEY = "fake-hermes-key-0123456789";

/** Hermes' API server as far as a client sees it, with every trap a switch in `behaviour`, and thoughts from a test. */
export interface FakeHermesApi extends AgentServer {
  store: SampleConversations;
  clock: FixedClock;
  log: TestLog;
  /** The next turns think these; without a script a turn answers "reply to <text>". */
  think(...scripts: Script[]): void;
  /** An adapter on it, with waits short enough for tests. */
  turns(options?: {
    times?: Partial<TurnTimes>;
    key?: string | undefined;
    notes?: TurnNotes;
    silentStreamMs?: number;
  }): ApiTurns;
}

export type Script = readonly Thought[] | Mind;

export async function fakeHermesApi(behaviour: Partial<AgentBehaviour> = {}): Promise<FakeHermesApi> {
  const folder = mkdtempSync(join(tmpdir(), "herald-api-"));
  const store = new SampleConversations(join(folder, "state.db"));
  const clock = fixedClock("2026-11-30T02:00:00Z");
  const log = testLog();
  const scripts: Script[] = [];
  const server = await startAgentServer({
    key: FAKE_KEY,
    now: () => clock.now(),
    store,
    behaviour,
    mind: async function* (turn) {
      const script = scripts.shift() ?? [{ say: `reply to ${turn.text}` }];
      if (typeof script === "function") yield* script(turn);
      else for (const thought of script) yield thought;
    },
  });
  return Object.assign(Object.create(server) as AgentServer, {
    store,
    clock,
    log,
    think: (...more: Script[]) => void scripts.push(...more),
    turns: ({ times, notes, silentStreamMs, ...rest }: Parameters<FakeHermesApi["turns"]>[0] = {}) => {
      const key = "key" in rest ? rest.key : FAKE_KEY;
      return new ApiTurns({
        api: new HermesApi(
          { url: server.url, ...(key !== undefined && { key }) },
          silentStreamMs === undefined ? {} : { silentStreamMs },
        ),
        clock,
        ids: countedIds(),
        log,
        notes: notes ?? new TurnNotes(undefined),
        times: { pollMs: 20, awayMs: 400, forgottenMs: 1_500, stopMs: 1_000, ...times },
      });
    },
    close: async () => {
      await server.close();
      store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  });
}

let made = 0;

/** A turn in the owner's direct chat. */
export function aTurn(text: string, more: Partial<TurnRequest> = {}): TurnRequest {
  made += 1;
  return {
    turnId: `turn_${made}`,
    sessionKey: "herald:oc_owner",
    place: { chatId: "oc_owner", type: "dm" },
    sender: { openId: "ou_owner", name: "林悦" },
    text,
    purpose: "chat",
    ...more,
  };
}

/** Collects what a turn tells, and waits for a kind of it. */
export function listening(): {
  on: (event: TurnEvent) => void;
  events: TurnEvent[];
  next<K extends TurnEvent["kind"]>(kind: K, nth?: number): Promise<Extract<TurnEvent, { kind: K }>>;
} {
  const events: TurnEvent[] = [];
  const waiting: (() => void)[] = [];
  return {
    events,
    on: (event) => {
      events.push(event);
      for (const wake of waiting.splice(0)) wake();
    },
    next: async (kind, nth = 1) => {
      for (;;) {
        const found = events.filter((event) => event.kind === kind)[nth - 1];
        if (found) return found as never;
        await new Promise<void>((resolve, reject) => {
          const timer = setTimeout(() => reject(new Error(`no ${kind} came: ${JSON.stringify(events)}`)), 8_000);
          waiting.push(() => {
            clearTimeout(timer);
            resolve();
          });
        });
      }
    },
  };
}
