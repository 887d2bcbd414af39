import { execFile } from "node:child_process";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, vi } from "vitest";
import { root } from "../bin/run.mjs";

// Starting processes takes long on a busy machine.
vi.setConfig({ testTimeout: 90_000 });

const run = promisify(execFile);
const start = (...args: string[]) => run(process.execPath, [join(root, "bin", "run.mjs"), ...args]);
const dist = join(root, "dist");
const bundles = (): string[] =>
  (existsSync(dist) ? readdirSync(dist) : []).filter((name) => name.startsWith("test-helpers-child-say-hello-"));

it("several processes that start at once after a change all run, and leave one whole bundle", async () => {
  for (const name of bundles()) rmSync(join(dist, name), { recursive: true });
  const outcomes = await Promise.all(
    ["a", "b", "c", "d"].map((name) => start("test/helpers/child/say-hello.ts", name, "you")),
  );
  expect(outcomes.map(({ stdout }) => stdout)).toEqual(["a", "b", "c", "d"].map((name) => `hello ${name} and you\n`));
  expect(bundles()).toHaveLength(1);
});

it("says what it expected when the file is not there", async () => {
  await expect(start("scripts/missing.ts")).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining("for example"),
  });
});
