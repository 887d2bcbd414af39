/**
 * npm run eval [-- --cases DIR] [--misses]: how well times, open matters and days of sessions are read, by the cases in a
 * folder (times.jsonl, reminders.jsonl, days/*.json; default test/fixtures/cases). Prints the figures; with --misses what
 * went wrong.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import { type DayReport, scoreDays } from "./score-days.ts";
import { type ReminderReport, reminderCaseSchema, scoreReminders } from "./score-reminders.ts";
import { scoreTimes, type TimeReport, timeCaseSchema } from "./score-times.ts";

const args = process.argv.slice(2);
const folder = args.includes("--cases") ? (args[args.indexOf("--cases") + 1] ?? "") : "test/fixtures/cases";
const showMisses = args.includes("--misses");

function read<T>(name: string, schema: z.ZodType<T>): T[] | undefined {
  const path = join(folder, name);
  if (!existsSync(path)) return undefined;
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => schema.parse(JSON.parse(line)));
}

const percent = (n: number, of: number): string => (of === 0 ? "–" : `${((100 * n) / of).toFixed(1)} %`);
const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

function printTimes(report: TimeReport): void {
  print(
    `Times: ${report.all.right} of ${report.all.total} right (${percent(report.all.right, report.all.total)}), wrong ${report.all.wrong}, missing ${report.all.missing}, spurious ${report.all.spurious}`,
  );
  for (const [title, groups] of [
    ["language", report.byLang],
    ["grain", report.byGrain],
  ] as const)
    for (const [name, s] of [...groups].sort())
      print(
        `  ${title} ${name}: ${s.right}/${s.total} (${percent(s.right, s.total)}), wrong ${s.wrong}, missing ${s.missing}, spurious ${s.spurious}`,
      );
  print(`  ends of intervals: ${report.ends.right}/${report.ends.total}`);
  if (showMisses)
    for (const m of report.misses) print(`  ${m.verdict}: ${m.id} "${m.text}" wanted ${m.expected}, got ${m.got}`);
}

function printReminders(report: ReminderReport): void {
  print(
    `Reminders: ${report.cases} cases, ${report.labels} matters; precision ${report.precision.toFixed(3)}, recall ${report.recall.toFixed(3)}, F1 ${report.f1.toFixed(3)}`,
  );
  print(
    `  unmatched: ${report.duplicates} duplicates, ${report.forbidden} forbidden, ${report.other} other, ${report.allowed} allowed (not counted); uncited ${report.uncited}`,
  );
  print(`  cases that expect nothing: ${report.empty.falseAlarms} false alarms in ${report.empty.cases}`);
  for (const [grain, s] of [...report.due].sort())
    print(`  due by ${grain}: right ${s.right}, wrong ${s.wrong}, missing ${s.missing}, invented ${s.invented}`);
  const all = [...report.due.values()];
  const right = all.reduce((n, s) => n + s.right, 0);
  const total = all.reduce((n, s) => n + s.right + s.wrong + s.missing + s.invented, 0);
  print(
    `  due dates right: ${right}/${total} (${percent(right, total)}); momentum right: ${report.momentum.right}/${report.momentum.total} (${percent(report.momentum.right, report.momentum.total)})`,
  );
  if (showMisses) for (const m of report.misses) print(`  ${m.what}: ${m.id} ${m.detail}`);
}

function printDays(report: DayReport): void {
  print(`Days: ${report.days} with known figures`);
  for (const [name, { right, total, found, wanted, extra }] of report.figures) {
    const lists = wanted + extra > 0 ? `; found ${found} of ${wanted}, ${extra} too many` : "";
    print(`  ${name}: right on ${right} of ${total}${lists}`);
  }
  if (showMisses) for (const m of report.misses) print(`  ${m.day} ${m.figure}: ${m.detail}`);
}

const times = read("times.jsonl", timeCaseSchema);
const reminders = read("reminders.jsonl", reminderCaseSchema);
const days = join(folder, "days");
if (!times && !reminders && !existsSync(days)) {
  process.stderr.write(
    `No times.jsonl, no reminders.jsonl and no days in ${folder}. Expected a folder of cases: npm run eval -- --cases DIR\n`,
  );
  process.exitCode = 2;
}
if (times) printTimes(scoreTimes(times));
if (reminders) printReminders(scoreReminders(reminders));
if (existsSync(days)) printDays(await scoreDays(days));
