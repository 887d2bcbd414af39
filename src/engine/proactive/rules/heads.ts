import { readTimes, type TimeMention } from "../../natural-time.ts";
import type { MatterKind } from "../../tracking/item.ts";
import { beginsWithRequest } from "./acts.ts";
import type { Clause } from "./clauses.ts";
import type { Act } from "./cues.ts";
import { isWritten } from "./find-in-replies.ts";
import type { WhyNow } from "./matter.ts";
import { isNoMatter, KIN, SELF } from "./no-matter.ts";
import { termsOf } from "./terms.ts";
import { phraseOf } from "./title.ts";
import { isChattedBack, isOnlyNoted, lastReply, type Turn } from "./turns.ts";

/** A clause that makes a matter, and how surely. */
export interface Head {
  clause: Clause;
  kind: MatterKind;
  why: WhyNow;
  time: TimeMention | undefined;
  /** strong = it says that something is to be done; weak = it only names an occasion. */
  strong: boolean;
  /** The clause before names what this one speaks of. */
  topic?: true;
}

export const has = (clause: Clause, ...acts: Act[]): boolean => acts.some((act) => clause.acts.has(act));

/** Small daily doings nobody wants to be asked about. */
const DAILY =
  /(?:吃(?:饭|早饭|午饭|晚饭|东西|个饭)|睡(?:觉|了|会|一会)?|洗澡|休息|下班|上班|下线|走了|出门|遛弯|上厕所|喝水|散步|回家|眯一会|先忙|忙(?:去)?了|溜了|撤了)(?:[了吧啊哈~!！。]|$)|(?<!不)想(?:吃|喝|睡|躺|歇|休息|静静|放松|玩|打(?:游戏|把|两把)|看(?:个|部|场|点)?(?:电影|剧|综艺|小说))|(?:再聊|晚安|明天见|回见|拜拜|再见)|\b(?:go(?:ing)? to (?:bed|sleep|lunch|eat)|grab(?:bing)? (?:lunch|coffee|food|a bite)|brb|gtg|heading (?:out|home)|call it a (?:day|night)|enough for (?:today|now)|good ?night|see you|talk (?:later|tomorrow|soon)|ttyl|could murder|craving|in the mood for|feel like (?:\w+ing|a|some)|fancy (?:a|some|\w+ing))\b/;
/** News of the world: no one has to do anything about it. */
const WORLD =
  /下雨|降温|升温|天气|气温|台风|暴雨|下雪|晴|雾霾|股市|大盘|油价|涨价|降价|比赛|球赛|决赛|开奖|彩票|星座|运势|放假|调休|上映|首播|更新了|\b(?:rain|snow|weather|forecast|sunny|cloudy|stocks?|market|horoscope|season finale|episode|world cup|olympics|election)\b/;
/** "放假前": a date, named by what the world does then. */
const UNTIL_WORLD = new RegExp(`(?:${WORLD.source})(?:之前|以前|前|的时候|期间)`, "g");
/** "I need a regex" wants something of the agent; "need to" is a duty. */
const WANTS_OF_AGENT =
  /\b(?:i|we) need (?:a|an|some|the|help|your|you)\b|需要(?:一个|一份|一段|你|个)|(?:你|you) (?:要|得|该|should|need|must|have to)/;
const NEGATED_DUTY =
  /没(?:有)?(?:真|打算|想)?要|(?:不|唔|没|无)(?:用|必|需|须|得|该|应该|要)(?!紧|忘|漏)|(?:不要|别)(?!.{0,3}忘)|\b(?:don't|doesn't|didn't|do not|won't|no) (?:need|have)\b|\bneedn't\b|\bnot (?:need|have to|necessary)\b|\bno need\b/;
