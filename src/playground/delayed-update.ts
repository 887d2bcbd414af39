import { type ApiAnswer, ok, Refusal } from "./api-answer.ts";
import type { ApiCall } from "./api-routes.ts";
import { isRecord } from "./card-rules.ts";
import { showCard } from "./message-calls.ts";
import { shownCard } from "./page-view.ts";
import type { PlatformCore } from "./platform-core.ts";
import { newId, type UpdateTicket } from "./platform-state.ts";
import { readCard } from "./read-content.ts";

const LIFE_MS = 30 * 60_000;
const USES = 2;

/** The token a tap brings along: 30 minutes, two uses, only after the tap was answered. */
export function newUpdateTicket(core: PlatformCore, messageId: string): UpdateTicket {
  const ticket = { token: newId("c-"), messageId, issuedMs: core.nowMs(), uses: 0, answered: false };
  core.state.tickets.set(ticket.token, ticket);
  return ticket;
}

/** `POST interactive/v1/card/update`: a tap's card anew, after its answer. */
export function updateCardLater(core: PlatformCore, call: ApiCall): ApiAnswer {
  const { token, card } = isRecord(call.body) ? call.body : {};
  if (typeof token !== "string" || !token.startsWith("c-")) throw new Refusal(300020, "token format is wrong");
  const ticket = core.state.tickets.get(token);
  if (!ticket || core.nowMs() - ticket.issuedMs > LIFE_MS) throw new Refusal(300030, "token is expired");
  if (ticket.uses >= USES) throw new Refusal(300040, "token has been used up");
  const message = core.state.messages.get(ticket.messageId);
  if (!message || message.recalled) throw new Refusal(200000, "message was recalled");
  if (!ticket.answered || message.pendingTaps > 0) throw new Refusal(11310, "card action is lock");
  if (!isRecord(card)) throw new Refusal(100030, "card is not a JSON object");
  const checked = readOrCode(core, card, shownCard(message, core.state));
  ticket.uses += 1;
  showCard(core, message, checked);
  return ok();
}

function readOrCode(
  core: PlatformCore,
  card: Record<string, unknown>,
  before: Record<string, unknown>,
): Record<string, unknown> {
  try {
    return readCard(core, card, before);
  } catch (error) {
    if (error instanceof Refusal) throw new Refusal(11311, error.message);
    throw error;
  }
}
