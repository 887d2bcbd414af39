import { oneLine } from "../clean-text.ts";
import { EngineError } from "../errors.ts";
import type { Evidence } from "../evidence.ts";
import { fullMinute } from "../full-minute.ts";
import { maskSecrets } from "../mask-secrets.ts";
import { assertMay } from "../people/person.ts";
import type { PersonActor, Scope } from "../scope.ts";
import { audienceOf, type Place } from "./audience.ts";
import type { TrackingItem } from "./item.ts";
import { openItem, TITLE_CHARS } from "./open-item.ts";

/** Reads the same in both languages. */
const EXAMPLE = "/remind ☕ 17:00";

export const REMIND_LIMIT_DAYS = 5 * 366;

/**
 * /remind: a matter whose very minute a person named; seconds are rounded up. It is spoken of then, quiet hours or not, and before that not at
 * all. The same message again gives the same reminder.
 * @throws EngineError forbidden · invalid_input (empty text, a time that is past or over five years away)
 */
export async function setReminder(
  scope: Scope,
  who: PersonActor,
  input: { text: string; at: Date; place: Place; messageId: string; evidence?: readonly Evidence[] },
): Promise<{ outcome: "opened" | "already"; item: TrackingItem }> {
  assertMay(who, "remind.set");
  // Cards leave secrets out anyway: what is never shown need not be kept.
  const text = maskSecrets(input.text);
  const title = oneLine(text, TITLE_CHARS);
  if (title === "") {
    throw new EngineError("invalid_input", {
      path: "text",
      expected: "remind.text",
      example: EXAMPLE,
    });
  }
  const ahead = input.at.getTime() - scope.clock.now().getTime();
  if (!(ahead > 0 && ahead <= REMIND_LIMIT_DAYS * 86_400_000)) {
    throw new EngineError("invalid_input", {
      path: "when",
      expected: "time.future",
      ...(!Number.isNaN(ahead) && { given: input.at.toISOString() }),
      example: EXAMPLE,
    });
  }
  const at = fullMinute(input.at);
  return openItem(scope, who, {
    title,
    summary: text,
    kind: "reminder",
    momentum: "on_track",
    dueAt: at,
    dueGrain: "minute",
    snoozedUntil: at,
    exact: true,
    evidence: input.evidence ?? [],
    audience: audienceOf(who, input.place),
    key: `remind ${input.messageId}`,
  });
}
