import { parseWhen } from "../engine/natural-time/parse-when.ts";
import type { TimeMention } from "../engine/natural-time.ts";
import { readInstant } from "../engine/proactive/read-instant.ts";
import type { Scope } from "../engine/scope.ts";
import { ToolRefused } from "./tool-refused.ts";

/** ISO 8601, the way models write times: a day, or a day with a clock time. */
const ISO = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.*)?$/;
const DAY_CHARS = 10;
/** A day is meant at this hour, as with the commands. */
const DAY_HOUR = 9;

/** A time a tool's argument names. `mention` is missing for ISO; `grain` says whether only a day was named. */
export interface WhenRead {
  at: Date;
  grain: "day" | "minute";
  mention?: TimeMention;
}

/**
 * Reads an argument that must be a time that has not passed: ISO 8601, or the words of a person.
 * @throws ToolRefused 422 with what was expected
 */
export function readWhen(field: string, text: string, scope: Pick<Scope, "clock">, zone: string): WhenRead {
  const now = scope.clock.now();
  const given = text.trim();
  if (ISO.test(given)) {
    const day = given.length === DAY_CHARS;
    const at = readInstant(day ? `${given}T0${DAY_HOUR}:00` : given, zone);
    if (at === undefined) throw refusal(field, text, "a time");
    const end = day ? readInstant(`${given}T23:59`, zone) : at;
    if (end === undefined || end <= now) throw refusal(field, text, "a time that has not passed");
    return { at: at > now ? at : end, grain: day ? "day" : "minute" };
  }
  const when = parseWhen(text, now, zone);
  if (!when.ok) {
    throw refusal(field, text, when.problem === "past" ? "a time that has not passed" : "a time and nothing else");
  }
  const { at, mention } = when;
  return { at, mention, grain: mention.grain === "minute" || mention.grain === "hour" ? "minute" : "day" };
}

function refusal(field: string, given: string, expected: string): ToolRefused {
  const shown = JSON.stringify(given.slice(0, 80));
  return new ToolRefused(
    422,
    `${field}: expected ${expected}, such as 明天下午3点 or 2026-12-04 15:00, got ${shown}. Nothing was changed.`,
  );
}
