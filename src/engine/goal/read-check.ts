import type { ToolUse } from "./goal.ts";

const EXIT = /CHECK[\s_-]*EXIT[\s:=：]*(-?\d{1,3})\b/giu;
const LAST_CHARS = 1_500;

/**
 * How the person's check ended: only a tool that was seen to run in this turn makes it count, and the last exit code the
 * reply gives. Words alone are `not_run`.
 */
export function readCheck(reply: string, tools: readonly ToolUse[]): "passed" | "failed" | "not_run" {
  const ran = tools.some((tool) => tool.state !== "started");
  const codes = [...reply.slice(-LAST_CHARS).matchAll(EXIT)].map((match) => Number(match[1]));
  const code = codes.at(-1);
  if (!ran || code === undefined) return "not_run";
  return code === 0 ? "passed" : "failed";
}
