import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { History, HistoryCursor, HistoryMessage } from "../../src/engine/ports.ts";
import { StateDb, type StateDbOptions } from "../../src/hermes-bridge/state-db.ts";
import { createStateDb, HermesHome, type HermesSchema, liveWriter, pythonAtHand } from "../helpers/hermes-home.ts";

const NOW = 1_700_000_000;
const clock = { now: () => new Date(NOW * 1000) };
const opened: { remove?: () => void; close?: () => void }[] = [];

function home(schema: HermesSchema = 16): HermesHome {
  const made = new HermesHome({ schema });
  opened.push(made);
  return made;
}

function reader(at: HermesHome | string, options: Partial<StateDbOptions> = {}): StateDb {
  const db = new StateDb({ home: typeof at === "string" ? at : at.path, clock, ...options });
  opened.unshift(db);
  return db;
}

async function all(history: History, from: HistoryCursor = {}): Promise<HistoryMessage[]> {
  const messages: HistoryMessage[] = [];
  let cursor = from;
  for (;;) {
    const page = await history.readSince(cursor, 200);
    messages.push(...page.messages);
    cursor = page.cursor;
    if (!page.more) return messages;
  }
}

const texts = (messages: readonly HistoryMessage[]): string[] => messages.map(({ text }) => text);

afterEach(() => {
  for (const it of opened.splice(0)) {
    it.close?.();
    it.remove?.();
  }
});

describe("schemas", () => {
  it.each([10, 16, 30] as const)("a store of schema %i gives the same messages", async (schema) => {
    const hermes = home(schema);
    hermes.session("s1", { title: "合同", user_id: "u1" });
    hermes.message("s1", "周四前把报价单发给客户A", { at: NOW + 0.25 });
    hermes.message("s1", "好的", { role: "assistant", at: NOW + 2 });
    hermes.message("gone", "a row without a session", { at: NOW + 3, role: "user" });
    const messages = await all(reader(hermes));
    expect(texts(messages)).toEqual(["周四前把报价单发给客户A", "好的", "a row without a session"]);
    expect(messages[0]).toMatchObject({
      id: "1",
      role: "user",
      at: new Date(NOW * 1000 + 250),
      observed: false,
      session: { id: "s1", lineage: "s1", source: "feishu", title: "合同", userId: "u1" },
    });
    expect((await reader(hermes).describe()).schemaVersion).toBe(schema);
  });

  it("an unknown source, role and end reason pass as they are", async () => {
    const hermes = home();
    hermes.session("s", { source: "pigeon_post", end_reason: "flown_away", ended_at: NOW + 5 });
    hermes.message("s", "coo", { role: "narrator" });
    const [message] = await all(reader(hermes));
    expect(message).toMatchObject({ role: "narrator", session: { source: "pigeon_post", endReason: "flown_away" } });
  });

  it("a file that is no store of Hermes is refused with its reason", async () => {
    const folder = mkdtempSync(join(tmpdir(), "herald-not-hermes-"));
    opened.push({ remove: () => rmSync(folder, { recursive: true }) });
    createStateDb(join(folder, "state.db")).exec("DROP TABLE messages");
    await expect(reader(folder).head()).rejects.toMatchObject({ code: "unavailable", facts: { why: "not_hermes" } });
  });
});

