import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const DRIVER = fileURLToPath(new URL("gateway-driver.py", import.meta.url));

/** Hermes' gateway (a stand-in of it) in a process of its own, with the plugin of that folder. */
export interface GatewayProcess {
  /** Hermes says something by itself */
  send(chat: string, text: string, job?: string): Promise<{ success: boolean; error: string | null }>;
  /** Hermes begins a turn by itself */
  own(chat: string, text: string): Promise<void>;
  /** what the agent was given so far: session and text */
  given(): Promise<[string, string][]>;
  /** taken down in good order */
  stop(): Promise<void>;
  /** gone from one moment to the next */
  kill(): Promise<void>;
}

export async function startGateway(pluginFolder: string, kind: "old" | "new" = "old"): Promise<GatewayProcess> {
  const child: ChildProcessWithoutNullStreams = spawn("python3", [DRIVER, pluginFolder, kind], {
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" },
  });
  let errors = "";
  child.stderr.on("data", (part) => {
    errors += part;
  });
  const ended = once(child, "exit");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<Record<string, unknown>> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`the gateway ended: ${errors}`);
    return JSON.parse(value);
  };
  const ask = (command: Record<string, unknown>): Promise<Record<string, unknown>> => {
    child.stdin.write(`${JSON.stringify(command)}\n`);
    return next();
  };
  await next();
  return {
    send: async (chat, text, job) =>
      (await ask({ do: "send", chat, text, job })) as { success: boolean; error: string | null },
    own: async (chat, text) => void (await ask({ do: "own", chat, text })),
    given: async () => (await ask({ do: "given" })).given as [string, string][],
    async stop() {
      await ask({ do: "stop" });
      await ended;
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
