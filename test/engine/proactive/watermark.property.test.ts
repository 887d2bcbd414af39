import fc from "fast-check";
import { afterAll, beforeAll, describe, it } from "vitest";
import { StateDb } from "../../../src/hermes-bridge/state-db.ts";
import type { HermesSchema } from "../../helpers/hermes-home.ts";
import { openTestDb, type TestDb } from "../../helpers/test-db.ts";
import { live, ONCE_WRONG, type Step, step, World } from "../../helpers/watermark-world.ts";

let test: TestDb;
beforeAll(async () => {
  test = await openTestDb();
});
afterAll(() => test.release());

async function lived(steps: readonly Step[], schema: HermesSchema): Promise<void> {
  const world = new World(schema);
  const history = new StateDb({ home: world.hermes.path, clock: world.clock });
  try {
    await live(test.db, world, history, steps);
  } finally {
    history.close();
    world.hermes.remove();
  }
}

describe("under any interleaving of talk, late rows, clock steps, undo, compressions, rewritings, crashes and failed deliveries", () => {
  it.each([16, 30] as const)(
    "committed runs show every human message as new exactly once (schema %i)",
    async (schema) => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 40 }), (steps) => lived(steps, schema)),
        { numRuns: Number(process.env.WATERMARK_RUNS ?? 40) + ONCE_WRONG.length, examples: ONCE_WRONG },
      );
    },
    300_000,
  );
});
