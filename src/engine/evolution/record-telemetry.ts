import { inTransaction, type Tx } from "../db.ts";
import { jsonColumnOrNull } from "../json-column.ts";
import { maskSecrets } from "../mask-secrets.ts";
import { maskValue } from "../mask-value.ts";
import { machineSources } from "../proactive/human-message.ts";
import type { Scope } from "../scope.ts";
import { likenessHash, textHash } from "./input-likeness.ts";
import { mergeTurn, type TurnPiece } from "./merge-turn.ts";
import type { Origin } from "./telemetry.ts";
import type { TelemetryEvent } from "./telemetry-event.ts";
import { toolOutcome } from "./tool-outcome.ts";

export interface TelemetryBatch {
  /** made by the plugin, the same on every try */
  batch: string;
  /** entries lost in the plugin since it started */
  dropped: number;
  events: readonly TelemetryEvent[];
}

const INPUT_CHARS = 600;
const MESSAGE_CHARS = 300;
/** A clock of Hermes' that runs further ahead than this is not believed. */
const AHEAD_MS = 86_400_000;

/**
 * Takes in what Hermes' hooks told. The same batch again changes nothing, batches may come late and in any order, and what is
 * stored is masked here whatever the plugin has masked already.
 * @returns how many events were new; 0 for a repeat
 */
export async function recordTelemetry(scope: Scope, batch: TelemetryBatch): Promise<{ recorded: number }> {
  const events = batch.events.map((event) => ({ ...event, when: instantOf(event.at, scope.clock.now()) }));
  // Two that arrive at once and meet at a key: the second fails as a whole and is sent again.
  return inTransaction(scope.db, async (tx) => {
    const id = batch.batch;
    if (await tx.telemetryBatch.findUnique({ where: { id }, select: { id: true } })) return { recorded: 0 };
    const { dropped } = batch;
    await tx.telemetryBatch.create({
      data: { id, agentId: scope.agent.id, receivedAt: scope.clock.now(), events: events.length, dropped },
      select: { id: true },
    });
    const own = await ownSessions(tx, scope, events);
    const told = events.map((event) => ({ ...event, origin: originOf(event, own) }));
    await recordTools(tx, scope, told);
    await recordSignals(tx, scope, told);
    await recordTurns(tx, scope, told);
    return { recorded: events.length };
  });
}

type Told = TelemetryEvent & { when: Date; origin: Origin };
type Hook<H extends TelemetryEvent["hook"]> = Extract<Told, { hook: H }>;

function ofHook<H extends TelemetryEvent["hook"]>(events: readonly Told[], hook: H): Hook<H>[] {
  return events.filter((event): event is Hook<H> => event.hook === hook);
}

async function recordTools(tx: Tx, scope: Scope, events: readonly Told[]): Promise<void> {
  const calls = ofHook(events, "post_tool_call");
  if (calls.length === 0) return;
  await tx.toolInvocation.createMany({
    data: calls.map((call) => {
      const input = call.args === undefined ? undefined : JSON.stringify(maskValue(call.args, { personal: true }));
      const { success, errorType } = toolOutcome(call);
      return {
        agentId: scope.agent.id,
        source: "hook",
        sessionId: call.sessionId ?? "",
        turnId: call.turnId ?? null,
        toolCallId: call.callId ?? null,
        toolName: call.tool,
        origin: call.origin,
        platform: call.platform ?? null,
        at: call.when,
        durationMs: call.ms ?? null,
        success,
        status: call.status,
        errorType: errorType ?? null,
        errorMessage: success ? null : shown(call.errorMessage ?? (call.result ?? "").slice(0, MESSAGE_CHARS)),
        input: input?.slice(0, INPUT_CHARS) ?? null,
        inputHash: input === undefined ? null : textHash(input),
        inputLikeness: input === undefined ? null : likenessHash(input),
        resultHash:
          call.result === undefined
            ? null
            : textHash(shown(`${call.result}\n${call.resultTail ?? ""}\n${call.resultChars ?? ""}`, 10_000)),
        resultChars: call.resultChars ?? null,
      };
    }),
  });
}

/** What says by itself how a session went; what people's words say is found by whoever reads the conversation. */
async function recordSignals(tx: Tx, scope: Scope, events: readonly Told[]): Promise<void> {
  const signals = events.flatMap((event) => {
    const signal = signalOf(event);
    if (signal === undefined) return [];
    return {
      agentId: scope.agent.id,
      source: "hook",
      sessionId: event.sessionId ?? "",
      turnId: event.turnId ?? null,
      origin: event.origin,
      signalType: signal.type,
      value: signal.value,
      metadata: jsonColumnOrNull(signal.metadata && (maskValue(signal.metadata) as object)),
      at: event.when,
    };
  });
  if (signals.length > 0) await tx.outcomeSignal.createMany({ data: signals });
}

