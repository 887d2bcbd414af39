import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { PageMessage } from "../../src/playground/page-api.ts";
import { type AppUnderTest, cardOf, findControl, startAppUnderTest } from "../helpers/app-under-test.ts";

let world: AppUnderTest;
beforeEach(async () => {
  world = await startAppUnderTest();
});
afterEach(() => world.close());

const proposals = () => world.app.scope.db.evolutionProposal.findMany({ orderBy: { number: "asc" } });
const proposalOf = async (type: string) => {
  const found = (await proposals()).find((each) => each.type === type);
  if (!found) throw new Error(`no proposal of the kind ${type}`);
  return found;
};
const texts = (message: PageMessage): string => JSON.stringify(message.content);
const latest = (words: string): PageMessage => {
  const found = world.botMessages().findLast((message) => texts(message).includes(words));
  if (!found) throw new Error(`no message with "${words}"`);
  return found;
};
const inHome = (...path: string[]): string => join(world.hermesHome, ...path);
/** The button of one proposal on a card that shows several. */
const buttonOf = (message: PageMessage, action: string, proposal: string): { tag: string; value: unknown } => {
  const find = (node: unknown): { tag: string; value: unknown } | undefined => {
    if (typeof node !== "object" || node === null) return undefined;
    const control = findControl([node], action);
    if (control && JSON.stringify(control.value).includes(proposal) && "behaviors" in node) return control;
    for (const inner of Object.values(node)) {
      const found = find(inner);
      if (found) return found;
    }
    return undefined;
  };
  const found = find(cardOf(message));
  if (!found) throw new Error(`no ${action} for ${proposal}`);
  return found;
};
const tap = async (message: PageMessage, action: string, proposal: string) => {
  const { tag, value } = buttonOf(message, action, proposal);
  const answer = await world.platform.tap({
    messageId: message.messageId,
    userId: world.platform.people.owner.openId,
    tag,
    value,
  });
  await world.settle();
  return answer;
};

