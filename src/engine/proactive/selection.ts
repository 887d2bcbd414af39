import { EngineError } from "../errors.ts";
import type { EditorView, JudgedCandidate } from "./editor-view.ts";
import { rankCandidates } from "./rank-candidates.ts";
import { TEXT_CHARS } from "./reminder-text.ts";
import { type DecisionReason, decisionReasons } from "./run.ts";

/** What an editor says about one candidate. */
export interface EditorDecision {
  index: number;
  decision: "send" | "skip";
  reason: DecisionReason;
  note?: string | null;
}

/** proactivity_select's input: every candidate exactly once. */
export interface Selection {
  decisions: readonly EditorDecision[];
  closeGoalIds?: readonly string[];
  /** The one text of the message; needed when anything is sent. */
  text?: string | null;
}

/** A checked selection: what will be written. */
export interface CheckedSelection {
  decisions: readonly (EditorDecision & { judged: JudgedCandidate })[];
  /** In the order shown. */
  shown: readonly JudgedCandidate[];
  /** Would have been sent, but there is only so much room on a card. */
  folded: readonly JudgedCandidate[];
  closeGoalIds: readonly string[];
  text: string;
}

export const sendReasons = ["due_now", "worth_saying", "person_asked"] as const satisfies readonly DecisionReason[];
const skipReasons: readonly DecisionReason[] = decisionReasons.filter(
  (reason) => !(sendReasons as readonly DecisionReason[]).includes(reason),
);

/** A control word of an agent is no text for a person. */
const CONTROL_WORD = /^[\s`*_"']*\[?(?:SILENT|NO_?REPLY|NO_?OP)\]?[\s`*_"'.!。]*$/iu;

/**
 * Holds an editor's selection to the rules: every candidate once, reasons out of the list, nothing sent that the rules of
 * code hold back, nothing closed that no person's words speak for, a text when there is something to say. What is beyond
 * the number of matters a card may show is folded, the most pressing stay.
 * @throws EngineError invalid_input, naming what is wrong with which part
 */
export function checkSelection(view: EditorView, selection: Selection): CheckedSelection {
  const decisions = view.candidates.map((judged) => {
    const { index } = judged.candidate;
    const said = selection.decisions.filter((decision) => decision.index === index);
    const [decision] = said;
    if (!decision) throw refuse(`decisions[item:${index}]`, "editor.every_candidate_once", "missing");
    if (said.length > 1) throw refuse(`decisions[item:${index}]`, "editor.every_candidate_once", "doubled");
    return { ...decision, judged };
  });
  const stray = selection.decisions.find((d) => !view.candidates.some((j) => j.candidate.index === d.index));
  if (stray) throw refuse(`decisions[item:${stray.index}]`, "editor.known_candidate", String(stray.index));
  const closeGoalIds = checkClosures(view, selection.closeGoalIds ?? []);
  for (const { decision, reason, judged } of decisions) checkDecision(judged, decision, reason, closeGoalIds);

  const sent = decisions.filter((d) => d.decision === "send").map((d) => d.judged);
  const ranked = rankCandidates(
    sent.map((judged) => ({ ...judged, state: judged.item })),
    view.facts.disturb.now,
    view.facts.disturb.weights,
  ).map((entry) => entry.candidate.index);
  const inOrder = ranked.map((index) => sent.find((j) => j.candidate.index === index)).filter((j) => j !== undefined);
  const most = view.facts.settings.mattersPerCard;
  const over = decisions.filter((d) => d.reason === "over_the_limit_of_matters").map((d) => d.judged);
  const folded = [...inOrder.slice(most), ...over];
  return {
    decisions: decisions.map((d) =>
      d.decision === "send" && folded.includes(d.judged)
        ? { ...d, decision: "skip" as const, reason: "over_the_limit_of_matters" as const }
        : d,
    ),
    shown: inOrder.slice(0, most),
    folded: sent.length > 0 ? folded : [],
    closeGoalIds,
    text: sent.length > 0 ? checkText(selection.text) : "",
  };
}

function checkDecision(
  judged: JudgedCandidate,
  decision: "send" | "skip",
  reason: DecisionReason,
  closing: readonly string[],
): void {
  const path = `decisions[item:${judged.candidate.index}]`;
  const allowed: readonly DecisionReason[] = decision === "send" ? sendReasons : skipReasons;
  if (!allowed.includes(reason)) throw refuse(`${path}.reason`, `editor.reason_of_${decision}`, reason);
  if (decision !== "send") return;
  if (!judged.verdict.allow) throw refuse(path, "editor.not_held_back", judged.verdict.reason);
  if (judged.candidate.goalId !== null && closing.includes(judged.candidate.goalId)) {
    throw refuse(path, "editor.not_closed_and_sent", judged.candidate.goalId);
  }
}

/** An id is only as good as the words behind it: text in the history that asks for closing is no person's word about the matter. */
function checkClosures(view: EditorView, goalIds: readonly string[]): readonly string[] {
  for (const id of goalIds) {
    if (!view.facts.items.some((item) => item.id === id)) throw refuse("close_goal_ids", "editor.known_goal", id);
    const settlement = view.settled.get(id);
    if (!settlement || settlement.how === "claimed") throw refuse("close_goal_ids", "editor.backed_by_words", id);
  }
  return [...new Set(goalIds)];
}

function checkText(given: string | null | undefined): string {
  const text = (given ?? "").trim();
  if (text === "" || CONTROL_WORD.test(text)) throw refuse("text", "editor.text_present", text);
  const length = [...text].length;
  if (length > TEXT_CHARS) throw refuse("text", "editor.text_length", `${length} > ${TEXT_CHARS}`);
  return text;
}

const EXAMPLE =
  '{"decisions":[{"item":1,"decision":"send","reason":"worth_saying","note":""}],"close_goal_ids":[],"text":"…"}';

function refuse(path: string, expected: string, given: string): EngineError<"invalid_input"> {
  return new EngineError("invalid_input", { path, expected, ...(given !== "" && { given }), example: EXAMPLE });
}
