import { z } from "zod";
import { EngineError } from "../../engine/errors.ts";
import { defineCommand } from "../command.ts";

export const runs = defineCommand({
  name: "runs",
  needs: "runs.read",
  usage: "/runs",
  summary: (t) => t.command.summary.runs,
  example: "/runs",
  expects: "nothing",
  args: z.literal(""),
  run: async () => ({ card: { subject: { kind: "run-list", id: "latest" }, view: { page: 1 } } }),
});

export const run = defineCommand({
  name: "run",
  needs: "runs.read",
  usage: "/run <id>",
  summary: (t) => t.command.summary.run,
  example: "/run run_0abc",
  expects: "runId",
  args: z.string().regex(/^[\w-]{2,64}$/),
  async run({ scope }, id) {
    // The beginning of an id is enough when it names one run only.
    const found = await scope.db.checkpoint.findMany({
      where: { agentId: scope.agent.id, runId: { startsWith: id } },
      select: { runId: true },
      take: 2,
    });
    const [only] = found;
    if (only === undefined || found.length > 1) {
      throw new EngineError("not_found", { what: "run", given: id, near: found.map((each) => each.runId) });
    }
    return { card: { subject: { kind: "run", id: only.runId } } };
  },
});
