import type { TrackingItem } from "../../tracking/item.ts";
import { type DocumentLook, inline, quoted, said, section, stamp } from "./look.ts";

export interface TrackedView {
  item: TrackingItem;
  /** Numbers of its evidence, in the evidence's order. */
  sources: readonly number[];
}

/** The items being followed up, with the id workers name them by and the lines they rest on. */
export function trackingDocument(items: readonly TrackedView[], look: DocumentLook): string {
  return section(
    look.texts.documents.tracking,
    items.map((view) => entry(view, look)),
    look,
  );
}

function entry({ item, sources }: TrackedView, look: DocumentLook): string {
  const words = look.texts.documents;
  const facts = [
    `goal_id: ${item.id}`,
    item.kind,
    item.momentum,
    item.dueAt && `${words.due}: ${stamp(item.dueAt, look)} (${item.dueGrain ?? "day"})`,
    item.snoozedUntil && item.snoozedUntil > look.now && `${words.snoozedUntil}: ${stamp(item.snoozedUntil, look)}`,
    item.reminderCount > 0 &&
      `${words.reminded}: ${words.times(item.reminderCount)}${item.lastRemindedAt ? ` (${words.last}: ${stamp(item.lastRemindedAt, look)})` : ""}`,
    item.claimedDoneAt && words.claimedDone,
    `${words.since}: ${stamp(item.createdAt, look)}`,
  ];
  return [
    `## ${inline(item.title)}`,
    ...facts.filter((fact) => typeof fact === "string").map((fact) => `- ${fact}`),
    ...(item.summary ? [quoted(item.summary, look)] : []),
    ...item.evidence.map((e, i) => `- [source:${sources[i] ?? 0}] ${said(e, look)}\n${quoted(e.quote, look)}`),
    "",
  ].join("\n");
}
