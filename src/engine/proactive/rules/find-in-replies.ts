import { foldText } from "../../natural-time/fold-text.ts";
import { readTimes, type TimeMention } from "../../natural-time.ts";
import type { ExtractMessage } from "./extract-input.ts";
import type { Matter, WhyNow } from "./matter.ts";
import { termsOf } from "./terms.ts";
import { cutTitle, trimPhrase } from "./title.ts";
import { lastReply, type Turn } from "./turns.ts";

/** The agent says it will do something after this message. */
const AGENT_PROMISE =
  /(?:稍后|晚点|晚些|等下|待会儿?|一会儿?|接下来|随后|回头|今晚|明天|明早|下午|晚上|(?:跑|做|弄|算|处理|导|下载|训练|生成|部署|编译|扫描|同步|迁移)完(?:成)?(?:了|之?后|后|以后)?|完成后|结束后|好了(?:就|以后|之后|后)?|出来(?:了|后|以后|之后)|出(?:了)?(?:结果|图|数据)(?:了|后|就)?|有(?:了)?(?:结果|进展|消息|更新)(?:了|后)?)[^。！？!?\n]{0,30}?(?:发|给|整理|汇总|告诉|通知|继续|补(?:上|充|齐|完)?|更新|处理|跟进|提醒|同步|汇报|贴|出|做|写|查|列|拆|重试|再试)|我[^。！？!?\n]{2,20}(?:后|完|好)(?:了)?(?:再|就)?(?:发|给|告诉|贴|传)(?:给)?你|我(?:会|来|去|这就|马上|尽快|继续|先)[^。！？!?\n]{0,24}(?:后|再|之后)?(?:发(?:给)?你|给你|告诉你|通知你|向你汇报|提醒你|跟你说|同步给你|整理(?:好|出来)|补上|继续)/;
