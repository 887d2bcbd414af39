import {
  boolean,
  type CardRule,
  integerBetween,
  isRecord,
  listOf,
  mapOf,
  matching,
  oneOf,
  record,
  shape,
  shortString,
  string,
} from "./card-rules.ts";

// Values and small objects that many components of a card have in common.

/** Margins and paddings. */
export const pixels = matching(
  /^(?:-?\d{1,2}px)(?: -?\d{1,2}px){0,3}$|^0$/,
  "1 to 4 lengths from -99px to 99px, as in 4px 12px",
);
/** Distance between components. */
export const spacing = matching(
  /^(?:small|medium|large|extra_large|default|\d{1,2}px)?$/,
  "small, medium, large or 0px–99px",
);
/** Unique in its card; calls on card entities name components by it. */
export const elementId = matching(/^[A-Za-z][A-Za-z0-9_]{0,19}$/, "letters, digits, _ (a letter first, at most 20)");
export const horizontal = oneOf("left", "center", "right");
export const vertical = oneOf("top", "center", "bottom");
/** A colour name, a name from `config.style.color`, or RGBA; not looked up. */
export const colour = string;
/** The languages a text can be given in. */
export const language = oneOf(
  "zh_cn",
  "zh_hk",
  "zh_tw",
  "en_us",
  "ja_jp",
  "id_id",
  "vi_vn",
  "th_th",
  "pt_br",
  "es_es",
  "ko_kr",
  "de_de",
  "fr_fr",
  "it_it",
  "ru_ru",
  "ms_my",
);
const webAddress = matching(/^(?:https?:\/\/|lark:\/\/|applink:|$)/, "an http(s) address");
/** Addresses by kind of device. */
export const links = shape({ url: webAddress, pc_url: webAddress, ios_url: webAddress, android_url: webAddress });

/** What every component has. */
export const placed = { tag: string, element_id: elementId, margin: pixels };

/** A text inside something; `max` counts characters of each language. */
export function text(tags: readonly string[], max = 100_000): CardRule {
  return shape(
    {
      tag: oneOf(...tags),
      element_id: elementId,
      content: shortString(max),
      i18n_content: mapOf(shortString(max), language),
      text_size: string,
      text_color: colour,
      text_align: horizontal,
      lines: integerBetween(1, 1000),
    },
    ["tag"],
  );
}
/** A text without markup. */
export const plainText = text(["plain_text"]);
/** A text that may have markup. */
export const richText = text(["plain_text", "lark_md"]);
/** A picture in front of a text: one of the library or an uploaded one. */
export const icon = shape(
  { tag: oneOf("standard_icon", "custom_icon"), token: string, color: colour, img_key: string, size: string },
  ["tag"],
);
/** Tips and confirmations may also be written as `{}`, which means none. */
const orEmpty =
  (rule: CardRule): CardRule =>
  (value, path, report) => {
    if (!isRecord(value) || Object.keys(value).length > 0) rule(value, path, report);
  };
/** A text shown on hovering. */
export const tips = orEmpty(plainText);
/** A question asked before something is sent. */
export const confirm = orEmpty(shape({ title: plainText, text: plainText }, ["title", "text"]));
const behaviour = byTypeOfBehaviour();
/** What pressing does: an address to open, a value to send back, or both. */
export const behaviors = listOf(behaviour);
/** What a component needs inside a form. */
export const formParts = { name: string, required: boolean };

function byTypeOfBehaviour(): CardRule {
  const callback = shape({ type: oneOf("callback"), value: record }, ["type"]);
  const openUrl = shape(
    {
      type: oneOf("open_url"),
      default_url: webAddress,
      pc_url: webAddress,
      ios_url: webAddress,
      android_url: webAddress,
    },
    ["type"],
  );
  return (value, path, report) => {
    const type = (value as { type?: unknown } | null)?.type;
    (type === "open_url" ? openUrl : callback)(value, path, report);
  };
}

/** How wide a control is. */
export const width = matching(/^(?:default|fill|auto|\d{2,4}px)$/, "default, fill or a length such as 120px");

/** The markdown component. */
export const richTextBlock = shape(
  {
    ...placed,
    content: string,
    i18n_content: mapOf(string, language),
    text_align: horizontal,
    text_size: string,
    icon,
  },
  ["tag"],
);

/** How a container arranges what it holds. */
export const layout = {
  direction: oneOf("vertical", "horizontal"),
  padding: pixels,
  horizontal_spacing: spacing,
  horizontal_align: horizontal,
  vertical_spacing: spacing,
  vertical_align: vertical,
};
