import { z } from "zod";
import { EngineError } from "../../engine/errors.ts";
import { parseWhen } from "../../engine/natural-time/parse-when.ts";
import { changeSettings } from "../../engine/settings.ts";
import { defineCommand } from "../command.ts";

const EXAMPLE = { zh: "/pause 明天9点", en: "/pause tomorrow 9am" };
/** "Until further notice" as an instant. */
const FAR = new Date("9999-01-01T00:00:00Z");

export const pause = defineCommand({
  name: "pause",
  needs: "pause.set",
  usage: "/pause [when]",
  summary: (t) => t.command.summary.pause,
  example: EXAMPLE,
  expects: "when",
  args: z.string(),
  async run({ scope, who, reader }, rest) {
    if (rest === "") {
      await changeSettings(scope, who, { paused: FAR });
      return { line: reader.t.command.paused("") };
    }
    const when = parseWhen(rest, scope.clock.now(), reader.zone);
    if (!when.ok) {
      const expected = when.problem === "past" ? "whenFuture" : "when";
      throw new EngineError("invalid_input", {
        path: "when",
        expected,
        given: rest,
        example: EXAMPLE[reader.language],
      });
    }
    await changeSettings(scope, who, { paused: when.at });
    return { line: reader.t.command.paused(reader.when(when.at)) };
  },
});

export const unpause = defineCommand({
  name: "unpause",
  needs: "pause.set",
  usage: "/unpause",
  summary: (t) => t.command.summary.unpause,
  example: "/unpause",
  expects: "nothing",
  args: z.literal(""),
  async run({ scope, who, reader, wake }) {
    await changeSettings(scope, who, { paused: null });
    wake("proactive-tick");
    return { line: reader.t.command.unpaused };
  },
});
