import { foldText } from "../../natural-time/fold-text.ts";
import { readTimes, type TimeMention } from "../../natural-time.ts";
import { actsOf } from "./acts.ts";
import type { Act } from "./cues.ts";
import { type InlineList, inlineListOf } from "./inline-list.ts";

export interface Clause {
  /** As written. */
  text: string;
  folded: string;
  /** Position in the message. */
  from: number;
  to: number;
  acts: ReadonlySet<Act>;
  times: readonly TimeMention[];
  /** Number of the sentence, counted over the message. */
  sentence: number;
  /** Of a list line "name: what": is it the person's own? */
  owner?: "me" | "other";
  /** One of the lines of a list of things to do. */
  listed?: true;
  /** The time said for the whole list it stands in ("今天三件事"). */
  listTime?: TimeMention;
}

const SENTENCE_END =
  /[。！!？?；;\n…]+|(?<!(?:^|\n)\s{0,4}\d{1,2}|\b(?:mr|ms|mrs|dr|st|vs|etc|e\.g|i\.e|a\.m|p\.m|no|approx|jr))\.(?=\s|$)|(?<=[\u4e00-\u9fff\p{Extended_Pictographic}])\p{Extended_Pictographic}+/gu;
const CLAUSE_END =
  /[()（）]|(?<!(?:^|\n)\s{0,4}\d{1,2})[,，、](?!\d{3}\b)(?:\s*(?:but|and|so|then)\s)?|\s(?:but|so i|and i|and then|because|since)\s|——?|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])|\s-\s/g;
const LONGEST_CLAUSE = 300;

