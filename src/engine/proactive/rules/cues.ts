import { EN_CUES } from "./cues-en.ts";
import { ZH_CUES } from "./cues-zh.ts";

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
  | "told"
  | "hearsay"
  | "arrived";

/** What is done, why the words show it, and the words: a pattern on folded text (simplified, narrow, small letters). */
export type CueRow = readonly [act: Act, why: string, words: string];

/** The rows of an act as one pattern, so that a clause is looked through once for each act. */
function compile(rows: readonly CueRow[]): readonly (readonly [Act, RegExp])[] {
  const acts = [...new Set(rows.map(([act]) => act))];
  return acts.map(
    (act) =>
      [
        act,
        new RegExp(
          rows
            .filter(([a]) => a === act)
            .map(([, , words]) => words)
            .join("|"),
          "u",
        ),
      ] as const,
  );
}

const ZH = compile(ZH_CUES);
const EN = compile(EN_CUES);
const HAN = /[\u4e00-\u9fff]/;
const LATIN = /[a-z]/;

/** The acts whose words stand in a folded clause. */
export function cuesIn(folded: string): Set<Act> {
  const acts = new Set<Act>();
  if (/[?？]\s*$/.test(folded)) acts.add("question");
  if (HAN.test(folded)) for (const [act, pattern] of ZH) if (pattern.test(folded)) acts.add(act);
  if (LATIN.test(folded)) for (const [act, pattern] of EN) if (!acts.has(act) && pattern.test(folded)) acts.add(act);
  return acts;
}
