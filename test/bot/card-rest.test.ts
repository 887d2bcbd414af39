import { expect, test } from "vitest";
import { CardRest, REST_MS } from "../../src/bot/card-rest.ts";

function world() {
  let now = 10_000;
  const wakes: number[] = [];
  const rest = new CardRest({ nowMs: () => now, later: (ms) => void wakes.push(now + ms) });
  const at = (ms: number): void => {
    now = 10_000 + ms;
  };
  return { rest, wakes, at };
}
const goal = { id: "post_1", subjectKind: "goal" } as const;

test("a living card that was just changed rests for two seconds, and is looked at again right then", () => {
  const { rest, wakes, at } = world();
  expect(rest.rests(goal)).toBe(false);
  rest.shown(goal);
  at(500);
  expect(rest.rests(goal)).toBe(true);
  expect(rest.rests(goal)).toBe(true);
  expect(wakes).toEqual([10_000 + REST_MS]);
  at(REST_MS);
  expect(rest.rests(goal)).toBe(false);
});

test("of several that rest the first to be ready is waited for, and then the next", () => {
  const { rest, wakes, at } = world();
  const other = { id: "post_2", subjectKind: "watched-goal" } as const;
  rest.shown(goal);
  at(1_000);
  rest.shown(other);
  at(1_500);
  expect([rest.rests(other), rest.rests(goal)]).toEqual([true, true]);
  expect(wakes.at(-1)).toBe(10_000 + REST_MS);
  at(REST_MS);
  expect([rest.rests(goal), rest.rests(other)]).toEqual([false, true]);
  expect(wakes.at(-1)).toBe(10_000 + 1_000 + REST_MS);
});

test("answers, questions and replies never wait", () => {
  const { rest } = world();
  const question = { id: "post_3", subjectKind: "question" } as const;
  rest.shown(question);
  expect(rest.rests(question)).toBe(false);
});
