import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { TurnRequest } from "../../../src/engine/ports.ts";
import { readTries } from "../../../src/engine/proactive/decide-run.ts";
import { editByAgent } from "../../../src/engine/proactive/edit-by-agent.ts";
import { changeSettings } from "../../../src/engine/settings.ts";
import { noTurns } from "../../../src/hermes-bridge/no-hermes.ts";
import { type Answer, bridgeOf } from "../../helpers/call-bridge.ts";
import { owner } from "../../helpers/given.ts";
import { type ProactiveWorld, proactiveWorld } from "../../helpers/proactive-world.ts";
import { HOLD, type ScriptedTurns, scriptedTurns } from "../../helpers/scripted-turns.ts";

let world: ProactiveWorld;
let turns: ScriptedTurns;
let bridge: ReturnType<typeof bridgeOf>;
beforeEach(async () => {
  world = await proactiveWorld();
  turns = scriptedTurns();
  world.scope.turns = turns;
  bridge = bridgeOf(world.scope);
});
afterEach(() => world.release());

const keyOf = ({ text }: TurnRequest): string => /key of this turn is (\S+);/.exec(text)?.[1] ?? "";

type Read = { decide_about: { item: number; may_be_sent: boolean; skip_with_reason?: string }[]; material: string };

/** Decides as a good agent would: everything that may be said is said, in these words. */
function decideAll(read: Read, text: string): object {
  return {
    decisions: read.decide_about.map(({ item, may_be_sent, skip_with_reason }) => ({
      item,
      decision: may_be_sent ? "send" : "skip",
      reason: may_be_sent ? "worth_saying" : skip_with_reason,
    })),
    text,
  };
}

const call = (tool: string, args: object, sessionId?: string): Promise<Answer> => bridge.call(args, sessionId, tool);

/** Monday a promise for Thursday; Thursday morning it has come due. */
async function promiseDue(): Promise<void> {
  world.at("11-30 14:02");
  world.say("周四前把报价单发给客户A");
  world.at("14:30");
  // Nobody to be asked yet: the matter is kept, nothing is said.
  const { turns: asked } = world.scope;
  world.scope.turns = noTurns;
  expect(await world.tick()).not.toMatchObject({ outcome: "silent" });
  await world.send();
  world.scope.turns = asked;
  world.at("12-03 10:30");
}

const lastRun = () => world.scope.db.checkpoint.findFirstOrThrow({ orderBy: { startedAt: "desc" } });

