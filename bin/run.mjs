#!/usr/bin/env node
// Bundles one TypeScript entry (packages stay outside) into dist/ and runs it: `node bin/run.mjs scripts/eval.ts …`.
// esbuild is the only tool needed, so production installs carry no TypeScript runner and start without one.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

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
 * Path of the up-to-date bundle of `entry` (relative to the project); builds it when a source has changed. The state of
 * the sources is part of the file's name and the file appears whole, so several processes may do this at once.
 */
export async function bundle(entry) {
  const name = relative(root, resolve(root, entry)).replaceAll("\\", "/");
  const folder = join(root, "dist", dirname(name));
  const stem = basename(name).replace(/\.ts$/, "");
  const out = join(folder, `${stem}-${stateOfSources(name)}.mjs`);
  if (existsSync(out)) return out;

  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [name],
    outfile: out,
    write: false,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
    sourcemap: true,
    logLevel: "error",
  });
  mkdirSync(folder, { recursive: true });
  // The map first: once the bundle itself is there, everything is.
  for (const file of outputFiles.sort((a) => (a.path.endsWith(".map") ? -1 : 1))) {
    const unfinished = `${file.path}.${process.pid}`;
    writeFileSync(unfinished, file.contents);
    renameSync(unfinished, file.path);
  }
  removeOlder(folder, stem, basename(out));
  return out;
}

/** A bundle is one file that is read whole at start, so no running process misses an older one. */
function removeOlder(folder, stem, current) {
  for (const name of readdirSync(folder)) {
    if (name.startsWith(current) || !new RegExp(`^${stem}-[0-9a-f]{12}\\.mjs(\\.map)?$`).test(name)) continue;
    rmSync(join(folder, name), { force: true });
  }
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
