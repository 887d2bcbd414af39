import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import type { TurnResult } from "../../src/engine/ports.ts";
import { extractByRules } from "../../src/engine/proactive/extract-by-rules.ts";
import { rulesInput } from "../../src/engine/proactive/find-by-rules.ts";
import { voiceOf } from "../../src/engine/proactive/human-message.ts";
import { processClock } from "../../src/process-clock.ts";
import { type Playground, startPlayground } from "../../src/start-playground.ts";
import { aTurn, listening } from "../helpers/fake-hermes-api.ts";
import { testLog } from "../helpers/test-log.ts";
import { until } from "../helpers/until.ts";

let playground: Playground;
beforeAll(async () => {
  const cwd = mkdtempSync(join(tmpdir(), "herald-stand-in-"));
  const { config } = readConfig({
    env: { HERALD_PORT: "0", HERMES_HOME: join(cwd, "none"), HERALD_TIME_ZONE: "Asia/Shanghai" },
    cwd,
    home: cwd,
    hostZone: "UTC",
  });
  const clock = processClock(new Date("2026-11-30T02:00:00Z"));
  playground = await startPlayground(config, { log: testLog(), say: () => {}, clock });
}, 60_000);
afterAll(() => playground.release());

const ignore = (): void => {};
async function say(text: string, sessionId?: string): Promise<TurnResult> {
  return playground.app.scope.turns.run(aTurn(text, sessionId === undefined ? {} : { sessionId }), ignore);
}

describe("the playground's stand-in for Hermes", () => {
  it("answers through the same adapter as a real one, and says in both languages that it is a stand-in", async () => {
    const { turns } = playground.app.scope;
    expect(turns.way).toBe("api-server");
    await until(() => turns.abilities().approvals);
    const zh = await say("你好");
    expect(zh.text).toMatch(/我是演练场里的替身，不是真的 Hermes/);
    const en = await say("hello");
    expect(en.text).toMatch(/stand-in, not the real Hermes/);
    const next = await say("周五前把报价单发给客户", zh.sessionId);
    expect(next.text).toContain("收到：“周五前把报价单发给客户”");
    expect(next.text).toMatch(/（替身的回答）$/);
    expect((await say("总结一下", zh.sessionId)).text).toContain("2. 周五前把报价单发给客户");
  }, 60_000);

  it.each([
    ["来张表格", /\|\s*启明印务\s*\|/],
    ["give me a table", /\| Qiming Print \|/],
    ["写段代码", /```js\nimport/],
    ["列个清单", /^- 确认印刷报价$/m],
    ["搜索一下", /找到了两份文档/],
  ])(
    "does simple things: %s",
    async (text, expected) => {
      expect((await say(text)).text).toMatch(expected);
    },
    60_000,
  );

  it("asks for a dangerous command, and a no is a no", async () => {
    const heard = listening();
    const { turns } = playground.app.scope;
    const running = turns.run(aTurn("来一次审批"), heard.on);
    const asked = await heard.next("approval");
    expect(asked.command).toContain("rm -rf ./build");
    expect(await turns.answer(asked.ref, "deny")).toBe(true);
    expect((await running).text).toContain("你没有批准");
  }, 60_000);

  it("fails on demand", async () => {
    expect(await say("请出错")).toMatchObject({ outcome: "failed", why: "替身按你的要求出错了" });
  }, 60_000);

  it("what was said to it stands in the sample home as a person's words in their direct chat", async () => {
    const { history } = playground.app.scope;
    await say("下周一前要给周敏回信");
    const messages = await history.readEarlier(await history.head(), {
      since: new Date("2026-11-30T01:59:00Z"),
      maxChars: 100_000,
      maxRows: 200,
    });
    const said = messages.find(({ text }) => text === "下周一前要给周敏回信");
    expect(said?.session).toMatchObject({
      source: "api_server",
      chatType: "dm",
      chatId: "oc_owner",
      userId: "ou_owner",
    });
    expect(said && voiceOf(said, {})).toEqual({ voice: "person" });
    const { now, zone } = { now: new Date("2026-12-07T06:00:00Z"), zone: "Asia/Shanghai" };
    const found = extractByRules(rulesInput({ now, zone, messages: said ? [said] : [], items: [], sent: [] }));
    expect(found.map(({ title }) => title).join()).toContain("周敏");
  }, 60_000);

  it("can be switched off and on in the page, and the status says how it stands", async () => {
    const { url } = playground.platform;
    const press = (up: boolean): Promise<Response> =>
      fetch(`${url}/playground/api/agent`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ up }),
      });
    const beat = (): Promise<string | null | undefined> =>
      playground.app.scope.db.heartbeat
        .findFirst({ where: { agentId: playground.app.scope.agent.id, name: "hermes" } })
        .then((row) => row?.failure);
    expect(await (await press(false)).json()).toEqual({ up: false });
    await expect(say("在吗")).rejects.toMatchObject({ code: "unavailable", facts: { why: "unreachable" } });
    await playground.app.scheduler.runJob("pulse");
    expect(await beat()).toBe("unreachable");
    const state = (await (await fetch(`${url}/playground/api/state`)).json()) as { agent?: unknown };
    expect(state.agent).toEqual({ up: false });
    await press(true);
    expect((await say("在吗")).outcome).toBe("completed");
    await playground.app.scheduler.runJob("pulse");
    expect(await beat()).toBeNull();
  }, 60_000);
});
