import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { readOwnSessionId } from "../../src/engine/own-session.ts";
import { TurnNotes } from "../../src/hermes-bridge/turn-notes.ts";
import type { AgentBehaviour } from "../../src/playground/agent/agent-behaviour.ts";
import type { Thought } from "../../src/playground/agent/agent-mind.ts";
import { aTurn, FAKE_KEY, type FakeHermesApi, fakeHermesApi, listening } from "../helpers/fake-hermes-api.ts";
import { until } from "../helpers/until.ts";

let open: FakeHermesApi[] = [];
afterEach(async () => {
  for (const fake of open) await fake.close();
  open = [];
});
async function fakeApi(behaviour: Partial<AgentBehaviour> = {}): Promise<FakeHermesApi> {
  const fake = await fakeHermesApi(behaviour);
  open.push(fake);
  return fake;
}
const ignore = (): void => {};
const ask = (command: string): Thought => ({ ask: command, description: "deletes things" });

describe("which server is used", () => {
  it("one that asks for its key and takes ours is well, and says its version", async () => {
    const fake = await fakeApi();
    expect(await fake.turns().health()).toEqual({ ok: true, version: "0.21.3" });
  });

  it("one that answers without a key is never used, and nothing is begun on it", async () => {
    const fake = await fakeApi({ open: true });
    const turns = fake.turns();
    expect(await turns.health()).toEqual({ ok: false, why: "open_without_key" });
    await expect(turns.run(aTurn("hello"), ignore)).rejects.toMatchObject({
      code: "unavailable",
      facts: { what: "hermes", why: "open_without_key" },
    });
    expect(fake.asked).toEqual([]);
  });

  it.each([
    ["a wrong key", { key: "not-the-key" }, "key_refused"],
    ["no key", { key: undefined }, "no_key"],
  ])("with %s it says so", async (_name, options, why) => {
    const fake = await fakeApi();
    expect(await fake.turns(options).health()).toEqual({ ok: false, why });
  });

  it("one without capabilities is too old, one that is away is away", async () => {
    const fake = await fakeApi({ capabilities: "none" });
    expect((await fake.turns().health()).why).toBe("too_old");
    await fake.setUp(false);
    expect((await fake.turns().health()).why).toBe("unreachable");
    await expect(fake.turns().run(aTurn("hello"), ignore)).rejects.toMatchObject({ code: "unavailable" });
  });

  it("only what a version can do is offered", async () => {
    const abilities = async (behaviour: Partial<AgentBehaviour>) => {
      const turns = (await fakeApi(behaviour)).turns();
      await turns.health();
      return turns.abilities();
    };
    const nothing = { questions: false, commands: false };
    expect(await abilities({})).toEqual({ stop: true, steer: true, approvals: true, images: true, ...nothing });
    expect(await abilities({ generation: "0.16" })).toEqual({
      stop: true,
      steer: false,
      approvals: true,
      images: true,
      ...nothing,
    });
    expect(await abilities({ capabilities: "without_runs" })).toEqual({
      stop: false,
      steer: false,
      approvals: false,
      images: true,
      ...nothing,
    });
  });

  it("the key stands in no log line and in no error", async () => {
    const fake = await fakeApi();
    const turns = fake.turns();
    fake.think([{ fail: `401 from provider, Authorization: Bearer ${FAKE_KEY}` }]);
    const result = await turns.run(aTurn("hello"), ignore);
    await fake.setUp(false);
    const error = await turns.run(aTurn("again"), ignore).catch((thrown: unknown) => thrown);
    expect(`${JSON.stringify(fake.log)} ${JSON.stringify(result)} ${String(error)}`).not.toContain(FAKE_KEY);
  });
});

