import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { commands } from "../../src/bot/commands/index.ts";
import { InHand } from "../../src/bot/in-hand.ts";
import { handleMessages } from "../../src/bot/on-message.ts";
import { tapHandler } from "../../src/bot/on-tap.ts";
import { ACTIONS, type ActionName } from "../../src/cards/actions.ts";
import { noteShown, wantCard } from "../../src/engine/card-posts.ts";
import { inTransaction } from "../../src/engine/db.ts";
import { takeEvent } from "../../src/engine/inbox/take-event.ts";
import type { Role } from "../../src/engine/scope.ts";
import { LANGUAGES, textsFor } from "../../src/text/pick.ts";
import { admin, type Given, given, member, owner } from "../helpers/given.ts";
import { openTestDb, type TestDb } from "../helpers/test-db.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

/**
 * The one table of who may: the least role for every press on a card and every command. A new action or command does not
 * pass before it has its row here. What is refused says so and is recorded; a stranger is refused everything.
 */
const ACTION_NEEDS: Readonly<Record<ActionName, Role>> = {
  "item.done": "member",
  "item.drop": "member",
  "item.snooze": "member",
  "item.snoozeAt": "member",
  "item.carryOn": "member",
  "item.fewer": "member",
  "item.undo": "member",
  "items.page": "member",
  "run.show": "admin",
  "run.document": "admin",
  "run.list": "admin",
  "status.refresh": "admin",
  "prefs.save": "admin",
  "settings.group": "admin",
  "settings.save": "admin",
  "people.grant": "admin",
  "people.revoke": "admin",
  "audit.list": "admin",
  "goal.pause": "member",
  "goal.resume": "member",
  "goal.stop": "member",
  "goal.clear": "member",
  "goal.raise": "member",
  "goal.criterion": "member",
  "goal.details": "member",
  "goal.show": "member",
  "proposal.approve": "admin",
  "proposal.reject": "admin",
  "proposal.why": "admin",
  "proposal.whyWords": "admin",
  "proposal.later": "admin",
  "proposal.show": "admin",
  "proposal.revert": "admin",
  "proposals.approveLow": "admin",
  "report.show": "admin",
  "report.again": "admin",
  "strategy.switch": "admin",
  "pending.adopt": "admin",
  "kind.resume": "admin",
  "tick.run": "admin",
  "turn.stop": "member",
  "turn.retry": "member",
  "question.answer": "member",
  "question.say": "member",
};

const COMMAND_NEEDS: Readonly<Record<string, Role>> = {
  help: "member",
  new: "member",
  stop: "member",
  sessions: "member",
  resume: "member",
  title: "member",
  retry: "member",
  items: "member",
  done: "member",
  drop: "member",
  snooze: "member",
  remind: "member",
  whoami: "member",
  lang: "member",
  zone: "member",
  why: "member",
  tick: "admin",
  runs: "admin",
  run: "admin",
  dream: "admin",
  report: "admin",
  proposals: "admin",
  approve: "admin",
  reject: "admin",
  revert: "admin",
  strategies: "admin",
  quiet: "admin",
  prefs: "admin",
  pause: "admin",
  unpause: "admin",
  settings: "admin",
  set: "admin",
  members: "admin",
  grant: "admin",
  revoke: "admin",
  audit: "admin",
  goal: "member",
  goals: "member",
  subgoal: "member",
  status: "admin",
  doctor: "admin",
  backup: "owner",
};

const ROLES = ["owner", "admin", "member"] as const;
const WHO = { owner, admin, member, stranger: { openId: "ou_stranger" } } as const;
type Who = keyof typeof WHO;
const PLACES = ["private", "group"] as const;
const GROUP = "oc_team";

const passes = (who: Who, least: Role): boolean => who !== "stranger" && ROLES.indexOf(who) <= ROLES.indexOf(least);
const rows = <Name extends string>(needs: Readonly<Record<Name, Role>>) =>
  (Object.keys(needs) as Name[]).flatMap((name) =>
    (Object.keys(WHO) as Who[]).flatMap((who) =>
      PLACES.map((place) => ({ name, who, place, may: passes(who, needs[name]) })),
    ),
  );