describe("what is visible", () => {
  it("undone rows are left out, rows without the flag are not", async () => {
    const hermes = home();
    hermes.run("DROP INDEX idx_messages_session_active");
    hermes.run("ALTER TABLE messages DROP COLUMN active");
    hermes.run("ALTER TABLE messages ADD COLUMN active INTEGER");
    hermes.session("s");
    hermes.message("s", "undone", { active: 0 });
    hermes.message("s", "kept", { active: 1 });
    hermes.message("s", "written before the column had a default", { active: null });
    expect(texts(await all(reader(hermes)))).toEqual(["kept", "written before the column had a default"]);
  });

  it("of 55 copies of one row, 54 of them inactive, one is read", async () => {
    const hermes = home(30);
    hermes.session("s");
    for (let n = 0; n < 54; n++) hermes.message("s", "明天交报告", { at: NOW + n, active: 0 });
    hermes.message("s", "明天交报告", { at: NOW + 99 });
    expect(texts(await all(reader(hermes)))).toEqual(["明天交报告"]);
  });

  it("compacted rows stay visible; their copies, summaries and hidden rows are left out", async () => {
    const hermes = home(30);
    hermes.session("s");
    for (const text of ["start", "a", "b", "ok"]) hermes.message("s", text, { active: 0, compacted: 1 });
    hermes.message("s", "start", { at: NOW + 50 });
    hermes.message("s", "what was said before", { at: NOW + 50, _compressed_summary: 1, role: "assistant" });
    hermes.message("s", "b", { at: NOW + 50 });
    hermes.message("s", "ok", { at: NOW + 50 });
    hermes.message("s", "ok", { at: NOW + 60 });
    hermes.message("s", "internal", { at: NOW + 61, display_kind: "hidden" });
    expect(texts(await all(reader(hermes)))).toEqual(["start", "a", "b", "ok", "ok"]);
  });

  it.each(["the same times", "new times"])(
    "a compression child's copies with %s are left out, what follows is not",
    async (times) => {
      const hermes = home();
      hermes.session("root", { end_reason: "compression", ended_at: NOW + 10 });
      const said = ["hello", "hi", "plan the trip", "which dates?", "ok", "noted"];
      said.forEach((text, n) => void hermes.message("root", text, { at: NOW + n, role: n % 2 ? "assistant" : "user" }));
      hermes.session("child", { parent_session_id: "root", started_at: NOW + 11 });
      const at = (n: number): number => (times === "new times" ? NOW + 100 : NOW + n);
      hermes.message("child", "hello", { at: at(0) });
      hermes.message("child", "[CONTEXT COMPACTION — REFERENCE ONLY] earlier turns", {
        at: NOW + 100,
        role: "assistant",
      });
      hermes.message("child", "ok", { at: at(4) });
      hermes.message("child", "noted", { at: at(5), role: "assistant" });
      hermes.message("child", "ok", { at: NOW + 200 });
      const messages = await all(reader(hermes));
      expect(texts(messages)).toEqual([...said, "ok"]);
      expect(messages.at(-1)?.session).toMatchObject({ id: "child", lineage: "root" });
    },
  );

  it("a branch and a subagent are lineages of their own", async () => {
    const hermes = home();
    hermes.session("root", { end_reason: "compression" });
    hermes.session("branch", { parent_session_id: "root", model_config: '{"_branched_from":"root"}' });
    hermes.session("helper", { parent_session_id: "root", source: "subagent" });
    hermes.message("branch", "b");
    hermes.message("helper", "h");
    expect((await all(reader(hermes))).map(({ session }) => session.lineage)).toEqual(["branch", "helper"]);
  });
});

