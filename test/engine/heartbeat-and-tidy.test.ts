import { afterEach, beforeEach, expect, it } from "vitest";
import { ageMs, noteFailure, noteSuccess, readHeartbeats, takeNotice } from "../../src/engine/heartbeat.ts";
import { tidy } from "../../src/engine/tidy.ts";
import { type Given, given } from "../helpers/given.ts";
import { describeBothDatabases, type TestDb } from "../helpers/test-db.ts";

describeBothDatabases("heartbeat and tidying", (open) => {
  let test: TestDb;
  let g: Given;

  beforeEach(async () => {
    test = await open();
    g = given(test.db);
  });
  afterEach(() => test.release());

  const beat = async () => (await readHeartbeats(g.a))[0];

  it("tells the age of the last success, and why it failed since", async () => {
    await noteSuccess(g.a, "feishu");
    g.a.clock.advance({ minutes: 5 });
    await noteFailure(g.a, "feishu", "socket closed");
    const seen = await beat();
    expect(seen).toMatchObject({ name: "feishu", failure: "socket closed" });
    expect(seen && ageMs(seen, g.a.clock.now())).toBe(300_000);
    await noteSuccess(g.a, "feishu");
    expect(await beat()).toMatchObject({ failure: null, lastSuccessAt: g.a.clock.now() });
    expect(await readHeartbeats(g.b)).toEqual([]);
    expect(ageMs({ lastSuccessAt: null }, g.a.clock.now())).toBeUndefined();
  });

  it("writes a busy success down once a minute, and at once after a failure", async () => {
    await noteSuccess(g.a, "feishu");
    const first = await beat();
    g.a.clock.advance({ seconds: 59 });
    await noteSuccess(g.a, "feishu");
    expect(await beat()).toEqual(first);
    await noteFailure(g.a, "feishu", "x");
    await noteSuccess(g.a, "feishu");
    expect(await beat()).toMatchObject({ failure: null, lastSuccessAt: g.a.clock.now() });
  });

  it("gives one notice per failure to one caller, and none for a hiccup", async () => {
    const after = 10 * 60_000;
    await noteSuccess(g.a, "history");
    await noteFailure(g.a, "history", "malformed");
    expect(await takeNotice(g.a, "history", after)).toBe(false);
    g.a.clock.advance({ minutes: 10 });
    const taken = await Promise.all([1, 2, 3].map(() => takeNotice(g.a, "history", after)));
    expect(taken.filter(Boolean)).toHaveLength(1);
    await noteFailure(g.a, "history", "malformed");
    expect(await takeNotice(g.a, "history", after)).toBe(false);
    await noteSuccess(g.a, "history");
    await noteFailure(g.a, "history", "malformed again");
    g.a.clock.advance({ minutes: 10 });
    expect(await takeNotice(g.a, "history", after)).toBe(true);
  });

  it("forgets what is past its time, in batches, and nothing of another agent", async () => {
    const old = new Date(g.a.clock.now().getTime() - 100 * 86_400_000);
    for (const scope of [g.a, g.b]) {
      const agentId = scope.agent.id;
      for (const createdAt of [old, g.a.clock.now()]) {
        const runId = `${agentId} ${createdAt.getTime()}`;
        await test.db.runDocument.create({ data: { agentId, runId, name: "sent.md", content: "", createdAt } });
        await test.db.checkpoint.create({
          data: {
            runId,
            agentId,
            windowStart: createdAt,
            windowEnd: createdAt,
            cursorStart: {},
            cursorEnd: {},
            status: "committed",
            reason: "new_messages",
            counts: {},
            startedAt: createdAt,
          },
        });
        // The time in a message's row says nothing: a clock was off, or an old conversation was taken up again.
        for (const at of [old, g.a.clock.now(), new Date(0)]) {
          const lineage = `${runId} ${at.getTime()}`;
          await test.db.seenMessage.create({
            data: { agentId, lineage, identity: "i", occurrence: 1, messageId: "1", runId, at },
          });
        }
        await test.db.modelCall.create({
          data: { agentId, at: createdAt, purpose: "p", model: "m", endpoint: "e", durationMs: 1, outcome: "ok" },
        });
      }
      await test.db.jobRun.createMany({
        data: Array.from({ length: 1201 }, (_, n) => ({
          id: `${agentId}:tick:${n}`,
          agentId,
          job: "tick",
          slotAt: old,
          startedAt: old,
          outcome: "done",
        })),
      });
      await test.db.jobRun.create({
        data: { id: `${agentId}:tick:new`, agentId, job: "tick", slotAt: g.a.clock.now(), startedAt: old },
      });
      const told = { agentId, source: "hook", sessionId: "s", origin: "person" };
      const veryOld = new Date(g.a.clock.now().getTime() - 91 * 86_400_000);
      for (const at of [veryOld, g.a.clock.now()]) {
        await test.db.toolInvocation.create({ data: { ...told, toolName: "x", success: true, status: "ok", at } });
        await test.db.outcomeSignal.create({ data: { ...told, signalType: "thanks", value: 1, at } });
        await test.db.turnRecord.create({
          data: { ...told, turnId: `${agentId} ${at.getTime()}`, startedAt: at, updatedAt: at },
        });
        await test.db.ownTurn.create({
          data: {
            turnId: `own ${agentId} ${at.getTime()}`,
            agentId,
            purpose: "editorial",
            way: "turns",
            startedAt: at,
          },
        });
        const id = `turn ${agentId} ${at.getTime()}`;
        const words = { said: "m", text: "m", images: [], files: [], language: "zh", origin: "message" };
        await test.db.turn.create({
          data: {
            ...words,
            id,
            agentId,
            sessionId: "s",
            dedupeKey: id,
            chatId: "oc",
            chatType: "p2p",
            status: "completed",
            createdAt: at,
            endedAt: at,
          },
        });
        await test.db.telemetryBatch.create({
          data: { id: `${agentId} ${at.getTime()}`, agentId, receivedAt: at, events: 1 },
        });
      }
    }
    expect(await tidy(g.a)).toEqual({
      documents: 1,
      events: 0,
      jobRuns: 1201,
      seen: 3,
      modelCalls: 1,
      chat: 1,
      ownTurns: 1,
      telemetry: 4,
      gateway: 0,
    });
    expect(await tidy(g.a)).toEqual({
      documents: 0,
      events: 0,
      jobRuns: 0,
      seen: 0,
      modelCalls: 0,
      chat: 0,
      ownTurns: 0,
      telemetry: 0,
      gateway: 0,
    });
    expect(await test.db.jobRun.count({ where: { agentId: "agent-b" } })).toBe(1202);
    expect(await test.db.runDocument.count()).toBe(3);
    // Whose session an own turn was is known for longer than anything reads back.
    expect(await test.db.ownTurn.count()).toBe(3);
  });

  it("stops between batches when it is asked to", async () => {
    await test.db.jobRun.create({
      data: { id: "x", agentId: "agent-a", job: "t", slotAt: new Date(0), startedAt: new Date(0), outcome: "done" },
    });
    expect((await tidy(g.a, AbortSignal.abort())).jobRuns).toBe(0);
  });
});
