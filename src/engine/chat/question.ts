import { z } from "zod";
import type { Lifecycle } from "../lifecycle.ts";

export const questionStatuses = ["open", "answered", "told", "void", "unsure", "expired"] as const;
export type QuestionStatus = (typeof questionStatuses)[number];
export type QuestionEvent = "answer" | "confirm" | "refuse" | "doubt" | "expire";

/**
 * answered: a person has decided, Hermes does not know yet · told: Hermes took it · void: nobody waits for it any more ·
 * unsure: decided, but whether Hermes heard of it cannot be told · expired: nobody answered in time.
 */
export const questionLifecycle: Lifecycle<QuestionStatus, QuestionEvent> = {
  open: { answer: "answered", refuse: "void", expire: "expired" },
  answered: { confirm: "told", refuse: "void", doubt: "unsure" },
  told: {},
  void: {},
  unsure: {},
  expired: {},
};

/** Why nobody waits for an answer: the turn has ended, the other end says so (or restarted), or did not take it. */
export const voidReasons = ["turn_ended", "other_end", "not_taken"] as const;
export type VoidReason = (typeof voidReasons)[number];

export const questionSchema = z.object({
  id: z.string(),
  agentId: z.string(),
  turnId: z.string(),
  chatId: z.string(),
  kind: z.enum(["approval", "question"]),
  ref: z.string(),
  text: z.string(),
  description: z.string().nullable(),
  choices: z.array(z.string()).catch([]),
  status: z.enum(questionStatuses),
  revision: z.number().int(),
  askedAt: z.date(),
  expiresAt: z.date(),
  choice: z.string().nullable(),
  answeredBy: z.string().nullable(),
  answeredAt: z.date().nullable(),
  tellingAt: z.date().nullable(),
  settledAt: z.date().nullable(),
  voidBecause: z.enum(voidReasons).nullable().catch("other_end"),
});

/** Something Hermes asks in the middle of a turn. */
export type AgentQuestion = z.infer<typeof questionSchema>;
