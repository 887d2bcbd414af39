import type { DisturbSettings } from "./disturb-rules.ts";

/**
 * The rules of code in words, so that a model does not propose what would be held back anyway. For the model only: what
 * is said here binds nobody, `disturb-rules.ts` does.
 */
export function disturbRulesText(settings: DisturbSettings): string {
  return [
    "Rules about disturbing the person (a program enforces them afterwards):",
    `- speak only between ${settings.activeFrom} and ${settings.activeUntil}, at most ${settings.dailyMessages} messages a day, ${settings.minimumGapMinutes} minutes apart`,
    `- the same matter not again within ${settings.coolDownHours} hours, and no more after ${settings.stopAfterIgnored} reminders without a reaction`,
    `- at most ${settings.mattersPerCard} matters a message`,
    "- never about what is done, given up, declined, closed or snoozed; never about small talk, jokes, hypotheses, quotations, code, logs, translated texts or other people's duties",
  ].join("\n");
}
