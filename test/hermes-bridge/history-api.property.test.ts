import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, it } from "vitest";
import { HermesApi } from "../../src/hermes-bridge/hermes-api.ts";
import { HistoryApi } from "../../src/hermes-bridge/history-api.ts";
import { SampleConversations } from "../../src/hermes-bridge/sample-conversations.ts";
import { startAgentServer } from "../../src/playground/agent/agent-server.ts";
import { FAKE_KEY } from "../helpers/fake-hermes-api.ts";
import type { HermesSchema } from "../helpers/hermes-home.ts";
import { openTestDb, type TestDb } from "../helpers/test-db.ts";
import { live, type Step, step, World } from "../helpers/watermark-world.ts";

let test: TestDb;
beforeAll(async () => {
  test = await openTestDb();
});
afterAll(() => test.release());

async function lived(steps: readonly Step[], schema: HermesSchema): Promise<void> {
  const world = new World(schema, { onlyTips: true });
  const store = new SampleConversations(join(world.hermes.path, "state.db"));
  const mind = async function* () {
    yield { fail: "nobody speaks here" };
  };
  const server = await startAgentServer({ key: FAKE_KEY, now: () => world.clock.now(), store, mind });
  const history = new HistoryApi({ api: new HermesApi({ url: server.url, key: FAKE_KEY }), clock: world.clock });
  try {
    await live(test.db, world, history, steps);
  } finally {
    await server.close();
    store.close();
    world.hermes.remove();
  }
}

describe("over the API server, under any interleaving of talk, late rows, clock steps, undo, compressions, rewritings and crashes", () => {
  it.each([16, 30] as const)(
    "committed runs show every human message that the server still shows exactly once, and none twice (schema %i)",
    async (schema) => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 30 }), (steps) => lived(steps, schema)),
        { numRuns: Number(process.env.WATERMARK_RUNS ?? 15) },
      );
    },
    300_000,
  );

  // Turns red when it is mended: then this goes, and so does the one seed of CI (test/helpers/replay-property.ts).
  it.fails("known fault, not mended: after a rewriting, the same words said again are missed (schema 30)", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 30 }), (steps) => lived(steps, 30)),
      {
        seed: 1_063_282_373,
        path: "8:2:0:2:2:2:3:5:7:7:7:11:11:7:8:8:8:9:9:9:10:10:10:10:11:10:10",
        endOnFailure: true,
      },
    );
  }, 120_000);
});
