import { dueSlot } from "./due-slots.ts";
import type { Scope } from "./engine/scope.ts";
import { readSettings, type Settings } from "./engine/settings.ts";
import { everyFullMinute } from "./every-full-minute.ts";
import { type Job, type JobOutcome, RELEVANT_MINUTES } from "./job.ts";
import { ALREADY_RUNNING, lastSlot, runSlot, takeOver } from "./job-runs.ts";

export interface SchedulerOptions {
  /** One scope per agent; asked anew each time. */
  scopes(): readonly Scope[];
  jobs: readonly Job[];
  /** Calls back as each minute of the agent's clock begins and returns how to end that. Tests and the time machine put their own here. */
  wake?: (tick: () => void) => () => void;
  /** How long `stop` waits for running jobs. */
  stopWithinMs?: number;
  /** Calls back every so many ms, to renew leases. */
  repeat?: (ms: number, act: () => void) => () => void;
}

export interface JobReport {
  agentId: string;
  job: string;
  result: JobOutcome;
}

export interface Scheduler {
  /** Starts waking up, and looks at once what is due. */
  start(): void;
  /** Runs every job whose slot is due at the scope's present time and waits for them: what the time machine calls after a jump. */
  runDue(): Promise<JobReport[]>;
  /** Runs a job now for every agent, or for one, and waits. When it runs already, says so and starts nothing. */
  runJob(name: string, agentId?: string): Promise<JobReport[]>;
  /** There is work for a sweep. Returns at once; what arrives while it runs makes it run once more. Other jobs are refused. */
  poke(name: string): void;
  /** Resolves when nothing is running any more. */
  idle(): Promise<void>;
  /** Starts nothing new, asks running jobs to end, waits for them. @returns the names of those that did not end in time */
  stop(): Promise<string[]>;
}

const STOP_WITHIN_MS = 20_000;

/**
 * Wakes each minute, asks `due-slots` what is due, and runs it. A slot's row (agent:job:slot) makes it happen once over
 * all replicas; its lease lets another replica take over when this one dies. A job that fails is an incident of its own
 * and stops no other; a job still running is not started again.
 */
