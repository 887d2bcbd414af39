import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TurnEvent } from "../../src/engine/ports.ts";
import { type GatewayProcess, startGateway } from "../helpers/gateway-process.ts";
import { type GatewayWorld, OWNER_CHAT_ID, startGatewayWorld } from "../helpers/gateway-world.ts";
import { type Given, given } from "../helpers/given.ts";
import { pythonAtHand } from "../helpers/hermes-home.ts";
import { openTestDb, type TestDb } from "../helpers/test-db.ts";
import { until } from "../helpers/until.ts";

let test: TestDb;
let made: Given;
let world: GatewayWorld;
let hermes: GatewayProcess;
const left: GatewayProcess[] = [];

beforeEach(async () => {
  test = await openTestDb();
  made = given(test.db);
  await made.people();
  world = await startGatewayWorld(made.a);
});
afterEach(async () => {
  for (const process of left.splice(0)) await process.kill();
  await world.close();
  await test.release();
});

const start = async (kind: "old" | "new" = "old"): Promise<GatewayProcess> => {
  hermes = await startGateway(world.pluginFolder, kind);
  left.push(hermes);
  await until(() => world.gateway.turns.connected());
  return hermes;
};

type Kind<K extends TurnEvent["kind"]> = Extract<TurnEvent, { kind: K }>;
/** The first event of a kind, once it has come. */
async function seen<K extends TurnEvent["kind"]>(events: TurnEvent[], kind: K): Promise<Kind<K>> {
  await until(() => events.some((event) => event.kind === kind));
  return events.find((event): event is Kind<K> => event.kind === kind) as Kind<K>;
}

if (!pythonAtHand()) {
  process.stderr.write('left out: "turns through the plugin in Hermes\' gateway" (no python3 found)\n');
}

