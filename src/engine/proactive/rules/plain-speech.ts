import { foldText } from "../../natural-time/fold-text.ts";
import { beginsWithRequest } from "./acts.ts";

/** What a person says in their own voice, and what of the message is only shown to the agent. */
export interface Speech {
  /** As written, the foreign parts blanked out (same length). */
  own: string;
  /** `own` folded for matching. */
  folded: string;
  /** A text is handed over to be translated, explained, edited or continued: nothing in it is a matter. */
  handsOver: boolean;
  /** A story or a game is begun or carried on. */
  plays: boolean;
  /** Said for fun. */
  jokes: boolean;
}

const LONGEST_LINE = 1_200;

const blank = (text: string): string => text.replace(/[^\n]/g, " ");

/** The message works on a text: what follows a colon, a line break or stands in quotes is that text. */
const WORKS_ON_TEXT =
  /测试(?:一下|下)?[^,，。:：]{0,6}(?:提醒|功能|机器人)|\btest(?:ing)? (?:the |your |this )?(?:reminder|bot|notification)|英译中|中译英|译[::]|(?:英文|英语|日文|日语|中文|法语)(?:怎么|咋|点)(?:说|讲|写)|翻(?:译|成|一下)|译(?:成|为|一下)|润色|改写|校对|缩写|扩写|(?:改|弄|写)得?(?:更|正式|礼貌|口语|简洁|通顺)|精简|语法|错别字|通顺|(?<![年季月周度终期个作人日程份的])总结(?!会|报告|要|和|都|还|没|写|交|了|ppt)(?:一下|下)?|摘要|概括|归纳|提炼|啥意思|什么意思|咩意思|乜意思|解释(?:一下|下)?|看(?:一)?(?:下|看)这(?:段|个|份|条|篇|行)|这(?:段|个|份|条|篇)(?:话|文|代码|日志|邮件|报错|配置|脚本|yaml|json|sql|log)|续写|接着写|仿写|例句|造句|\b(?:how (?:do|would) (?:you|i|we) say|translat\w*|proofread|rephras\w*|rewrite|reword|polish|edit(?:ing)?|shorten|summari[sz]e|tl;?dr|paraphras\w*|grammar|make (?:this|it) (?:friendlier|shorter|clearer|more|less|sound)|what does this (?:mean|say|do)|explain (?:this|the)|in (?:french|german|spanish|japanese|chinese|english|mandarin)[:?]|fix the (?:grammar|wording|typos?)|caption|subject line|sample (?:sentence|text)|example sentence|convert this|format this|lint this|continue the (?:story|text|scene)|parse this|extract from)/;

