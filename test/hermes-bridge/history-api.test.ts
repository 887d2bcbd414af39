import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HermesApi } from "../../src/hermes-bridge/hermes-api.ts";
import { HistoryApi } from "../../src/hermes-bridge/history-api.ts";
import { SampleConversations } from "../../src/hermes-bridge/sample-conversations.ts";
import { type AgentServer, startAgentServer } from "../../src/playground/agent/agent-server.ts";
import { FAKE_KEY } from "../helpers/fake-hermes-api.ts";
import { type FixedClock, fixedClock } from "../helpers/fixed-clock.ts";
import { HermesHome } from "../helpers/hermes-home.ts";

let hermes: HermesHome;
let store: SampleConversations;
let server: AgentServer;
let clock: FixedClock;

beforeEach(async () => {
  clock = fixedClock("2026-11-30T02:00:00Z");
  hermes = new HermesHome({ schema: 30 });
  store = new SampleConversations(join(hermes.path, "state.db"));
  server = await startAgentServer({
    key: FAKE_KEY,
    now: () => clock.now(),
    store,
    mind: async function* () {
      yield { say: "hm" };
    },
  });
});
afterEach(async () => {
  await server.close();
  store.close();
  hermes.remove();
});

const historyWith = (key = FAKE_KEY): HistoryApi =>
  new HistoryApi({ api: new HermesApi({ url: server.url, key }), clock });
const at = (minutesAgo: number): number => clock.now().getTime() / 1000 - minutesAgo * 60;

