import type { Origin } from "./telemetry.ts";
import type { TelemetryEvent } from "./telemetry-event.ts";
import { toolOutcome } from "./tool-outcome.ts";

/** What some events say of one turn. Counts are added to what stands; everything else fills in. */
export interface TurnPiece {
  sessionId?: string;
  origin: Origin;
  platform?: string;
  model?: string;
  startedAt?: Date;
  endedAt?: Date;
  completed?: boolean;
  interrupted?: boolean;
  failed?: boolean;
  exitReason?: string;
  userChars?: number;
  replyChars?: number;
  updatedAt: Date;
  counts: Partial<
    Record<"apiCalls" | "apiErrors" | "toolCalls" | "toolErrors" | "subagents" | "inputTokens" | "outputTokens", number>
  >;
}

/** One more event of the turn. The order in which events come does not matter. */
export function mergeTurn(
  before: TurnPiece | undefined,
  event: TelemetryEvent & { when: Date; origin: Origin },
): TurnPiece {
  const { when } = event;
  const piece: TurnPiece = {
    ...before,
    origin: before === undefined || before.origin === "person" ? event.origin : before.origin,
    updatedAt: before && before.updatedAt > when ? before.updatedAt : when,
    counts: { ...before?.counts },
  };
  if (event.sessionId !== undefined) piece.sessionId = event.sessionId;
  if (event.platform !== undefined) piece.platform = event.platform;
  if (event.model !== undefined) piece.model = event.model;
  const count = (name: keyof TurnPiece["counts"], by = 1): void => {
    piece.counts[name] = (piece.counts[name] ?? 0) + by;
  };
  switch (event.hook) {
    case "pre_llm_call":
      piece.startedAt = when;
      break;
    case "post_tool_call":
      count("toolCalls");
      if (!toolOutcome(event).success) count("toolErrors");
      break;
    case "on_session_end":
      piece.endedAt = when;
      if (event.completed !== undefined) piece.completed = event.completed;
      if (event.interrupted !== undefined) piece.interrupted = event.interrupted;
      if (event.failed !== undefined) piece.failed = event.failed;
      if (event.exitReason !== undefined) piece.exitReason = event.exitReason;
      break;
    case "post_llm_call":
      if (event.userChars !== undefined) piece.userChars = event.userChars;
      if (event.replyChars !== undefined) piece.replyChars = event.replyChars;
      break;
    case "post_api_request":
      count("apiCalls");
      if (event.inputTokens !== undefined) count("inputTokens", event.inputTokens);
      if (event.outputTokens !== undefined) count("outputTokens", event.outputTokens);
      break;
    case "api_request_error":
      count("apiErrors");
      break;
    case "subagent_start":
      count("subagents");
      break;
    case "subagent_stop":
    case "pre_approval_request":
    case "post_approval_response":
      break;
    default:
      event satisfies never;
  }
  return piece;
}
