import { card } from "./zh/card.ts";
import { config } from "./zh/config.ts";
import { engine } from "./zh/engine.ts";
import { time } from "./zh/time.ts";

/** Every string a user can see, in Chinese. One file per section under `zh/`; the English side mirrors it key by key. */
export const zh = { card, config, engine, time };

/** The shape both languages share; a key missing in English does not compile. */
export type Texts = typeof zh;
