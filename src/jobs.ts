import { CardRest } from "./bot/card-rest.ts";
import type { ChatParts } from "./bot/converse.ts";
import type { Lark } from "./bot/lark.ts";
import { handleMessages, type MessageParts } from "./bot/on-message.ts";
import type { ServerFacts } from "./bot/server-facts.ts";
import type { ServerTools } from "./bot/server-tools.ts";
import { syncCards } from "./bot/sync-cards.ts";
import { tidyInboxFiles } from "./bot/tidy-inbox-files.ts";
import { tellAnswers } from "./engine/chat/tell-answers.ts";
import type { TurnRunner } from "./engine/chat/turn-runner.ts";
import { dream } from "./engine/evolution/dream.ts";
import { executeApproved } from "./engine/evolution/execute-approved.ts";
import { expireProposals } from "./engine/evolution/expire-proposals.ts";
import { judgeUnits } from "./engine/evolution/judge-units.ts";
import { sendReport } from "./engine/evolution/send-report.ts";
import type { GoalRunner } from "./engine/goal/goal-runner.ts";
import { watchHermesGoals } from "./engine/goal/watch-hermes-goals.ts";
import { dueReminders } from "./engine/proactive/due-reminders.ts";
import { settleDeliveries } from "./engine/proactive/settle-deliveries.ts";
import { tick } from "./engine/proactive/tick.ts";
import type { Scope } from "./engine/scope.ts";
import { tidy } from "./engine/tidy.ts";
import { dailyAt, every, type Job, type JobOutcome } from "./job.ts";

export interface JobParts {
  lark: Lark;
  botOpenId: MessageParts["botOpenId"];
  poke: (job: string) => void;
  server: ServerFacts;
  /** the turns of Hermes that this process runs */
  turns: TurnRunner;
  /** the goals this process works on */
  goals: GoalRunner;
  chat: ChatParts;
  tools?: ServerTools | undefined;
  /** files of the agent's are sent from inside of these only */
  fileFolders: readonly string[];
  /** notes how things outside stand */
  pulse: (scope: Scope) => Promise<void>;
}

/**
 * Every background job. Sweeps claim their rows by themselves and are woken by whatever made the work; the minute is
 * only their safety net.
 */
