#!/usr/bin/env node
// Bundles one TypeScript entry (packages stay outside) into dist/ and runs it: `node bin/run.mjs scripts/eval.ts …`.
// esbuild is the only tool needed, so production installs carry no TypeScript runner and start without one.
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");

/** Newest modification time (ms) of any source file: says whether a bundle is out of date. */
function newestSource(dir) {
  let newest = 0;
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) newest = Math.max(newest, newestSource(path));
    else if (/\.(ts|json)$/.test(entry.name)) newest = Math.max(newest, statSync(path).mtimeMs);
  }
  return newest;
}

/** Path of the up-to-date bundle of `entry` (relative to the project); builds it when a source is newer. */
export async function bundle(entry) {
  const out = join(root, "dist", relative(root, resolve(root, entry)).replace(/\.ts$/, ".mjs"));
  const sources = Math.max(
    newestSource(join(root, "src")),
    statSync(resolve(root, entry)).mtimeMs,
    entry.startsWith("scripts") ? newestSource(join(root, "scripts")) : 0,
  );
  if (existsSync(out) && statSync(out).mtimeMs > sources) return out;
  const { build } = await import("esbuild");
  await build({
    absWorkingDir: root,
    entryPoints: [
      {
        in: resolve(root, entry),
        out: relative(root, out)
          .replace(/^dist\//, "")
          .replace(/\.mjs$/, ""),
      },
    ],
    outdir: "dist",
    outExtension: { ".js": ".mjs" },
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
    sourcemap: true,
    splitting: true,
    chunkNames: `chunks/${entry.replace(/\W+/g, "-")}-[hash]`,
    logLevel: "error",
  });
  mkdirSync(join(root, "dist"), { recursive: true });
  if (!existsSync(join(root, "dist", "package.json")))
    writeFileSync(join(root, "dist", "package.json"), '{ "type": "module" }\n');
  return out;
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const entry = process.argv[2];
  if (!entry) {
    console.error("Expected a TypeScript file, for example: node bin/run.mjs scripts/eval.ts");
    process.exit(2);
  }
  const out = await bundle(entry);
  process.argv.splice(1, 2, out);
  await import(pathToFileURL(out).href);
}
