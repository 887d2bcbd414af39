const LEAD =
  /^(?:(?:ok|so|also|oh|and|but|then|btw|fyi|hey|please|pls|ugh|well|right|@\w+)[,:\s]+|(?:can|could|would) you (?:please )?|(?:i|we) (?:really |still |also |probably |prob |just )+(?=should|need|have|must|gotta|ought|want|owe)|(?:i|we)(?:'ll| will|'d better)\s|(?:i|we) (?:should|must|gotta)\s|(?:i |we )?(?:still )?(?:need|have|want|got|ought|plan|mean) to\s|(?:should|will|gonna|gotta) (?:prob(?:ably)? )?(?!be\b|i\b)|must (?:not forget to )?(?!be\b)|(?:don't|do not|must not) forget to\s|remember to\s|(?:at )?some point (?:i|we) (?:need|have) to\s|let's\s)/i;
const TAIL =
  /(?:\s+(?:is|are|was|were|will be|comes?|moved|now|on|at|by|to|from|the|a|an|for|and|or|with|until|in|then|before then|by then|though|too)|'s|'re|[\s,.;:!]+)$/i;
const WORD_GIVEN =
  /^(?:i )?(?:told|promised|assured) ([a-z]+|(?:the|my|our) [a-z]+)(?: that)? (?:i|we)(?:'d|'ll| would| will) (.+)$/i;
const SAID = /^(?:i )?(?:said|promised|agreed)(?: that)? (?:i|we)(?:'d|'ll| would| will) /i;
const NOT_YET =
  /^(?:i |we )?(?:still )?(?:haven't|have not|hasn't|didn't|never)(?: yet)? (?:got(?:ten)? (?:a?round )?to|get (?:a?round )?to)\s+(?:the )?/i;
const UNDONE = /^(?:i |we )?(?:still )?(?:haven't|have not) (\w+)\s+/i;
const BASE: Readonly<Record<string, string>> = {
  filed: "file",
  sent: "send",
  paid: "pay",
  booked: "book",
  done: "do",
  written: "write",
  bought: "buy",
  called: "call",
  ordered: "order",
  signed: "sign",
  submitted: "submit",
  renewed: "renew",
  returned: "return",
  replied: "reply",
  finished: "finish",
  started: "start",
  packed: "pack",
  fixed: "fix",
  cancelled: "cancel",
  heard: "hear",
};

/** "told Femi I'd send him the money" → "send Femi the money". */
function named(rest: string, who: string): string {
  return rest
    .replace(/\b(?:him|them)\b/i, who)
    .replace(/\bher\b(?=\s(?:the|a|an|my|our|some|two|three|\d|£|\$|€)|$)/i, who)
    .replace(/\b(?:her|his|their)\b(?=\s[a-z])/i, `${who}'s`);
}

/** The English half of shaping titles: leads and loose ends off, "haven't filed" → "file". */
export function shapeEnglish(title: string): string {
  let text = title.trim();
  for (let i = 0; i < 4; i++) {
    const shorter = text.replace(LEAD, "").replace(SAID, "").replace(NOT_YET, "");
    if (shorter === text || shorter === "") break;
    text = shorter;
  }
  const word = WORD_GIVEN.exec(text);
  if (word?.[1] !== undefined && word[2] !== undefined) text = named(word[2], word[1]);
  const undone = UNDONE.exec(text);
  const base = undone?.[1] === undefined ? undefined : BASE[undone[1].toLowerCase()];
  if (undone && base !== undefined) text = `${base} ${text.slice(undone[0].length)}`;
  text = text.replace(/^(?:i'm|i am|we're) (?:still )?(?=waiting)/i, "");
  for (let i = 0; i < 4; i++) {
    const shorter = text.replace(TAIL, "");
    if (shorter === text || shorter.length < 4) break;
    text = shorter;
  }
  return text;
}
