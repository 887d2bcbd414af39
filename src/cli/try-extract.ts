import { DateTime } from "luxon";
import { extractByRules, extractInputSchema } from "../engine/proactive/extract-by-rules.ts";
import type { Momentum } from "../engine/tracking/item.ts";

/** What `herald try extract` prints. `dueAt` carries the zone's offset; evidence names messages, and items tracked before. */
export interface TriedExtract {
  items: { title: string; dueAt: string | null; momentum: Momentum; evidence: string[] }[];
}

const EXAMPLE =
  '{"now":"2026-03-11T14:20:00+08:00","zone":"Asia/Shanghai","sessions":[{"id":"s1","source":"feishu","messages":[…]}]}';

/**
 * The rules extractor on one conversation given as JSON, without a database.
 * @throws Error with one line that says what was expected when the input is no such conversation
 */
export function tryExtract(inputJson: string): TriedExtract {
  let value: unknown;
  try {
    value = JSON.parse(inputJson);
  } catch {
    throw new Error(`This is no JSON. Expected ${EXAMPLE}`);
  }
  const parsed = extractInputSchema.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new Error(
      `${issue?.path.join(".") || "The input"}: ${issue?.message ?? "not understood"}. Expected ${EXAMPLE}`,
    );
  }
  const { zone } = parsed.data;
  return {
    items: extractByRules(parsed.data).map((item) => ({
      title: item.title,
      dueAt: item.dueAt ? DateTime.fromJSDate(item.dueAt, { zone }).toISO({ suppressMilliseconds: true }) : null,
      momentum: item.momentum,
      evidence: item.goalId ? [...item.evidence, item.goalId] : item.evidence,
    })),
  };
}
