import { DateTime } from "luxon";
import { z } from "zod";
import { type TriedExtract, tryExtract } from "../src/cli/try-extract.ts";

const dueSchema = z.union([
  z.object({ at: z.string(), grain: z.enum(["minute", "hour", "day", "week", "month"]) }),
  z.object({ from: z.string(), to: z.string(), grain: z.literal("within") }),
]);
const labelSchema = z.object({
  gist: z.string(),
  due: dueSchema.nullable(),
  dueScored: z.boolean().default(true),
  momentum: z.array(z.string()),
  evidence: z.array(z.string()),
});
const forbiddenSchema = z.object({
  gist: z.string(),
  why: z.string(),
  evidence: z.array(z.string()).default([]),
  pattern: z.string().optional(),
});

export const reminderCaseSchema = z.object({
  id: z.string(),
  lang: z.string().default("?"),
  tags: z.array(z.string()).default([]),
  input: z.looseObject({ zone: z.string() }),
  expect: z.object({
    items: z.array(labelSchema).default([]),
    allowed: z.array(z.object({ gist: z.string(), evidence: z.array(z.string()) })).default([]),
    forbidden: z.array(forbiddenSchema).default([]),
  }),
});
export type ReminderCase = z.infer<typeof reminderCaseSchema>;
type Label = z.infer<typeof labelSchema>;
type Item = TriedExtract["items"][number];

export interface ReminderReport {
  cases: number;
  labels: number;
  matched: number;
  /** Unmatched items that cost precision, by what they are. */
  duplicates: number;
  forbidden: number;
  other: number;
  allowed: number;
  uncited: number;
  empty: { cases: number; falseAlarms: number };
  due: Map<string, { right: number; wrong: number; missing: number; invented: number }>;
  momentum: { right: number; total: number };
  precision: number;
  recall: number;
  f1: number;
  misses: { id: string; what: string; detail: string }[];
}

/** Runs the extractor over the cases and counts as the cases' description says. */
export function scoreReminders(cases: readonly ReminderCase[]): ReminderReport {
  const report: ReminderReport = {
    cases: cases.length,
    labels: 0,
    matched: 0,
    duplicates: 0,
    forbidden: 0,
    other: 0,
    allowed: 0,
    uncited: 0,
    empty: { cases: 0, falseAlarms: 0 },
    due: new Map(),
    momentum: { right: 0, total: 0 },
    precision: 0,
    recall: 0,
    f1: 0,
    misses: [],
  };
  for (const one of cases) scoreCase(one, report);
  const proposed = report.matched + report.duplicates + report.forbidden + report.other;
  report.precision = proposed === 0 ? 1 : report.matched / proposed;
  report.recall = report.labels === 0 ? 1 : report.matched / report.labels;
  report.f1 =
    report.precision + report.recall === 0
      ? 0
      : (2 * report.precision * report.recall) / (report.precision + report.recall);
  return report;
}

const shares = (a: readonly string[], b: readonly string[]): boolean => a.some((id) => b.includes(id));

function scoreCase(one: ReminderCase, report: ReminderReport): void {
  const { items } = tryExtract(JSON.stringify(one.input));
  const labels = one.expect.items;
  report.labels += labels.length;
  const pairs = match(items, labels);
  const miss = (what: string, detail: string): void => {
    report.misses.push({ id: one.id, what, detail });
  };
  if (labels.length === 0) {
    report.empty.cases += 1;
    if (items.some((item) => !one.expect.allowed.some((a) => shares(a.evidence, item.evidence))))
      report.empty.falseAlarms += 1;
  }
  for (const item of items) {
    if (item.evidence.length === 0) report.uncited += 1;
    const label = pairs.get(item);
    if (label) {
      report.matched += 1;
      scoreDue(item, label, one.input.zone, report, miss);
      report.momentum.total += 1;
      if (label.momentum.includes(item.momentum)) report.momentum.right += 1;
      else miss("momentum", `${item.title}: ${item.momentum}, wanted ${label.momentum.join("|")}`);
      continue;
    }
    const said = `${item.title} [${item.evidence.join(" ")}] ${item.dueAt ?? ""}`;
    const forbidden = one.expect.forbidden.find(
      (f) =>
        shares(f.evidence, item.evidence) || (f.pattern !== undefined && new RegExp(f.pattern, "i").test(item.title)),
    );
    if (labels.some((l) => shares(l.evidence, item.evidence))) {
      report.duplicates += 1;
      miss("duplicate", said);
    } else if (forbidden) {
      report.forbidden += 1;
      miss(`forbidden ${forbidden.why}`, said);
    } else if (one.expect.allowed.some((a) => shares(a.evidence, item.evidence))) report.allowed += 1;
    else {
      report.other += 1;
      miss("other", said);
    }
  }
  const found = new Set(pairs.values());
  for (const label of labels) if (!found.has(label)) miss("not found", label.gist);
}

/** One to one, as many as possible: an augmenting path for each label (the sets are tiny). */
function match(items: readonly Item[], labels: readonly Label[]): Map<Item, Label> {
  const taken = new Map<Item, Label>();
  const assign = (label: Label, seen: Set<Item>): boolean => {
    // Free ones first: only when none is left is a pair broken up.
    for (const item of [...items].sort((a, b) => Number(taken.has(a)) - Number(taken.has(b)))) {
      if (seen.has(item) || !shares(item.evidence, label.evidence)) continue;
      seen.add(item);
      const holder = taken.get(item);
      if (holder === undefined || assign(holder, seen)) {
        taken.set(item, label);
        return true;
      }
    }
    return false;
  };
  for (const label of labels) assign(label, new Set());
  return taken;
}

function scoreDue(
  item: Item,
  label: Label,
  zone: string,
  report: ReminderReport,
  miss: (what: string, detail: string) => void,
): void {
  if (!label.dueScored) return;
  const grain = label.due === null ? "none" : label.due.grain;
  const score = report.due.get(grain) ?? { right: 0, wrong: 0, missing: 0, invented: 0 };
  report.due.set(grain, score);
  const verdict = judgeDue(item.dueAt, label.due, zone);
  score[verdict] += 1;
  if (verdict !== "right")
    miss(`due ${verdict}`, `${item.title}: ${item.dueAt ?? "none"}, wanted ${JSON.stringify(label.due)}`);
}

function judgeDue(got: string | null, want: Label["due"], zone: string): "right" | "wrong" | "missing" | "invented" {
  if (want === null) return got === null ? "right" : "invented";
  if (got === null) return "missing";
  const at = (iso: string): DateTime => DateTime.fromISO(iso, { zone });
  if (want.grain === "within") return at(got) >= at(want.from) && at(got) < at(want.to) ? "right" : "wrong";
  const unit = want.grain === "hour" ? "minute" : want.grain;
  return at(got).startOf(unit).equals(at(want.at).startOf(unit)) ? "right" : "wrong";
}
