import type { TimeMention } from "../../natural-time.ts";

const LONGEST = 60;

/** Words at the front that say that something is to be done, not what. */
const LEAD =
  /^(?:(?:唉+|哎+呀?|糟了|完了|天哪|救命|真的?是|累瘫了?|好累|哦对|哦还有|噢|啊|最后|首先|其次|还有就是|ugh+|argh|damn|right|ok so|另外|还有|然后|而且|顺便|btw|ps|ok|好的?|嗯|哦|那个?|就是|其实|所以|但是?|不过|因为|反正|今天|现在|so|and|but|also|oh|well|right|ugh|hey|please|pls|actually|anyway|just|then)[,，:：\s]+|(?:对了|哦对了?|还有)(?=[我他她你妈爸老这那])|(?!给我|帮我|为我)[\u4e00-\u9fff]{1,5}(?:让|叫|催|通知|要求)我(?:们)?(?=[\u4e00-\u9fff])|(?:请|麻烦你?)?(?:到时候?)?(?:再)?(?:提醒|叫|喊|催)(?:一?下)?(?:我|我们)(?:要|去|一下)?|(?:别|不要)(?:让我)?忘(?:了|记)?|(?:一定)?(?:要)?(?:记得|记住)(?:要|去)?|(?:帮我)?记(?:一下|下|个待办)[:：,，\s]*|我(?:自己)?(?:还|也|就|再|先)?(?:得|要|会|需要|必须|应该|打算|准备|答应(?:了)?|来|去)(?=[^\s])|(?:还|也|就|先)?(?:得|必须|务必|需要|应该|要)(?=[\u4e00-\u9fff])|(?:todo|to-do|待办|提醒|备忘|note to self|reminder)\s*[:：-]?\s*|(?:can you |could you |please )?remind me (?:to|about|that|of)?\s*|(?:don't|do not|dont) (?:let me )?forget (?:to|about|that)?\s*|remember to\s+|make sure (?:i|we|that i)\s+|(?:i|we)(?:'ll| will|'m going to| am going to|'re going to|'m gonna)\s+|(?:i|we) (?:still )?(?:(?:need|have|got|ought|want|plan|has) (?:\w+ )?|promised |agreed )to\s+|(?:i|we) promised (?:[a-z]+ ){1,3}(?:that )?(?:i|we)(?:'d|'ll| would| will) |(?:i|we) (?:must|should|gotta)\s+|i've got to\s+|(?:need|have|gotta|got|must) to\s+|gotta\s+)/i;
const TAIL =
  /(?:[\s,，。.!！?？~、;；:：…]|\p{Extended_Pictographic}|\u200d|\ufe0f|(?:吧|啊|哦|啦|呀|哈|了哈|喔|呢|嘛|哎|唉)$|\b(?:please|pls|thanks|ok|too|though|by|on|at|before|until|in|for|the|from|and|or)$)+$/u;
const FRONT =
  /^(?:[\s,，。.!！?？~、;；:：…·*•-]|\p{Extended_Pictographic}|\u200d|\ufe0f|\d{1,2}[.、)）]\s*|(?:前|之前|以前|后|的)(?=[\u4e00-\u9fff])|\b(?:by|on|at|before|until|is|for)\s)+/u;

/** A short phrase for a clause: without its times, without "I need to", without signs at the ends. */
export function phraseOf(text: string, from: number, times: readonly TimeMention[]): string {
  let phrase = text;
  for (const time of [...times].sort((a, b) => b.index - a.index)) {
    const at = Math.max(0, time.index - from);
    const end = time.index - from + time.matched.length;
    if (end <= 0 || at >= text.length) continue;
    phrase = `${phrase.slice(0, at)} ${phrase.slice(end)}`;
  }
  return trimPhrase(phrase.replace(COUNTED_BACK, " "));
}

/** "前一天", "two days before": said of the date, which stands beside the title. */
const COUNTED_BACK =
  /(?:提前|提早|(?<=\s|^|记得|得|要)前)\s?(?:\d{1,2}|[一两二三四五六七八九十])\s?(?:天|日|周|个?星期)|\b(?:(?:a|one|two|three|\d{1,2}) (?:day|week)s?|the (?:day|week)) (?:before(?:hand)?|ahead|earlier|in advance)(?=$|[\s,.;])(?! (?:the|my|our))/gi;

/** Takes lead words and loose signs off a phrase and the doubled spaces out. */
export function trimPhrase(text: string): string {
  let phrase = text.replace(/\s+/g, " ").replace(/\s(?=[\u4e00-\u9fff])(?<=[\u4e00-\u9fff]\s)/g, "");
  for (let i = 0; i < 4; i++) {
    const shorter = phrase.replace(FRONT, "").replace(LEAD, "").replace(TAIL, "");
    if (shorter === phrase || shorter === "") break;
    phrase = shorter;
  }
  return phrase.trim();
}

/** A whole sentence at the front; a figure's point ("2.5 GB") ends none. */
const SENTENCE = /^.{12,}?(?=[.!?](?:\s|$)|[。！？])/u;

/** At most 60 characters: the first sentence when that is short enough, else cut at the end of a word. */
export function cutTitle(title: string): string {
  const characters = [...title];
  if (characters.length <= LONGEST) return title;
  const sentence = SENTENCE.exec(title)?.[0];
  if (sentence !== undefined && [...sentence].length <= LONGEST) return sentence;
  const cut = characters.slice(0, LONGEST - 1).join("");
  const space = /^[\x00-\x7f]/.test(title) ? cut.lastIndexOf(" ") : -1;
  const kept = space > LONGEST / 2 ? cut.slice(0, space) : cut;
  return `${kept.replace(/[\s,，、.。;；:：]+$/u, "")}…`;
}
