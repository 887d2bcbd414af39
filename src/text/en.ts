import { card } from "./en/card.ts";
import { config } from "./en/config.ts";
import { engine } from "./en/engine.ts";
import { time } from "./en/time.ts";
import type { Texts } from "./zh.ts";

/** Every string a user can see, in English. */
export const en: Texts = { card, config, engine, time };
