import { z } from "zod";
import { origins, toolStatuses } from "./telemetry.ts";

const text = (most: number) =>
  z
    .union([z.string(), z.number(), z.boolean()])
    .transform((value) => String(value).slice(0, most))
    .optional()
    .catch(undefined);
const whole = z.number().int().min(0).max(2_147_483_647).optional().catch(undefined);
const yes = z.boolean().optional().catch(undefined);

/** What every event may say of itself; what does not fit is left out, not refused. */
const common = {
  /** number within its process: gaps are entries that were dropped */
  n: z.number().int().min(0),
  /** seconds since 1970 by Hermes' clock */
  at: z.number(),
  sessionId: text(200),
  turnId: text(300),
  platform: text(60),
  model: text(120),
  /** only what the plugin knows for sure */
  origin: z.enum(origins).optional().catch(undefined),
};

/** What Hermes' plugin tells of one hook. The plugin has cut and masked it; it is masked again before it is stored. */
export const telemetryEventSchema = z.discriminatedUnion("hook", [
  z.object({ ...common, hook: z.literal("pre_llm_call"), first: yes }),
  z.object({
    ...common,
    hook: z.literal("post_tool_call"),
    tool: z.string().min(1).max(200),
    callId: text(200),
    status: z.enum(toolStatuses).catch("ok"),
    ms: z.number().min(0).max(1e9).transform(Math.round).optional().catch(undefined),
    errorType: text(120),
    errorMessage: text(1_000),
    args: z.record(z.string(), z.unknown()).optional().catch(undefined),
    result: text(4_000),
    resultTail: text(400),
    resultChars: whole,
  }),
  z.object({
    ...common,
    hook: z.literal("on_session_end"),
    completed: yes,
    interrupted: yes,
    failed: yes,
    exitReason: text(200),
  }),
  z.object({ ...common, hook: z.literal("post_llm_call"), userChars: whole, replyChars: whole }),
  z.object({ ...common, hook: z.literal("post_api_request"), inputTokens: whole, outputTokens: whole }),
  z.object({
    ...common,
    hook: z.literal("api_request_error"),
    statusCode: text(20),
    retry: whole,
    retryable: yes,
    reason: text(300),
    errorType: text(120),
  }),
  z.object({ ...common, hook: z.literal("subagent_start"), childSessionId: text(200), role: text(120) }),
  z.object({
    ...common,
    hook: z.literal("subagent_stop"),
    childSessionId: text(200),
    role: text(120),
    status: text(60),
    ms: whole,
  }),
  z.object({
    ...common,
    hook: z.literal("pre_approval_request"),
    conversation: text(300),
    pattern: text(300),
    surface: text(60),
    callId: text(200),
  }),
  z.object({
    ...common,
    hook: z.literal("post_approval_response"),
    conversation: text(300),
    pattern: text(300),
    surface: text(60),
    callId: text(200),
    choice: text(60),
  }),
]);

export type TelemetryEvent = z.infer<typeof telemetryEventSchema>;
