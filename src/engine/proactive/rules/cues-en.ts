import type { CueRow } from "./cues.ts";

const THEY =
  "(?:he|she|they|who|vendor|client|customer|supplier|landlord|legal|finance|procurement|hr|it|support|bank|agency|agent|contractor|lawyer|accountant|school|embassy|recruiter|team|someone)";
const GIVE =
  "(?:send|get|let|give|reply|confirm|reach|call|email|share|ship|deliver|review|approve|sign|come|answer|follow|ping|forward|return|refund|decide|respond)";

/** English cues. Each row: what is done, why the words show it, the words (a pattern on folded text). */
export const EN_CUES: readonly CueRow[] = [
  ["wish", "asks to be reminded", "\\b(?:remind|ping|nudge|poke|wake|bug|prod) me\\b"],
  [
    "wish",
    "must not be forgotten",
    "\\b(?:don't|do not|dont|can't|mustn't)(?: let me| let us)? forget\\b|\\bremember to\\b|\\bmake sure (?:i|we|that i)\\b",
  ],
  [
    "wish",
    "asks to be noted",
    "\\bnote to self\\b|\\b(?:todo|to-do)\\b|\\badd (?:it |this |that )?to my (?:list|todos?|calendar)\\b|\\bput (?:it|this|that|down) (?:down |on )?(?:in |on |as )?(?:my |a )?(?:list|calendar|reminder|todo)",
  ],

  ["duty", "has to", "\\b(?:need|needs|have|has|got|ought|supposed) to\\b|\\bmust\\b|\\bshould\\b|\\bgotta\\b"],
  [
    "duty",
    "needs doing",
    "\\bneeds? (?:\\w+ing|renewing|doing)\\b|\\b(?:i|we) owe\\b|\\brequired to\\b|\\bto be (?:done|paid|signed|returned|submitted|filed|sent|handed)\\b|\\bstill on my plate\\b",
  ],

  [
    "open",
    "not done yet",
    "\\b(?:still )?(?:haven't|have not|hasn't|didn't get (?:to|around|round)|didn't manage|(?:never|haven't) (?:got|gotten) (?:to|around|round))\\b|\\bnot (?:yet )?(?:done|started|finished|sent|booked|submitted|paid|written)\\b|\\bstill (?:need|have|missing|to)\\b|\\bunfinished\\b|\\byet to\\b",
  ],

  [
    "promise",
    "says they will",
    "\\b(?:i'll|i will|we'll|we will|i'm going to|i am going to|we're going to|i'm gonna|imma|i plan to|i intend to|i'm planning to|i aim to|i want to)\\b",
  ],
  [
    "promise",
    "will, without saying who",
    "(?:^|[,;] ?|\\b(?:ok|cool|so|and|then) )(?:will|gonna|going to|want to) \\w+",
  ],
  [
    "promise",
    "is doing it then",
    "\\bi'm (?!not|sorry|thinking|wondering|looking at|trying|using|getting|having|feeling|working on|being)\\w+ing\\b",
  ],
  [
    "promise",
    "means to, with somebody",
    "\\blet's (?:check|look|see|review|talk|meet|try|test|run|sync|decide|go over|compare)\\b",
  ],
  ["promise", "promised somebody", "(?:^|\\bi(?:'ve| have)? )(?:promised|owe) \\w+"],
  [
    "promise",
    "gave their word",
    "\\b(?:promised|agreed|committed|volunteered|signed up|offered) (?:to|for|i|that i|we|her|him|them|\\w+ (?:i|to|that))\\b|\\b(?:said|told) (?:\\w+ ){0,3}(?:i|we)(?:'d|'ll| would| will)\\b|(?<!\\b(?:they|he|she|it|who|\\w+'ve|\\w+'s|have|has|already|all|finally) )\\bsaid yes\\b|\\bi said i\\b|\\bi (?:agreed|accepted|said (?:ok|sure))\\b",
  ],
  [
    "promise",
    "it is their turn",
    "\\bit's my turn\\b|\\bmy job\\b|\\bon me to\\b|\\bi'm (?:on the hook|responsible|in charge|down) (?:for|to)\\b",
  ],

  [
    "deadline",
    "ends on a date",
    "\\b(?:due|deadline|expires?|expiring|expiry|cut-?off|last day|overdue|lapses?|runs out|closes (?:on|at|in)|ends (?:on|at|in)|free cancellation|trial ends)\\b",
  ],
  [
    "deadline",
    "to be renewed, handed in or answered",
    "\\b(?:renew|renewal|rsvp|submit(?:ted)? by|hand(?:ed)? in|turn(?:ed)? in)\\b",
  ],

  [
    "event",
    "a meeting",
    "\\b(?:meeting|appointment|appt|interview|conference|stand-?up|review|demo|workshop|webinar|1:1|one-on-one|presentation|town ?hall|offsite|kick-?off|retro|sync|call with|orientation|hearing|court)\\b",
  ],
  ["event", "at the doctor's", "\\b(?:dentist|doctor|gp|vet|check-?up|surgery|scan|mot|physio|optician)\\b"],
  ["event", "a journey", "\\b(?:flight|flying|fly|train|trip|check-?in|check-?out|ferry)\\b"],
  [
    "event",
    "somebody comes",
    "\\b(?:visit|moving|delivery|delivered|plumber|electrician|technician|engineer|inspection|viewing|reservation|booking|haircut)\\b",
  ],
  [
    "event",
    "a feast",
    "\\b(?:wedding|birthday|anniversary|party|dinner|lunch|brunch|breakfast|concert|ceremony|recital|game|match|graduation|funeral)\\b",
  ],
  ["event", "an exam or a class", "\\b(?:exam|midterm|final|quiz|class|lecture|practice|rehearsal|shift)\\b"],
  ["event", "something goes out", "\\b(?:deploy|release|launch|go-live|cutover|maintenance window)\\b"],

  [
    "waiting",
    "waits",
    "\\b(?:wait(?:ing|s)? (?:for|on|until|to hear)|await(?:ing|s)?)\\b|\\bon hold (?:until|till|for)\\b|\\bblocked (?:on|by|until)\\b|\\bpending (?:approval|review|with|from|on)\\b",
  ],
  [
    "waiting",
    "it is their turn",
    "\\bball(?:'s| is) in\\b|\\bin (?:their|his|her) court\\b|\\b(?:with|at) (?:legal|procurement|finance|the vendor|the client) (?:now|for)\\b|\\bowes? (?:me|us)\\b",
  ],
  [
    "waiting",
    "no answer yet",
    "\\b(?:haven't|hasn't|have not|has not|didn't|not|never) (?:heard|replied|responded|gotten back|got back|received|come back|approved|signed|answered|gotten?|arrived|shipped)\\b|\\bno (?:reply|response|word|answer|news)\\b",
  ],
  [
    "waiting",
    "needs something of somebody",
    "\\bneeds? (?:a|an|the|his|her|their)?\\s?(?:\\w+ )?(?:review|approval|answer|sign-?off|ok|reply|input|response|confirmation|signature|go-ahead|feedback|quote|decision) (?:from|by) \\w+",
  ],
  ["waiting", "is to give it", "\\b(?:he|she|they|who)(?:'s|'re| is| are) \\w+ing (?:me|us)\\b"],
  [
    "waiting",
    "nothing to be done until then",
    "\\bnothing (?:i|we|more i|else i) can do\\b|\\b(?:until|till|once|as soon as|after) (?:he|she|they) (?:come|comes|get|gets|repl|answer|sign|decide|approve|confirm|return)",
  ],
  [
    "waiting",
    "they are at it",
    "\\b(?:is|are) (?:looking at|reviewing|checking|going over|working on|processing|sitting on) (?:it|the|our|my|this|that)\\b",
  ],
  [
    "waiting",
    "they will come back",
    "\\bget(?:ting)? back to (?:me|us)\\b|\\bwhen (?:he|she|they|it) (?:replies|comes back|arrives|answers)\\b|\\bneeds? (?:\\w+'s|their|his|her) (?:approval|sign-?off|reply|answer|ok)\\b",
  ],
  [
    "waiting",
    "cannot go on until somebody has moved",
    "\\b(?:can't|cannot|can not|couldn't|won't be able to) (?:\\w+ ){1,6}(?:until|till|before|unless) (?!(?:i|i've|we|we've|you|then|that|after|tomorrow|tonight|later|next|noon|mon\\w*|tue\\w*|wed\\w*|thu\\w*|fri\\w*|sat\\w*|sun\\w*|the (?:weekend|\\d)|\\d|january|february|march|april|may|june|july|august|september|october|november|december)\\b)",
  ],
  [
    "waiting",
    "ought to come",
    "\\b(?:results?|parcel|package|order|quote|reply|answer|letter|card|visa|parts?|delivery|invoice|contract)\\b[^,.]{0,24}\\bshould (?:be (?:in|back|ready|here|out|through)|land|arrive|come|reach|turn up)\\b",
  ],
  [
    "waiting",
    "to be watched",
    "\\b(?:watch|keep an eye on|monitor) (?:that|the|this|their|his|her) (?:\\w+ )?(?:pr|ticket|issue|case|thread|order|parcel|package|request|claim|pull request)\\b",
  ],
  [
    "waiting",
    "they say how long it takes",
    "\\bthey(?: say| said|'ve said| reckon) (?:about |around |up to )?(?:\\d+|an?|two|three|four|five|six|eight|ten|a few|a couple of)(?:-\\d+)? (?:business |working )?(?:days|weeks|months|hours)\\b",
  ],
  ["waiting", "takes an office so many days", "\\b\\d+(?:\\s?(?:-|to)\\s?\\d+)? (?:business|working) days\\b"],
  [
    "waiting",
    "they will bring it back",
    `\\b${THEY}(?:'ll| will|'s going to| is going to|'re going to|'s|'re| is| are)? (?:bring(?:ing|s)?|giv(?:e|es|ing)|return(?:ing|s)?|hand(?:ing|s)?|drop(?:ping|s)?) (?:it|them|that|the \\w+|\\w+)? ?(?:back|off)\\b|\\bpay(?:s|ing)? (?:me|us|it) back\\b`,
  ],
  [
    "waiting",
    "they said they would",
    "\\b(?:promised|said|says|told me|told us|claims?|reckons?|swore) (?:that )?(?:me |us )?(?!(?:\\w+ ){0,3}(?:i|we)(?:'d|'ll| will| would| should)\\b)(?:he|she|they|it|(?:\\w+ ){0,3}\\w+)(?:'d|'ll| would| will| should)\\b|\\bchas(?:ed|ing)\\b|\\bpromised (?:me|us|the|a|an|it|to " +
      GIVE +
      ")",
  ],
  [
    "waiting",
    "they will give it",
    `\\b${THEY}(?: will|'ll| is going to| should| is supposed to) ${GIVE}\\b|\\b(?:supposed|going|meant) to (?:send|give|get) (?:it |that |them )?(?:to )?(?:me|us)\\b`,
  ],

  [
    "deferral",
    "laid aside",
    "\\b(?:park(?:ing|ed)?|shelv(?:e|ing|ed)|tabl(?:e|ing|ed)|paus(?:e|ing|ed)|postpon(?:e|ing|ed)) (?:this|it|that|the)\\b|\\bput (?:this|it|that) (?:on hold|aside|off|on ice)\\b|\\bleave (?:it|this|that) (?:there|for now|here|at that|as is for now)\\b|\\bhold off\\b",
  ],
  [
    "deferral",
    "taken up again",
    "\\b(?:pick|take) (?:this|it|that) (?:back )?up\\b|\\b(?:come|get) back to (?:this|it|that)\\b|\\blet's (?:stop|pause|continue|resume|leave|park|pick)\\b",
  ],
  [
    "deferral",
    "goes back to it",
    "\\b(?:back|pick(?:ing)? up) (?:on|to|at) (?:it|this|that) (?:tomorrow|later|next|on|in the morning|after|tonight)\\b",
  ],
  ["deferral", "in the next round", "\\bnext (?:sprint|iteration|release|round|version|time)\\b"],
  [
    "deferral",
    "goes on another time",
    "\\b(?:continue|resume|finish|revisit|tackle|look at|deal with|get to|do) (?:this|it|that|the rest|them|these)?\\s?(?:tomorrow|later|next|another|on monday|over the weekend|this weekend|tonight|in the morning)\\b|\\b(?:another|some other) (?:day|time)\\b",
  ],
  ["deferral", "half way or stuck", "\\bhalf-?\\s?(?:way|done|written|finished)\\b|\\bstuck (?:on|at|with|in)\\b"],
  [
    "deferral",
    "not to be sent yet",
    "\\b(?:don't|do not) (?:send|submit|merge|deploy|push|publish) (?:it |this |that )?(?:yet|just yet)\\b|\\bnot (?:right )?now\\b",
  ],
  [
    "deferral",
    "later",
    "(?<!no )\\blater\\b(?! than)|\\bwill (?:look|check|read|finish|review) (?:it|this|that|them)? ?later\\b",
  ],

  [
    "done",
    "did it",
    "\\b(?:done|finished|completed|sorted|submitted|sent(?: it| them| that| off| out| over)?|paid|booked|fixed|shipped|merged|delivered|signed|posted|returned|renewed|published|resolved|bought|ordered|emailed|replied|filed|uploaded|cleared|settled|mailed|scheduled|registered|rsvp'd)\\b",
  ],
  [
    "done",
    "is behind them",
    "\\b(?:handed (?:it |them )?in|taken care of|all set|did it|called (?:them|him|her|back)|picked (?:it|them|him|her|\\w+) up|picked up|dropped (?:it|them|off)|wrapped up|got it (?:done|sorted)|took care of|ticked off|knocked out|went (?:well|fine|great))\\b|\\b(?:is|are|was|were)(?: now| all| finally)? (?:back|in|over|sorted|dealt with|out of the way|gone|away|off my plate)\\b(?! (?:on|at|by|to)\\b)",
  ],

  [
    "done",
    "gone, up, or over with",
    "(?:'s|'re|\\b(?:is|are|was|were))(?: now| all| finally| already)? (?:gone|sorted|dealt with|off my plate|out of the way|live|taken care of|(?:up|handed over|sold|posted|done)(?=$|[,.;!]))",
  ],
  [
    "done",
    "is with them now",
    "(?:'s|'re|\\b(?:is|are)) (?:now )?(?:with|over to|off to|out to|in with) (?:them|him|her|\\w+)(?=$|[,.;!])",
  ],
  ["done", "has got it", "^(?:i |we )?(?:got|fetched|picked up|collected) (?:the|my|our|his|her|both) [\\w ]{2,20}$"],
  [
    "done",
    "has been here",
    "\\b(?:came|been and gone|been here|showed up|turned up|stopped by|came by|came over|has been|have been)(?=$|[,.;!]| (?:today|yesterday|this|already|a (?:day|week)|early|and (?:fixed|did|sorted|left)))|'s been(?=$|[,.;!])",
  ],
  [
    "done",
    "a chore done",
    "\\b(?:watered|fed|cleaned|washed|collected|dropped off|printed|scanned|cooked|packed|walked|sold|donated|binned|installed|replaced|repaired|graded|marked|uploaded|photocopied|swept|hoovered|mowed|topped up|called in|phoned)\\b",
  ],
  [
    "arrived",
    "what was waited for has come",
    "\\b(?:approved|replied|responded|arrived|answered|signed off|came (?:in|through|back)|got back to (?:me|us)|landed|showed up|delivered|sent (?:it|me|us|over|the)|heard back|received|gave (?:me|us)|confirmed)\\b",
  ],
  ["dropped", "turned out to be nothing", "\\b(?:false alarm|all good now|nothing to worry|sorted itself out)\\b"],
  [
    "dropped",
    "called off",
    "\\b(?:cancel(?:l?ed|ling|s)?|call(?:ed|ing)? (?:it )?off|never ?mind|nvm|forget (?:about )?(?:it|that|this|the)|scratch that|fell through|off the table|not happening)\\b|(?:'s|\\bis|\\bare) (?:off|dead)\\b(?! (?:to|on|at|for)\\b)",
  ],
  [
    "dropped",
    "not going to",
    "\\b(?:no longer|not going(?: to)?(?: anymore| any more| after all)?|(?:don't|do not|won't|didn't) (?:need|bother|have) (?:to|it|that|this|with)?|drop (?:it|that|the|this)|skip (?:it|that|the|this)|scrap (?:it|that|the|this)|decided (?:against|not to)|changed my mind|no need)\\b",
  ],
  [
    "dropped",
    "refused",
    "\\b(?:(?:told|telling) (?:them|him|her|\\w+) no|said no|declined|turned (?:it|them|that|down|him|her)(?: down)?|pass(?:ed)? on (?:it|that|this))\\b",
  ],
  ["dropped", "cannot do it", "\\b(?:can't|cannot|won't|not able to) (?:do|make|come|join|attend|help with)\\b"],
  ["dropped", "to be ignored", "\\bignore (?:it|that|this)\\b"],

  [
    "moved",
    "has another date",
    "\\b(?:mov(?:ed|ing)|push(?:ed|ing)|shift(?:ed|ing)|bump(?:ed|ing)|brought forward|put back) (?:\\w+ ){0,4}(?:to|until|till|back|by)\\b|\\bresched(?:uled?|uling)?\\b|\\bpostponed?\\b|\\bchanged to\\b",
  ],
  [
    "moved",
    "is to be moved",
    "\\b(?:move|push|shift|bump|reschedule) (?:[\\w:'-]+ ){1,6}(?:to|until|till|by) (?:the )?(?:same|next|following|mon|tue|wed|thu|fri|sat|sun|tomorrow|\\d)",
  ],
  [
    "moved",
    "at the hour it was",
    "\\b(?:asked for|prefers|suggested|how about|could do|let's do) (?:next )?\\w+day,? same time\\b|\\w+day,? same time instead\\b",
  ],
  [
    "moved",
    "settles on a date",
    "\\b(?:call it|let's say|make (?:it|that)|so say)\\s(?=the \\d|mon|tue|wed|thu|fri|sat|sun|next|this|\\d)",
  ],
  ["moved", "is now", "\\b(?:is|it's|that's) (?:now|actually)\\b|\\bnow (?:on|at|due)\\b|\\b(?:\\d(?:am|pm)|\\d) now$"],
  [
    "moved",
    "was said wrongly",
    "\\binstead\\b|\\bscratch that\\b|\\bcorrection\\b|\\bactually\\b|\\bmy bad\\b|\\bnot (?:\\w+ ){1,3}(?:but|it's)\\b",
  ],

  [
    "question",
    "asks",
    "^(?:so |and |but |ok |hey |also )?(?:(?:what|when|why|where|which|who|whose|how|any|difference between|best)\\b|(?:is|are|was|were|does|did|am) \\w|(?:do|can|could|will|would|should|has|have) (?:it|you|the|we|i|he|she|they|there|this|that|my|our|your|any|anyone|someone|these|those)\\b)(?!.{0,6}\\b(?:to|i need)\\b.{0,20}\\bby\\b)",
  ],

  ["unreal", "a condition", "\\bif (?:i|we|you|he|she|they|it|only|ever|anyone|someone|the|my)\\b|\\bwhat if\\b"],
  [
    "unreal",
    "only imagined",
    "\\b(?:in an ideal world|ideally|if only|suppose|imagine|hypothetically|would have|could have|should have|someday|some day|one day|wish i|in theory|theoretically|let's say|pretend|dream(?:ing)?|daydream)\\b",
  ],
  [
    "unreal",
    "perhaps, or for example",
    "\\b(?:for example|e\\.g\\.|might|maybe i(?:'ll| should| could)|i'd (?!better)|i would)\\b",
  ],

  [
    "hearsay",
    "is only heard of",
    "\\b(?:rumou?r|apparently|i(?:'ve)? heard|reportedly|word is|they say|(?:contract|policy|law|docs?|documentation|manual|article|rules?|terms|clause|spec|readme|guide|book|faq) (?:says?|states?|requires?))\\b",
  ],

  [
    "told",
    "is wanted for it",
    "\\b(?:wants?|asked|needs?|expects?) (?:(?:to (?:see|meet|talk to|speak (?:to|with)|hear from)) )?(?:me|us)\\b",
  ],
  [
    "told",
    "is told to",
    "\\b(?:boss|manager|teacher|professor|doctor|doc|dr|nurse|physio|surgeon|clinic|vet|council|editor|school|bank|landlord|hr|finance|legal|client|customer|advisor|accountant|lawyer|coach|wife|husband|mom|mum|dad) (?:\\w+ )?(?:wants?|asked|said|says|told|needs?|requires?|emailed|expects?|reminded)\\b",
  ],
];
