import { z } from "zod";
import type { DocumentView } from "../../cards/document-card.ts";
import type { RunView } from "../../cards/run-card.ts";
import type { RunListView } from "../../cards/run-list-card.ts";
import { readTries } from "../../engine/proactive/decide-run.ts";
import { documentNames } from "../../engine/proactive/run.ts";
import type { ViewContext } from "./view-context.ts";

export const RUNS_PER_PAGE = 5;

const count = z.number().catch(0).default(0);
/** As the run wrote them down; a run that ended early has none. */
const countsSchema = z
  .object({ newMessages: count, candidates: count, sent: count })
  .catch({ newMessages: 0, candidates: 0, sent: 0 })
  .transform(({ newMessages, candidates, sent }) => ({ messages: newMessages, candidates, sent }));

/** A run with its decisions, what became of its message, and what the models cost. */
export async function runView(context: ViewContext, runId: string): Promise<RunView | undefined> {
  const { db, agent } = context.scope;
  const run = await db.checkpoint.findFirst({ where: { runId, agentId: agent.id } });
  if (run === null) return undefined;
  const [candidates, delivery, documents, calls] = [
    await db.candidate.findMany({ where: { runId, agentId: agent.id }, orderBy: { index: "asc" } }),
    await db.delivery.findFirst({ where: { runId, agentId: agent.id }, orderBy: { createdAt: "desc" } }),
    await db.runDocument.findMany({ where: { runId, agentId: agent.id }, select: { name: true } }),
    await db.modelCall.aggregate({
      where: { runId, agentId: agent.id },
      _count: { _all: true },
      _sum: { inputTokens: true, outputTokens: true },
    }),
  ];
  const kept = new Set(documents.map((row) => row.name));
  return {
    run: run.runId,
    startedAt: run.startedAt,
    windowStart: run.windowStart,
    windowEnd: run.windowEnd,
    outcome: outcomeOf(run),
    reason: run.reason,
    ...(run.extractor === null ? {} : { extractor: run.extractor }),
    ...(run.editor === null ? {} : { editor: run.editor }),
    tries: readTries(run.editorTries),
    counts: countsSchema.parse(run.counts),
    ...(calls._count._all === 0
      ? {}
      : {
          usage: {
            calls: calls._count._all,
            inputTokens: calls._sum.inputTokens ?? 0,
            outputTokens: calls._sum.outputTokens ?? 0,
          },
        }),
    ...(run.error === null ? {} : { error: run.error }),
    ...(delivery === null
      ? {}
      : {
          delivery: {
            status: delivery.status as "pending" | "delivered" | "failed",
            ...(delivery.settledAt === null ? {} : { at: delivery.settledAt }),
          },
        }),
    candidates: candidates.map((candidate) => ({
      index: candidate.index,
      title: candidate.title,
      ...(candidate.decision === null ? {} : { decision: candidate.decision as "send" | "skip" }),
      ...(candidate.reason === null ? {} : { reason: candidate.reason }),
      ...(candidate.note === null ? {} : { note: candidate.note }),
    })),
    documents: documentNames.filter((name) => kept.has(name)),
  };
}

/** One page of the latest runs, newest first. */
export async function runListView(context: ViewContext, page: number): Promise<RunListView> {
  const { db, agent } = context.scope;
  const total = await db.checkpoint.count({ where: { agentId: agent.id } });
  const pages = Math.max(1, Math.ceil(total / RUNS_PER_PAGE));
  const at = Math.min(Math.max(1, page), pages);
  const runs = await db.checkpoint.findMany({
    where: { agentId: agent.id },
    orderBy: { startedAt: "desc" },
    skip: (at - 1) * RUNS_PER_PAGE,
    take: RUNS_PER_PAGE,
  });
  return {
    page: at,
    pages,
    runs: runs.map((run) => ({
      run: run.runId,
      startedAt: run.startedAt,
      outcome: outcomeOf(run),
      counts: countsSchema.parse(run.counts),
    })),
  };
}

/** One document of a run; undefined when it was never written or is past its time. */
export async function documentView(
  context: ViewContext,
  at: { runId: string; name: string; page: number },
): Promise<DocumentView | undefined> {
  const { db, agent } = context.scope;
  const document = await db.runDocument.findFirst({ where: { runId: at.runId, name: at.name, agentId: agent.id } });
  if (document === null) return undefined;
  const run = await db.checkpoint.findFirst({
    where: { runId: at.runId, agentId: agent.id },
    select: { startedAt: true },
  });
  return {
    run: at.runId,
    startedAt: run?.startedAt ?? document.createdAt,
    name: document.name,
    content: document.content,
    page: at.page,
  };
}

function outcomeOf(run: { status: string; outcome: string | null }): string {
  return run.status === "committed"
    ? (run.outcome ?? "nothing_to_say")
    : run.outcome === "failed"
      ? "failed"
      : run.status;
}