describe("an approval's life", () => {
  test("the evening brings one card; a tap changes the home; revert takes it back to the byte", async () => {
    // The night's look back was caught up with at start; the evening brings its report, once.
    await world.at("2026-11-30T11:00:30Z");
    await world.at("2026-11-30T11:01:30Z");
    const cards = world.botMessages().filter((message) => texts(message).includes("2026-11-29 的回顾"));
    expect(cards).toHaveLength(1);
    const report = latest("2026-11-29 的回顾");
    expect(texts(report)).toContain("重复读取 3 次");
    expect(texts(report)).toContain("mirror.example.com");
    expect(texts(report)).toContain("暂时性的");

    // Details: the diff and the evidence, before anything is decided.
    const preference = await proposalOf("tool_preference");
    await tap(report, "proposal.show", preference.id);
    const details = latest("写到 PERFORMANCE.md");
    expect(texts(details)).toContain("+ - 同一个文件没有改动时不要重复读取");
    expect(existsSync(inHome("PERFORMANCE.md"))).toBe(false);

    // Approve: executed within the same moment, shown on every card, and its trial begins.
    const answer = await tap(report, "proposal.approve", preference.id);
    expect(answer.toast).toMatchObject({ type: "success" });
    expect(readFileSync(inHome("PERFORMANCE.md"), "utf8")).toContain("- 同一个文件没有改动时不要重复读取");
    expect(await proposalOf("tool_preference")).toMatchObject({ status: "executed" });
    expect(texts(latest("2026-11-29 的回顾"))).toContain("✓ 已执行");
    expect(texts(latest("写到 PERFORMANCE.md"))).toContain("✓ 已执行");
    expect(await world.app.scope.db.improvementUnit.count({ where: { status: "active" } })).toBe(1);

    // Revert: nothing is left of it.
    await tap(latest("写到 PERFORMANCE.md"), "proposal.revert", preference.id);
    expect(existsSync(inHome("PERFORMANCE.md"))).toBe(false);
    expect(await proposalOf("tool_preference")).toMatchObject({ status: "reverted" });
  });

  test("a skill appears in its own folder and disappears on /revert", async () => {
    await world.say("owner", "/proposals");
    const skill = await proposalOf("skill_create");
    await world.say("owner", `/approve ${skill.number}`);
    const { name } = skill.payload as { name: string };
    const text = readFileSync(inHome("skills", "herald", name, "SKILL.md"), "utf8");
    expect(text).toMatch(/^---\nname: "[a-z0-9._-]+"\ndescription: ".+"\n/);
    await world.say("owner", `/revert ${skill.number}`);
    expect(existsSync(inHome("skills", "herald", name))).toBe(false);
  });

  test("a strategy comes into force as a version, is given to the plugin, and can be switched off", async () => {
    const strategy = await proposalOf("strategy_adjust");
    await world.say("owner", `/approve ${strategy.number}`);
    const versions = () => world.app.scope.db.strategyVersion.findMany({ orderBy: { version: "asc" } });
    expect(await versions()).toMatchObject([{ version: 1, activeUntil: null }]);
    await world.say("owner", "/strategies");
    expect(texts(latest("生效中的策略"))).toContain("terminal npm ci");
    await world.say("owner", "/strategies off 1");
    expect((await versions()).map(({ activeUntil }) => activeUntil === null)).toEqual([false, true]);
    await world.say("owner", `/revert ${strategy.number}`);
    const last = (await versions()).at(-1);
    expect(last?.strategies).toEqual([]);
  });

  test("reject asks why in one tap, and the same night again does not bring it back", async () => {
    const before = await proposalOf("tool_preference");
    await world.say("owner", "/proposals");
    const list = latest("等你决定的提案");
    await tap(list, "proposal.reject", before.id);
    const card = latest("为什么拒绝");
    await tap(card, "proposal.why", "we_do_it_otherwise");
    expect(await proposalOf("tool_preference")).toMatchObject({ status: "rejected", reason: "we_do_it_otherwise" });
    await world.say("owner", "/dream 2026-11-29");
    const kinds = (await proposals()).filter(({ type }) => type === "tool_preference");
    expect(kinds).toHaveLength(1);
  });

  test("a change that somebody else made meanwhile is shown and not written over", async () => {
    const preference = await proposalOf("tool_preference");
    writeFileSync(inHome("PERFORMANCE.md"), "# Mine\n");
    await world.say("owner", `/approve ${preference.number}`);
    const written = readFileSync(inHome("PERFORMANCE.md"), "utf8");
    expect(written.startsWith("# Mine\n")).toBe(true);
    writeFileSync(inHome("PERFORMANCE.md"), `${written}\nAdded by hand.\n`);
    await world.say("owner", `/revert ${preference.number}`);
    // Ours goes, what was added stays.
    expect(readFileSync(inHome("PERFORMANCE.md"), "utf8")).toMatch(/^# Mine\n[\s\S]*Added by hand\.\n$/);
    expect(readFileSync(inHome("PERFORMANCE.md"), "utf8")).not.toContain("herald:begin");
  });

  test("a member may neither see nor decide, and nothing changes", async () => {
    const preference = await proposalOf("tool_preference");
    await world.say("member", `/approve ${preference.number}`);
    expect(await proposalOf("tool_preference")).toMatchObject({ status: "pending_approval" });
    expect(existsSync(inHome("PERFORMANCE.md"))).toBe(false);
  });

  test("a kill after the approval executes it once after the start", async () => {
    const preference = await proposalOf("tool_preference");
    await world.app.scope.db.evolutionProposal.update({
      where: { id: preference.id },
      data: {
        status: "approved",
        decidedBy: world.platform.people.owner.openId,
        decidedAt: world.app.scope.clock.now(),
      },
    });
    await world.restart();
    await world.at("2026-11-30T02:05:00Z");
    expect(await proposalOf("tool_preference")).toMatchObject({ status: "executed" });
    expect(readFileSync(inHome("PERFORMANCE.md"), "utf8").match(/同一个文件没有改动/g)).toHaveLength(1);
  });
});
