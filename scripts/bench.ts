import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { projectRoot } from "../src/project-root.ts";
import { type Bench, figure, isMet, type Result, type Target } from "./bench/result.ts";

/** Every bench by name; loaded when it is its turn, so that one does not weigh on another. */
const BENCHES: Readonly<Record<string, () => Promise<{ bench: Bench }>>> = {
  scan: () => import("./bench/scan.ts"),
  cold: () => import("./bench/cold.ts"),
  stage: () => import("./bench/stage.ts"),
  taps: () => import("./bench/taps.ts"),
  start: () => import("./bench/start.ts"),
  hooks: () => import("./bench/hooks.ts"),
  dream: () => import("./bench/dream.ts"),
  rules: () => import("./bench/rules.ts"),
};

const args = process.argv.slice(2);
const quick = args.includes("--quick");
const names = args.filter((arg) => !arg.startsWith("--"));
const unknown = names.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  console.error(
    `No bench "${unknown[0]}". Expected any of: ${Object.keys(BENCHES).join(", ")}. Example: npm run bench -- taps --quick`,
  );
  process.exit(2);
}

const report: Record<string, unknown> = {
  at: new Date().toISOString(),
  node: process.version,
  cpu: cpus()[0]?.model,
  cores: cpus().length,
  quick,
  loadBefore: loadavg()[0],
};
const missed: Target[] = [];
for (const [name, load] of Object.entries(BENCHES)) {
  if (names.length > 0 && !names.includes(name)) continue;
  console.log(`\n# ${name}`);
  const { bench } = await load();
  const results = await bench({ quick, say: (line) => console.error(`  ${line}`) });
  for (const result of results) {
    print(result);
    missed.push(...(result.targets ?? []).filter((target) => !isMet(target)));
  }
  report[name] = results;
}
report.loadAfter = loadavg()[0];
const folder = join(projectRoot, "bench-results");
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "latest.json"), `${JSON.stringify(report, null, 2)}\n`);
console.log(
  missed.length === 0
    ? "\nEvery target is met."
    : `\n${missed.length} missed: ${missed.map(({ id }) => id).join(", ")}`,
);
console.log("Written to bench-results/latest.json");
// A ratio on a busy machine is no verdict on the code: a missed target is told, not made an error.
process.exit(0);

function print({ title, columns, rows, targets }: Result): void {
  const cells = [columns, ...rows.map((row) => row.map((cell) => (typeof cell === "number" ? figure(cell) : cell)))];
  const widths = columns.map((_, i) => Math.max(...cells.map((row) => (row[i] ?? "").length)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join(" | ")} |`;
  const [head = [], ...body] = cells;
  console.log(`\n## ${title}\n`);
  console.log(line(head));
  console.log(
    `|${widths.map((width, i) => (i === 0 ? "-".repeat(width + 2) : `${"-".repeat(width + 1)}:`)).join("|")}|`,
  );
  for (const row of body) console.log(line(row));
  if (targets === undefined || targets.length === 0) return;
  console.log("");
  for (const target of targets) {
    const limit = target.atMost !== undefined ? `≤ ${figure(target.atMost)}` : `≥ ${figure(target.atLeast ?? 0)}`;
    console.log(
      `- ${target.id} ${isMet(target) ? "met" : "MISSED"}: ${target.what}: ${figure(target.value)} ${target.unit} (${limit})`,
    );
  }
}
