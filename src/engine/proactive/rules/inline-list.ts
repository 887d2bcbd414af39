import type { TimeMention } from "../../natural-time.ts";

/** Things to do said in one line: "三件事：1 … 2 …", "一是…二是…", "todo today: …, …, …". */
export interface InlineList {
  /** Where each thing begins and ends, in order. */
  items: readonly (readonly [from: number, to: number])[];
  /** What stands before the first: its time holds for all ("今天三件事"). */
  head: readonly [from: number, to: number];
}

/** What stands before a colon when things to do follow it. */
const COUNTED =
  /(?:[两俩仨三四五六七八几\d]\s?(?:件(?:小|大)?事?|样(?:东西)?|桩|个(?:小)?(?:任务|活|事))|待办|要(?:做|办|弄|干|搞)的?(?:事)?|剩下的?(?:事|活)?|还剩|\b(?:to[- ]?dos?|(?:two|three|four|five|six|\d|few|couple of) (?:\w+ )?(?:things|errands|jobs|tasks|chores)|errands|things (?:to do|i need|left)|left to do|on my plate))[^:：]{0,24}$/;
/** Asked of the agent, learnt, or already done: no list of the person's own. */
const NOT_MINE =
  /(?:^|[\s,，])(?:帮|替|请|给)(?:我|忙)|^(?:你|can you|could you|please)|(?:学|买|做|完成|搞定|讲|改|写|办|吃|看)了|\b(?:did|done|finished|bought|learned|learnt|asked|told)\b/;
/** Marks of the first, second, … thing. A mark is believed only in its turn. */
const MARKS: readonly RegExp[] = [
  /(?:第?([一二三四五六七八])(?:是|呢|[、,，:：]))/g,
  /([①②③④⑤⑥⑦⑧])\s?/g,
  /(?<![\d./年月周第-]|\d:)([1-8])(?:[.、)）](?!\d)|\s)\s?(?=[\u4e00-\u9fffa-z])/g,
];
const PLACES = ["一1①", "二2②", "三3③", "四4④", "五5⑤", "六6⑥", "七7⑦", "八8⑧"];
const LONGEST_ITEM = 60;

/** The things to do a line counts up, or undefined when it counts up none. `folded` is the message, [from, to) its line. */
export function inlineListOf(
  folded: string,
  from: number,
  to: number,
  times: readonly TimeMention[],
): InlineList | undefined {
  const line = folded.slice(from, to);
  for (const mark of MARKS) {
    const starts = inTurn(line, mark);
    const head = line.slice(0, starts[0]?.[0] ?? 0);
    if (starts.length < 2 || NOT_MINE.test(head) || !(starts.length > 2 || COUNTED.test(head.replace(/[:：\s]+$/, ""))))
      continue;
    const items = starts.map(([, end], i) => [from + end, from + endOf(line, end, starts[i + 1]?.[0])] as const);
    if (items.every(([a, b]) => b - a <= LONGEST_ITEM)) return { items, head: [from, from + head.length] };
  }
  return afterColon(folded, from, line, times);
}

/** A thing ends where the next begins, and never goes on past its sentence. */
function endOf(line: string, begin: number, next: number | undefined): number {
  const end = next ?? line.length;
  const stop = line.slice(begin, end).search(/[。！!?？；;]/);
  return stop < 0 ? end : begin + stop;
}

/** Marks that come in order, the first one first: [where the mark begins, where its thing begins]. */
function inTurn(line: string, mark: RegExp): [number, number][] {
  const starts: [number, number][] = [];
  let next = 0;
  for (const match of line.matchAll(mark)) {
    const place = PLACES.findIndex((p) => p.includes(match[1] ?? ""));
    // A person's list may leave numbers out ("一是…二是…四是…") but never goes back.
    if (place < next || (starts.length === 0 && place !== 0)) continue;
    starts.push([match.index, match.index + match[0].length]);
    next = place + 1;
  }
  return starts;
}

/** "todo today: ring the optician, return the ladder, pay Hugo". */
function afterColon(folded: string, from: number, line: string, times: readonly TimeMention[]): InlineList | undefined {
  const colon = /[:：](?!\d)/.exec(line)?.index;
  if (colon === undefined || !COUNTED.test(line.slice(0, colon)) || NOT_MINE.test(line.slice(0, colon)))
    return undefined;
  const items: [number, number][] = [];
  let begin = from + colon + 1;
  for (const cut of line.slice(colon + 1).matchAll(/[,，、;；](?:\s?and\s)?|\s(?:and|还有|以及)\s|$/g)) {
    const at = from + colon + 1 + cut.index;
    if (times.some((t) => t.index < at && t.index + t.matched.length > at)) continue;
    if (/[\p{L}\p{N}]{2}/u.test(folded.slice(begin, at))) items.push([begin, at]);
    begin = at + cut[0].length;
  }
  return items.length >= 2 && items.every(([a, b]) => b - a <= LONGEST_ITEM)
    ? { items, head: [from, from + colon] }
    : undefined;
}
