import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { inTransaction } from "../../../src/engine/db.ts";
import { findWatermark } from "../../../src/engine/proactive/find-watermark.ts";
import { machineSources } from "../../../src/engine/proactive/human-message.ts";
import { type ConversationWindow, readEarlier, readWindow } from "../../../src/engine/proactive/read-window.ts";
import { rememberSeen } from "../../../src/engine/proactive/seen-messages.ts";
import { StateDb } from "../../../src/hermes-bridge/state-db.ts";
import { type GivenScope, scopeOn } from "../../helpers/given.ts";
import { HermesHome } from "../../helpers/hermes-home.ts";
import { openTestDb, type TestDb } from "../../helpers/test-db.ts";

const budgets = { conversationChars: 24_000, earlierChars: 12_000, messageChars: 1_500 };
let test: TestDb;
let hermes: HermesHome;
let scope: GivenScope;
let asked: string[] = [];
let runs = 0;

beforeAll(async () => {
  test = await openTestDb();
});
afterAll(() => test.release());
beforeEach(() => {
  hermes = new HermesHome();
  hermes.session("s");
  const clock = { now: () => scope.clock.now() };
  const history = new StateDb({ home: hermes.path, clock });
  asked = [];
  const noted = new Proxy(history, {
    get: (target, name: keyof StateDb) => {
      const method = target[name];
      if (typeof method !== "function") return method;
      return (...given: never[]) => {
        asked.push(name);
        return (method as (...given: never[]) => unknown).apply(target, given);
      };
    },
  });
  scope = scopeOn(test.db, { history: noted, agent: { id: `agent-${runs}`, zone: "Asia/Shanghai", language: "zh" } });
});
afterEach(() => hermes.remove());

const now = (): number => scope.clock.now().getTime() / 1000;
const say = (text: string, cells: Parameters<HermesHome["message"]>[2] = {}): number =>
  hermes.message("s", text, { at: now(), ...cells });

async function look(size: Partial<typeof budgets> = {}): Promise<ConversationWindow> {
  return readWindow(scope, { watermark: await findWatermark(scope), rules: {}, budgets: { ...budgets, ...size } });
}

async function run(
  window: ConversationWindow,
  status: "committed" | "pending" | "superseded" = "committed",
): Promise<string> {
  const runId = `run-${runs++}`;
  await inTransaction(scope.db, async (tx) => {
    await tx.checkpoint.create({
      data: {
        runId,
        agentId: scope.agent.id,
        windowStart: window.window.start,
        windowEnd: window.window.end,
        cursorStart: window.cursorStart,
        cursorEnd: window.cursorEnd,
        status,
        reason: "new_messages",
        counts: {},
        startedAt: scope.clock.now(),
      },
    });
    await rememberSeen(tx, scope, runId, window.seen);
  });
  scope.clock.advance({ minutes: 15 });
  return runId;
}

const texts = (messages: ConversationWindow["newMessages"]): string[] => messages.map(({ text }) => text);

