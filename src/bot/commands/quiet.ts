import { z } from "zod";
import { changeSettings, readSettings } from "../../engine/settings.ts";
import { defineCommand } from "../command.ts";

const EXAMPLE = "/quiet 21:30-09:00";

export const quiet = defineCommand({
  name: "quiet",
  needs: "settings.change",
  usage: "/quiet 21:30-09:00",
  summary: (t) => t.command.summary.quiet,
  example: EXAMPLE,
  expects: "hours",
  args: z.string().transform((rest, context) => {
    if (rest === "") return undefined;
    const found = /^(\d{1,2})[:：](\d{2})\s*(?:-|–|—|~|～|至|到|to)\s*(\d{1,2})[:：](\d{2})$/i.exec(
      rest.normalize("NFKC").trim(),
    );
    if (found === null) {
      context.addIssue({ code: "custom", message: "hours" });
      return z.NEVER;
    }
    const [, h1 = "", m1 = "", h2 = "", m2 = ""] = found;
    return { from: `${h1.padStart(2, "0")}:${m1}`, until: `${h2.padStart(2, "0")}:${m2}` };
  }),
  async run({ scope, who, reader: { t } }, hours) {
    if (hours === undefined) {
      const settings = await readSettings(scope);
      return { line: t.command.quietShow(settings.activeUntil, settings.activeFrom) };
    }
    // Quiet hours are what lies outside of the active window.
    const { settings } = await changeSettings(scope, who, { activeUntil: hours.from, activeFrom: hours.until });
    return { line: t.command.quietSet(settings.activeUntil, settings.activeFrom) };
  },
});
