#!/usr/bin/env node
// npm test: all tests, `npm test -- lives` those whose path has "lives" in it. Says what had to be left out on this
// machine, and ends with one line that counts.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const filters = process.argv.slice(2);
const leftOut = [];
/** Commands that play a failed property test's run again: each run has a seed of its own. */
const replays = [];
let passed = 0;
let failed = 0;

const found = (...names) =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find(existsSync);

runVitest();
if (filters.length === 0) runPython();
if (!process.env.TEST_POSTGRES_URL && !found("initdb") && !existsSync("/usr/lib/postgresql")) {
  leftOut.push("PostgreSQL (set TEST_POSTGRES_URL, or install postgresql)");
}
if (!found("chromium", "chromium-browser", "google-chrome")) leftOut.push("the browser (install chromium)");

console.log("");
for (const replay of replays) console.log(`play it again: ${replay}`);
for (const what of leftOut) console.log(`left out: tests with ${what}`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);

function runVitest() {
  const folder = mkdtempSync(join(tmpdir(), "herald-test-"));
  const report = join(folder, "report.json");
  const { status } = spawnSync(
    process.execPath,
    [
      join(root, "node_modules", "vitest", "vitest.mjs"),
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${report}`,
      ...filters,
    ],
    { cwd: root, stdio: "inherit" },
  );
  const counted = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : {};
  rmSync(folder, { recursive: true, force: true });
  for (const { name, assertionResults } of counted.testResults ?? []) {
    for (const { title, failureMessages = [] } of assertionResults) {
      const [, seed, path] = /\{ seed: (-?\d+), path: "([\d:]+)"/.exec(failureMessages.join("\n")) ?? [];
      if (seed === undefined) continue;
      const pattern = title.replace(/[^\p{L}\p{N} ]/gu, ".");
      replays.push(
        `PROPERTY_SEED=${seed} PROPERTY_PATH=${path} npx vitest run ${relative(root, name)} -t '${pattern}'`,
      );
    }
  }
  passed += counted.numPassedTests ?? 0;
  failed += counted.numFailedTests ?? 0;
  // A file that does not even load, or an error outside of any test, has no failed test to count.
  if (status !== 0 && !counted.numFailedTests) failed += Math.max(1, counted.numFailedTestSuites ?? 0);
}

/** The tests of Hermes' plugin, which is Python. */
function runPython() {
  const suites = ["test", "src/hermes-bridge/plugin"]
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => /(^|[\\/])test_\w+\.py$/.test(name))
        .map((name) => dirname(join(root, folder, name))),
    );
  if (suites.length === 0) return;
  const python = found("python3");
  if (!python) {
    leftOut.push("Python (install python3)");
    return;
  }
  for (const suite of new Set(suites)) {
    const { status, stderr } = spawnSync(python, ["-m", "unittest", "discover", "-s", suite, "-p", "test_*.py"], {
      cwd: root,
      encoding: "utf8",
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" },
    });
    process.stderr.write(stderr);
    const ran = Number(/^Ran (\d+) test/m.exec(stderr)?.[1] ?? 0);
    const bad = [...stderr.matchAll(/(?:failures|errors)=(\d+)/g)].reduce((sum, match) => sum + Number(match[1]), 0);
    const lost = status === 0 ? 0 : Math.max(1, bad);
    passed += Math.max(0, ran - lost);
    failed += lost;
  }
}
