import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { inTransaction } from "../src/engine/db.ts";
import { approveProposal } from "../src/engine/evolution/approve-proposal.ts";
import {
  type Change,
  changeProblem,
  changeSchema,
  proposalTypes,
  targetOf,
} from "../src/engine/evolution/change-kinds.ts";
import { dream } from "../src/engine/evolution/dream.ts";
import { executeApproved } from "../src/engine/evolution/execute-approved.ts";
import { findProposal } from "../src/engine/evolution/find-proposal.ts";
import { judgeUnits } from "../src/engine/evolution/judge-units.ts";
import { addProposal } from "../src/engine/evolution/keep-proposals.ts";
import { PROPOSALS_A_DAY } from "../src/engine/evolution/proposal.ts";
import { rejectProposal } from "../src/engine/evolution/reject-proposal.ts";
import { loadSqlite } from "../src/engine/load-sqlite.ts";
import { writeSampleHome } from "../src/hermes-bridge/sample-home.ts";
import { StateDb } from "../src/hermes-bridge/state-db.ts";
import { owner } from "./helpers/given.ts";
import { type NightWorld, nightWorld, type ToolStep, toldSession } from "./helpers/night-world.ts";
import { proposalDraft } from "./helpers/proposal-draft.ts";

let world: NightWorld;
beforeEach(async () => {
  world = await nightWorld({ at: "2026-11-30T17:00:00Z" });
});
afterEach(() => world.release());

const job = { kind: "job", name: "dream" } as const;
const preference: Change = {
  type: "tool_preference",
  payload: { action: "add", text: "Search first instead of reading file after file." },
};
const read: ToolStep = { tool: "read_file", args: { path: "src/a.ts" }, result: { content: "a" } };
const wasteful = (n: number, date = "2026-11-30"): void => {
  world.history.days.push(
    toldSession(`s${n}-${date}`, `${date}T02:00:00Z`, ["看看这个文件", read, read, read, "好了"]),
  );
};
const filesUnder = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => statSync(join(folder, name)).isFile() && !/-(?:shm|wal)$/.test(name))
      .sort()
      .map((name) => [name, readFileSync(join(folder, name)).toString("base64")]),
  );
async function proposed(change: Change): Promise<{ id: string; revision: number }> {
  const { scope } = world;
  const { number } = await inTransaction(scope.db, (tx) =>
    addProposal(tx, scope, proposalDraft.day, proposalDraft.of(change)),
  );
  return findProposal(scope, { number });
}

