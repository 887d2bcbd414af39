import { afterEach, beforeEach, expect, it } from "vitest";
import { openDb } from "../src/engine/db.ts";
import { JOB_LEASE_MS } from "../src/engine/lease.ts";
import { dailyAt, every, type Job, type JobOutcome } from "../src/job.ts";
import { createScheduler, type Scheduler, type SchedulerOptions } from "../src/scheduler.ts";
import { type Given, given, scopeOn } from "./helpers/given.ts";
import { describeBothDatabases, type TestDb } from "./helpers/test-db.ts";

/** A promise and the way to end it. */
function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describeBothDatabases("the scheduler", (open) => {
  let test: TestDb;
  let g: Given;
  const schedulers: Scheduler[] = [];

  beforeEach(async () => {
    test = await open();
    g = given(test.db);
  });
  afterEach(async () => {
    await Promise.all(schedulers.splice(0).map((scheduler) => scheduler.stop()));
    await test.release();
  });

  const tickJob = (run: Job["run"], more: Partial<Job> = {}): Job => ({
    name: "tick",
    when: () => every(15),
    missed: "skip",
    run,
    ...more,
  });
  const scheduler = (jobs: Job[], more: Partial<SchedulerOptions> = {}): Scheduler => {
    const made = createScheduler({ scopes: () => [g.a], jobs, wake: () => () => {}, repeat: () => () => {}, ...more });
    schedulers.push(made);
    return made;
  };
  const done = async (): Promise<JobOutcome> => ({ outcome: "done" });
  const counting = (count: () => unknown) => async (): Promise<JobOutcome> => {
    count();
    return { outcome: "done" };
  };
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const rows = () => test.db.jobRun.findMany({ orderBy: { slotAt: "asc" } });

  it("runs a slot once over two replicas and any number of wakes", async () => {
    let runs = 0;
    const job = tickJob(async () => {
      runs += 1;
      return { outcome: "no_op", reason: "nothing_new" };
    });
    const other = await openDb(test.url);
    try {
      const one = scheduler([job]);
      const two = scheduler([job], { scopes: () => [scopeOn(other.db, { clock: g.a.clock })] });
      await Promise.all([one.runDue(), two.runDue(), one.runDue(), two.runDue()]);
      await one.runDue();
      expect(runs).toBe(1);
      g.a.clock.advance({ minutes: 15 });
      await Promise.all([two.runDue(), one.runDue()]);
      expect(runs).toBe(2);
    } finally {
      await other.close();
    }
    expect(await rows()).toMatchObject([
      { outcome: "no_op", reason: "nothing_new", leaseUntil: null },
      { outcome: "no_op", reason: "nothing_new" },
    ]);
  });

  it("writes no row in a quiet minute", async () => {
    const made = scheduler([tickJob(done), { ...tickJob(done), name: "sweep", sweep: true, when: () => every(1) }]);
    await made.runDue();
    const before = await rows();
    for (let minute = 0; minute < 14; minute++) {
      g.a.clock.advance({ minutes: 1 });
      await made.runDue();
    }
    expect(await rows()).toEqual(before);
  });

  it("keeps the agents' jobs apart", async () => {
    const ran: string[] = [];
    const job = tickJob(async (scope) => {
      ran.push(scope.agent.id);
      if (scope.agent.id === "agent-a") throw new Error("only here");
      return { outcome: "done" };
    });
    await scheduler([job], { scopes: () => [g.a, g.b] }).runDue();
    expect(ran.sort()).toEqual(["agent-a", "agent-b"]);
    expect((await rows()).map(({ agentId, outcome }) => [agentId, outcome]).sort()).toEqual([
      ["agent-a", "failed"],
      ["agent-b", "done"],
    ]);
  });

  it("lets a failing job stop no other, and makes it one incident with a reference", async () => {
    const ran: string[] = [];
    const failing = tickJob(async () => {
      throw new Error("broken");
    });
    const sweep: Job = { ...tickJob(done), name: "sweep", sweep: true, run: counting(() => ran.push("sweep")) };
    const reports = await scheduler([failing, sweep]).runDue();
    expect(ran).toEqual(["sweep"]);
    const incidents = g.a.log.of("job.failed");
    expect(incidents).toHaveLength(1);
    const [row] = await rows();
    expect(row).toMatchObject({ outcome: "failed", error: "Error: broken" });
    expect(reports.find(({ job }) => job === "tick")?.result).toEqual({ outcome: "failed", reason: row?.reason });
  });

  it("does not start a job that is still running, by whatever door", async () => {
    const { opened, open: finish } = gate();
    let runs = 0;
    const made = scheduler([
      tickJob(async () => {
        runs += 1;
        await opened;
        return { outcome: "done" };
      }),
    ]);
    const first = made.runDue();
    while (runs === 0) await turn();
    const second = made.runJob("tick");
    g.a.clock.advance({ minutes: 15 });
    const third = made.runDue();
    expect((await second)[0]?.result).toEqual({ outcome: "no_op", reason: "already_running" });
    await third;
    finish();
    await first;
    expect(runs).toBe(1);
    // What found it running is looked at again.
    await made.runDue();
    expect(runs).toBe(2);
  });

  it("does not start a job that another replica is still running in a later slot", async () => {
    const { opened, open: finish } = gate();
    let runs = 0;
    const job = tickJob(async () => {
      runs += 1;
      await opened;
      return { outcome: "done" };
    });
    const one = scheduler([job]);
    const two = scheduler([job]);
    const running = one.runDue();
    while (runs === 0) await turn();
    g.a.clock.advance({ minutes: 1 });
    expect((await two.runJob("tick"))[0]?.result).toEqual({ outcome: "no_op", reason: "already_running" });
    finish();
    await running;
    expect(runs).toBe(1);
  });

  it("takes over the run of a replica that died, once its lease has run out, and only once", async () => {
    const dead = { id: "agent-a:tick:x", agentId: "agent-a", job: "tick", outcome: null };
    const slotAt = new Date("2026-11-30T02:00:00Z");
    const leaseUntil = new Date(g.a.clock.now().getTime() + JOB_LEASE_MS);
    await test.db.jobRun.create({ data: { ...dead, slotAt, startedAt: slotAt, leaseUntil } });
    let runs = 0;
    const job = tickJob(async () => {
      runs += 1;
      return { outcome: "done" };
    });
    const [one, two] = [scheduler([job]), scheduler([job])];
    await one.runDue();
    expect(runs).toBe(0);
    g.a.clock.advance({ ms: JOB_LEASE_MS });
    await Promise.all([one.runDue(), two.runDue()]);
    expect(runs).toBe(1);
    expect(await test.db.jobRun.findUnique({ where: { id: dead.id } })).toMatchObject({ outcome: "done" });
    expect(g.a.log.of("job.take_over")).toHaveLength(1);
  });

  it("is not held up by the lease of a run from a clock that ran ahead", async () => {
    let runs = 0;
    const ahead = new Date("2026-11-30T09:00:00Z");
    await test.db.jobRun.create({
      data: { id: "x", agentId: "agent-a", job: "tick", slotAt: g.a.clock.now(), startedAt: ahead, leaseUntil: ahead },
    });
    const made = scheduler([tickJob(counting(() => runs++))]);
    await made.runDue();
    expect(runs).toBe(1);
  });

  it("renews its lease while a job runs, so that a long one is not taken over", async () => {
    const { opened, open: finish } = gate();
    let renew = (): void => {};
    let runs = 0;
    const job = tickJob(async () => {
      runs += 1;
      await opened;
      return { outcome: "done" };
    });
    const one = scheduler([job], {
      repeat: (_, act) => {
        renew = act;
        return () => {};
      },
    });
    const two = scheduler([job]);
    const running = one.runDue();
    while (runs === 0) await turn();
    for (let n = 0; n < 5; n++) {
      g.a.clock.advance({ ms: JOB_LEASE_MS / 2 });
      renew();
      const expected = new Date(g.a.clock.now().getTime() + JOB_LEASE_MS);
      await expect.poll(async () => (await rows())[0]?.leaseUntil).toEqual(expected);
      await two.runDue();
    }
    finish();
    await running;
    expect(runs).toBe(1);
    expect((await rows())[0]).toMatchObject({ outcome: "done", leaseUntil: null });
  });

  it("catches up with a missed daily job once after downtime, and says what was missed", async () => {
    let runs = 0;
    const dream: Job = {
      name: "dream",
      when: () => dailyAt("01:00"),
      missed: "run_once",
      run: counting(() => runs++),
    };
    g.a.clock.set("2026-11-26T17:00:00Z"); // 01:00 on the 27th in Shanghai
    await scheduler([dream]).runDue();
    g.a.clock.set("2026-11-30T01:00:00Z"); // 09:00 on the 30th
    const restarted = scheduler([dream]);
    await restarted.runDue();
    await restarted.runDue();
    expect(runs).toBe(2);
    expect((await rows()).map(({ slotAt }) => slotAt.toISOString())).toEqual([
      "2026-11-26T17:00:00.000Z",
      "2026-11-29T17:00:00.000Z",
    ]);
    expect(g.a.log.of("job.missed")[0]?.facts).toMatchObject({ job: "dream", slots: 2 });
  });

  it("repeats no slot when the clock is set back, and is not held up by rows from a clock that ran ahead", async () => {
    let runs = 0;
    const job = tickJob(counting(() => runs++));
    const made = scheduler([job]);
    await made.runDue();
    g.a.clock.advance({ hours: 24 * 365 });
    await made.runDue();
    expect(runs).toBe(2);
    g.a.clock.set("2026-11-30T02:00:30Z");
    await made.runDue();
    expect(runs).toBe(2);
    g.a.clock.set("2026-11-30T02:15:00Z");
    await made.runDue();
    expect(runs).toBe(3);
    g.a.clock.set("2026-11-30T02:05:00Z");
    await made.runDue();
    g.a.clock.set("2026-11-30T02:16:00Z");
    await scheduler([job]).runDue();
    expect(runs).toBe(3);
  });

  it("runs a sweep once more for what arrives while it runs, however often it is poked", async () => {
    const gates = [gate(), gate()];
    let runs = 0;
    const sweep: Job = {
      ...tickJob(async () => {
        await gates[runs++]?.opened;
        return { outcome: "done" };
      }),
      name: "sweep",
      sweep: true,
    };
    const made = scheduler([sweep, tickJob(done)]);
    for (let n = 0; n < 5; n++) made.poke("sweep");
    for (const { open: finish } of gates) finish();
    await made.idle();
    expect(runs).toBe(2);
    expect(await rows()).toEqual([]);
    expect(() => made.poke("tick")).toThrow(/no sweep/);
    expect(() => made.poke("nothing")).toThrow(/no job "nothing"/);
  });

  it("waits for what runs when it is stopped, tells it, and starts nothing more", async () => {
    const started = gate();
    let runs = 0;
    let ended = false;
    const made = scheduler([
      tickJob(async (_, { signal }) => {
        runs += 1;
        started.open();
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => setImmediate(resolve)));
        ended = true;
        return { outcome: "done" };
      }),
    ]);
    const running = made.runDue();
    await started.opened;
    expect(await made.stop()).toEqual([]);
    expect(ended).toBe(true);
    await running;
    g.a.clock.advance({ minutes: 15 });
    await made.runDue();
    expect(runs).toBe(1);
    expect((await rows())[0]?.outcome).toBe("done");
  });

  it("names what would not end in time", async () => {
    const { opened, open: finish } = gate();
    const made = scheduler([tickJob(() => opened.then(done))], { stopWithinMs: 20 });
    const running = made.runDue();
    while ((await rows()).length === 0) await turn();
    expect(await made.stop()).toEqual(["agent-a:tick"]);
    finish();
    await running;
  });

  it("lets a sweep that still runs when the next minute comes look once more", async () => {
    let runs = 0;
    const { opened, open: finish } = gate();
    const sweep = tickJob(
      async () => {
        runs += 1;
        if (runs === 1) await opened;
        return { outcome: "done" };
      },
      { name: "sweep", sweep: true, when: () => every(1) },
    );
    const made = scheduler([sweep]);
    const first = made.runDue();
    await expect.poll(() => runs).toBe(1);
    g.a.clock.advance({ hours: 8 });
    await made.runDue();
    finish();
    await first;
    await made.idle();
    expect(runs).toBe(2);
  });

  it("looks at once when it starts, and with every wake", async () => {
    let runs = 0;
    let tick = (): void => {};
    let ended = false;
    const made = scheduler([tickJob(counting(() => runs++))], {
      wake: (act) => {
        tick = act;
        return () => {
          ended = true;
        };
      },
    });
    made.start();
    await expect.poll(() => runs).toBe(1);
    g.a.clock.advance({ minutes: 15 });
    tick();
    await expect.poll(() => runs).toBe(2);
    await made.stop();
    expect(ended).toBe(true);
  });

  it("runs a job that is asked for, each time, whatever its slot", async () => {
    let runs = 0;
    const made = scheduler([tickJob(counting(() => runs++))], { scopes: () => [g.a, g.b] });
    await made.runJob("tick", "agent-a");
    await made.runJob("tick", "agent-a");
    expect(runs).toBe(2);
    await expect(made.runJob("nothing")).rejects.toThrow(/no job "nothing"/);
    // Being asked for does not use up the slot.
    await made.runDue();
    expect(runs).toBe(4);
  });
});