describe.runIf(pythonAtHand())("turns through the plugin in Hermes' gateway", () => {
  it("begin, stream, and end with the whole reply and the session they are in", async () => {
    await start();
    const turn = world.run("stream");
    const result = await turn.result;
    expect(result).toMatchObject({ outcome: "completed", text: `${"Well ".repeat(6)}done.` });
    expect(result.sessionId).toMatch(/^s1_/);
    expect(turn.events[0]).toMatchObject({ kind: "accepted" });
    expect(turn.events.at(-1)).toMatchObject({ kind: expect.stringMatching(/text|accepted/) });
    const next = await world.run("hello", { sessionId: result.sessionId ?? "" }).result;
    expect(next).toMatchObject({ text: "You said: hello", sessionId: result.sessionId });
    expect((await hermes.given()).map(([, text]) => text)).toEqual(["stream", "hello"]);
  });

  it("show the tools that run, and hand on images and files by their place", async () => {
    await start();
    const turn = world.run("tool ls -l", { images: [{ path: "/tmp/p.png", name: "p.png", mime: "image/png" }] });
    expect(await turn.result).toMatchObject({ outcome: "completed", toolCalls: 1 });
    const file = world.run("file /tmp/report.pdf");
    expect((await file.result).files).toEqual([
      { path: "/tmp/report.pdf", name: "report.pdf", mime: "application/pdf" },
    ]);
  });

  it("ask for approval and take the answer once, whatever comes after it", async () => {
    await start();
    const turn = world.run("approve rm -rf build");
    const asked = await seen(turn.events, "approval");
    expect(asked).toMatchObject({ command: "rm -rf build", choices: ["once", "session", "always", "deny"] });
    expect(await world.gateway.turns.answer(asked.ref, "once")).toBe(true);
    expect(await turn.result).toMatchObject({ text: "Decided: once" });
    expect(await world.gateway.turns.answer("00000000000000000000000000000000", "always")).toBe(false);
  });

  it("ask which, and hand on what was chosen", async () => {
    await start("new");
    const turn = world.run("ask Which?|red|blue");
    const asked = await seen(turn.events, "question");
    expect(asked).toMatchObject({ question: "Which?", choices: ["red", "blue"] });
    expect(await world.gateway.turns.answer(asked.ref, "blue")).toBe(true);
    expect(await turn.result).toMatchObject({ text: "You chose: blue" });
  });

  it("end when somebody asks for it", async () => {
    await start();
    const turn = world.run("slow 20");
    await seen(turn.events, "accepted");
    expect(await world.gateway.turns.stop(turn.turnId)).toBe(true);
    expect(await turn.result).toMatchObject({ outcome: "stopped" });
    expect(await world.gateway.turns.stop(turn.turnId)).toBe(false);
  });

  it("take a word while they run where Hermes can", async () => {
    await start("new");
    const turn = world.run("slow 3");
    await seen(turn.events, "accepted");
    expect(await world.gateway.turns.steer(turn.turnId, "and the tests")).toBe(true);
    await turn.result;
    expect(await hermes.given()).toContainEqual(["steered", "and the tests"]);
  });

  it("are refused before they begin when nobody is there, and are not begun later", async () => {
    await expect(world.run("hello").result).rejects.toMatchObject({
      code: "unavailable",
      facts: { what: "hermes", why: "not_connected" },
    });
    await start();
    expect(await world.run("later").result).toMatchObject({ text: "You said: later" });
    expect((await hermes.given()).map(([, text]) => text)).toEqual(["later"]);
  });

  it("run one at a time in a conversation", async () => {
    await start();
    const first = world.run("slow 3");
    await seen(first.events, "accepted");
    await expect(world.run("second").result).rejects.toMatchObject({ facts: { why: "session_busy" } });
    await first.result;
  });

  it("begin a new session, and go back to an older one, as they are asked to", async () => {
    await start();
    const one = await world.run("one").result;
    const two = await world.run("two").result;
    expect(two.sessionId).not.toBe(one.sessionId);
    const three = await world.run("three", { sessionId: one.sessionId ?? "" }).result;
    expect(three.sessionId).toBe(one.sessionId);
    expect(await hermes.given()).toEqual([
      [one.sessionId, "one"],
      [two.sessionId, "two"],
      [one.sessionId, "three"],
    ]);
  });

  it("go on over a restart of Herald: who asks again watches the same turn to its end", async () => {
    await start();
    const turn = world.run("approve rm -rf build");
    const { ref } = await seen(turn.events, "approval");
    await world.restart();
    expect(await turn.result).toMatchObject({ outcome: "lost" });
    const asked = { turnId: turn.turnId, text: "approve rm -rf build", startedAt: made.a.clock.now() };
    expect(await world.gateway.turns.whatBecameOf(asked)).toBe("running");
    const again = world.run("approve rm -rf build", { turnId: turn.turnId });
    expect(await seen(again.events, "approval")).toMatchObject({ ref });
    await until(() => world.gateway.turns.connected());
    expect(await world.gateway.turns.answer(ref, "deny")).toBe(true);
    expect(await again.result).toMatchObject({ outcome: "completed", text: "Decided: deny" });
    expect(await world.gateway.turns.whatBecameOf(asked)).toMatchObject({ text: "Decided: deny" });
    expect((await hermes.given()).length).toBe(1);
  });

  it("whose end came while Herald was away are known when it is back", async () => {
    await start();
    const turn = world.run("slow 1");
    await seen(turn.events, "accepted");
    await world.stop();
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await world.start();
    const asked = { turnId: turn.turnId, text: "slow 1", startedAt: made.a.clock.now() };
    await until(async () => (await world.gateway.turns.whatBecameOf(asked)) !== "running");
    expect(await world.gateway.turns.whatBecameOf(asked)).toMatchObject({ text: "You said: slow 1" });
  });

  it("are lost when the gateway dies under them, with their questions void, and nothing is begun twice", async () => {
    await start();
    const turn = world.run("approve rm -rf build");
    const { ref } = await seen(turn.events, "approval");
    await hermes.kill();
    await start();
    expect(await turn.result).toMatchObject({ outcome: "lost" });
    expect(turn.events).toContainEqual({ kind: "void", ref });
    expect(await world.gateway.turns.answer(ref, "once")).toBe(false);
    expect(await hermes.given()).toEqual([]);
    expect(await world.run("hello").result).toMatchObject({ outcome: "completed" });
  });

  it("have failed when their model did not answer", async () => {
    await start();
    expect(await world.run("fail").result).toMatchObject({ outcome: "failed", why: "⚠️ The model did not answer." });
  });

  it("are told apart from what Hermes says by itself, which is owed in its own chat", async () => {
    await start();
    expect(await hermes.send(OWNER_CHAT_ID, "Backup **done**.", "job1")).toMatchObject({ success: true });
    expect(await hermes.send("owner", "Good morning.")).toMatchObject({ success: true });
    expect(await hermes.send("oc_somewhere_else", "Psst.")).toMatchObject({
      success: false,
      error: expect.stringContaining("unknown_chat"),
    });
    await hermes.own(OWNER_CHAT_ID, "twice");
    await until(async () => (await world.owed()).length === 3);
    expect(await world.owed()).toEqual([
      { to: OWNER_CHAT_ID, text: "Backup **done**.", parts: 1, origin: "cron" },
      { to: "ou_owner", text: "Good morning.", parts: 1, origin: "said" },
      { to: OWNER_CHAT_ID, text: "First I look around.\n\nThen I answer.", parts: 1, origin: "turn" },
    ]);
  });

  it("say how they stand", async () => {
    expect(await world.gateway.turns.health()).toEqual({ ok: false, why: "never_connected" });
    await start();
    expect(await world.gateway.turns.health()).toEqual({ ok: true, version: "0.16.0" });
    expect(world.gateway.turns.abilities()).toMatchObject({ steer: false, approvals: true });
    await hermes.stop();
    await until(() => !world.gateway.turns.connected());
    expect(await world.gateway.turns.health()).toEqual({ ok: false, version: "0.16.0", why: "not_connected" });
  });
});
