import { randomBytes, randomInt } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import type { Faults } from "./faults.ts";
import { decodeFrame, encodeFrame, frameHeader, type WsFrame } from "./ws-frame.ts";

/** What the platform tells its clients about pings and reconnecting, in seconds. */
export type ClientConfig = {
  ReconnectCount: number;
  ReconnectInterval: number;
  ReconnectNonce: number;
  PingInterval: number;
};

/** The client's acknowledgement: its code, and the bytes its handler returned when there were any. */
export type Ack = { code: number; data?: Buffer };

const SERVICE_ID = 33554678;
const TICKET_LIFE_MS = 60_000;
/** Connections of one app, as the platform limits them. */
const MAX_CONNECTIONS = 50;

/** The server end of the long connection: several clients share the pushes, each push goes to one of them at random. */
export class LongConnection {
  readonly #server = new WebSocketServer({ noServer: true });
  /** Clients that have sent their first ping: before it the SDK is not listening yet, and a push would be lost. */
  readonly #clients = new Set<WebSocket>();
  readonly #sockets = new Set<WebSocket>();
  readonly #tickets = new Map<string, number>();
  readonly #awaited = new Map<string, { client: WebSocket; settle: (ack: Ack | undefined) => void }>();
  readonly #faults: Faults;
  readonly #config: ClientConfig;
  readonly #fragmentBytes: number;
  readonly #onChange: (change: "opened" | "closed") => void;

  constructor(parts: {
    faults: Faults;
    config: ClientConfig;
    /** Payloads above this size travel in several frames. */
    fragmentBytes: number;
    onChange: (change: "opened" | "closed") => void;
  }) {
    this.#faults = parts.faults;
    this.#config = parts.config;
    this.#fragmentBytes = parts.fragmentBytes;
    this.#onChange = parts.onChange;
  }

  get connections(): number {
    return this.#clients.size;
  }

  /** The answer to the endpoint call: an address with a ticket good for one connection within a minute. */
  endpoint(host: string): { URL: string; ClientConfig: ClientConfig } {
    const ticket = randomBytes(12).toString("hex");
    this.#tickets.set(ticket, performance.now() + TICKET_LIFE_MS);
    const query = new URLSearchParams({
      fpid: "493",
      aid: "552564",
      device_id: String(randomInt(2 ** 40)),
      access_key: randomBytes(8).toString("hex"),
      service_id: String(SERVICE_ID),
      ticket,
    });
    return { URL: `ws://${host}/ws/v2?${query.toString()}`, ClientConfig: this.#config };
  }

  get isFull(): boolean {
    return this.#sockets.size >= MAX_CONNECTIONS;
  }

  /** Takes over an HTTP upgrade; refused ones get the platform's `Handshake-…` headers. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const ticket = new URL(request.url ?? "/", "http://local").searchParams.get("ticket") ?? "";
    const until = this.#tickets.get(ticket) ?? 0;
    this.#tickets.delete(ticket);
    if (this.#faults.refuseConnections || until < performance.now()) {
      const headers = ["Handshake-Status: 403", "Handshake-Msg: invalid ticket", "Handshake-Autherrcode: 514"];
      socket.end(`HTTP/1.1 403 Forbidden\r\nConnection: close\r\n${headers.join("\r\n")}\r\n\r\n`);
      return;
    }
    this.#server.handleUpgrade(request, socket, head, (client) => this.#welcome(client));
  }

  /**
   * Pushes a payload to one client at random.
   * @returns its acknowledgement, whenever it comes; undefined when there is nobody or the connection breaks
   */
  push(payload: Buffer, type: "event" | "card" = "event"): Promise<Ack | undefined> {
    const clients = [...this.#clients];
    const client = clients[clients.length > 0 ? randomInt(clients.length) : 0];
    if (!client) return Promise.resolve(undefined);
    const messageId = randomBytes(16).toString("hex");
    return new Promise((settle) => {
      this.#awaited.set(messageId, { client, settle });
      for (const frame of this.#fragments(payload, type, messageId)) client.send(encodeFrame(frame));
    });
  }

  killAll(): void {
    for (const client of this.#sockets) client.terminate();
  }

  close(): void {
    this.killAll();
    this.#server.close();
    for (const { settle } of this.#awaited.values()) settle(undefined);
    this.#awaited.clear();
  }

  #fragments(payload: Buffer, type: string, messageId: string): WsFrame[] {
    const sum = Math.max(1, Math.ceil(payload.length / this.#fragmentBytes));
    const traceId = randomBytes(8).toString("hex");
    return Array.from({ length: sum }, (_, seq) => ({
      SeqID: 0,
      LogID: 0,
      service: SERVICE_ID,
      method: 1,
      headers: [
        { key: "type", value: type },
        { key: "message_id", value: messageId },
        { key: "sum", value: String(sum) },
        { key: "seq", value: String(seq) },
        { key: "trace_id", value: traceId },
      ],
      payload: payload.subarray(seq * this.#fragmentBytes, (seq + 1) * this.#fragmentBytes),
    }));
  }

  #welcome(client: WebSocket): void {
    this.#sockets.add(client);
    client.on("message", (data) => this.#receive(client, data as Buffer));
    client.on("error", () => client.terminate());
    client.on("close", () => {
      this.#sockets.delete(client);
      const wasReady = this.#clients.delete(client);
      for (const [messageId, awaited] of this.#awaited) {
        if (awaited.client !== client) continue;
        this.#awaited.delete(messageId);
        awaited.settle(undefined);
      }
      if (wasReady) this.#onChange("closed");
    });
  }

  #receive(client: WebSocket, data: Buffer): void {
    let frame: WsFrame;
    try {
      frame = decodeFrame(data);
    } catch {
      client.terminate();
      return;
    }
    if (!this.#clients.has(client)) {
      this.#clients.add(client);
      this.#onChange("opened");
    }
    if (frame.method === 0) this.#pong(client, frame);
    else this.#acknowledge(frame);
  }

  #pong(client: WebSocket, ping: WsFrame): void {
    if (frameHeader(ping, "type") !== "ping" || this.#faults.ignorePings) return;
    const headers = [{ key: "type", value: "pong" }];
    client.send(encodeFrame({ ...ping, headers, payload: Buffer.from(JSON.stringify(this.#config)) }));
  }

  #acknowledge(frame: WsFrame): void {
    const messageId = frameHeader(frame, "message_id");
    const awaited = this.#awaited.get(messageId);
    if (!awaited) return;
    this.#awaited.delete(messageId);
    awaited.settle(readAck(frame.payload));
  }
}

function readAck(payload: Buffer): Ack {
  try {
    const { code, data } = JSON.parse(payload.toString("utf8")) as { code?: unknown; data?: unknown };
    const ack: Ack = { code: typeof code === "number" ? code : 500 };
    return typeof data === "string" ? { ...ack, data: Buffer.from(data, "base64") } : ack;
  } catch {
    return { code: 500 };
  }
}
