import { z } from "zod";
import type { Lifecycle } from "../lifecycle.ts";

export const turnStatuses = ["waiting", "running", "completed", "failed", "stopped", "lost"] as const;
export type TurnStatus = (typeof turnStatuses)[number];
export type TurnEvent = "claim" | "put_back" | "complete" | "fail" | "stop" | "lose";

/** A turn runs once. What ended stays ended: trying again is another turn. */
export const turnLifecycle: Lifecycle<TurnStatus, TurnEvent> = {
  waiting: { claim: "running", stop: "stopped" },
  running: { put_back: "waiting", complete: "completed", fail: "failed", stop: "stopped", lose: "lost" },
  completed: {},
  failed: {},
  stopped: {},
  lost: {},
};

/**
 * Why there is no good end. not_set_up: no way into Hermes has ever been there · hermes_away: it could not be reached, nothing was begun · agent: the agent or its model
 * failed · empty: it ended without a word · unclear: begun, and nobody can say how it ended · internal: our own mistake.
 */
export const turnFailures = ["not_set_up", "hermes_away", "agent", "empty", "unclear", "internal"] as const;
export type TurnFailure = (typeof turnFailures)[number];

const fileSchema = z.object({ path: z.string(), name: z.string(), mime: z.string() });
export const turnFilesSchema = z.array(fileSchema).catch([]);

/** One use of a tool, as far as it is shown. */
export const activitySchema = z.object({
  name: z.string(),
  preview: z.string().optional(),
  state: z.enum(["started", "completed", "failed"]),
});
export type Activity = z.infer<typeof activitySchema>;

export const turnSchema = z.object({
  seq: z.number().int(),
  id: z.string(),
  agentId: z.string(),
  sessionId: z.string(),
  dedupeKey: z.string(),
  origin: z.enum(["message", "command", "retry", "carry_on"]).catch("message"),
  chatId: z.string(),
  chatType: z.enum(["p2p", "group"]),
  threadId: z.string().nullable(),
  messageId: z.string().nullable(),
  senderOpenId: z.string().nullable(),
  language: z.enum(["zh", "en"]).catch("zh"),
  said: z.string(),
  text: z.string(),
  images: turnFilesSchema,
  files: turnFilesSchema,
  manner: z.enum(["queue", "steer"]).catch("queue"),
  status: z.enum(turnStatuses),
  leaseUntil: z.date().nullable(),
  hermesSessionId: z.string().nullable(),
  reply: z.string(),
  failure: z.enum(turnFailures).nullable().catch("internal"),
  why: z.string().nullable(),
  activity: z.array(activitySchema).nullable().catch(null),
  toolCalls: z.number().int().nullable(),
  inputTokens: z.number().int().nullable(),
  outputTokens: z.number().int().nullable(),
  stopAskedAt: z.date().nullable(),
  stopAskedBy: z.string().nullable(),
  steeredInto: z.string().nullable(),
  retriedAs: z.string().nullable(),
  createdAt: z.date(),
  startedAt: z.date().nullable(),
  endedAt: z.date().nullable(),
});

/** A message that Hermes is to answer, and its answer. */
export type Turn = z.infer<typeof turnSchema>;
