import { z } from "zod";
import { EngineError, isEngineError } from "../../engine/errors.ts";
import { changeSettings, readSettings, type SettingName, type Settings } from "../../engine/settings.ts";
import type { Texts } from "../../text/pick.ts";
import { defineCommand } from "../command.ts";

const EXAMPLE = "/quiet 21:30-09:00";

const CLOCK = String.raw`([01]?\d|2[0-4])(?:[:：点]([0-5]\d)?)?`;
const HOURS = new RegExp(`^${CLOCK}\\s*(?:-|–|—|~|～|至|到|to|until|\\s)\\s*${CLOCK}$`, "i");
const OFF = /^(?:off|none|never|关|关闭|不要|取消|无)$/i;

/** No quiet hours at all: the active window begins where it ends. */
const ALWAYS_ACTIVE = { from: "00:00", until: "00:00" };

/** The other rules about disturbing: the word that names each here, in both languages. */
const RULES = {
  max: { setting: "dailyMessages", words: /^(?:max|每天|上限)$/i },
  gap: { setting: "minimumGapMinutes", words: /^(?:gap|间隔)$/i },
  rest: { setting: "coolDownHours", words: /^(?:rest|重复)$/i },
  ignored: { setting: "stopAfterIgnored", words: /^(?:ignored|忽略)$/i },
  matters: { setting: "mattersPerCard", words: /^(?:matters|件数)$/i },
  idle: { setting: "idleMinutes", words: /^(?:idle|空闲)$/i },
} as const satisfies Record<string, { setting: SettingName; words: RegExp }>;
type Rule = keyof typeof RULES;
const ruleNames = Object.keys(RULES) as Rule[];

export const quiet = defineCommand({
  name: "quiet",
  needs: "settings.change",
  usage: "/quiet [21:30-09:00|off|max N|gap N|rest N|ignored N|matters N|idle N]",
  summary: (t) => t.command.summary.quiet,
  example: EXAMPLE,
  expects: "hours",
  args: z.string().transform((rest, context) => {
    const said = rest.normalize("NFKC").trim();
    if (said === "") return undefined;
    if (OFF.test(said)) return ALWAYS_ACTIVE;
    const [word = "", value = ""] = said.split(/[\s:=]+/);
    const rule = ruleNames.find((name) => RULES[name].words.test(word));
    if (rule !== undefined) return { rule, value };
    const [, h1, m1, h2, m2] = HOURS.exec(said) ?? [];
    const hours = { from: clock(h1, m1), until: clock(h2, m2) };
    if (h1 === undefined || hours.from === hours.until) {
      context.addIssue({ code: "custom", message: "hours" });
      return z.NEVER;
    }
    return hours;
  }),
  async run({ scope, who, reader: { t } }, given) {
    if (given === undefined) return { line: shown(t, await readSettings(scope)) };
    if ("rule" in given) {
      const { rule, value } = given;
      const { setting } = RULES[rule];
      try {
        const { settings } = await changeSettings(scope, who, { [setting]: value });
        return { line: t.command.quietRuleSet(t.command.quietRules[rule](settings[setting])) };
      } catch (error) {
        if (!isEngineError(error, "invalid_input")) throw error;
        const example = `/quiet ${rule} ${error.facts.example}`;
        throw new EngineError("invalid_input", { ...error.facts, example });
      }
    }
    const hours = given;
    // Quiet hours are what lies outside of the active window.
    const { settings } = await changeSettings(scope, who, { activeUntil: hours.from, activeFrom: hours.until });
    if (settings.activeUntil === settings.activeFrom) return { line: t.command.quietOff };
    return { line: t.command.quietSet(settings.activeUntil, settings.activeFrom) };
  },
});

/** All rules as they stand, each with what changes it. */
function shown(t: Texts, settings: Settings): string {
  const hours =
    settings.activeUntil === settings.activeFrom
      ? t.command.quietNone
      : t.command.quietShow(settings.activeUntil, settings.activeFrom);
  const rules = ruleNames.map((rule) => {
    const value = settings[RULES[rule].setting];
    return `${t.command.quietRules[rule](value)} · /quiet ${rule} ${value}`;
  });
  return [hours, ...rules].join("\n");
}

function clock(hours = "", minutes = "00"): string {
  return `${String(Number(hours) % 24).padStart(2, "0")}:${minutes}`;
}
