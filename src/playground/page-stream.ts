import type { IncomingMessage, ServerResponse } from "node:http";
import type { PageEvent } from "./page-api.ts";
import type { PlatformCore } from "./platform-core.ts";

const HEARTBEAT_MS = 15_000;

/** Serves the stream of news to one page, from where it left off (`Last-Event-ID`, or `?after=`) if that is still kept. */
export function streamNews(core: PlatformCore, request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    connection: "keep-alive",
    "x-accel-buffering": "no",
  });
  response.write("retry: 1000\n\n");
  const send = (event: PageEvent): void => {
    response.write(`id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  };
  const after =
    request.headers["last-event-id"] ?? new URL(request.url ?? "/", "http://local").searchParams.get("after");
  const missed = after === null || after === undefined ? [] : core.feed.since(Number(after));
  if (missed) for (const event of missed) send(event);
  else send({ id: core.feed.lastId, type: "state", herald: heraldOf(core), reload: true });
  const stop = core.feed.listen(send);
  const heartbeat = setInterval(() => response.write(": still here\n\n"), HEARTBEAT_MS);
  heartbeat.unref();
  response.on("close", () => {
    clearInterval(heartbeat);
    stop();
  });
}

/** Whether the bot listens, as the page shows it. In webhook mode it counts as connected. */
export function heraldOf(core: PlatformCore): { connected: boolean; connections: number } {
  const connections = core.socket.connections;
  return { connected: connections > 0 || core.webhook !== undefined, connections };
}
