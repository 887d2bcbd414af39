import { z } from "zod";
import { approveProposal } from "../../engine/evolution/approve-proposal.ts";
import { dateOf, daysBefore } from "../../engine/evolution/day-of.ts";
import { dream as lookBack } from "../../engine/evolution/dream.ts";
import { findProposal } from "../../engine/evolution/find-proposal.ts";
import type { Proposal } from "../../engine/evolution/proposal.ts";
import { rejectProposal } from "../../engine/evolution/reject-proposal.ts";
import { revertProposal } from "../../engine/evolution/revert-proposal.ts";
import { readSettings } from "../../engine/settings.ts";
import { switchStrategy } from "../../engine/strategy/switch-strategy.ts";
import { type CommandContext, type CommandReply, defineCommand } from "../command.ts";

const date = z.union([z.literal(""), z.string().regex(/^\d{4}-\d{2}-\d{2}$/)]);
const number = z
  .string()
  .regex(/^[#＃]?\d{1,9}$/)
  .transform((text) => Number(text.replace(/\D/g, "")));

export const dream = defineCommand({
  name: "dream",
  needs: "dream.run",
  usage: "/dream [date]",
  summary: (t) => t.command.summary.dream,
  example: "/dream 2026-11-29",
  expects: "pastDate",
  args: date,
  // Reads Hermes and may ask a model.
  reachesOut: true,
  async run({ scope, who, reader: { t }, wake }, given) {
    const result = await lookBack(scope, who, given === "" ? {} : { date: given });
    if (result.outcome === "running") return { line: t.evolution.command.dreamRunning(result.date) };
    wake("sync-cards");
    return { line: t.evolution.command.dreamDone(result.date, result.sessions, result.proposals) };
  },
});

export const report = defineCommand({
  name: "report",
  needs: "evolution.read",
  usage: "/report [date]",
  summary: (t) => t.command.summary.report,
  example: "/report 2026-11-29",
  expects: "pastDate",
  args: date,
  async run(ctx, given) {
    const { scope, reader } = ctx;
    const { t } = reader;
    const agentId = scope.agent.id;
    const found = await scope.db.reflectionReport.findFirst({
      where: { agentId, ...(given !== "" && { date: given }) },
      orderBy: { date: "desc" },
      select: { date: true },
    });
    if (found) return { card: { subject: { kind: "report", id: found.date }, view: forViewer(ctx) } };
    const { zone } = await readSettings(scope);
    const missing = given === "" ? daysBefore(dateOf(scope.clock.now(), zone), 1) : given;
    return { line: t.evolution.command.noReport(missing) };
  },
});

export const proposals = defineCommand({
  name: "proposals",
  needs: "evolution.read",
  usage: "/proposals",
  summary: (t) => t.command.summary.proposals,
  example: "/proposals",
  expects: "nothing",
  args: z.literal(""),
  run: async (ctx) => ({ card: { subject: { kind: "proposal-list", id: "open" }, view: forViewer(ctx) } }),
});

export const approve = defineCommand({
  name: "approve",
  needs: "proposal.decide",
  usage: "/approve N",
  summary: (t) => t.command.summary.approve,
  example: "/approve 3",
  expects: "proposalNumber",
  args: number,
  async run(ctx, n) {
    const { scope, who, reader, wake } = ctx;
    const { id, revision } = await findProposal(scope, { number: n });
    const result = await approveProposal(scope, who, { id, seenRevision: revision });
    if (result.outcome === "already") return alreadyLine(ctx, result.proposal);
    wake("execute-approved");
    return { line: reader.t.evolution.command.approved(n, result.proposal.title) };
  },
});

export const reject = defineCommand({
  name: "reject",
  needs: "proposal.decide",
  usage: "/reject N [why]",
  summary: (t) => t.command.summary.reject,
  example: { zh: "/reject 3 我们用 fd", en: "/reject 3 we use fd" },
  expects: "proposalNumber",
  args: z
    .string()
    .regex(/^[#＃]?\d{1,9}(?:\s[\s\S]{0,400})?$/)
    .transform((text) => {
      const [, n = "", why = ""] = /^[#＃]?(\d+)\s*([\s\S]*)$/.exec(text) ?? [];
      return { n: Number(n), why: why.trim() };
    }),
  async run(ctx, { n, why }) {
    const { scope, who, reader } = ctx;
    const { id } = await findProposal(scope, { number: n });
    const result = await rejectProposal(scope, who, { id, ...(why !== "" && { reason: why }) });
    if (result.outcome === "already") return alreadyLine(ctx, result.proposal);
    return { line: reader.t.evolution.command.rejected(n, result.proposal.title) };
  },
});

export const revert = defineCommand({
  name: "revert",
  needs: "proposal.revert",
  usage: "/revert N",
  summary: (t) => t.command.summary.revert,
  example: "/revert 3",
  expects: "proposalNumber",
  args: number,
  async run(ctx, n) {
    const { scope, who, reader, wake } = ctx;
    const { id } = await findProposal(scope, { number: n });
    const result = await revertProposal(scope, who, { id });
    if (result.outcome === "already") return alreadyLine(ctx, result.proposal);
    wake("execute-approved");
    return { line: reader.t.evolution.command.reverting(n, result.proposal.title) };
  },
});

export const strategies = defineCommand({
  name: "strategies",
  needs: "evolution.read",
  usage: "/strategies [on N | off N]",
  summary: (t) => t.command.summary.strategies,
  example: "/strategies off 2",
  expects: "strategySwitch",
  args: z
    .string()
    .regex(/^(?:(?:on|off)\s+\d{1,4})?$/i)
    .transform((text) => {
      const [, word, n] = /^(on|off)\s+(\d+)$/i.exec(text) ?? [];
      return word === undefined || n === undefined ? undefined : { on: word.toLowerCase() === "on", n: Number(n) };
    }),
  async run(ctx, args) {
    const { scope, who, reader } = ctx;
    if (args === undefined) return { card: { subject: { kind: "strategies", id: "now" }, view: forViewer(ctx) } };
    const { title } = await switchStrategy(scope, who, { which: args.n, on: args.on });
    const { switched } = reader.t.evolution.command;
    return { line: args.on ? switched.on(title) : switched.off(title) };
  },
});

/** Who looks, so that the card knows what they may do. */
function forViewer({ who, place }: CommandContext): Readonly<Record<string, unknown>> {
  return { viewer: who.openId, chatType: place.chatType };
}

function alreadyLine({ reader: { t } }: CommandContext, { number: n, title, status }: Proposal): CommandReply {
  return { line: t.evolution.command.already(n, title, t.evolution.proposal.states[status]) };
}
