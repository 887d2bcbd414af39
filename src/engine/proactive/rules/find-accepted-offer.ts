import { foldText } from "../../natural-time/fold-text.ts";
import { readTimes } from "../../natural-time.ts";
import type { Matter } from "./matter.ts";
import { termsOf } from "./terms.ts";
import { cutTitle, trimPhrase } from "./title.ts";
import type { Turn } from "./turns.ts";

/** The agent offers to remind or to do something at a time: "要不要我周六提醒你买？", "Want me to ping you on Friday?" */
const OFFERS_TO_REMIND =
  /(?:要不要|要唔要|需要|用不用|可以|帮你)[^。！？?]{0,30}(?:提醒|叫|喊)|(?:提醒|叫)你[^。！？?]{0,20}(?:吗|嘛|[?？])|\b(?:want|like|shall|should|do you need) (?:me |i )?(?:to )?[^.?!]{0,30}(?:remind|ping|nudge)|\bremind you\b[^.!]{0,40}[?？]/;
const YES =
  /^(?:要|好|行|可以|嗯+|好的|好呀|好啊|得|中|ok|okay|yes|yep|yeah|yes please|sure|please(?: do)?|do it|go ahead|sounds good|that'd be great|麻烦了?|麻烦你了?|谢谢|拜托了?)(?:[,，。.!！~\s]*(?:要|好|谢谢|麻烦了?|thanks|thank you|please|的|吧|啊|呀))*[,，。.!！~\s]*$/;
const OFFER_WORDS =
  /要不要|要唔要|需不需要|需要|用不用|可以|帮你|我|到时候?|提醒一?下?你|提醒|叫你|喊你|吗|嘛|[?？]|\b(?:want me to|would you like me to|shall i|should i|do you want me to|remind you|ping you|nudge you)\b(?: to| about)?/gi;

/** A short yes to an offer to remind makes the offer a matter. */
export function findAcceptedOffer(turn: Turn, earlier: readonly Turn[]): Matter | undefined {
  const { before } = turn;
  if (!before || turn.plays || !YES.test(turn.speech.folded.trim())) return undefined;
  const sentence = before.text
    .slice(-400)
    .split(/(?<=[。！!?？\n])/)
    .find((s) => OFFERS_TO_REMIND.test(foldText(s)));
  if (!sentence) return undefined;
  const times = readTimes(sentence, turn.user.at, turn.zone).filter((t) => !t.past && !t.bare && !t.vague);
  const timeless = times.reduce((text, t) => text.replace(t.matched, " "), sentence);
  const asked = trimPhrase(timeless.replace(OFFER_WORDS, " "));
  const topic = earlier.filter((t) => t.session === turn.session).at(-1)?.speech.own ?? "";
  const title = termsOf(asked).size >= 2 ? asked : trimPhrase(`${topic.slice(0, 60)}，${asked}`);
  return {
    title: cutTitle(title),
    summary: trimPhrase(sentence),
    kind: "errand",
    time: times[0],
    evidence: [before.id, turn.user.id],
    sessionId: turn.session.id,
    at: turn.user.at,
    terms: new Set([...termsOf(asked), ...termsOf(topic)]),
    why: "asked_to_remind",
    occasion: false,
    leans: true,
    thin: false,
  };
}