const AGENT_PROMISE_EN =
  /\bi(?:'ll| will| am going to|'m going to) (?:also |then |now |still |next )?(?:send|get back|follow up|share|post|have (?:it|that|the|this|a|an|them|those|something)|let you know|finish|continue|prepare|report|update|check (?:back|again|on|(?:it|that|this|the \w+) again)|look into|put together|write (?:it|that|the)|ping|remind|keep you|come back|circle back|retry|try again|do the (?:rest|remaining)|add the (?:rest|remaining)|complete|compile|summari[sz]e)|\bi(?:'ll| will)\b[^.!?\n]{0,60}\b(?:later|once|as soon as|tomorrow|in the morning|shortly|soon|tonight|this (?:afternoon|evening)|by (?:tomorrow|the end|monday|tuesday|wednesday|thursday|friday))\b|\bi(?:'ll| will)\b[^.!?\n]{0,80}\b(?:come back|get back|report back|let you know|send|share|post)\b|\b(?:next|then) i(?:'ll| will)\b|\bwill (?:follow up|send|report back|share) (?:it|them|the|later|tomorrow|once|when|shortly)|\bonce (?:it|that|this)(?:'s| is| has)? (?:done|finished|finishes|completes?d?|ready)[^.!?\n]{0,20}i(?:'ll| will)/;
/** A mere offer or politeness. */
const ONLY_OFFERS =
  /[?？]\s*$|随时(?:叫|找|告诉|说)|有(?:什么)?(?:需要|问题|进展|事)[^。]{0,10}(?:随时|叫我|告诉我|找我|说)|需要的话|要不要|要唔要|如果(?:你)?(?:想|需要|愿意)|(?:你|您)(?:可以|再|先|要是)|替你(?:把|收|保管)|那我先谢|\b(?:if you(?:'d)? (?:like|want|need)|let me know if|feel free|happy to|i can|would you like|want me to|shall i|anytime|whenever you)\b/;
/** The agent cannot go on without the person. */
const ASKS_TO_DECIDE =
  /(?:确认|同意|批准|没问题|点头|授权|回复(?:我)?|说一声|ok)[^。！？\n]{0,12}?(?:的话|后|了|之后|以后)?[,，]?\s?我?(?:就|再|马上|立即|才)(?:会)?(?:发|提交|执行|部署|删|合并|下单|推|上线|开始|继续|寄|付|订|操作|改|清|跑|发布)|等(?:待)?(?:你|您)(?:的)?(?:确认|回复|批准|授权|指示|决定|答复|提供)|(?:需要|还差|请)(?:你|您)?(?:先)?(?:来)?(?:提供|确认|授权|批准|登录|补充|选(?:一个|定)|决定)|(?:选|要|用)(?:哪(?:个|一个|种|版))[^。\n]{0,12}[?？]\s*$/;
const ASKS_TO_DECIDE_EN =
  /\b(?:once|when|as soon as|after) you (?:confirm|approve|ok|give|sign off|say)|\b(?:reply|say|type) ["']?(?:yes|ok|go|confirm)\b|\bwaiting (?:for|on) (?:your|you)\b|\b(?:i )?need (?:your (?:ok|approval|confirmation|go-ahead|input|decision|password|credentials)|you to (?:confirm|approve|provide|decide|choose|log|grant))|\b(?:shall|should) i (?:send|proceed|deploy|go ahead|delete|push|merge|submit|run|continue|start|book|publish|apply)\b|\bplease (?:confirm|approve|provide|choose|decide|grant|reconnect|log in|sign in|re-?auth\w*)\b|\bok to (?:send|proceed|deploy|delete|push|merge|submit|run)\b|\bwant me to (?:send|deploy|delete|push|merge|submit|proceed|publish|go ahead)\b|\bwhich (?:one|option|version|plan) (?:should|do|would)\b/;
/** "你补一下我再继续", "send it over and I'll carry on": it stops until the person has given something. */
const NEEDS_MORE =
  /(?:补|给|发|提供|找|确认|告诉|传)(?:一?下|上|我|齐|全|好|给我|过来){0,3}[^。！？\n]{0,10}我?(?:这边)?(?:再|就|才能?|好)(?:继续|接着|往下|开始|改|写|做|弄)|\b(?:send|give|share|get|paste|tell|drop)\b[^.!?\n]{0,40}\b(?:and i(?:'ll| will| can)|so i can)\b|\bbefore i can (?:go on|continue|proceed|finish|start)\b/;
/** The person goes to look for it: nothing has come yet. */
const HOLD_ON =
  /^(?:not (?:yet|just yet|now|right now|today)|later|let me (?:think|sleep)|i(?:'d| want to| need to| have to|'ll| will) (?:like to )?(?:think|sleep)\b|(?:先|暂时)(?:别|不)(?!用|要)|再(?:想|看|考虑)|还没想好|我(?:再)?(?:想想|考虑|看看))|^(?:好|ok|嗯|行|等等|等(?:我)?一?下|稍等|我(?:去)?(?:找|看|问|查|翻)|[,，\s]){0,6}(?:等等|等(?:我)?一?下|稍等|我(?:去)?(?:找|问|查|翻)|hang on|hold on|one (?:sec|moment|minute)|wait|let me (?:find|dig|look|check|ask|see)|i'll (?:find|dig|look|check|ask))/;
/** The agent wrote a letter: what it promises in there is the letter's. */
const LETTER =
  /^(?:尊敬的|亲爱的|各位|您好|你好)|此致|敬礼|敬请|顺颂|祝好|谨启|盼复|期待(?:您|与您)|贵(?:司|校|院|方)|\b(?:dear \w+|best regards|kind regards|sincerely|yours|cheers,)\b/;
const ASKED_TO_WRITE =
  /(?:帮我|替我|给我)?(?:拟|写|起草|编|草拟)(?:一?[个封段条份篇则]|下|个)|\b(?:write|draft|compose)\b/;

/** The person asked for a text and got it: what stands in it are no promises and no dates of theirs. */
export function isWritten(turn: Turn): boolean {
  const text = lastReply(turn)?.text ?? "";
  const folded = foldText(text);
  return (
    ASKED_TO_WRITE.test(turn.speech.folded) &&
    (LETTER.test(folded) || (text.length > 30 && !/^(?:好|嗯|ok|sure|got it|noted|will do|收到|明白)/.test(folded)))
  );
}

/** Work that ended badly. */
const FAILED =
  /失败|报错|没(?:有)?成功|没能|无法(?:继续|完成|连接|访问|登录|推送|部署)|权限不足|没有权限|被拒(?:绝)?|超时|卡住|中断|还(?:没|未)(?:解决|通过|修好)|仍(?:然)?(?:失败|报错|不行)|需要(?:你|您|管理员|先)|(?:装|连|登|打|跑|推|拉|传|起|开|下|编译|启动|部署|安装|访问)不(?:上|了|动|通|开|起来|下来|成)|(?:磁盘|空间|内存|额度)(?:已)?(?:满|不足|不够|用完)|\b(?:fail(?:ed|s|ing)?|error(?:ed|s)?|couldn't|could not|unable to|blocked|timed? ?out|denied|not permitted|no permission|needs? (?:access|permission|approval|credentials|a password)|still (?:failing|broken|red)|stuck|gave up|ran out|interrupted|aborted|refused|revoked|expired|unauthori[sz]ed)\b/;
export const SUCCEEDED =
  /已(?:经)?(?=[\u4e00-\u9fff])(?!过期|失败|被|停|超|断|拒|用完|满)|(?:都|全部?)[^。,，]{0,16}(?:完成|成功|好|发布|部署|修复|解决|通过|更新|保存|删除|创建|合并|导出|生成|发|提交|上传|装)|成功|搞定|[\u4e00-\u9fff]好了|(?:出来|如下|见附件|在这|放在)|\bhere (?:is|are|you go)\b|\battached\b|跑通|全绿|\b(?:done|all (?:green|set|passing|tests pass)|complete[d]?|success\w*|fixed|passes|passed|now works|works now|resolved|deployed|merged|finished|clean|created|saved|no (?:errors|problems|warnings))\b/;

/** Matters the agent's own words and deeds leave open at the end of a turn. */
export function findInReplies(turn: Turn, earlier: readonly Turn[], later: readonly Turn[]): Matter[] {
  if (turn.plays || turn.speech.handsOver) return [];
  const last = lastReply(turn);
  const state = workState(turn);
  const letter = LETTER.test(foldText(last?.text ?? "")) && ASKED_TO_WRITE.test(turn.speech.folded);
  const next = later.filter((t) => t.session === turn.session);
  const sentence = last && !letter ? promisedSentence(last.text) : undefined;
  // Asked what an article says, the agent tells what it says: "两分钟能做完的立刻做" is nobody's word.
  const toldOf =
    turn.clauses.some((c) => c.acts.has("question")) && !/[我你您]|\b(?:i|i'll|you)\b/i.test(sentence ?? "");
  if (last && sentence && !toldOf && !isKept(sentence, next))
    return [fromReply(turn, last, sentence, "agent_promised", earlier)];
  if (last && state !== "running") {
    // What stands in a letter is the letter's; what comes after it is the agent's.
    const folded = letter ? endOf(foldText(last.text)) : foldText(last.text).slice(-400);
    const asks = ASKS_TO_DECIDE.test(folded) || ASKS_TO_DECIDE_EN.test(folded);
    const waits = asks || NEEDS_MORE.test(folded);
    if (waits && next.every((t) => HOLD_ON.test(t.speech.folded.trim())))
      return [fromReply(turn, last, "", "asks_for_decision", earlier)];
    if (state === "failed" && !next.some(goesOn)) return [fromReply(turn, last, "", "stuck", earlier)];
    return [];
  }
  if (state === "running" && next.length === 0)
    return [fromReply(turn, turn.replies.at(-1), "", "interrupted", earlier)];
  return [];
}

const endOf = (text: string): string =>
  text
    .trim()
    .split(/(?<=[。！!?？\n.…”"])\s*/)
    .findLast((s) => s.trim() !== "") ?? "";

/** Was the trouble taken up again, or let go? */
const goesOn = (turn: Turn): boolean =>
  turn.replies.some((m) => m.role === "tool") || turn.clauses.some((c) => c.acts.has("dropped") || c.acts.has("done"));

/** failed = the last thing tried went wrong and nothing after it says otherwise; running = cut off in the middle. */
function workState(turn: Turn): "none" | "fine" | "failed" | "running" {
  const tools = turn.replies.filter((m) => m.role === "tool");
  const called = turn.replies.some((m) => (m.toolCalls?.length ?? 0) > 0);
  if (!called && tools.length === 0) return "none";
  const last = turn.replies.at(-1);
  if (last?.role === "tool" || (last?.toolCalls?.length ?? 0) > 0) return "running";
  const lastTool = tools.at(-1);
  const text = foldText(last?.text ?? "");
  if (lastTool && isFailure(lastTool))
    return SUCCEEDED.test(text) && !FAILED.test(text) ? "fine" : FAILED.test(text) ? "failed" : "fine";
  return FAILED.test(text) && !SUCCEEDED.test(text) ? "failed" : "fine";
}

/** A result with a non-zero exit code or an error text. */
function isFailure(result: ExtractMessage): boolean {
  return /"exit_code"\s*:\s*-?[1-9]|"error"\s*:\s*"[^"]|"success"\s*:\s*false|^\s*(?:error|traceback|exception)/i.test(
    result.text.slice(0, 4000),
  );
}

function promisedSentence(text: string): string | undefined {
  if (text.length > 3000) return undefined;
  return text
    .split(/(?<=[。！？!?\n])|(?<=\.)\s/)
    .slice(-4)
    .find((sentence) => {
      const folded = foldText(sentence.trim());
      return (
        folded.length > 3 && (AGENT_PROMISE.test(folded) || AGENT_PROMISE_EN.test(folded)) && !ONLY_OFFERS.test(folded)
      );
    });
}

/** Did the agent come back with something, or did the person let it go? */
function isKept(sentence: string, next: readonly Turn[]): boolean {
  const terms = termsOf(sentence);
  return next.some((turn) => {
    if (turn.clauses.some((c) => c.acts.has("dropped") || c.acts.has("done"))) return true;
    const reply = lastReply(turn);
    if (!reply) return false;
    const delivered =
      SUCCEEDED.test(foldText(reply.text)) || reply.text.length > 120 || turn.replies.some((m) => m.role === "tool");
    return delivered && [...termsOf(`${turn.user.text} ${reply.text}`)].some((t) => terms.has(t));
  });
}

/** "今晚十点跑完了帮我汇总 — 好，十点跑完发你": the person's ten o'clock. */
function sameClockIn(turn: Turn, time: TimeMention): TimeMention | undefined {
  const clock = (t: TimeMention): number => Math.floor(t.start.getTime() / 60_000) % 720;
  return turn.clauses
    .flatMap((c) => c.times)
    .find((t) => !t.past && !t.bare && t.grain !== "day" && clock(t) === clock(time));
}

function fromReply(
  turn: Turn,
  reply: ExtractMessage | undefined,
  sentence: string,
  why: WhyNow,
  earlier: readonly Turn[],
): Matter {
  const asked = trimPhrase(
    (turn.speech.own.split(/[\n。？?]/).find((s) => termsOf(s).size > 1) ?? turn.speech.own).slice(0, 80),
  );
  const before = earlier.filter((t) => t.session === turn.session).at(-1);
  const topic = termsOf(asked).size > 1 ? asked : before ? trimPhrase(before.speech.own.slice(0, 80)) : asked;
  const at = reply?.at ?? turn.user.at;
  const time = sentence
    ? readTimes(sentence, at, turn.zone).find(
        (t) => !t.past && !t.vague && !t.bare && ["minute", "hour", "day"].includes(t.grain),
      )
    : undefined;
  const due = time?.dayless ? (sameClockIn(turn, time) ?? time) : time;
  const title = cutTitle(topic || trimPhrase(sentence));
  return {
    title,
    summary: trimPhrase(sentence || (reply?.text ?? "")).slice(0, 200),
    kind: why === "agent_promised" ? "promise" : "unfinished",
    time: due,
    evidence: reply && reply !== turn.user ? [turn.user.id, reply.id] : [turn.user.id],
    sessionId: turn.session.id,
    at,
    terms: new Set([...termsOf(turn.user.text), ...termsOf(sentence)]),
    why,
    occasion: false,
    leans: false,
    thin: false,
  };
}
