import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DayRow, DaySession } from "../../src/engine/evolution/day-session.ts";
import type { Llm } from "../../src/engine/ports.ts";
import { HermesHomeFiles } from "../../src/hermes-bridge/hermes-files.ts";
import { type Given, type GivenScope, given } from "./given.ts";
import { openTestDb } from "./test-db.ts";
import { type ToldHistory, toldHistory } from "./told-history.ts";

export interface ToolStep {
  tool: string;
  args: Record<string, unknown>;
  result: unknown;
}

/** One session told step by step: a text is said by the person or the agent in turn, a step is a call with its result. */
export function toldSession(
  id: string,
  at: Date | string,
  steps: readonly (string | ToolStep)[],
  more: { source?: string; apiCalls?: number; model?: string; lastFinish?: string } = {},
): DaySession {
  const started = new Date(at);
  const rows: DayRow[] = [];
  let person = true;
  const row = (role: string, text: string, rest: Partial<DayRow> = {}): void => {
    rows.push({
      id: `${id}-m${rows.length + 1}`,
      role,
      text,
      wholeLength: Buffer.byteLength(text),
      at: new Date(started.getTime() + rows.length * 1_000),
      observed: false,
      ...rest,
    });
  };
  for (const step of steps) {
    if (typeof step === "string") {
      row(person ? "user" : "assistant", step, person ? {} : { finishReason: "stop" });
      person = !person;
      continue;
    }
    const call = `${id}-c${rows.length + 1}`;
    row("assistant", "", {
      finishReason: "tool_calls",
      toolCalls: [{ id: call, name: step.tool, arguments: JSON.stringify(step.args) }],
    });
    const result = typeof step.result === "string" ? step.result : JSON.stringify(step.result);
    row("tool", result, { toolName: step.tool, toolCallId: call });
  }
  return {
    session: { id, lineage: id, source: more.source ?? "cli", startedAt: started },
    parts: [id],
    apiCalls: more.apiCalls ?? rows.filter((each) => each.role === "assistant").length,
    model: more.model ?? "glm-4.6",
    inputTokens: 1_000,
    outputTokens: 200,
    rewinds: 0,
    rows,
  };
}

export interface NightWorld {
  scope: GivenScope;
  given: Given;
  history: ToldHistory;
  home: string;
  release(): Promise<void>;
}

/** A database, a Hermes home on disk, and days that a test tells session by session. */
export async function nightWorld(options: { llm?: Llm; at?: string } = {}): Promise<NightWorld> {
  const test = await openTestDb();
  const home = mkdtempSync(join(tmpdir(), "herald-night-"));
  const history = toldHistory();
  const made = given(test.db, { history, files: new HermesHomeFiles(home), ...options });
  await made.people();
  return {
    scope: made.a,
    given: made,
    history,
    home,
    async release() {
      await test.release();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