describe.each([
  ["a current Hermes", {}],
  ["Hermes 0.16", { generation: "0.16" }],
  ["a Hermes without runs", { capabilities: "without_runs" }],
  [
    "0.16 on a bad line: pieces of 3 bytes, events nobody knows",
    { generation: "0.16", pieceBytes: 3, oddEvents: true },
  ],
  ["a bad line without runs", { capabilities: "without_runs", pieceBytes: 1, oddEvents: true }],
] satisfies [string, Partial<AgentBehaviour>][])("a turn with %s", (_name, behaviour) => {
  it("streams whole texts that grow, tells of tools, and ends with the reply", async () => {
    const fake = await fakeApi(behaviour);
    fake.think([
      { say: "我先查一下 🧑‍🔧。" },
      { tool: "web_search", preview: "天气", ms: 5, result: "晴" },
      { say: "今天 is sunny\n\n| a | b |\n|---|---|\n| 1 | 2 |" },
    ]);
    const heard = listening();
    const result = await fake.turns().run(aTurn("天气？"), heard.on);
    expect(result).toMatchObject({
      outcome: "completed",
      text: "今天 is sunny\n\n| a | b |\n|---|---|\n| 1 | 2 |",
      toolCalls: 1,
    });
    expect(result.outputTokens).toBeGreaterThan(0);
    expect(heard.events[0]).toEqual({ kind: "accepted", sessionId: result.sessionId });
    const texts = heard.events.flatMap((event) => (event.kind === "text" ? [event.text] : []));
    for (const [index, text] of texts.entries()) expect(text.startsWith(texts[index - 1] ?? "")).toBe(true);
    expect(texts.at(-1)).toBe("我先查一下 🧑‍🔧。\n\n今天 is sunny\n\n| a | b |\n|---|---|\n| 1 | 2 |");
    expect(heard.events.filter(({ kind }) => kind === "tool")).toMatchObject([
      { name: "web_search", state: "started", preview: "天气" },
      { name: "web_search", state: "completed" },
    ]);
  });

  it("the second turn of a session knows the first", async () => {
    const fake = await fakeApi(behaviour);
    const turns = fake.turns();
    const { sessionId } = await turns.run(aTurn("我叫小王"), ignore);
    await turns.run(aTurn("我叫什么？", sessionId === undefined ? {} : { sessionId }), ignore);
    expect(fake.asked[1]?.history).toEqual([
      { role: "user", content: "我叫小王" },
      { role: "assistant", content: "reply to 我叫小王" },
    ]);
    expect(fake.store.messages(sessionId ?? "").rows.map(({ content }) => content)).toEqual([
      "我叫小王",
      "reply to 我叫小王",
      "我叫什么？",
      "reply to 我叫什么？",
    ]);
  });

  it("a turn without a reply has failed, and its words are not carried out with the next turn", async () => {
    const fake = await fakeApi(behaviour);
    const turns = fake.turns();
    const { sessionId } = await turns.run(aTurn("hello"), ignore);
    fake.think([{ fail: "model is down" }], [{ say: "  " }]);
    const failed = await turns.run(aTurn("delete the old branch", { sessionId: sessionId ?? "" }), ignore);
    expect(failed).toMatchObject({ outcome: "failed", text: "" });
    expect(failed.why).toMatch(/model is down|empty_reply/);
    const empty = await turns.run(aTurn("and now?", { sessionId: sessionId ?? "" }), ignore);
    expect(empty).toMatchObject({ outcome: "failed", why: "empty_reply" });
    await turns.run(aTurn("what is left to do?", { sessionId: sessionId ?? "" }), ignore);
    const last = fake.asked.at(-1);
    const told = `${JSON.stringify(last?.history)} ${last?.instructions ?? ""}`;
    expect(told).toMatch(/[Nn]othing in it is to be carried out|Do not carry them out/);
  });

  it("the same words once more after a failure are one message, not two", async () => {
    const fake = await fakeApi(behaviour);
    const turns = fake.turns();
    fake.think([{ fail: "model is down" }]);
    const { sessionId } = await turns.run(aTurn("send the report"), ignore);
    const again = await turns.run(aTurn("send the report", { sessionId: sessionId ?? "" }), ignore);
    expect(again).toMatchObject({ outcome: "completed", text: "reply to send the report" });
    const last = fake.asked.at(-1);
    const isOldRun = (behaviour as Partial<AgentBehaviour>).generation === "0.16";
    if (isOldRun) expect(last?.history).toEqual([]);
    else expect(last?.instructions).toContain("Answer it once");
  });

  it("a compression that renames the session is followed", async () => {
    const fake = await fakeApi({ ...behaviour, compressAfterTurn: true });
    const turns = fake.turns();
    const first = await turns.run(aTurn("one"), ignore);
    const second = await turns.run(aTurn("two", { sessionId: first.sessionId ?? "" }), ignore);
    expect(second.sessionId).not.toBe(first.sessionId);
    // Whoever still holds the first name comes to the newest one all the same.
    const third = await turns.run(aTurn("three", { sessionId: first.sessionId ?? "" }), ignore);
    expect(fake.asked.at(-1)?.sessionId).toBe(second.sessionId);
    expect(third.sessionId).toBe(fake.store.messages(first.sessionId ?? "").sessionId);
  });

  it("a connection that breaks in the middle loses nothing: the reply is fetched", async () => {
    const fake = await fakeApi({ ...behaviour, breakAfterEvents: 4, wordMs: 3 });
    fake.think([{ say: "one two three four five six seven eight nine ten" }]);
    const result = await fake.turns().run(aTurn("count"), ignore);
    expect(result).toMatchObject({ outcome: "completed", text: "one two three four five six seven eight nine ten" });
    expect(fake.asked).toHaveLength(1);
  });

  it("an answer lost at the start begins no second turn", async () => {
    const fake = await fakeApi({ ...behaviour, loseStartAnswers: 1 });
    const result = await fake.turns().run(aTurn("pay the invoice"), ignore);
    expect(result).toMatchObject({ outcome: "completed", text: "reply to pay the invoice" });
    expect(fake.asked).toHaveLength(1);
  });

  it("Hermes that dies in the middle of a turn leaves it lost, not hanging", async () => {
    const fake = await fakeApi({ ...behaviour, wordMs: 30 });
    fake.think([{ say: "one two three four five six seven eight nine ten eleven twelve" }]);
    const heard = listening();
    const running = fake.turns().run(aTurn("count"), heard.on);
    await heard.next("text");
    await fake.setUp(false);
    await new Promise((resolve) => setTimeout(resolve, 60));
    await fake.setUp(true);
    const result = await running;
    expect(result.outcome).toBe("lost");
    expect(result.why).toMatch(/hermes_restarted|unreachable/);
    expect(result.text).toMatch(/^one/);
  });

  it("two turns of one session never run at once; the same turn twice is one", async () => {
    const fake = await fakeApi({ ...behaviour, wordMs: 10 });
    const turns = fake.turns();
    const { sessionId = "" } = await turns.run(aTurn("first"), ignore);
    const request = aTurn("second", { sessionId });
    const running = turns.run(request, ignore);
    expect(turns.run(request, ignore)).toBe(running);
    await expect(turns.run(aTurn("third", { sessionId }), ignore)).rejects.toMatchObject({ code: "wrong_state" });
    expect((await running).outcome).toBe("completed");
    expect(fake.asked).toHaveLength(2);
  });
});

