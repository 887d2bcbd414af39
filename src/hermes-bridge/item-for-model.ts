import { DateTime } from "luxon";
import type { TrackingItem } from "../engine/tracking/item.ts";

/** A matter as a model reads it: its number, plain words, times on the person's wall. */
export interface ItemForModel {
  number: number;
  title: string;
  status: "open" | "done" | "dropped";
  summary?: string;
  due?: string;
  /** waiting for someone else, begun and left */
  stands?: string;
  put_off_until?: string;
  closed_at?: string;
}

/** Long summaries cost tokens in every list. */
const SUMMARY_SHOWN_CHARS = 200;
const STANDS: Partial<Record<TrackingItem["momentum"], string>> = {
  waiting: "waiting for someone else",
  stalled: "begun and left",
};

export function itemForModel(item: TrackingItem, now: Date, zone: string): ItemForModel {
  const at = (instant: Date): string => DateTime.fromJSDate(instant, { zone }).toFormat("yyyy-MM-dd HH:mm");
  const open = item.status === "active";
  const stands = open ? STANDS[item.momentum] : undefined;
  const exactly = item.dueGrain === "minute" || item.dueGrain === "hour";
  return {
    number: item.number,
    title: item.title,
    status: open ? "open" : (item.closedWhy ?? "done"),
    ...(item.summary !== "" &&
      item.summary !== item.title && { summary: [...item.summary].slice(0, SUMMARY_SHOWN_CHARS).join("") }),
    ...(item.dueAt && { due: exactly ? at(item.dueAt) : at(item.dueAt).slice(0, 10) }),
    ...(stands && { stands }),
    ...(open && item.snoozedUntil && item.snoozedUntil > now && { put_off_until: at(item.snoozedUntil) }),
    ...(item.closedAt && { closed_at: at(item.closedAt) }),
  };
}
