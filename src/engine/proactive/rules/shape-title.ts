import type { MatterKind } from "../../tracking/item.ts";
import { shapeEnglish } from "./shape-title-en.ts";
import { termsOf } from "./terms.ts";
import { cutTitle, trimPhrase } from "./title.ts";

/** Verbs of errands that people put at the end: 信用卡账单还, 蛋糕要订, 照片还没拍. */
const VERB =
  "(?:提交|上传|缴纳|预订|预约|报名|回复|确认|整理|准备|处理|打印|续费|续签|续保|报销|归还|修改|检查|交|缴|付|还|寄|发|改|订|买|续|取|拿|办|领|换|修|洗|退|签|拍|写|填|打|录|弄|做)";
/** Words whose last character only looks like such a verb. */
const NO_VERB =
  /(?:归还|偿还|退还|修改|更改|整改|提交|上交|移交|成交|购买|预订|制订|签订|手续|继续|连续|后续|争取|录取|领取|举办|主办|交换|更换|转换|维修|装修|检修|清洗|干洗|后退|早退|标签|面签|续签|递签|支付|交付|应付|邮寄|出发|开发|理发|沙发|批发|转发|没有?.|不.)$/;
const OBJECT_FIRST = /^(?:我|你|他|她|把|跟|和|给|帮|去|找|陪|带|等|问|催|参加|如果)/;

const FRONT =
  /^(?:还有(?:就是|个|件事)?|另外|对了|哦对|说正事|话说|[那这]个(?!人|月|周|礼拜|星期)|就是|其实|反正|刚才|刚刚?|突然|现在|目前|我?这边|上次(?=[借答约说寄定])|到时候?|最后|顺便|本来|本來|[记記][住得紧緊]|提我(?:要)?|別忘|我(?:还|也)?(?:得|要|应该|需要)(?=[\u4e00-\u9fff])|别忘了?|幫我|帮我|帮忙|替我|麻烦(?:你)?|请(?:你)?(?=[\u4e00-\u9fff])|给我(?=[写做查找列画整翻算看发])|要(?=[交去发买做写打])|[\s,，:：])+/;
const TAIL =
  /(?:吧|啊|呀|哦|哈|呢|嘛|哎|唉|啦|喔|就行|就好|得了|来着|才行|再说|一下|[,，]\s*(?:千万)?(?:别|不要|別)忘(?:了|记)?.{0,2}|[,，]\s*(?:记得|叫我|提醒我|先这样|定下来)|[\s,，、:：])+$/;
/** Left hanging where a date was taken out: 家长会改到了, 评审定. */
const HANGING =
  /(?:(?:改|挪|推|推迟|延|延期|定|预约|约|放|排|安排|换|提前|调|顺延|改约|改期|订|時間|时间)(?:到|在|成|至|为|於|于)(?:了)?|(?<![敲确决稳固一预再要得先])定(?:了)?|(?<=.{3})是|(?<=[\u4e00-\u9fff]{2})改成)$/;
const SAYS =
  /^((?!都|也|就|要)[^,，的给借]{1,6}?)(?:在群里|群里|来电|打电话|发消息)?(?<![要得去来再先跟电電对對])(?:说|讲|話|通知|表示)(?:了|好|是|会|要|可以)*(?=[^,，]{2})/;
const TOLD_ME = /^([^,，我]{1,5}?)(?:要|让|叫|催|通知|要求|讓)(?:我们|我們|咱们?|我)(?=[\u4e00-\u9fff])/;
const GAVE_WORD =
  /^(?:我)?(?:刚|跟|和|同)?\s?(?:答应|應承|应承)?(?:了|咗|过)?\s?([^,，]{1,5}?)\s?(?:说|讲)?(?:好|了)*(给|帮|陪|带|替)(?:她|他|人家|佢)(.+)$/;
const BACK_AND_FORTH =
  /^(?:他们?|她们?|对方|人家|那边)?(?:说|答应)(?:给|发|寄|回|还|出|来|送|寄出|拿给)?(?:我|来|过来)?$/;
/** What a waiting for somebody's word goes on with: 说给报价, 说三天内退款. */
const WILL_GIVE =
  /^(?:会|要|将|给|出|发|寄|回|退|补|来|修|批|放|打|派|有|收到|报|还|[\d一二两三四五六七八九十]+-?\d*\s?个?(?:工作日|天))/;
/** Says how something is done, and names nothing. */
const MANNER =
  /(?:单独|自动|重新|尽快|赶紧|马上|继续|接着|直接|一起|亲自|按时|准时|就|才|再|先|会|要|能|去|来|不|没|得)$/;
const MOOD =
  /^(?:[记記](?:一下|下|着|個|个)?|你?先别.{0,6}|你?先这样|.{1,3}[说說]|我跟你说个事|记几个事|update 一下|好累|累死|烦|真的|没事|好的?|行|嗯|唉)$/;

