import { DateTime } from "luxon";
import { z } from "zod";
import { readTime } from "../engine/natural-time.ts";

const Question = z.object({
  text: z.string(),
  now: z.iso.datetime({ offset: true, local: false }),
  zone: z.string().refine((zone) => DateTime.local({ zone }).isValid, "is no time zone, such as Asia/Shanghai"),
});

/** What `herald try when` prints: as many lines as came in, and what was wrong with which. */
export interface WhenAnswers {
  /** One JSON value a line: `{"start","end"?}` with the zone's offset, or `null`. */
  lines: string[];
  /** One sentence for each line that could not be read; that line's answer is `null`. */
  errors: string[];
}

/** Answers JSON lines `{"text","now","zone"}`. Empty lines are passed over, a bad line is named and answered with null. */
export function tryWhen(input: string): WhenAnswers {
  const answers: WhenAnswers = { lines: [], errors: [] };
  for (const [i, line] of input.split(/\r?\n/).entries()) {
    if (line.trim() === "") continue;
    const question = parseLine(line);
    if (typeof question === "string") {
      answers.errors.push(
        `Line ${i + 1}: ${question}. Expected {"text":"明天下午3点","now":"2026-03-11T14:20:00+08:00","zone":"Asia/Shanghai"}`,
      );
      answers.lines.push("null");
    } else answers.lines.push(answer(question));
  }
  return answers;
}

function parseLine(line: string): z.infer<typeof Question> | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return "this is no JSON";
  }
  const parsed = Question.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  return `${issue?.path.join(".") || "the value"}: ${issue?.message ?? "not understood"}`;
}

function answer({ text, now, zone }: z.infer<typeof Question>): string {
  const mention = readTime(text, new Date(now), zone);
  if (!mention) return "null";
  const iso = (at: Date): string =>
    DateTime.fromJSDate(at, { zone }).toISO({ suppressMilliseconds: true }) ?? at.toISOString();
  return JSON.stringify(
    mention.end ? { start: iso(mention.start), end: iso(mention.end) } : { start: iso(mention.start) },
  );
}
