import type { PageMessage, TapAnswer, TapRequest } from "../page-api.ts";
import { withCard } from "./apply-event.ts";
import { CallError, post } from "./call-server.ts";
import type { TapPart } from "./card/scene.ts";
import type { PageStore } from "./page-store.ts";
import { announce, showToast } from "./toast.ts";

/** What came of a tap: the line to show under the card if it failed, and whether the card is another one now. */
type TapOutcome = { readonly error?: string; readonly changed: boolean };

/**
 * Sends a tap and shows what came of it: the toast in the reader's language, the new card in its place, or the error
 * line of Feishu's client.
 */
export async function sendTap(store: PageStore, message: PageMessage, part: TapPart): Promise<TapOutcome> {
  const words = store.words();
  const request: TapRequest = { messageId: message.messageId, userId: store.me().userId, ...part };
  const start = performance.now();
  let answer: TapAnswer;
  try {
    answer = await post<TapAnswer>("/tap", request);
  } catch (error) {
    const text = error instanceof CallError && error.message ? error.message : words.tapFailed;
    store.note("error", text);
    return { error: text, changed: false };
  }
  store.note("tap", `${part.tag}: ${words.tapTook(Math.round(performance.now() - start))}`);
  if (answer.toast?.content) showToast(answer.toast.type, answer.toast.content);
  const { card, error } = answer;
  if (card) store.change((state) => withCard(state, message, card));
  if (!error) return { changed: card !== undefined };
  // The platform's text often ends with the number already.
  const text = error.text.includes(String(error.code)) ? error.text : words.clientError(error.text, error.code);
  announce(text);
  store.note("error", text);
  return { error: text, changed: false };
}
