import { platform as en } from "../text/en/platform.ts";
import { platform as zh } from "../text/zh/platform.ts";
import type { PageLanguage } from "./page-api.ts";

/** The stand-in's own words in a person's language. */
export function platformText(language: PageLanguage): typeof en {
  return language === "zh_cn" ? zh : en;
}
