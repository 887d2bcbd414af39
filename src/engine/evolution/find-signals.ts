import type { DayRow } from "./day-session.ts";

/** Ids of user messages that say how it went, in Chinese and English. */
export interface SessionSignals {
  corrections: readonly string[];
  frustration: readonly string[];
  thanks: readonly string[];
}

/** A mistake put right: what was done is not what was meant. A new wish or another plan is none. */
const CORRECTION: readonly RegExp[] = [
  /^(?:不对|错了|不是这[个样]|不是的|搞错|弄错|理解错|你(?:理解|搞|弄|看|写|改|算|记|听|找)错|又错|还是不对|还是错|这不对|那不对|不正确|有误|写错|算错|答非所问)/,
  /^(?:不|不是)[，,。.!！\s]+(?:我|是|应该|要|那|这|你|错)/,
  /^不是[^，,。.!！？?\n]{1,24}[，,。\s]+(?:是|而是|我(?:说|要|指|问)|应该|要的?是)/,
  /我(?:说|要|指|问|想要|讲)的(?:不?是|明明)/,
  /(?:结果|数字|数据|答案|日期|时间|名字|地址|金额|单位|文件|路径|版本|顺序|格式|这里|那里|上面|第.{1,4}(?:行|条|个|项|步))[^，,。\n]{0,8}(?:不对|错了|有误|是错的|弄反|写错|算错|写反)/,
  /(?:不对|错了|弄错了|搞错了)[，,。!！：:\s]*(?:应该|是|要|我)/,
  /应该是.{1,30}(?:不是|而不是)|不应该是|(?:没让|没叫|没要|不是让|不是叫|不是要)你/,
  /^(?:no|nope|nah)[,.!\s—-]+(?:i\s+(?:meant|said|asked|want(?:ed)?)|not\b|it'?s\b|that'?s\s+(?:not|wrong|the)|that\s+is\s+(?:not|wrong)|you\b|use\b|the\b|wrong|it\s+should|we\s+(?:use|need)|these|those|this\s+is)/i,
  /\b(?:that'?s|that\s+is|this\s+is|it'?s|it\s+is|you'?re|you\s+are|these\s+are|those\s+are|still|which\s+is)\s+(?:still\s+)?(?:wrong|incorrect|not\s+(?:right|correct|what|it\b|true))/i,
  /^(?:wrong|incorrect|not\s+(?:what\s+i|that\s+one|right|correct))\b/i,
  /\bi\s+(?:meant|actually\s+meant|said)\b(?!\s+(?:to\s+(?:say\s+)?thank|thanks))/i,
  /\bnot\s+what\s+i\s+(?:asked|meant|wanted|said)|\byou\s+(?:misunderstood|misread|got\s+(?:it|that|this|the\s+\w+)\s+wrong|mixed\s+up|picked\s+the\s+wrong|used\s+the\s+wrong|(?:forgot|missed)\s+(?:to|the|that))/i,
  /\b(?:wrong|incorrect)\s+(?:file|folder|number|date|name|one|branch|column|table|version|address|person|repo|path|total|unit)\b/i,
  /\bshould\s+(?:be|have\s+been)\b.{1,40}\b(?:not|instead\s+of)\b|\bis\s+supposed\s+to\s+be\b/i,
];
/** Begins like one and is none. */
const NO_CORRECTION =
  /^(?:no\s+(?:problem|worries|rush|need|thanks|thank|hurry|idea|issue|doubt|more)|no[,.!\s]+(?:that'?s\s+(?:all|fine|ok|okay|it|great|good|everything|enough)|thanks?|thank|it'?s\s+(?:fine|ok|okay|all\s+right|good|great)|don'?t\s+(?:bother|worry))|不对劲|不是很|不是特别|不是不|没关系|没事|不用)/i;
/** "Not X any more, do Y": the plan changed, nobody was wrong. */
const CHANGED_PLAN =
  /^(?:算了|改主意|还是(?:用|换|改|先|不)|换成|改成|actually,?\s+(?:let'?s|can\s+you|could|make|change|use|do|never|forget|i'?d)|on\s+second\s+thought|never\s*mind|instead,?\s)|改主意了|changed\s+my\s+mind/i;

const FRUSTRATION: readonly RegExp[] = [
  /怎么又|又(?:来了|错了|是这样|挂了|失败|忘了)|搞什么|什么(?:鬼|玩意)|烦死|烦不烦|好烦|真烦|太烦|气死|无语|受不了|崩溃|离谱|垃圾|太蠢|真蠢|白痴|废物|没用的东西|真没用|太差|差劲|浪费(?:我|大家)?(?:的|了|我|好)*(?:多)?时间|说了(?:多少|几|好几|很多|无数|[两三四五六])(?:遍|次)|讲了(?:多少|几|[两三四五])(?:遍|次)|第[三四五六七八九十几N]+[次遍]了|到底(?:能不能|会不会|行不行|有没有|要我|想|懂)|能不能(?:认真|别再|不要再|靠谱)|别再|够了[!！。]/,
  /\b(?:wtf|ffs|jfc|omfg|damn\s*it|dammit|bullshit|crap)\b|\bridiculous|\buseless\b|\b(?:annoying|annoyed|infuriating|maddening|frustrat(?:ed|ing))\b|\bwast(?:e|ed|ing)\s+(?:of\s+)?(?:my\s+)?(?:time|an\s+hour|hours)|\bfor\s+the\s+(?:second|third|fourth|fifth|last|hundredth|nth|umpteenth|\d+\w\w)\s+time|\bhow\s+many\s+times|\bare\s+you\s+(?:kidding|serious|even)|\b(?:already|just)\s+told\s+you|\bi(?:'ve|\s+have)?\s+told\s+you\s+(?:already|twice|three|many|again|\d)|\bkeep(?:s)?\s+(?:doing|making|getting|ignoring|breaking|forgetting)|\bstop\s+(?:doing|ignoring|making|changing|asking)|\b(?:terrible|awful|horrible|hopeless|stupid|idiotic|garbage|pathetic)\b|\bgive\s+me\s+a\s+break|\bcome\s+on[!,.]|\bunbelievable\b|\bagain\s*\?!|\bfed\s+up\b|\bsick\s+of\b|\bwhy\s+(?:do|did|does|is|are)\s+(?:you|it|this)\s+(?:always|keep|still)/i,
  /[?？][!！]{1,}|[!！]{3,}/,
];

const THANKS =
  /谢谢|多谢|感谢|谢啦|谢了|辛苦(?:了|啦|你)|(?<![\w'])(?:thanks|thank\s+you|thank\s+u|thx|tysm|cheers|much\s+appreciated|appreciate\s+(?:it|that|the|your))(?![\w-])/i;
/** Speaks of thanking somebody else, or declines. */
const NO_THANKS =
  /感谢(?:信|函|邮件|词|卡|语|状)|谢谢(?:信|卡)|(?:写|发|说|起草|回|加)[^，,。]{0,10}(?:谢谢|感谢)|不用谢|no[,\s]+thank|thanks?\s+but\s+no|thank[\s-]?you\s+(?:note|letter|e?-?mail|card|message|page)|(?:write|draft|send|say|add)\b.{0,30}\bthank|thanks\s+to\s+(?!you\b)|thanksgiving|感恩节/i;

/** Longer than this a message is a text, and what it says stands in its first lines. */
const READ_CHARS = 600;

/** Reads what people said after an answer. `people` are the rows in which a person speaks. */
export function signalsOf(rows: readonly DayRow[], people: ReadonlySet<string>): SessionSignals {
  const corrections: string[] = [];
  const frustration: string[] = [];
  const thanks: string[] = [];
  let answered = false;
  for (const row of rows) {
    if (row.role === "assistant") answered = true;
    if (row.role !== "user" || !people.has(row.id)) continue;
    const text = row.text.trim().slice(0, READ_CHARS);
    if (answered && isCorrection(text)) corrections.push(row.id);
    if (isFrustration(text)) frustration.push(row.id);
    if (answered && isThanks(text)) thanks.push(row.id);
  }
  return { corrections, frustration, thanks };
}

export function isCorrection(text: string): boolean {
  if (NO_CORRECTION.test(text) || CHANGED_PLAN.test(text)) return false;
  return CORRECTION.some((sign) => sign.test(text));
}

export function isFrustration(text: string): boolean {
  return FRUSTRATION.some((sign) => sign.test(text));
}

export function isThanks(text: string): boolean {
  return THANKS.test(text) && !NO_THANKS.test(text);
}
