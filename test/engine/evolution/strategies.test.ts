import { describe, expect, test } from "vitest";
import { adviseTurn } from "../../../src/engine/strategy/advise-turn.ts";
import { guardToolCall } from "../../../src/engine/strategy/guard-tool-call.ts";
import { fits } from "../../../src/engine/strategy/match-rules.ts";
import { type Strategy, strategySchema } from "../../../src/engine/strategy/rule.ts";
import { CACHED_PATTERNS, PatternCache, plainPieces } from "../../../src/engine/strategy/safe-pattern.ts";
import { portableRules } from "../../../src/engine/strategy/strategy-feed.ts";

const now = new Date("2026-11-30T00:00:00Z");
const rule = (more: Partial<Strategy> = {}): Strategy =>
  strategySchema.parse({
    id: "r1",
    title: "A rule",
    hint: "Read the error first.",
    level: "warn",
    priority: 50,
    when: [],
    scope: "terminal",
    ...more,
  });

describe("conditions", () => {
  test.each([
    ["regex_match", ["npm (?:ci|install)"], "please run NPM  ci now", true],
    ["regex_match", ["^deploy"], "please deploy", false],
    ["contains", ["依赖"], "装一下依赖", true],
    ["equals", ["cli"], "CLI", true],
    ["not_contains", ["test"], "run the tests", false],
    ["not_contains", ["deploy"], "run the tests", true],
  ] as const)("%s %j on %j is %s", (op, any, text, expected) => {
    expect(fits(rule({ when: [{ on: "text", op, any: [...any] }] }), { text })).toBe(expected);
  });
  test("on something unknown does not hold, not even a denial", () => {
    expect(fits(rule({ when: [{ on: "model", op: "not_contains", any: ["x"] }] }), { text: "y" })).toBe(false);
  });
});

describe("patterns from anywhere", () => {
  test("cannot make the process hang", () => {
    const cache = new PatternCache();
    const begun = performance.now();
    for (const pattern of ["^(a+)+$", "(a|a)*b", "(.*)*x", "((a*)*)*c"])
      cache.matches(pattern, `${"a".repeat(2_000)}!`);
    expect(performance.now() - begun).toBeLessThan(3_000);
  });
  test("are compiled once and the least used of 128 goes first; broken ones never match", () => {
    const cache = new PatternCache();
    expect(cache.matches("(", "(")).toBe(false);
    for (let n = 0; n < 300; n++) cache.matches(`p${n}`, "x");
    expect(cache.size).toBe(CACHED_PATTERNS);
  });
});

describe("advice", () => {
  test("gives the best few within its budget and passes over what is too long", () => {
    const rules = [
      rule({ id: "low", priority: 10, hint: "short and low." }),
      rule({ id: "high", priority: 90, hint: "h".repeat(50) }),
      rule({ id: "long", priority: 80, hint: "l".repeat(200) }),
      rule({ id: "off", priority: 99, enabled: false }),
      rule({ id: "past", priority: 99, negative: true, expiresAt: new Date("2026-11-29T00:00:00Z") }),
    ];
    expect(adviseTurn(rules, {}, now, { budgetChars: 100 }).map(({ strategyId }) => strategyId)).toEqual([
      "high",
      "low",
    ]);
  });
  test("holds back the call a rule names, and never the person's own ways to Herald", () => {
    const block = rule({
      level: "block",
      negative: true,
      expiresAt: new Date("2027-01-01T00:00:00Z"),
      when: [{ on: "input", op: "contains", any: ["--force"] }],
    });
    expect(guardToolCall([block], { tool: "terminal", input: "git push --force" }, now)).toMatchObject({
      strategyId: "r1",
    });
    expect(guardToolCall([block], { tool: "terminal", input: "git push" }, now)).toBeUndefined();
    expect(guardToolCall([block], { tool: "tracking_manage", input: "--force" }, now)).toBeUndefined();
  });
  test("a rule that would hold back everything, or a lesson without an end, is no rule", () => {
    expect(strategySchema.safeParse({ ...rule(), level: "block" }).success).toBe(false);
    expect(strategySchema.safeParse({ ...rule(), negative: true }).success).toBe(false);
  });
});

test("what travels to the plugin carries no pattern, and what needs one stays", () => {
  expect(plainPieces("npm.*ci|依赖")).toEqual([["npm", "ci"], ["依赖"]]);
  expect(plainPieces("a[bc]+")).toBeUndefined();
  const rules = [
    rule({ id: "plain", when: [{ on: "text", op: "regex_match", any: ["npm.*ci"] }] }),
    rule({ id: "needs-more", when: [{ on: "text", op: "regex_match", any: ["\\bnpm\\s+ci"] }] }),
    rule({ id: "by-category", when: [{ on: "category", op: "equals", any: ["code"] }] }),
  ];
  expect(portableRules(rules, now)).toEqual([
    {
      id: "plain",
      level: "warn",
      say: "Read the error first.",
      priority: 50,
      when: [{ on: "text", op: "pattern", any: [["npm", "ci"]] }],
    },
  ]);
});
