import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { editorialTurn, GATE } from "../../src/engine/proactive/editorial-gate.ts";
import { voiceOf } from "../../src/engine/proactive/human-message.ts";
import { projectRoot } from "../../src/project-root.ts";

const FILE = join(projectRoot, "src", "hermes-bridge", "plugin", "herald", "editorial-gate.md");

test("the skill the plugin offers and the instruction of an editorial turn are the same text", () => {
  const [, front = "", body = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(readFileSync(FILE, "utf8")) ?? [];
  expect(parse(front)).toMatchObject({ name: "editorial-gate" });
  expect(String(parse(front).description).length).toBeLessThanOrEqual(1024);
  expect(body.trim()).toBe(GATE.trim());
});

test("an editorial turn names its key, and nobody takes its words for a person's", () => {
  const { text } = editorialTurn("ed-1234");
  expect(text).toContain("ed-1234");
  const session = { id: "s", lineage: "s", source: "feishu", startedAt: new Date() };
  const message = { id: "m", session, role: "user", text, at: new Date(), observed: false };
  expect(voiceOf(message, {})).toEqual({ voice: "left_out", why: "own_words" });
});

test("in a chat of Herald's own, and in a session it asked for, not even a reply counts", () => {
  const at = new Date();
  const reply = { id: "m", role: "assistant", text: "我来看看报价单", at, observed: false };
  const chat = { id: "s", lineage: "s0", source: "feishu", chatId: "herald-own-editorial-run_1", startedAt: at };
  expect(voiceOf({ ...reply, session: chat }, {})).toMatchObject({ why: "own_turn" });
  const session = { id: "s", lineage: "s0", source: "feishu", startedAt: at };
  expect(voiceOf({ ...reply, session }, { ownTurnSessions: ["s0"] })).toMatchObject({ why: "own_turn" });
  expect(voiceOf({ ...reply, session }, { ownTurnSessions: ["s1"] })).toEqual({ voice: "agent" });
});
