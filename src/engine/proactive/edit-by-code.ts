import { textsFor } from "../../text/pick.ts";
import { isNamedTime, isTimely } from "./disturb-rules.ts";
import type { EditorView, JudgedCandidate } from "./editor-view.ts";
import { rankCandidates } from "./rank-candidates.ts";
import { type SayableItem, writeReminder } from "./reminder-text.ts";
import type { EditorDecision, Selection } from "./selection.ts";

/**
 * The editor without a model: says what the rules allow, the most pressing first, as many as a card may hold, in a short
 * text of the person's language. What is over that number is folded.
 */
export function editByCode(view: EditorView): Selection {
  const allowed = view.candidates.filter((judged) => judged.verdict.allow);
  const ranked = rankCandidates(
    allowed.map((judged) => ({ ...judged, state: judged.item })),
    view.facts.disturb.now,
    view.facts.disturb.weights,
  );
  const most = view.facts.settings.mattersPerCard;
  const shown = new Set(ranked.slice(0, most).map((entry) => entry.candidate.index));
  const decisions = view.candidates.map((judged): EditorDecision => {
    const { index } = judged.candidate;
    if (!judged.verdict.allow) return { index, decision: "skip", reason: judged.verdict.reason };
    if (!shown.has(index)) return { index, decision: "skip", reason: "over_the_limit_of_matters" };
    return { index, decision: "send", reason: reasonOf(judged, view) };
  });
  const items = ranked
    .slice(0, most)
    .map((entry) => allowed.find((judged) => judged.candidate === entry.candidate))
    .filter((judged) => judged !== undefined)
    .map((judged) => sayable(judged, view));
  return { decisions, text: textOf(items, ranked.length - items.length, view) };
}

/** The text about these matters, as code writes it. */
export function textOf(items: readonly SayableItem[], folded: number, view: Pick<EditorView, "facts">): string {
  const { owner, settings, disturb } = view.facts;
  const texts = textsFor(owner?.language ?? settings.language).engine;
  return writeReminder(items, folded, { now: disturb.now, zone: disturb.zone, texts });
}

function reasonOf({ item }: JudgedCandidate, view: EditorView): EditorDecision["reason"] {
  const { now, asked } = view.facts.disturb;
  if (asked || (item && isNamedTime(item, now))) return "person_asked";
  return item && isTimely(item, now) ? "due_now" : "worth_saying";
}

function sayable({ candidate, item }: JudgedCandidate, view: EditorView): SayableItem {
  const claim =
    item && view.settled.get(item.id)?.how === "claimed" ? view.settled.get(item.id)?.evidence.at : undefined;
  if (item) return { ...item, claimedDoneAt: item.claimedDoneAt ?? claim ?? null };
  return {
    id: "",
    title: candidate.title,
    kind: candidate.matterKind,
    status: "active",
    momentum: "on_track",
    dueAt: null,
    dueGrain: null,
    snoozedUntil: null,
    exact: false,
    lastRemindedAt: null,
    ignoredCount: 0,
    claimedDoneAt: null,
  };
}
