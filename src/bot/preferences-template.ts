import { textsFor } from "../text/pick.ts";

/** What a new PROACTIVE_PREFERENCES.md says: a start in the person's own words, not a form. */
export const PREFERENCES_TEMPLATE = {
  zh: textsFor("zh").command.prefsTemplate,
  en: textsFor("en").command.prefsTemplate,
} as const;
