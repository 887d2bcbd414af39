/** Words that say nothing about which matter is meant: times, helpers, politeness, and the verbs of doing and dropping. */
const HAN_STOP =
  /大后天|后天|今天|明天|昨天|今晚|明早|上午|下午|晚上|早上|中午|之前|以前|下周|本周|这周|上周|周[一二三四五六日天末]|星期[一二三四五六日天]|礼拜[一二三四五六日天]|月底|月初|年底|\d+[月号日点分]|记得|提醒|别忘|已经|刚刚|刚才|客气|麻烦|帮我|需要|应该|可以|这个|那个|这件|那件|事情|一下|不用|不要|不必|不需|算了|取消|完成|搞定|办好|弄好|做好|做完|办完|处理|收到|确认|没有|还没|什么|怎么|时候|然后|因为|所以|如果|但是|我们|你们|他们|给我|的话|了吗|好了|今日|明日|[把被给的了过着吧呢啊哦嗯呀嘛吗我你他她它们是在有和跟与或就都也还再又才刚已前后内里上下要会能得到去来让请管先很太最那这个不没别发交做办弄写改送寄完好掉用]/gu;
const LATIN_STOP = new Set(
  "the a an and or of to in on at by for with from is are was be been it its this that these those i you he she we they me my your our their his her as do does did done have has had will would should could can not no yes please need needs remember remind about before after today tomorrow yesterday monday tuesday wednesday thursday friday saturday sunday next week month morning evening afternoon night already just sent send finished finish ok okay all up out so if then when what how there here still yet get got make made never mind forget need cancel canceled cancelled drop skip longer any more".split(
    " ",
  ),
);

/**
 * What a text is about, as a set: pairs of Chinese characters and Latin words or numbers, without the words every
 * matter has. Traditional and full-width forms are not folded here.
 */
export function contentTerms(text: string): Set<string> {
  const folded = text.normalize("NFKC").toLowerCase();
  const terms = new Set<string>();
  // In Chinese a single letter is a name (客户A), in English it is an article.
  const names = /\p{Script=Han}/u.test(folded);
  for (const word of folded.match(/[\p{Script=Latin}\d][\p{Script=Latin}\d._-]*/gu) ?? []) {
    const bare = word.replace(/[._-]+$/u, "");
    if ((!LATIN_STOP.has(bare) || (names && bare.length === 1)) && !/^\d{1,2}$/u.test(bare)) terms.add(stem(bare));
  }
  const han = folded.replace(/[^\p{Script=Han}\d]+/gu, " ").replace(HAN_STOP, " ");
  for (const piece of han.match(/\p{Script=Han}{2,}/gu) ?? []) {
    for (let i = 0; i + 1 < piece.length; i++) terms.add(piece.slice(i, i + 2));
  }
  return terms;
}

/** How far two texts speak of the same thing: shared terms by the smaller set, 0 to 1. Different names (客户A, 客户B) are 0. */
export function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (namesDiffer(a, b)) return 0;
  // A single letter only tells names apart: it is no content of its own.
  const ours = [...a].filter((term) => term.length > 1);
  const theirs = new Set([...b].filter((term) => term.length > 1));
  const least = Math.min(ours.length, theirs.size);
  return least === 0 ? 0 : ours.filter((term) => theirs.has(term)).length / least;
}

function namesDiffer(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const names = (terms: ReadonlySet<string>): string[] =>
    [...terms].filter((term) => /^[\p{Script=Latin}\d]/u.test(term));
  const ours = names(a);
  const theirs = names(b);
  // Only texts that are mostly Chinese use Latin letters as names; in English the words themselves are compared.
  if (ours.length === 0 || theirs.length === 0 || ours.length === a.size || theirs.length === b.size) return false;
  return !ours.some((name) => theirs.includes(name));
}

/** Plurals and the commonest endings fall together: invoices and invoice, signed and sign. */
function stem(word: string): string {
  return word.length > 4 ? word.replace(/(?:ies|es|s|ed|ing)$/u, "") : word;
}