export function createScheduler(options: SchedulerOptions): Scheduler {
  const now = (): Date => options.scopes()[0]?.clock.now() ?? new Date();
  const wake = options.wake ?? ((tick: () => void) => everyFullMinute(now, tick));
  const jobs = new Map(options.jobs.map((job) => [job.name, job]));
  if (jobs.size !== options.jobs.length) throw new Error("two jobs of one name");
  const running = new Map<string, Promise<JobOutcome>>();
  const again = new Set<string>();
  /** Newest slot dealt with, by agent and job. */
  const dealtWith = new Map<string, Date>();
  const stopping = new AbortController();
  let endWaking: (() => void) | undefined;

  /** One run in this process at a time. Never rejects. */
  function once(scope: Scope, job: Job, act: () => Promise<JobOutcome>): Promise<JobOutcome> {
    const key = keyOf(scope, job);
    if (running.has(key)) return Promise.resolve(ALREADY_RUNNING);
    if (stopping.signal.aborted) return Promise.resolve(STOPPING);
    const run = Promise.resolve()
      .then(act)
      .catch((error: unknown): JobOutcome => {
        const ref = scope.log.incident("job.failed", error, { agentId: scope.agent.id, job: job.name });
        return { outcome: "failed", reason: ref };
      })
      .finally(() => {
        running.delete(key);
        if (again.delete(key)) void once(scope, job, act);
      });
    running.set(key, run);
    return run;
  }

  const context = { signal: stopping.signal };
  const holding = { signal: stopping.signal, repeat: options.repeat ?? everyMs };

  async function dueNow(scope: Scope, job: Job, settings: Settings): Promise<JobOutcome | undefined> {
    const key = keyOf(scope, job);
    const now = scope.clock.now();
    const known = dealtWith.get(key);
    // A clock that was set back (or a time machine that returned) forgets what lay ahead; the slots' rows do not.
    const after = known !== undefined && known <= now ? known : await lastSlot(scope, job);
    const rule = {
      when: job.when(settings),
      missed: job.missed,
      relevantMinutes: job.relevantMinutes ?? RELEVANT_MINUTES,
    };
    const due = dueSlot(rule, after, now, settings.zone);
    if (due.missed.length > 0 && !job.sweep) {
      scope.log.warn("job.missed", {
        agentId: scope.agent.id,
        job: job.name,
        slots: due.missed.length,
        first: due.missed[0]?.toISOString(),
        last: due.missed.at(-1)?.toISOString(),
      });
    }
    const last = due.missed.at(-1) ?? after;
    if (last) dealtWith.set(key, last);
    const result = await runDueSlot(scope, job, due.run);
    // Only a slot that was really tried is dealt with; one that found the job running is looked at again in a minute.
    if (due.run && result && (job.sweep || wasTried(result))) dealtWith.set(key, due.run);
    return result;
  }

  async function runDueSlot(scope: Scope, job: Job, slot: Date | undefined): Promise<JobOutcome | undefined> {
    if (job.sweep) {
      // One that runs already may have looked before the minute (or the clock) moved on: it looks once more.
      if (slot && running.has(keyOf(scope, job))) again.add(keyOf(scope, job));
      return slot && once(scope, job, () => job.run(scope, context));
    }
    if (!running.has(keyOf(scope, job))) {
      const taken = await once(scope, job, async () => (await takeOver(scope, job, holding)) ?? NOTHING_TO_TAKE_OVER);
      if (taken !== NOTHING_TO_TAKE_OVER) return taken;
    }
    const id = `${scope.agent.id}:${job.name}:${slot?.toISOString()}`;
    return slot && once(scope, job, () => runSlot(scope, job, slot, id, holding));
  }

  async function runDue(): Promise<JobReport[]> {
    const reports: Promise<JobReport | undefined>[] = [];
    for (const scope of options.scopes()) {
      try {
        const settings = await readSettings(scope);
        for (const job of jobs.values()) reports.push(report(scope, job, () => dueNow(scope, job, settings)));
      } catch (error) {
        scope.log.incident("scheduler.failed", error, { agentId: scope.agent.id });
      }
    }
    return (await Promise.all(reports)).filter((result) => result !== undefined);
  }

  async function report(
    scope: Scope,
    job: Job,
    act: () => Promise<JobOutcome | undefined>,
  ): Promise<JobReport | undefined> {
    try {
      const result = await act();
      return result && { agentId: scope.agent.id, job: job.name, result };
    } catch (error) {
      const ref = scope.log.incident("job.failed", error, { agentId: scope.agent.id, job: job.name });
      return { agentId: scope.agent.id, job: job.name, result: { outcome: "failed", reason: ref } };
    }
  }

  async function runJob(name: string, agentId?: string): Promise<JobReport[]> {
    const job = find(name);
    const scopes = options.scopes().filter((scope) => agentId === undefined || scope.agent.id === agentId);
    const reports = scopes.map((scope) =>
      report(scope, job, () =>
        once(scope, job, () =>
          job.sweep
            ? job.run(scope, context)
            : runSlot(scope, job, scope.clock.now(), `${scope.agent.id}:${name}:asked:${scope.ids.opaque()}`, holding),
        ),
      ),
    );
    return (await Promise.all(reports)).filter((result) => result !== undefined);
  }

  function find(name: string): Job {
    const job = jobs.get(name);
    if (!job) throw new Error(`no job "${name}"; there are: ${[...jobs.keys()].join(", ")}`);
    return job;
  }

  async function idle(): Promise<void> {
    while (running.size > 0) await Promise.allSettled(running.values());
  }

  return {
    start() {
      const tick = (): void => void runDue();
      endWaking ??= wake(tick);
      tick();
    },
    runDue,
    runJob,
    poke(name) {
      const job = find(name);
      if (!job.sweep) throw new Error(`${name} is no sweep: only sweeps can be poked`);
      if (stopping.signal.aborted) return;
      for (const scope of options.scopes()) {
        const key = keyOf(scope, job);
        if (running.has(key)) again.add(key);
        else void once(scope, job, () => job.run(scope, context));
      }
    },
    idle,
    async stop() {
      endWaking?.();
      endWaking = undefined;
      stopping.abort();
      const within = options.stopWithinMs ?? STOP_WITHIN_MS;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<"late">((resolve) => {
        timer = setTimeout(() => resolve("late"), within);
      });
      await Promise.race([idle(), late]);
      clearTimeout(timer);
      return [...running.keys()];
    },
  };
}

const NOTHING_TO_TAKE_OVER: JobOutcome = { outcome: "no_op", reason: "nothing_to_take_over" };
const STOPPING: JobOutcome = { outcome: "no_op", reason: "stopping" };

/** False when the run never came to write its row: it may still be due. */
function wasTried(result: JobOutcome): boolean {
  return result.outcome === "done" || (result !== ALREADY_RUNNING && result !== STOPPING && result.outcome === "no_op");
}

function keyOf(scope: Scope, job: Job): string {
  return `${scope.agent.id}:${job.name}`;
}

function everyMs(ms: number, act: () => void): () => void {
  const timer = setInterval(act, ms);
  timer.unref();
  return () => clearInterval(timer);
}
