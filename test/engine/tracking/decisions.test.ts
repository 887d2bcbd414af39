import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { inTransaction, openDb } from "../../../src/engine/db.ts";
import { isEngineError } from "../../../src/engine/errors.ts";
import { readWeights } from "../../../src/engine/proactive/read-run-facts.ts";
import type { Actor, PersonActor } from "../../../src/engine/scope.ts";
import { changeSettings } from "../../../src/engine/settings.ts";
import { carryOn } from "../../../src/engine/tracking/carry-on.ts";
import { readItem } from "../../../src/engine/tracking/change-item.ts";
import { closeItem } from "../../../src/engine/tracking/close-item.ts";
import { fewerOfThese } from "../../../src/engine/tracking/fewer-of-these.ts";
import { itemLifecycle } from "../../../src/engine/tracking/item.ts";
import { openItem } from "../../../src/engine/tracking/open-item.ts";
import { reopenItem } from "../../../src/engine/tracking/reopen-item.ts";
import { setReminder } from "../../../src/engine/tracking/set-reminder.ts";
import { snoozeItem } from "../../../src/engine/tracking/snooze-item.ts";
import { undo } from "../../../src/engine/tracking/undo.ts";
import { updateItem } from "../../../src/engine/tracking/update-item.ts";
import { countedIds } from "../../helpers/counted-ids.ts";
import { admin, type Given, given, job, member, owner, quote, scopeOn, worker } from "../../helpers/given.ts";
import { describeBothDatabases, type TestDb } from "../../helpers/test-db.ts";