const OTHER_SUBJECT =
  /^(?:[^:]{1,24}:\s*)?(?:[\s\d.、)）*•-]|今天|明天|后天|下周|周[一二三四五六日]|then |and |but |so |also |fyi |note |btw )*(?:他们?|她们?|它|人家|对方|大家都|佢(?:哋)?|小(?![程红票型说朋孩费时心学区组])[\u4e00-\u9fff](?![时心学区组])|老[\u4e00-\u9fff](?![师婆公板家爸妈乡])|大[\u4e00-\u9fff](?=负责|会|明天|周)|阿[\u4e00-\u9fff](?!姨)|(?![跟和给帮替找约陪把对向叫请让问催要去])[\u4e00-\u9fff]{1,3}(?:总(?![结额价数共之是体部经算要觉计分务])|工(?![作资程具厂单期位业艺会])|哥|姐|经理|同学|主任|律师|主管|组长|总监)|(?:设计|测试|运维|开发|前端|后端|产品|市场|销售|运营|法务|财务|行政|人事)(?:组|部|那边|同事|的同学)?(?=会|要|负责|来|去|在|得)|同事|客户|供应商|甲方|房东|物业|(?:he|she|they|someone|somebody|everyone)(?='s going to|'ll| will| is | has to| needs to| should| must| owns| takes))/;
