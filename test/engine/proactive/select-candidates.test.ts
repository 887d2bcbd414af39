import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isEngineError } from "../../../src/engine/errors.ts";
import { readForEditor } from "../../../src/engine/proactive/read-for-editor.ts";
import type { DecisionReason } from "../../../src/engine/proactive/run.ts";
import { selectCandidates } from "../../../src/engine/proactive/select-candidates.ts";
import type { Selection } from "../../../src/engine/proactive/selection.ts";
import type { Actor } from "../../../src/engine/scope.ts";
import type { TrackingItem } from "../../../src/engine/tracking/item.ts";
import { snoozeItem } from "../../../src/engine/tracking/snooze-item.ts";
import { member, owner } from "../../helpers/given.ts";
import { type ProactiveWorld, proactiveWorld } from "../../helpers/proactive-world.ts";

const editor: Actor = { kind: "job", name: "proactive-tick" };
const record = { editor: "model", counts: {} } as const;

let world: ProactiveWorld;
let items: TrackingItem[];

/** A run that waits for its editor: three items, the second snoozed, the third settled by words since the snapshot. */
beforeEach(async () => {
  world = await proactiveWorld();
  world.at("11-30 10:00");
  items = [
    await world.given.item({ title: "把报价单发给客户A" }),
    await world.given.item({ title: "订去上海的机票" }),
    await world.given.item({ title: "续签租房合同" }),
  ];
  const [, second] = items;
  await snoozeItem(world.scope, owner, { itemId: second?.id ?? "", at: new Date("2026-12-05T10:00:00+08:00") });
  for (const scope of [world.scope, world.given.b]) {
    await scope.db.checkpoint.create({
      data: {
        runId: scope === world.scope ? "run-x" : "run-of-b",
        agentId: scope.agent.id,
        windowStart: scope.clock.now(),
        windowEnd: new Date(scope.clock.now().getTime() + 1),
        cursorStart: { row: 0 },
        cursorEnd: { row: 0 },
        status: "pending",
        reason: "new_messages",
        counts: {},
        startedAt: scope.clock.now(),
      },
    });
  }
  await world.scope.db.candidate.createMany({
    data: items.map((item, i) => ({
      agentId: "agent-a",
      runId: "run-x",
      index: i + 1,
      kind: "prepared",
      matterKind: "promise",
      goalId: item.id,
      title: item.title,
      whyNow: "到期",
      draft: "",
      evidence: [],
    })),
  });
  world.at("11-30 10:20");
  world.say("租房合同已经续签好了");
  world.at("11-30 11:00");
});
afterEach(() => world.release());

const good = (): Selection => ({
  decisions: [
    { index: 1, decision: "send", reason: "due_now" },
    { index: 2, decision: "skip", reason: "snoozed" },
    { index: 3, decision: "skip", reason: "already_done", note: "说续签好了" },
  ],
  closeGoalIds: [items[2]?.id ?? ""],
  text: "报价单今天要发给客户A，发了吗？",
});

async function select(selection: Selection): Promise<unknown> {
  const view = await readForEditor(world.scope, editor, { runId: "run-x" });
  return selectCandidates(world.scope, editor, view, selection, record);
}

/** Everything a selection could have touched. */
async function everything(): Promise<string> {
  const { db } = world.scope;
  const [checkpoints, candidates, deliveries, matters, posts, rows, decisions, audit] = [
    await db.checkpoint.findMany({ orderBy: { runId: "asc" } }),
    await db.candidate.findMany({ orderBy: { id: "asc" } }),
    await db.delivery.findMany(),
    await db.deliveryMatter.findMany(),
    await db.cardPost.findMany(),
    await db.trackingItem.findMany({ orderBy: { id: "asc" } }),
    await db.itemDecision.findMany(),
    await db.auditEntry.findMany(),
  ];
  return JSON.stringify([checkpoints, candidates, deliveries, matters, posts, rows, decisions, audit]);
}

