import type { PageLanguage } from "../page-api.ts";
import { asObject, asString } from "./read-json.ts";

/**
 * What a reader of `language` sees of a card text (`{content, i18n_content?}` or a bare string).
 *
 * Feishu: the reader's client decides; when its language is not configured, English, then any configured
 * language, then the plain `content` is shown. `locales` (config.locales) narrows which languages count.
 */
export function pickText(text: unknown, language: PageLanguage, locales?: readonly string[]): string {
  if (typeof text === "string") return text;
  const object = asObject(text);
  if (!object) return "";
  const content = asString(object.content) ?? asString(object.text) ?? "";
  const translations = asObject(object.i18n_content) ?? asObject(object.i18n);
  if (!translations) return content;
  const counts = (key: string): boolean => locales === undefined || locales.length === 0 || locales.includes(key);
  const order = [language, ...(content ? [] : ["en_us", ...Object.keys(translations)])];
  for (const key of order) {
    const found = counts(key) ? asString(translations[key]) : undefined;
    if (found) return found;
  }
  return content;
}
