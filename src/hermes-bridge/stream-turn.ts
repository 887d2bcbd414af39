import { z } from "zod";
import { type Followed, followTranscript, LEFT } from "./follow-run.ts";
import { type ApiAnswer, ApiAway } from "./hermes-api.ts";
import { readJson, tokens, usageSchema } from "./run-events.ts";
import type { TurnInput } from "./turn-input.ts";
import { type TurnEnd, type TurnProgress, whyLine } from "./turn-progress.ts";

const text = z.string().optional().catch(undefined);

const payloadSchema = z.looseObject({
  session_id: text,
  run_id: text,
  delta: text,
  tool_name: text,
  preview: text,
  content: z.unknown().optional(),
  interrupted: z.boolean().optional().catch(undefined),
  partial: z.boolean().optional().catch(undefined),
  message: z.unknown().optional(),
  error: z.unknown().optional(),
  usage: usageSchema,
});
type Payload = z.infer<typeof payloadSchema>;

/** What the stream has told so far about how the turn ends. */
interface Ending {
  final?: TurnEnd;
  sessionId?: string;
  usage?: Payload["usage"];
}

type Handler = (payload: Payload, progress: TurnProgress, ending: Ending) => void;

const handlers: Readonly<Record<string, Handler>> = {
  "assistant.delta": ({ delta }, progress) => progress.say(delta ?? ""),
  "tool.started": ({ tool_name, preview }, progress) =>
    progress.tool(tool_name ?? "tool", "started", preview === undefined ? {} : { preview }),
  "tool.completed": ({ tool_name }, progress) => progress.tool(tool_name ?? "tool", "completed"),
  "tool.failed": ({ tool_name }, progress) => progress.tool(tool_name ?? "tool", "failed"),
  "assistant.completed": (payload, _progress, ending) => {
    const { content, interrupted, partial, session_id } = payload;
    // A compression gives the session a new name, which only this payload tells.
    if (session_id) ending.sessionId = session_id;
    const reply = typeof content === "string" ? content : "";
    // A turn that failed is reported as completed, with null in the place of the reply.
    if (interrupted) ending.final = { outcome: "stopped", ...(reply && { text: reply }) };
    else if (reply.trim() === "") ending.final = { outcome: "failed", why: whyLine(payload.error, "empty_reply") };
    else ending.final = { outcome: partial ? "failed" : "completed", text: reply, ...(partial && { why: "partial" }) };
  },
  "run.completed": ({ usage, session_id }, _progress, ending) => {
    ending.usage = usage;
    if (session_id) ending.sessionId = session_id;
  },
  error: ({ message, error }, _progress, ending) => {
    ending.final = { outcome: "failed", why: whyLine(message ?? error, "failed") };
  },
};

/**
 * Runs a turn by the stream of its session, to its end.
 * @param begun told the run's id as soon as it is known
 * @returns the refusal when Hermes did not begin it
 * @throws ApiAway when it cannot be told whether Hermes began it (`began`), or it did not
 */
export async function streamTurn(
  turn: Followed,
  input: TurnInput,
  headers: Readonly<Record<string, string>>,
  begun: (runId: string | undefined) => void,
): Promise<TurnEnd | { refused: ApiAnswer }> {
  const { api, progress, left } = turn;
  const stream = await api.stream("POST", `/api/sessions/${encodeURIComponent(turn.sessionId)}/chat/stream`, {
    signal: left,
    headers,
    body: {
      message: input.parts ?? input.text,
      ...(input.instructions !== undefined && { instructions: input.instructions }),
    },
  });
  if ("refused" in stream) return stream;
  begun(undefined);
  const ending: Ending = {};
  try {
    for await (const { event, data } of stream.events) {
      if (event === "done" || data === "[DONE]") break;
      const payload = readJson(data, payloadSchema);
      if (payload === undefined) continue;
      if (payload.run_id) begun(payload.run_id);
      if (Object.hasOwn(handlers, event)) handlers[event]?.(payload, progress, ending);
    }
  } catch (error) {
    if (!(error instanceof ApiAway)) throw error;
  }
  if (left.aborted && ending.final === undefined) return LEFT;
  const end = ending.final ?? (await followTranscript(turn));
  return { ...end, ...tokens(ending.usage), ...(ending.sessionId && { sessionId: ending.sessionId }) };
}
