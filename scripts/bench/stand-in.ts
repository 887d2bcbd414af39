import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Faults } from "../../src/playground/faults.ts";
import { type Ack, LongConnection } from "../../src/playground/long-connection.ts";

export const APP = { appId: "cli_00be4c0000be4c00", appSecret: "bench-secret-of-no-use" } as const;

/** The least of a platform: tokens, the long connection, and yes to everything else. Costs nobody anything. */
export interface StandIn {
  url: string;
  push(payload: Buffer): Promise<Ack | undefined>;
  /** Resolves when a client listens on the long connection, with the time of performance.now(). */
  connected: Promise<number>;
  close(): Promise<void>;
}

export async function startStandIn(): Promise<StandIn> {
  let opened: (at: number) => void = () => {};
  const connected = new Promise<number>((resolve) => {
    opened = resolve;
  });
  const socket = new LongConnection({
    faults: new Faults(),
    config: { ReconnectCount: -1, ReconnectInterval: 3, ReconnectNonce: 1, PingInterval: 30 },
    fragmentBytes: 1_000_000,
    onChange: (change) => {
      if (change === "opened") opened(performance.now());
    },
  });
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      response.setHeader("content-type", "application/json; charset=utf-8");
      response.end(JSON.stringify(answer(request.url ?? "", request.headers.host ?? "", socket)));
    });
  });
  server.on("upgrade", (request, stream, head) => socket.upgrade(request, stream, head));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    push: (payload) => socket.push(payload),
    connected,
    close: async () => {
      socket.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(path: string, host: string, socket: LongConnection): object {
  if (path.startsWith("/callback/ws/endpoint")) return { code: 0, msg: "", data: socket.endpoint(host) };
  if (path.includes("tenant_access_token")) return { code: 0, msg: "ok", tenant_access_token: "t-bench", expire: 7200 };
  if (path.includes("/bot/v3/info"))
    return { code: 0, msg: "ok", bot: { open_id: "ou_bench_bot", app_name: "Herald" } };
  return { code: 0, msg: "ok", data: { message_id: "om_bench", chat_id: "oc_bench" } };
}
