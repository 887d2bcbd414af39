import { describe, expect, test } from "vitest";
import { Pace, PER_TARGET_MS } from "../../src/bot/pace.ts";

/** A world whose time moves only when somebody sleeps. */
function world(): { nowMs: () => number; sleep: (ms: number) => Promise<void>; settle: () => Promise<void> } {
  let now = 0;
  const waiting: { at: number; wake: () => void }[] = [];
  return {
    nowMs: () => now,
    sleep: (ms) => new Promise((wake) => waiting.push({ at: now + ms, wake })),
    async settle(): Promise<void> {
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        waiting.sort((a, b) => a.at - b.at);
        const next = waiting.shift();
        if (next === undefined) return;
        now = Math.max(now, next.at);
        next.wake();
      }
    },
  };
}

describe("Pace", () => {
  test("calls to one target keep their order and their distance; other targets do not wait for them", async () => {
    const w = world();
    const pace = new Pace(w);
    const started: [string, number][] = [];
    const call = (name: string) => async (): Promise<void> => {
      started.push([name, w.nowMs()]);
    };
    const all = [
      pace.run("a", call("a1")),
      pace.run("a", call("a2")),
      pace.run("b", call("b1")),
      pace.run("a", call("a3")),
    ];
    await w.settle();
    await Promise.all(all);
    const times = (prefix: string): number[] => started.filter(([n]) => n.startsWith(prefix)).map(([, at]) => at);
    expect(started.filter(([n]) => n.startsWith("a")).map(([n]) => n)).toEqual(["a1", "a2", "a3"]);
    const [first = 0, second = 0, third = 0] = times("a");
    expect(second - first).toBeGreaterThanOrEqual(PER_TARGET_MS);
    expect(third - second).toBeGreaterThanOrEqual(PER_TARGET_MS);
    expect(times("b")[0]).toBeLessThan(PER_TARGET_MS);
  });

  test("a failing call does not hold up those behind it", async () => {
    const w = world();
    const pace = new Pace(w);
    const failing = pace.run("a", async () => Promise.reject(new Error("no")));
    const next = pace.run("a", async () => "went");
    const both = Promise.allSettled([failing, next]);
    await w.settle();
    expect((await both).map((r) => r.status)).toEqual(["rejected", "fulfilled"]);
  });

  test("after the gateway said seven seconds nothing leaves before", async () => {
    const w = world();
    const pace = new Pace(w);
    pace.pauseFor(7000);
    let at = 0;
    const call = pace.run("a", async () => {
      at = w.nowMs();
    });
    await w.settle();
    await call;
    expect(at).toBeGreaterThanOrEqual(7000);
  });
});
