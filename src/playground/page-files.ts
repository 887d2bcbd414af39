import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";

export type PageFile = { mime: string; bytes: Uint8Array };

const PAGE = pageFolder(dirname(fileURLToPath(import.meta.url)));
const MIMES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
};
const BUNDLED = new Set([".js", ".css"]);

/**
 * The web page's files, by name: `index.html` and what else lies in the page's folder as it is, `main.js` and
 * `style.css` bundled from `main.ts` and `style.css`. Everything is made once and kept; a failed bundle is told again
 * at every call.
 */
export class PageFiles {
  #bundle: Promise<Map<string, PageFile>> | undefined;

  /** Starts bundling ahead of the first visitor. */
  warmUp(): void {
    this.#bundle ??= bundlePage();
    this.#bundle.catch(() => {});
  }

  /** @returns undefined when there is no such file. @throws Error when the page cannot be bundled */
  async get(name: string): Promise<PageFile | undefined> {
    const mime = MIMES[extname(name)];
    if (!mime || !/^[A-Za-z0-9_-]+\.[a-z0-9]+$/.test(name)) return undefined;
    if (BUNDLED.has(extname(name))) {
      this.warmUp();
      return (await this.#bundle)?.get(name);
    }
    try {
      return { mime, bytes: await readFile(join(PAGE, name)) };
    } catch {
      return undefined;
    }
  }
}

/** The page's sources lie in the project's folder, wherever this module was bundled to. */
function pageFolder(from: string): string {
  const here = join(from, "src", "playground", "page");
  const above = dirname(from);
  return existsSync(here) || above === from ? here : pageFolder(above);
}

async function bundlePage(): Promise<Map<string, PageFile>> {
  // Loaded only when a page is asked for: a server without the playground's page never needs it.
  const { build } = await import("esbuild");
  const result = await build({
    absWorkingDir: PAGE,
    entryPoints: { main: "main.ts", style: "style.css" },
    outdir: join(PAGE, "out"),
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
    platform: "browser",
    charset: "utf8",
    logLevel: "silent",
    loader: { ".svg": "text" },
  });
  const files = result.outputFiles.map((file): [string, PageFile] => {
    const name = file.path.slice(join(PAGE, "out").length + 1);
    return [name, { mime: MIMES[extname(name)] ?? "application/octet-stream", bytes: file.contents }];
  });
  return new Map(files);
}
