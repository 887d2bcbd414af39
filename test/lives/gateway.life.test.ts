import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { hermesInstall } from "../../src/cli/hermes.ts";
import type { PageMessage } from "../../src/playground/page-api.ts";
import { type AppUnderTest, cardOf, startAppUnderTest } from "../helpers/app-under-test.ts";
import { type GatewayProcess, startGateway } from "../helpers/gateway-process.ts";
import { pythonAtHand } from "../helpers/hermes-home.ts";
import { until } from "../helpers/until.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let world: AppUnderTest;
let hermes: GatewayProcess;
const begun: GatewayProcess[] = [];

const start = async (): Promise<void> => {
  hermes = await startGateway(join(world.hermesHome, "plugins", "herald"));
  begun.push(hermes);
  await until(async () => (await world.app.scope.turns.health()).ok);
};

if (!pythonAtHand()) process.stderr.write('left out: "Feishu, Herald and Hermes\' gateway" (no python3 found)\n');

describe.runIf(pythonAtHand())("Feishu, Herald and Hermes' gateway, with the plugin as it is installed", () => {
  beforeEach(async () => {
    world = await startAppUnderTest({ emptyHome: false });
    expect((await hermesInstall(world.config, world.hermesHome)).ok).toBe(true);
    await start();
  });
  afterEach(async () => {
    for (const process of begun.splice(0)) await process.kill();
    await world.close();
  });

  const cards = (): PageMessage[] => world.botMessages().filter((message) => message.content.kind === "card");
  const said = (): string =>
    cards()
      .map((card) => JSON.stringify(card.content))
      .join("\n");
  const shows = (text: string): Promise<void> =>
    until(async () => {
      await world.app.scheduler.runJob("sync-cards");
      return said().includes(text);
    });

  test("a message is answered by Hermes, an approval is given with a tap, and a file comes back", async () => {
    await world.say("owner", "hello there");
    await shows("You said: hello there");

    await world.say("owner", "approve rm -rf build");
    await shows("rm -rf build");
    const question = cards().find((card) => JSON.stringify(card.content).includes("rm -rf build"));
    if (question === undefined) throw new Error("no question came");
    const [action] = /question\.\w+/.exec(JSON.stringify(cardOf(question))) ?? [];
    if (action === undefined) throw new Error(`no button: ${JSON.stringify(cardOf(question))}`);
    await world.press(question, action);
    await shows("Decided: ");

    mkdirSync(join(world.hermesHome, "outbox"), { recursive: true });
    const path = join(world.hermesHome, "outbox", "report.txt");
    writeFileSync(path, "all is well");
    await world.say("owner", `file ${path}`);
    await until(async () => {
      await world.app.scheduler.runJob("sync-cards");
      return world.botMessages().some((message) => message.content.kind === "file");
    });
  });

  test("a scheduled job's report arrives in the owner's chat although Herald was away when it was sent", async () => {
    await world.say("owner", "hello");
    await shows("You said: hello");
    await world.app.release();
    await hermes.send("owner", "# 日报\n\n| 项 | 数 |\n|---|---|\n| 备份 | 3 |\n\n<at id=all></at> 完成", "job1");
    await world.restart();
    expect((await hermesInstall(world.config, world.hermesHome)).ok).toBe(true);
    await hermes.stop();
    await start();
    await shows("日报");
    const report = cards().find((card) => JSON.stringify(card.content).includes("日报"));
    expect(JSON.stringify(report?.content)).not.toContain("<at id=all>");
    expect(cards().filter((card) => JSON.stringify(card.content).includes("日报"))).toHaveLength(1);
  });

  test("a gateway that dies in the middle is said to have gone, and answers again when it is back", async () => {
    await world.say("owner", "slow 30");
    await until(async () => (await world.app.scope.db.gatewayTurn.count({ where: { status: "running" } })) === 1);
    await hermes.kill();
    await start();
    await until(async () => (await world.app.scope.db.turn.count({ where: { status: "lost" } })) === 1);
    await world.say("owner", "hello again");
    await shows("You said: hello again");
    expect(await hermes.given()).toEqual([[expect.anything(), "hello again"]]);
  });
});
