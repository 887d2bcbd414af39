import { setTimeout as sleep } from "node:timers/promises";
import { newUpdateTicket } from "./delayed-update.ts";
import { showCard } from "./message-calls.ts";
import type { TapAnswer, TapRequest } from "./page-api.ts";
import { CARD_LIFE_MS, shownCard } from "./page-view.ts";
import type { PlatformCore } from "./platform-core.ts";
import { newEnvelope } from "./platform-events.ts";
import type { Person, StoredMessage } from "./platform-state.ts";
import { platformText } from "./platform-text.ts";
import { readTapAnswer, TapError, type TapErrorCode } from "./tap-answer.ts";
import { pushToWebhook } from "./webhook-push.ts";

/** What became of a tap, with more than a client would show: `why` says what was wrong with the bot's answer. */
export type TapResult = TapAnswer & { why?: string; updateToken?: string };

/**
 * A person presses something on a card. The bot hears of it once, on one connection, and has `deadlineMs` to answer;
 * a tap that fails is lost. Its card is locked meanwhile, and only the answer changes it at once.
 */
export async function tapCard(
  core: PlatformCore,
  message: StoredMessage,
  who: Person,
  tap: TapRequest,
  deadlineMs: number,
): Promise<TapResult> {
  const words = platformText(who.language).tapErrors;
  if (message.recalled) return { error: { code: 230011, text: words.recalled } };
  if (core.nowMs() - message.createdMs > CARD_LIFE_MS) return { error: { code: 230031, text: words.tooOld } };
  const ticket = newUpdateTicket(core, message.messageId);
  const envelope = tapEnvelope(core, message, who, tap, ticket.token);
  message.pendingTaps += 1;
  try {
    const data = await ask(core, envelope, deadlineMs);
    const answer = readTapAnswer(core, data, shownCard(message, core.state));
    const result: TapResult = { updateToken: ticket.token };
    if (answer.toast) {
      const { type, content, i18n } = answer.toast;
      result.toast = { type, content: i18n[who.language] ?? content };
    }
    // While a card is being streamed, a tap's answer cannot change it.
    if (answer.card && !isStreaming(core, message) && !message.recalled) result.card = answer.card;
    return result;
  } catch (error) {
    if (!(error instanceof TapError)) throw error;
    return {
      error: { code: error.code, text: `${tapErrorText(words, error.code)} (${error.code})` },
      why: error.message,
      updateToken: ticket.token,
    };
  } finally {
    message.pendingTaps -= 1;
    ticket.answered = true;
  }
}

/** Applies what a tap's answer brought; apart from asking, so that the lock is off before the pages hear of it. */
export function applyTap(core: PlatformCore, message: StoredMessage, result: TapResult): void {
  if (!result.card) return;
  const entity = message.cardId === undefined ? undefined : core.state.cards.get(message.cardId);
  if (entity) entity.card = result.card;
  showCard(core, message, result.card);
}

type TapWords = ReturnType<typeof platformText>["tapErrors"];

function tapErrorText(words: TapWords, code: TapErrorCode): string {
  switch (code) {
    case 200340:
      return words.notSubscribed;
    case 200341:
      return words.timedOut;
    case 200342:
      return words.unreachable;
    case 200671:
      return words.notOk;
    case 200672:
      return words.wrongShape;
    case 200673:
      return words.wrongCard;
    case 200830:
      return words.olderSchema;
  }
}

function isStreaming(core: PlatformCore, message: StoredMessage): boolean {
  return message.cardId !== undefined && (core.state.cards.get(message.cardId)?.streaming ?? false);
}

function tapEnvelope(core: PlatformCore, message: StoredMessage, who: Person, tap: TapRequest, token: string): unknown {
  const action = {
    tag: tap.tag,
    ...(tap.value === undefined ? {} : { value: tap.value }),
    ...(tap.name === undefined ? {} : { name: tap.name }),
    ...(tap.option === undefined ? {} : { option: tap.option }),
    ...(tap.options === undefined ? {} : { options: tap.options }),
    ...(tap.inputValue === undefined ? {} : { input_value: tap.inputValue }),
    ...(tap.checked === undefined ? {} : { checked: tap.checked }),
    ...(tap.formValue === undefined ? {} : { form_value: tap.formValue }),
    ...(tap.timezone === undefined ? {} : { timezone: tap.timezone }),
  };
  const event = {
    operator: { tenant_key: core.state.tenantKey, open_id: who.openId, union_id: who.unionId, user_id: who.userId },
    token,
    action,
    host: "im_message",
    context: { open_message_id: message.messageId, open_chat_id: message.chatId },
  };
  // Card callbacks state their time in microseconds, events in milliseconds.
  return newEnvelope(core, "card.action.trigger", event, `${core.nowMs()}000`).body;
}

async function ask(core: PlatformCore, envelope: unknown, deadlineMs: number): Promise<string | undefined> {
  const timer = new AbortController();
  try {
    const late = sleep(deadlineMs, undefined, { signal: timer.signal, ref: false }).then(
      () => {
        throw new TapError(200341, `no answer within ${deadlineMs} ms`);
      },
      () => undefined,
    );
    return await Promise.race([
      core.webhook ? askWebhook(core, envelope, deadlineMs) : askSocket(core, envelope),
      late,
    ]);
  } finally {
    timer.abort();
  }
}

async function askSocket(core: PlatformCore, envelope: unknown): Promise<string | undefined> {
  if (core.socket.connections === 0) throw new TapError(200340, "no long connection is up");
  const ack = await core.socket.push(Buffer.from(JSON.stringify(envelope)));
  if (!ack) return await new Promise<never>(() => {});
  if (ack.code !== 200) throw new TapError(200671, `the handler failed: code ${ack.code}`);
  return ack.data?.toString("utf8");
}

async function askWebhook(core: PlatformCore, envelope: unknown, deadlineMs: number): Promise<string | undefined> {
  if (!core.webhook) return undefined;
  const timestampS = Math.floor(core.wireMs() / 1000);
  const answer = await pushToWebhook(envelope, core.webhook, { timestampS, timeoutMs: deadlineMs * 2 });
  if (!answer) throw new TapError(200342, "the callback address cannot be reached");
  if (answer.status !== 200) throw new TapError(200671, `HTTP ${answer.status}`);
  return answer.text;
}
