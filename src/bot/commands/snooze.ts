import { z } from "zod";
import { EngineError } from "../../engine/errors.ts";
import { parseWhen } from "../../engine/natural-time/parse-when.ts";
import { readTimes } from "../../engine/natural-time.ts";
import { snoozeItem } from "../../engine/tracking/snooze-item.ts";
import { defineCommand } from "../command.ts";
import { alreadyLine, pickItem } from "./pick-item.ts";

const EXAMPLE = { zh: "/snooze 3 明天下午3点", en: "/snooze 3 tomorrow 3pm" };
const NUMBERED = /^[#＃]?(\d{1,9})\s+(\S[\s\S]*)$/;

export const snooze = defineCommand({
  name: "snooze",
  aliases: ["later"],
  needs: "item.decide",
  usage: "/snooze N <when>",
  summary: (t) => t.command.summary.snooze,
  example: EXAMPLE,
  expects: "when",
  args: z.string().min(1).max(500),
  async run(ctx, said) {
    const { scope, who, reader } = ctx;
    const now = scope.clock.now();
    const { ref, words } = split(said, now, reader.zone);
    const when = parseWhen(words, now, reader.zone);
    if (!when.ok || ref === "") {
      const expected = !when.ok && when.problem === "past" ? "whenFuture" : "when";
      throw new EngineError("invalid_input", {
        path: "when",
        expected,
        given: said,
        example: EXAMPLE[reader.language],
      });
    }
    const picked = await pickItem(ctx, ref);
    if ("line" in picked) return picked;
    const result = await snoozeItem(scope, who, { itemId: picked.item.id, at: when.at });
    if (result.outcome === "already") return { line: alreadyLine(ctx, result) };
    return { line: reader.t.command.snoozed(result.item.number, result.item.title, reader.when(result.until)) };
  },
});

/** The matter by its number, or by words of its title in front of the time. */
function split(said: string, now: Date, zone: string): { ref: string; words: string } {
  const [, number, rest] = NUMBERED.exec(said) ?? [];
  if (number !== undefined && rest !== undefined) return { ref: number, words: rest };
  const time = readTimes(said, now, zone).at(-1);
  if (time === undefined) return { ref: "", words: said };
  return { ref: said.slice(0, time.index).trim(), words: said.slice(time.index) };
}
