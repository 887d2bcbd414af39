import type { CronJob } from "../../ports.ts";
import { type DocumentLook, inline, quoted, section, stamp } from "./look.ts";

export interface CronView {
  job: CronJob;
  /** There for failed jobs: they may be cited. */
  source?: number;
}

/** Hermes' scheduled jobs: schedule, next run, last status. `undefined`: the list could not be read. */
export function scheduledCronsDocument(crons: readonly CronView[] | undefined, look: DocumentLook): string {
  const words = look.texts.documents;
  if (!crons) return `${words.crons}\n\n${words.cronsUnavailable}\n`;
  return section(
    words.crons,
    crons.map((view) => entry(view, look)),
    look,
  );
}

/** Did the last run, or telling about it, go wrong? */
export function hasFailed(job: CronJob): boolean {
  return (job.lastStatus !== undefined && job.lastStatus !== "ok") || Boolean(job.lastError || job.lastDeliveryError);
}

function entry({ job, source }: CronView, look: DocumentLook): string {
  const words = look.texts.documents;
  const facts = [
    `${words.schedule}: ${inline(job.schedule)}`,
    !job.enabled && words.disabled,
    job.nextRunAt && `${words.nextRun}: ${stamp(job.nextRunAt, look)}`,
    job.lastRunAt && `${words.lastRun}: ${stamp(job.lastRunAt, look)} ${job.lastStatus ?? ""}`.trim(),
  ];
  const error = job.lastError || job.lastDeliveryError;
  return [
    `## ${source === undefined ? "" : `[source:${source}] `}${inline(job.name)}`,
    ...facts.filter((fact) => typeof fact === "string").map((fact) => `- ${fact}`),
    ...(error ? [`- ${words.error}:`, quoted(error, look)] : []),
    "",
  ].join("\n");
}