describe("a window", () => {
  it("holds what was said since the last committed run, with the day before as earlier; a quiet one asks one question", async () => {
    say("昨天的事", { at: now() - 20 * 3_600 });
    await run(await look());
    say("周四前把报价单发给客户A");
    say("好的", { role: "assistant" });
    const window = await look();
    expect(texts(window.newMessages)).toEqual(["周四前把报价单发给客户A", "好的"]);
    expect(window.people).toBe(1);
    expect(texts(window.earlierMessages)).toEqual(["昨天的事"]);
    expect(window.window).toEqual({ start: new Date(scope.clock.now().getTime() - 900_000), end: scope.clock.now() });
    await run(window);
    asked = [];
    const quiet = await look();
    expect(quiet).toMatchObject({ newMessages: [], people: 0, earlierMessages: [], seen: { add: [], moved: [] } });
    expect(asked).toEqual(["mayHaveNew"]);
    const watermark = await findWatermark(scope);
    expect(texts(await readEarlier(scope, { watermark, rules: {}, budgets }))).toContain("周四前把报价单发给客户A");
  });

  it("the first look ever goes back a day, and a rewriting of an older session does not make it news", async () => {
    say("last week's matter", { at: now() - 6 * 86_400 });
    say("this morning's matter", { at: now() - 3_600 });
    const first = await look();
    expect(texts(first.newMessages)).toEqual(["this morning's matter"]);
    await run(first);
    hermes.rewrite("s", (row) => ({ ...row, timestamp: now() }));
    const window = await look();
    expect(window.newMessages).toEqual([]);
    expect(window.cuts.knownBefore).toBe(2);
  });

  it("old rows are not looked up when nothing repeats", async () => {
    say("eins");
    await run(await look());
    for (let n = 0; n < 30; n++) say(`said ${n}`);
    asked = [];
    await look();
    expect(asked).not.toContain("whereabouts");
  });

  it("of a person who says ok twice both are shown, also after taking the first one back", async () => {
    const first = say("ok");
    await run(await look());
    say("ok");
    const second = await look();
    expect(texts(second.newMessages)).toEqual(["ok"]);
    await run(second);
    hermes.run("UPDATE sessions SET rewind_count = 1");
    hermes.run("UPDATE messages SET active = 0");
    say("ok");
    const third = await look();
    expect(third.newMessages.map(({ message }) => message.id)).toEqual([String(first + 2)]);
    expect(third.seen.add).toMatchObject([{ occurrence: 3 }]);
  });

  it("what a crashed run has read is new again, and nothing it read counts as shown", async () => {
    say("重要的事");
    await run(await look(), "superseded");
    const again = await look();
    expect(texts(again.newMessages)).toEqual(["重要的事"]);
    await run(again);
    expect((await look()).newMessages).toEqual([]);
  });

  it("a window that was given back after a later run is open again; what the later run showed is not", async () => {
    say("A");
    await run(await look());
    say("B");
    const lost = await run(await look());
    say("C");
    await run(await look());
    await scope.db.checkpoint.update({ where: { runId: lost }, data: { status: "superseded" } });
    const again = await look();
    expect(texts(again.newMessages)).toEqual(["B"]);
    await run(again);
    expect((await look()).newMessages).toEqual([]);
  });

  it("runs that found nothing to read do not cover a window that was given back", async () => {
    say("A");
    await run(await look());
    say("B");
    const lost = await run(await look());
    for (let n = 0; n < 2; n++) await run(await look());
    await scope.db.checkpoint.update({ where: { runId: lost }, data: { status: "superseded" } });
    const again = await look();
    expect(texts(again.newMessages)).toEqual(["B"]);
    await run(again);
    expect((await look()).newMessages).toEqual([]);
  });

  it("a run that only spoke at a named time has read nothing: the first look stays the first", async () => {
    say("before any run");
    const at = scope.clock.now();
    await run({
      ...(await look()),
      window: { start: at, end: at },
      cursorStart: {},
      cursorEnd: {},
      seen: { add: [], moved: [] },
    });
    const window = await look();
    expect(window.window.start).toEqual(new Date(scope.clock.now().getTime() - 86_400_000));
    expect(texts(window.newMessages)).toEqual(["before any run"]);
  });

  it("a late row is new, times of zero or in the future move nothing, a clock set back turns no window around", async () => {
    say("in time");
    await run(await look());
    say("from the future", { at: now() + 172_800 });
    say("from 1970", { at: 0 });
    say("late", { at: now() - 7_200 });
    scope.clock.advance({ hours: -1 });
    const window = await look();
    expect(texts(window.newMessages)).toEqual(["from the future", "from 1970", "late"]);
    expect(window.window.end.getTime()).toBeGreaterThan(window.window.start.getTime());
    await run(window);
    say("after all that");
    expect(texts((await look()).newMessages)).toEqual(["after all that"]);
  });

  it("what does not fit the budget waits for the next run, and nothing is lost or doubled", async () => {
    say("warm up");
    await run(await look());
    const said = Array.from({ length: 450 }, (_, n) => `message number ${n}`);
    for (const text of said) say(text);
    const shown: string[] = [];
    for (let rounds = 0; rounds < 40; rounds++) {
      const window = await look({ conversationChars: 700 });
      if (window.people === 0) break;
      expect(texts(window.newMessages).join("").length).toBeLessThanOrEqual(700);
      expect(window.cuts.moreWaiting).toBe(shown.length + window.people < said.length);
      shown.push(...texts(window.newMessages));
      await run(window);
    }
    expect(shown).toEqual(said);
  });

  it("a flood of the agent's own words neither fills the window for ever nor hides what a person says after it", async () => {
    say("warm up");
    await run(await look());
    for (let n = 0; n < 300; n++) say(`working on step ${n}`, { role: "assistant" });
    say("好了，先这样");
    const window = await look({ conversationChars: 500 });
    expect(window.people).toBe(1);
    expect(texts(window.newMessages)).toContain("好了，先这样");
    expect(window.cuts.droppedMessages).toBeGreaterThan(200);
    expect(texts(window.newMessages).join("").length).toBeLessThanOrEqual(500);
  });

  it("one message larger than the budget is shown cut, and the window goes on", async () => {
    say("warm up");
    await run(await look());
    say("长".repeat(9_000));
    say("短");
    const window = await look({ conversationChars: 1_000 });
    expect(window.cuts).toMatchObject({ cutMessages: 1, moreWaiting: true });
    await run(window);
    expect(texts((await look({ conversationChars: 1_000 })).newMessages)).toEqual(["短"]);
  });

  it("says what it left out and why, and keeps machine sessions away", async () => {
    for (const source of machineSources) {
      hermes.session(source, { source });
      hermes.message(source, "do this by Friday", { at: now() });
    }
    say("[SILENT]", { role: "assistant" });
    say("Cronjob Response: x\n(job_id: 1)", {});
    say("chatter", { observed: 1 });
    say("真的一句话");
    const window = await look();
    expect(texts(window.newMessages)).toEqual(["真的一句话"]);
    expect(window.cuts.leftOut).toEqual({ control_token: 1, mirror: 1, observed: 1 });
  });

  it("a locked history is unavailable, and nothing is marked", async () => {
    say("x");
    hermes.db.exec("PRAGMA journal_mode = DELETE");
    hermes.db.exec("BEGIN EXCLUSIVE");
    await expect(look()).rejects.toMatchObject({ code: "unavailable", facts: { what: "history", why: "locked" } });
    hermes.db.exec("COMMIT");
    expect(texts((await look()).newMessages)).toEqual(["x"]);
  });
});