describe("stopping", () => {
  it.each(["current", "0.16"] as const)("a run is stopped with what it had said (%s)", async (generation) => {
    const fake = await fakeApi({ generation, wordMs: 20 });
    const turns = fake.turns();
    fake.think([{ say: "one two three four five six seven eight nine ten eleven twelve thirteen fourteen" }]);
    const heard = listening();
    const request = aTurn("count");
    const running = turns.run(request, heard.on);
    await heard.next("text", 3);
    expect(await turns.stop(request.turnId)).toBe(true);
    const result = await running;
    expect(result).toMatchObject({ outcome: "stopped" });
    expect(result.text).toMatch(/^one two three/);
    expect(result.why).toBeUndefined();
    expect(await turns.stop(request.turnId)).toBe(false);
  });

  it("a process that goes stops nothing: the turn goes on at Hermes and is lost to this one only", async () => {
    const fake = await fakeApi({ wordMs: 10 });
    const turns = fake.turns();
    fake.think([{ say: "one two three four five six seven eight nine ten" }]);
    const heard = listening();
    const going = new AbortController();
    const request = aTurn("count");
    const running = turns.run(request, heard.on, going.signal);
    await heard.next("text");
    going.abort();
    const result = await running;
    expect(result).toMatchObject({ outcome: "lost", why: "not_watched" });
    const asked = { turnId: request.turnId, text: "count", startedAt: fake.clock.now() };
    await until(async () => (await turns.whatBecameOf(asked)) !== "running");
    expect(await turns.whatBecameOf(asked)).toMatchObject({
      outcome: "completed",
      text: "one two three four five six seven eight nine ten",
    });
    const before = await turns.run(aTurn("count again"), ignore, AbortSignal.abort());
    expect(before).toMatchObject({ outcome: "lost", why: "not_watched" });
    expect(fake.asked).toHaveLength(1);
  });

  it("what cannot be stopped is left, says so, and the next turn waits for it", async () => {
    const fake = await fakeApi({ generation: "0.16", capabilities: "without_runs", wordMs: 8 });
    const turns = fake.turns();
    fake.think([{ say: "one two three four five six seven eight nine ten eleven twelve thirteen" }]);
    const heard = listening();
    const request = aTurn("count");
    const running = turns.run(request, heard.on);
    await heard.next("text");
    await turns.stop(request.turnId);
    const result = await running;
    expect(result).toMatchObject({ outcome: "stopped", why: "left_running" });
    await turns.run(aTurn("go on", { sessionId: result.sessionId ?? "" }), ignore);
    expect(fake.asked.at(-1)?.history.at(-1)).toMatchObject({ role: "assistant" });
  });

  it("a run 0.16 has forgotten by its age is left as well, and one that ends by itself still gives its reply", async () => {
    const fake = await fakeApi({ generation: "0.16", wordMs: 15, sweepMs: 30 });
    const turns = fake.turns({ times: { sweepMs: 30 } });
    const words = "one two three four five six seven eight nine ten";
    fake.think([{ say: words }], [{ say: words }]);
    const heard = listening();
    const request = aTurn("count");
    const running = turns.run(request, heard.on);
    await heard.next("text", 6);
    await turns.stop(request.turnId);
    expect(await running).toMatchObject({ outcome: "stopped", why: "left_running" });
    expect(await turns.run(aTurn("count"), ignore)).toMatchObject({ outcome: "completed", text: words });
  });
});

