import type { Matter, WhyNow } from "./matter.ts";
import { tie } from "./settle.ts";
import { likeness, termsOf } from "./terms.ts";

/** From here on two accounts are of one matter. */
const SAME = 0.6;
const SAME_DATE_MS = 36 * 3_600_000;
const SOON_MS = 30 * 60_000;
/** What the agent's words and deeds left open: the person's next word about it belongs to it. */
const LEFT_OPEN: ReadonlySet<WhyNow> = new Set(["stuck", "interrupted", "asks_for_decision", "agent_promised"]);

/** Adds a matter, or makes it one with what is open already. */
export function addMatter(matter: Matter, open: readonly Matter[]): Matter[] {
  const same = open.findLast((known) => isSame(known, matter));
  if (!same) return [...open, matter];
  return [...open.filter((m) => m !== same), joined(same, matter)];
}

function isSame(known: Matter, matter: Matter): boolean {
  // Out of one message: only when the one is what the agent left of the other.
  if (known.evidence.some((id) => matter.evidence.includes(id)))
    return known.title === matter.title || LEFT_OPEN.has(known.why) || LEFT_OPEN.has(matter.why);
  const dates =
    !known.time || !matter.time || Math.abs(known.time.start.getTime() - matter.time.start.getTime()) < SAME_DATE_MS;
  const title = termsOf(matter.title);
  const here = known.sessionId === matter.sessionId;
  const alike = Math.max(likeness(termsOf(known.title), title), tie(known, title) * 0.95);
  if (dates && Math.max(alike, here ? likeness(termsOf(known.title), matter.terms) : 0) >= SAME) return true;
  if (here && matter.toAgent && known.kind !== "waiting" && known.at <= matter.at) return true;
  return here && matter.at.getTime() - known.at.getTime() < SOON_MS && goesOnAbout(known, matter, dates);
}

/** Said right after, and leaning on it: "晚点再弄", "need their number before Monday", "the cert thing is with ops". */
function goesOnAbout(known: Matter, matter: Matter, dates: boolean): boolean {
  if (LEFT_OPEN.has(known.why) && (matter.why === "put_off" || matter.why === "open" || matter.why === "waiting"))
    return true;
  if (matter.thin && matter.why === "put_off" && isStepOf(known, matter)) return true;
  if (matter.thin && (!matter.time || !known.time) && (matter.why === "put_off" || matter.why === "waiting"))
    return true;
  return matter.leans && dates && (matter.time === undefined || known.time !== undefined);
}

/** "周五前要改完 … 明天再写": when it is worked on next, before it is due. */
const isStepOf = (known: Matter, matter: Matter): boolean =>
  known.time !== undefined && matter.time !== undefined && matter.time.start < known.time.start;

/** One matter out of two accounts: the later date and the surer word win, the evidence of both stays. */
function joined(known: Matter, matter: Matter): Matter {
  const base = known.occasion && !matter.occasion ? matter : known;
  // Somebody else has it now.
  const waits = matter.kind === "waiting" ? { kind: matter.kind, why: matter.why } : {};
  return {
    ...base,
    ...waits,
    time:
      matter.why === "put_off" && isStepOf(known, matter)
        ? known.time
        : (matter.time ?? (matter.kind === "waiting" ? undefined : known.time)),
    evidence: [...new Set([...known.evidence, ...matter.evidence])],
    terms: new Set([...known.terms, ...matter.terms]),
    at: matter.at,
    occasion: known.occasion && matter.occasion,
  };
}