describe("contents", () => {
  it("NULL, 5 MB, a lone surrogate, NUL bytes, invalid UTF-8 and parts with an image all come through", async () => {
    const hermes = home();
    hermes.session("s");
    const long = "长".repeat(1_700_000);
    hermes.message("s", null);
    hermes.message("s", long);
    hermes.run(
      "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s', 'user', CAST(x'61EDA08062' AS TEXT), 1)",
    );
    hermes.run(
      "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s', 'user', CAST(x'61006200' AS TEXT), 1)",
    );
    const parts = JSON.stringify([
      { type: "text", text: "看这张图" },
      { type: "image_url", image_url: { url: "data:" } },
      { type: "text", text: "x\\ud800" },
    ]);
    const bytes = Buffer.from(`\0json:${parts}`).toString("hex");
    hermes.run(
      `INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s', 'user', CAST(x'${bytes}' AS TEXT), 1)`,
    );
    hermes.run(
      `INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s', 'user', CAST(x'${Buffer.from("\0json:{broken").toString("hex")}' AS TEXT), 1)`,
    );
    const read = texts(await all(reader(hermes)));
    expect(read).toHaveLength(6);
    expect(read[0]).toBe("");
    expect(read[1]?.length).toBeGreaterThan(80_000);
    expect(read[2]).toMatch(/^a\ufffd+b$/);
    expect(read[3]).toBe("ab");
    expect(read[4]).toMatch(/^看这张图\n\[image\]\nx/);
    expect(read[5]).toBe("{broken");
  });

  it("tool calls are read in both of their forms, broken ones are none", async () => {
    const hermes = home();
    hermes.session("s");
    const role = "assistant";
    hermes.message("s", "", {
      role,
      tool_calls: '[{"id":"1","type":"function","function":{"name":"terminal","arguments":"{}"}}]',
    });
    hermes.message("s", "", { role, tool_calls: '[{"name":"web","arguments":{"q":1}}]' });
    hermes.message("s", "x", { role, tool_calls: "[oops" });
    const read = await all(reader(hermes));
    expect(read.map(({ toolCalls }) => toolCalls)).toEqual([
      [{ name: "terminal", arguments: "{}" }],
      [{ name: "web", arguments: '{"q":1}' }],
      undefined,
    ]);
  });

  it("a timestamp of 0, in the future or no number reads as written and stops nothing", async () => {
    const hermes = home();
    hermes.session("s");
    hermes.message("s", "zero", { at: 0 });
    hermes.message("s", "future", { at: NOW + 172_800 });
    hermes.message("s", "text", { timestamp: "yesterday" });
    hermes.message("s", "huge", { at: 1e300 });
    expect((await all(reader(hermes))).map(({ at }) => at.getTime())).toEqual([0, (NOW + 172_800) * 1000, 0, 0]);
  });
});

describe("chats and people", () => {
  it("a session's chat comes from sessions.json, also for the older sessions of its chain, and is read anew when it changes", async () => {
    const hermes = home();
    hermes.session("old", { end_reason: "compression", user_id: "u1" });
    hermes.session("tip", { parent_session_id: "old" });
    hermes.message("old", "a");
    hermes.message("tip", "b");
    const origin = {
      platform: "feishu",
      chat_id: "oc_1",
      chat_type: "group",
      user_id: "u1",
      user_id_alt: "on_union",
      user_name: "林",
    };
    hermes.sessionsJson({
      "agent:main:feishu:group:oc_1:u1": {
        session_id: "tip",
        created_at: "2026-11-30T09:00:00.123456",
        chat_type: "group",
        origin,
      },
      broken: 7,
    });
    const history = reader(hermes);
    const chat = { chatId: "oc_1", chatType: "group", userId: "on_union", userName: "林" };
    expect((await all(history)).map(({ session }) => session)).toMatchObject([chat, chat]);
    hermes.sessionsJson('{"agent:main:feishu:dm:oc_2": {"session_id": "tip", "origin": "garbage"}}');
    expect((await all(history))[1]?.session).toMatchObject({ chatId: "oc_2", chatType: "dm" });
    hermes.sessionsJson("{ not json");
    expect((await all(history))[1]?.session).toMatchObject({ chatId: "oc_2" });
  });

  it("newer stores tell the chat themselves", async () => {
    const hermes = home(30);
    hermes.session("s", { chat_id: "oc_9", chat_type: "dm" });
    hermes.message("s", "a");
    expect((await all(reader(hermes)))[0]?.session).toMatchObject({ chatId: "oc_9", chatType: "dm" });
  });

  it("of two profiles in one store each sees only its own rows", async () => {
    const hermes = home(30);
    for (const [id, profile] of [
      ["a", "work"],
      ["b", null],
      ["c", "default"],
      ["d", "home"],
    ] as const) {
      hermes.session(id, { profile_name: profile });
      hermes.message(id, `said in ${id}`);
    }
    expect(texts(await all(reader(hermes)))).toEqual(["said in b", "said in c"]);
    expect(texts(await all(reader(hermes, { profile: "work" })))).toEqual(["said in a"]);
    expect(texts(await all(reader(hermes, { profile: "work", ownHome: true })))).toEqual(["said in a", "said in b"]);
  });
});

