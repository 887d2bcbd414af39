import { expect, it } from "vitest";
import {
  goneForGood,
  type News,
  newsOf,
  type SaidRow,
  type SeenRow,
  type Standing,
  tellNews,
} from "../../../src/engine/proactive/watermark.ts";

const minute = (n: number): Date => new Date(Date.UTC(2026, 10, 30, 2, n));
const row = (messageId: string, identity: string, at: number): SaidRow => ({
  messageId,
  lineage: "s1",
  identity,
  at: minute(at),
});
const shown = (messageId: string, identity: string, at: number, occurrence = 1): SeenRow => ({
  ...row(messageId, identity, at),
  occurrence,
});
const told = (rows: readonly SaidRow[], seen: readonly SeenRow[]): News => {
  const standing = new Map<string, Standing>(seen.map(({ messageId }) => [messageId, "gone"]));
  return tellNews(rows, seen, standing, new Date(0));
};

const seen = [shown("1", "ok", 1), shown("2", "what next?", 2), shown("3", "the plan", 3)];

it("a session written anew with new times is all known, whatever is repeated in it", () => {
  const repeated = [...seen, shown("4", "ok", 4, 2)];
  const rows = ["ok", "what next?", "the plan", "ok"].map((words, n) => row(`${11 + n}`, words, 30));
  expect([...told(rows, repeated).fresh]).toEqual([]);
});

it("the same words behind rows they stood before were said once more, when the first ones were dropped", () => {
  const rows = [row("11", "the plan", 30), row("12", "ok", 30)];
  expect([...told(rows, seen).fresh]).toEqual(["12"]);
  const kept = [row("11", "the plan", 3), row("12", "ok", 30)];
  expect([...told(kept, seen).fresh]).toEqual(["12"]);
});

it("behind a row written anew with its time, another time is news", () => {
  const rows = [row("11", "ok", 1), row("12", "the plan", 30)];
  expect([...told(rows, seen).fresh]).toEqual(["12"]);
  expect([...told([row("11", "ok", 29), row("12", "the plan", 30)], seen).fresh]).toEqual([]);
});

it("a window that ends early keeps what it told of its rows, and lets go of what stood before them", () => {
  const news = told([row("11", "the plan", 30), row("12", "ok", 30)], seen);
  const part = newsOf(news, new Set(["11"]));
  expect(part).toMatchObject({ fresh: new Set(), known: new Set(["11"]), add: [] });
  expect(part.moved.map(({ messageId }) => messageId)).toEqual(["11"]);
  const standing = new Map<string, Standing>(seen.map(({ messageId }) => [messageId, "gone"]));
  const behind = shown("9", "later", 9);
  standing.set("9", "gone");
  const passed = new Map([...part.passed.values()].map((one) => [one.lineage, one]));
  const gone = goneForGood([...seen, behind], part.moved, standing, passed);
  expect(gone.map(({ identity }) => identity)).toEqual(["ok", "what next?"]);
  expect(goneForGood([...seen, behind], part.moved, standing)).toHaveLength(3);
});
