import type { TurnRequest } from "../engine/ports.ts";

/** What goes into a header: printable ASCII, and not too long. */
const HEADER = /^[\x21-\x7e]{1,256}$/;

/**
 * Headers of the request that begins a turn: a key under which it is begun once, where the server knows such keys, and the
 * scope of Hermes' long-term memory.
 * @param withSessionKey false where the key would mix up the approvals of two runs
 */
export function turnHeaders(
  { turnId, sessionKey }: Pick<TurnRequest, "turnId" | "sessionKey">,
  withSessionKey: boolean,
): Record<string, string> {
  const key = `herald-${turnId}`.replace(/[^\x21-\x7e]/g, "").slice(0, 255);
  return {
    "idempotency-key": key,
    ...(withSessionKey && HEADER.test(sessionKey) && { "x-hermes-session-key": sessionKey }),
  };
}
