import { z } from "zod";
import { evidenceSchema } from "../evidence.ts";
import type { Lifecycle } from "../lifecycle.ts";
import { proposalTypes } from "./change-kinds.ts";

export const proposalStatuses = [
  "pending_approval",
  "approved",
  "executed",
  "rejected",
  "expired",
  "failed",
  "reverted",
] as const;
export type ProposalStatus = (typeof proposalStatuses)[number];
export type ProposalEvent = "approve" | "reject" | "expire" | "execute" | "fail" | "revert";

/** A failed one may be tried again by a person; everything else that is decided stays decided. */
export const proposalLifecycle: Lifecycle<ProposalStatus, ProposalEvent> = {
  pending_approval: { approve: "approved", reject: "rejected", expire: "expired" },
  approved: { execute: "executed", fail: "failed" },
  executed: { revert: "reverted" },
  failed: { approve: "approved", reject: "rejected" },
  rejected: {},
  expired: {},
  reverted: {},
};

export const risks = ["low", "medium", "high"] as const;
export type Risk = (typeof risks)[number];

/** What a trial compares: the whole quality of sessions, because a change that helps one part may cost another. */
const metrics = ["composite"] as const;

/** How it will be told whether a change helped. */
export const measureSchema = z.object({
  metric: z.enum(metrics).catch("composite"),
  /** kinds of work whose sessions are compared; empty = all */
  categories: z.array(z.string()).default([]),
});
export type Measure = z.infer<typeof measureSchema>;

export const proposalEvidenceSchema = z.object({
  /** session ids, at most fifty */
  sessions: z.array(z.string()),
  count: z.number().int(),
  /** the dates it was seen on, YYYY-MM-DD, newest first */
  dates: z.array(z.string()).default([]),
  quotes: z.array(evidenceSchema),
});
export type ProposalEvidence = z.infer<typeof proposalEvidenceSchema>;

/** The same cause was refused before. */
export const refusedBeforeSchema = z.object({
  number: z.number().int(),
  reason: z.string().nullable(),
  at: z.coerce.date(),
  /** sessions in which it was seen since, beyond those the refused one cited */
  newSessions: z.number().int(),
});

export const proposalSchema = z.object({
  id: z.string(),
  agentId: z.string(),
  number: z.number().int(),
  date: z.string(),
  type: z.enum(proposalTypes),
  title: z.string(),
  description: z.string(),
  payload: z.unknown(),
  expectedEffect: z.string(),
  risk: z.enum(risks).catch("high"),
  evidence: proposalEvidenceSchema,
  measure: measureSchema,
  fingerprint: z.string(),
  cause: z.string(),
  scope: z.string(),
  draftedBy: z.string(),
  status: z.enum(proposalStatuses),
  revision: z.number().int(),
  laterUntil: z.date().nullable(),
  decidedBy: z.string().nullable(),
  decidedAt: z.date().nullable(),
  reason: z.string().nullable(),
  refusedBefore: refusedBeforeSchema.nullable().catch(null),
  leaseUntil: z.date().nullable(),
  attempts: z.number().int(),
  executedAt: z.date().nullable(),
  because: z.string().nullable(),
  revertedAt: z.date().nullable(),
  revertedBy: z.string().nullable(),
  expiresAt: z.date(),
  createdAt: z.date(),
  updatedAt: z.date(),
});
export type Proposal = z.infer<typeof proposalSchema>;

/** Why a proposal is refused, for a tap; any words will do as well. */
export const rejectReasons = ["not_useful", "wrong_cause", "too_risky", "we_do_it_otherwise", "not_now"] as const;
export type RejectReason = (typeof rejectReasons)[number];
export const REASON_CHARS = 300;

/** Undecided for this long, a proposal expires: its evidence has gone stale. */
export const PROPOSAL_DAYS = 14;
/** At most so many a day, the best first. */
export const PROPOSALS_A_DAY = 5;
/** "Later" keeps it out of the report until the next one but does not lose it. */
export const LATER_HOURS = 20;
/** How long a claim for execution holds: writing a few files, with room for a slow disk. */
export const EXECUTE_LEASE_MS = 2 * 60_000;