function signalOf(event: Told): { type: string; value: number; metadata?: object } | undefined {
  switch (event.hook) {
    case "api_request_error":
      return {
        type: "api_error",
        value: event.retryable === true ? 0.5 : 1,
        metadata: {
          statusCode: event.statusCode,
          reason: event.reason,
          errorType: event.errorType,
          retry: event.retry,
          model: event.model,
        },
      };
    case "on_session_end":
      return isBudgetExhausted(event)
        ? { type: "budget_exhausted", value: 1, metadata: { exitReason: event.exitReason } }
        : undefined;
    case "post_approval_response":
      return event.choice === "deny"
        ? { type: "approval_denied", value: 1, metadata: { pattern: event.pattern, surface: event.surface } }
        : undefined;
    case "subagent_stop":
      return event.status !== undefined && !/^(ok|done|success|completed?)$/i.test(event.status)
        ? { type: "subagent_failed", value: 1, metadata: { role: event.role, status: event.status } }
        : undefined;
    default:
      return undefined;
  }
}

/** 0.16 names no reason: a turn neither completed nor interrupted nor failed has used up its iterations. */
function isBudgetExhausted({ completed, interrupted, failed, exitReason }: Hook<"on_session_end">): boolean {
  if (exitReason !== undefined) return /^(budget_exhausted|max_iterations_reached)/.test(exitReason);
  return completed === false && interrupted === false && failed !== true;
}

async function recordTurns(tx: Tx, scope: Scope, events: readonly Told[]): Promise<void> {
  const pieces = new Map<string, TurnPiece>();
  for (const event of events) {
    if (event.turnId === undefined) continue;
    pieces.set(event.turnId, mergeTurn(pieces.get(event.turnId), event));
  }
  const agentId = scope.agent.id;
  const known = await tx.turnRecord.findMany({ where: { agentId, turnId: { in: [...pieces.keys()] } } });
  for (const [turnId, piece] of pieces) {
    const before = known.find((row) => row.turnId === turnId);
    const { startedAt, endedAt, updatedAt, counts, ...rest } = piece;
    const facts = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
    if (before === undefined) {
      await tx.turnRecord.create({
        data: {
          origin: "person",
          sessionId: "",
          ...facts,
          ...counts,
          agentId,
          source: "hook",
          turnId,
          startedAt: startedAt ?? null,
          endedAt: endedAt ?? null,
          updatedAt,
        },
        select: { id: true },
      });
      continue;
    }
    await tx.turnRecord.update({
      where: { id: before.id },
      data: {
        ...facts,
        ...(before.origin !== "person" && { origin: before.origin }),
        ...(startedAt && { startedAt }),
        ...(endedAt && { endedAt }),
        ...added(counts, before),
        ...(updatedAt > before.updatedAt && { updatedAt }),
      },
      select: { id: true },
    });
  }
}

/** A first count of tokens is written, not added to nothing. */
function added(
  counts: TurnPiece["counts"],
  before: { inputTokens: number | null; outputTokens: number | null },
): Record<string, number | { increment: number }> {
  return Object.fromEntries(
    Object.entries(counts).map(([name, count]) => {
      const first = (name === "inputTokens" || name === "outputTokens") && before[name] === null;
      return [name, first ? count : { increment: count }];
    }),
  );
}

/** Sessions of turns Herald itself asked for, and what they are for. */
async function ownSessions(
  tx: Tx,
  scope: Scope,
  events: readonly TelemetryEvent[],
): Promise<ReadonlyMap<string, Origin>> {
  const ids = [...new Set(events.map((event) => event.sessionId).filter((id) => id !== undefined))];
  if (ids.length === 0) return new Map();
  const rows = await tx.ownTurn.findMany({
    where: { agentId: scope.agent.id, sessionId: { in: ids } },
    select: { sessionId: true, purpose: true },
  });
  return new Map(rows.map(({ sessionId, purpose }) => [sessionId ?? "", purpose === "goal" ? "goal" : "editorial"]));
}

function originOf(event: TelemetryEvent, own: ReadonlyMap<string, Origin>): Origin {
  if (event.origin !== undefined) return event.origin;
  const purpose = own.get(event.sessionId ?? "");
  if (purpose !== undefined) return purpose;
  if (event.platform === "subagent") return "subagent";
  return (machineSources as readonly string[]).includes(event.platform ?? "") ? "machine" : "person";
}

function shown(text: string, most = MESSAGE_CHARS): string {
  return maskSecrets(text, { personal: true }).slice(0, most);
}

function instantOf(seconds: number, now: Date): Date {
  const at = new Date(seconds * 1000);
  const believable = !Number.isNaN(at.getTime()) && at.getTime() > 0 && at.getTime() - now.getTime() <= AHEAD_MS;
  return believable ? at : now;
}
