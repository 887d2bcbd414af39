import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { adviseTurn } from "../../../src/engine/strategy/advise-turn.ts";
import { guardToolCall } from "../../../src/engine/strategy/guard-tool-call.ts";
import { type Condition, type Features, type Strategy, strategySchema } from "../../../src/engine/strategy/rule.ts";
import { portableRules } from "../../../src/engine/strategy/strategy-feed.ts";

interface Vector {
  name: string;
  only?: boolean;
  when: Condition[];
  ask: Features & { repeat?: number; then?: string };
  holds: boolean;
}
const path = new URL("../../fixtures/strategy-vectors.json", import.meta.url);
const file = JSON.parse(readFileSync(path, "utf8")) as {
  hints: Vector[];
  blocks: Vector[];
  portable: Record<string, unknown>;
};
const now = new Date("2026-11-30T00:00:00Z");

function ruleOf({ name, when }: Vector, level: "warn" | "block"): Strategy {
  const rest = level === "block" ? { negative: true, expiresAt: "2027-01-01T00:00:00Z" } : {};
  return strategySchema.parse({ id: "r", title: "t", hint: name, level, priority: 1, when, scope: "s", ...rest });
}
function asked({ ask: { repeat = 1, then = "", text, ...rest } }: Vector): Features {
  return { ...rest, ...(text !== undefined && { text: text.repeat(repeat) + then }) };
}

describe("rules mean the same here and in Hermes: the plugin's tests run the same file", () => {
  test.each(file.hints)("hint: $name", (vector) => {
    expect(adviseTurn([ruleOf(vector, "warn")], asked(vector), now).length > 0).toBe(vector.holds);
  });
  test.each(file.blocks)("guard: $name", (vector) => {
    const held = guardToolCall([ruleOf(vector, "block")], { tool: "", ...asked(vector) }, now);
    expect(held !== undefined).toBe(vector.holds);
  });
  test("what travels to the plugin is what the file says, and what needs a pattern never does", () => {
    const made = Object.fromEntries(
      [...file.hints.map((v) => ["warn", v] as const), ...file.blocks.map((v) => ["block", v] as const)].flatMap(
        ([level, vector]) => {
          const [rule] = portableRules([ruleOf(vector, level)], now);
          return rule ? [[vector.name, rule.when]] : [];
        },
      ),
    );
    expect(made).toEqual(file.portable);
    const stays = file.hints.filter(({ name }) => !(name in file.portable)).map(({ name, only }) => [name, only]);
    expect(stays.every(([, only]) => only === true)).toBe(true);
  });
});