describe("proactivity_select", () => {
  it("one transaction: decisions, the closure with its line, committed, the pending delivery and the card that is owed", async () => {
    expect(await select(good())).toMatchObject({ outcome: "sent", sent: 1, skipped: 2, closed: 1 });
    const { db } = world.scope;
    expect(await db.candidate.findMany({ where: { runId: "run-x" }, orderBy: { index: "asc" } })).toMatchObject([
      { decision: "send", reason: "due_now" },
      { decision: "skip", reason: "snoozed" },
      { decision: "skip", reason: "already_done", note: "说续签好了" },
    ]);
    expect(await db.checkpoint.findUnique({ where: { runId: "run-x" } })).toMatchObject({
      status: "committed",
      outcome: "sent",
      editor: "model",
    });
    expect(await db.delivery.findMany()).toMatchObject([
      { agentId: "agent-a", status: "pending", recipientOpenId: owner.openId, text: good().text },
    ]);
    expect(await db.cardPost.findMany()).toMatchObject([{ subjectKind: "delivery", receiveId: owner.openId }]);
    expect(await world.items("closed")).toMatchObject([
      { id: items[2]?.id, closedBy: owner.openId, closedEvidence: [{ quote: "租房合同已经续签好了" }] },
    ]);
    expect(await db.auditEntry.findFirst({ where: { what: "item.done" } })).toMatchObject({
      actorKind: "agent",
      actorId: owner.openId,
    });
    // Agent B's run on the same database is untouched.
    expect(await db.checkpoint.findUnique({ where: { runId: "run-of-b" } })).toMatchObject({ status: "pending" });
  });

  const wrong: [string, (good: Selection) => Selection][] = [
    ["a candidate left out", (s) => ({ ...s, decisions: s.decisions.slice(1) })],
    ["a candidate twice", (s) => ({ ...s, decisions: [...s.decisions, ...s.decisions.slice(0, 1)] })],
    [
      "an unknown number",
      (s) => ({ ...s, decisions: [...s.decisions, { index: 9, decision: "skip", reason: "duplicate" }] }),
    ],
    ["an unknown goal", (s) => ({ ...s, closeGoalIds: ["item-nope"] })],
    ["closing what no person's words speak for", (s) => ({ ...s, closeGoalIds: [items[0]?.id ?? ""] })],
    ["sending what is snoozed", (s) => withDecision(s, 2, "send", "worth_saying")],
    ["sending what was settled by words", (s) => withDecision(s, 3, "send", "worth_saying")],
    ["a reason of sending for a skip", (s) => withDecision(s, 2, "skip", "due_now")],
    ["a reason of skipping for a send", (s) => withDecision(s, 1, "send", "duplicate")],
    ["no text", (s) => ({ ...s, text: null })],
    ["blank text", (s) => ({ ...s, text: " \n " })],
    ["a control word as text", (s) => ({ ...s, text: "[SILENT]" })],
    ["text over length", (s) => ({ ...s, text: "长".repeat(601) })],
  ];
  for (const [name, spoil] of wrong) {
    it(`${name} is refused and nothing is changed`, async () => {
      const before = await everything();
      const error = await select(spoil(good())).catch((e: unknown) => e);
      expect(isEngineError(error, "invalid_input")).toBe(true);
      expect(await everything()).toBe(before);
      expect(await select(good())).toMatchObject({ outcome: "sent" });
    });
  }

  it("whatever an editor says, either all of it is written or nothing", async () => {
    const reasons: DecisionReason[] = ["due_now", "worth_saying", "snoozed", "already_done", "duplicate"];
    const decision = fc.record({
      index: fc.integer({ min: 1, max: 4 }),
      decision: fc.constantFrom("send" as const, "skip" as const),
      reason: fc.constantFrom(...reasons),
    });
    const selections = fc.record({
      decisions: fc.array(decision, { maxLength: 4 }),
      closeGoalIds: fc.subarray([items[0]?.id ?? "", items[2]?.id ?? "", "item-nope"]),
      text: fc.constantFrom("好", "", null),
    });
    await fc
      .assert(
        fc.asyncProperty(selections, async (selection) => {
          const before = await everything();
          const error = await select(selection).then(
            () => undefined,
            (e: unknown) => e,
          );
          if (error !== undefined) {
            expect(await everything()).toBe(before);
            return;
          }
          const decided = await world.scope.db.candidate.findMany({ where: { runId: "run-x" } });
          expect(decided.every((candidate) => candidate.decision !== null)).toBe(true);
          expect(await world.scope.db.trackingItem.count({ where: { id: items[0]?.id ?? "", status: "closed" } })).toBe(
            0,
          );
          fc.pre(false);
        }),
        { numRuns: 40 },
      )
      .catch((error: unknown) => {
        // A selection that fits commits the run; what follows it is refused as decided already.
        if (!String(error).includes("pre-condition")) throw error;
      });
  });

  it("of two editors who decide at once one takes effect, the other is told that the run is decided", async () => {
    const view = await readForEditor(world.scope, editor, { runId: "run-x" });
    const both = await Promise.allSettled(
      [1, 2].map(() => selectCandidates(world.scope, editor, view, good(), record)),
    );
    expect(both.filter((result) => result.status === "fulfilled")).toHaveLength(1);
    const lost = both.find((result) => result.status === "rejected");
    expect(isEngineError(lost?.reason, "wrong_state")).toBe(true);
    expect(await world.scope.db.delivery.count()).toBe(1);
    await expect(readForEditor(world.scope, editor, { runId: "run-x" })).rejects.toThrow("wrong_state");
  });

  it("all skipped: silence, and what words have settled is closed all the same", async () => {
    const silent = withDecision({ ...good(), text: null, closeGoalIds: [] }, 1, "skip", "not_useful_now");
    expect(await select(silent)).toMatchObject({ outcome: "skipped_all", closed: 1 });
    expect(await world.scope.db.delivery.count()).toBe(0);
    expect(await world.scope.db.cardPost.count()).toBe(0);
  });

  it("a member may neither read nor decide, and another agent's run does not exist", async () => {
    await expect(readForEditor(world.scope, member, { runId: "run-x" })).rejects.toThrow("forbidden");
    await expect(readForEditor(world.scope, editor, { runId: "run-of-b" })).rejects.toThrow("not_found");
  });
});

function withDecision(
  selection: Selection,
  index: number,
  decision: "send" | "skip",
  reason: DecisionReason,
): Selection {
  const decisions = selection.decisions.map((d) => (d.index === index ? { index, decision, reason } : d));
  return { ...selection, decisions };
}
