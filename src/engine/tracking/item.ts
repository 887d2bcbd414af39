import { z } from "zod";
import { evidenceSchema } from "../evidence.ts";
import type { Lifecycle } from "../lifecycle.ts";

export const momenta = ["on_track", "waiting", "stalled", "time_sensitive"] as const;
export type Momentum = (typeof momenta)[number];

/** What sort of matter it is: "fewer of these" is said about a kind. `reminder` is one a person set with /remind. */
export const matterKinds = ["promise", "deadline", "waiting", "unfinished", "follow_up", "errand", "reminder"] as const;
export type MatterKind = (typeof matterKinds)[number];

export const grains = ["minute", "hour", "day", "week", "month"] as const;
export type Grain = (typeof grains)[number];

export type ItemStatus = "active" | "closed";

/** closed by a person's word or tap only; a worker or job never may. */
export const itemLifecycle: Lifecycle<ItemStatus, "close" | "reopen" | "update" | "snooze"> = {
  active: { close: "closed", update: "active", snooze: "active" },
  closed: { reopen: "active" },
};

/** Reads a row of TrackingItem: what the database keeps as text becomes its type. */
export const trackingItemSchema = z.object({
  id: z.string(),
  agentId: z.string(),
  number: z.number().int(),
  title: z.string(),
  summary: z.string(),
  kind: z.enum(matterKinds).catch("follow_up"),
  status: z.enum(["active", "closed"]),
  momentum: z.enum(momenta).catch("on_track"),
  dueAt: z.date().nullable(),
  dueGrain: z.enum(grains).nullable().catch(null),
  snoozedUntil: z.date().nullable(),
  exact: z.boolean(),
  evidence: z.array(evidenceSchema).catch([]),
  claimedDoneAt: z.date().nullable(),
  claimedDoneEvidence: z.array(evidenceSchema).nullable().catch(null),
  audience: z.string(),
  reminderCount: z.number().int(),
  ignoredCount: z.number().int(),
  lastRemindedAt: z.date().nullable(),
  closedAt: z.date().nullable(),
  closedBy: z.string().nullable(),
  closedWhy: z.enum(["done", "dropped"]).nullable().catch(null),
  closedEvidence: z.array(evidenceSchema).nullable().catch(null),
  createdAt: z.date(),
  updatedAt: z.date(),
  revision: z.number().int(),
});

export type TrackingItem = z.infer<typeof trackingItemSchema>;