export function jobTable(parts: JobParts): readonly Job[] {
  const rest = new CardRest({
    nowMs: () => performance.now(),
    later: (ms) => void setTimeout(() => parts.poke("sync-cards"), ms).unref(),
  });
  return [
    {
      name: "proactive-tick",
      when: (settings) => every(settings.tickMinutes),
      missed: "skip",
      async run(scope): Promise<JobOutcome> {
        const result = await tick(scope, {});
        parts.poke("sync-cards");
        if (result.outcome === "failed") return { outcome: "failed", reason: result.ref ?? "model" };
        // The reason of a silent tick is what /why shows.
        if (result.outcome === "silent") return { outcome: "no_op", reason: result.reason ?? "nothing_new" };
        return { outcome: "done", reason: result.outcome };
      },
    },
    {
      name: "due-reminders",
      when: () => every(1),
      missed: "skip",
      sweep: true,
      async run(scope): Promise<JobOutcome> {
        const said = await dueReminders(scope);
        if (said.spoken === 0) return { outcome: "no_op", reason: "nothing_due" };
        parts.poke("sync-cards");
        return { outcome: "done" };
      },
    },
    {
      name: "handle-messages",
      when: () => every(1),
      missed: "skip",
      sweep: true,
      async run(scope, { signal }): Promise<JobOutcome> {
        const { handled } = await handleMessages({
          scope,
          botOpenId: parts.botOpenId,
          poke: parts.poke,
          chat: parts.chat,
          tools: parts.tools,
          signal,
        });
        return handled === 0 ? { outcome: "no_op", reason: "nothing_waiting" } : { outcome: "done" };
      },
    },
    {
      name: "run-waiting-turns",
      when: () => every(1),
      missed: "skip",
      sweep: true,
      async run(scope): Promise<JobOutcome> {
        // Turns go on behind the sweep: one that takes an hour holds up nothing.
        const begun = await parts.turns.sweep(scope);
        return begun === 0 ? { outcome: "no_op", reason: "nothing_waiting" } : { outcome: "done" };
      },
    },
    {
      name: "advance-goals",
      when: () => every(1),
      missed: "skip",
      sweep: true,
      async run(scope): Promise<JobOutcome> {
        const taken = await parts.goals.sweep(scope);
        return taken === 0 ? { outcome: "no_op", reason: "nothing_waiting" } : { outcome: "done" };
      },
    },
    {
      name: "watch-hermes-goals",
      when: () => every(1),
      missed: "skip",
      sweep: true,
      async run(scope): Promise<JobOutcome> {
        const changed = await watchHermesGoals(scope);
        if (changed === 0) return { outcome: "no_op", reason: "nothing_new" };
        parts.poke("sync-cards");
        return { outcome: "done" };
      },
    },
    {
      name: "answer-hermes",
      when: () => every(1),
      missed: "skip",
      sweep: true,
      async run(scope): Promise<JobOutcome> {
        const moved = await tellAnswers(scope);
        if (moved === 0) return { outcome: "no_op", reason: "nothing_waiting" };
        parts.poke("sync-cards");
        return { outcome: "done" };
      },
    },
    {
      name: "sync-cards",
      when: () => every(1),
      missed: "skip",
      sweep: true,
      async run(scope, { signal }): Promise<JobOutcome> {
        const { lark, server, fileFolders } = parts;
        const { sent, changed, putOff, gaveUp } = await syncCards(scope, { lark, server, fileFolders, signal, rest });
        if (sent + gaveUp > 0) await settleDeliveries(scope);
        return sent + changed + putOff + gaveUp === 0
          ? { outcome: "no_op", reason: "nothing_owed" }
          : { outcome: "done" };
      },
    },
    {
      name: "dream",
      when: (settings) => dailyAt(settings.dreamAt),
      missed: "run_once",
      async run(scope, { signal }): Promise<JobOutcome> {
        const result = await dream(scope, { kind: "job", name: "dream" }, { signal });
        parts.poke("sync-cards");
        return result.outcome === "running" ? { outcome: "no_op", reason: "already_running" } : { outcome: "done" };
      },
    },
    {
      name: "daily-report",
      when: (settings) => dailyAt(settings.reportAt),
      missed: "run_once",
      relevantMinutes: 4 * 60,
      async run(scope): Promise<JobOutcome> {
        const result = await sendReport(scope);
        if (result.outcome === "no_op") return result;
        parts.poke("sync-cards");
        return { outcome: "done" };
      },
    },
    {
      name: "execute-approved",
      when: () => every(1),
      missed: "skip",
      sweep: true,
      async run(scope, { signal }): Promise<JobOutcome> {
        const { executed, reverted, failed } = await executeApproved(scope, signal);
        if (executed + reverted + failed === 0) return { outcome: "no_op", reason: "nothing_approved" };
        parts.poke("sync-cards");
        return { outcome: "done" };
      },
    },
    {
      name: "judge-units",
      when: () => dailyAt("02:30"),
      missed: "run_once",
      async run(scope): Promise<JobOutcome> {
        const { judged, reverted } = await judgeUnits(scope);
        if (judged === 0) return { outcome: "no_op", reason: "no_trials" };
        if (reverted > 0) parts.poke("execute-approved");
        parts.poke("sync-cards");
        return { outcome: "done" };
      },
    },
    {
      name: "expire-proposals",
      when: () => dailyAt("03:10"),
      missed: "run_once",
      async run(scope): Promise<JobOutcome> {
        const { expired } = await expireProposals(scope);
        if (expired === 0) return { outcome: "no_op", reason: "nothing_expired" };
        parts.poke("sync-cards");
        return { outcome: "done" };
      },
    },
    {
      name: "pulse",
      when: () => every(1),
      missed: "skip",
      sweep: true,
      async run(scope): Promise<JobOutcome> {
        await parts.pulse(scope);
        return { outcome: "done" };
      },
    },
    {
      name: "tidy",
      when: () => dailyAt("04:20"),
      missed: "run_once",
      async run(scope): Promise<JobOutcome> {
        await tidy(scope);
        await tidyInboxFiles(scope, parts.chat.inboxFolder);
        return { outcome: "done" };
      },
    },
  ];
}
