import { type Act, cuesIn } from "./cues.ts";

/** A request to the agent begins like this: it is answered in the same turn and then over. */
const REQUEST =
  /^(?:(?:那|然后|再|好|ok|嗯|对了|另外|顺便|今天|现在|先)[,，\s]*)*(?:请|麻烦|辛苦)?(?:你)?(?:(?:帮|替|同)(?:我|忙|下|一下|手)|给我|畀我|(?:把|将)(?=.+(?:成|为|到|下|出来|好|掉|翻|改|排|压|转|删|加|列|合|拆|换|做|写|整理|发我|给我|按|用|用|以内))|给这|给那|写(?=一|个|封|段|首|份)|查(?:一?下|查)|翻译|翻(?=成|一下)|润色|总结|推荐|列(?:一?下|出|个)|算(?:一?下|算)|画|生成|整理|看(?:一?下|看)(?!牙|医|病)|讲(?:一?下|讲|个)|解释|说说|介绍|找(?:一?下|找|个)|搜(?:一?下|索)?|跑(?:一?下)?|排(?:一?下)?|压缩|转(?:换|成)|对比|分析|检查|提取|合并|加(?:上|个)|删(?:掉|除)|部署|发版|重启|安装|用第|换(?:成|个)|续写|继续写|改写|缩写|扩写|起(?:个|几个)|想(?:[一两三四五几\d]{0,2}(?:个|条|句|段|份))|设计一|画个|做个|开始)/;
/** … or ends like this. */
const REQUEST_END = /(?:捋|理|列|过|算|查|改|排|整理|总结|对比|翻译|润色|解释|介绍|分析)(?:一)?下[\s~!！。]*$/;
/** "再发我一次": answered at once, and put off nothing. */
const SEND_AGAIN =
  /(?:再|重新)?(?:发|给|贴|传|甩|丢|说|讲|念)(?:我|给我|一下)?(?:一|个)(?:次|遍|份|下|回)[\s~!！。]*$|\b(?:send|paste|share|post|show|tell) (?:me |us )?(?:that|it|the [\w ]{1,24}) (?:again|once more)\b/;
const REQUEST_EN =
  /^(?:(?:ok|hey|hi|and|also|then|now|please|pls|so|great|thanks)[,\s]+)*(?:can you |could you |would you |please |pls )?(?:convert|translate|make|sort|write|draft|find|run|check|show|list|explain|summari[sz]e|fix|create|generate|give me|tell me|look up|search|compare|rename|format|rewrite|rephrase|proofread|suggest|recommend|deploy|plan|help me|kick off|build|refactor|update|add|remove|delete|open|read|calculate|count|draw|describe|polish|merge|rebase|install|set up|order this|continue|turn this|shorten|clean up|extract|analy[sz]e|debug|test|profile|diff|grep|print|split|group|export|import|parse|simulate|outline|brainstorm|name)\b/;

