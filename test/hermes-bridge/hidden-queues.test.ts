import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadSqlite } from "../../src/engine/load-sqlite.ts";
import { HermesCronList } from "../../src/hermes-bridge/cron-list.ts";
import { HermesHiddenQueues } from "../../src/hermes-bridge/hidden-queues.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "herald-test-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const put = (path: string, content: unknown): void => {
  mkdirSync(join(home, path, ".."), { recursive: true });
  writeFileSync(join(home, path), typeof content === "string" ? content : JSON.stringify(content));
};
const read = () => new HermesHiddenQueues(home, new HermesCronList(home)).read();

test("a home without any of it has nothing waiting", async () => {
  expect(await read()).toEqual({ waiting: [], unreadable: 0 });
});

test("waiting writes, suggested jobs and failed deliveries, oldest first, with secrets masked", async () => {
  put("pending/memory/a1.json", {
    id: "a1",
    subsystem: "memory",
    action: "add",
    summary: "add: 客户A 的密码是 hunter2hunter2",
    origin: "background_review",
    created_at: 1_790_000_000,
    payload: { action: "add", target: "memory", content: "x" },
  });
  put("pending/skills/b2.json", {
    id: "b2",
    action: "create",
    summary: "",
    created_at: 1_780_000_000,
    payload: { name: "deploy" },
  });
  put("cron/suggestions.json", {
    suggestions: [
      {
        id: "s1",
        title: "每周回顾",
        description: "周日晚上",
        status: "pending",
        created_at: "2026-11-01T10:00:00+08:00",
      },
      { id: "s2", title: "过去的", status: "dismissed" },
    ],
  });
  put("cron/jobs.json", {
    jobs: [
      {
        id: "j1",
        name: "日报",
        last_status: "ok",
        last_delivery_error: "chat not found",
        last_run_at: "2026-11-29T08:00:00+08:00",
      },
      { id: "j2", name: "好的", last_status: "ok", last_delivery_error: null },
      { id: "j3", name: "新版", last_status: "delivery_failed" },
    ],
  });
  const { waiting, unreadable } = await read();
  expect(unreadable).toBe(0);
  expect(waiting.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
    "failed_delivery j3",
    "skill_write b2",
    "memory_write a1",
    "cron_suggestion s1",
    "failed_delivery j1",
  ]);
  expect(waiting.find(({ id }) => id === "b2")?.title).toBe("create deploy");
  expect(waiting.find(({ id }) => id === "a1")).toMatchObject({ byItself: true });
  expect(JSON.stringify(waiting)).not.toContain("hunter2");
});

test("damaged files are counted and passed over, and nothing is written", async () => {
  put("pending/memory/half.json", "{half");
  put("pending/memory/list.json", []);
  put("cron/suggestions.json", "not json");
  put("cron/jobs.json", "{");
  put("pending/skills/ok.json", { id: "ok", action: "patch", summary: "patch 'x'" });
  const before = readdirSync(home, { recursive: true }).sort();
  const { waiting, unreadable } = await read();
  expect(waiting.map(({ id }) => id)).toEqual(["ok"]);
  expect(unreadable).toBe(4);
  expect(readdirSync(home, { recursive: true }).sort()).toEqual(before);
});

test("of newer Hermes the ledger is read, too: the latest run of each job counts, also of a job that is gone", async () => {
  put("cron/jobs.json", { jobs: [{ id: "j1", name: "日报", last_status: "ok" }] });
  const { DatabaseSync } = loadSqlite();
  const db = new DatabaseSync(join(home, "cron", "executions.db"));
  db.exec(
    "CREATE TABLE executions (id TEXT, job_id TEXT, status TEXT, error TEXT, delivery_outcome TEXT, finished_at REAL)",
  );
  const add = db.prepare("INSERT INTO executions VALUES (?, ?, 'completed', ?, ?, ?)");
  add.run("1", "once", "token: sk-abcdefghijklmnop1234567890", "failed", 1_790_000_000);
  add.run("2", "j1", null, "failed", 1_790_000_000);
  add.run("3", "j1", null, "delivered", 1_790_000_100);
  add.run("4", "silent", null, null, 1_790_000_200);
  db.close();
  const { waiting, unreadable } = await read();
  expect(unreadable).toBe(0);
  expect(waiting).toMatchObject([{ kind: "failed_delivery", id: "once", since: new Date(1_790_000_000_000) }]);
  expect(JSON.stringify(waiting)).not.toContain("sk-abc");
});

test("a ledger of another shape has nothing, a damaged one counts as unreadable, and a file where a folder should be is none", async () => {
  put("cron/jobs.json", { jobs: [] });
  put("pending/memory", "a file");
  const { DatabaseSync } = loadSqlite();
  const db = new DatabaseSync(join(home, "cron", "executions.db"));
  db.exec("CREATE TABLE executions (id TEXT)");
  db.close();
  expect(await read()).toEqual({ waiting: [], unreadable: 0 });
  put("cron/executions.db", "not a database, but long enough to be looked at. ".repeat(40));
  expect(await read()).toEqual({ waiting: [], unreadable: 1 });
});
