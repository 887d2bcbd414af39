import type { Evidence } from "../evidence.ts";
import type { MatterKind } from "../tracking/item.ts";
import { contentTerms, likeness } from "./content-terms.ts";

/** One line of the history, as far as it may settle a matter. */
export interface SpokenLine {
  evidence: Evidence;
  /** whole text, masked */
  text: string;
  /** Said by the person the reminders are for. Anybody else's word, and the agent's, is a claim. */
  own: boolean;
}

export interface Settlement {
  /** done and dropped close the matter; claimed is asked about */
  how: "done" | "dropped" | "claimed";
  evidence: Evidence;
}

export interface OpenMatter {
  id: string;
  kind: MatterKind;
  title: string;
  summary: string;
  evidence: readonly Evidence[];
}

/** From here on a line is taken to speak of a matter. */
const TIE = 0.6;

const DROP =
  /(?:不用|不必|不需要|无需|不要|别)(?:再|去)?(?:管|做|弄|办|发|跟|提|催|提醒|理|写|改|买|订|约|处理)?[^。！？]{0,12}了|(?:不用|不必|无需|别)(?:再)?(?:管|提醒|跟进|理)|不(?:做|发|去|办|买|要|弄|写|订|约|搞|改|参加|考虑)[^。！？]{0,6}了|算了|取消|作罢|作废|放弃|黄了|never ?mind|forget (?:about )?(?:it|that|the|this)|no need|no longer need|not needed any ?more|don'?t (?:need|bother|worry about)|(?:call(?:ed|ing)? (?:it )?off)|cancel(?:l?ed)?|drop (?:it|that|the|this)|skip (?:it|that|the|this)|scrap (?:it|that|the|this)/iu;
const DONE =
  /(?:已经?|刚刚?|都|全|终于)[^。！？，,]{0,12}(?:发|交|寄|送|付|还|做|办|弄|搞|写|改|修|买|订|定|约|签|回|打|开|退|传|提|报|合并|上线|发布|提交|发送|完成|解决|处理|确认|预订|支付|回复|联系|搞定|安排)|(?:发|交|寄|送|付|还|做|办|弄|搞|写|改|修|买|订|定|约|签|回|打|退|传|提|报|提交|发送|完成|解决|处理|预订|支付|回复|联系|上线|发布|合并)(?:完|好|掉|出去|过去|过|妥)?了|搞定|办妥|(?:办|做|弄|搞|写|修|改|交|发|定|订)(?:好|完|妥)|\b(?:done|finished|completed?d?|sorted|settled|sent|submitted|paid|booked|fixed|shipped|merged|delivered|signed|handed in|posted|returned|renewed|published|resolved|taken care of|all set|did it|bought|ordered|called|emailed|replied|filed)\b/iu;
/** The closing verb itself says nothing about the matter: 合同签好了 is about 合同. */
const CLOSING_VERB =
  /(?:发|交|寄|送|付|还|做|办|弄|搞|写|改|修|买|订|定|约|签|回|打|退|传|提|报)(?:完|好|掉|出去|过去|过|妥)?了|(?:办|做|弄|搞|写|修|改|交|发|定|订|签)(?:好|完|妥)/gu;
