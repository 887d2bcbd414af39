import { EngineError } from "../engine/errors.ts";
import type { ApiAnswer } from "./hermes-api.ts";
import { whyLine } from "./turn-progress.ts";

/** Hermes cannot be spoken to; `why` is a key of the texts, or what Hermes said. */
export function unavailable(why: string, cause?: unknown): EngineError {
  return new EngineError("unavailable", { what: "hermes", why }, cause === undefined ? undefined : { cause });
}

/** Hermes said no before anything began. */
export function refusal({ status, body }: ApiAnswer): EngineError {
  if (status === 401 || status === 403) return unavailable("key_refused");
  if (status === 429 || status === 409) return unavailable("busy");
  const { error } = (body ?? {}) as { error?: { message?: unknown } };
  return unavailable(whyLine(error?.message, `http_${status}`));
}
