#!/usr/bin/env node
// Bundles one TypeScript entry (packages stay outside) into dist/ and runs it: `node bin/run.mjs scripts/eval.ts …`.
// esbuild is the only tool needed, so production installs carry no TypeScript runner and start without one.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** A running process may need parts of the state it was started from. */
const STATES_KEPT = 4;

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");

/** Adds what changes when a source changes: every file's path, size and time. Cheaper than reading them all. */
function addFolder(hash, folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== "node_modules") addFolder(hash, path);
    } else {
      const { size, mtimeMs } = statSync(path);
      hash.update(`${relative(root, path)}\0${size}\0${mtimeMs}\n`);
    }
  }
}

/** Names the state of everything a bundle is made from. */
function stateOfSources(entry) {
  const hash = createHash("sha256");
  hash.update(readFileSync(join(root, "package.json"))).update(readFileSync(fileURLToPath(import.meta.url)));
  addFolder(hash, join(root, "src"));
  if (!entry.startsWith("src")) addFolder(hash, dirname(join(root, entry)));
  return hash.digest("hex").slice(0, 12);
}

/**
 * Path of the up-to-date bundle of `entry` (relative to the project); builds it when a source has changed. Each state of
 * the sources has a folder of its own, which appears whole: several processes may do this at once, and one that still
 * runs an older state keeps the parts it has not loaded yet.
 */
export async function bundle(entry) {
  const name = relative(root, resolve(root, entry)).replaceAll("\\", "/");
  const stem = name.replace(/\.ts$/, "").replace(/\W+/g, "-");
  const folder = join(root, "dist", `${stem}-${stateOfSources(name)}`);
  const out = join(folder, "main.mjs");
  if (existsSync(out)) return out;

  const { build } = await import("esbuild");
  const unfinished = `${folder}.${process.pid}`;
  await build({
    absWorkingDir: root,
    entryPoints: [{ in: resolve(root, name), out: "main" }],
    outdir: unfinished,
    outExtension: { ".js": ".mjs" },
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
    sourcemap: true,
    logLevel: "error",
  });
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another process was faster.
    if (!existsSync(out)) throw error;
  }
  removeOlder(stem);
  return out;
}

/** Keeps the newest states of an entry, and what other processes are building at this moment. */
function removeOlder(stem) {
  const dist = join(root, "dist");
  const states = readdirSync(dist)
    .filter((name) => new RegExp(`^${stem}-[0-9a-f]{12}(\\.\\d+)?$`).test(name))
    .map((name) => ({
      path: join(dist, name),
      at: statSync(join(dist, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    }))
    .sort((a, b) => b.at - a.at);
  for (const { path } of states.slice(STATES_KEPT)) rmSync(path, { recursive: true, force: true });
}

/** Bundles and runs an entry; a machine on which that cannot work is told why in one line. */
export async function run(entry) {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(`需要 Node 20.19 或更新版本，现在是 ${process.version}。 Expected Node 20.19 or later.`);
    process.exit(2);
  }
  let out;
  try {
    out = await bundle(entry);
  } catch (error) {
    if (error?.code === "ERR_MODULE_NOT_FOUND") {
      console.error("依赖还没有安装，请先运行 npm install。 Run npm install first.");
      process.exit(2);
    }
    if (error?.code === "EACCES" || error?.code === "EROFS") {
      console.error(`无法写入 ${join(root, "dist")}：${error.code}。 Expected a writable folder there.`);
      process.exit(2);
    }
    throw error;
  }
  await import(pathToFileURL(out).href);
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const entry = process.argv[2];
  if (!entry || !existsSync(resolve(root, entry))) {
    console.error("Expected a TypeScript file, for example: node bin/run.mjs scripts/eval.ts");
    process.exit(2);
  }
  process.argv.splice(1, 2, resolve(root, entry));
  await run(entry);
}
