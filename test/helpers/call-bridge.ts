import type { Scope } from "../../src/engine/scope.ts";
import { bridgeRoutes } from "../../src/hermes-bridge/tool-routes.ts";

const TOKEN = "t".repeat(32);

export type Answer = { status: number; body: Record<string, unknown> };

/** Calls a tool as the plugin would, past HTTP: same handler, same checks. `changed` counts what cards were told of. */
export function bridgeOf(scope: Scope): {
  call(args: unknown, sessionId?: string, tool?: string): Promise<Answer>;
  get(path: string): Promise<Answer>;
} {
  const handle = bridgeRoutes({ scope, token: TOKEN, version: "0.0.0", changed: () => {} });
  const ask = async (method: string, path: string, body?: unknown): Promise<Answer> =>
    handle({
      method,
      path,
      authorization: `Bearer ${TOKEN}`,
      host: "127.0.0.1:8686",
      forwarded: false,
      peer: "127.0.0.1",
      read: async () => Buffer.from(JSON.stringify(body ?? null)),
    });
  return {
    call: (args, sessionId, tool = "tracking_manage") =>
      ask("POST", `/bridge/tools/${tool}`, {
        args,
        context: sessionId === undefined ? {} : { session_id: sessionId, task_id: "t1" },
      }),
    get: (path) => ask("GET", path),
  };
}