describe("the main agent as editor", () => {
  test("reads, decides, and exactly one message goes out in its words; the run says who decided", async () => {
    await promiseDue();
    const before = turns.requests.length;
    turns.script(async (request) => {
      const key = keyOf(request);
      const { body } = await call("proactivity_read", { key });
      const done = await call("proactivity_select", { key, ...decideAll(body as Read, "报价单今天该发给客户A了。") });
      expect(done.status).toBe(200);
      expect((await call("proactivity_select", { key, ...decideAll(body as Read, "又一遍") })).status).toBe(409);
      return "[SILENT]";
    });
    expect(await world.tick()).toMatchObject({ outcome: "sent", counts: { sent: 1 } });
    expect(await world.send()).toEqual(["报价单今天该发给客户A了。"]);
    expect(await lastRun()).toMatchObject({ editor: "main-agent", status: "committed", editorTries: null });
    const request = turns.requests[before];
    expect(request).toMatchObject({ purpose: "editorial" });
    expect(request?.sender).toBeUndefined();
    expect(request?.sessionId).toBeUndefined();
  });

  test("a turn that decides nothing leaves the matter to the next editor, and the run says so", async () => {
    turns.script("我看了看，没有什么。");
    await promiseDue();
    expect(await world.tick()).toMatchObject({ outcome: "sent" });
    const run = await lastRun();
    expect(run.editor).toBe("code");
    expect(readTries(run.editorTries)).toEqual([{ editor: "main-agent", why: "no_decision" }]);
    expect(await world.send()).toHaveLength(1);
  });

  test("Hermes away: the next editor at once, and the run says so", async () => {
    turns.down = true;
    await promiseDue();
    expect(await world.tick()).toMatchObject({ outcome: "sent" });
    expect(readTries((await lastRun()).editorTries)).toMatchObject([{ editor: "main-agent", why: "unreachable" }]);
  });

  test("what comes after the deadline is refused, and changes nothing of what the next editor said", async () => {
    await changeSettings(world.scope, owner, { editorSeconds: 20 });
    let key = "";
    let read: Answer | undefined;
    await promiseDue();
    turns.script(async (request) => {
      key = keyOf(request);
      read = await call("proactivity_read", { key });
      return "先想想";
    });
    await world.tick();
    const late = await call("proactivity_select", { key, ...decideAll(read?.body as Read, "迟到的话。") });
    expect(late.status).toBe(409);
    expect((await world.send()).join()).not.toContain("迟到");
  });

  test("nobody without the key reaches a run: not a chat, not another session, not a guess", async () => {
    await promiseDue();
    turns.script(async (request, { emit }) => {
      emit({ kind: "accepted", sessionId: "s-own" });
      await new Promise((resolve) => setTimeout(resolve, 50));
      const key = keyOf(request);
      expect((await call("proactivity_read", {}, "s-chat")).status).toBe(404);
      expect((await call("proactivity_read", { key: "ed-0000" })).status).toBe(404);
      expect((await call("proactivity_read", { key }, "s-chat")).status).toBe(404);
      expect((await call("proactivity_read", {}, "s-own")).status).toBe(200);
      return "[SILENT]";
    });
    await world.tick();
  });

  test("a selection that misses a candidate, sends what is held back, or closes without a person's word changes nothing", async () => {
    await promiseDue();
    const refused: Answer[] = [];
    turns.script(async (request) => {
      const key = keyOf(request);
      const { body } = await call("proactivity_read", { key });
      const { decisions } = decideAll(body as Read, "x") as { decisions: object[] };
      const goal = /goal_id: (\S+)/.exec((body as Read).material)?.[1];
      refused.push(
        await call("proactivity_select", { key, decisions: [], text: "x" }),
        await call("proactivity_select", { key, decisions: [...decisions, ...decisions], text: "x" }),
        await call("proactivity_select", { key, decisions }),
        await call("proactivity_select", { key, decisions, text: "x".repeat(4_000) }),
        await call("proactivity_select", { key, decisions, text: "[SILENT]" }),
        await call("proactivity_select", {
          key,
          decisions: [{ item: 1, decision: "skip", reason: "already_done" }],
          close_goal_ids: [goal],
        }),
        await call("proactivity_select", { key, decisions: "all" }),
      );
      return "[SILENT]";
    });
    await world.tick();
    expect(refused.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422, 422, 422]);
    for (const { body } of refused) expect(body.error).toMatch(/Nothing was changed/);
    expect(await world.items("closed")).toEqual([]);
    expect((await lastRun()).editor).toBe("code");
  });

  test("what the person says while it judges is in the delta, and closes the matter without a message", async () => {
    await promiseDue();
    turns.script(async (request) => {
      const key = keyOf(request);
      world.say("报价单已发，客户确认收到");
      const { body } = await call("proactivity_read", { key });
      const read = body as Read;
      expect(read.material).toContain("客户确认收到");
      const goal = /goal_id: (\S+)/.exec(read.material)?.[1];
      const decisions = read.decide_about.map(({ item }) => ({ item, decision: "skip", reason: "already_done" }));
      const done = await call("proactivity_select", { key, decisions, close_goal_ids: [goal] });
      expect(done).toMatchObject({ status: 200, body: { sent: 0, closed: 1 } });
      return "[SILENT]";
    });
    expect(await world.tick()).toMatchObject({ outcome: "skipped_all" });
    expect(await world.send()).toEqual([]);
    expect(await world.items("closed")).toHaveLength(1);
  });

  test("nothing said in its session is conversation, whatever the words", async () => {
    await promiseDue();
    turns.script({ text: "[SILENT]", sessionId: "s-editorial" });
    await world.tick();
    await world.send();
    world.at("12-03 14:00");
    world.say("记得明天下午三点给老板打电话", { session: "s-editorial" });
    const before = (await world.items()).length;
    await world.tick();
    expect(await world.items()).toHaveLength(before);
  });

  test("a turn that hangs is waited for until its deadline, then stopped, and its decision comes too late", async () => {
    turns.script(HOLD);
    const answer = await editByAgent(world.scope, { runId: "run-x", deadlineMs: 60 });
    expect(answer).toEqual({ editor: "main-agent", why: "late" });
    expect(turns.stops).toHaveLength(1);
    const key = keyOf(turns.requests[0] as TurnRequest);
    expect((await call("proactivity_read", { key })).status).toBe(409);
  });

  test("an agent that lets turn after turn pass is left alone for a while, and woken again later", async () => {
    turns.script("不知道要做什么");
    const ask = (runId: string) => editByAgent(world.scope, { runId, deadlineMs: 5_000 });
    for (const run of ["run-1", "run-2", "run-3"]) expect(await ask(run)).toMatchObject({ why: "no_decision" });
    expect(await ask("run-4")).toEqual({ editor: "main-agent", why: "resting" });
    expect(turns.requests).toHaveLength(3);
    world.at("11-30 20:00");
    expect(await ask("run-5")).toMatchObject({ why: "no_decision" });
  });
});
