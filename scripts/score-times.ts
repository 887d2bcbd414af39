import { DateTime } from "luxon";
import { z } from "zod";
import { tryWhen } from "../src/cli/try-when.ts";

const expectation = z.object({
  start: z.string(),
  end: z.string().optional(),
  grain: z.enum(["minute", "hour", "day", "week", "month", "quarter", "year"]),
  within: z.boolean().optional(),
});

export const timeCaseSchema = z.object({
  id: z.string(),
  lang: z.string(),
  text: z.string(),
  now: z.string(),
  zone: z.string(),
  expect: expectation.nullable(),
  tags: z.array(z.string()).default([]),
});
export type TimeCase = z.infer<typeof timeCaseSchema>;

export type TimeVerdict = "right" | "wrong" | "missing" | "spurious";

export interface TimeScore {
  /** Cases of this group. */
  total: number;
  right: number;
  wrong: number;
  missing: number;
  spurious: number;
}

export interface TimeReport {
  all: TimeScore;
  /** By language, and by grain ("none" = no time expected). */
  byLang: Map<string, TimeScore>;
  byGrain: Map<string, TimeScore>;
  /** Intervals whose start was right, and of these the ones whose end was right too. */
  ends: { total: number; right: number };
  misses: { id: string; text: string; verdict: TimeVerdict | "end"; expected: string; got: string }[];
}

const answerSchema = z.object({ start: z.string(), end: z.string().optional() }).nullable();

/** Asks the command all cases at once and counts. */
export function scoreTimes(cases: readonly TimeCase[]): TimeReport {
  const { lines } = tryWhen(cases.map(({ text, now, zone }) => JSON.stringify({ text, now, zone })).join("\n"));
  const report: TimeReport = {
    all: none(),
    byLang: new Map(),
    byGrain: new Map(),
    ends: { total: 0, right: 0 },
    misses: [],
  };
  for (const [i, one] of cases.entries()) {
    const answer = answerSchema.parse(JSON.parse(lines[i] ?? "null"));
    const verdict = judge(one, answer);
    const grain = one.expect === null ? "none" : one.expect.within ? "within" : one.expect.grain;
    for (const score of [report.all, group(report.byLang, one.lang), group(report.byGrain, grain)]) {
      score.total += 1;
      score[verdict] += 1;
    }
    const miss = (what: TimeVerdict | "end"): void => {
      const { start = "null", end = "", within = false } = one.expect ?? {};
      report.misses.push({
        id: one.id,
        text: one.text,
        verdict: what,
        expected: `${start} ${end}${within ? " within" : ""}`,
        got: JSON.stringify(answer),
      });
    };
    if (verdict !== "right") miss(verdict);
    else if (one.expect?.end && !one.expect.within) {
      report.ends.total += 1;
      if (answer?.end && sameMinute(answer.end, one.expect.end, one.zone)) report.ends.right += 1;
      else miss("end");
    }
  }
  return report;
}

const none = (): TimeScore => ({ total: 0, right: 0, wrong: 0, missing: 0, spurious: 0 });

function group(groups: Map<string, TimeScore>, name: string): TimeScore {
  const score = groups.get(name) ?? none();
  groups.set(name, score);
  return score;
}

const at = (iso: string, zone: string): DateTime => DateTime.fromISO(iso, { zone });
const sameMinute = (a: string, b: string, zone: string): boolean =>
  at(a, zone).startOf("minute").equals(at(b, zone).startOf("minute"));

function judge(one: TimeCase, answer: z.infer<typeof answerSchema>): TimeVerdict {
  if (one.expect === null) return answer === null ? "right" : "spurious";
  if (answer === null) return "missing";
  const { start, end, grain, within } = one.expect;
  if (within && end)
    return at(answer.start, one.zone) >= at(start, one.zone) && at(answer.start, one.zone) < at(end, one.zone)
      ? "right"
      : "wrong";
  if (grain === "minute" || grain === "hour") return sameMinute(answer.start, start, one.zone) ? "right" : "wrong";
  return at(answer.start, one.zone).startOf(grain).equals(at(start, one.zone).startOf(grain)) ? "right" : "wrong";
}