describe("approvals", () => {
  it.each(["current", "0.16"] as const)("a decision reaches the command it was asked for (%s)", async (generation) => {
    const fake = await fakeApi({ generation });
    const turns = fake.turns();
    fake.think(async function* () {
      const decision = yield ask("rm -rf build");
      yield { say: `decided ${decision}` };
    });
    const heard = listening();
    const running = turns.run(aTurn("clean up"), heard.on);
    const asked = await heard.next("approval");
    expect(asked).toMatchObject({ command: "rm -rf build", choices: ["once", "session", "always", "deny"] });
    await expect(turns.answer(asked.ref, "maybe")).rejects.toMatchObject({ code: "invalid_input" });
    expect(await turns.answer(asked.ref, "session")).toBe(true);
    expect(await running).toMatchObject({ outcome: "completed", text: "decided session" });
    expect(await turns.answer(asked.ref, "once")).toBe(false);
    expect(heard.events.filter(({ kind }) => kind === "void")).toEqual([]);
  });

  it("one that times out at Hermes is void, and an answer to it changes nothing", async () => {
    const fake = await fakeApi({ generation: "0.16" });
    const turns = fake.turns({ times: { sweepMs: 10 } });
    fake.behaviour.sweepMs = 10;
    fake.think(async function* () {
      const decision = yield ask("rm -rf /");
      yield { say: `decided ${decision}` };
    });
    const heard = listening();
    const running = turns.run(aTurn("clean up"), heard.on);
    const asked = await heard.next("approval");
    await new Promise((resolve) => setTimeout(resolve, 30));
    // The server looks at its runs: this one is too old, and its question is let go.
    expect(await turns.answer(asked.ref, "always")).toBe(false);
    expect(await heard.next("void")).toEqual({ kind: "void", ref: asked.ref });
    expect((await running).text).toBe("decided deny");
  });

  it("stopping the turn voids its open question", async () => {
    const fake = await fakeApi();
    const turns = fake.turns();
    fake.think([ask("rm -rf build"), { say: "done" }]);
    const heard = listening();
    const request = aTurn("clean up");
    const running = turns.run(request, heard.on);
    const asked = await heard.next("approval");
    await turns.stop(request.turnId);
    expect((await running).outcome).toBe("stopped");
    expect(await heard.next("void")).toEqual({ kind: "void", ref: asked.ref });
  });

  it("nobody watches an editorial turn: everything dangerous is denied there, and nobody is asked", async () => {
    const fake = await fakeApi();
    fake.think(async function* () {
      const decision = yield ask("rm -rf build");
      yield { say: `decided ${decision}` };
    });
    const heard = listening();
    const result = await fake.turns().run(aTurn("judge", { purpose: "editorial" }), heard.on);
    expect(result.text).toBe("decided deny");
    expect(heard.events.filter(({ kind }) => kind === "approval")).toEqual([]);
    expect(readOwnSessionId(result.sessionId ?? "")).toEqual({ type: "own" });
  });

  it("is not answered while Hermes is away: the question stays open", async () => {
    const fake = await fakeApi();
    const turns = fake.turns({ times: { awayMs: 3_000 } });
    fake.think([ask("rm -rf build")]);
    const heard = listening();
    const running = turns.run(aTurn("clean up"), heard.on);
    const asked = await heard.next("approval");
    await fake.setUp(false);
    await expect(turns.answer(asked.ref, "once")).rejects.toMatchObject({ code: "unavailable" });
    await fake.setUp(true);
    expect((await running).outcome).toBe("lost");
  });
});

