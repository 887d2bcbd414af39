import { createServer, type Server } from "node:http";

/** Systems hand out ports above these by themselves, to servers that ask for any port and to every connection that is opened. */
const LOWEST = 12_000;
const HIGHEST = 32_000;

/**
 * A port that is free and stays so: nothing else in a test run is given one of these by chance, neither this one nor the
 * one after it, which the playground listens on.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 200; tries++) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    if ((await isFree(port)) && (await isFree(port + 1))) return port;
  }
  throw new Error(`no free port between ${LOWEST} and ${HIGHEST}`);
}

/** Listens on a port that is free until then. */
export async function takePort(): Promise<{ port: number; server: Server }> {
  const port = await freePort();
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
  return { port, server };
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
