import { foldText } from "../../natural-time/fold-text.ts";

/** Words every matter has: times, helpers, politeness, and the verbs of doing and dropping. */
const STOP_HAN = new Set(
  (
    "今天 明天 后天 昨天 大后天 今晚 明早 明晚 今早 上午 下午 晚上 早上 中午 凌晨 傍晚 之前 以前 之后 以后 下周 本周 这周 上周 周末 月底 月初 年底 下个月 这个月 " +
    "记得 提醒 别忘 已经 刚刚 刚才 麻烦 帮我 需要 应该 可以 这个 那个 这件 那件 这些 那些 事情 一下 不用 不要 不必 不需 算了 取消 完成 搞定 处理 没有 还没 什么 怎么 " +
    "时候 然后 因为 所以 如果 要是 但是 不过 我们 你们 他们 她们 自己 今日 明日 听日 一定 必须 还要 还是 就是 可能 现在 到时 时间 改到 改成 推迟 提前 答应 说好 讲好 " +
    "最晚 最迟 截止 回头 晚点 待会 稍后 改天 下次 继续 看看 好了 不去 不做 出去 过去 起来 下来 上去 好的 收到 明白 知道 顺便 另外 还有 而且 一直 一起 一样 有点 别忘了 聽日 仲未 而家"
  ).split(" "),
);
/** Single characters that are grammar or all-purpose verbs. */
const STOP_CHARACTERS =
  "的地得了吧呢啊哦嗯呀嘛吗么把被给跟和与或就都也还再又才刚已前后内里上下要会能到去来让请先很太最那这个不没别交做办弄写改送寄完好掉用说看发买拿取打是在有我你他她它们咱您俾畀嘅咗嚟喺佢哋唔冇同俩两一二三四五六七八九十号日点月年周天次份张件条位年个只于为从向对以及等说讲话问想行走过着但而且若如之其此该须需必将可约定订付还回接";
const STOP_LATIN = new Set(
  (
    "the a an and or of to in on at by for with from is are was be been it its this that these those i you he she we they me my your our their his her him them us as do does did done have has had " +
    "will would should could can may not no yes please need needs must gotta got get remember remind about before after until till today tomorrow tonight yesterday monday tuesday wednesday thursday " +
    "friday saturday sunday mon tue wed thu fri sat sun next week month year morning evening afternoon night noon already just sent send finished finish ok okay all up out off so if then when what how " +
    "there here still yet make made never mind forget cancel canceled cancelled drop skip longer any more now later also too i'll i'm i've i'd we'll don't let going go went said says told am pm eod cob asap " +
    "back over into moved move pushed resched reschedule rescheduled instead actually scratch said sure thanks thank ll ve re nt"
  ).split(" "),
);

const segmenter = new Intl.Segmenter("zh", { granularity: "word" });
/** Texts are looked at several times a run; the result depends on the text alone. */
const known = new Map<string, ReadonlySet<string>>();
const MOST_KNOWN = 4_000;
const LONGEST = 1_000;

/** What a text is about, as a set: Chinese words (long ones by their halves too), Latin words without endings, numbers. */
export function termsOf(text: string): Set<string> {
  const cut = text.slice(0, LONGEST);
  const before = known.get(cut);
  if (before) return new Set(before);
  const terms = readTerms(foldText(cut));
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(cut, terms);
  return new Set(terms);
}

function readTerms(folded: string): Set<string> {
  const terms = new Set<string>();
  for (const word of folded.match(/[\p{Script=Latin}\d][\p{Script=Latin}\d'._#-]*/gu) ?? []) addLatin(terms, word);
  for (const run of folded.match(/\p{Script=Han}+/gu) ?? []) {
    for (const { segment } of segmenter.segment(run)) addHan(terms, segment);
  }
  return terms;
}

function addHan(terms: Set<string>, word: string): void {
  if (STOP_HAN.has(word)) return;
  if (word.length === 1) {
    if (!STOP_CHARACTERS.includes(word)) terms.add(word);
    return;
  }
  const kept = [...word].filter((c) => !STOP_CHARACTERS.includes(c));
  // 交给, 发了: nothing left of it but grammar.
  if (kept.length === 0) return;
  if (word.length === 2) terms.add(kept.length === 1 && /[了过给到完好掉]$/.test(word) ? (kept[0] ?? word) : word);
  else for (let i = 0; i + 1 < word.length; i++) terms.add(word.slice(i, i + 2));
}

function addLatin(terms: Set<string>, word: string): void {
  const bare = word.replace(/^[._'-]+|[._'-]+$/g, "").replace(/'s$/, "");
  if (bare === "" || STOP_LATIN.has(bare) || /^\d{1,2}$/.test(bare)) return;
  // The commonest endings fall together: invoices and invoice, signed and sign.
  terms.add(bare.length > 4 ? bare.replace(/(?:ies|es|s|ed|ing)$/, "") : bare);
}

/** How far two texts speak of one thing: shared terms by the smaller set, 0 to 1. Other letters (客户A, 客户B) make it 0. */
export function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const least = Math.min(a.size, b.size);
  if (least === 0) return 0;
  const letters = (terms: ReadonlySet<string>): string[] => [...terms].filter((t) => /^[a-z]$/.test(t));
  const [ours, theirs] = [letters(a), letters(b)];
  if (ours.length > 0 && theirs.length > 0 && !ours.some((t) => theirs.includes(t))) return 0;
  let shared = 0;
  for (const term of a) if (b.has(term)) shared += 1;
  return shared / least;
}
