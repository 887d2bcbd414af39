import { formatFor } from "../cards/format.ts";
import type { Language } from "../engine/scope.ts";
import { type Texts, textsFor } from "../text/pick.ts";

/** Who reads what is written: language, zone, and how an instant is said to them now. */
export interface Reader {
  language: Language;
  zone: string;
  t: Texts;
  /** an instant in words: 今天 18:00, tomorrow 09:00 */
  when(at: Date): string;
}

export function readerFor(language: Language, zone: string, now: Date): Reader {
  const format = formatFor({ language, zone, now });
  return { language, zone, t: textsFor(language), when: (at) => format.when(at) };
}