describe("steering", () => {
  it("a word gets into a running turn, and one that comes too late is handed back", async () => {
    const fake = await fakeApi();
    const turns = fake.turns();
    fake.think(async function* (turn) {
      yield { say: "working " };
      yield { pause: 80 };
      yield { say: `heard ${turn.steered().join()}` };
      yield { pause: 80 };
    });
    const heard = listening();
    const request = aTurn("work");
    const running = turns.run(request, heard.on);
    await heard.next("text");
    expect(await turns.steer(request.turnId, "faster")).toBe(true);
    await until(() => heard.events.some((event) => event.kind === "text" && /faster/.test(event.text)));
    expect(await turns.steer(request.turnId, "too late")).toBe(true);
    expect(await running).toMatchObject({
      outcome: "completed",
      text: "working heard faster",
      undelivered: "too late",
    });
    expect(await turns.steer(request.turnId, "after")).toBe(false);
  });
});

describe("what belongs to a turn", () => {
  it("pictures travel as data URLs by the session's stream, other files by their path", async () => {
    const fake = await fakeApi();
    const folder = mkdtempSync(join(tmpdir(), "herald-files-"));
    const image = join(folder, "a.png");
    writeFileSync(image, Buffer.from([1, 2, 3]));
    const seen: number[] = [];
    fake.think(async function* (turn) {
      seen.push(turn.images);
      yield { say: "seen" };
    });
    const result = await fake.turns().run(
      aTurn("看图", {
        images: [{ path: image, name: "a.png", mime: "image/png" }],
        files: [{ path: "/tmp/报价.xlsx", name: 'a"\n].xlsx', mime: "application/vnd.ms-excel" }],
      }),
      ignore,
    );
    expect(result.outcome).toBe("completed");
    expect(seen).toEqual([1]);
    expect(fake.asked[0]?.way).toBe("stream");
    expect(fake.asked[0]?.text).toBe(
      '看图\n\n[Attached file "a\\" ].xlsx" (application/vnd.ms-excel), saved at "/tmp/报价.xlsx"]',
    );
  });

  it("a session's id says whose chat it is, and a group's speaker is told", async () => {
    const fake = await fakeApi();
    const turns = fake.turns();
    const dm = await turns.run(aTurn("hello"), ignore);
    expect(readOwnSessionId(dm.sessionId ?? "")).toEqual({ type: "dm", chatId: "oc_owner", openId: "ou_owner" });
    const group = await turns.run(
      aTurn("hello", { place: { chatId: "oc_team", type: "group", name: "小队" }, sessionKey: "herald:oc_team" }),
      ignore,
    );
    expect(readOwnSessionId(group.sessionId ?? "")).toEqual({ type: "group", chatId: "oc_team" });
    expect(fake.asked[1]?.instructions).toContain('"林悦" in the group named "小队"');
    expect(fake.asked[1]?.headers["x-hermes-session-key"]).toBe("herald:oc_team");
  });

  it("a session that is gone at Hermes is begun anew", async () => {
    const fake = await fakeApi();
    const result = await fake.turns().run(aTurn("hello", { sessionId: "herald-dm-oc_x-ou_x-gone" }), ignore);
    expect(result.outcome).toBe("completed");
    expect(result.sessionId).not.toBe("herald-dm-oc_x-ou_x-gone");
  });
});