/** A line of minutes or of a list with the name of who does it. */
const OWNED = /^\s*(\d{1,2}[.、)）]\s*|[-*•·]\s*)?(?:@)?([^\s:：,，。]{1,12}(?:\s[a-z]+)?)\s*[:：]\s*(?=\S)/i;
const LIST_LINE = /^\s*(?:\d{1,2}[.、)）]|[-*•·])\s*\S/;
/** What stands over a list of things to do. */
const MINUTES_HEAD = /纪要|结论|会议|会上|周会|例会|分工|minutes|notes from|action items|meeting/;
const TODO_HEAD =
  /(?:件|几件|些)事|待办|要(?:做|办|弄|处理)|任务|安排|计划|别忘|记(?:一下|着)|\b(?:to[- ]?dos?|tasks?|things (?:to do|i need|left|i have)|i (?:need|have) to|on my (?:plate|list)|this week|remind me|don't forget|errands?)\b/;
const ME = /^(?:我|本人|自己|我自己|我这边|我方|me|i|myself|mine|我们|咱|us|我负责|我的)$/i;
const NO_NAME =
  /^(?:注意|备注|ps|p\.s\.?|另外|还有|todo|待办|提醒|日程|计划|安排|时间|地点|deadline|ddl|截止|重点|note|fyi|reminder|update|更新|更正|correction|plan|today|tomorrow|今天|明天|本周|下周|周[一二三四五六日]|发版|上线|问题|ok|好|hi|btw|顺便|记一下|记下|task|tasks|任务|事项|remaining|剩下|next|接下来|明早|今晚|总结|wish ?list)$/i;

const isTodoHead = (line: string): boolean => {
  const folded = foldText(line);
  return TODO_HEAD.test(folded) && !MINUTES_HEAD.test(folded);
};

/** Cuts a person's words into clauses and reads in each what it does and which times it names. */
export function clausesOf(own: string, folded: string, at: Date, zone: string): Clause[] {
  const times = readTimes(own, at, zone);
  const lines = own.split("\n");
  const named = lines.filter((line) => OWNED.test(line)).length >= 2;
  const todo =
    lines.filter((line) => LIST_LINE.test(line)).length >= 2 &&
    lines.some((line) => !LIST_LINE.test(line) && isTodoHead(line));
  const clauses: Clause[] = [];
  let sentence = 0;
  for (const [from, to, inline] of sentencesOf(folded, times)) {
    const line = own.slice(from, to);
    const owner = inline ? undefined : ownerOf(line, named);
    const listed = inline !== undefined || (todo && owner === undefined && LIST_LINE.test(line));
    const listTime = inline && times.find((t) => !t.past && t.index >= inline.head[0] && t.index < inline.head[1]);
    let first = true;
    for (const [begin, end] of withTimesAttached(cuts(folded, from, to, CLAUSE_END, times), folded, times)) {
      const text = own.slice(begin, Math.min(end, begin + LONGEST_CLAUSE));
      const part = folded.slice(begin, begin + text.length);
      if (!/[\p{L}\p{N}]/u.test(part)) continue;
      clauses.push({
        text,
        folded: part,
        from: begin,
        to: end,
        acts: actsOf(part.trim()),
        times: times.filter((t) => t.index < end && t.index + t.matched.length > begin),
        sentence,
        ...(owner ? { owner } : {}),
        ...(listed && first ? { listed: true as const } : {}),
        ...(listTime && first ? { listTime } : {}),
      });
      first = false;
    }
    sentence += 1;
  }
  return clauses;
}

/** The sentences of a message; a line that counts up things to do is cut into the things, without what stands before. */
function sentencesOf(
  folded: string,
  times: readonly TimeMention[],
): (readonly [from: number, to: number, list?: InlineList])[] {
  const found: (readonly [number, number, InlineList?])[] = [];
  let begin = 0;
  for (const line of folded.split("\n")) {
    const list = inlineListOf(folded, begin, begin + line.length, times);
    if (list) {
      found.push(...list.items.map(([a, b]) => [a, b, list] as const));
      const rest = list.items.at(-1)?.[1] ?? begin;
      found.push(...cuts(folded, rest, begin + line.length, SENTENCE_END, times));
    } else found.push(...cuts(folded, begin, begin + line.length, SENTENCE_END, times));
    begin += line.length + 1;
  }
  return found;
}

/** The stretches between separators, but never through a time ("Tuesday, next week" stays whole). */
function cuts(
  folded: string,
  from: number,
  to: number,
  separator: RegExp,
  times: readonly TimeMention[],
): [number, number][] {
  const parts: [number, number][] = [];
  let begin = from;
  for (const match of folded.slice(from, to).matchAll(separator)) {
    const at = from + match.index;
    if (times.some((t) => t.index < at && t.index + t.matched.length > at)) continue;
    // A question mark belongs to the sentence it ends.
    const end = /[?？]/.test(match[0]) ? at + match[0].length : at;
    if (end > begin) parts.push([begin, end]);
    begin = at + match[0].length;
  }
  if (to > begin) parts.push([begin, to]);
  return parts;
}

/** Whose line it is. A name counts on a list line, or when several lines begin with one ("busy week: …" is no name). */
/** A stretch that is nothing but a time belongs to the words before it ("got a slot, June 9 at 10:20"), else to those after. */
function withTimesAttached(
  parts: readonly [number, number][],
  folded: string,
  times: readonly TimeMention[],
): [number, number][] {
  const joined: [number, number][] = [];
  let carried: number | undefined;
  for (const [from, to] of parts) {
    const begin = carried ?? from;
    carried = undefined;
    let rest = folded.slice(from, to);
    for (const t of times)
      if (t.index >= from && t.index + t.matched.length <= to) rest = rest.replace(foldText(t.matched), "");
    const last = joined.at(-1);
    if (rest !== folded.slice(from, to) && !/[\p{L}\p{N}]/u.test(rest)) {
      if (last) last[1] = to;
      else carried = begin;
      continue;
    }
    joined.push([begin, to]);
  }
  const end = parts.at(-1)?.[1];
  if (carried !== undefined && end !== undefined) joined.push([carried, end]);
  return joined;
}

function ownerOf(line: string, named: boolean): "me" | "other" | undefined {
  const match = OWNED.exec(line);
  const name = match?.[2]?.trim();
  if (!name) return undefined;
  if (ME.test(name)) return "me";
  if (!named && !match?.[1]) return undefined;
  if (NO_NAME.test(name) || /[\d?？]/.test(name)) return undefined;
  return "other";
}
