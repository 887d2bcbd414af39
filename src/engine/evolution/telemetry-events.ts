import { z } from "zod";
import type { SessionTelemetry } from "./session-facts.ts";

/** The events of Hermes' hooks as the plugin tells them; fields Hermes has added since pass by. */
const eventSchema = z.looseObject({
  event: z.string(),
  session_id: z.string(),
  turn_id: z.string().nullish(),
  tool_call_id: z.string().nullish(),
  duration_ms: z.number().nullish(),
  completed: z.boolean().nullish(),
  interrupted: z.boolean().nullish(),
  failed: z.boolean().nullish(),
  choice: z.string().nullish(),
  user_message: z.string().nullish(),
  at: z.coerce.date(),
});

/** Hermes reviews a conversation in the background under the session's own id: none of that is the session's work. */
const REVIEW = /^\s*Review the conversation above and /;

type Told = { -readonly [Key in keyof SessionTelemetry]: SessionTelemetry[Key] } & {
  calls: Map<string, { durationMs?: number; at?: Date }>;
};

/** What the hooks told of each session. Doubled and late events change nothing; what cannot be read is left out. */
export function eventsBySession(events: readonly unknown[]): Map<string, SessionTelemetry> {
  const parsed = events.flatMap((event) => eventSchema.safeParse(event).data ?? []);
  const reviews = new Set(
    parsed.flatMap((event) => (event.turn_id && REVIEW.test(event.user_message ?? "") ? [event.turn_id] : [])),
  );
  const sessions = new Map<string, Told>();
  const seen = new Set<string>();
  for (const event of parsed) {
    if (event.turn_id && reviews.has(event.turn_id)) continue;
    const key = JSON.stringify([event.event, event.session_id, event.turn_id, event.tool_call_id, event.at.getTime()]);
    if (seen.has(key)) continue;
    seen.add(key);
    const told = sessions.get(event.session_id) ?? {
      calls: new Map(),
      apiErrors: 0,
      budgetExhausted: false,
      denied: 0,
    };
    sessions.set(event.session_id, told);
    switch (event.event) {
      case "post_tool_call":
        if (event.tool_call_id && !told.calls.has(event.tool_call_id)) {
          told.calls.set(event.tool_call_id, {
            at: event.at,
            ...(typeof event.duration_ms === "number" && { durationMs: event.duration_ms }),
          });
        }
        break;
      case "on_session_end":
        if (event.completed === false && event.interrupted === false && event.failed !== true)
          told.budgetExhausted = true;
        break;
      case "api_request_error":
        told.apiErrors++;
        break;
      case "post_approval_response":
        if (event.choice === "deny") told.denied++;
        break;
    }
  }
  return sessions;
}
