import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { App } from "../src/app.ts";
import { ConfigError, readConfig } from "../src/config.ts";
import { bridgeToken } from "../src/hermes-bridge/bridge-token.ts";
import { writeSampleHome } from "../src/hermes-bridge/sample-home.ts";
import type { PageMessage } from "../src/playground/page-api.ts";
import { type Agents, startAgents } from "../src/start-agents.ts";
import { findControl } from "./helpers/app-under-test.ts";
import { startTestPlatform, type TestPlatform } from "./helpers/start-platform.ts";
import { testLog } from "./helpers/test-log.ts";
import { until } from "./helpers/until.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const MONDAY_10 = "2026-11-30T02:00:00Z";
const place = (folder: string, yaml: string, env: Record<string, string> = {}) => ({
  env: {
    HERALD_DATA_DIR: join(folder, "data"),
    HERALD_PORT: "0",
    LOG_LEVEL: "silent",
    HERALD_TIME_ZONE: "Asia/Shanghai",
    ...env,
  },
  yaml,
  cwd: folder,
  home: folder,
  hostZone: "Asia/Shanghai",
});

describe("a list of agents", () => {
  const refused = (yaml: string): string[] => {
    try {
      readConfig(place("/tmp/nowhere", yaml));
      return [];
    } catch (error) {
      return error instanceof ConfigError
        ? error.problems.map(({ variable, expected }) => `${variable} ${expected}`)
        : [String(error)];
    }
  };
  const app = (n: number): string => `feishu: { appId: cli_000000000000000${n}, appSecret: secret-${n} }`;

  test("gives each agent what it sets, the rest from the server, credentials and people from nobody else", () => {
    const { config } = readConfig(
      place(
        "/tmp/nowhere",
        `agents:
  - { id: work, ${app(1)}, hermes: { home: ./w }, zone: Europe/Berlin, owner: ou_w, exclude: [telegram, oc_1] }
  - { id: home, feishu: { appId: cli_2, appSecret: "\${HOME_SECRET}" }, hermes: { home: ./h }, language: en }`,
        { HOME_SECRET: "from-outside", LLM_BASE_URL: "http://127.0.0.1:9/v1", LLM_MODEL: "m" },
      ),
    );
    const [work, home] = config.agents ?? [];
    expect(work).toMatchObject({
      agentId: "work",
      zone: "Europe/Berlin",
      ownerOpenId: "ou_w",
      exclude: ["telegram", "oc_1"],
    });
    expect(home).toMatchObject({
      agentId: "home",
      language: "en",
      zone: "Asia/Shanghai",
      feishu: { appSecret: "from-outside" },
    });
    expect(home?.ownerOpenId ?? home?.exclude).toBeUndefined();
    expect(home?.llm).toEqual(work?.llm);
    expect(work?.databaseUrl).toBe(config.databaseUrl);
    expect(work?.dataDir).not.toBe(home?.dataDir);
    expect(config.secrets).toEqual(expect.arrayContaining(["secret-1", "from-outside"]));
  });

  test.each([
    ["agents: []", "agents agents"],
    [`agents: [{ ${app(1)} }]`, "agents[0].id agentId"],
    [`agents: [{ id: a, ${app(1)} }, { id: a, ${app(2)}, hermes: { home: ./b } }]`, "agents[1].id agentId"],
    ["agents: [{ id: a }]", "agents[a].feishu agentApp"],
    [
      `agents: [{ id: a, ${app(1)}, hermes: { home: ./a } }, { id: b, ${app(1)}, hermes: { home: ./b } }]`,
      "agents[b].feishu agentApp",
    ],
    [`agents: [{ id: a, ${app(1)} }, { id: b, ${app(2)} }]`, "agents[b].hermes agentHermes"],
    [`agents: [{ id: a, ${app(1)}, port: 1 }]`, "agents[a].PORT agents"],
    [`agents: [{ id: a, ${app(1)}, zone: Mars }]`, "agents[a].HERALD_TIME_ZONE zone"],
  ])("that is wrong (%s) is refused with what was expected", (yaml, expected) => {
    expect(refused(yaml)).toContain(expected);
  });

  test("is served without leaving the configuration of one agent any different", () => {
    const { config } = readConfig(place("/tmp/nowhere", "", { FEISHU_APP_ID: "cli_0", FEISHU_APP_SECRET: "s" }));
    expect(config.agents).toBeUndefined();
  });
});