describe("position", () => {
  it("pages join without gap or repeat, and sources left out still move the cursor", async () => {
    const hermes = home();
    hermes.session("s");
    hermes.session("c", { source: "cron" });
    for (let n = 0; n < 750; n++) hermes.message(n % 3 ? "c" : "s", `m${n}`);
    const history = reader(hermes);
    const seen: string[] = [];
    let page = await history.readSince({}, 7, { leaveOutSources: ["cron"] });
    seen.push(...texts(page.messages));
    while (page.more) {
      page = await history.readSince(page.cursor, 90, { leaveOutSources: ["cron"] });
      seen.push(...texts(page.messages));
    }
    expect(seen).toEqual(Array.from({ length: 250 }, (_, n) => `m${n * 3}`));
    expect(await history.mayHaveNew(page.cursor)).toBe(false);
    expect(await history.mayHaveNew(page.cursor)).toBe(false);
    hermes.message("s", "one more", { at: NOW - 86_400 });
    expect(await history.mayHaveNew(page.cursor)).toBe(true);
    expect(texts((await history.readSince(page.cursor, 10)).messages)).toEqual(["one more"]);
  });

  it("a long history is read in turns with everything else: timers go on while it is read", async () => {
    const hermes = home();
    hermes.session("s");
    hermes.session("c", { source: "cron" });
    hermes.db.exec("BEGIN");
    for (let n = 0; n < 40_000; n++) hermes.message(n % 8 ? "c" : "s", `message ${n} ${"x".repeat(300)}`);
    hermes.db.exec("COMMIT");
    const history = reader(hermes);
    // What the writing left to be collected comes first.
    await new Promise((resolve) => setTimeout(resolve, 50));
    let longest = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 1);
    const start = performance.now();
    let cursor: HistoryCursor = {};
    for (let more = true; more; )
      ({ cursor, more } = await history.readSince(cursor, 1_000, { leaveOutSources: ["cron"] }));
    await history.readEarlier(cursor, { since: new Date(0), maxChars: 1e9, maxRows: 5_000 });
    const whole = performance.now() - start;
    clearInterval(timer);
    // A share of the whole, because other work on the machine stretches both.
    expect(longest).toBeLessThan(Math.max(50, whole / 3));
  });

  it("the cursor is JSON and survives it", async () => {
    const hermes = home();
    hermes.session("s");
    hermes.message("s", "a");
    const history = reader(hermes);
    const head = await history.head();
    expect(JSON.parse(JSON.stringify(head))).toEqual(head);
    hermes.message("s", "b");
    expect(texts((await history.readSince(JSON.parse(JSON.stringify(head)), 10)).messages)).toEqual(["b"]);
  });

  it("the first look back finds the first row of the last day, past late rows and clock steps", async () => {
    const hermes = home();
    hermes.session("s");
    for (let n = 0; n < 1500; n++) hermes.message("s", `m${n}`, { at: NOW - 200_000 + n * 130 });
    hermes.message("s", "zero", { at: 0 });
    hermes.message("s", "last", { at: NOW });
    const history = reader(hermes);
    const since = new Date((NOW - 86_400) * 1000);
    const read = await all(history, await history.cursorBefore(since));
    expect(read.filter(({ at }) => at >= since)).toHaveLength(1500 - Math.ceil((200_000 - 86_400) / 130) + 1);
    expect(read[0]?.at.getTime()).toBeGreaterThanOrEqual(since.getTime());
    expect(texts(await all(history, await history.cursorBefore(new Date(0))))).toHaveLength(1502);
    expect(await all(history, await history.cursorBefore(new Date((NOW + 1) * 1000)))).toEqual([]);
  });

  it("earlier rows come oldest first, within time, characters and rows, weighed by the caller", async () => {
    const hermes = home();
    hermes.session("s");
    for (let n = 0; n < 400; n++)
      hermes.message("s", `message ${n}`, { at: NOW - 400 + n, role: n % 2 ? "assistant" : "user" });
    const history = reader(hermes);
    const cursor = await history.head();
    const since = new Date((NOW - 300) * 1000);
    const read = await history.readEarlier(cursor, { since, maxChars: 1e9, maxRows: 1e9 });
    expect(texts(read)).toEqual(Array.from({ length: 300 }, (_, n) => `message ${n + 100}`));
    const few = await history.readEarlier(cursor, {
      since,
      maxChars: 25,
      maxRows: 100,
      weigh: ({ role }) => (role === "user" ? 10 : 0),
    });
    expect(texts(few)).toEqual(["message 396", "message 398"]);
    expect(texts(await history.readEarlier(cursor, { since, maxChars: 1e9, maxRows: 1 }))).toEqual(["message 399"]);
  });

  it("tells of rows read before whether they are visible, undone or gone", async () => {
    const hermes = home();
    hermes.session("s");
    hermes.session("undoing", { rewind_count: 1 });
    const kept = hermes.message("s", "kept");
    const undone = hermes.message("undoing", "undone", { active: 0 });
    const replaced = hermes.message("s", "replaced", { active: 0 });
    const answer = await reader(hermes).whereabouts([kept, undone, replaced, 999].map(String));
    expect([...answer.values()]).toEqual(["visible", "undone", "gone", "gone"]);
  });
});

