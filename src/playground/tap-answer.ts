import { Refusal } from "./api-answer.ts";
import { isRecord } from "./card-rules.ts";
import type { CardJson, ToastType } from "./page-api.ts";
import type { PlatformCore } from "./platform-core.ts";
import { readCard } from "./read-content.ts";

/** A tap's answer, understood. */
export type ReadAnswer = {
  toast?: { type: ToastType; content: string; i18n: Record<string, string> };
  card?: CardJson;
};

/** Client error codes of a failed tap (shown by clients from 7.28). */
export type TapErrorCode = 200340 | 200341 | 200342 | 200671 | 200672 | 200673 | 200830;

export class TapError extends Error {
  readonly code: TapErrorCode;

  constructor(code: TapErrorCode, why: string) {
    super(why);
    this.name = "TapError";
    this.code = code;
  }
}

const TOASTS: readonly ToastType[] = ["info", "success", "warning", "error"];

/**
 * Checks what the bot answered to a tap: an object with at most `toast` and `card`, the card whole and of the schema
 * the message has. No answer at all is refused too: some clients report it as an error, so none should rely on it.
 * @throws TapError 200672 wrong form · 200673 wrong card · 200830 2.0 to 1.0
 */
export function readTapAnswer(core: PlatformCore, data: string | undefined, before: CardJson): ReadAnswer {
  if (data === undefined) throw new TapError(200672, "the answer is empty; an object is expected");
  let answer: unknown;
  try {
    answer = JSON.parse(data);
  } catch {
    throw new TapError(200672, "the answer is not JSON");
  }
  if (!isRecord(answer)) throw new TapError(200672, "the answer is not an object");
  const unknown = Object.keys(answer).find((key) => key !== "toast" && key !== "card");
  if (unknown !== undefined) throw new TapError(200672, `unknown property "${unknown}"`);
  const read: ReadAnswer = {};
  if (answer.toast !== undefined) read.toast = readToast(answer.toast);
  if (answer.card !== undefined) read.card = readAnsweredCard(core, answer.card, before);
  return read;
}

function readToast(toast: unknown): NonNullable<ReadAnswer["toast"]> {
  if (!isRecord(toast)) throw new TapError(200672, "toast is not an object");
  const type = TOASTS.find((each) => each === (toast.type ?? "info"));
  if (!type) throw new TapError(200672, `unknown toast type "${String(toast.type)}"`);
  const i18n = toast.i18n ?? {};
  const content = toast.content ?? "";
  if (typeof content !== "string" || !isRecord(i18n)) throw new TapError(200672, "toast content or i18n is malformed");
  const texts = Object.entries(i18n).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return { type, content, i18n: Object.fromEntries(texts) };
}

function readAnsweredCard(core: PlatformCore, card: unknown, before: CardJson): CardJson {
  if (!isRecord(card) || card.type !== "raw") throw new TapError(200673, 'card must be {type: "raw", data}');
  if (!isRecord(card.data)) throw new TapError(200673, "card.data must be an object, not a string");
  if (before.schema === "2.0" && card.data.schema !== "2.0") throw new TapError(200830, "a 2.0 card cannot become 1.0");
  if (before.schema !== "2.0" && card.data.schema === "2.0")
    throw new TapError(200673, "another schema than the message");
  if (Buffer.byteLength(JSON.stringify(card.data), "utf8") > 30 * 1024)
    throw new TapError(200673, "card is over 30 KB");
  try {
    return readCard(core, card.data, before);
  } catch (error) {
    if (error instanceof Refusal) throw new TapError(200673, error.message);
    throw error;
  }
}