describe("what became of a turn whose follower died", () => {
  it.each(["current", "0.16"] as const)("running, then its reply (%s)", async (generation) => {
    const fake = await fakeApi({ generation, wordMs: 15 });
    const folder = mkdtempSync(join(tmpdir(), "herald-notes-"));
    const notes = (): TurnNotes => new TurnNotes(join(folder, "turns.json"));
    fake.think([{ say: "one two three four five six seven eight nine ten" }]);
    const heard = listening();
    const request = aTurn("count");
    const first = fake.turns({ notes: notes() }).run(request, heard.on);
    await heard.next("text");
    const after = fake.turns({ notes: notes() });
    const asked = { turnId: request.turnId, text: "count", startedAt: fake.clock.now() };
    expect(await after.whatBecameOf(asked)).toBe("running");
    await first;
    expect(await after.whatBecameOf(asked)).toMatchObject({
      outcome: "completed",
      text: "one two three four five six seven eight nine ten",
    });
  });

  it("without a note the session tells; words that stand there without a reply are lost in the end", async () => {
    const fake = await fakeApi();
    const { sessionId = "" } = await fake.turns().run(aTurn("hello"), ignore);
    const about = (text: string) => ({ turnId: "other", sessionId, text, startedAt: fake.clock.now() });
    const turns = fake.turns();
    expect(await turns.whatBecameOf(about("hello"))).toMatchObject({ outcome: "completed", text: "reply to hello" });
    expect(await turns.whatBecameOf(about("never said"))).toBe("unknown");
    fake.store.append(sessionId, { role: "user", content: "left alone" }, 1);
    const left = about("left alone");
    expect(await turns.whatBecameOf(left)).toBe("running");
    fake.clock.advance({ minutes: 11 });
    expect(await turns.whatBecameOf(left)).toMatchObject({ outcome: "lost", why: "no_reply" });
    await fake.setUp(false);
    await expect(turns.whatBecameOf(left)).rejects.toMatchObject({ code: "unavailable" });
  });
});