describe("a file that moves", () => {
  it("a missing file is an empty history, and it is read once it appears", async () => {
    const folder = mkdtempSync(join(tmpdir(), "herald-empty-"));
    opened.push({ remove: () => rmSync(folder, { recursive: true }) });
    const history = reader(folder);
    const cursor = await history.head();
    expect(await history.mayHaveNew(cursor)).toBe(false);
    expect(await all(history, cursor)).toEqual([]);
    expect(existsSync(join(folder, "state.db"))).toBe(false);
    const db = createStateDb(join(folder, "state.db"));
    db.exec("INSERT INTO sessions (id, source, started_at) VALUES ('s', 'cli', 1)");
    db.exec("INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s', 'user', 'hello', 1)");
    db.close();
    expect(texts(await all(history, cursor))).toEqual(["hello"]);
  });

  it("a file swapped for a copy of the same history is read on; another history is read from a day before", async () => {
    const hermes = home();
    hermes.session("s");
    for (let n = 0; n < 5; n++) hermes.message("s", `m${n}`, { at: NOW - 500_000 + n });
    hermes.message("s", "recent", { at: NOW - 60 });
    const history = reader(hermes);
    const cursor = await history.head();
    const state = join(hermes.path, "state.db");
    hermes.db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    copyFileSync(state, join(hermes.path, "copy.db"));
    const copy = createStateDbFrom(join(hermes.path, "copy.db"));
    copy.exec(
      "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s', 'user', 'only in the copy', 1)",
    );
    copy.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    copy.close();
    renameSync(join(hermes.path, "copy.db"), state);
    for (const side of ["-wal", "-shm"]) rmSync(state + side, { force: true });
    expect(await history.mayHaveNew(cursor)).toBe(true);
    expect(texts(await all(history, cursor))).toEqual(["only in the copy"]);

    const other = createStateDb(join(hermes.path, "other.db"));
    other.exec("INSERT INTO sessions (id, source, started_at) VALUES ('x', 'cli', 1)");
    const add = other.prepare("INSERT INTO messages (session_id, role, content, timestamp) VALUES ('x', 'user', ?, ?)");
    add.run("ages ago", NOW - 900_000);
    add.run("this morning", NOW - 3_600);
    other.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    other.close();
    renameSync(join(hermes.path, "other.db"), state);
    for (const side of ["-wal", "-shm"]) rmSync(state + side, { force: true });
    expect(texts(await all(history, cursor))).toEqual(["this morning"]);
  });

  it("a locked store is unavailable for the moment and blocks nobody meanwhile", async () => {
    const hermes = home();
    hermes.session("s");
    hermes.message("s", "a");
    hermes.db.exec("PRAGMA journal_mode = DELETE");
    const history = reader(hermes);
    const cursor = await history.head();
    hermes.db.exec("BEGIN EXCLUSIVE");
    let longest = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 1);
    await expect(history.readSince(cursor, 10)).rejects.toMatchObject({
      code: "unavailable",
      facts: { what: "history", why: "locked" },
    });
    clearInterval(timer);
    // A driver that waits by itself would block for seconds.
    expect(longest).toBeLessThan(1_000);
    hermes.db.exec("COMMIT");
    expect(await all(history)).toHaveLength(1);
  });

  it("a malformed file is unavailable with a reason of its own", async () => {
    const folder = mkdtempSync(join(tmpdir(), "herald-bad-"));
    opened.push({ remove: () => rmSync(folder, { recursive: true }) });
    writeFileSync(join(folder, "state.db"), "this is no database ".repeat(500));
    await expect(reader(folder).head()).rejects.toMatchObject({ code: "unavailable", facts: { why: "malformed" } });
  });

  it("reading beside Hermes' own way of writing loses nothing and locks nobody out", async ({ skip }) => {
    if (!pythonAtHand()) {
      console.log("python3 is not here: the test beside a live writer was left out");
      skip();
    }
    const hermes = home();
    const history = reader(hermes);
    let done = false;
    const writing = liveWriter(join(hermes.path, "state.db"), 1500).finally(() => {
      done = true;
    });
    const seen: string[] = [];
    let cursor: HistoryCursor = {};
    for (let last = false; !last; ) {
      last = done;
      if (!(await history.mayHaveNew(cursor))) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        continue;
      }
      const page = await history.readSince(cursor, 50);
      seen.push(...texts(page.messages));
      cursor = page.cursor;
      if (page.more) last = false;
    }
    expect(await writing).toBe(1500);
    expect(seen).toEqual(Array.from({ length: 1500 }, (_, n) => `message ${n}`));
  });
});

