import { afterEach, beforeEach, expect, it } from "vitest";
import { wantCard } from "../../../src/engine/card-posts.ts";
import { inTransaction, openDb } from "../../../src/engine/db.ts";
import { finishEvent } from "../../../src/engine/inbox/finish-event.ts";
import { claimNextMessage, MOST_TRIES } from "../../../src/engine/inbox/next-message.ts";
import { releaseMessage } from "../../../src/engine/inbox/release-message.ts";
import { takeEvent } from "../../../src/engine/inbox/take-event.ts";
import { tidyInbox } from "../../../src/engine/inbox/tidy-inbox.ts";
import { type Given, given, scopeOn } from "../../helpers/given.ts";
import { describeBothDatabases, type TestDb } from "../../helpers/test-db.ts";

describeBothDatabases("the inbox", (open) => {
  let test: TestDb;
  let g: Given;

  beforeEach(async () => {
    test = await open();
    g = given(test.db);
  });
  afterEach(() => test.release());

  const tap = (key: string) =>
    takeEvent(g.a, { dedupeKey: key, kind: "tap", chatId: "oc_1", senderOpenId: "ou_owner", payload: { value: {} } });
  const finish = (seq: number, answer?: Record<string, unknown>) =>
    inTransaction(test.db, (tx) => finishEvent(tx, g.a, seq, { status: "done", ...(answer && { answer }) }));
  const claim = async () => {
    const message = await claimNextMessage(g.a);
    if (!message) throw new Error("no message");
    return message;
  };

  it("answers a tap delivered again after 5 minutes, 1 hour, 6 hours and a restart as before", async () => {
    const first = await tap("app ev_9");
    expect(first.fresh).toBe(true);
    const answer = { toast: { type: "success", content: "已完成" } };
    await finish(first.seq, answer);
    for (const minutes of [5, 55, 300]) {
      g.a.clock.advance({ minutes });
      await tidyInbox(g.a, 1000);
      const restarted = await openDb(test.url);
      const scope = scopeOn(restarted.db, { clock: g.a.clock });
      const again = await takeEvent(scope, { dedupeKey: "app ev_9", kind: "tap", payload: {} });
      expect(again).toEqual({ fresh: false, seq: first.seq, status: "done", answer });
      await restarted.close();
    }
    expect((await test.db.inboxEvent.findUnique({ where: { seq: first.seq } }))?.repeats).toBe(3);
  });

  it("takes one of many deliveries of an event at once", async () => {
    const other = await openDb(test.url);
    try {
      const replica = scopeOn(other.db, { clock: g.a.clock });
      const arrival = { dedupeKey: "app om_1", kind: "message", chatId: "oc_1", payload: { text: "hi" } } as const;
      const taken = await Promise.all(Array.from({ length: 10 }, (_, n) => takeEvent(n % 2 ? g.a : replica, arrival)));
      expect(taken.filter(({ fresh }) => fresh)).toHaveLength(1);
      expect(new Set(taken.map(({ seq }) => seq)).size).toBe(1);
    } finally {
      await other.close();
    }
  });

  it("gives a repeat that arrives while the tap is in work the answer of that work", async () => {
    let work = Promise.resolve();
    let second: Promise<unknown> = Promise.resolve();
    work = inTransaction(test.db, async (tx) => {
      const taken = await takeEvent({ ...g.a, db: tx }, { dedupeKey: "k", kind: "tap", payload: {} });
      second = tap("k");
      await new Promise((resolve) => setTimeout(resolve, 50));
      await finishEvent(tx, g.a, taken.seq, { status: "done", answer: { toast: "one" } });
    });
    await work;
    expect(await second).toMatchObject({ fresh: false, status: "done", answer: { toast: "one" } });
  });

  it("takes the event anew when the work on it was rolled back", async () => {
    await expect(
      inTransaction(test.db, async (tx) => {
        await takeEvent({ ...g.a, db: tx }, { dedupeKey: "k", kind: "tap", payload: {} });
        throw new Error("killed");
      }),
    ).rejects.toThrow("killed");
    expect((await tap("k")).fresh).toBe(true);
  });

  it("stores what no database likes: NUL, lone surrogates, emoji", async () => {
    const { seq } = await takeEvent(g.a, {
      dedupeKey: "odd",
      kind: "message",
      payload: { text: "a\u0000b\uD800c👨‍👩‍👧", "k\u0000": [null, { x: undefined, y: "\uDC00" }] },
    });
    const row = await test.db.inboxEvent.findUniqueOrThrow({ where: { seq } });
    expect(row.payload).toEqual({ text: "ab�c👨‍👩‍👧", k: [null, { y: "�" }] });
  });

  it("hands out the messages of a chat in order, one at a time, and lets other chats pass", async () => {
    const one = await g.message("oc_1", "first");
    const two = await g.message("oc_1", "second");
    const other = await g.message("oc_2", "elsewhere");
    expect((await claim()).seq).toBe(one);
    expect((await claim()).seq).toBe(other);
    expect(await claimNextMessage(g.a)).toBeUndefined();
    await finish(one);
    expect(await claim()).toMatchObject({
      seq: two,
      payload: { text: "second" },
      attempts: 1,
      senderOpenId: "ou_owner",
    });
  });

  it("gives a message to one of several replicas", async () => {
    for (let n = 0; n < 6; n++) await g.message(`oc_${n}`, "hi");
    const other = await openDb(test.url);
    try {
      const replica = scopeOn(other.db, { clock: g.a.clock });
      const taken = await Promise.all(Array.from({ length: 12 }, (_, n) => claimNextMessage(n % 2 ? g.a : replica)));
      const seqs = taken.flatMap((message) => (message ? [message.seq] : []));
      expect(seqs).toHaveLength(6);
      expect(new Set(seqs).size).toBe(6);
    } finally {
      await other.close();
    }
  });

  it("finds a message behind hundreds that wait for their chat", async () => {
    for (let n = 0; n < 110; n++) await g.message("oc_1", `m${n}`);
    const last = await g.message("oc_2", "elsewhere");
    await claim();
    expect((await claim()).seq).toBe(last);
  });

  it("gives exactly one answer when the process dies before or after the answer's transaction", async () => {
    const seq = await g.message("oc_1", "/items");
    const work = async (dies: boolean) => {
      const message = await claimNextMessage(g.a);
      if (!message) return;
      await inTransaction(test.db, async (tx) => {
        if (!(await finishEvent(tx, g.a, message.seq, { status: "done" }))) return;
        await wantCard(tx, g.a, {
          subject: { kind: "line", id: `${message.seq}` },
          view: { text: "…" },
          to: { chatId: "oc_1" },
          language: "zh",
          idempotencyKey: `reply-${message.seq}`,
        });
        if (dies) throw new Error("killed");
      });
    };
    await expect(work(true)).rejects.toThrow("killed");
    await work(false);
    expect(await test.db.cardPost.count()).toBe(0);
    g.a.clock.advance({ minutes: 2 });
    await work(false);
    await work(false);
    expect(await test.db.cardPost.count()).toBe(1);
    expect(await test.db.inboxEvent.findUnique({ where: { seq } })).toMatchObject({ status: "done", attempts: 2 });
  });

  it("finishes an event once", async () => {
    const seq = await g.message("oc_1", "hi");
    expect(await Promise.all([finish(seq), finish(seq)])).toEqual(expect.arrayContaining([true, false]));
  });

  it("tries a failing message with growing pauses, then sets it aside with one incident and goes on", async () => {
    const bad = await g.message("oc_1", "bad");
    const good = await g.message("oc_1", "good");
    const waits: number[] = [];
    for (let attempt = 1; attempt <= MOST_TRIES; attempt++) {
      const message = await claim();
      expect(message).toMatchObject({ seq: bad, attempts: attempt });
      const outcome = await releaseMessage(g.a, message, new Error("nope"));
      expect(outcome).toBe(attempt < MOST_TRIES ? "retry" : "failed");
      let seconds = 0;
      while (attempt < MOST_TRIES && !(await isFree(bad))) {
        expect(await claimNextMessage(g.a)).toBeUndefined();
        g.a.clock.advance({ seconds: 1 });
        seconds += 1;
      }
      waits.push(seconds);
    }
    expect(waits.slice(0, -1)).toEqual([2, 10, 30, 60]);
    expect((await claim()).seq).toBe(good);
    expect(g.a.log.of("inbox.set_aside")).toHaveLength(1);
    const row = await test.db.inboxEvent.findUnique({ where: { seq: bad } });
    expect(row).toMatchObject({ status: "failed", error: "nope", handledAt: g.a.clock.now() });
  });

  it("sets aside a message that kills the process every time", async () => {
    const bad = await g.message("oc_1", "killer");
    const good = await g.message("oc_1", "good");
    for (let n = 0; n < MOST_TRIES; n++) {
      expect((await claim()).seq).toBe(bad);
      g.a.clock.advance({ minutes: 2 });
    }
    expect((await claim()).seq).toBe(good);
    expect(g.a.log.of("inbox.set_aside")).toHaveLength(1);
  });

  it("lets a holder whose lease ran out no longer release what another works on", async () => {
    await g.message("oc_1", "slow");
    const slow = await claim();
    g.a.clock.advance({ minutes: 2 });
    const taker = await claim();
    expect(await releaseMessage(g.a, slow, new Error("late"))).toBe("lost");
    expect(await finish(taker.seq)).toBe(true);
  });

  it("forgets handled events after two days and waiting ones never, another agent's not at all", async () => {
    const waiting = await g.message("oc_1", "still waiting");
    const handled = (await tap("t")).seq;
    await finish(handled);
    const late = await g.message("oc_2", "handled late");
    g.a.clock.advance({ hours: 30 });
    await finish(late);
    g.a.clock.advance({ hours: 19 });
    expect(await tidyInbox(g.a, 1000)).toBe(1);
    const left = await test.db.inboxEvent.findMany({ where: { agentId: "agent-a" }, select: { seq: true } });
    expect(left.map(({ seq }) => seq).sort()).toEqual([waiting, late].sort());
    g.a.clock.advance({ days: 30 });
    expect(await tidyInbox(g.a, 1000)).toBe(1);
    expect(await test.db.inboxEvent.count({ where: { agentId: "agent-b" } })).toBe(2);
  });

  async function isFree(seq: number): Promise<boolean> {
    const { leaseUntil } = await test.db.inboxEvent.findUniqueOrThrow({ where: { seq } });
    return leaseUntil === null || leaseUntil <= g.a.clock.now();
  }
});
