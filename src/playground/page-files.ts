import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

export type PageFile = { mime: string; bytes: Uint8Array };

const PAGE = fileURLToPath(new URL("./page/", import.meta.url));
const MIMES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
};

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
    this.warmUp();
    const made = (await this.#bundle)?.get(name);
    if (made) return made;
    const mime = MIMES[extname(name)];
    if (!mime || !/^[A-Za-z0-9_-]+\.[a-z0-9]+$/.test(name)) return undefined;
    try {
      return { mime, bytes: await readFile(join(PAGE, name)) };
    } catch {
      return undefined;
    }
  }
}

async function bundlePage(): Promise<Map<string, PageFile>> {
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
