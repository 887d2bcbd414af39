import { z } from "zod";
import type { Evidence } from "../evidence.ts";
import { type Grain, grains, type MatterKind, type Momentum, matterKinds, momenta } from "../tracking/item.ts";

/**
 * What worker 1 (a model or the rules) found in the conversation: an item to add or to bring up to date and, with
 * `mention`, an opportunity. It cannot close or reopen anything: there is no field for it.
 */
export interface FoundMatter {
  /** An active item this belongs to; null begins a new one. */
  goalId: string | null;
  title: string;
  summary: string;
  kind: MatterKind;
  momentum: Momentum;
  dueAt: Date | null;
  dueGrain: Grain | null;
  /** The lines it rests on: never empty. */
  evidence: readonly Evidence[];
  mention: boolean;
  whyNow: string;
  /** The agent said it was done and no person has confirmed. */
  claimedDone: boolean;
}

/** What worker 2 proposes: something whose time has come, or something left over. */
export interface PreparedMatter {
  goalId: string | null;
  kind: MatterKind;
  title: string;
  whyNow: string;
  /** First draft of the text. */
  draft: string;
  evidence: readonly Evidence[];
}

/** Why something a worker said was not taken. Keys of the texts. */
export const dropReasons = [
  "not_in_the_form",
  "no_source",
  "unknown_source",
  "unknown_goal",
  "closed_before",
  "doubled",
  "due_unreadable",
  "empty_title",
] as const;
export type DropReason = (typeof dropReasons)[number];

export interface Dropped {
  title: string;
  why: DropReason;
}

export const TITLE_CHARS = 80;
export const SUMMARY_CHARS = 400;
export const WHY_CHARS = 160;
export const DRAFT_CHARS = 400;

const NO_DATE = z.literal(["", "null", "none"]).transform(() => null);

/** One matter as a model writes it. Lenient in form (a stray field, an unknown kind), strict in what is decided by it. */
export const repliedMatterSchema = z.object({
  goal_id: z.string().nullish(),
  title: z.string().trim().min(1),
  summary: z.string().nullish(),
  kind: z.enum(matterKinds).catch("follow_up"),
  momentum: z.enum(momenta).catch("on_track"),
  /** ISO 8601 with offset. */
  due_at: z.union([NO_DATE, z.string(), z.null()]).optional(),
  due_grain: z.enum(grains).nullish().catch(null),
  sources: z.array(z.coerce.number().int()).nullish(),
  mention: z.boolean().catch(true),
  why_now: z.string().nullish(),
  claimed_done: z.boolean().catch(false),
});

/** One prepared candidate as a model writes it. */
export const repliedPreparedSchema = z.object({
  goal_id: z.string().nullish(),
  kind: z.enum(matterKinds).catch("follow_up"),
  title: z.string().trim().min(1),
  why_now: z.string().nullish(),
  draft: z.string().nullish(),
  sources: z.array(z.coerce.number().int()).nullish(),
});
