import type { Dropped } from "../found-matter.ts";
import { type DocumentLook, inline, section, stamp } from "./look.ts";

export interface OpportunityView {
  goalId: string | null;
  title: string;
  whyNow: string;
  dueAt: Date | null;
  sources: readonly number[];
}

/** Worker 1's candidates out of the conversation, who found them, and what was not taken and why. */
export function opportunitiesDocument(
  view: { extractor: "model" | "rules"; opportunities: readonly OpportunityView[]; dropped: readonly Dropped[] },
  look: DocumentLook,
): string {
  const words = look.texts.documents;
  const entries = view.opportunities.map((o) =>
    [
      `- ${inline(o.title)}${o.goalId ? ` (goal_id: ${o.goalId})` : ""} ${o.sources.map((n) => `[source:${n}]`).join(" ")}`,
      `  ${words.whyNow}: ${inline(o.whyNow)}`,
      ...(o.dueAt ? [`  ${words.due}: ${stamp(o.dueAt, look)}`] : []),
    ].join("\n"),
  );
  return [
    section(words.opportunities, entries, look),
    `${words.extractor[view.extractor]}\n`,
    ...droppedSection(view.dropped, look),
  ].join("\n");
}

export function droppedSection(dropped: readonly Dropped[], look: DocumentLook): string[] {
  if (dropped.length === 0) return [];
  const entries = dropped.map((d) => `- ${inline(d.title) || "?"}: ${look.texts.dropReason[d.why]}`);
  return [section(look.texts.documents.dropped, entries, look)];
}
