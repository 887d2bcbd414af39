import { z } from "zod";

/** On whose behalf something happened. Only `person` and `machine` tell how Hermes works for its person. */
export const origins = ["person", "review", "editorial", "goal", "subagent", "machine"] as const;
export type Origin = (typeof origins)[number];

/** Where a row comes from: told by the plugin's hooks, or reconstructed from Hermes' store. */
export const telemetrySources = ["hook", "history"] as const;
export type TelemetrySource = (typeof telemetrySources)[number];

export const toolStatuses = ["ok", "error", "blocked", "cancelled"] as const;
export type ToolStatus = (typeof toolStatuses)[number];

/** A row of ToolInvocation as code reads it; words of a newer Hermes do not stop the reader. */
export const toolInvocationSchema = z.object({
  id: z.number().int(),
  source: z.enum(telemetrySources),
  sessionId: z.string(),
  turnId: z.string().nullable(),
  toolCallId: z.string().nullable(),
  toolName: z.string(),
  origin: z.enum(origins).catch("person"),
  platform: z.string().nullable(),
  at: z.date(),
  durationMs: z.number().nullable(),
  success: z.boolean(),
  status: z.enum(toolStatuses).catch("error"),
  errorType: z.string().nullable(),
  errorMessage: z.string().nullable(),
  input: z.string().nullable(),
  inputHash: z.string().nullable(),
  inputLikeness: z.string().nullable(),
  resultHash: z.string().nullable(),
  resultChars: z.number().int().nullable(),
});
export type ToolInvocation = z.infer<typeof toolInvocationSchema>;