/** What each button would carry; ids that exist nowhere will do, for rights come before everything else. */
const PAYLOADS: Partial<Record<ActionName, Record<string, unknown>>> = {
  "proposal.approve": { proposal: "prop_1", rev: 1 },
  "proposal.reject": { proposal: "prop_1", rev: 1 },
  "proposal.why": { proposal: "prop_1", reason: "not_now" },
  "proposal.whyWords": { proposal: "prop_1" },
  "proposal.later": { proposal: "prop_1" },
  "proposal.show": { proposal: "prop_1" },
  "proposal.revert": { proposal: "prop_1" },
  "proposals.approveLow": { seen: [{ proposal: "prop_1", rev: 1 }] },
  "report.show": { date: "2026-11-29" },
  "report.again": { date: "2026-11-29" },
  "strategy.switch": { strategy: "rule-1", on: true },
  "pending.adopt": { pending: "w1" },
  "kind.resume": { kind: "skill_create" },
  "item.snooze": { until: "1h" },
  "item.undo": { decision: "dec_1" },
  "items.page": { list: "open", page: 1 },
  "run.show": { run: "run_1" },
  "run.document": { run: "run_1", name: "MEMORIES.md" },
  "run.list": { page: 1 },
  "settings.group": { group: "reminders" },
  "settings.save": { group: "reminders" },
  "people.grant": { openId: "ou_new", role: "member" },
  "people.revoke": { openId: "ou_new" },
  "audit.list": { page: 1 },
  "goal.raise": { goal: "goal_1", budget: 3 },
  "goal.details": { goal: "goal_1", open: true },
  "turn.stop": { turn: "turn_1" },
  "turn.retry": { turn: "turn_1" },
  "question.answer": { question: "q_1", choice: 0 },
  "question.say": { question: "q_1" },
};
const FORM = { text: "x", dailyMessages: "4" };

let db: TestDb;
let g: Given;
let count = 0;
beforeAll(async () => {
  db = await openTestDb();
  g = given(db.db);
  await g.people();
});
afterAll(() => db.release());

const chatOf = (who: Who, place: (typeof PLACES)[number]): string =>
  place === "group" ? GROUP : `oc_dm_${WHO[who].openId.slice(3)}`;
const refusals = async (what: string): Promise<string[]> => {
  const entries = await db.db.auditEntry.findMany({ where: { agentId: "agent-a", what }, orderBy: { at: "asc" } });
  return entries.map((entry) => String((entry.after as { why?: unknown } | null)?.why));
};

describe("a press on a card", () => {
  test("of every action has a row in the table, and a payload it takes", () => {
    expect(Object.keys(ACTION_NEEDS).sort()).toEqual(Object.keys(ACTIONS).sort());
  });

  test("is let through or refused by the operator's role alone, in private and in a group", async () => {
    const tap = tapHandler({
      scope: g.a,
      server: { version: "0", nextRunAt: () => undefined } as unknown as Parameters<typeof tapHandler>[0]["server"],
      inHand: new InHand(),
      poke: () => {},
    });
    const wrong: string[] = [];
    for (const { name, who, place, may } of rows(ACTION_NEEDS)) {
      const item = await g.item({
        audience: place === "group" ? "chat" : "private",
        ...(place === "group" && { chatId: GROUP }),
      } as never);
      const chatId = chatOf(who, place);
      const number = ++count;
      const { postId } = await inTransaction(g.a.db, (tx) =>
        wantCard(tx, g.a, {
          subject: { kind: "help", id: `h${number}` },
          to: { chatId },
          language: "zh",
          idempotencyKey: `matrix-${number}`,
        }),
      );
      const post = await db.db.cardPost.findUniqueOrThrow({ where: { id: postId } });
      await noteShown(g.a, post as never, { shown: 1, messageId: `om_card_${number}`, chatId, sentAs: "card" });
      const before = await refusals("tap.refused");
      const payload =
        PAYLOADS[name] ?? (name.startsWith("goal.") ? { goal: "goal_1" } : name.startsWith("item.") ? {} : {});
      await tap({
        kind: "tap",
        dedupeKey: `tap-${number}`,
        appId: "cli_x",
        operatorOpenId: WHO[who].openId,
        messageId: `om_card_${number}`,
        chatId,
        tag: "button",
        value: {
          v: 1,
          post: postId,
          action: name,
          payload:
            name.startsWith("item.") && name !== "item.undo"
              ? { item: item.id, rev: item.revision, ...payload }
              : payload,
        },
        formValue: FORM,
        option: "2026-12-01 10:00 +0800",
      });
      const why = (await refusals("tap.refused")).slice(before.length)[0];
      const expected = may
        ? !["forbidden", "stranger", "outOfDate", "notOurs", "wrongPlace"].includes(why ?? "")
        : why === (who === "stranger" ? "stranger" : "forbidden");
      if (!expected) wrong.push(`${name} by ${who} in ${place}: ${why ?? "done"}`);
    }
    expect(wrong).toEqual([]);
  });
});