/** "Dana will run it", "Luis is covering": a name and what they do. */
const NAME_DOES =
  /(?:^|[\s,(])(?!I\b|We\b|It\b|That\b|This\b|There\b|The\b|You\b|What\b)[A-Z][a-z]+(?:\s(?:in|from)\s\w+)?(?:'ll| will| is going to| is \w+ing\b| owns| takes| has to(?! be)| needs to(?! be)| should(?! be)| must(?! be))/;
export const MYSELF =
  /我|(?:给|发|回|找|跟|通知|告诉|叫|带|送|约|接|陪|让|要求|等)(?:着)?我|\b(?:i|i'll|i'm|i've|me|my|we|we'll|us|our)\b/;
/** "被领导说了一顿": what was said is over. */
const TELLS_STORY = /被|(?:说|骂|批评|夸|表扬|怼|训|吐槽|问|聊)(?:了|过)(?!要|得|周|明|下|\s?\d)/;
/** Vague words for "then": the time was named before. */
export const BEFORE_THEN = /\b(?:before|by|until) (?:then|that)\b|(?:在)?(?:那|这|此)(?:之)?前|赶在那|到时候?(?!再说)/;
/** "fine for now. production next week": the rest of the message says when it goes on. */
export const ENOUGH_FOR_NOW =
  /先(?:这样|到这|到此|弄到这)|(?:今天|今晚)(?:就|先)?到这|够了|\b(?:fine|good|ok|okay|enough|done|that'll do|leave it) for (?:now|today|tonight)\b/;
/** Verbs an errand begins with: 周五给客户打电话, call mom on Sunday. */
const ERRAND_ZH =
  /^(?:去|给|把|跟|找|交|发|寄|打|买|取|接|送|陪|带|办|见|写|改|还(?=款|钱|书|给|信用|贷|账|清|车|东西|掉)|缴|付|订|约|填|报|参加|帮(?!我)|回|拿|领|洗|修|换|搬|退|续|提交|联系|拜访|准备|整理|确认|催|问)/;
const ERRAND_EN =
  /^(?:call|email|text|pay|buy|book|send|submit|pick up|drop off|return|visit|finish|prepare|file|renew|schedule|order|collect|fetch|meet|talk to|ask|chase|reply to|follow up|take|bring|mail|post|ring|cancel|sign|register|vote|water|feed)\b/;

/** What a reading looks at. */
interface Ctx {
  turn: Turn;
  clause: Clause;
  folded: string;
  time: TimeMention | undefined;
  /** The agent has only taken note so far. */
  noted: boolean;
}

/** One way a clause can be a matter. The first that fits is taken; `nothing` ends the search. */
interface Reading {
  name: string;
  fits: (c: Ctx) => boolean;
  gives: { kind: MatterKind; why: WhyNow; strong: boolean } | "nothing";
}

const gives = (kind: MatterKind, why: WhyNow, strong = true): Reading["gives"] => ({ kind, why, strong });

const READINGS: readonly Reading[] = [
  { name: "only sounds like one", fits: (c) => isNoMatter(c.turn, c.clause, c.time), gives: "nothing" },
  {
    name: "asks to be reminded",
    fits: (c) => has(c.clause, "wish") && !(c.turn.speech.jokes && !c.time),
    gives: gives("errand", "asked_to_remind"),
  },
  {
    name: "asks, chats, or jokes",
    fits: (c) => has(c.clause, "question") || DAILY.test(c.folded) || c.turn.speech.jokes,
    gives: "nothing",
  },
  {
    name: "waits for somebody",
    fits: (c) => has(c.clause, "waiting") && !waitsForMyself(c.folded),
    gives: gives("waiting", "waiting"),
  },
  {
    name: "asks the agent for later",
    fits: (c) =>
      isRequest(c) && c.time !== undefined && c.noted && isLater(c.time, c.turn) && isSetFor(c) && !isWritten(c.turn),
    gives: gives("promise", "agent_promised"),
  },
  { name: "asks the agent for now", fits: (c) => isRequest(c), gives: "nothing" },
  { name: "tells the agent more of what was asked", fits: isDetail, gives: "nothing" },
  { name: "tells the agent to go on now", fits: isGoOn, gives: "nothing" },
  {
    name: "puts it off, or goes to find out",
    fits: (c) => has(c.clause, "deferral") || (c.turn.before !== undefined && TELLS_LATER.test(c.folded)),
    gives: gives("unfinished", "put_off"),
  },
  { name: "somebody else's job", fits: isOthersJob, gives: "nothing" },
  {
    name: "a line of their own on a list",
    fits: (c) => c.clause.owner === "me" || c.clause.listed === true,
    gives: gives("promise", "open"),
  },
  {
    name: "gave their word",
    fits: (c) => has(c.clause, "promise") && isGivenWord(c.folded),
    gives: gives("promise", "open"),
  },
  {
    name: "is done",
    fits: (c) => has(c.clause, "done") && !isBookedAhead(c) && !has(c.clause, "duty", "open", "deadline", "promise"),
    gives: "nothing",
  },
  {
    name: "will do it by a time",
    fits: (c) => has(c.clause, "promise") && c.time !== undefined,
    gives: gives("promise", "open"),
  },
  {
    name: "plans to",
    fits: (c) => c.time !== undefined && c.time.grain !== "year" && !has(c.clause, "event") && isOwnPlan(c.folded),
    gives: gives("promise", "open"),
  },
  { name: "must", fits: isDuty, gives: gives("errand", "open") },
  {
    name: "not done yet",
    fits: (c) => has(c.clause, "open") && (c.noted || c.time !== undefined),
    gives: gives("unfinished", "open"),
  },
  {
    name: "goes on with it then",
    fits: (c) =>
      c.time !== undefined && c.turn.before !== undefined && c.turn.clauses.some((o) => ENOUGH_FOR_NOW.test(o.folded)),
    gives: gives("unfinished", "put_off"),
  },
  {
    name: "only heard of, or news",
    fits: (c) => has(c.clause, "hearsay") || (WORLD.test(c.folded) && !MYSELF.test(c.folded)),
    gives: "nothing",
  },
  {
    name: "falls due, or is wanted",
    fits: (c) =>
      c.time !== undefined && (has(c.clause, "deadline") || (has(c.clause, "told") && !TELLS_STORY.test(c.folded))),
    gives: gives("deadline", "dated"),
  },
  { name: "to be there by a time", fits: (c) => c.time?.mode === "by", gives: gives("deadline", "dated") },
  { name: "an errand with its time", fits: isErrand, gives: gives("errand", "open") },
  { name: "an occasion", fits: isOccasion, gives: gives("follow_up", "dated", false) },
];

/** The matter a clause makes, if it makes one. */
export function headOf(turn: Turn, clause: Clause): Head | undefined {
  const times = futureTimes(clause, turn);
  const time = times.find((t) => t.mode !== undefined) ?? times[0];
  const ctx: Ctx = { turn, clause, folded: clause.folded, time, noted: isOnlyNoted(turn) };
  const reading = READINGS.find(({ fits }) => fits(ctx));
  if (reading === undefined || reading.gives === "nothing" || isMereTalk(ctx, reading.gives)) return undefined;
  return { clause, time, ...reading.gives };
}

/**
 * Told without a word of oneself, and the agent only talked along ("真棒！", "Sorted then."): talk. Whom it concerns shows
 * in "I", or in an agent that takes note, names the date, gives advice or offers help.
 */
function isMereTalk({ turn, clause }: Ctx, { why }: { why: WhyNow }): boolean {
  if (why === "asked_to_remind" || clause.listed || clause.owner === "me" || has(clause, "wish", "open")) return false;
  if (has(clause, "waiting") || (has(clause, "deferral") && !has(clause, "told"))) return false;
  if (!isChattedBack(turn)) return false;
  const said = turn.clauses.filter((c) => c.sentence === clause.sentence && !has(c, "question"));
  const [from, to] = [said[0]?.from ?? clause.from, said.at(-1)?.to ?? clause.to];
  return !SELF.test(turn.speech.folded.slice(from, to).replace(KIN, " "));
}

/** The times of a clause that lie ahead of the message and are more than an attribute ("这个月的周报"). */
export function futureTimes(clause: Clause, turn: Turn): TimeMention[] {
  return clause.times.filter((t) => {
    if (t.past || t.vague || t.bare || t.until <= turn.user.at) return false;
    const [before, after] = [
      turn.speech.folded.slice(Math.max(0, t.index - 4), t.index),
      turn.speech.folded.slice(t.index + t.matched.length),
    ];
    const attribute =
      ["week", "month", "quarter", "year"].includes(t.grain) && (/^的/.test(after) || t.matched.endsWith("的"));
    // "the expense report from july": which one, not when.
    if (
      t.grain === "month" &&
      /\b(?:filed|submitted|sent|applied|ordered|booked|signed|started|bought|since)(?: \w+)? (?:back )?(?:in )?$/.test(
        turn.speech.folded.slice(Math.max(0, t.index - 24), t.index),
      )
    )
      return false;
    if (t.grain === "month" && (/\bfrom\s*$/.test(before) || /^from\b/i.test(t.matched))) return false;
    // "enough for today", "leave it for now": how long, not when.
    return (
      !attribute &&
      !(/\bfor\s*$/.test(before) && /^\s*(?:for\s+)?(?:today|now|tonight)/.test(t.matched.toLowerCase())) &&
      !/^for\s+(?:today|tonight)/.test(t.matched.toLowerCase())
    );
  });
}

const isRequest = ({ clause, folded, noted }: Ctx): boolean =>
  clause.owner !== "me" &&
  !clause.listed &&
  !has(clause, "deferral", "deadline") &&
  (has(clause, "request") || (!noted && !has(clause, "duty", "wish", "open", "waiting") && DO_IT.test(folded)));

/** "各渠道的退款率拉一下": asked of the agent when the agent then did something. */
const DO_IT = /^[^我]*[\u4e00-\u9fff]一?下(?:吧|呗|呀|哈|谢谢)?[\s~!！。]*$/;

/** "我问问采购再告诉你", "let me ask and get back to you": the agent goes on when it has been told. */
const TELLS_LATER =
  /我(?:先|去|得|要|再)?(?:问|找|查|翻|确认|商量|打听|核实|看)[^,，。?？]{0,10}(?:再|后|完|到|好)[^,，。]{0,4}(?:告诉|回复|回|发给?|给|跟)(?:你|您)|\b(?:let me|i'll|i will|i need to) (?:ask|check|find|look|confirm)\b[^.?!]{0,40}\b(?:get back to you|let you know|tell you|send (?:it|you|them))\b/;

/** "接着写", "再来一段他回家的": an order to the agent, unless it names a time or lays something aside. */
const GO_ON =
  /^[^我]{0,8}?(?:再|接着|继续)(?:往下)?(?:来|写|讲|说|改|编|画|做|弄|给|想|加|列|译|查|跑|看|试)|^(?:now |ok |then )?(?:continue|go on|carry on|keep going)\b/;
const LAID_ASIDE =
  /先|搁|停|晚点|晚些|回头|改天|下次|以后|有空|得闲|稍后|待会|等|过(?:几|两)天|留|一半|卡|剩|没|完|再(?:定|议|决定|说|看看)(?:吧|$)|later|next|when|once|tomorrow/;
function isGoOn({ clause, folded, time }: Ctx): boolean {
  return has(clause, "deferral") && !time && GO_ON.test(folded.trim()) && !LAID_ASIDE.test(folded);
}

/** How the text asked for should sound. */
const STYLE =
  /^(?:语气|口吻|风格|字数|内容|开头|结尾|最好|尽量)?(?:要|得|需要)?(?:礼貌|正式|客气|简短|简洁|亲切|口语|幽默|委婉|温和|活泼|诚恳|专业|短|长|带点?|突出|控制在)/;

/** What is asked for is a text: what follows is what it says. */
const TEXT_KIND =
  /文案|短信|邮件|通知|海报|标题|朋友圈|公告|话术|口号|发言稿|致辞|邀请函|请帖|模板|清单|大纲|提纲|问卷|祝福|推文|公众号|告示|横幅|标语|贺词|讲稿|台词|请假条|声明|\b(?:template|outline|checklist|questionnaire|e-?mail|message|tweet|caption|invite|invitation|notice|headline|speech|toast|announcement|slogan|blurb)\b/;

/** "列个健身计划，周一练胸周三练背": what follows a request in its sentence, unless it speaks of the person. */
function isDetail({ turn, clause, folded }: Ctx): boolean {
  const asked = turn.clauses.some((c) => c.sentence === clause.sentence && c.from < clause.from && has(c, "request"));
  if (asked && STYLE.test(folded.trim())) return true;
  const text = turn.clauses.some((c) => c.from < clause.from && has(c, "request") && TEXT_KIND.test(c.folded));
  if (text && !has(clause, "wish", "promise") && !(MYSELF.test(folded) && has(clause, "duty", "open", "waiting")))
    return true;
  return (
    asked && !MYSELF.test(folded) && !has(clause, "duty", "open", "deadline", "deferral", "waiting", "promise", "told")
  );
}

/** The time stands right before what is asked for, or at its end: it says when to do it, not what it is about. */
function isSetFor({ clause, time }: Ctx): boolean {
  if (!time) return false;
  const after = clause.folded.slice(Math.max(0, time.index - clause.from + time.matched.length)).trim();
  return beginsWithRequest(after) || after === "" || /^[,，。.!]/.test(after);
}

const waitsForMyself = (folded: string): boolean =>
  /等(?:我|下班|周末|放假|有空|会儿|晚点|下次|明天|下周)(?!.{0,8}(?:回|给|批|通知))|(?:等下|待会儿?|回头|我)[^,，。]{0,6}回来/.test(
    folded,
  ) && !/等我们/.test(folded);
/** Others said yes: nothing the person promised. */
const OTHERS_WORD =
  /\b(?:they|he|she|it)(?:'ve|'s| have| has)?(?: \w+)? (?:said yes|agreed|accepted|offered|volunteered|committed)\b/;
const isGivenWord = (folded: string): boolean => !OTHERS_WORD.test(folded) && isWordOfMine(folded);
const isWordOfMine = (folded: string): boolean =>
  /答应|承诺|保证|说好|应承/.test(folded) ||
  /\b(?:promised|agreed|accepted|committed|volunteered|said yes|offered|told \w+ i)\b/.test(folded);
const isOwnPlan = (folded: string): boolean =>
  /我[^,，。]{0,14}(?:找|开(?!心|会|车|玩)|约|联系|准备|问|催|搬|洗|还(?!是|有|在|没)|领|谈|录|拍|剪|画|排|调|装|迁|备份|清(?!华|明|楚|晰|单)|复习|背|练|看|弄|做|写|改|发|交|寄|买|订|办|查|试|整理|处理|回|打|跑|提|补|修|测|给|传|出|跟进|负责|review|merge|check|去|拿|取|接|搬)/.test(
    folded,
  );
const isLater = (time: TimeMention, turn: Turn): boolean => time.start.getTime() - turn.user.at.getTime() > 30 * 60_000;

/** "eye exam booked for the 19th": the booking is done, the exam is still to come. */
const isBookedAhead = ({ clause, folded, time }: Ctx): boolean =>
  time !== undefined &&
  has(clause, "event") &&
  /约(?:好|了)|订(?:好|了)|定(?:好|在)|报(?:好|上|了)名?|\b(?:booked|scheduled|reserved|confirmed|registered)\b/.test(
    folded,
  );

function isDuty({ turn, clause, folded, time, noted }: Ctx): boolean {
  if (!has(clause, "duty") || NEGATED_DUTY.test(folded) || WANTS_OF_AGENT.test(folded)) return false;
  if ((isWorlds(folded) || has(clause, "hearsay")) && !MYSELF.test(folded)) return false;
  if (time !== undefined || BEFORE_THEN.test(folded)) return true;
  if (isChattedBack(turn) && !MYSELF.test(folded)) return false;
  return noted || sentenceHasTime(turn, clause);
}

/** "明天要下雨", "油价得涨": the world does it; "放假前得续上", "收衣服不然下雨淋湿" it does not. */
function isWorlds(folded: string): boolean {
  const cut = folded.search(/要|得|必须|必需|需要|应该|一定|\b(?:need|have|has|got|ought|should|must|gotta)\b/);
  if (cut < 0) return WORLD.test(folded);
  const subject = folded.slice(0, cut).replace(UNTIL_WORLD, " ");
  const predicate = folded
    .slice(cut)
    .replace(/^(?:要|得|必须|必需|需要|应该|一定|will|would|\s|to|has|have|need|should|must|gonna|going)+/, "");
  return WORLD.test(subject) || WORLD.test(predicate.slice(0, 6));
}

const sentenceHasTime = (turn: Turn, clause: Clause): boolean =>
  turn.clauses.some((c) => c.sentence === clause.sentence && futureTimes(c, turn).length > 0);

/** Somebody else does it, and nothing of it is for the person. */
function isOthersJob({ clause, folded }: Ctx): boolean {
  if (MYSELF.test(folded) || has(clause, "told")) return false;
  return OTHER_SUBJECT.test(folded.trim()) || NAME_DOES.test(clause.text);
}

/** "周五给客户打电话", "call mom on Sunday": said to be noted, with nothing but a time and what to do. */
function isErrand({ turn, clause, time, noted }: Ctx): boolean {
  if (!time || !noted || turn.speech.handsOver) return false;
  const phrase = phraseOf(clause.text, clause.from, clause.times).toLowerCase();
  return ERRAND_ZH.test(phrase) || ERRAND_EN.test(phrase);
}

const WISHED_WELL = /have (?:fun|a )|good luck|enjoy|fingers crossed|congrat|恭喜|加油|祝|玩得|顺利|注意/;

/** An appointment: a clock time or a named sort of occasion, no news of the world and no mere "today". */
function isOccasion({ turn, clause, time }: Ctx): boolean {
  if (!time || turn.speech.handsOver) return false;
  const clock = time.grain === "hour" || time.grain === "minute";
  if (["month", "quarter", "year"].includes(time.grain) && !has(clause, "event")) return false;
  if (!clock && /^(?:this |今天|这周|本周|今年|today$)/.test(time.matched.toLowerCase()) && !has(clause, "event"))
    return false;
  const restated = readTimes(lastReply(turn)?.text ?? "", turn.user.at, turn.zone).some(
    (t) => Math.abs(t.start.getTime() - time.start.getTime()) < 24 * 3_600_000,
  );
  if (!clock && !has(clause, "event", "moved") && !restated) return false;
  if (isChattedBack(turn) && !has(clause, "event") && !WISHED_WELL.test((lastReply(turn)?.text ?? "").toLowerCase()))
    return false;
  return has(clause, "event") || termsOf(phraseOf(clause.text, clause.from, clause.times)).size > 0;
}
