import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { projectRoot } from "../../src/project-root.ts";
import { bundleEntry, Child } from "./child.ts";
import type { BenchOptions, Result, Target } from "./result.ts";

const TOKEN = "bench-token-of-no-use-at-all";
const DELIVER = 500;

const figures = z.object({ median: z.number(), p99: z.number(), max: z.number(), n: z.number() });
const table = z.record(z.string(), figures);
const answer = z.object({
  "back to back": table,
  "at a pace": table,
  fullQueueMb: z.number(),
  hint: z.boolean(),
});
type Measured = z.infer<typeof answer> & { rows?: number; oldestMs?: number };

/** The plugin's hooks against a no-op: Herald up, down and hanging; back to back and 2 ms apart. */
export async function bench({ quick, say }: BenchOptions): Promise<Result[]> {
  const server = await bundleEntry("scripts/bench/hook-server.ts");
  const measure = async (state: "up" | "down" | "hanging", rules = 50): Promise<Measured> => {
    say(`${state}, ${rules} rules`);
    return measureWith(server, state, rules, quick);
  };
  const up = await measure("up");
  const many = await measure("up", 1000);
  const down = await measure("down");
  const hanging = await measure("hanging");
  return [
    tableOf("hooks, µs a call", { up, "up, 1,000 rules": many, down, hanging }, targetsOf(up, many, down, hanging)),
  ];
}

async function measureWith(
  server: string,
  state: "up" | "down" | "hanging",
  rules: number,
  quick: boolean,
): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), "herald-bench-"));
  const child =
    state === "down" ? undefined : new Child(server, [state, join(folder, "bench.db"), TOKEN, String(rules)]);
  try {
    // Nobody listens on port 9.
    const { port } = z.object({ port: z.number() }).parse((await child?.ask()) ?? { port: 9 });
    const plugin = join(folder, "herald");
    cpSync(join(projectRoot, "src", "hermes-bridge", "plugin", "herald"), plugin, { recursive: true });
    writeFileSync(join(plugin, "herald.json"), JSON.stringify({ url: `http://127.0.0.1:${port}`, token: TOKEN }));
    const plan = {
      plugin,
      rounds: quick ? 2 : 7,
      calls: quick ? 2_000 : 10_000,
      paced: quick ? 100 : 400,
      gap: 0.002,
      full: state !== "up",
      ...(state === "up" && { deliver: DELIVER }),
    };
    const measured = answer.parse(JSON.parse(await python(join(projectRoot, "scripts", "bench", "hooks.py"), plan)));
    if (state !== "up" || child === undefined) return measured;
    const told = z.object({ rows: z.number(), oldestMs: z.number() }).parse(await child.ask({ count: true }));
    return { ...measured, ...told };
  } finally {
    await child?.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

function python(file: string, plan: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn("python3", [file, JSON.stringify(plan)], {
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let out = "";
    child.stdout.on("data", (part) => {
      out += part;
    });
    child.on("error", reject);
    child.on("exit", (code) => (code === 0 ? resolve(out) : reject(new Error(`hooks.py ended with ${code}`))));
  });
}

const HOOKS = ["post_tool_call", "post_tool_call, 1 MB", "on_session_end", "pre_llm_call", "pre_tool_call"] as const;
const PACES = ["back to back", "at a pace"] as const;

function of(measured: Measured, pace: (typeof PACES)[number], hook: string): z.infer<typeof figures> {
  const found = measured[pace][hook];
  if (found === undefined) throw new Error(`no figures of ${hook}`);
  return found;
}

function ratio(measured: Measured, pace: (typeof PACES)[number], hook: string): number {
  return of(measured, pace, hook).median / of(measured, pace, "no-op").median;
}

function tableOf(title: string, states: Readonly<Record<string, Measured>>, targets: readonly Target[]): Result {
  const rows = Object.entries(states).flatMap(([state, measured]) =>
    PACES.flatMap((pace) =>
      ["no-op", ...HOOKS].map((hook) => {
        const { median, p99, max } = of(measured, pace, hook);
        return [state, pace, hook, median, p99, max, ratio(measured, pace, hook)];
      }),
    ),
  );
  return { title, columns: ["Herald", "pace", "hook", "median", "p99", "max", "÷ no-op"], rows, targets };
}

function targetsOf(up: Measured, many: Measured, down: Measured, hanging: Measured): Target[] {
  const observers = ["post_tool_call", "on_session_end"];
  const worst = (measured: Measured, pace: (typeof PACES)[number], hooks: readonly string[]): number =>
    Math.max(...hooks.map((hook) => ratio(measured, pace, hook)));
  const answering = ["pre_llm_call", "pre_tool_call"];
  const growth = Math.max(...answering.map((h) => ratio(many, "back to back", h) / ratio(up, "back to back", h)));
  const away = Math.max(
    ...[down, hanging].map(
      (measured) => worst(measured, "back to back", observers) / worst(up, "back to back", observers),
    ),
  );
  return [
    {
      id: "T1",
      what: "observers ÷ no-op, back to back",
      value: worst(up, "back to back", observers),
      atMost: 3,
      unit: "×",
    },
    {
      id: "T1",
      what: "observers' p99, back to back",
      value: of(up, "back to back", "post_tool_call").p99,
      atMost: 10,
      unit: "µs",
    },
    { id: "T1", what: "observers ÷ no-op, 2 ms apart", value: worst(up, "at a pace", observers), atMost: 3, unit: "×" },
    {
      id: "T1",
      what: "observers' p99, 2 ms apart",
      value: of(up, "at a pace", "post_tool_call").p99,
      atMost: 200,
      unit: "µs",
    },
    {
      id: "T1",
      what: "a result of 1 MB ÷ one of 8 KB",
      value: of(up, "back to back", "post_tool_call, 1 MB").median / of(up, "back to back", "post_tool_call").median,
      atMost: 1.2,
      unit: "×",
    },
    {
      id: "T2",
      what: "observers with Herald down or hanging and the queue full ÷ up",
      value: away,
      atMost: 2,
      unit: "×",
    },
    { id: "T2", what: "memory of a full queue", value: down.fullQueueMb, atMost: 32, unit: "MB" },
    {
      id: "T3",
      what: "pre_llm_call, pre_tool_call with 50 rules ÷ no-op",
      value: worst(up, "back to back", answering),
      atMost: 8,
      unit: "×",
    },
    { id: "T3", what: "1,000 rules ÷ 50", value: growth, atMost: 20, unit: "×" },
    {
      id: "T3",
      what: "hints given while Herald is down",
      value: Number(down.hint || hanging.hint),
      atMost: 0,
      unit: "",
    },
    { id: "T4", what: `rows that arrived of ${DELIVER}`, value: up.rows ?? 0, atLeast: DELIVER, unit: "" },
    { id: "T4", what: "the oldest when it arrived", value: up.oldestMs ?? Number.NaN, atMost: 1_000, unit: "ms" },
  ];
}