/** The group hears only that the answer went elsewhere; the answer itself goes to whoever asked. */
function isPrivate(posts: readonly { receiveId: string; view: unknown }[], openId: string): boolean {
  const here = posts.filter((post) => post.receiveId === GROUP);
  // An earlier row may have changed the language.
  const words = LANGUAGES.map((language) => textsFor(language).command.toldInPrivate);
  const told = here.every((post) => words.includes((post.view as { text: string }).text));
  return told && posts.some((post) => post.receiveId === openId);
}

describe("a command", () => {
  test("of every name has a row in the table", () => {
    expect(Object.keys(COMMAND_NEEDS).sort()).toEqual(commands.map((command) => command.name).sort());
  });

  test("is carried out or refused by the sender's role, and what only admins may ask is answered in the direct chat", async () => {
    const wrong: string[] = [];
    for (const { name, who, place, may } of rows(COMMAND_NEEDS)) {
      const command = commands.find((each) => each.name === name);
      const number = ++count;
      const chatId = chatOf(who, place);
      const before = (await refusals("command.refused")).length;
      const messageId = `om_cmd_${number}`;
      await takeEvent(g.a, {
        dedupeKey: messageId,
        kind: "message",
        chatId,
        senderOpenId: WHO[who].openId,
        payload: {
          dedupeKey: messageId,
          messageId,
          chatId,
          chatType: place === "group" ? "group" : "p2p",
          senderOpenId: WHO[who].openId,
          text: place === "group" ? `@_user_1 ${command?.example.zh}` : command?.example.zh,
          mentions: place === "group" ? [{ key: "@_user_1", openId: "ou_bot", name: "Herald" }] : [],
          sentAt: g.a.clock.now().toISOString(),
        },
      });
      const known = new Set((await db.db.cardPost.findMany({ select: { id: true } })).map(({ id }) => id));
      await handleMessages({ scope: g.a, botOpenId: () => "ou_bot", poke: () => {} });
      const posts = (await db.db.cardPost.findMany()).filter(
        ({ id, agentId }) => agentId === "agent-a" && !known.has(id),
      );
      const refused = (await refusals("command.refused")).slice(before);
      const problems = [
        ...(who !== "stranger" && may && refused.includes("forbidden") ? ["refused"] : []),
        ...(who !== "stranger" && !may && !refused.includes("forbidden") ? ["let through"] : []),
        ...(who === "stranger" && posts.some((post) => post.subjectKind !== "line") ? ["a stranger got a card"] : []),
        ...(may && posts.length === 0 ? ["no answer"] : []),
        ...(may && place === "group" && COMMAND_NEEDS[name] !== "member" && !isPrivate(posts, WHO[who].openId)
          ? ["answered in the group"]
          : []),
      ];
      if (problems.length > 0) wrong.push(`/${name} by ${who} in ${place}: ${problems.join(", ")}`);
    }
    expect(wrong).toEqual([]);
  });
});