function createStateDbFrom(path: string): ReturnType<typeof createStateDb> {
  const hermes = new HermesHome();
  const Database = hermes.db.constructor as new (path: string) => typeof hermes.db;
  hermes.remove();
  return new Database(path);
}

describe("a session by its id", () => {
  it("is found with its chat and lineage, unknown ones and other profiles' are not", async () => {
    const hermes = home(30);
    hermes.session("first", { end_reason: "compression" });
    hermes.session("now", { parent_session_id: "first", user_id: "u1", chat_id: "oc_team", chat_type: "group" });
    hermes.session("theirs", { profile_name: "work" });
    const history = reader(hermes);
    expect(await history.session("now")).toMatchObject({
      id: "now",
      lineage: "first",
      source: "feishu",
      userId: "u1",
      chatId: "oc_team",
      chatType: "group",
    });
    expect(await history.session("theirs")).toBeUndefined();
    expect(await history.session("nobody's")).toBeUndefined();
    expect(await reader(join(tmpdir(), "no-such-home")).session("now")).toBeUndefined();
  });
});

describe("with whom direct chats are held", () => {
  it.each([10, 16, 30] as const)("in a store of schema %i: of this source, without groups", async (schema) => {
    const hermes = home(schema);
    const column = (chat_type: string, chat_id: string) => (schema === 30 ? { chat_type, chat_id } : {});
    hermes.session("a", { user_id: "ou_a", ...column("dm", "oc_a") });
    hermes.session("b", { user_id: "ou_b", ...column("p2p", "oc_b") });
    hermes.session("g", { user_id: "ou_c", ...column("group", "oc_g") });
    hermes.session("t", { source: "telegram", user_id: "7", ...column("dm", "7") });
    hermes.sessionsJson({
      "agent:main:feishu:dm:oc_a": {
        session_id: "a",
        origin: { chat_type: "dm", chat_id: "oc_a", user_id_alt: "on_a" },
      },
      "agent:main:feishu:dm:oc_b": { session_id: "b", origin: { chat_type: "dm", chat_id: "oc_b", user_id: "ou_b" } },
      "agent:main:feishu:group:oc_g": { session_id: "g" },
      "agent:main:telegram:dm:7": { session_id: "t" },
    });
    const chats = await reader(hermes).directChats("feishu");
    const people = new Set(chats.map(({ userId, chatId }) => `${userId} ${chatId}`));
    const asWritten = schema === 30 ? ["ou_a oc_a"] : [];
    expect([...people].sort()).toEqual(["on_a oc_a", "ou_b oc_b", ...asWritten].sort());
  });
});
