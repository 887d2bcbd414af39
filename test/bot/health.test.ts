import { copyFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type AppUnderTest, startAppUnderTest } from "../helpers/app-under-test.ts";

/** Whole apps on a busy machine. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let world: AppUnderTest;
beforeAll(async () => {
  world = await startAppUnderTest();
});
afterAll(() => world.close());

const wait = (minutes: number) => world.at(new Date(world.platform.clock.now().getTime() + minutes * 60_000));
const notices = (title: string) =>
  world.botMessages().filter((message) => JSON.stringify(message.content).includes(title)).length;
const store = () => join(world.hermesHome, "state.db");

function damage(): void {
  for (const end of ["-wal", "-shm"]) rmSync(`${store()}${end}`, { force: true });
  writeFileSync(store(), "this is no database ".repeat(500));
}

test("a damaged history is told to the owner once, shown by /status, and told again only after it was well in between", async () => {
  const good = join(world.dataDir, "good.db");
  copyFileSync(store(), good);
  await wait(1);
  damage();
  for (let i = 0; i < 4; i++) await wait(1);
  for (let i = 0; i < 4; i++) await wait(60);
  expect(notices("读不了 Hermes 的会话库")).toBe(1);
  await world.say("owner", "/status");
  const status = JSON.stringify(world.botMessages().at(-1)?.content);
  expect(status).toContain("会话记录 异常");
  expect(status).toContain("malformed");
  rmSync(store());
  copyFileSync(good, store());
  await wait(1);
  await wait(15);
  await wait(1);
  damage();
  for (let i = 0; i < 5; i++) await wait(1);
  expect(notices("读不了 Hermes 的会话库")).toBe(2);
}, 120_000);

test("when Feishu refuses a call for want of a permission the owner hears of it once", async () => {
  const refusing = { kind: "answer", api: "message.patch", code: 99991672, status: 400, times: 50 } as const;
  world.platform.fault(refusing);
  const { db } = world.app.scope;
  await db.cardPost.updateMany({ where: { sentAs: "card" }, data: { stale: true, wanted: { increment: 1 } } });
  for (let i = 0; i < 4; i++) await wait(11);
  expect(notices("飞书拒绝了我的请求")).toBe(1);
  await world.say("owner", "/status");
  expect(JSON.stringify(world.botMessages().at(-1)?.content)).toContain("飞书 异常");
  world.platform.fault({ kind: "clear" });
  await wait(130);
  await world.say("owner", "/status");
  expect(JSON.stringify(world.botMessages().at(-1)?.content)).toContain("飞书 正常");
}, 120_000);

test("/status names the version and when the next look is", async () => {
  const status = JSON.stringify(world.botMessages().at(-1)?.content);
  expect(status).toMatch(/Herald \d+\.\d+\.\d+/);
  expect(status).toContain("下次");
});
