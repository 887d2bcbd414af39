import { type Frame, mergeFrames, namesADay, type Piece } from "./frame.ts";

/** Pieces that belong together: one time, or one range of times. */
export interface Phrase {
  from: number;
  to: number;
  frame: Frame;
  end?: Frame;
  /** "for 7 hours" after a start. */
  lasting?: Frame["span"];
  /** Nothing in it says for sure that a time is meant. */
  latent: boolean;
  /** May it be read when it is all there is? */
  lone: boolean;
}

/** What may stand between two pieces of one time. Group 1: a word that makes it a deadline, group 2: an "after". */
const BETWEEN =
  /^(?:\s*[,，(]?\s*(?:的|在|@|-|at|on|of|in|the|in the|on the|at the|for|for about|around|about|at around|at about|from|starting at|starting|between|by|before|until|till|after|no later than|sharp on the|not before|von)?\s*(?:the\s+)?)$/;
const BY_BETWEEN = /\b(?:by|before|until|till|no later than)\b/;
const AFTER_BETWEEN = /\b(?:after|from|starting)\b/;
const SPAN_ANCHOR = /^\s*(?:from|after|following|on|before)\s+(?:the\s+)?$/;
const BEFORE_DAY = /^(?:之前|以前|前|的前|提前)$/;
const AFTER_DAY = /^(?:之后|以后|过后|后)(?:的)?第?$/;
const RANGE = /^\s*(?:-{1,2}|~|to|thru|through|until|untill|till|til|and|到|至|直到|一直到)\s*(?:the\s+)?$/;
const LONGEST_GAP = 16;

const PREFIX_BY =
  /(?:\b(?:by|before|until|till|no later than|not later than|due(?:\s+(?:by|on|at))?|at the latest by|deadline(?:\s+is)?:?)\s+(?:the\s+)?|(?:最晚|最迟|至迟|不晚于|不迟于|赶在|赶喺|截止到?|截至|在)\s?)$/;
const PREFIX_PLAIN =
  /(?:\b(?:on|at|in|from|starting|around|about|for|this|since|after|come)\s+(?:the\s+)?|(?:在|于|从|自|定在|就在|大约|大概|约)\s?)$/;
const PREFIX_AFTER = /\b(?:after|since|from|starting)\s+(?:the\s+)?$/;
const SUFFIX =
  /(?:\s?(?:之前|以前|前|为止|截止)(?![天面端台言后]))|(?:\s?(?:之内|以内|内)(?![容部存网测]))|(?:\s?(?:之后|以后|过后|后)(?![天面端台续来年期]))|(?:\s?(?:左右|那天|当天|开始|起))|(?:,?\s*(?:at the latest|at latest|or so|sharp|or earlier|onwards?)\b)/y;

/** Groups pieces into times. */
export function joinPieces(folded: string, pieces: readonly Piece[]): Phrase[] {
  const phrases: Phrase[] = [];
  let i = 0;
  while (i < pieces.length) {
    const first = pieces[i];
    if (!first) break;
    const { phrase, next } = grow(folded, pieces, i, first);
    phrases.push(withEdges(folded, phrase));
    i = next;
  }
  return phrases;
}

function grow(folded: string, pieces: readonly Piece[], at: number, first: Piece): { phrase: Phrase; next: number } {
  const phrase: Phrase = {
    from: first.from,
    to: first.to,
    frame: first.frame,
    latent: first.latent === true,
    lone: first.lone !== false,
  };
  if (first.end) phrase.end = first.end;
  // "and" makes a range only after "between".
  const between = /\bbetween\s+$/.test(folded.slice(Math.max(0, first.from - 9), first.from));
  let last = first;
  let i = at + 1;
  for (; i < pieces.length; i++) {
    const piece = pieces[i];
    if (!piece || piece.from - phrase.to > LONGEST_GAP) break;
    const gap = folded.slice(phrase.to, piece.from);
    if (!takeIn(phrase, last, piece, gap, between)) break;
    phrase.to = piece.to;
    phrase.lone = true;
    phrase.latent = phrase.latent && (piece.latent === true ? phrase.frame.span !== undefined : false);
    last = piece;
  }
  return { phrase, next: i };
}

const negative = (span: Frame["span"]): NonNullable<Frame["span"]> =>
  Object.fromEntries(Object.entries(span ?? {}).map(([unit, n]) => [unit, -n]));
/** "国庆节前一天", "周五前两天": days before a day, said after it. */
const isInDays = (span: Frame["span"]): boolean =>
  span !== undefined && Object.keys(span).every((unit) => unit === "days" || unit === "weeks" || unit === "workdays");

/** "a week today", "a fortnight on Tuesday": weeks need no "from". */
const isBritish = (span: Frame["span"], gap: string): boolean =>
  /^\s+(?:on\s+)?$/.test(gap) && (span?.weeks !== undefined || span?.days === 14);

/** Adds a piece to a phrase if the words between allow it. */
function takeIn(phrase: Phrase, last: Piece, piece: Piece, gap: string, between: boolean): boolean {
  if (
    last.bare &&
    phrase.frame.span &&
    (SPAN_ANCHOR.test(gap) || isBritish(phrase.frame.span, gap)) &&
    namesADay(piece.frame) &&
    !piece.frame.span
  ) {
    phrase.frame = { ...piece.frame, span: /before/.test(gap) ? negative(phrase.frame.span) : phrase.frame.span };
    return true;
  }
  if (
    BEFORE_DAY.test(gap) &&
    piece.latent &&
    isInDays(piece.frame.span) &&
    namesADay(phrase.frame) &&
    !phrase.frame.span
  ) {
    phrase.frame = { ...phrase.frame, span: negative(piece.frame.span) };
    return true;
  }
  if (AFTER_DAY.test(gap) && piece.frame.span && namesADay(phrase.frame) && !phrase.frame.span) {
    phrase.frame = { ...phrase.frame, span: piece.frame.span };
    return true;
  }
  if (piece.bare && phrase.frame.clock && piece.frame.span && !phrase.end) {
    phrase.lasting = piece.frame.span;
    return true;
  }
  if (BETWEEN.test(gap)) {
    if (joinsOn(phrase, last, piece, gap)) return true;
  }
  if (phrase.end === undefined && !piece.end && RANGE.test(gap) && isRange(phrase.frame, piece.frame, gap, between)) {
    phrase.end = piece.frame;
    return true;
  }
  return false;
}

function joinsOn(phrase: Phrase, last: Piece, piece: Piece, gap: string): boolean {
  const target = phrase.end && !first(phrase, piece) ? phrase.end : phrase.frame;
  const comma = /[,，]/.test(gap);
  if (comma && piece.frame.part && !piece.frame.clock && !namesADay(piece.frame)) return false;
  // Chinese goes from the large to the small: what follows a clock time is another time.
  if (piece.lang === "zh" && last.lang === "zh" && target.clock && (piece.frame.part || namesADay(piece.frame)))
    return false;
  if (/\bfor\b/.test(gap) && piece.frame.span) return false;
  if (/^\s*-\s*$/.test(gap) && !(piece.frame.clock && namesADay(target))) return false;
  if (/\bbetween\b/.test(gap) && !piece.end) return false;
  const merged = mergeFrames(target, piece.frame);
  if (!merged) return false;
  if (BY_BETWEEN.test(gap)) merged.mode = "by";
  else if (AFTER_BETWEEN.test(gap) && !piece.end) merged.mode = "after";
  if (target === phrase.end) phrase.end = merged;
  else phrase.frame = merged;
  if (piece.end) phrase.end = piece.end;
  return true;
}

/** Does a piece after a range say the day of its beginning ("9:30-11:00 on Thursday")? */
const first = (phrase: Phrase, piece: Piece): boolean =>
  phrase.end !== undefined && namesADay(piece.frame) && !namesADay(phrase.frame) && !namesADay(phrase.end);

/** Two frames are a range when they are of one kind: days, or clock times. */
function isRange(a: Frame, b: Frame, gap: string, between: boolean): boolean {
  if ((/and/.test(gap) && !between) || a.span || b.span) return false;
  if (a.clock || a.part) return b.clock !== undefined || b.part !== undefined;
  return namesADay(a) && namesADay(b) && !b.clock;
}

/** Takes in the words around that belong to the time: "by …", "…之前". */
function withEdges(folded: string, phrase: Phrase): Phrase {
  const before = folded.slice(Math.max(0, phrase.from - 24), phrase.from);
  const by = PREFIX_BY.exec(before);
  const plain = by ? null : PREFIX_PLAIN.exec(before);
  const edged = { ...phrase, frame: { ...phrase.frame } };
  if (by) {
    edged.from -= by[0].length;
    if (!/^在/.test(by[0])) edged.frame.mode ??= "by";
    edged.latent = edged.latent && !/\b(?:by|before|until|due)\b/.test(by[0]);
  } else if (plain) {
    edged.from -= plain[0].length;
    if (PREFIX_AFTER.test(before)) edged.frame.mode ??= "after";
  }
  if (
    /(?:每(?:天|日|晚|早|个?月|年|个?周|个?星期)?的?|every\s|each\s)$/.test(
      folded.slice(Math.max(0, edged.from - 6), edged.from),
    )
  )
    edged.frame.recurring = true;
  SUFFIX.lastIndex = edged.to;
  const suffix = SUFFIX.exec(folded);
  if (suffix) {
    edged.to += suffix[0].length;
    if (/前|止|latest|earlier/.test(suffix[0])) edged.frame.mode = "by";
    else if (/内/.test(suffix[0])) edged.frame.mode = "within";
    else if (/后|起|开始/.test(suffix[0])) edged.frame.mode = "after";
  }
  return edged;
}
