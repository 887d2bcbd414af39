import { z } from "zod";
import { EngineError } from "../../engine/errors.ts";
import { instantOf } from "../../engine/natural-time/parse-when.ts";
import { readTimes } from "../../engine/natural-time.ts";
import { setReminder } from "../../engine/tracking/set-reminder.ts";
import { defineCommand } from "../command.ts";

const EXAMPLE = { zh: "/remind 交周报 周五17:00", en: "/remind send the report Friday 5pm" };

/** Words that only lead to the time or the matter: "提醒我", "to". */
const LEAD = /^(?:请|麻烦)?(?:提醒我|叫我|记得)?[，,:：\s]*(?:(?:remind\s+)?me\s+)?(?:to\s+)?/i;
const TAIL = /[，,。.;；\s]*(?:的时候|提醒我|叫我)?[，,。.;；\s]*(?:at|on|by)?$/i;

export const remind = defineCommand({
  name: "remind",
  needs: "remind.set",
  usage: "/remind <text> <when>",
  summary: (t) => t.command.summary.remind,
  example: EXAMPLE,
  expects: "text",
  args: z.string().min(1).max(500),
  async run(ctx, words) {
    const { scope, who, reader, place, messageId } = ctx;
    const now = scope.clock.now();
    const example = EXAMPLE[reader.language];
    // The time may stand in front or behind; when several are read, the one nearer to an edge of the line is meant.
    const mentions = readTimes(words, now, reader.zone);
    const mention = mentions.filter((each) => !each.past).sort((a, b) => edge(words, a) - edge(words, b))[0];
    if (mention === undefined && mentions.length > 0) {
      throw new EngineError("invalid_input", { path: "when", expected: "whenFuture", given: words, example });
    }
    const rest = mention
      ? `${words.slice(0, mention.index).replace(TAIL, "")} ${words.slice(mention.index + mention.matched.length)}`
      : words;
    const text = rest.trim().replace(LEAD, "").replace(TAIL, "").replace(/\s+/g, " ").trim();
    if (mention === undefined || text === "") {
      throw new EngineError("invalid_input", { path: "text", expected: "text", given: words, example });
    }
    const at = instantOf(mention, now, reader.zone);
    if (at <= now) {
      throw new EngineError("invalid_input", { path: "when", expected: "whenFuture", given: words, example });
    }
    const { item } = await setReminder(scope, who, { text, at, place, messageId });
    const { t } = reader;
    return {
      line: `${t.command.reminderSet(item.number, item.title, reader.when(item.dueAt ?? at))}\n${t.command.nextSteps(item.number)}`,
    };
  },
});

/** Characters between a mention and the nearer end of the line. */
function edge(words: string, mention: { index: number; matched: string }): number {
  return Math.min(mention.index, words.length - mention.index - mention.matched.length);
}
