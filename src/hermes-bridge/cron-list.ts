import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { EngineError } from "../engine/errors.ts";
import type { CronJob, CronList } from "../engine/ports.ts";

const text = z.string().nullish().catch(undefined);
const instant = z
  .string()
  .transform((written) => new Date(written))
  .refine((at) => !Number.isNaN(at.getTime()))
  .nullish()
  .catch(undefined);

const jobSchema = z.object({
  id: z.string(),
  name: text,
  schedule_display: text,
  schedule: z.object({ display: text }).nullish().catch(undefined),
  enabled: z.boolean().catch(true),
  state: text,
  next_run_at: instant,
  last_run_at: instant,
  last_status: text,
  last_error: text,
  last_delivery_error: text,
});

/** Hermes replaces the file as a whole; a reader that meets it half way finds it whole a moment later. */
const TRIES = 3;
const PAUSE_MS = 50;

/** The CronList port on `cron/jobs.json` of a Hermes home, read afresh each time. A broken job is left out. */
export class HermesCronList implements CronList {
  readonly #path: string;

  constructor(hermesHome: string) {
    this.#path = join(hermesHome, "cron", "jobs.json");
  }

  async list(): Promise<readonly CronJob[]> {
    for (let tries = 1; ; tries++) {
      try {
        const { jobs } = z.object({ jobs: z.array(z.unknown()) }).parse(JSON.parse(await readFile(this.#path, "utf8")));
        return jobs.flatMap((job) => {
          const parsed = jobSchema.safeParse(job);
          return parsed.success ? [cronJob(parsed.data)] : [];
        });
      } catch (cause) {
        if ((cause as NodeJS.ErrnoException).code === "ENOENT") return [];
        if (tries === TRIES) throw new EngineError("unavailable", { what: "hermes", why: "cron_list" }, { cause });
        await setTimeout(PAUSE_MS);
      }
    }
  }
}

function cronJob(job: z.infer<typeof jobSchema>): CronJob {
  return {
    id: job.id,
    name: job.name || job.id,
    schedule: job.schedule_display || job.schedule?.display || "",
    enabled: job.enabled && job.state !== "paused",
    ...(job.next_run_at && { nextRunAt: job.next_run_at }),
    ...(job.last_run_at && { lastRunAt: job.last_run_at }),
    ...(job.last_status && { lastStatus: job.last_status }),
    ...(job.last_error && { lastError: job.last_error }),
    ...(job.last_delivery_error && { lastDeliveryError: job.last_delivery_error }),
  };
}