describeBothDatabases("decisions about a matter", (open) => {
  let test: TestDb;
  let g: Given;

  beforeEach(async () => {
    test = await open();
    g = given(test.db);
    await g.people();
  });
  afterEach(() => test.release());

  const item = (id: string) => readItem(test.db as never, g.a, id);
  const audits = (what: string) => test.db.auditEntry.count({ where: { agentId: "agent-a", what } });
  const refusal = async (act: Promise<unknown>): Promise<string> => {
    try {
      await act;
    } catch (error) {
      if (error instanceof Error && "code" in error) return String(error.code);
      throw error;
    }
    return "none";
  };
  /** Everything in the tables an operation could touch: a refused one must leave it as it was. */
  const world = async () => ({
    items: await test.db.trackingItem.findMany({ orderBy: { id: "asc" } }),
    decisions: await test.db.itemDecision.findMany({ orderBy: { id: "asc" } }),
    audit: await test.db.auditEntry.count(),
    posts: await test.db.cardPost.findMany({ orderBy: { id: "asc" } }),
    kinds: await test.db.kindPriority.findMany(),
  });

  it("lets one of three taps at once close it, and tells the others who did it and when", async () => {
    const { id } = await g.item();
    const results = await Promise.all(
      [owner, admin, owner].map((who) => closeItem(g.a, who, { itemId: id, why: "done" })),
    );
    const closed = results.filter((result) => result.outcome === "closed");
    expect(closed).toHaveLength(1);
    const winner = closed[0]?.item.closedBy;
    for (const result of results) {
      if (result.outcome !== "already") continue;
      expect(result).toMatchObject({ how: "done", at: g.a.clock.now(), by: { openId: winner } });
      expect(result.by.name).toBe(winner === owner.openId ? owner.name : admin.name);
    }
    expect(await audits("item.done")).toBe(1);
    expect(await test.db.itemDecision.count({ where: { itemId: id } })).toBe(1);
    expect((await item(id)).revision).toBe(2);
  });

  it("lets one of three taps at once on different buttons decide between done and dropped", async () => {
    const { id } = await g.item();
    const results = await Promise.all([
      closeItem(g.a, owner, { itemId: id, why: "done" }),
      closeItem(g.a, admin, { itemId: id, why: "dropped" }),
      closeItem(g.a, owner, { itemId: id, why: "dropped" }),
    ]);
    expect(results.filter((result) => result.outcome === "closed")).toHaveLength(1);
  });

  it("never closes, snoozes, reopens or weighs anything on a worker's or job's word", async () => {
    const { id } = await g.item();
    const before = await world();
    for (const who of [worker, job] as Actor[]) {
      expect(await refusal(closeItem(g.a, who, { itemId: id, why: "done" }))).toBe("forbidden");
      expect(await refusal(snoozeItem(g.a, who, { itemId: id, choice: "1h" }))).toBe("forbidden");
      expect(await refusal(reopenItem(g.a, who, { itemId: id }))).toBe("forbidden");
      expect(await refusal(fewerOfThese(g.a, who, { itemId: id }))).toBe("forbidden");
      expect(await refusal(carryOn(g.a, who, { itemId: id }))).toBe("forbidden");
      expect(await refusal(undo(g.a, who, { itemId: id }))).toBe("forbidden");
    }
    expect(await world()).toEqual(before);
  });

  it("closes on a person's words through the agent, in the person's name", async () => {
    const { id } = await g.item();
    const who: Actor = { kind: "agent", onWordsOf: owner };
    const result = await closeItem(g.a, who, {
      itemId: id,
      why: "dropped",
      evidence: [quote("不用管报价单了", "140")],
    });
    expect(result).toMatchObject({ outcome: "closed", item: { closedBy: owner.openId, closedWhy: "dropped" } });
    expect((await item(id)).closedEvidence?.[0]?.quote).toBe("不用管报价单了");
  });

  it("hides other people's matters from a member as if they did not exist", async () => {
    const secret = await g.item();
    const group = await g.item({ audience: "oc_team" });
    const theirs = await g.item({ audience: "ou_other" });
    const before = await world();
    expect(await refusal(closeItem(g.a, member, { itemId: secret.id, why: "done" }))).toBe("not_found");
    expect(await refusal(closeItem(g.a, member, { itemId: theirs.id, why: "done" }))).toBe("not_found");
    expect(await refusal(closeItem(g.a, owner, { itemId: theirs.id, why: "done" }))).toBe("not_found");
    expect(await world()).toEqual(before);
    expect((await closeItem(g.a, member, { itemId: group.id, why: "done" })).outcome).toBe("closed");
  });

  it("does nothing to another agent's matter", async () => {
    const { id } = await openItem(g.b, worker, {
      title: "theirs",
      kind: "promise",
      evidence: [],
      audience: "private",
    }).then((result) => result.item);
    expect(await refusal(closeItem(g.a, owner, { itemId: id, why: "done" }))).toBe("not_found");
    expect(await refusal(updateItem(g.a, worker, { itemId: id, title: "ours" }))).toBe("not_found");
    expect((await readItem(test.db as never, g.b, id)).status).toBe("active");
  });

  describe("an event its life cycle does not know in a status", () => {
    const events = {
      close: (id: string) => closeItem(g.a, owner, { itemId: id, why: "done" }),
      reopen: (id: string) => reopenItem(g.a, owner, { itemId: id }),
      update: (id: string) => updateItem(g.a, worker, { itemId: id, summary: "new words" }),
      snooze: (id: string) => snoozeItem(g.a, owner, { itemId: id, choice: "1h" }),
    } as const;
    for (const status of ["active", "closed"] as const) {
      for (const event of Object.keys(events) as (keyof typeof events)[]) {
        const next = itemLifecycle[status][event];
        it(`${status} + ${event} → ${next ?? "nothing changes"}`, async () => {
          const { id } = await g.item();
          if (status === "closed") await closeItem(g.a, owner, { itemId: id, why: "done" });
          const before = await world();
          await events[event](id).catch((error: unknown) => {
            if (!isEngineError(error, "wrong_state")) throw error;
          });
          if (next === undefined) expect(await world()).toEqual(before);
          else {
            expect((await item(id)).status).toBe(next);
            expect(await world()).not.toEqual(before);
          }
        });
      }
    }
  });

  it("says until when it sleeps, moves fixed times out of the quiet hours, and keeps named times to the minute", async () => {
    const { id } = await g.item();
    g.a.clock.set("2026-11-30T12:50:00Z"); // 20:50 in Shanghai, quiet from 21:30
    const moved = await snoozeItem(g.a, owner, { itemId: id, choice: "1h" });
    expect(moved).toMatchObject({
      outcome: "snoozed",
      until: new Date("2026-12-01T01:00:00Z"),
      item: { exact: false },
    });
    const named = await snoozeItem(g.a, owner, { itemId: id, at: new Date("2026-11-30T15:30:00Z") });
    expect(named).toMatchObject({ outcome: "snoozed", until: new Date("2026-11-30T15:30:00Z"), item: { exact: true } });
    expect(await item(id)).toMatchObject({ snoozedUntil: new Date("2026-11-30T15:30:00Z"), exact: true });
  });

  it("counts the same snooze from two phones once, and tells the second until when", async () => {
    const { id } = await g.item();
    const [one, two] = await Promise.all([
      snoozeItem(g.a, owner, { itemId: id, choice: "evening" }),
      snoozeItem(g.a, admin, { itemId: id, choice: "evening" }),
    ]);
    expect([one?.outcome, two?.outcome].sort()).toEqual(["already", "snoozed"]);
    const told = one?.outcome === "already" ? one : two;
    expect(told).toMatchObject({ how: "snoozed", until: new Date("2026-11-30T10:00:00Z") });
    expect(await audits("item.snooze")).toBe(1);
  });

  it("tells a tap on a card drawn before another's snooze about that one, and lets a newer card choose again", async () => {
    const { id, revision } = await g.item();
    await snoozeItem(g.a, admin, { itemId: id, choice: "tomorrow", seenRevision: revision });
    const late = await snoozeItem(g.a, owner, { itemId: id, choice: "1h", seenRevision: revision });
    expect(late).toMatchObject({ outcome: "already", by: { openId: admin.openId, name: admin.name } });
    const again = await snoozeItem(g.a, owner, { itemId: id, choice: "1h", seenRevision: revision + 1 });
    expect(again.outcome).toBe("snoozed");
  });

  it("refuses to sleep into the past, for ever, or until no time at all", async () => {
    const { id } = await g.item();
    const before = await world();
    for (const at of ["2026-11-30T01:59:59Z", "2028-11-30T00:00:00Z", "nonsense"]) {
      expect(await refusal(snoozeItem(g.a, owner, { itemId: id, at: new Date(at) }))).toBe("invalid_input");
    }
    expect(await world()).toEqual(before);
  });

  it("takes a decision back exactly, once, and says who took it back", async () => {
    const { id } = await g.item({ snoozedUntil: new Date("2026-12-01T00:00:00Z"), exact: true });
    await test.db.trackingItem.update({ where: { id }, data: { ignoredCount: 2 } });
    const before = await item(id);
    const decided = await closeItem(g.a, owner, { itemId: id, why: "done", evidence: [quote()] });
    if (decided.outcome !== "closed") throw new Error("not closed");
    const results = await Promise.all([owner, admin].map((who) => undo(g.a, who, { decisionId: decided.decisionId })));
    expect(results.map((result) => result.outcome).sort()).toEqual(["already", "undone"]);
    const { revision, updatedAt, ...after } = await item(id);
    expect(after).toEqual({ ...before, revision: undefined, updatedAt: undefined });
    expect(revision).toBe(before.revision + 2);
    expect(updatedAt).toEqual(g.a.clock.now());
    expect(await audits("item.undo")).toBe(1);
  });

  it("takes back a snooze to the snooze before", async () => {
    const { id } = await g.item();
    await snoozeItem(g.a, owner, { itemId: id, at: new Date("2026-12-03T01:00:00Z") });
    await snoozeItem(g.a, owner, { itemId: id, choice: "1h" });
    expect(await undo(g.a, owner, { itemId: id })).toMatchObject({ outcome: "undone", verb: "snooze" });
    expect(await item(id)).toMatchObject({ snoozedUntil: new Date("2026-12-03T01:00:00Z"), exact: true });
  });

  it("does not take back after the time is over, nor when something else has changed since", async () => {
    const first = await g.item();
    const second = await g.item();
    await closeItem(g.a, owner, { itemId: first.id, why: "done" });
    await snoozeItem(g.a, owner, { itemId: second.id, choice: "tomorrow" });
    await updateItem(g.a, worker, { itemId: second.id, summary: "客户改到周五" });
    const before = await world();
    expect((await undo(g.a, owner, { itemId: second.id })).outcome).toBe("changed");
    g.a.clock.advance({ minutes: 10, ms: 1 });
    expect((await undo(g.a, owner, { itemId: first.id })).outcome).toBe("too_late");
    expect(await world()).toEqual(before);
  });

  it("does not pretend to take back what it can no longer read", async () => {
    const { id } = await g.item();
    await closeItem(g.a, owner, { itemId: id, why: "done" });
    await test.db.itemDecision.updateMany({ where: { itemId: id }, data: { before: { status: "molten" } } });
    const before = await world();
    expect((await undo(g.a, owner, { itemId: id })).outcome).toBe("changed");
    expect(await world()).toEqual(before);
  });

  it("lets a decision be taken back as long as the settings said when it was made", async () => {
    await changeSettings(g.a, owner, { undoMinutes: 60 });
    const { id } = await g.item();
    await closeItem(g.a, owner, { itemId: id, why: "done" });
    await changeSettings(g.a, owner, { undoMinutes: 1 });
    g.a.clock.advance({ minutes: 59 });
    expect((await undo(g.a, owner, { itemId: id })).outcome).toBe("undone");
  });

  it("halves a kind once per matter, however often the button is tapped, and gives the weight back", async () => {
    const { id } = await g.item({ kind: "errand" });
    const another = await g.item({ kind: "errand" });
    const results = await Promise.all([owner, admin, owner].map((who) => fewerOfThese(g.a, who, { itemId: id })));
    expect(results.filter((result) => result.outcome === "fewer")).toHaveLength(1);
    expect((await readWeights(g.a)).errand).toBe(0.5);
    await fewerOfThese(g.a, owner, { itemId: another.id });
    expect((await readWeights(g.a)).errand).toBe(0.25);
    // The first can no longer be taken back by itself: the kind has moved on. The last can.
    expect((await undo(g.a, owner, { itemId: id })).outcome).toBe("changed");
    expect((await undo(g.a, owner, { itemId: another.id })).outcome).toBe("undone");
    expect((await undo(g.a, owner, { itemId: id })).outcome).toBe("undone");
    expect(await readWeights(g.a)).toEqual({});
    expect(await readWeights(g.b)).toEqual({});
  });

  it("halves a kind for each of two matters that are tapped at once, and gives all of it back", async () => {
    const other = await openDb(test.url);
    try {
      const replica = scopeOn(other.db, { clock: g.a.clock, ids: countedIds(900_000) });
      for (let round = 0; round < 4; round++) {
        const one = await g.item({ kind: "errand" });
        const two = await g.item({ kind: "errand" });
        const said = await Promise.all([
          fewerOfThese(g.a, owner, { itemId: one.id }),
          fewerOfThese(replica, admin, { itemId: two.id }),
        ]);
        expect((await readWeights(g.a)).errand).toBe(0.25);
        const last = said.findIndex((result) => result.outcome === "fewer" && result.weight === 0.25);
        const order = last === 0 ? [one, two] : [two, one];
        for (const { id } of order) expect((await undo(g.a, owner, { itemId: id })).outcome).toBe("undone");
        expect(await readWeights(g.a)).toEqual({});
      }
    } finally {
      await other.close();
    }
  });

  it("hands a matter over as its own words and says that nobody has been given them", async () => {
    const { id } = await g.item({ title: "报价单", summary: "发给客户A" });
    const result = await carryOn(g.a, owner, { itemId: id });
    expect(result).toMatchObject({ outcome: "marked", connected: false });
    expect(result.handOver).toBe("报价单\n发给客户A\n> 2026-11-30T01:30:00.000Z 周四前把报价单发给客户A");
    expect(await carryOn(g.a, admin, { itemId: id })).toMatchObject({ outcome: "already", how: "carried_on" });
    expect(await audits("item.carry_on")).toBe(1);
  });

  it("opens again by a person's word, clean of what was before", async () => {
    const { id } = await g.item({ claimedDone: { at: new Date("2026-11-30T01:00:00Z"), evidence: [quote()] } });
    await closeItem(g.a, owner, { itemId: id, why: "dropped" });
    expect((await reopenItem(g.a, owner, { itemId: id })).outcome).toBe("reopened");
    expect(await item(id)).toMatchObject({
      status: "active",
      closedAt: null,
      closedBy: null,
      closedWhy: null,
      claimedDoneAt: null,
      claimedDoneEvidence: null,
    });
    expect((await reopenItem(g.a, owner, { itemId: id })).outcome).toBe("already_open");
  });

  it("lets workers add words and evidence to an active matter, and writes nothing when nothing is new", async () => {
    const { id } = await g.item();
    const more = quote("还差盖章", "120");
    const updated = await updateItem(g.a, worker, { itemId: id, momentum: "waiting", evidence: [quote(), more] });
    expect(updated).toMatchObject({ outcome: "updated", item: { momentum: "waiting" } });
    expect((await item(id)).evidence.map((piece) => piece.messageId)).toEqual(["101", "120"]);
    const before = await world();
    const again = await updateItem(g.a, worker, { itemId: id, momentum: "waiting", evidence: [more] });
    expect(again.outcome).toBe("unchanged");
    expect(await world()).toEqual(before);
  });

  it("redraws every card that shows the matter, in the decision's own transaction", async () => {
    const { id } = await g.item();
    const { postId } = await g.delivery([{ id }]);
    const wanted = async () => (await test.db.cardPost.findUniqueOrThrow({ where: { id: postId } })).wanted;
    await expect(
      inTransaction(test.db, async (tx) => {
        await closeItem({ ...g.a, db: tx }, owner, { itemId: id, why: "done" });
        throw new Error("killed before commit");
      }),
    ).rejects.toThrow("killed");
    expect([await wanted(), (await item(id)).status, await audits("item.done")]).toEqual([1, "active", 0]);
    await closeItem(g.a, owner, { itemId: id, why: "done" });
    expect(await wanted()).toBe(2);
  });

  it("sets a reminder for the very instant named, once per message, in the quiet hours too", async () => {
    const at = new Date("2026-11-30T18:30:00Z"); // 02:30 in Shanghai
    const input = { text: "起飞\u0000 \uD800", at, place: { chatType: "p2p" } as const, messageId: "om_7" };
    const [one, two] = [await setReminder(g.a, owner, input), await setReminder(g.a, owner, input)];
    expect(one).toMatchObject({
      outcome: "opened",
      item: { kind: "reminder", exact: true, dueAt: at, snoozedUntil: at, audience: "private" },
    });
    expect(two).toMatchObject({ outcome: "already", item: { id: one.item.id } });
    const mine = await setReminder(g.a, member, { ...input, messageId: "om_8" });
    expect(mine.item.audience).toBe(member.openId);
    for (const bad of [{ text: " \n" }, { at: new Date("2026-11-30T01:00:00Z") }, { at: new Date("2040-01-01") }]) {
      expect(await refusal(setReminder(g.a, owner, { ...input, messageId: "om_9", ...bad }))).toBe("invalid_input");
    }
  });

  it("numbers matters without gaps or repeats when many begin at once, each agent by itself", async () => {
    const begin = (scope: typeof g.a, n: number) =>
      openItem(scope, worker, { title: `m${n}`, kind: "promise", evidence: [], audience: "private" });
    const opened = await Promise.all(Array.from({ length: 12 }, (_, n) => begin(n % 2 ? g.a : g.b, n)));
    for (const scope of [g.a, g.b]) {
      const numbers = opened
        .filter(({ item: { agentId } }) => agentId === scope.agent.id)
        .map(({ item }) => item.number);
      expect(numbers.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6]);
    }
  });

  it("opens a matter once when two replicas find it at the same moment", async () => {
    const matter = { title: "报价单", kind: "promise", evidence: [], audience: "private", key: "s1 101" } as const;
    const opened = await Promise.all(Array.from({ length: 6 }, () => openItem(g.a, worker, matter)));
    expect(opened.filter(({ outcome }) => outcome === "opened")).toHaveLength(1);
    expect(new Set(opened.map(({ item }) => item.number)).size).toBe(1);
    expect(await audits("item.open")).toBe(1);
  });

  it("gives the first matter when the same one is opened again after a crash, even when it is closed by now", async () => {
    const matter = {
      title: "报价单",
      kind: "promise",
      evidence: [quote()],
      audience: "private",
      key: "s1 101 promise",
    } as const;
    const { item: first } = await openItem(g.a, worker, matter);
    await closeItem(g.a, owner, { itemId: first.id, why: "done" });
    const again = await openItem(g.a, worker, { ...matter, title: "other words" });
    expect(again).toMatchObject({ outcome: "already", item: { id: first.id, status: "closed", title: "报价单" } });
    expect((await openItem(g.b, worker, matter)).item.id).not.toBe(first.id);
    expect((await openItem(g.a, worker, { ...matter, key: "next" })).item.number).toBe(first.number + 1);
  });

  it("records before and after of every decision, by whom", async () => {
    const { id } = await g.item();
    const person: PersonActor = owner;
    await closeItem(g.a, person, { itemId: id, why: "done" });
    const entry = await test.db.auditEntry.findFirstOrThrow({ where: { agentId: "agent-a", what: "item.done" } });
    expect(entry).toMatchObject({ actorKind: "person", actorId: owner.openId, subjectKind: "item", subjectId: id });
    expect(entry.before).toMatchObject({ status: "active", closedBy: null });
    expect(entry.after).toMatchObject({ status: "closed", closedBy: owner.openId, closedWhy: "done" });
  });
});
