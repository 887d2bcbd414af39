import type { TimeMention } from "../../natural-time.ts";
import type { Clause } from "./clauses.ts";
import type { Act } from "./cues.ts";
import type { Turn } from "./turns.ts";

/** Kin, friends and colleagues, named by what they are to the person: "我妹", "my brother". */
export const KIN =
  /(?:我|我们|咱|我家|他|她)的?(?:亲|小|大|二|表|堂|前)?(?:妹妹?|弟弟?|哥哥?|姐姐?|姐夫|妹夫|嫂子|闺蜜|哥们儿?|室友|舍友|同学|朋友|同事|邻居|男朋友|女朋友|男友|女友|对象|老乡|师兄|师姐|师弟|师妹|侄子|侄女|外甥女?|表弟|表妹|表哥|表姐|堂弟|堂妹|徒弟|实习生|组员|下属|队友|老公|老婆|媳妇|爱人|爸爸?|妈妈?|爷爷|奶奶|外公|外婆|姥姥|姥爷|儿子|女儿|闺女|孩子|娃)|\bmy (?:\w+ )?(?:brother|sister|cousin|friend|roommate|flatmate|housemate|neighbou?r|colleague|coworker|co-worker|boss|manager|boyfriend|girlfriend|buddy|mate|nephew|niece|uncle|aunt|intern|partner|wife|husband|mom|mum|dad|son|daughter|kid|teammate)(?:'s)?\b/;

/** The person themselves, somebody's kin taken out of the sentence. */
export const SELF = /我|咱|俺|\b(?:i|i'll|i'm|i've|i'd|me|we|we'll|us|our|myself)\b/;

/** What only the one who sits it has to do with. */
const THEIR_TRIAL =
  /考|面试|答辩|去(?!年)|飞|出国|旅游|度假|上学|开学|上班|入职|出差|加班|值班|开会|比赛|交(?!给我)|得|要(?!求)|必须|打算|准备|计划|\b(?:has to|needs to|have to|need to|must|should|is (?:starting|taking|sitting|flying|moving|going|having)|has (?:an?|his|her|their)|starts?|exam|interview|thesis|test|shift|deadline|due)\b/;
const TOUCHES_ME =
  /(?:让|叫|喊|要|求|托|找|跟|和|给|帮|带|陪|接|送|问|催|请|约|提醒|等)我|我(?:去|来|要|得|陪|送|接|帮|给|会)|家长会/;

/** Told of how one lives or what one likes: to be known, not to be done. */
const PREFERENCE =
  /(?:记(?:住|得|一下|下|着)|知道|remember|note|keep in mind)[,，:：\s]*(?:一下)?(?:that )?(?:我|我们|我家|i\b|i'm\b|my\b|we\b)(?!(?:们)?(?:要|得|会|还|去|周|明|后|今|下|需要|必须|欠|答应| (?:have|need|must|owe|should|promised)))/;
/** How the agent is to behave from now on. */
const MANNER =
  /^(?:那|好|ok|另外|还有|对了|[,，\s])*(?:你)?(?:以后|今后|往后|从现在(?:开始|起)|从今天起|下次(?=你|回|别|直接|记得(?:用|先|别|把|给))|平时)[,，\s]*(?:你|您|都|请|就|再|回(?:答|复|我|消息)|别|不要|不用|用|给我|写|生成|输出|说|只|尽量|直接|默认|统一|所有|跟我|记得|提醒我之前|把)|^(?:你)?(?:回答|回复|输出|说话|回我)[^,，。]{0,6}(?:短|简短|简洁|用中文|用英文|别|不要|少|直接)|\b(?:from now on|going forward|in (?:the )?future|next time you|whenever you|always (?:use|answer|reply|write|give)|never (?:use|answer|reply|write)|by default)\b|^(?:please )?(?:keep|make) (?:your|the) (?:answers|replies|responses)\b/;
/** What one does every day is nothing that is still open. */
const HABIT =
  /每(?:天|日|晚|周|星期|礼拜|个?月|年|次|逢|到|早)|平时|平常|通常|一般(?!般)|经常|老是|总是|从来|习惯|隔天|天天|年年|\b(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|\b(?:every (?:single )?(?:day|night|morning|evening|week|month|year|time|monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend)|each (?:day|week|month|morning)|usually|normally|generally|always|most (?:days|weeks|mornings)|on weekdays|tend to|typically)\b/;
/** Was meant to be, and was not. */
const WAS_MEANT =
  /本来|原本|原先|原定|原计划|本打算|(?:(?:^|[我他她你们])之前|上次|当时|那时候?)[^,，。]{0,4}(?:要|想|打算|准备|说好)|差点|\b(?:was|were) (?:going|meant|planning|about|supposed) to\b|\b(?:had|used|meant|wanted|planned) to\b|\balmost\b/;
/** A choice for lack of a better one, or what one watches. */
const LEISURE =
  /(?:得了|拉倒(?:吧)?|罢了)[\s~!！。]*$|看(?:个|场|下|看)?(?:集锦|球(?:赛)?|比赛|回放|重播|录播|电视|综艺|直播回放)|(?:追|刷)(?:个|会)?(?:剧|番|短视频|视频|抖音|手机)|(?:打|玩)(?:一?(?:把|局|会儿?))?(?:游戏|麻将|王者|原神|lol|switch)|躺平|摆烂|发呆|睡(?:个)?懒觉|\b(?:netflix|binge|chill(?:ing)?|sleep in|lie-?in|do(?:ing)? nothing|nothing planned|gaming)\b/;
/** Names the day one is in. */
const TODAY_IS =
  /(?:都|已经?|又|又是|终于|怎么|居然|才)(?:到|是)?(?:快)?(?:周|星期|礼拜)[一二三四五六日天](?:了|啦)|今天(?:都|才|已经|又)?(?:是)?(?:周|星期|礼拜)[一二三四五六日天](?:了|啊|呀|吧|[\s。,，]|$)|\b(?:it's|it is|is it|isn't it|today is|today's) (?:already |finally |only |still |almost |nearly )?(?:mon|tues|wednes|thurs|fri|satur|sun)day\b/;
/** One life long is no date. */
const ONE_DAY =
  /(?:这|一|下)辈子|有生之年|总有一天|迟早(?:要|得|会)|早晚(?:要|得|会)(?!高峰)|\b(?:in my life(?:time)?|before i die|one of these days|bucket list|in another life)\b/;
/** Somebody else was given it: "已经安排小李去做了", "Sam is on it". */
export const GIVEN_AWAY =
  /(?:安排|派|托|让|叫|请)(?!我|你)[^,，。]{1,4}(?:去|来|负责)[^,，。]{1,6}了[\s~!！。]*$|(?:安排|交给|交代|派|分给|转给|托|让|叫|请)(?!我)[^,，。]{1,8}(?:去|来|负责|在|帮忙)?(?:做|弄|办|跟|处理|搞|盯|改|写|修|拿|取|买|接|跟进|对接)(?:了|着呢?|去了|就行|就好)[\s~!！。]*$|(?:不归|轮不到|不关|不用)我|不在(?:这个)?(?:范围|名单)|(?:跟|和|与)(?:我|我们|咱们?)[^,，。]{0,6}(?:没|无)关|不影响(?:我|咱)|没我(?:的)?(?:事|份)|\b(?:doesn't|won't) (?:affect|concern) (?:me|us)\b|\bnothing to do with (?:me|us)\b|不是我的(?:活|事|锅)|\b(?:is|are|'s|'re) on it\b|\b(?:handed|gave|passed|delegated|assigned) (?:it|that|this) (?:off )?to\b|\bnot my (?:job|problem|circus|call)\b|\b(?:is|are|'s) (?:taking care of|handling|dealing with) (?:it|that|this)\b/;

/** Long ago: nothing that is told with it is still ahead. */
const LONG_AGO =
  /去年|前年|大前年|当年|那年|那会儿|小时候|上学那|读书那|刚毕业那|以前(?=我|每|总|都|的)|想当初|\b(?:last year|back then|back in (?:the|19|20)|years ago|when i was|as a (?:kid|child|student)|used to|(?:^|so )survived|made it through|what a (?:day|week))\b/;

/** "Jonas said he would", "小王说他来": taken on by one of them. */
const AMONG_OTHERS =
  /\b(?!i |we )\w+ (?:said|says|offered|volunteered)(?: that)? ?(?:he|she|they)?(?:'d| would| will|'ll|'s got)(?: (?:do|take|cover|handle|sort) (?:it|that))?[.!]?$|^(?!我)[\u4e00-\u9fff]{1,4}说(?:他|她)?(?:来|去|弄|做|负责|顶上|可以)(?:就行|就好|吧)?[~!！。]*$/;

interface Looked {
  turn: Turn;
  clause: Clause;
  time: TimeMention | undefined;
}

const has = (clause: Clause, ...acts: Act[]): boolean => acts.some((act) => clause.acts.has(act));
const onlyPast = (clause: Clause): boolean => clause.times.length > 0 && clause.times.every((t) => t.past);

/** What sounds like a matter and is none. Each row is a kind of talk, and the acts that make it one after all. */
const NONE: readonly { name: string; fits: (l: Looked) => boolean }[] = [
  { name: "tells what they are like", fits: ({ clause, time }) => !time && PREFERENCE.test(clause.folded) },
  { name: "tells the agent how to be", fits: ({ clause, time }) => !time && MANNER.test(clause.folded.trim()) },
  {
    name: "tells of a habit",
    fits: ({ clause }) => !has(clause, "wish", "promise", "deferral", "waiting", "open") && HABIT.test(clause.folded),
  },
  {
    name: "was meant to be",
    fits: ({ clause }) => !has(clause, "wish", "moved", "deferral", "waiting") && WAS_MEANT.test(clause.folded),
  },
  {
    name: "told of long ago",
    fits: ({ clause, turn }) =>
      !has(clause, "wish") &&
      turn.clauses.some((c) => c.sentence === clause.sentence && c.from <= clause.from && LONG_AGO.test(c.folded)) &&
      !/现在|今年|这次|\b(?:now|this (?:year|time))\b/.test(clause.folded),
  },
  {
    name: "told as a story",
    fits: ({ clause, turn }) =>
      clause.times.length === 0 &&
      !has(clause, "wish", "open", "deferral", "promise") &&
      !/还|得|要|必须|仍|一直|等|\b(?:still|need|have to|must|waiting)\b/.test(clause.folded) &&
      turn.clauses.some((c) => c.sentence === clause.sentence && c.from < clause.from && onlyPast(c)),
  },
  {
    name: "lies behind",
    fits: ({ clause }) => onlyPast(clause) && !has(clause, "wish", "open", "waiting", "promise", "deferral", "told"),
  },
  { name: "passes the time", fits: ({ clause }) => !has(clause, "wish", "promise") && LEISURE.test(clause.folded) },
  { name: "names the day it is", fits: ({ clause }) => !has(clause, "wish") && TODAY_IS.test(clause.folded) },
  { name: "some day in this life", fits: ({ clause }) => ONE_DAY.test(clause.folded) },
  { name: "settled among others", fits: ({ clause }) => AMONG_OTHERS.test(clause.folded.trim()) },
  {
    name: "given to somebody",
    fits: ({ clause }) => !has(clause, "wish", "waiting") && GIVEN_AWAY.test(clause.folded),
  },
  {
    name: "a trial of somebody near",
    fits: ({ clause }) => !has(clause, "wish", "waiting") && isTheirs(clause.folded),
  },
];

/** Kin or friends are who does it, and nothing of it comes to the person. */
function isTheirs(folded: string): boolean {
  const kin = KIN.exec(folded);
  if (!kin || kin.index > 12) return false;
  const rest = folded.slice(kin.index + kin[0].length);
  if (/^(?:的|那边|家|让|叫|喊|催|说|要我|求|托|问|约)/.test(rest)) return false;
  return THEIR_TRIAL.test(rest) && !TOUCHES_ME.test(rest) && !SELF.test(rest) && !SELF.test(folded.slice(0, kin.index));
}

/** Does a clause only sound like a matter? */
export function isNoMatter(turn: Turn, clause: Clause, time: TimeMention | undefined): boolean {
  return NONE.some(({ fits }) => fits({ turn, clause, time }));
}
