import { type DocumentLook, inline, quoted, section, stamp } from "./documents/look.ts";
import type { EditorView } from "./editor-view.ts";

/** The candidates by number, each with what the rules say: what is held back cannot be sent. */
export function candidatesDocument(view: EditorView, look: DocumentLook): string {
  return view.candidates
    .map(({ candidate, item, verdict }) =>
      [
        `## [item:${candidate.index}] ${inline(candidate.title)}`,
        `- may be sent: ${verdict.allow ? "yes" : `no (${verdict.reason})`}`,
        ...(candidate.goalId ? [`- goal_id: ${candidate.goalId}`] : []),
        ...(item?.dueAt ? [`- due: ${stamp(item.dueAt, look)} (${item.dueGrain ?? "day"})`] : []),
        ...(item?.claimedDoneAt || (item && view.settled.get(item.id)?.how === "claimed")
          ? ["- the assistant claims it is done; no person has confirmed: ask, do not state"]
          : []),
        `- why now: ${inline(candidate.whyNow)}`,
        ...(candidate.draft ? ["- draft:", quoted(candidate.draft, look)] : []),
        ...candidate.evidence.map((e) => `- said ${stamp(e.at, look)} ${e.role}:\n${quoted(e.quote, look)}`),
        "",
      ].join("\n"),
    )
    .join("\n");
}

/** What was said since the snapshot. */
export function deltaDocument(view: EditorView, look: DocumentLook): string {
  return section(
    "# Said since the snapshot",
    view.liveDelta.map(
      (line) => `- ${stamp(line.evidence.at, look)} ${line.evidence.role}\n${quoted(line.text, look)}`,
    ),
    look,
  );
}
