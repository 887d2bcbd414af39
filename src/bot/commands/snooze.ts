import { z } from "zod";
import { EngineError } from "../../engine/errors.ts";
import { parseWhen } from "../../engine/natural-time/parse-when.ts";
import { snoozeItem } from "../../engine/tracking/snooze-item.ts";
import { defineCommand } from "../command.ts";
import { alreadyLine, pickItem } from "./pick-item.ts";

const EXAMPLE = "/snooze 3 明天下午3点";

export const snooze = defineCommand({
  name: "snooze",
  aliases: ["later"],
  needs: "item.decide",
  usage: "/snooze N <when>",
  summary: (t) => t.command.summary.snooze,
  example: EXAMPLE,
  expects: "when",
  args: z.string().transform((rest, context) => {
    const found = /^[#＃]?(\d{1,9})\s+(\S[\s\S]*)$/.exec(rest);
    if (found?.[1] === undefined || found[2] === undefined) {
      context.addIssue({ code: "custom", message: "number and time" });
      return z.NEVER;
    }
    return { ref: found[1], words: found[2] };
  }),
  async run(ctx, { ref, words }) {
    const { scope, who, reader } = ctx;
    const when = parseWhen(words, scope.clock.now(), reader.zone);
    if (!when.ok) {
      const expected = when.problem === "past" ? "whenFuture" : "when";
      throw new EngineError("invalid_input", { path: "when", expected, given: words, example: EXAMPLE });
    }
    const picked = await pickItem(ctx, ref);
    if ("line" in picked) return picked;
    const result = await snoozeItem(scope, who, { itemId: picked.item.id, at: when.at });
    if (result.outcome === "already") return { line: alreadyLine(ctx, result) };
    return { line: reader.t.command.snoozed(result.item.number, result.item.title, reader.when(result.until)) };
  },
});
