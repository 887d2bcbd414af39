import { z } from "zod";
import { retryTurn } from "../../engine/chat/retry-turn.ts";
import { goalTurnRuns } from "../../engine/chat/session.ts";
import { stopTurn } from "../../engine/chat/stop-turn.ts";
import {
  lastEndedTurn,
  listSessions,
  newSession,
  resumeSession,
  titleSession,
  unfinishedTurns,
} from "../../engine/chat/switch-session.ts";
import { goalBeside } from "../../engine/goal/goal-beside.ts";
import { stopGoalTurn } from "../../engine/goal/stop-goal-turn.ts";
import { type CommandContext, type CommandReply, defineCommand } from "../command.ts";
import { presentGoal } from "../present-goal.ts";

const SESSIONS_SHOWN = 10;
const TITLE_CHARS = 80;

export const newChat = defineCommand({
  name: "new",
  needs: "chat",
  usage: "/new",
  summary: (t) => t.chat.summary.new,
  example: "/new",
  expects: "nothing",
  args: z.literal(""),
  async run(ctx) {
    const session = await newSession(ctx.scope, ctx.who, ctx.chat);
    const { t } = ctx.reader;
    const beside = await goalBeside(ctx.scope, ctx.chat);
    const line = t.chat.command.newSession(session.number);
    if (beside === undefined) return { line };
    return { line: `${line}\n${t.goal.goesOnThere(beside.session, beside.goal.number)}` };
  },
});

export const stop = defineCommand({
  name: "stop",
  needs: "chat",
  usage: "/stop [all]",
  summary: (t) => t.chat.summary.stop,
  example: "/stop",
  expects: "stopAll",
  args: z
    .string()
    .toLowerCase()
    .pipe(z.enum(["", "all"])),
  async run(ctx, which) {
    const { t } = ctx.reader;
    const { running, waiting } = await unfinishedTurns(ctx.scope, ctx.chat);
    if (which === "all") {
      let count = 0;
      for (const turnId of [...(running === undefined ? [] : [running]), ...waiting]) {
        const { outcome } = await stopTurn(ctx.scope, ctx.who, { turnId });
        if (outcome === "taken_back" || outcome === "asked") count++;
      }
      const goal = await stopGoal(ctx);
      if (goal === "asked") count++;
      ctx.wake("run-waiting-turns");
      return { line: count === 0 ? t.chat.command.nothingRuns : t.chat.command.stoppedAll(count) };
    }
    // What runs comes before what waits.
    if (running === undefined) {
      const goal = await stopGoal(ctx);
      if (goal === "impossible") return { line: t.chat.toast.cannotStop };
      if (goal !== "nothing_runs") return { line: t.goal.toast.stopped };
    }
    const [next] = waiting;
    const turnId = running ?? next;
    if (turnId === undefined) return { line: t.chat.command.nothingRuns };
    const { outcome } = await stopTurn(ctx.scope, ctx.who, { turnId });
    ctx.wake("run-waiting-turns");
    if (outcome === "impossible") return { line: t.chat.toast.cannotStop };
    if (outcome === "taken_back") return { line: t.chat.toast.takenBack };
    return { line: waiting.length > 0 ? t.chat.command.stoppedWithQueue(waiting.length) : t.chat.command.stopped };
  },
});

/** What runs may be a turn of a goal, here or in the conversation one has left: it ends, the goal does not. */
async function stopGoal(ctx: CommandContext): Promise<Awaited<ReturnType<typeof stopGoalTurn>>["outcome"]> {
  const here = await presentGoal(ctx);
  for (const goal of [here, (await goalBeside(ctx.scope, ctx.chat))?.goal]) {
    if (goal === undefined || !(await goalTurnRuns(ctx.scope.db, ctx.scope, [goal.sessionId]))) continue;
    const { outcome } = await stopGoalTurn(ctx.scope, ctx.who, goal.id);
    ctx.wake("advance-goals");
    if (outcome !== "nothing_runs") return outcome;
  }
  return "nothing_runs";
}

export const sessions = defineCommand({
  name: "sessions",
  needs: "chat",
  usage: "/sessions",
  summary: (t) => t.chat.summary.sessions,
  example: "/sessions",
  expects: "nothing",
  args: z.literal(""),
  async run({ scope, chat, reader }) {
    const { command } = reader.t.chat;
    const rows = await listSessions(scope, chat, SESSIONS_SHOWN);
    if (rows.length === 0) return { line: command.noSessions };
    const lines = rows.map(({ number, title, firstSaid, usedAt, currentOf }) =>
      command.session(number, title ?? brief(firstSaid) ?? command.untitled, reader.when(usedAt), currentOf !== null),
    );
    return { line: [command.sessions, ...lines, command.sessionsHow].join("\n") };
  },
});

export const resume = defineCommand({
  name: "resume",
  needs: "chat",
  usage: "/resume N",
  summary: (t) => t.chat.summary.resume,
  example: "/resume 2",
  expects: "session",
  args: z
    .string()
    .regex(/^#?\d{1,6}$/)
    .transform((text) => Number(text.replace("#", ""))),
  async run({ scope, who, chat, reader }, number) {
    const { command } = reader.t.chat;
    const { outcome, session } = await resumeSession(scope, who, chat, number);
    if (outcome === "already") return { line: command.alreadyThere(session.number) };
    return { line: command.resumed(session.number, session.title ?? "").trim() };
  },
});

export const title = defineCommand({
  name: "title",
  needs: "chat",
  usage: "/title <text>",
  summary: (t) => t.chat.summary.title,
  example: { zh: "/title 报价单", en: "/title the quote" },
  expects: "title",
  args: z.string().min(1).max(TITLE_CHARS),
  async run({ scope, who, chat, reader }, text) {
    const session = await titleSession(scope, who, chat, text);
    return { line: reader.t.chat.command.titled(session.title ?? "") };
  },
});

export const retry = defineCommand({
  name: "retry",
  needs: "chat",
  usage: "/retry",
  summary: (t) => t.chat.summary.retry,
  example: "/retry",
  expects: "nothing",
  args: z.literal(""),
  run: async (ctx) => retryLast(ctx),
});

async function retryLast(ctx: CommandContext): Promise<CommandReply> {
  const { command } = ctx.reader.t.chat;
  if (ctx.scope.turns.way === "none") return { line: ctx.reader.t.chat.notConnected };
  // Quoting a reply names it; otherwise the last one is meant.
  const quoted = ctx.repliedTo?.subjectKind === "turn" ? ctx.repliedTo.subjectId : undefined;
  const turnId = quoted ?? (await lastEndedTurn(ctx.scope, ctx.chat));
  if (turnId === undefined) return { line: command.nothingToRetry };
  const { outcome } = await retryTurn(ctx.scope, ctx.who, { turnId });
  ctx.wake("run-waiting-turns");
  return { line: outcome === "queued" ? command.retried : command.alreadyRetried };
}

function brief(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const points = [...text.replace(/\s+/gu, " ").trim()];
  return points.length <= 30 ? points.join("") : `${points.slice(0, 29).join("")}…`;
}