/** A question or an order to the agent with a text after its colon: "这道题怎么做：…", "is this phishing? …". */
const SHOWS_TEXT =
  /^[^:：\n]{0,30}(?:怎么(?:做|解|答|写|回|办|读|理解|看)|对(?:吗|不对)|有没有(?:坑|问题|毛病|错)|靠谱(?:吗|不)|是不是(?:骗|诈骗|钓鱼|真)|(?:题目?|原话|原文|消息|通知|公告|邮件|短信|文案|条款|段子|新闻|说明|脚本)(?:是|如下|里写|写着|说)?|排(?:个)?版|回复(?:一下)?(?:他|她|这个|这条)?|评价(?:一下)?|点评|打分|检查(?:一下)?|审(?:一下)?|对(?:方|面)(?:回|说|发来?)(?:了)?|(?:群里|朋友圈|网上|同事|有人)(?:发|说|看到)(?:的|了)?)\s*(?=[:：\n]\s*\S{8})|\b(?:is this (?:phishing|a scam|spam|right|correct|ok|legit)|how (?:do|should|would) i (?:answer|reply|respond|solve)|the (?:question|problem|message|email|notice|text|clause|post|article) (?:is|says|reads|goes)|(?:here's|here is|got) (?:the|this|an?) (?:\w+ )?(?:text|message|email|notice|clause|post|article|quote)|solve|feedback on this|thoughts on this|check this)\b[^:\n]{0,20}(?=[:\n]\s*\S)/;

/** A story, a game, a song: people in it promise a lot. */
const PLAYS =
  /续写|小说|故事(?!点)|剧本|台词|扮演|角色|你来?演|我来?演|你(?:来)?(?:当|扮|装作?|假装|模拟)(?!我是|我傻|真)(?:一?[个位名])?(?:我的?)?[^,，。]{0,6}(?:官|师|员|人|客户|顾客|老板|对手|评委|医生|家长|主持|记者|学生)|我(?:是|当|演|扮)[^,，。]{1,6}[,，]?你(?:是|当|演|扮)|模拟[^,，。]{0,6}(?:场景|销售|面试|谈判|答辩|对话|客服|考试|采访)|(?:情景|角色)对话|跑团|桌游|剧情|脚色|同人|诗|歌词|段子|(?:写|编|来|作)(?:一?[篇个份])?[^,，。\s]{0,8}作文|\b(?:mock (?:interview|exam|debate|call|trial)|practi[cs]e (?:my|an?|the) (?:\w+ )?(?:interview|pitch|speech|dialogue|conversation)|quiz me|(?:i'm|i am|you're|you are|you be) the (?:customer|shopkeeper|interviewer|waiter|client|patient|boss|recruiter|seller|buyer)|story|novel|role-?play|let's play|dungeon|campaign (?:log|scene)|pretend (?:you|to)|you are (?:a|an|the) (?:captain|wizard|king|knight|pirate|detective|villain|character)|act as|in character|screenplay|fanfic\w*|poem|lyrics|dialogue|monologue|scene \d|(?:short|little|quick) (?:scene|sketch|skit)|write (?:me )?(?:a|an|some) (?:\w+ )?(?:scene|sketch|skit|script|tale|ballad|limerick|haiku)|chapter \d+ of (?:my|the) (?:novel|book)|the (?:captain|knight|wizard|hero|villain|king|princess|detective) (?:says|said|whispers))\b/;

const JOKES =
  /[😂🤣😆😜😝🤪🐶🙃]|\[(?:doge|狗头|笑哭|坏笑|捂脸)\]|哈哈|嘿嘿|嘻嘻|hhh|233|笑死|开(?:个)?玩笑|逗你|说笑|讲笑|闹着玩|皮一下|吹牛|画饼|\b(?:lol|lmao|rofl|jk|haha\w*|just kidding|kidding|joking|as a joke|in my dreams|dream on)\b|\/s$/u;

/** Lines machines write: logs, traces, configuration, data. */
const MACHINE_LINE =
  /^\s*(?:\[?\d{4}-\d{2}-\d{2}[t ]\d{2}:\d{2}|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\s+\d{1,2} \d{2}:\d{2}:\d{2}|\d{2}:\d{2}:\d{2}[.,]?\d*\s|\[?(?:info|warn|warning|error|debug|fatal|trace)\]?[\s:]|at \S+ \(|traceback|file "|[{}[\]<][^\u4e00-\u9fff]{0,200}$|\s{4,}\S|-\s+\w+:|\w+:\s*(?:["'{[]|$)|[\w.]+\s*=\s*\S|[#$>]\s|\/\/|\/\*|import |from \S+ import|const |let |var |def |class |select .{1,80} from|create table|\* \* |\d+ \d+ \* \* )/i;

/** The words a person quotes, shows or forwards instead of saying them. */
function blankForeign(text: string): string {
  return text
    .replace(/```[\s\S]{0,20000}?(?:```|$)/g, blank)
    .replace(/`[^`\n]{1,300}`/g, blank)
    .replace(/https?:\/\/\S{1,500}/g, blank)
    .replace(/[“「『"][^”」』"\n]{6,600}[”」』"]/g, blank)
    .replace(/^[ \t]*>.*$/gm, blank)
    .split("\n")
    .map((line) => (line.length > LONGEST_LINE || MACHINE_LINE.test(line) ? blank(line) : line))
    .join("\n");
}

const FORWARDED =
  /(?:^|\n)[ \t]*(?:-{2,}[ \t]*)?(?:转发|原文|邮件原文|全文|聊天记录|original message|forwarded message|begin forwarded|fwd|from|发件人|subject|主题)\s*(?:如下)?\s*[:：]/i;

/** Splits a message into what is said and what is shown. */
export function readSpeech(text: string): Speech {
  let own = blankForeign(text);
  const forwarded = FORWARDED.exec(own);
  if (forwarded) own = own.slice(0, forwarded.index) + blank(own.slice(forwarded.index));
  const folded = foldText(own);
  const handsOver = WORKS_ON_TEXT.exec(folded) ?? SHOWS_TEXT.exec(folded) ?? ordersOnText(folded);
  if (handsOver) own = withoutPayload(own, folded, handsOver.index);
  const now = handsOver ? foldText(own) : folded;
  return {
    own,
    folded: now,
    handsOver: handsOver !== null,
    plays: PLAYS.test(folded),
    jokes: JOKES.test(foldText(text)),
  };
}

/** What is to be noted or reminded of is the person's own. */
const TO_BE_NOTED =
  /记|提醒|待办|备忘|日程|日历|安排|计划|任务|事|清单|会议|纪要|盯|跟进|更新|同步|汇报|update|fyi|remind|to-?do|list|note|calendar|task|plan|schedule|add|track|watch/;

/** "turn this into bullet points: …": an order to the agent, and after its colon what it is to work on. */
function ordersOnText(folded: string): RegExpExecArray | null {
  const match = /^([^:：\n]{2,60})(?=[:：](?!\d)\s*\S[\s\S]{10,})/.exec(folded);
  return match?.[1] !== undefined && beginsWithRequest(match[1]) && !TO_BE_NOTED.test(match[1]) ? match : null;
}

/** Blanks what follows the colon or the line break after the working word: that is the text worked on. */
function withoutPayload(own: string, folded: string, at: number): string {
  const rest = folded.slice(at);
  const colon = /[:：](?!\d)|\n/.exec(rest);
  if (!colon) return own;
  const from = at + colon.index;
  return own.slice(0, from) + blank(own.slice(from));
}