describe("a Hermes that lives elsewhere", () => {
  it("rows of several sessions come in the order they were written, each once, page by page", async () => {
    const history = historyWith();
    for (const id of ["s1", "s2"]) hermes.session(id, { user_id: "u1", chat_type: "dm", chat_id: "oc_1" });
    hermes.message("s1", "before", { at: at(60 * 30) });
    const start = await history.cursorBefore(new Date(clock.now().getTime() - 86_400_000));
    expect(await history.mayHaveNew(start)).toBe(false);
    hermes.message("s1", "one", { at: at(9) });
    hermes.message("s2", "two", { at: at(8) });
    hermes.message("s1", "three", { at: at(7), role: "assistant" });
    hermes.message("s2", "late", { at: at(60 * 5) });
    expect(await history.mayHaveNew(start)).toBe(true);
    const first = await history.readSince(start, 3);
    expect(first.messages.map(({ text }) => text)).toEqual(["one", "two", "three"]);
    expect(first.more).toBe(true);
    const second = await history.readSince(first.cursor, 3);
    expect(second.messages.map(({ text }) => text)).toEqual(["late"]);
    expect(await history.mayHaveNew(second.cursor)).toBe(false);
    expect(second.messages[0]?.session).toMatchObject({ id: "s2", userId: "u1", chatType: "dm", chatId: "oc_1" });
    const earlier = await history.readEarlier(second.cursor, {
      since: new Date(clock.now().getTime() - 86_400_000),
      maxChars: 11,
      maxRows: 10,
    });
    expect(earlier.map(({ text }) => text)).toEqual(["three", "late"]);
  });

  it("of a compression only what is new is read; its summary and a branch's copies are nobody's words", async () => {
    const history = historyWith();
    hermes.session("s1");
    for (const [index, text] of ["a", "b", "c", "d", "e", "f"].entries()) {
      hermes.message("s1", text, { at: at(30 - index), role: index % 2 === 0 ? "user" : "assistant" });
    }
    const read = await history.readSince(await history.cursorBefore(new Date(0)), 100);
    expect(read.messages).toHaveLength(6);
    const child = store.compress("s1", at(5));
    hermes.message(child, "g", { at: at(4) });
    hermes.session("branch", { parent_session_id: child });
    for (const { content, role } of store.messages(child).rows) {
      hermes.message("branch", content as string, { at: at(3), role });
    }
    hermes.message("branch", "h", { at: at(2) });
    const next = await history.readSince(read.cursor, 100);
    const texts = next.messages.map(({ text }) => text);
    expect(texts.filter((text) => text.startsWith("[CONTEXT"))).toEqual([]);
    expect(texts.filter((text) => text === "g" || text === "h")).toEqual(["g", "h"]);
    // The compression's own copies have new numbers; by lineage and words the reader of the history knows them.
    const copies = next.messages.filter(({ text }) => text !== "g" && text !== "h");
    expect(new Set(copies.map(({ session }) => session.lineage))).toEqual(new Set(["s1"]));
    const ids = read.messages.map(({ id }) => id);
    expect(new Set((await history.whereabouts(ids)).values())).toEqual(new Set(["gone"]));
  });

  it("a session Herald began itself is read as the direct chat it is", async () => {
    const history = historyWith();
    store.create({ id: "herald-dm-oc_9-ou_9-abc", atSeconds: at(2) });
    store.append("herald-dm-oc_9-ou_9-abc", { role: "user", content: "hello" }, at(1));
    const { messages } = await history.readSince(await history.cursorBefore(new Date(0)), 10);
    expect(messages[0]?.session).toMatchObject({ chatType: "dm", chatId: "oc_9", userId: "ou_9" });
    expect(await history.session("herald-dm-oc_9-ou_9-abc")).toMatchObject({ chatType: "dm", userId: "ou_9" });
    expect(await history.session("nobody")).toBeUndefined();
    expect(await history.directChats("api_server")).toEqual([{ userId: "ou_9", chatId: "oc_9" }]);
    expect(await history.describe()).toEqual({ kind: "api", path: server.url, sessions: 1 });
  });

  it("a store that was begun anew at the other end is read from a day back, not passed over", async () => {
    const history = historyWith();
    hermes.session("s1");
    for (let n = 0; n < 20; n++) hermes.message("s1", `old ${n}`, { at: at(60 - n) });
    const { cursor } = await history.readSince(await history.cursorBefore(new Date(0)), 100);
    hermes.run("DELETE FROM messages");
    hermes.run("DELETE FROM sqlite_sequence");
    clock.advance({ minutes: 30 });
    hermes.session("s2");
    hermes.message("s2", "said to the new store", { at: at(1) });
    const { messages } = await history.readSince(cursor, 100);
    expect(messages.map(({ text }) => text)).toEqual(["said to the new store"]);
  });

  it("away, with a wrong key or open to everyone it is unavailable, and says which", async () => {
    await expect(historyWith("wrong").head()).rejects.toMatchObject({ facts: { what: "history", why: "key_refused" } });
    server.behaviour.open = true;
    await expect(historyWith().head()).rejects.toMatchObject({ facts: { why: "open_without_key" } });
    server.behaviour.open = false;
    const history = historyWith();
    hermes.session("s1");
    hermes.message("s1", "hello", { at: at(1) });
    const cursor = await history.head();
    await server.setUp(false);
    await expect(history.readSince(cursor, 10)).rejects.toMatchObject({ facts: { why: "unreachable" } });
    await server.setUp(true);
    expect(await history.mayHaveNew(cursor)).toBe(false);
  });

  it("sessions that began on a day are told with their rows", async () => {
    const history = historyWith();
    hermes.session("yesterday", { started_at: at(60 * 30) });
    hermes.session("today", { started_at: at(60), model: "m1" });
    for (const id of ["yesterday", "today"]) hermes.message(id, `in ${id}`, { at: at(10) });
    hermes.session("machine", { source: "cron", started_at: at(60) });
    const found = [];
    const day = new Date(clock.now().getTime() - 3 * 3_600_000);
    for await (const each of history.sessionsBegun(day, clock.now(), { leaveOutSources: ["cron"] })) found.push(each);
    expect(found).toMatchObject([{ session: { id: "today" }, model: "m1", rows: [{ text: "in today" }] }]);
  });
});
