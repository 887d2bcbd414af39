import { z } from "zod";
import { setLanguage } from "../../engine/people/set-language.ts";
import { textsFor } from "../../text/pick.ts";
import { defineCommand } from "../command.ts";

export const lang = defineCommand({
  name: "lang",
  aliases: ["language"],
  needs: "language.set",
  usage: "/lang zh|en",
  summary: (t) => t.command.summary.lang,
  example: { zh: "/lang en", en: "/lang zh" },
  expects: "language",
  args: z
    .string()
    .toLowerCase()
    .transform((word) => ({ 中文: "zh", chinese: "zh", english: "en", 英文: "en" })[word] ?? word)
    .pipe(z.enum(["zh", "en"])),
  async run({ scope, who }, language) {
    await setLanguage(scope, who, language);
    return { line: textsFor(language).command.languageSet };
  },
});
