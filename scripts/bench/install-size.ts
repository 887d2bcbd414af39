import { execFile } from "node:child_process";
import { copyFileSync, existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { projectRoot } from "../../src/project-root.ts";
import type { Result } from "./result.ts";

const BIGGEST = 6;
const INSTALL_WITHIN_MS = 10 * 60_000;

/** What people who only run Herald have on their disk: a production install into an empty folder (needs the registry). */
export async function installResult(say: (line: string) => void): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "herald-bench-install-"));
  const title = "A production install: npm ci --omit=dev --omit=peer";
  try {
    for (const name of ["package.json", "package-lock.json", ".npmrc"])
      copyFileSync(join(projectRoot, name), join(folder, name));
    say("npm ci into an empty folder");
    await promisify(execFile)("npm", ["ci", "--omit=dev", "--omit=peer"], { cwd: folder, timeout: INSTALL_WITHIN_MS });
    const packages = packagesIn(join(folder, "node_modules"));
    const total = megabytes(join(folder, "node_modules"));
    const biggest = packages
      .map(({ name, path }) => ({ name, mb: megabytes(path) }))
      .sort((a, b) => b.mb - a.mb)
      .slice(0, BIGGEST);
    return {
      title,
      columns: ["package", "MB"],
      rows: [...biggest.map(({ name, mb }): [string, number] => [name, mb]), [`all ${packages.length}`, total]],
      targets: [
        { id: "U4", what: "size", value: total, atMost: 180, unit: "MB" },
        { id: "U4", what: "packages", value: packages.length, atMost: 190, unit: "" },
      ],
    };
  } catch (error) {
    say(`left out: ${String(error).slice(0, 200)}`);
    return { title: `${title} (left out: no registry)`, columns: ["package", "MB"], rows: [] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function packagesIn(folder: string): { name: string; path: string }[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .flatMap(({ name }) => {
      const path = join(folder, name);
      if (name.startsWith("@")) {
        return packagesIn(path).map((each) => ({ ...each, name: `${name}/${each.name}` }));
      }
      return [{ name, path }, ...packagesIn(join(path, "node_modules"))];
    });
}

/** Bytes of the files, not blocks of the disk. */
function megabytes(path: string): number {
  let bytes = 0;
  const walk = (at: string): void => {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const inner = join(at, entry.name);
      if (entry.isDirectory()) walk(inner);
      else bytes += lstatSync(inner).size;
    }
  };
  walk(path);
  return bytes / 1e6;
}