/** Object before verb, as people say it, becomes verb before object, as a list of things to do has it. */
function verbFirst(text: string): string {
  const undone = new RegExp(
    `^(.{2,14}?)我?(?:自己)?(?:还|還|都|一直|也)?(?:没|未|沒)(?:有)?(${VERB})(?:完|好|上)?(?:呢)?$`,
  ).exec(text);
  const owed = new RegExp(
    `^(.{2,14}?)我?(?:还|也|就|都)?(?:要|得|该|需要|必须)(?:去|再|赶紧|尽快)?(${VERB})(?:了|好|完|掉)?$`,
  ).exec(text);
  const bare = NO_VERB.test(text) ? null : new RegExp(`^(.{2,12}?)(${VERB})$`).exec(text);
  const match = undone ?? owed ?? bare;
  const [, object, verb] = match ?? [];
  if (object === undefined || verb === undefined) return text;
  if (
    OBJECT_FIRST.test(object) ||
    MANNER.test(object) ||
    /[要得说]/.test(object) ||
    new RegExp(`[把给跟]|${VERB}.*${VERB}`).test(object)
  )
    return text;
  return `${verb}${/^[a-z]/i.test(object) ? " " : ""}${object.trim()}`;
}

function shapePart(part: string, kind: MatterKind, waits: boolean): string {
  let text = part.trim().replace(FRONT, "").replace(TAIL, "").replace(HANGING, "").replace(TAIL, "");
  const told = TOLD_ME.exec(text);
  if (told?.[1] !== undefined) {
    const rest = text.slice(told[0].length);
    text = /^(?:他|她|人家)/.test(told[1])
      ? rest
      : rest.replace(/(?:给|跟|发)(?:他|她)/, (m) => `${m.charAt(0)}${told[1]}`);
  }
  const word = GAVE_WORD.exec(text);
  if (word && /答应|應承|应承|说|讲/.test(text.slice(0, 12))) text = `${word[2]}${word[1]}${word[3]}`;
  const says = SAYS.exec(text);
  if (says?.[1] !== undefined && !/^(?:我|他们?|她们?)$/.test(says[1])) {
    const rest = text.slice(says[0].length);
    if (kind !== "waiting") text = rest;
    else if (!waits && WILL_GIVE.test(rest)) text = `等${says[1]}${rest}`;
  }
  text = text
    .replace(/我(?:还|也)?(?:得|要|需要)(?=等)/, "")
    .replace(/^(.{2,16}?)(?<![叫让给跟和找等陪问帮催])我(?:来|去)?(?=[再先自单看改写发给交弄做跟找])/, "$1");
  return verbFirst(text.replace(FRONT, "").replace(HANGING, "").replace(TAIL, ""));
}

/** "奶粉快没了，买", "护照快过期了，去换": the verb that is left over takes the noun before it. */
function mergeParts(first: string, second: string): string | undefined {
  const noun = /^(.{2,8}?)(?:快|要|马上|就)*(?:过期|到期|坏|没|用完|满)了?$/.exec(first)?.[1];
  const verb = new RegExp(`^去?(${VERB})(?:了)?$`).exec(second)?.[1];
  if (/^(?:补上|补|交上|弄|办|处理|搞定)$/.test(second)) return first;
  if (verb === undefined) return undefined;
  if (noun !== undefined) return `${verb}${noun}`;
  return first.startsWith(verb) ? first : undefined;
}

/**
 * The title a person would write: verb and object, without fillers, without what hangs where the date was, without
 * "帮我". The words stay the person's; when hardly anything is left, the title stays as it was.
 */
export function shapeTitle(title: string, kind: MatterKind): string {
  const shaped = /[\u4e00-\u9fff]/.test(title) ? shapeChinese(title, kind) : shapeEnglish(title);
  const neat = cutTitle(trimPhrase(shaped));
  return termsOf(neat).size === 0 ? cutTitle(title) : neat;
}

function shapeChinese(title: string, kind: MatterKind): string {
  const parts = title.split(/[,，]/).filter((p) => p.trim() !== "" && !MOOD.test(p.trim()));
  const last = parts.at(-1)?.trim() ?? "";
  const [head = ""] = parts;
  if (parts.length > 1 && kind === "waiting" && BACK_AND_FORTH.test(last)) {
    const what = shapePart(head, kind, false);
    if (/等/.test(what)) return what;
    if (what.length <= 14 && !/[了说让要]/.test(what)) return `等${what}`;
  }
  const waits = parts.some((p) => p.includes("等"));
  const shaped = parts.map((p) => shapePart(p, kind, waits)).filter((p) => p !== "");
  const [first, second] = shaped;
  if (first !== undefined && second !== undefined && shaped.length === 2) {
    const merged = mergeParts(first, second);
    if (merged !== undefined) return merged;
  }
  return shaped.join("，");
}
