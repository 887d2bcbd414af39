import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "dotenv";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { editEnv } from "../../src/cli/setup/edit-env.ts";
import { writeEnvFile } from "../../src/cli/setup/write-env.ts";

describe("a .env that is edited", () => {
  test("keeps unknown lines, comments, order and line ends, and puts a new value below its example", () => {
    const before = "# mine\nOTHER=1 # why\n# HERALD_PORT=8686\nexport LLM_MODEL='a b'\r\n\nFEISHU_APP_ID=old\n";
    expect(editEnv(before, { FEISHU_APP_ID: "cli_new", HERALD_PORT: "9", HERALD_LANGUAGE: "zh" })).toBe(
      "# mine\nOTHER=1 # why\n# HERALD_PORT=8686\nHERALD_PORT=9\nexport LLM_MODEL='a b'\r\n\nFEISHU_APP_ID=cli_new\nHERALD_LANGUAGE=zh\n",
    );
  });

  test("of a name that stands twice keeps one line, and is not led astray by a value over several lines", () => {
    const before = 'A=1\nKEY="one\nA=not this\ntwo"\nA=2';
    const after = editEnv(before, { A: "3" });
    expect(parse(after)).toEqual({ A: "3", KEY: "one\nA=not this\ntwo" });
    expect(after.match(/^A=3$/gm)).toHaveLength(1);
  });

  test("gives back exactly the values that were meant, whatever stands in it, or refuses", () => {
    const name = fc.constantFrom("A", "B", "FEISHU_APP_ID", "X_Y");
    const value = fc.string({
      unit: fc.constantFrom("a", "1", " ", "#", "'", '"', "`", "=", "\\", "$", "中"),
      maxLength: 8,
    });
    const line = fc.oneof(
      fc.tuple(name, value).map(([n, v]) => `${n}=${v}`),
      value.map((v) => `# ${v}`),
      fc.constant(""),
    );
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 6 }),
        fc.dictionary(
          name,
          value.map((v) => v.trim()),
          { maxKeys: 3 },
        ),
        (lines, changes) => {
          const before = lines.join("\n");
          let after: string;
          try {
            after = editEnv(before, changes);
          } catch {
            return;
          }
          const meant = Object.entries({ ...parse(before), ...changes }).filter(([, v]) => v !== "");
          const read = Object.entries(parse(after)).filter(([, v]) => v !== "");
          expect(new Map(read)).toEqual(new Map(meant));
        },
      ),
    );
  });
});

test("a new .env is readable by its owner alone, and the old one is kept beside it", () => {
  const folder = mkdtempSync(join(tmpdir(), "herald-env-"));
  try {
    const path = join(folder, ".env");
    const now = new Date("2026-11-30T02:00:00Z");
    expect(writeEnvFile(path, "A=1\n", now)).toBeUndefined();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    writeFileSync(path, "A=1\n", { mode: 0o644 });
    const backup = writeEnvFile(path, "A=2\n", now) ?? "";
    expect(existsSync(backup) && readFileSync(backup, "utf8")).toBe("A=1\n");
    expect([statSync(path).mode & 0o777, statSync(backup).mode & 0o777]).toEqual([0o600, 0o600]);
    expect(writeEnvFile(path, "A=2\n", now)).toBeUndefined();
    expect(readdirSync(folder)).toHaveLength(2);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
