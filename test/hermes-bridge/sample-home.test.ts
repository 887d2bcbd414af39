import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { extractByRules } from "../../src/engine/proactive/extract-by-rules.ts";
import { rulesInput } from "../../src/engine/proactive/find-by-rules.ts";
import { voiceOf } from "../../src/engine/proactive/human-message.ts";
import { appendMessage, writeSampleHome } from "../../src/hermes-bridge/sample-home.ts";
import { StateDb } from "../../src/hermes-bridge/state-db.ts";

const now = new Date("2026-11-30T06:00:00Z");
const folders: string[] = [];

function sample(): { home: string; history: StateDb } {
  const home = mkdtempSync(join(tmpdir(), "herald-sample-"));
  folders.push(home);
  writeSampleHome(home, { now, zone: "Asia/Shanghai" });
  return { home, history: new StateDb({ home, clock: { now: () => now } }) };
}

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

it("the sample reads like a real home: people and agents in it, machine-made and undone rows left out", async () => {
  const { home, history } = sample();
  expect(readdirSync(home).sort()).toEqual(
    expect.arrayContaining(["PROACTIVE_PREFERENCES.md", "cron", "memories", "sessions", "state.db"]),
  );
  const { messages } = await history.readSince({}, 1000);
  const said = messages.filter((message) => voiceOf(message, {}).voice === "person").map(({ text }) => text);
  expect(said).toContain("法务周敏要云杉项目的修订版合同，明天下午三点前我得发给她");
  expect(said).toContain("I promised Priya I'd send her the onboarding checklist by Thursday.");
  expect(said.join("\n")).not.toMatch(/蛋糕|Cronjob|SILENT|storage providers|展台物料/);
  expect(messages.every(({ at }) => at < now && now.getTime() - at.getTime() < 2 * 86_400_000)).toBe(true);
  expect(messages.find(({ text }) => text.includes("展会的物料"))?.session).toMatchObject({ chatType: "group" });
  expect(messages.find(({ text }) => text.includes("调薪"))?.session).toMatchObject({ chatType: "dm" });
});

it.each(["2026-11-30T02:30:00Z", "2026-12-02T09:00:00Z", "2026-12-04T14:30:00Z", "2026-12-05T20:00:00Z"])(
  "the rules find what is open in it at %s, and nothing of what is done, dropped, joked, translated or machine-made",
  async (iso) => {
    const at = new Date(iso);
    const { home } = sample();
    writeSampleHome(home, { now: at, zone: "Asia/Shanghai" });
    const { messages } = await new StateDb({ home, clock: { now: () => at } }).readSince({}, 1000);
    const heard = messages.filter((message) => voiceOf(message, {}).voice !== "left_out");
    const input = rulesInput({ now: at, zone: "Asia/Shanghai", messages: heard, items: [], sent: [] });
    const found = extractByRules(input);
    expect(found.length).toBeGreaterThanOrEqual(3);
    expect(found.length).toBeLessThanOrEqual(5);
    // Told by what they quote: how a title is worded is the rules' own affair.
    const quoted = found.map(({ evidence }) => messages.find(({ id }) => evidence.includes(id))?.text ?? "");
    for (const text of quoted) expect(text).toMatch(/export|调薪|询价|Priya|合同/);
    expect(quoted.join("\n")).toMatch(/合同/);
  },
);

it("writing it again starts afresh, and what a person says afterwards is found as new", async () => {
  const { home } = sample();
  writeSampleHome(home, { now, zone: "Asia/Shanghai" });
  const history = new StateDb({ home, clock: { now: () => now } });
  const head = await history.head();
  const at = new Date(now.getTime() + 60_000);
  const { messageId } = appendMessage(home, { text: "周五前把样品寄给客户", at });
  expect((await history.readSince(head, 10)).messages).toMatchObject([
    { id: messageId, text: "周五前把样品寄给客户", at, session: { chatType: "dm", source: "feishu" } },
  ]);
});
