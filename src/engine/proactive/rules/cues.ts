/** What a clause does. One clause may do several things ("I need to send it by Friday, remind me"). */
export type Act =
  | "wish"
  | "duty"
  | "open"
  | "promise"
  | "deadline"
  | "event"
  | "waiting"
  | "deferral"
  | "done"
  | "dropped"
  | "moved"
  | "question"
  | "request"
  | "unreal"
  | "told";

export interface Cue {
  act: Act;
  /** Read on folded text: simplified characters, narrow signs, small letters. */
  pattern: RegExp;
  /** What the words show. */
  why: string;
}

const cue = (act: Act, why: string, ...patterns: RegExp[]): Cue[] => patterns.map((pattern) => ({ act, why, pattern }));

/** A Chinese verb that hands something over or finishes it. */
const DO =
  "(?:发|交|寄|付|缴|买|订|定|办|做|写|改|提|弄|搞|还|取|拿|约|签|续|报|推|跑|回|看|打|填|传|退|送|接|洗|修|备|退|领|说|通知|转|递|归|撤|合|测|装|处理|提交|发送|上传|支付|预订|预约|完成|解决|回复|联系|发布|部署|更新|安排|归还|缴费|报名|确认)";

/** Signs of each act, in Chinese and English. The order is of no importance: all that fit are taken. */
export const CUES: readonly Cue[] = [
  ...cue(
    "wish",
    "asks to be reminded or not to be let forget",
    /提醒(?:一?下)?(?:我|咱|我们)|(?:叫|喊|催|踢|戳|盯|cue|call)一?下?(?:醒)?我|(?:别|不要|唔好)(?:让我|给我)?(?:忘|漏|唔记得)|(?:记得|记住|记紧|谨记)(?!吗|不|没|上次|之前)|记(?:一下|个|上一笔|到待办|入)|(?:加|列|放|写)(?:到|进|入)待办|待办[:：]|备忘/,
    /\b(?:remind|ping|nudge|poke|wake|bug) me\b|\b(?:don't|do not|dont)(?: let me| let us)? forget\b|\bremember to\b|\bnote to self\b|\b(?:todo|to-do)\b|\bmake sure (?:i|we|that i)\b|\badd (?:it |this |that )?to my (?:list|todos?|calendar)\b/,
  ),
  ...cue(
    "duty",
    "something must be done",
    /(?<![不想只主重快将需就紧首])要(?![不是么求点紧命强害领闻素塞死唔吗啥])|必须|必需|务必|一定(?:要|得)|(?:^|[我你们也还就都先今明后天早晚上下午点号日前,，\s])得(?!到|了|出|分|奖|知|意|罪|很|挺|好|不)|需要?(?=.{0,8}[\u4e00-\u9fff])(?!求|不需)|应该|该(?=去|交|还|续|换|做|打|买|缴|付|写|订|约|准备|体检|复查|给|回|发)|有待|仲要|须|亟待|待(?=办|续|缴|付|交|签|审|回复|确认|处理)/,
    /\b(?:need|needs|have|has|got|ought|supposed) to\b|\bmust\b|\bshould\b|\bgotta\b|\bneeds? (?:\w+ing|renewing|doing)\b|\b(?:i|we) owe\b|\b(?:better|gotta) not forget\b|\brequired to\b|\bto be (?:done|paid|signed|returned|submitted|filed|sent|handed)\b/,
  ),
  ...cue(
    "open",
    "something is not done yet",
    new RegExp(
      `(?:还|仲|尚|一直|都)(?:没|未|冇|差|欠)(?:有)?|未(?=${DO})|没(?:来得及|空|顾上|顾得上|时间)|(?:差|剩|只剩|仲差)(?=.{1,12}(?:没|未|就|要))|拖(?:到|了)`,
    ),
    /\b(?:still )?(?:haven't|have not|hasn't|didn't get (?:to|around))\b|\bnot (?:yet )?(?:done|started|finished|sent|booked|submitted|paid|written)\b|\bstill (?:need|have|missing|to)\b|\bunfinished\b|\byet to\b/,
  ),
  ...cue(
    "promise",
    "the person says they will do it",
    /(?:答应|承诺|保证|说好|讲好|约定|应承|允诺)|我(?:自己)?(?:会|来|去|再|就|先|亲自|负责|打算|准备|计划|谂住|争取|尽量)(?!不|说|想起|了)|轮到我|我来(?=.)/,
    /\b(?:i'll|i will|we'll|we will|i'm going to|i am going to|we're going to|i'm gonna|i plan to|i intend to|i'm planning to|i aim to|i want to)\b|\b(?:promised|agreed|committed|volunteered|signed up|offered) (?:to|for|i|that i|we|her|him|them|\w+ (?:i|to|that))\b|\b(?:said|told) (?:\w+ ){0,3}(?:i|we)(?:'d|'ll| would| will)\b|\bsaid yes\b|\bi said i\b|\bit's my turn\b|\bmy job\b/,
  ),
  ...cue(
    "deadline",
    "something ends, falls due or must be renewed",
    /到期|截止|截稿|过期|失效|作废|ddl|最后(?:一天|期限)|期限|续(?:费|签|借|约|保|租|期)|年检|年审|缴费|还款|交租|房租|账单|报税|(?:不|唔)(?:再)?(?:收|办|受理|接收|能报|能交)(?:件|了|$)|关闭|停(?:办|收|机|用)|交(?:作业|功课|稿|卷|差|货|付|房租|材料|报告|论文)/,
    /\b(?:due|deadline|expires?|expiring|expiry|renew|renewal|cut-?off|last day|rsvp|overdue|lapses?|runs out|closes (?:on|at|in)|ends (?:on|at|in)|free cancellation|trial ends|submit(?:ted)? by|hand(?:ed)? in|turn(?:ed)? in)\b/,
  ),
  ...cue(
    "event",
    "an appointment or an occasion",
    /开会|会议|例会|评审|面试|体检|复查|复诊|覆诊|看牙|牙医|洗牙|拔牙|补牙|看医生|睇医生|门诊|挂号|挂了|航班|飞(?=[\u4e00-\u9fffa-z])|火车|高铁|动车|机票|起飞|登机|入住|上门|约了|约好|约在|预约|聚餐|聚会|婚礼|生日|纪念日|考试|笔试|考(?=试|科|驾|研|雅)|答辩|演出|演唱会|上课|课(?=$|[,，。])|家长会|讲座|培训|彩排|排练|直播|发布会|上线|发版|手术|打针|疫苗|接机|接(?:人|娃|孩子|客)|搬家|验收|出差|出发|见客户|拜访|面谈|同学会|年会|团建|饭局|吃饭|碰头|对齐|电话会|视频会|路演|开庭|签约|交房|试驾|办证|办签证|面签|取(?:件|票|货|车|证|报告)/,
    /\b(?:meeting|appointment|appt|dentist|doctor|gp|vet|interview|flight|flying|fly|train|exam|midterm|final|quiz|class|lecture|conference|rehearsal|wedding|birthday|anniversary|party|dinner|lunch|brunch|breakfast|stand-?up|review|demo|workshop|check-?up|surgery|haircut|visit|moving|delivery|delivered|plumber|electrician|technician|engineer|concert|ceremony|webinar|1:1|one-on-one|presentation|trip|check-?in|check-?out|inspection|town ?hall|offsite|kick-?off|recital|practice|game|match|reservation|booking|call with|scan|mot|viewing|orientation|graduation|funeral|shift|retro|deploy|release|launch|go-live|cutover|maintenance window|court|hearing)\b/,
  ),
  ...cue(
    "waiting",
    "somebody else must move first",
    /(?:^|[^\u4e00-\u9fff]|在|就|只|先|还|仍|得|要|现在|一直|继续|且|坐|静|仲|酒店|那|,|，)等(?!等|级|于|会|下|我(?!们)|一下|一会)(?=.{1,})|(?:还|仲|都|一直|至今)?(?:没|未|冇)(?:有)?(?:回(?!家|去|来)|给我|给到|批|寄到|收到|到货|消息|下文|动静|反馈|答复|回音|回信|回覆|回复|通过|放款|出结果|出来)|(?:审批|审核|流程|报销|退款|快递)(?:中|在走|还在走)|(?:球|皮球)在|(?:说|讲|话|答应|承诺|表示)(?:好)?.{0,14}(?:会)?(?:给|发|回|寄|批|出|到|送|答复|告诉|通知|反馈|回复)(?:我|我们|咱|结果|消息|[^\u4e00-\u9fff]|第|过来|$|.{0,6}(?:版|稿|价|单|码|档|文件|报告|合同|名单|数据|邀请))|卡在(?:他|她|对方|客户|财务|法务|供应商|审批)|(?:催|追)(?:了|过|一下|下)?(?:他|她|他们|对方|客户|物业|房东)|有(?:了)?(?:结果|消息|回复|下文|反馈)(?:再|后|了再|就)|(?:回|给|批|到|出来|寄|发)(?:了|到|来|后|咗)?(?:之后|以后|后|了)?(?:再|先)(?=说|看|弄|定|排|做|走|处理|继续|推|发)/,
    /\b(?:wait(?:ing|s)? (?:for|on|until|to hear)|await(?:ing|s)?)\b|\bball(?:'s| is) in\b|\bin (?:their|his|her) court\b|\b(?:haven't|hasn't|have not|has not|didn't|not|never) (?:heard|replied|responded|gotten back|got back|received|come back|approved|signed|answered|gotten?|arrived|shipped)\b|\bget(?:ting)? back to (?:me|us)\b|\b(?:promised|said|says|told me|told us|claims?|reckons?|swore) (?:that )?(?:me |us )?(?:he|she|they|it|\w+)(?:'d|'ll| would| will| should)\b|\bpromised (?:me|us|the|a|an|it|to (?:send|get|give|reply|call|ship|fix|share|review|sign))\b|\b(?:he|she|they|who|vendor|client|supplier|landlord|legal|finance|hr|support) (?:will|'ll|is going to|should) (?:send|get|let|give|reply|confirm|reach|call|email|share|ship|deliver|review|approve|sign)\b|\bpending (?:approval|review|with|from|on)\b|\bon hold (?:until|till|for)\b|\bblocked (?:on|by|until)\b|\bowes? (?:me|us)\b|\bno (?:reply|response|word|answer|news)\b|\bwhen (?:he|she|they|it) (?:replies|comes back|arrives|answers)\b|\b(?:with|at) (?:legal|procurement|finance|the vendor|the client) (?:now|for)\b|\bneeds? (?:\w+'s|their|his|her) (?:approval|sign-?off|reply|answer|ok)\b/,
  ),
  ...cue(
    "deferral",
    "begun or due, and put off",
    /先(?:放|搁|停|缓|这样|到这|到此|不急|别|不)(?!了)|搁置|放一放|缓一缓|(?:回头|改天|下次|以后|晚点|晚些|迟点|稍后|待会儿?|等下|一阵|得闲|有空|过几天|过两天|(?:明天|后天|下周|下个月|周末|今晚|明早|听日|周[一二三四五六日]).{0,4})(?:我)?(?:再|继续|接着|先|才|嚟)(?!说一遍|见|说吧$)|(?:再|接着|继续)(?:看|弄|做|聊|写|改|搞|调|查|处理|来|跟|推|讨论|研究|搞定)|没(?:写|做|弄|改|看|搞|跑|调|测|聊|讨论|整理)完|(?:写|做|改|看|弄|搞|跑|整理|翻)(?:了|到)?一半|(?:晚点|回头|稍后|待会|等下|迟啲|迟点)我?(?:看|弄|改|写|发|补|处理|试)|卡(?:在|住)|搞(?:不定|唔掂)|先记(?:着|下)|(?:剩下|剩余|余下)的.{0,8}(?:再|明天|下周|之后|以后)/,
    /\b(?:park|shelve|table|pause|postpone) (?:this|it|that|the)\b|\bput (?:this|it|that) (?:on hold|aside|off|on ice)\b|\bleave (?:it|this|that) (?:there|for now|here|at that|as is for now)\b|\b(?:pick|take) (?:this|it|that) (?:back )?up\b|\bcome back to (?:this|it|that)\b|\b(?:continue|resume|finish|revisit|tackle|look at|deal with|get to|do) (?:this|it|that|the rest|them|these)?\s?(?:tomorrow|later|next|another|on monday|over the weekend|this weekend|tonight|in the morning)\b|\blet's (?:stop|pause|continue|resume|leave|park|pick)\b|\bhalf-?\s?(?:way|done|written|finished)\b|\bstuck (?:on|at|with|in)\b|\b(?:don't|do not) (?:send|submit|merge|deploy|push|publish) (?:it |this |that )?(?:yet|just yet)\b|\bhold off\b|\banother (?:day|time)\b|\bget back to (?:this|it|that)\b|\bnot (?:right )?now\b|\blater (?:today|this week)?\b|\bsome other (?:day|time)\b|\bwill (?:look|check|read|finish|review) (?:it|this|that|them)? ?later\b/,
  ),
  ...cue(
    "done",
    "it is finished",
    new RegExp(
      `(?:已经?|刚刚?|都|全部?|终于|总算|今天|早上|下午|昨天)[^,，。]{0,10}${DO}(?:完|好|掉|出去|过去|过|上|给\\S{1,4})?(?:了|咗)|${DO}(?:完|好|掉|出去|上去|过去|过|妥|出|到)(?:了|咗|啦)|${DO}(?:了|咗)(?:$|[,，。!！~\\s🎉✅👍]|没事|哈|哦|啦|吧$)|搞(?:定|掂)|办妥|完(?:成|事)了?(?!的话|之前|后|前)|弄好|解决了|(?:都|全)(?:好|齐|妥)了|已(?:提交|发送|完成|支付|缴纳|预订|发布|上线|处理|解决|回复|归还|续|付|交|寄|发|签|还|订|买)|✅|没问题了|收到(?:了|款|货)|到手了|(?:签|批|通)过了`,
    ),
    /\b(?:done|finished|completed|sorted|submitted|sent(?: it| them| that| off| out| over)?|paid|booked|fixed|shipped|merged|delivered|signed|handed (?:it |them )?in|posted|returned|renewed|published|resolved|taken care of|all set|did it|bought|ordered|called (?:them|him|her|back)|emailed|replied|filed|uploaded|picked (?:it|them|him|her) up|dropped (?:it|them) off|cleared|settled|wrapped up|got it (?:done|sorted)|took care of|ticked off|knocked out|went (?:well|fine|great))\b/,
  ),
  ...cue(
    "dropped",
    "it is off, refused or not wanted any more",
    /取消|不(?:去|做|搞|要|办|买|发|写|弄|订|参加|考虑|报|打算|玩|学|换|续|需要)(?:[^,，。]{0,6})了(?!解)|不用(?:再)?(?:管|弄|做|提醒|理|跟|催|发|写|了|去|交|担心|记)|唔(?:使|洗|用)(?:再)?(?:理|管|提|记|跟)|唔去|算了|别(?:管|弄|做|提|跟|记|催|提醒)(?!.{0,4}(?:忘|漏))|作罢|作废了|黄了|推掉|推了|撤了|放弃|(?:婉拒|回绝|拒绝|拒)(?:了|咗)?|没(?:有)?答应|不答应|泡汤|免了|改主意|(?:没|唔)(?:打算|兴趣)|(?:已经?|早就?)(?:停用|下线|废弃)|无视|忽略(?:就行|即可|它|吧)/,
    /\b(?:cancel(?:l?ed|ling|s)?|call(?:ed|ing)? (?:it )?off|never ?mind|nvm|forget (?:about )?(?:it|that|this|the)|scratch that|no longer|not going(?: to)?(?: anymore| any more| after all)?|(?:don't|do not|won't|didn't) (?:need|bother|have) (?:to|it|that|this|with)?|drop (?:it|that|the|this)|skip (?:it|that|the|this)|scrap (?:it|that|the|this)|(?:told|telling) (?:them|him|her|\w+) no|said no|declined|turned (?:it|them|that|down|him|her)(?: down)?|pass(?:ed)? on (?:it|that|this)|ignore (?:it|that|this)|not happening|decided (?:against|not to)|changed my mind|fell through|off the table|no need)\b/,
  ),
  ...cue(
    "moved",
    "its date is another now",
    /改(?:到|成|为|在|期|约|去)|(?:挪|推|延|移|调|换|提前|提早|延后|延迟|推迟|顺延|往后|往前)(?:到|至|成|去)|推迟|延期|顺延|提前(?!跟|和|准备|说|给|预|订|买|把)|(?:rehearsal|meeting|会|时间)\s?改|不是.{1,8}(?:是|而是)|更正|说错了|搞错了|记错了|弄错了|改(?=\s?(?:next|mon|tue|wed|thu|fri|sat|sun|周|下|明|后|\d))/,
    /\b(?:mov(?:ed|ing)|push(?:ed|ing)|shift(?:ed|ing)|bump(?:ed|ing)|brought forward|put back) (?:\w+ ){0,4}(?:to|until|till|back|by)\b|\bresched(?:uled?|uling)?\b|\bpostponed?\b|\b(?:is|it's|that's) (?:now|actually)\b|\bnow (?:on|at|due)\b|\binstead\b|\bscratch that\b|\bcorrection\b|\bactually\b|\bchanged to\b|\bmy bad\b|\bnot (?:\w+ ){1,3}(?:but|it's)\b|\b(?:\d(?:am|pm)|\d) now$/,
  ),
  ...cue(
    "question",
    "asks for something",
    /[?？]\s*$|(?:吗|么|嘛|咩|未啊|未呀|呢)[\s~!！。]*$|什么时候|几时|几点(?!前|左右)|几号|多少|怎么|怎样|点样|为什么|为啥|点解|干嘛|啥(?!时候再|都)|哪(?:里|个|些|天|儿|家|种|位)|有没有|有冇|是不是|能不能|可不可以|可以吗|要不要|行不行|好不好|谁(?!都|知道)|多久|乜|边个|边度/,
    /^(?:so |and |but |ok |hey |also )?(?:what|when|why|where|which|who|whose|how|is|are|was|were|do|does|did|can|could|will|would|should|has|have|any|difference between|best|is there|are there)\b(?!.{0,6}\b(?:to|i need)\b.{0,20}\bby\b)/,
  ),
  ...cue(
    "unreal",
    "only imagined, or a condition",
    /(?:如果|要是|假如|假设|假使|倘若|万一|若是|若(?!干)|哪天|有朝一日|有一天|等我有(?:钱|空了)|等我(?:退休|发财|中奖|中了)|退休(?:以?后|了)|下辈子|做梦|梦想|幻想|想象|脑补|要不是|本来(?:想|要|打算)|原本|差点|早知道|其实可以|说不定|也许|可能会|搞不好|或许|理论上|打个比方|比如说?|例如|譬如)/,
    /\bif (?:i|we|you|he|she|they|it|only|ever|anyone|someone|the|my)\b|\b(?:suppose|imagine|hypothetically|would have|could have|should have|someday|some day|one day|wish i|in theory|theoretically|let's say|pretend|what if|dream(?:ing)?|daydream|for example|e\.g\.|might|maybe i(?:'ll| should| could)|i'd (?:love|like|have)|i would)\b/,
  ),
  ...cue(
    "told",
    "somebody tells the person what to do",
    /(?:老板|老师|领导|财务|医生|大夫|客户|hr|物业|房东|学校|导师|主管|经理|甲方|公司|银行|教授|行政|组长|老婆|老公|妈|爸|班主任|人事|法务)\S{0,6}(?:说|让|要求|叫|通知|催|规定|话|讲|安排|提醒)/,
    /\b(?:boss|manager|teacher|professor|doctor|school|bank|landlord|hr|finance|legal|client|customer|advisor|accountant|lawyer|coach|wife|husband|mom|mum|dad) (?:\w+ )?(?:wants?|asked|said|says|told|needs?|requires?|emailed|expects?|reminded)\b/,
  ),
];