/** To cancel something is itself something to do. */
const PLANS_TO_DROP =
  /(?:要|得|记得|必须|需要|别忘|去|想)(?:了)?(?:先|去|把|给)?[^,，。]{0,8}(?:取消|退掉|推掉|停掉)(?!了)|\b(?:want|need|have|remember|got|going|forget|plan|ought|supposed) to (?:\w+ )?(?:cancel|call off|drop|skip|turn)\b|\b(?:must|should|gotta|i'll|remind me to) (?:\w+ )?(?:cancel|call off)\b/;

/** "不然位子会被取消": what happens otherwise has not happened. */
const THREATENS =
  /(?:不然|否则|要不然|就会|会被|将被|自动|免得|以免)[^,，。]{0,8}(?:取消|作废|放弃)|(?:取消|作废)(?:掉)?(?:的话|就)|\b(?:or|otherwise|else) (?:\w+ )?(?:it|they|he|she)(?:'ll| will|'s| is| gets?)\b|\b(?:will|gets?|would|could) (?:be )?cancel/;

const NO_REMINDER =
  /(?:不用|别|不要|不必|无需|甭)(?:再)?(?:提醒|叫|催|喊)我|\b(?:no need to|don't|do not|stop|needn't|no longer need to) (?:\w+ )?(?:remind|ping|nudg|bug)\w*\b/;
const NOT_YET = /先(?:别|不要|不用)(?!提|管|催)[^,，。]{0,8}(?:了|$)/;

/** "想想要不要交", "问问什么时候到": to think it over or to ask somebody is something to do, and no question to the agent. */
const WONDERS =
  /(?:再|要|得|先|去|会|周末|晚上|明天|今晚|下周)[^,，。]{0,4}(?:想想|看看|考虑|决定|问问|问(?:一下|下|清楚)|确认|打听|商量)[^,，。?？]{0,14}(?!.*[?？])|\b(?:need to|have to|should|must|gotta|let me|i'll) (?:\w+ )?(?:decide|check|find out|figure out|ask|think about|see) (?:whether|if|what|when|how|which|who)\b/;

/** "昨天说好今天给的报价我中午已经发了": what stands at its end is done, whatever was promised or waited for before it. */
const ENDS_DONE =
  /(?:已经?|刚刚?|刚才|都|终于|总算|全部?|早就?|上午|中午|下午|早上|昨天|昨晚|今天)[^,，。]{0,10}(?:了|咗)(?:的|哈|啦|呀)?[\s~!！。]*$/;

/** "told Priya I'd have the deck by Friday": no wish, but a word given. */
const WORD_GIVEN = /\b(?:told|promised|said|assured|agreed) (?:\w+ ){0,3}(?:that )?(?:i|we)'d\b/;

/** Does a folded text begin with something asked of the agent? */
export const beginsWithRequest = (text: string): boolean => REQUEST.test(text) || REQUEST_EN.test(text);

/** Everything a clause does. `text` is folded. */
export function actsOf(text: string): Set<Act> {
  const acts = cuesIn(text);
  if (beginsWithRequest(text) || REQUEST_END.test(text)) acts.add("request");
  if (SEND_AGAIN.test(text)) {
    acts.add("request");
    acts.delete("deferral");
    acts.delete("waiting");
  }
  if (acts.has("dropped") && PLANS_TO_DROP.test(text)) {
    acts.delete("dropped");
    acts.add("duty");
  }
  // "你先别弄了" is for now.
  if (acts.has("dropped") && NOT_YET.test(text)) {
    acts.delete("dropped");
    acts.delete("done");
    acts.add("deferral");
  }
  if (acts.has("dropped") && THREATENS.test(text)) acts.delete("dropped");
  if (acts.has("wish") && NO_REMINDER.test(text)) {
    acts.delete("wish");
    acts.add("dropped");
  }
  if (acts.has("arrived") && NOT_DONE.test(text)) acts.delete("arrived");
  if (acts.has("question") && WONDERS.test(text)) acts.delete("question");
  if (acts.has("done") && !isReallyDone(text)) acts.delete("done");
  if (acts.has("done") && ENDS_DONE.test(text))
    for (const act of ["promise", "waiting", "deadline", "duty"] as const) acts.delete(act);
  if (acts.has("unreal") && WORD_GIVEN.test(text)) acts.delete("unreal");
  return acts;
}

/** Not yet, not all, a wish, a question, a condition or a plan turn a word of doing into its opposite. */
const NOT_DONE =
  /(?:还|仲|尚|都)?(?:没|未|冇)(?:有)?(?!问题)|别忘|忘了|(?:发|交|寄|做|写|改|看|弄|给|到|回|批|签)(?:了|完|好|咗)(?:之?后|以后|再|就|才)|(?:如果|要是|等|得|必须|要|需要|记得|帮我|打算|准备)[^,，。]{0,14}(?:好|完|掉|了)$|把[^,，。]{0,14}(?:好|完|掉)$|快(?:要)?[^,，。]{0,4}(?:好|完)了|差(?:一)?点|[吗么嘛?？]\s*$|\b(?:not|never|yet|if|once|when|until|unless|will|would|should|must|need|needs|have to|has to|going to|gonna|want|please|almost|nearly|to be|can you|could you|remember)\b|n't\b|\b(?:i'll|they'll|he'll|she'll)\b|\bbe (?:sent|done|paid|submitted|signed|booked|returned)\b/;

function isReallyDone(text: string): boolean {
  return !NOT_DONE.test(text);
}
