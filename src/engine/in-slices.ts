import { setImmediate } from "node:timers/promises";

/** Taps are answered in between: no stretch of computing may be longer than a few of these. */
const SLICE_MS = 5;

/** Work that says where it may pause, by yielding. */
export type Steps<Result> = Generator<undefined, Result>;

/** Carries work out step by step, giving timers and sockets their turn every few milliseconds. */
export async function inSlices<Result>(steps: Steps<Result>): Promise<Result> {
  let begun = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() - begun < SLICE_MS) continue;
    await setImmediate();
    begun = performance.now();
  }
}

/** The same in one go, for programs that do nothing else meanwhile. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** `map` whose every element is a step. */
export function* mapSteps<In, Out>(list: readonly In[], act: (element: In) => Out): Steps<Out[]> {
  const results: Out[] = [];
  for (const element of list) {
    results.push(act(element));
    yield;
  }
  return results;
}
