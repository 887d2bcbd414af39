import type { Dropped } from "../found-matter.ts";
import { type DocumentLook, inline, quoted, section } from "./look.ts";
import { droppedSection } from "./opportunities.ts";

export interface PreparedView {
  goalId: string | null;
  title: string;
  whyNow: string;
  draft: string;
  sources: readonly number[];
}

/** Worker 2's candidates: what has come due and what was left over, each with a first draft. */
export function preparedDocument(
  view: { extractor: "model" | "rules"; prepared: readonly PreparedView[]; dropped: readonly Dropped[] },
  look: DocumentLook,
): string {
  const words = look.texts.documents;
  const entries = view.prepared.map((p) =>
    [
      `- ${inline(p.title)}${p.goalId ? ` (goal_id: ${p.goalId})` : ""} ${p.sources.map((n) => `[source:${n}]`).join(" ")}`,
      `  ${words.whyNow}: ${inline(p.whyNow)}`,
      `  ${words.draft}:`,
      quoted(p.draft, look),
    ].join("\n"),
  );
  return [
    section(words.prepared, entries, look),
    `${words.extractor[view.extractor]}\n`,
    ...droppedSection(view.dropped, look),
  ].join("\n");
}
