import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { oneLine } from "../engine/clean-text.ts";
import { maskSecrets } from "../engine/mask-secrets.ts";
import type { CronList, HiddenQueues, Waiting } from "../engine/ports.ts";
import { type Undelivered, undeliveredExecutions } from "./undelivered-executions.ts";

/** Files of one kind read at most: nobody looks through more. */
const MOST_FILES = 300;
/** A waiting write of a whole skill may be long; its summary stands at the top of the record. */
const MOST_BYTES = 2_000_000;
const TITLE_CHARS = 200;

/** As Hermes writes them; whatever is missing is left out, whatever is new is ignored. */
const writeSchema = z.object({
  id: z.string().min(1).max(100).optional().catch(undefined),
  action: z.string().catch(""),
  summary: z.string().catch(""),
  origin: z.string().catch(""),
  created_at: z.number().optional().catch(undefined),
  payload: z
    .object({ name: z.string().catch(""), content: z.string().catch(""), target: z.string().catch("") })
    .catch({ name: "", content: "", target: "" }),
});
const suggestionSchema = z.object({
  id: z.string().min(1),
  title: z.string().min(1),
  description: z.string().catch(""),
  status: z.string(),
  created_at: z.string().optional().catch(undefined),
});

/**
 * What waits in Hermes for a person and shows nowhere: writes to memory and skills that want approval, cron jobs it suggests,
 * deliveries that failed. Read only, whatever Hermes holds; a damaged file is counted and passed over.
 */
export class HermesHiddenQueues implements HiddenQueues {
  readonly #home: string;
  readonly #crons: CronList;

  constructor(home: string, crons: CronList) {
    this.#home = home;
    this.#crons = crons;
  }

  async read(): Promise<{ waiting: readonly Waiting[]; unreadable: number }> {
    const memory = this.#writes("memory", "memory_write");
    const skills = this.#writes("skills", "skill_write");
    const suggestions = this.#suggestions();
    const failed = await this.#failedDeliveries();
    const all = [memory, skills, suggestions, failed];
    return {
      waiting: all
        .flatMap((each) => each.waiting)
        .sort((a, b) => (a.since?.getTime() ?? 0) - (b.since?.getTime() ?? 0)),
      unreadable: all.reduce((sum, each) => sum + each.unreadable, 0),
    };
  }

  #writes(folder: "memory" | "skills", kind: Waiting["kind"]): Read {
    const place = join(this.#home, "pending", folder);
    if (!existsSync(place)) return { waiting: [], unreadable: 0 };
    const read: Read = { waiting: [], unreadable: 0 };
    for (const name of namesIn(place)
      .filter((each) => each.endsWith(".json"))
      .slice(0, MOST_FILES)) {
      const record = writeSchema.safeParse(readJson(join(place, name))).data;
      if (record === undefined) {
        read.unreadable++;
        continue;
      }
      const title = record.summary || [record.action, record.payload.name || record.payload.content].join(" ").trim();
      read.waiting.push({
        kind,
        id: record.id ?? name.replace(/\.json$/, ""),
        title: shown(title || record.action || name),
        ...(record.created_at !== undefined && { since: new Date(record.created_at * 1000) }),
        ...(record.origin === "background_review" && { byItself: true }),
      });
    }
    return read;
  }

  #suggestions(): Read {
    const file = join(this.#home, "cron", "suggestions.json");
    if (!existsSync(file)) return { waiting: [], unreadable: 0 };
    const raw = readJson(file);
    const list = Array.isArray(raw) ? raw : (raw as { suggestions?: unknown } | undefined)?.suggestions;
    if (!Array.isArray(list)) return { waiting: [], unreadable: 1 };
    const read: Read = { waiting: [], unreadable: 0 };
    for (const each of list) {
      const suggestion = suggestionSchema.safeParse(each).data;
      if (suggestion === undefined) read.unreadable++;
      else if (suggestion.status === "pending") {
        const since = new Date(suggestion.created_at ?? Number.NaN);
        read.waiting.push({
          kind: "cron_suggestion",
          id: suggestion.id,
          title: shown(suggestion.title),
          ...(suggestion.description && { detail: shown(suggestion.description) }),
          ...(!Number.isNaN(since.getTime()) && { since }),
        });
      }
    }
    return read;
  }

  /** Hermes keeps the last one of each job: `ok` beside a delivery error is a message that did not arrive. */
  async #failedDeliveries(): Promise<Read> {
    const jobs = await this.#crons.list().catch(() => undefined);
    if (jobs === undefined) return { waiting: [], unreadable: 1 };
    const { ledger, unreadable } = this.#ledger();
    const failed = jobs.filter(
      (job) => job.lastDeliveryError !== undefined || /^delivery_(failed|queued)$/.test(job.lastStatus ?? ""),
    );
    const listed = new Set(failed.map(({ id }) => id));
    const names = new Map(jobs.map(({ id, name }) => [id, name]));
    return {
      waiting: [
        ...failed.map((job) => ({
          kind: "failed_delivery" as const,
          id: job.id,
          title: shown(job.name),
          ...(job.lastDeliveryError !== undefined && { detail: shown(job.lastDeliveryError) }),
          ...(job.lastRunAt && { since: job.lastRunAt }),
        })),
        ...ledger
          .filter(({ jobId }) => !listed.has(jobId))
          .map(({ jobId, error, at }) => ({
            kind: "failed_delivery" as const,
            id: jobId,
            title: shown(names.get(jobId) ?? jobId),
            ...(error !== undefined && { detail: shown(error) }),
            ...(at && { since: at }),
          })),
      ],
      unreadable,
    };
  }

  #ledger(): { ledger: readonly Undelivered[]; unreadable: number } {
    try {
      return { ledger: undeliveredExecutions(this.#home), unreadable: 0 };
    } catch {
      return { ledger: [], unreadable: 1 };
    }
  }
}

interface Read {
  waiting: Waiting[];
  unreadable: number;
}

/** Nothing where a plain file, or a folder nobody may look into, stands in its place. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readJson(file: string): unknown {
  try {
    if (statSync(file).size > MOST_BYTES) return undefined;
    return JSON.parse(readFileSync(file, "utf8").replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}

function shown(text: string): string {
  return oneLine(maskSecrets(text, { personal: true }), TITLE_CHARS);
}
