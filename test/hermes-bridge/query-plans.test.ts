import { afterEach, describe, expect, it, vi } from "vitest";
import type { HistoryCursor } from "../../src/engine/ports.ts";
import { machineSources } from "../../src/engine/proactive/human-message.ts";
import { StateDb } from "../../src/hermes-bridge/state-db.ts";
import { HermesHome } from "../helpers/hermes-home.ts";

const asked = vi.hoisted(() => new Set<string>());

/** Every statement the reader prepares is noted. */
vi.mock("../../src/engine/load-sqlite.ts", async (original) => {
  const real = await original<typeof import("../../src/engine/load-sqlite.ts")>();
  return {
    ...real,
    loadSqlite: () => {
      const { name, DatabaseSync } = real.loadSqlite();
      class Noting {
        readonly #db: InstanceType<typeof DatabaseSync>;
        constructor(...given: ConstructorParameters<typeof DatabaseSync>) {
          this.#db = new DatabaseSync(...given);
        }
        get isTransaction(): boolean {
          return this.#db.isTransaction;
        }
        exec(sql: string): void {
          this.#db.exec(sql);
        }
        prepare(sql: string): ReturnType<InstanceType<typeof DatabaseSync>["prepare"]> {
          asked.add(sql);
          return this.#db.prepare(sql);
        }
        close(): void {
          this.#db.close();
        }
      }
      return { name, DatabaseSync: Noting as typeof DatabaseSync };
    },
  };
});

let hermes: HermesHome;
afterEach(() => hermes.remove());

/** A store in which every kind of question is asked: chains, branches, compactions, chats, many sources. */
function fill(home: HermesHome): void {
  home.db.exec("BEGIN");
  for (let s = 0; s < 400; s++) {
    const source = ["feishu", "cli", "cron", "telegram", "subagent"][s % 5] ?? "cli";
    home.session(`s${s}`, {
      source,
      started_at: 1_700_000_000 + s,
      ...(s % 40 === 3 && { end_reason: "compression" }),
      ...(s % 40 === 4 && { parent_session_id: `s${s - 1}`, source: "feishu" }),
      ...(s % 40 === 8 && { parent_session_id: `s${s - 3}`, model_config: '{"_branched_from":"x"}' }),
    });
  }
  for (let n = 0; n < 8_000; n++) {
    home.message(`s${(n * 7) % 400}`, `message ${n}`, { role: n % 3 ? "assistant" : "user", at: 1_700_000_000 + n });
  }
  if (home.schema === 30)
    home.run("UPDATE messages SET active = 0, compacted = 1 WHERE session_id = 's0' AND id < 4000");
  home.db.exec("COMMIT");
  home.sessionsJson({ "agent:main:feishu:dm:oc_1": { session_id: "s999" } });
}

async function askEverything(home: HermesHome): Promise<void> {
  const history = new StateDb({ home: home.path, clock: { now: () => new Date(1_700_000_000_000) } });
  await history.head();
  const options = { leaveOutSources: machineSources };
  let cursor: HistoryCursor = await history.cursorBefore(new Date(1_700_000_500_000));
  await history.mayHaveNew(cursor);
  for (let more = true; more; ) ({ cursor, more } = await history.readSince(cursor, 200, options));
  await history.readSince({}, 10);
  const since = new Date(0);
  await history.readEarlier(cursor, { since, maxChars: 10_000, maxRows: 500, ...options });
  await history.readEarlier(cursor, { since, maxChars: 10_000, maxRows: 500 });
  await history.whereabouts(["1", "2"]);
  await history.session("s8");
  await history.describe();
  history.close();
}

describe.each([10, 16, 30] as const)("queries on Hermes' store of schema %i", (schema) => {
  it.each(["as it is", "after ANALYZE"])("go by row id or session key, %s", async (state) => {
    hermes = new HermesHome({ schema });
    fill(hermes);
    if (state === "after ANALYZE") hermes.analyze();
    asked.clear();
    await askEverything(hermes);
    const queries = [...asked].filter((sql) => sql.trimStart().startsWith("SELECT"));
    expect(queries.length).toBeGreaterThan(8);
    for (const sql of queries) {
      const plan = (hermes.db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[]).map(
        ({ detail }) => detail,
      );
      const told = `${sql}\n${plan.join("\n")}`;
      expect(told).not.toMatch(/SCAN (m|s|messages|sessions)\b|BLOOM FILTER|idx_sessions_source|TEMP B-TREE|AUTOMATIC/);
      // The bare form is the look-up of the highest row id.
      const good = /^SEARCH m( USING (INTEGER PRIMARY KEY|(COVERING )?INDEX \w+) \((rowid|session_id)[=<>].*)?$/;
      for (const step of plan.filter((line) => / m( |$)/.test(line))) expect(step, told).toMatch(good);
    }
  });
});
