import { z } from "zod";
import { evidenceSchema } from "../evidence.ts";
import type { Lifecycle } from "../lifecycle.ts";
import { matterKinds } from "../tracking/item.ts";

export type CheckpointStatus = "pending" | "committed" | "superseded";

/** committed says only that the window was scanned and its candidates judged; nothing about what arrived. */
export const checkpointLifecycle: Lifecycle<CheckpointStatus, "commit" | "supersede"> = {
  pending: { commit: "committed", supersede: "superseded" },
  committed: { supersede: "superseded" },
  superseded: {},
};

export type DeliveryStatus = "pending" | "delivered" | "failed";

/** delivered says that the message is known to have arrived: it has a message id. */
export const deliveryLifecycle: Lifecycle<DeliveryStatus, "arrive" | "fail"> = {
  pending: { arrive: "delivered", fail: "failed" },
  delivered: {},
  failed: {},
};

/** Why a candidate was sent or not. Rules of code come first; the editor may add only the last group. */
export const decisionReasons = [
  // sent
  "due_now",
  "worth_saying",
  "person_asked",
  // held back by rules of code
  "quiet_hours",
  "snoozed",
  "recently_reminded",
  "daily_limit",
  "minimum_gap",
  "ignored_too_often",
  "said_when_asked",
  "fewer_of_these",
  "closed",
  "paused",
  "person_is_talking",
  // judged
  "already_done",
  "not_useful_now",
  "too_uncertain",
  "duplicate",
  "over_the_limit_of_matters",
] as const;
export type DecisionReason = (typeof decisionReasons)[number];

/** Why a run was worth making, or why a tick stopped silently: shown by /why and /runs. */
export const tickReasons = [
  "new_messages",
  "item_changed",
  "item_due",
  "cron_failed",
  "delivery_rolled_back",
  "asked_for",
] as const;
export type TickReason = (typeof tickReasons)[number];

export const silences = [
  "outside_active_window",
  "nothing_new",
  "paused",
  "person_is_talking",
  "no_owner",
  "history_unavailable",
  "not_arriving",
  "already_looking",
] as const;
export type Silence = (typeof silences)[number];

export const candidateSchema = z.object({
  index: z.number().int().positive(),
  kind: z.enum(["opportunity", "prepared"]),
  matterKind: z.enum(matterKinds).catch("follow_up"),
  goalId: z.string().nullable(),
  title: z.string(),
  whyNow: z.string(),
  draft: z.string(),
  evidence: z.array(evidenceSchema),
  decision: z.enum(["send", "skip"]).nullable(),
  reason: z.enum(decisionReasons).nullable(),
  note: z.string().nullable(),
});

export type Candidate = z.infer<typeof candidateSchema>;

export const documentNames = [
  "conversation.md",
  "tracking.md",
  "scheduled-crons.md",
  "sent.md",
  "memory.md",
  "context.md",
  "opportunities.md",
  "prepared.md",
  "sources.md",
] as const;
export type DocumentName = (typeof documentNames)[number];