/** What turns a closing word into something else: not yet, later, a condition, a question, a wish. */
const NOT_DONE =
  /还没|没有?(?=[^。！？，,]{0,4}(?:发|交|寄|送|付|做|办|弄|搞|写|改|修|买|订|签|回|打|提|完|好))|尚未|未(?:能|完成|提交)|快(?:要)?(?:好|完|发)|(?:差|就)(?:一)?点|如果|要是|假如|等[^。！？]{0,10}(?:再|之后|以后)|(?:明天|后天|下周|晚点|待会|回头|稍后|等会)[^。！？]{0,10}(?:发|交|做|办|弄|写|再)|(?:打算|准备|计划|应该|需要|必须|得|要|帮我|请|记得)(?:把|去|在|先|再)?[^。！？，,]{0,12}(?:发|交|做|办|弄|写|完成|处理)|[吗么嘛?？]\s*$|\b(?:not|n't|never|yet|if|once|when|until|unless|will|would|should|shall|must|need(?:s)? to|have to|has to|going to|gonna|want|please|almost|nearly|to be|can you|could you|remember to|by (?:monday|tuesday|wednesday|thursday|friday|tomorrow))\b|n't\b/iu;
const NOT_DROPPED =
  /[吗么嘛?？]\s*$|不(?:能|可以|想|会)(?:取消|放弃|算了)|别(?:取消|放弃|忘)|没(?:有)?取消|如果|要是|\b(?:don'?t|do not|never|can'?t|not) (?:cancel|drop|skip|forget)|\bif\b/iu;
/** What an agent says when it has only taken note. */
const ONLY_NOTED =
  /记(?:下|住|录|好)|提醒(?:你|您)|设(?:置|好|了)[^。]{0,4}提醒|\b(?:noted|remind you|reminder set|got it)\b/iu;

/**
 * Which open matters do later lines settle? A person's own words say done or dropped; the agent's and other people's are a
 * claim. A line that fits two matters equally well settles neither. A reminder somebody has set stands whatever is said
 * around it: it is taken off by closing or snoozing it, not by a guess. Text is only ever compared, never obeyed.
 */
export function settledByWords(matters: readonly OpenMatter[], lines: readonly SpokenLine[]): Map<string, Settlement> {
  const known = matters.filter(isSettledByWords).map((matter) => ({
    matter,
    title: contentTerms(matter.title),
    all: contentTerms(`${matter.title} ${matter.summary}`),
    since: Math.max(0, ...matter.evidence.map((e) => e.at.getTime())),
    ids: new Set(matter.evidence.map((e) => `${e.sessionId} ${e.messageId}`)),
  }));
  const settled = new Map<string, Settlement>();
  for (const line of lines) {
    for (const { text, how } of closingClauses(line.text, line.own)) {
      const terms = contentTerms(text.replace(CLOSING_VERB, " "));
      const fits = known
        .filter(
          (k) =>
            line.evidence.at.getTime() > k.since && !k.ids.has(`${line.evidence.sessionId} ${line.evidence.messageId}`),
        )
        .map((k) => ({
          id: k.matter.id,
          tie: Math.max(likeness(k.title, terms), likeness(k.all, terms) * 0.95),
          shared: sharedCount(k.all, terms),
        }))
        .filter((fit) => fit.tie >= TIE)
        .sort((a, b) => b.tie - a.tie || b.shared - a.shared);
      const [best, next] = fits;
      if (!best || (next && next.tie === best.tie && next.shared === best.shared)) continue;
      const before = settled.get(best.id);
      if (before && before.how !== "claimed" && how === "claimed") continue;
      settled.set(best.id, { how, evidence: line.evidence });
    }
  }
  return settled;
}

function isSettledByWords({ kind }: OpenMatter): boolean {
  return kind !== "reminder";
}

/** The sentences of a line that say that something is over. The whole sentence is kept: its other half names the matter. */
function closingClauses(line: string, own: boolean): { text: string; how: Settlement["how"] }[] {
  const found: { text: string; how: Settlement["how"] }[] = [];
  for (const sentence of line.split(/(?<=[。！？!?；;\n])|(?<=[.])\s+/u)) {
    const text = sentence.trim();
    if (text.length < 2 || text.length > 200) continue;
    if (own && DROP.test(text) && !NOT_DROPPED.test(text)) found.push({ text, how: "dropped" });
    else if (DONE.test(text) && !NOT_DONE.test(text) && (own || !ONLY_NOTED.test(text))) {
      found.push({ text, how: own ? "done" : "claimed" });
    }
  }
  return found;
}

function sharedCount(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let n = 0;
  for (const term of a) if (b.has(term)) n++;
  return n;
}