describe("the six safeguards", () => {
  test("1 · its own database, never Hermes': a whole night leaves Hermes' store and files to the byte", async () => {
    const at = world.scope.clock.now();
    writeSampleHome(world.home, { now: at, zone: "Asia/Shanghai" });
    const history = new StateDb({ home: world.home, clock: world.scope.clock });
    const before = filesUnder(world.home);
    await dream({ ...world.scope, history }, job, { date: "2026-11-30" });
    await judgeUnits(world.scope);
    history.close();
    expect(filesUnder(world.home)).toEqual(before);
    const db = new (loadSqlite().DatabaseSync)(join(world.home, "state.db"), { readOnly: true });
    const names = db.prepare("SELECT name FROM sqlite_master").all() as { name: string }[];
    db.close();
    expect(names.map(({ name }) => name).join(" ")).not.toMatch(/proposal|strategy|score/i);
  });

  test("2 · Hermes' files are read only but for the four targets: no payload leads anywhere else", async () => {
    const places = proposalTypes.filter((type) => type !== "strategy_adjust");
    expect(places).toEqual(["skill_create", "memory_update", "tool_preference"]);
    for (const name of ["../../config", "a/b", "..", ".env", "x".repeat(80)]) {
      const change = changeSchema.parse({
        type: "skill_create",
        payload: { action: "create", name, description: "Look at the tests first.", body: "Steps.", files: [] },
      });
      expect(changeProblem(change)).toBe("bad_name");
      if (change.type !== "strategy_adjust") await expect(world.scope.files.read(targetOf(change))).rejects.toThrow();
    }
    writeFileSync(join(world.home, "config.yaml"), "model: x\n");
    const { id, revision } = await proposed(preference);
    await approveProposal(world.scope, owner, { id, seenRevision: revision });
    await executeApproved(world.scope);
    expect(Object.keys(filesUnder(world.home))).toEqual(["PERFORMANCE.md", "config.yaml"]);
  });

  test("3 · nothing executes without a person's approval: no job can approve, and what waits is left alone", async () => {
    const { id, revision } = await proposed(preference);
    await expect(approveProposal(world.scope, job, { id, seenRevision: revision })).rejects.toMatchObject({
      code: "forbidden",
    });
    await expect(
      approveProposal(world.scope, { kind: "worker", runId: "r" }, { id, seenRevision: revision }),
    ).rejects.toMatchObject({ code: "forbidden" });
    expect(await executeApproved(world.scope)).toEqual({ executed: 0, reverted: 0, failed: 0 });
    expect(filesUnder(world.home)).toEqual({});
  });

  test("4 · versions and automatic rollback: what makes a kind of work worse is taken back to the byte and told", async () => {
    const { scope } = world;
    mkdirSync(join(world.home, "memories"));
    writeFileSync(join(world.home, "PERFORMANCE.md"), "# Mine\r\n");
    const score = (n: number, at: string, composite: number) => ({
      agentId: scope.agent.id,
      sessionId: `x${n}-${at}`,
      date: at.slice(0, 10),
      startedAt: new Date(at),
      composite,
      completionRate: 1,
      efficiencyScore: 1,
      costEfficiency: 1,
      satisfactionProxy: composite,
      taskCategory: n % 2 ? "search" : "code",
      platform: "cli",
      outcome: "completed",
      iterations: 2,
      toolCalls: 2,
      turns: 1,
    });
    await scope.db.sessionScore.createMany({
      data: Array.from({ length: 40 }, (_, n) => score(n, "2026-11-25T02:00:00Z", 0.85)),
    });
    const { id, revision } = await proposed(preference);
    await approveProposal(scope, owner, { id, seenRevision: revision });
    await executeApproved(scope);
    expect(readFileSync(join(world.home, "PERFORMANCE.md"), "utf8")).toContain("Search first");
    scope.clock.set("2026-12-04T02:00:00Z");
    // Worse in one kind of work, better in the other.
    await scope.db.sessionScore.createMany({
      data: Array.from({ length: 40 }, (_, n) => score(n, "2026-12-02T02:00:00Z", n % 2 ? 0.6 : 0.95)),
    });
    expect(await judgeUnits(scope)).toMatchObject({ reverted: 1 });
    await executeApproved(scope);
    expect(await findProposal(scope, { id })).toMatchObject({
      status: "reverted",
      because: expect.stringContaining("worse:search"),
    });
    expect(readFileSync(join(world.home, "PERFORMANCE.md"), "utf8")).toBe("# Mine\r\n");
    expect(await scope.db.cardPost.count({ where: { subjectKind: "proposal", subjectId: id } })).toBe(1);
  });

  test("5 · bounded change: at most five proposals a day, each within its kind's limits", async () => {
    for (let n = 0; n < 12; n++) {
      const fail: ToolStep = {
        tool: `tool_${String.fromCharCode(97 + n)}`,
        args: { q: "x" },
        result: { error: "Invalid argument: q" },
      };
      for (const copy of [1, 2, 3]) {
        world.history.days.push(toldSession(`b${n}-${copy}`, `2026-11-30T0${copy}:00:00Z`, ["做一下", fail, "没做成"]));
      }
    }
    await dream(world.scope, job, { date: "2026-11-30" });
    const drafted = await world.scope.db.evolutionProposal.findMany();
    expect(drafted).toHaveLength(PROPOSALS_A_DAY);
    for (const { type, payload } of drafted)
      expect(changeProblem(changeSchema.parse({ type, payload }))).toBeUndefined();
    for (const text of ["以后 shell 命令无需确认", "npm ci --force", `长${"文".repeat(2_000)}。`]) {
      expect(changeProblem({ type: "tool_preference", payload: { action: "add", text } })).toBeDefined();
    }
  });

  test("6 · rejections are learned from: thirty nights of the same evidence bring nothing back, new evidence does once, and says so", async () => {
    const { scope } = world;
    for (const n of [1, 2]) wasteful(n);
    await dream(scope, job, { date: "2026-11-30" });
    const [first] = await scope.db.evolutionProposal.findMany();
    if (!first) throw new Error("nothing was drafted");
    await rejectProposal(scope, owner, { id: first.id, seenRevision: first.revision, reason: "我们用 fd" });
    const night = async (date: string): Promise<number> => {
      scope.clock.set(`${date}T17:00:00Z`);
      await dream(scope, job, { date });
      return scope.db.evolutionProposal.count();
    };
    for (let n = 1; n <= 30; n++) {
      const date = new Date(Date.parse("2026-11-30T00:00:00Z") + n * 86_400_000).toISOString().slice(0, 10);
      // The same sessions over and over: no new evidence.
      for (const day of world.history.days) day.session.startedAt = new Date(`${date}T02:00:00Z`);
      expect(await night(date)).toBe(1);
    }
    world.history.days.length = 0;
    for (let n = 10; n < 20; n++) wasteful(n, "2027-01-05");
    expect(await night("2027-01-05")).toBe(2);
    const again = await scope.db.evolutionProposal.findFirstOrThrow({ orderBy: { number: "desc" } });
    expect(again.refusedBefore).toMatchObject({ number: first.number, reason: "我们用 fd", newSessions: 10 });
  }, 120_000);
});
