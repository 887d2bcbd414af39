import { z } from "zod";
import { currentSession } from "../../engine/chat/session.ts";
import { inTransaction } from "../../engine/db.ts";
import { isEngineError } from "../../engine/errors.ts";
import { clearGoal } from "../../engine/goal/clear-goal.ts";
import { criteriaOf } from "../../engine/goal/find-goal.ts";
import type { Goal } from "../../engine/goal/goal.ts";
import { goalBeside } from "../../engine/goal/goal-beside.ts";
import { pauseGoal } from "../../engine/goal/pause-goal.ts";
import { resumeGoal } from "../../engine/goal/resume-goal.ts";
import { setGoal } from "../../engine/goal/set-goal.ts";
import { addCriterion, clearCriteria, removeCriterion, setCheck } from "../../engine/goal/subgoals.ts";
import { readSettings } from "../../engine/settings.ts";
import { type CommandContext, type CommandReply, defineCommand } from "../command.ts";
import { presentGoal } from "../present-goal.ts";

const VERBS: Readonly<Record<string, "status" | "pause" | "resume" | "clear">> = {
  "": "status",
  status: "status",
  状态: "status",
  pause: "pause",
  暂停: "pause",
  resume: "resume",
  继续: "resume",
  clear: "clear",
  stop: "clear",
  done: "clear",
  放弃: "clear",
};
/** The word that takes a check back. */
const NO_CHECK = /^(?:clear|none|off|清除|取消|无)$/iu;

export const goal = defineCommand({
  name: "goal",
  needs: "goal.set",
  usage: "/goal [<text>|status|pause|resume|clear|check <command>]",
  summary: (t) => t.goal.summary.goal,
  example: { zh: "/goal 修好所有失败的测试", en: "/goal fix all failing tests" },
  expects: "goal",
  args: z.string().transform((rest) => {
    const said = rest.trim();
    const verb = VERBS[said.toLowerCase()];
    if (verb !== undefined) return { verb } as const;
    const check = /^(?:check|检查)(?:\s+([\s\S]+))?$/iu.exec(said);
    if (check) return { verb: "check", text: check[1]?.trim() } as const;
    return { verb: "set", text: said } as const;
  }),
  async run(ctx, args) {
    if (args.verb === "set") return begin(ctx, args.text);
    const found = await presentGoal(ctx);
    if (found === undefined) return { line: await noneHere(ctx) };
    const { t } = ctx.reader;
    switch (args.verb) {
      case "status":
        return cardOf(ctx, found);
      case "pause": {
        const { outcome, goal: now } = await pauseGoal(ctx.scope, ctx.who, found.id);
        if (outcome === "already") return { line: t.goal.alreadyPaused };
        return { line: `${t.goal.paused(now.turnsUsed, now.budget)}\n${t.goal.resumeHow}` };
      }
      case "resume": {
        const { outcome, goal: now } = await resumeGoal(ctx.scope, ctx.who, found.id);
        ctx.wake("advance-goals");
        return { line: outcome === "already" ? t.goal.alreadyActive : t.goal.resumed(now.budget) };
      }
      case "clear":
        await clearGoal(ctx.scope, ctx.who, found.id);
        return { line: t.goal.cleared };
      case "check":
        return check(ctx, found, args.text);
      default:
        return args satisfies never;
    }
  },
});

export const subgoal = defineCommand({
  name: "subgoal",
  needs: "goal.set",
  usage: "/subgoal [<text>|remove N|clear]",
  summary: (t) => t.goal.summary.subgoal,
  example: { zh: "/subgoal 文档也要更新", en: "/subgoal the docs are updated too" },
  expects: "criterion",
  args: z.string().transform((rest, context) => {
    const said = rest.trim();
    if (said === "") return { verb: "list" } as const;
    if (/^(?:clear|清空)$/iu.test(said)) return { verb: "clear" } as const;
    const remove = /^(?:remove|rm|去掉|删除)(?:\s+#?(\d{1,4}))?$/iu.exec(said);
    if (remove) {
      if (remove[1] === undefined) {
        context.addIssue({ code: "custom", message: "number" });
        return z.NEVER;
      }
      return { verb: "remove", number: Number(remove[1]) } as const;
    }
    return { verb: "add", text: said } as const;
  }),
  async run(ctx, args) {
    const found = await presentGoal(ctx);
    const { goal: t } = ctx.reader.t;
    if (found === undefined) return { line: await noneHere(ctx) };
    switch (args.verb) {
      case "list": {
        const criteria = await criteriaOf(ctx.scope.db, ctx.scope, found.id);
        if (criteria.length === 0) return { line: t.subgoal.none };
        const lines = criteria.map(({ number, text, metAt }) => `${metAt === null ? "☐" : "☑"} ${number}. ${text}`);
        return { line: [t.subgoal.list, ...lines].join("\n") };
      }
      case "add": {
        const added = await addCriterion(ctx.scope, ctx.who, found.id, args.text);
        return { line: t.subgoal.added(added.number, added.text) };
      }
      case "remove": {
        const removed = await removeCriterion(ctx.scope, ctx.who, found.id, args.number);
        return { line: t.subgoal.removed(removed.number) };
      }
      case "clear":
        return { line: t.subgoal.cleared(await clearCriteria(ctx.scope, ctx.who, found.id)) };
      default:
        return args satisfies never;
    }
  },
});

export const goals = defineCommand({
  name: "goals",
  needs: "goal.set",
  usage: "/goals",
  summary: (t) => t.goal.summary.goals,
  example: "/goals",
  expects: "nothing",
  // Goals of direct chats stand in the list.
  private: true,
  args: z.literal(""),
  run: async ({ who }) => ({
    card: { subject: { kind: "goal-list", id: who.openId }, view: { viewer: who.openId } },
  }),
});

/** No goal in this conversation: where there is one, if another conversation of this chat has one at work. */
async function noneHere({ scope, chat, reader: { t } }: CommandContext): Promise<string> {
  const beside = await goalBeside(scope, chat);
  return beside === undefined ? t.goal.none : t.goal.elsewhere(beside.session, beside.goal.number);
}

async function begin(ctx: CommandContext, text: string): Promise<CommandReply> {
  const { scope, who, reader } = ctx;
  if (scope.turns.way === "none") return { line: reader.t.goal.notConnected };
  const { groupSessions } = await readSettings(scope);
  try {
    const set = await inTransaction(scope.db, async (tx) => {
      const inside = { ...scope, db: tx };
      const session = await currentSession(tx, inside, ctx.chat, groupSessions);
      return setGoal(inside, who, { session, place: ctx.chat, language: reader.language, text });
    });
    ctx.wake("advance-goals");
    return cardOf(ctx, set);
  } catch (error) {
    if (isEngineError(error, "wrong_state") && error.facts.state === "running") return { line: reader.t.goal.running };
    throw error;
  }
}

async function check(ctx: CommandContext, found: Goal, text: string | undefined): Promise<CommandReply> {
  const { goal: t } = ctx.reader.t;
  if (text === undefined) return { line: found.check === null ? t.check.none : t.check.set(found.check) };
  const given = NO_CHECK.test(text) ? undefined : text;
  await setCheck(ctx.scope, ctx.who, found.id, given);
  return { line: given === undefined ? t.check.cleared : t.check.set(given) };
}

function cardOf({ who, place }: CommandContext, { id }: Goal): CommandReply {
  return { card: { subject: { kind: "goal", id }, view: { viewer: who.openId, chatType: place.chatType } } };
}
