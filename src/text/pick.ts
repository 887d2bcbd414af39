import { en } from "./en.ts";
import { type Texts, zh } from "./zh.ts";

export type { Texts } from "./zh.ts";

/** The languages a person may choose. */
export const LANGUAGES = ["zh", "en"] as const;

export type Language = (typeof LANGUAGES)[number];

const byLanguage: Record<Language, Texts> = { zh, en };

/** The texts of one language. */
export function textsFor(language: Language): Texts {
  return byLanguage[language];
}
