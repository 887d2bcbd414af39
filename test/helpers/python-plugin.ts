import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const DRIVER = fileURLToPath(new URL("plugin-driver.py", import.meta.url));

export interface PythonPlugin {
  /** what it registered */
  registered: unknown;
  call(tool: string, args: Record<string, unknown>, sessionId: string): Promise<Record<string, unknown>>;
  /** Fires a hook as Hermes does; what it returned. */
  fire(hook: string, kwargs: Record<string, unknown>): Promise<unknown>;
  stop(): Promise<void>;
}

/** The plugin installed in this Hermes home, in a Python process, as Hermes would have it. */
export async function startPythonPlugin(hermesHome: string): Promise<PythonPlugin> {
  const child: ChildProcessWithoutNullStreams = spawn("python3", [DRIVER, join(hermesHome, "plugins", "herald")], {
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" },
  });
  let errors = "";
  child.stderr.on("data", (part) => {
    errors += part;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<Record<string, unknown>> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`the plugin ended: ${errors}`);
    return JSON.parse(value);
  };
  const say = (line: object): Promise<Record<string, unknown>> => {
    child.stdin.write(`${JSON.stringify(line)}\n`);
    return next();
  };
  return {
    registered: await next(),
    call: (tool, args, sessionId) => say({ tool, args, session_id: sessionId }),
    fire: async (hook, kwargs) => (await say({ hook, with: kwargs })).returned,
    async stop() {
      const ended = once(child, "exit");
      child.stdin.end();
      await ended;
    },
  };
}
