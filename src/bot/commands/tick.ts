import { z } from "zod";
import { silences } from "../../engine/proactive/run.ts";
import { tick as lookNow } from "../../engine/proactive/tick.ts";
import { defineCommand } from "../command.ts";

export const tick = defineCommand({
  name: "tick",
  needs: "tick.run",
  usage: "/tick [dry]",
  summary: (t) => t.command.summary.tick,
  example: "/tick dry",
  expects: "dry",
  args: z
    .string()
    .toLowerCase()
    .pipe(z.enum(["", "dry"])),
  // Reads Hermes and may ask a model.
  reachesOut: true,
  async run({ scope, reader: { t }, wake }, mode) {
    const result = await lookNow(scope, { asked: true, dry: mode === "dry" });
    const why = silences.find((silence) => silence === result.reason);
    const words =
      why !== undefined
        ? t.command.silence[why]
        : result.outcome === "nothing_to_say"
          ? t.command.noCandidates
          : t.command.allSkipped;
    if (mode === "dry")
      return {
        line: result.text === undefined ? t.command.tick.dryNothing(words) : t.command.tick.drySend(result.text),
      };
    wake("sync-cards");
    if (result.outcome === "failed") return { line: t.command.tick.failed(result.ref ?? result.runId ?? "") };
    // Nothing was looked at for this one, so nothing is said of what there is.
    if (result.reason === "already_looking") return { line: words };
    const sent = result.counts.sent ?? 0;
    if (sent > 0) return { line: t.command.tick.sent(sent) };
    return { line: t.command.tick.nothing(words) };
  },
});
