import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");

/** Which folders of src a folder may import from, besides itself. "" are the files of the composition in src itself. */
const MAY_IMPORT: Readonly<Record<string, readonly string[] | "all">> = {
  text: [],
  cards: ["text"],
  engine: ["text", "generated"],
  llm: ["engine"],
  "hermes-bridge": ["engine"],
  bot: ["cards", "engine", "text"],
  playground: ["text"],
  generated: [],
  cli: "all",
  "": "all",
};

/** Packages the inner folders may use. Node's own modules are open to all but text and cards, which are pure. */
const MAY_USE: Readonly<Record<string, readonly string[]>> = {
  text: [],
  cards: ["zod", "luxon"],
  engine: ["zod", "luxon", "re2js", "pg", "@prisma/client", "@prisma/adapter-pg", "@prisma/driver-adapter-utils"],
  llm: ["zod"],
  "hermes-bridge": ["zod", "luxon", "yaml", "@modelcontextprotocol/sdk"],
};

/** Where effects may not be: time, chance and ids come in as values. */
const PURE_OF_TIME = ["text", "cards", "engine"];
const MOST_LINES = 400;

type Source = { readonly path: string; readonly text: string };

function sourcesUnder(folder: string, pattern: RegExp): Source[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name).split(sep).join("/"))
    .filter((path) => pattern.test(path) && !path.includes("node_modules") && statSync(join(root, path)).isFile())
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

/** The code without comments, so that prose may name what code may not. */
function codeOf(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|[^:"'`\\])\/\/[^\n]*/g, "$1");
}

function importsOf(text: string): string[] {
  const pattern = /(?:^|[\s;])(?:import|export)\s[^"';]*?from\s*["']([^"']+)["']|\bimport\s*\(?\s*["']([^"']+)["']/g;
  return [...codeOf(text).matchAll(pattern)].flatMap((match) => match[1] ?? match[2] ?? []);
}

/** The first folder under src; "" for the files in src itself; undefined outside. */
function folderOf(path: string): string | undefined {
  const parts = path.split("/");
  if (parts[0] !== "src") return undefined;
  return parts.length > 2 ? parts[1] : "";
}

/** "cards → engine (src/cards/x.ts)" for each import that breaks the tables. */
function violationsOf({ path, text }: Source): string[] {
  const from = folderOf(path) ?? "";
  const allowed = MAY_IMPORT[from];
  if (allowed === undefined) return [`${from} has no row in the table (${path})`];
  return importsOf(text).flatMap((name) => {
    if (name.startsWith(".")) {
      const target = folderOf(
        relative(root, resolve(root, dirname(path), name))
          .split(sep)
          .join("/"),
      );
      if (target === undefined) return [`${from} → ${name}, outside of src (${path})`];
      return allowed === "all" || target === from || allowed.includes(target)
        ? []
        : [`${from} → ${target || "src/*"} (${path})`];
    }
    if (name.startsWith("node:")) return from === "text" || from === "cards" ? [`${from} → ${name} (${path})`] : [];
    const packageName = name
      .split("/")
      .slice(0, name.startsWith("@") ? 2 : 1)
      .join("/");
    const packages = MAY_USE[from];
    return !packages || packages.includes(packageName) ? [] : [`${from} → ${packageName} (${path})`];
  });
}

