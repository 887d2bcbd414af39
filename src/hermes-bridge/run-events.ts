import { z } from "zod";
import type { RunApprovals } from "./run-approvals.ts";
import { type TurnEnd, type TurnProgress, whyLine } from "./turn-progress.ts";

const text = z.string().optional().catch(undefined);
const number = z.number().optional().catch(undefined);

export const usageSchema = z.looseObject({ input_tokens: number, output_tokens: number }).optional().catch(undefined);

const approvalSchema = z.looseObject({
  command: z.string().catch(""),
  description: text,
  choices: z.array(z.string()).optional().catch(undefined),
  request_id: text,
});

const eventSchema = z.looseObject({
  event: z.string(),
  delta: text,
  tool: text,
  preview: text,
  duration: number,
  error: z.unknown().optional(),
  output: z.unknown().optional(),
  usage: usageSchema,
  request_id: text,
  pending_steer: text,
});
type RunEvent = z.infer<typeof eventSchema>;

const statusSchema = z.looseObject({
  status: z.string(),
  session_id: text,
  output: z.unknown().optional(),
  error: z.unknown().optional(),
  usage: usageSchema,
  pending_steer: text,
  approval: approvalSchema.optional().catch(undefined),
});
export type RunStatus = z.infer<typeof statusSchema>;

/** Undefined for what is no status of a run. */
export function readRunStatus(body: unknown): RunStatus | undefined {
  return statusSchema.safeParse(body).data;
}

/** How the run ended as its status says; undefined while it goes on. */
export function endOfStatus(status: RunStatus): TurnEnd | undefined {
  switch (status.status) {
    case "completed":
      return completed(status);
    case "failed":
      return { outcome: "failed", why: whyLine(status.error, "failed") };
    case "cancelled":
      return { outcome: "stopped" };
    case "interrupted":
      return { outcome: "lost", why: "hermes_restarted" };
    default:
      return undefined;
  }
}

type Handler = (event: RunEvent, progress: TurnProgress, approvals: RunApprovals) => TurnEnd | undefined;

/** The model speaks again: whatever it had asked for is decided by now, by a person or by a time-out. */
function speaks(approvals: RunApprovals): void {
  if (approvals.open) approvals.voidAll();
}

const handlers: Readonly<Record<string, Handler>> = {
  "message.delta": ({ delta }, progress, approvals) => {
    speaks(approvals);
    progress.say(delta ?? "");
    return undefined;
  },
  "reasoning.available": (_event, _progress, approvals) => {
    speaks(approvals);
    return undefined;
  },
  "tool.started": ({ tool, preview }, progress) => {
    progress.tool(tool ?? "tool", "started", preview === undefined ? {} : { preview });
    return undefined;
  },
  "tool.completed": ({ tool, duration, error }, progress) => {
    progress.tool(tool ?? "tool", error ? "failed" : "completed", duration === undefined ? {} : { seconds: duration });
    return undefined;
  },
  "approval.request": (event, _progress, approvals) => {
    askAgain(approvalSchema.parse(event), approvals);
    return undefined;
  },
  "approval.responded": ({ request_id }, _progress, approvals) => {
    approvals.responded(request_id);
    return undefined;
  },
  "run.completed": (event) => completed(event),
  "run.failed": ({ error }) => ({ outcome: "failed", why: whyLine(error, "failed") }),
  "run.cancelled": () => ({ outcome: "stopped" }),
  "run.interrupted": () => ({ outcome: "lost", why: "hermes_restarted" }),
};

/** Shows a question that the stream or the status told of; one that has a name is shown once. */
export function askAgain(asked: z.infer<typeof approvalSchema>, approvals: RunApprovals): void {
  const { command, description, choices, request_id } = asked;
  approvals.ask({
    command,
    ...(description !== undefined && { description }),
    ...(choices !== undefined && { choices }),
    ...(request_id !== undefined && { requestId: request_id }),
  });
}

/** Takes one event of a run's stream; the end when it was the last. Unknown events and broken JSON mean nothing. */
export function takeRunEvent(data: string, progress: TurnProgress, approvals: RunApprovals): TurnEnd | undefined {
  const event = readJson(data, eventSchema);
  return event && Object.hasOwn(handlers, event.event)
    ? handlers[event.event]?.(event, progress, approvals)
    : undefined;
}

/** A run that ends without a reply has failed, whatever it is called. */
function completed({ output, usage, pending_steer }: Pick<RunEvent, "output" | "usage" | "pending_steer">): TurnEnd {
  const reply = typeof output === "string" ? output : "";
  return {
    ...(reply.trim() === "" ? { outcome: "failed", why: "empty_reply" } : { outcome: "completed", text: reply }),
    ...tokens(usage),
    ...(pending_steer && { undelivered: pending_steer }),
  };
}

export function tokens(usage: z.infer<typeof usageSchema>): Pick<TurnEnd, "inputTokens" | "outputTokens"> {
  return {
    ...(usage?.input_tokens !== undefined && { inputTokens: usage.input_tokens }),
    ...(usage?.output_tokens !== undefined && { outputTokens: usage.output_tokens }),
  };
}

export function readJson<T>(data: string, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.safeParse(JSON.parse(data)).data;
  } catch {
    return undefined;
  }
}
