#!/usr/bin/env node
// npm run check: everything a change must pass. All steps run, also after one has failed, and each says how long it took.
// `--without-tests` leaves the tests out, for CI, which has just run them.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const bin = (name) => join(root, "node_modules", ".bin", process.platform === "win32" ? `${name}.cmd` : name);
const page = "src/playground/page/tsconfig.json";

const steps = [
  ["types", bin("tsc"), ["--noEmit"]],
  ...(existsSync(join(root, page)) ? [["types of the page", bin("tsc"), ["--noEmit", "-p", page]]] : []),
  ["lint", bin("biome"), ["lint", "--error-on-warnings", "."]],
  ["promises", bin("oxlint"), ["--type-aware", "--deny-warnings", "src", "test", "scripts"]],
  ["format", bin("biome"), ["format", "."]],
  ["unused code", bin("knip"), []],
  ["boundaries", process.execPath, [join(root, "node_modules/vitest/vitest.mjs"), "run", "test/boundaries.test.ts"]],
  ...(process.argv.includes("--without-tests") ? [] : [["tests", process.execPath, [join(root, "scripts/test.mjs")]]]),
];

let failed = 0;
for (const [name, command, args] of steps) {
  const started = performance.now();
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 100_000_000,
    shell: process.platform === "win32",
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const good = status === 0;
  console.log(`${good ? "ok    " : "FAILED"}  ${name} (${seconds} s)`);
  if (good) continue;
  failed++;
  console.log(`${error ? `${error.message}\n` : ""}${stdout ?? ""}${stderr ?? ""}`.replace(/^/gm, "    "));
}
console.log(`${steps.length - failed} checks passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
