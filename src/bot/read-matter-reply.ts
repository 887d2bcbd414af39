import { parseWhen } from "../engine/natural-time/parse-when.ts";

export type MatterReply =
  | { verb: "done" | "drop"; n: number | undefined }
  | { verb: "snooze"; n: number | undefined; at: Date };

/** A single verb needs its 了: "发" alone asks for something to be sent. */
const DONE =
  /^我?(?:已经?|都|刚刚?|刚才)?(?:(?:完成|做完|搞定|办完|办妥|弄完|发完|处理完|处理好|解决|做好|办好|弄好)了?|(?:好|(?:做|办|发|交|买|订|处理)(?:好|完|掉|出去|过去)?)了)$|^已经?(?:完成|办|发|交|买|订|处理|解决)了?$|^(?:i(?:'?ve| have)? )?(?:(?:it|that)(?:'s| is| was) )?(?:all )?(?:already |just )?(?:done|finished|completed?|sent|fixed|sorted|submitted|paid|did)(?: (?:it|that|this|them))?(?: already| now)?$/iu;
const DROP =
  /^(?:不用了?|不用管了?|不需要了?|算了|不做了|取消了?|别提了|不管了|不要了|忽略)$|^(?:drop(?: it)?|not needed|no longer needed|never ?mind|cancel(?:led)?|skip(?: it)?|forget (?:it|about it))$/iu;
const SNOOZE_TAIL = /(?:再(?:说|看|提醒我?|提)|提醒我?|以后再说|吧|$)/u;
const NUMBER = /^[#＃第]?\s*(\d{1,2})\s*(?:件|个|条|[.、:：)）])?\s*/u;

/**
 * What a short reply under a reminder means about its matters: done, dropped, or later at a time; optionally with the
 * matter's number in front. Undefined when it is none of these: then nothing is changed.
 */
export function readMatterReply(text: string, now: Date, zone: string): MatterReply | undefined {
  const plain = text
    .normalize("NFKC")
    .trim()
    .replace(/[。.!！~～]+$/u, "")
    .trim();
  const numbered = NUMBER.exec(plain);
  // "3点再说" begins with a number that belongs to the time.
  const rest = numbered === null ? plain : plain.slice(numbered[0].length).trim();
  const n = numbered?.[1] === undefined ? undefined : Number(numbered[1]);
  return understand(rest, n, now, zone) ?? (numbered === null ? undefined : understand(plain, undefined, now, zone));
}

function understand(words: string, n: number | undefined, now: Date, zone: string): MatterReply | undefined {
  if (DONE.test(words)) return { verb: "done", n };
  if (DROP.test(words)) return { verb: "drop", n };
  const when = parseWhen(words.replace(SNOOZE_TAIL, "").trim(), now, zone);
  return when.ok ? { verb: "snooze", n, at: when.at } : undefined;
}
