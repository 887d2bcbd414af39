import type { ServerResponse } from "node:http";
import type { AgentBehaviour } from "./agent-behaviour.ts";

/** Writes server-sent events the way the behaviour wants: whole or in pieces, with keepalives, broken off or to the end. */
export class AgentStream {
  readonly #response: ServerResponse;
  readonly #behaviour: AgentBehaviour;
  readonly #keepalive: NodeJS.Timeout;
  #sent = 0;

  constructor(response: ServerResponse, behaviour: AgentBehaviour) {
    this.#response = response;
    this.#behaviour = behaviour;
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    response.flushHeaders();
    this.#keepalive = setInterval(() => response.write(": keepalive\n\n"), behaviour.keepaliveMs);
    response.on("close", () => clearInterval(this.#keepalive));
  }

  send(payload: unknown, event?: string): void {
    if (this.#response.destroyed) return;
    const { oddEvents, breakAfterEvents } = this.#behaviour;
    if (oddEvents) this.#write('event: herald.unheard.of\ndata: {"event":"unheard.of","delta":"no"}\n\n');
    if (oddEvents) this.#write("data: not json\n\n");
    this.#write(`${event === undefined ? "" : `event: ${event}\n`}data: ${JSON.stringify(payload)}\n\n`);
    this.#sent++;
    if (breakAfterEvents !== undefined && this.#sent >= breakAfterEvents) this.#response.destroy();
  }

  end(comment?: string): void {
    clearInterval(this.#keepalive);
    if (this.#response.destroyed) return;
    if (comment !== undefined) this.#write(`: ${comment}\n\n`);
    this.#response.end();
  }

  #write(text: string): void {
    const { pieceBytes } = this.#behaviour;
    const bytes = Buffer.from(text);
    if (pieceBytes <= 0) this.#response.write(bytes);
    else
      for (let at = 0; at < bytes.length; at += pieceBytes) this.#response.write(bytes.subarray(at, at + pieceBytes));
  }
}
