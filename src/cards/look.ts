import { type Language, type Texts, textsFor } from "../text/pick.ts";
import { type Format, formatFor } from "./format.ts";

/** For whom a card is drawn. The same view in another look has other words, never other button values. */
export type Look = {
  /** `both` for cards several people read (groups): Feishu shows each reader the client's own language. */
  readonly language: Language | "both";
  /** IANA zone in which clock times are written. */
  readonly zone: string;
  /** Relative times count from here. */
  readonly now: Date;
  /** Opaque random id of the card's post. It travels in every button, so that a tap can be checked against its message and chat. */
  readonly post: string;
};

/** A text in the form every Feishu text object takes it (Feishu: configure multi-language content). */
export type Said = {
  readonly content: string;
  readonly i18n_content?: { readonly zh_cn: string; readonly en_us: string };
};

/** Writes one text; called once per language. */
export type Write = (t: Texts, format: Format) => string;

/** The one door for static strings and for times: the text in the look's language, or in both at once. */
export function say(look: Look, write: Write): Said {
  if (look.language !== "both") return { content: inLanguage(look, look.language, write) };
  const zhCn = inLanguage(look, "zh", write);
  return { content: zhCn, i18n_content: { zh_cn: zhCn, en_us: inLanguage(look, "en", write) } };
}

function inLanguage(look: Look, language: Language, write: Write): string {
  return write(textsFor(language), formatFor({ language, zone: look.zone, now: look.now }));
}
