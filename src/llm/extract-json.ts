import { z } from "zod";

/** Objects longer than this are not tried: no reply schema of ours comes near it. */
const OBJECT_LIMIT_CHARS = 400_000;
/** A text full of stray braces is not tried for ever: so many characters are walked over in all. */
const MOST_STEPS = 5_000_000;

/**
 * The last object or list in a model's reply that fits the schema. Reasoning (`<think>…</think>`, also one that was never
 * closed) is removed first, so that a draft inside a thought is never taken for the answer; fences and words around the
 * object are ignored. When nothing fits, `error` says in a sentence what was wrong with the last object: it is what the
 * model is told when it is asked once more.
 */
export function extractJson<T>(
  reply: string,
  schema: z.ZodType<T>,
): { ok: true; value: T } | { ok: false; error: string } {
  const text = stripReasoning(reply);
  const objects = outermostObjects(text);
  let error: string | undefined;
  for (const json of objects.reverse()) {
    const parsed = parse(json, schema);
    if (parsed.ok) return parsed;
    error ??= parsed.error;
  }
  return { ok: false, error: error ?? "There is no JSON object in the reply." };
}

/** A reply without the model's thoughts. */
export function stripReasoning(reply: string): string {
  return (
    reply
      .replace(/<(think|thinking|thought|reasoning)\b[^>]*>[\s\S]*?<\/\1\s*>/giu, " ")
      // Some servers drop the opening tag: everything up to a closing one is thought.
      .replace(/^[\s\S]*<\/(?:think|thinking|thought|reasoning)\s*>/iu, " ")
      .replace(/<(?:think|thinking|thought|reasoning)\b[^>]*>[\s\S]*$/iu, " ")
  );
}

function parse<T>(json: string, schema: z.ZodType<T>): { ok: true; value: T } | { ok: false; error: string } {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    return { ok: false, error: `The JSON cannot be read: ${error instanceof Error ? error.message : "syntax error"}` };
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, error: `The JSON does not fit: ${z.prettifyError(parsed.error).slice(0, 800)}` };
}

/** The texts of balanced {…} and […] that stand in no other one, in order. Braces inside strings do not count. */
function outermostObjects(text: string): string[] {
  const found: string[] = [];
  let steps = 0;
  for (let start = nextOpening(text, 0); start >= 0 && steps < MOST_STEPS; ) {
    const { end, walked } = matchingEnd(text, start);
    steps += walked;
    if (end >= 0) found.push(text.slice(start, end + 1));
    start = nextOpening(text, end >= 0 ? end + 1 : start + 1);
  }
  return found;
}

function nextOpening(text: string, from: number): number {
  for (let i = from; i < text.length; i++) if (text[i] === "{" || text[i] === "[") return i;
  return -1;
}

/** `end` is -1 when the bracket at `start` is never closed, or closed by another kind. */
function matchingEnd(text: string, start: number): { end: number; walked: number } {
  const open: string[] = [];
  let inString = false;
  const last = Math.min(text.length, start + OBJECT_LIMIT_CHARS);
  for (let i = start; i < last; i++) {
    const c = text[i];
    if (inString) {
      if (c === "\\") i++;
      else if (c === '"') inString = false;
    } else if (c === '"') inString = true;
    else if (c === "{" || c === "[") open.push(c === "{" ? "}" : "]");
    else if (c === "}" || c === "]") {
      if (open.pop() !== c) return { end: -1, walked: i - start };
      if (open.length === 0) return { end: i, walked: i - start };
    }
  }
  return { end: -1, walked: last - start };
}
