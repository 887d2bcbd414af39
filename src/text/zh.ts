import { card } from "./zh/card.ts";
import { time } from "./zh/time.ts";

/** Every string a user can see, in Chinese. One file per section under `zh/`; the English side mirrors it key by key. */
export const zh = { card, time };

/** The shape both languages share; a key missing in English does not compile. */
export type Texts = typeof zh;