describe("two agents on one server", () => {
  let folder: string;
  let platforms: Record<"work" | "home", TestPlatform>;
  let server: Agents;
  const log = testLog();

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "herald-agents-"));
    platforms = {
      work: await startTestPlatform({ start: MONDAY_10 }),
      home: await startTestPlatform({ start: MONDAY_10 }),
    };
    writeSampleHome(join(folder, "w"), { now: new Date(MONDAY_10), zone: "Asia/Shanghai" });
    const h = join(folder, "h");
    writeSampleHome(h, { now: new Date(MONDAY_10), zone: "Asia/Shanghai" });
    const entry = (id: "work" | "home", home: string, owner: string): string =>
      `  - { id: ${id}, feishu: { appId: ${platforms[id].app.appId}, appSecret: ${platforms[id].app.appSecret}, domain: "${platforms[id].url}" }, hermes: { home: ${home} }, owner: ${owner} }`;
    const { owner, member } = platforms.work.people;
    // The owner of the one is a stranger to the other, although both platforms have the same people.
    const yaml = `agents:\n${entry("work", "./w", owner.openId)}\n${entry("home", "./h", member.openId)}`;
    const { config } = readConfig(place(folder, yaml));
    const clock = { now: () => platforms.work.clock.now(), set: (to: Date) => both((each) => each.clock.set(to)) };
    server = await startAgents(config, config.agents ?? [], {
      clock,
      log,
      each: () => ({ wake: () => () => {}, hermesApi: "none" }),
    });
    await until(() => [...server.apps.values()].every((app) => app.connection().ok));
  });
  afterAll(async () => {
    await server.release();
    await both((platform) => platform.close());
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });

  const both = async (act: (platform: TestPlatform) => unknown): Promise<void> => {
    await act(platforms.work);
    await act(platforms.home);
  };
  const appOf = (id: string): App => {
    const app = server.apps.get(id);
    if (app === undefined) throw new Error(id);
    return app;
  };
  const settle = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    for (const app of server.apps.values()) await app.scheduler.idle();
  };
  async function say(id: "work" | "home", person: "owner" | "member", text: string): Promise<PageMessage[]> {
    const platform = platforms[id];
    const chatId = platform.chats[person];
    const before = platform.messages(chatId).length;
    await platform.deliverMessage({ chatId, userId: platform.people[person].openId, text }).acknowledged;
    await settle();
    return platform.messages(chatId).slice(before + 1);
  }
  const everything = (id: "work" | "home"): string =>
    JSON.stringify(Object.values(platforms[id].chats).map((chat) => platforms[id].messages(chat)));

  test("each serves its own owner, and the other's owner is a stranger to it", async () => {
    expect(JSON.stringify(await say("work", "owner", "/whoami"))).toContain("所有者");
    expect(JSON.stringify(await say("home", "member", "/whoami"))).toContain("所有者");
    expect(JSON.stringify(await say("home", "owner", "/whoami"))).toContain("只为被允许的人");
    expect(JSON.stringify(await say("work", "member", "/whoami"))).toContain("只为被允许的人");
  });

  test("a reminder, a setting, a role and a pause of one are not the other's", async () => {
    await say("work", "owner", "/remind 下午5点 只属于工作的事");
    await say("work", "owner", "/set dailyMessages 3");
    await say("work", "owner", "/grant ou_only_work member");
    await say("work", "owner", "/pause");
    expect(JSON.stringify(await say("home", "member", "/items all"))).not.toContain("只属于工作的事");
    expect(JSON.stringify(await say("home", "member", "/set dailyMessages"))).not.toContain("：3");
    expect(JSON.stringify(await say("home", "member", "/members"))).not.toContain("ou_only_work");
    expect(JSON.stringify(await say("home", "member", "/audit"))).not.toContain("dailyMessages");
    expect(JSON.stringify(await say("home", "member", "/status"))).not.toContain("只属于工作的事");
    await say("work", "owner", "/unpause");
  });

  test("a job of one sends through its own app only, and what comes due is said by whose it is", async () => {
    const at = new Date("2026-11-30T09:00:30Z");
    for (const app of server.apps.values()) await app.jump(at);
    await settle();
    expect(everything("work")).toContain("只属于工作的事");
    expect(everything("home")).not.toContain("只属于工作的事");
  });

  test("a button of one agent pressed at the other does nothing there", async () => {
    const list = (await say("work", "owner", "/items")).at(-1);
    if (list?.content.kind !== "card") throw new Error("no card");
    const control = findControl(list.content.card, "item.done");
    const [card] = (await say("home", "member", "/help")).filter((each) => each.content.kind === "card");
    const answer = await platforms.home.tap({
      messageId: card?.messageId ?? "",
      userId: platforms.home.people.member.openId,
      tag: "button",
      value: control?.value,
    });
    await settle();
    expect(JSON.stringify(answer)).not.toContain("success");
    const { db } = appOf("work").scope;
    expect(await db.itemDecision.count({ where: { agentId: "home" } })).toBe(0);
  });

  test("the bridge knows them apart by their secrets, and nobody without one", async () => {
    const ask = async (token: string): Promise<number> =>
      (await fetch(`${server.url}/bridge/ping`, { headers: { authorization: `Bearer ${token}` } })).status;
    const tokens = ["work", "home"].map((id) => bridgeToken(join(folder, "data", "agents", id), undefined));
    expect(new Set(tokens).size).toBe(2);
    expect(await Promise.all([...tokens, "x".repeat(40)].map(ask))).toEqual([200, 200, 401]);
    const mcp = async (token: string): Promise<number> =>
      (await fetch(`${server.url}/mcp`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await Promise.all([...tokens, "x".repeat(40)].map(mcp))).toEqual([405, 405, 401]);
  });

  test("readiness is told of each", async () => {
    const all = (await (await fetch(`${server.url}/readyz`)).json()) as { agents: Record<string, { ready: boolean }> };
    expect(Object.keys(all.agents)).toEqual(["work", "home"]);
    expect((await fetch(`${server.url}/readyz/work`)).status).toBe(all.agents.work?.ready ? 200 : 503);
    expect((await fetch(`${server.url}/readyz/nobody`)).status).toBe(404);
    expect(await (await fetch(`${server.url}/healthz`)).json()).toEqual({ alive: true, agents: ["work", "home"] });
  });

  test("no row of either says it is nobody's, and every row of a person's doing carries one of the two", async () => {
    const { db } = appOf("work").scope;
    for (const table of ["person", "trackingItem", "cardPost", "jobRun", "heartbeat", "auditEntry"] as const) {
      const rows = await (db[table] as unknown as { findMany(): Promise<{ agentId: string }[]> }).findMany();
      expect(rows.filter(({ agentId }) => agentId !== "work" && agentId !== "home")).toEqual([]);
    }
  });
});