const sources = sourcesUnder("src", /\.ts$/).filter(({ path }) => !/^src\/(generated|playground\/page)\//.test(path));
const everywhere = [
  ...sources,
  ...sourcesUnder("test", /\.ts$/),
  ...sourcesUnder("scripts", /\.(ts|mjs)$/),
  ...sourcesUnder("bin", /\.mjs$/),
];
const withCode = (all: readonly Source[], pattern: RegExp): string[] =>
  all.filter(({ text }) => pattern.test(codeOf(text))).map(({ path }) => path);

describe("who may import whom", () => {
  it("every import of src keeps to the tables", () => {
    expect(sources.flatMap(violationsOf)).toEqual([]);
  });

  it("a forbidden import would be named", () => {
    const bad = (path: string, text: string) => violationsOf({ path, text });
    expect(bad("src/cards/x.ts", 'import type { Db } from "../engine/db.ts";')).toEqual([
      "cards → engine (src/cards/x.ts)",
    ]);
    expect(bad("src/engine/a/x.ts", 'import {\n  a,\n} from "../../bot/y.ts";')).toEqual([
      "engine → bot (src/engine/a/x.ts)",
    ]);
    expect(bad("src/engine/x.ts", 'export * from "../log.ts";')).toEqual(["engine → src/* (src/engine/x.ts)"]);
    expect(bad("src/engine/x.ts", 'const k = await import("koa");')).toEqual(["engine → koa (src/engine/x.ts)"]);
    expect(bad("src/playground/x.ts", 'import "../engine/db.ts";')).toEqual([
      "playground → engine (src/playground/x.ts)",
    ]);
    expect(bad("src/text/x.ts", 'import { join } from "node:path";')).toEqual(["text → node:path (src/text/x.ts)"]);
    expect(bad("src/new/x.ts", "")).toEqual(["new has no row in the table (src/new/x.ts)"]);
    expect(bad("src/bot/x.ts", '// import "../llm/a.ts"\nimport { a } from "../text/a.ts";')).toEqual([]);
  });
});

describe("effects stay at the rim", () => {
  it("only src/config.ts reads process.env", () => {
    expect(
      withCode(sources, /\bprocess\s*(\.|\?\.)\s*env\b|\bimport\.meta\.env\b|\{[^}]*\benv\b[^}]*\}\s*=\s*process\b/),
    ).toEqual(["src/config.ts"]);
  });

  it("no clock and no chance inside text, cards and engine", () => {
    const inner = sources.filter(({ path }) => PURE_OF_TIME.includes(folderOf(path) ?? ""));
    expect(withCode(inner, /\bDate\.now\b|\bnew Date\(\s*\)|\bMath\.random\b|(?<![\w.])Date\(\s*\)/)).toEqual([]);
  });

  it("only engine/load-sqlite.ts reaches for a SQLite library", () => {
    const library =
      /(from|import|[rR]equire|[mM]odule)\s*\(?\s*["'`](node:sqlite|@photostructure\/sqlite|better-sqlite3|@?libsql[\w/-]*|sqlite3)["'`]/;
    expect(withCode(everywhere, library)).toEqual(["src/engine/load-sqlite.ts"]);
  });

  it("no worker thread, since one that uses SQLite could take the process down with it", () => {
    expect(withCode(sources, /["'](node:)?worker_threads["']|\bnew Worker\(/)).toEqual([]);
  });
});

describe("the repository", () => {
  const read = (path: string): string => readFileSync(join(root, path), "utf8");
  const json = (path: string): Record<string, Record<string, string> | undefined> => JSON.parse(read(path));

  it("has no source file above 400 lines", () => {
    expect(sources.filter(({ text }) => text.split("\n").length - 1 > MOST_LINES).map(({ path }) => path)).toEqual([]);
  });

  it("pins every Prisma package to exactly 7.10.0, whose adapter interface ours implements", () => {
    const { dependencies = {}, devDependencies = {} } = json("package.json");
    const tool = json("tools/prisma/package.json").dependencies ?? {};
    const versions = Object.entries({ ...dependencies, ...devDependencies, ...tool })
      .filter(([name]) => (name === "prisma" || name.startsWith("@prisma/")) && name !== "@prisma/schema-engine-wasm")
      .map(([name, version]) => `${name}@${version}`);
    expect(versions.length).toBeGreaterThanOrEqual(4);
    expect(versions.filter((one) => !one.endsWith("@7.10.0"))).toEqual([]);
  });

  it("does not bring the Prisma CLI or a compiler's work into an installation", () => {
    const installed = Object.keys(json("package-lock.json").packages ?? {});
    for (const name of ["prisma", "better-sqlite3", "node-gyp"])
      expect(installed).not.toContain(`node_modules/${name}`);
    // Under its own name it is an optional peer of Prisma's client, and npm would keep it in production installs.
    expect(installed).not.toContain("node_modules/typescript");
  });

  it("has exact versions only, and lock files that name no registry", () => {
    const { dependencies = {}, devDependencies = {}, optionalDependencies = {} } = json("package.json");
    const loose = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }).filter(
      ([, version]) => !/^(npm:[\w@/-]+@)?\d/.test(version),
    );
    expect(loose).toEqual([]);
    for (const lock of ["package-lock.json", "tools/prisma/package-lock.json"])
      expect(read(lock)).not.toContain('"resolved"');
  });

  it("holds no path of the machine it was written on", () => {
    const own = [`/${"work"}/`, ...(homedir().length > 1 ? [`${homedir()}/`] : [])];
    const found = trackedFiles().filter((path) => {
      const text = read(path);
      return own.some((folder) => new RegExp(`(?<![\\w.:/])${folder}`).test(text));
    });
    expect(found).toEqual([]);
  });
});

/** Text files under version control; in a copy without git, the source files. */
function trackedFiles(): string[] {
  const text = /\.(ts|mts|mjs|js|json|md|yml|yaml|sql|prisma|py|sh|html|css|toml|txt)$|^\.ci\/|^bin\//;
  const isOurs = (path: string): boolean => text.test(path) && existsSync(join(root, path));
  try {
    const listed = execFileSync("git", ["ls-files"], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return listed.split("\n").filter(isOurs);
  } catch {
    return everywhere.map(({ path }) => path);
  }
}
