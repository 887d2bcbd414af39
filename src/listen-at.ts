import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Config } from "./config.ts";
import { StartRefused } from "./start-refused.ts";
import { textsFor } from "./text/pick.ts";

/**
 * Listens where the configuration says, and lets go at the end. @returns http://host:port
 * @throws StartRefused when the port is taken
 */
export async function listenAt(
  { host, port, language, terminal }: Config,
  server: Server,
  atEnd: (letGo: () => Promise<void>) => void,
): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const taken = new StartRefused(textsFor(terminal ?? language).cli.portTaken(port, host, port + 10), 1);
      reject(error.code === "EADDRINUSE" ? taken : error);
    });
    server.listen(port, host, () => resolve());
  });
  atEnd(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  );
  const { port: taken } = server.address() as AddressInfo;
  return `http://${host.includes(":") ? `[${host}]` : host}:${taken}`;
}
