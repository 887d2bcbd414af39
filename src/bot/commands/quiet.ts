import { z } from "zod";
import { changeSettings, readSettings, type Settings } from "../../engine/settings.ts";
import type { Texts } from "../../text/pick.ts";
import { defineCommand } from "../command.ts";

const EXAMPLE = "/quiet 21:30-09:00";

const CLOCK = String.raw`([01]?\d|2[0-4])(?:[:：点]([0-5]\d)?)?`;
const HOURS = new RegExp(`^${CLOCK}\\s*(?:-|–|—|~|～|至|到|to|until|\\s)\\s*${CLOCK}$`, "i");
const OFF = /^(?:off|none|never|关|关闭|不要|取消|无)$/i;

/** No quiet hours at all: the active window begins where it ends. */
const ALWAYS_ACTIVE = { from: "00:00", until: "00:00" };

export const quiet = defineCommand({
  name: "quiet",
  needs: "settings.change",
  usage: "/quiet [21:30-09:00|off]",
  summary: (t) => t.command.summary.quiet,
  example: EXAMPLE,
  expects: "hours",
  args: z.string().transform((rest, context) => {
    const said = rest.normalize("NFKC").trim();
    if (said === "") return undefined;
    if (OFF.test(said)) return ALWAYS_ACTIVE;
    const [, h1, m1, h2, m2] = HOURS.exec(said) ?? [];
    const hours = { from: clock(h1, m1), until: clock(h2, m2) };
    if (h1 === undefined || hours.from === hours.until) {
      context.addIssue({ code: "custom", message: "hours" });
      return z.NEVER;
    }
    return hours;
  }),
  async run({ scope, who, reader: { t } }, hours) {
    if (hours === undefined) return { line: shown(t, await readSettings(scope)) };
    // Quiet hours are what lies outside of the active window.
    const { settings } = await changeSettings(scope, who, { activeUntil: hours.from, activeFrom: hours.until });
    if (settings.activeUntil === settings.activeFrom) return { line: t.command.quietOff };
    return { line: t.command.quietSet(settings.activeUntil, settings.activeFrom) };
  },
});

function shown(t: Texts, settings: Settings): string {
  if (settings.activeUntil === settings.activeFrom) return t.command.quietNone;
  return t.command.quietShow(settings.activeUntil, settings.activeFrom);
}

function clock(hours = "", minutes = "00"): string {
  return `${String(Number(hours) % 24).padStart(2, "0")}:${minutes}`;
}
