import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { PageEvent, PlaygroundState, TapAnswer, TapRequest } from "../../src/playground/page-api.ts";

const PAGE = fileURLToPath(new URL("../../src/playground/page/", import.meta.url));
const PIXEL =
  '<svg xmlns="http://www.w3.org/2000/svg" width="480" height="200"><defs><linearGradient id="g"><stop stop-color="#3370ff"/><stop offset="1" stop-color="#7b45d0"/></linearGradient></defs><rect width="480" height="200" fill="url(#g)"/></svg>';

/** What the page asked of the server, newest last. */
export type Asked = { path: string; body: unknown };

/** A server that speaks the page's contract from a fixed state; a test scripts taps and news. */
export type PageDevServer = {
  readonly url: string;
  readonly asked: Asked[];
  readonly send: (event: PageEvent) => void;
  /** Where each stream that was opened asked to go on from. */
  readonly streams: () => readonly (string | null)[];
  /** Breaks every open stream, as a restarting server does. */
  readonly cut: () => void;
  readonly close: () => Promise<void>;
};

type Script = {
  readonly state: () => PlaygroundState;
  readonly onTap?: (tap: TapRequest) => TapAnswer | Promise<TapAnswer>;
  readonly inspect?: Readonly<Record<string, unknown>>;
  readonly port?: number;
};

/** Starts it on a free port of this machine. */
export async function startPageDevServer(script: Script): Promise<PageDevServer> {
  const files = await bundle();
  const asked: Asked[] = [];
  const streams = new Set<ServerResponse>();
  const starts: (string | null)[] = [];
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) =>
      json(response, 500, { error: { code: "bug", message: String(error) } }),
    );
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, searchParams } = new URL(request.url ?? "/", "http://local");
    const file = files[path];
    if (file) {
      response.writeHead(200, { "content-type": file.type }).end(file.body);
      return;
    }
    if (path === "/playground/api/stream") {
      response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
      response.write(": hello\n\n");
      streams.add(response);
      starts.push(searchParams.get("after"));
      response.on("close", () => streams.delete(response));
      return;
    }
    if (path === "/playground/api/state") return json(response, 200, script.state());
    if (path.startsWith("/playground/api/inspect/")) {
      const what = path.slice("/playground/api/inspect/".length);
      const data = script.inspect?.[what];
      return data === undefined
        ? json(response, 404, { error: { code: "unknown", message: "" } })
        : json(response, 200, { what, data });
    }
    if (path === "/playground/api/images/img_ok") {
      response.writeHead(200, { "content-type": "image/svg+xml" }).end(PIXEL);
      return;
    }
    if (request.method !== "POST") return json(response, 404, { error: { code: "unknown", message: "" } });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Record<string, unknown>;
    asked.push({ path, body });
    if (path === "/playground/api/tap") return json(response, 200, (await script.onTap?.(body as TapRequest)) ?? {});
    if (path === "/playground/api/clock") return json(response, 200, { now: body.now });
    return json(response, 200, {});
  }

  await new Promise<void>((resolve) => server.listen(script.port ?? 0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/playground`,
    asked,
    send: (event) => {
      for (const stream of streams)
        stream.write(`id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    },
    streams: () => starts,
    cut: () => {
      for (const stream of streams) stream.destroy();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(body));
}

async function bundle(): Promise<Record<string, { type: string; body: string | Uint8Array }>> {
  const made = await build({
    absWorkingDir: PAGE,
    entryPoints: { main: "main.ts", style: "style.css" },
    outdir: "out",
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
    charset: "utf8",
    logLevel: "silent",
  });
  const find = (end: string): Uint8Array =>
    made.outputFiles.find((file) => file.path.endsWith(end))?.contents ?? new Uint8Array();
  return {
    "/playground": { type: "text/html; charset=utf-8", body: await readFile(`${PAGE}index.html`) },
    "/playground/main.js": { type: "text/javascript; charset=utf-8", body: find("main.js") },
    "/playground/style.css": { type: "text/css; charset=utf-8", body: find("style.css") },
    "/playground/icon.svg": { type: "image/svg+xml", body: await readFile(`${PAGE}icon.svg`) },
  };
}
