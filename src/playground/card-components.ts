import {
  anything,
  boolean,
  byTag,
  type CardRule,
  integerBetween,
  isRecord,
  listOf,
  mapOf,
  matching,
  number,
  oneOf,
  record,
  shape,
  shortString,
  string,
} from "./card-rules.ts";

// Property names and values as the platform's pages on Card JSON 2.0 list them, one page per component.

const GONE = 200861;

const pixels = matching(
  /^(?:-?\d{1,2}px)(?: -?\d{1,2}px){0,3}$|^0$/,
  "1 to 4 lengths from -99px to 99px, as in 4px 12px",
);
const spacing = matching(/^(?:small|medium|large|extra_large|default|\d{1,2}px)?$/, "small, medium, large or 0px–99px");
const elementId = matching(/^[A-Za-z][A-Za-z0-9_]{0,19}$/, "letters, digits, _ (a letter first, at most 20)");
const horizontal = oneOf("left", "center", "right");
const vertical = oneOf("top", "center", "bottom");
const colour = string;
const language = oneOf(
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
const links = shape({ url: webAddress, pc_url: webAddress, ios_url: webAddress, android_url: webAddress });

const placed = { tag: string, element_id: elementId, margin: pixels };

/** A text inside something; `max` counts characters of each language. */
function text(tags: readonly string[], max = 100_000): CardRule {
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
const plainText = text(["plain_text"]);
const richText = text(["plain_text", "lark_md"]);
const panelTitle: CardRule = (value, path, report) =>
  byTag({ plain_text: plainText, lark_md: richText, markdown: richTextBlock }, {})(value, path, report);

const icon = shape(
  { tag: oneOf("standard_icon", "custom_icon"), token: string, color: colour, img_key: string, size: string },
  ["tag"],
);
/** Tips and confirmations may also be written as `{}`, which means none. */
const orEmpty =
  (rule: CardRule): CardRule =>
  (value, path, report) => {
    if (!isRecord(value) || Object.keys(value).length > 0) rule(value, path, report);
  };
const tips = orEmpty(plainText);
const confirm = orEmpty(shape({ title: plainText, text: plainText }, ["title", "text"]));
const behaviour = byTypeOfBehaviour();
const behaviors = listOf(behaviour);
const formParts = { name: string, required: boolean };

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

const option = (extra: Record<string, CardRule> = {}): CardRule =>
  shape({ text: text(["plain_text"], 100), icon, value: string, ...extra }, ["text", "value"]);
const width = matching(/^(?:default|fill|auto|\d{2,4}px)$/, "default, fill or a length such as 120px");

const richTextBlock = shape(
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

const buttonShape = {
  ...placed,
  type: oneOf(
    "default",
    "primary",
    "danger",
    "text",
    "primary_text",
    "danger_text",
    "primary_filled",
    "danger_filled",
    "laser",
  ),
  size: oneOf("tiny", "small", "medium", "large"),
  width,
  text: text(["plain_text"], 100),
  icon,
  hover_tips: tips,
  disabled: boolean,
  disabled_tips: tips,
  confirm,
  behaviors,
  ...formParts,
  form_action_type: oneOf("submit", "reset"),
};
const button = shape(buttonShape, ["tag"]);

const select = {
  ...placed,
  ...formParts,
  type: oneOf("default", "text"),
  disabled: boolean,
  placeholder: text(["plain_text"], 100),
  width,
  behaviors,
  confirm,
};
const picker = { ...select, value: record };

/** Components that stand in the body and in containers alike. */
const anywhere: Record<string, CardRule> = {
  div: shape(
    {
      ...placed,
      width,
      text: richText,
      icon,
      fields: listOf(shape({ is_short: boolean, text: richText }, ["text"])),
      extra: anything,
    },
    ["tag"],
  ),
  markdown: richTextBlock,
  hr: shape(placed, ["tag"]),
  img: shape(
    {
      ...placed,
      img_key: string,
      alt: plainText,
      title: richText,
      corner_radius: string,
      scale_type: oneOf("crop_center", "crop_top", "fit_horizontal"),
      size: string,
      transparent: boolean,
      preview: boolean,
      mode: oneOf("large", "medium", "small", "tiny", "fit_horizontal", "crop_center"),
      custom_width: number,
      compact_width: boolean,
    },
    ["img_key", "alt"],
  ),
  img_combination: shape(
    {
      ...placed,
      combination_mode: oneOf("double", "triple", "bisect", "trisect"),
      combination_transparent: boolean,
      corner_radius: string,
      img_list: listOf(shape({ img_key: string }, ["img_key"])),
    },
    ["combination_mode", "img_list"],
  ),
  person: shape(
    {
      ...placed,
      size: oneOf("extra_small", "small", "medium", "large"),
      show_avatar: boolean,
      show_name: boolean,
      style: oneOf("normal", "capsule"),
      user_id: string,
    },
    ["user_id"],
  ),
  person_list: shape(
    {
      ...placed,
      drop_invalid_user_id: boolean,
      lines: integerBetween(1, 1000),
      show_name: boolean,
      show_avatar: boolean,
      size: oneOf("extra_small", "small", "medium", "large"),
      persons: listOf(shape({ id: string }, ["id"])),
      icon,
      ud_icon: anything,
    },
    ["persons"],
  ),
  chart: shape(
    {
      ...placed,
      aspect_ratio: oneOf("1:1", "2:1", "4:3", "16:9"),
      color_theme: oneOf("brand", "rainbow", "complementary", "converse", "primary"),
      chart_spec: record,
      preview: boolean,
      height: string,
    },
    ["chart_spec"],
  ),
  audio: shape(
    {
      ...placed,
      file_key: string,
      i18n_file_key: mapOf(string, language),
      audio_id: string,
      disabled: boolean,
      disabled_tips: tips,
      show_progress_bar: boolean,
      show_time: boolean,
      time_display: string,
      time_position: string,
      border: record,
      style: string,
      padding: pixels,
      background_style: colour,
      fill_color: colour,
      width,
      fallback: record,
    },
    ["file_key"],
  ),
  button,
  overflow: shape(
    {
      ...placed,
      width,
      options: listOf(shape({ text: text(["plain_text"], 100), multi_url: links, value: string }, ["text"]), {
        min: 1,
      }),
      behaviors,
      confirm,
      value: record,
    },
    ["options"],
  ),
  input: shape(
    {
      ...placed,
      ...formParts,
      disabled: boolean,
      disabled_tips: tips,
      placeholder: text(["plain_text"], 100),
      default_value: string,
      width,
      behaviors,
      max_length: integerBetween(1, 1000),
      input_type: oneOf("text", "multiline_text", "password"),
      show_icon: boolean,
      rows: integerBetween(1, 100),
      auto_resize: boolean,
      max_rows: integerBetween(1, 100),
      label: plainText,
      label_position: oneOf("top", "left"),
      value: anything,
      confirm,
    },
    ["tag"],
  ),
  select_static: shape(
    { ...select, options: listOf(option()), initial_option: string, initial_index: integerBetween(0, 1000) },
    ["tag"],
  ),
  multi_select_static: shape({ ...select, options: listOf(option()), selected_values: listOf(string) }, ["tag"]),
  select_person: shape({ ...select, options: listOf(shape({ value: string })), initial_option: string }, ["tag"]),
  multi_select_person: shape(
    { ...select, options: listOf(shape({ value: string })), selected_values: listOf(string) },
    ["tag"],
  ),
  date_picker: shape(
    { ...picker, initial_date: matching(/^\d{4}-\d{2}-\d{2}$/, "a date such as 2026-01-31"), disabled_tips: tips },
    ["tag"],
  ),
  picker_time: shape({ ...picker, initial_time: matching(/^\d{2}:\d{2}$/, "a time such as 09:30") }, ["tag"]),
  picker_datetime: shape(
    { ...picker, initial_datetime: matching(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/, "a moment such as 2026-01-31 09:30") },
    ["tag"],
  ),
  select_img: shape(
    {
      ...placed,
      ...formParts,
      multi_select: boolean,
      layout: oneOf("stretch", "bisect", "trisect"),
      can_preview: boolean,
      aspect_ratio: oneOf("1:1", "4:3", "16:9"),
      disabled: boolean,
      disabled_tips: tips,
      value: anything,
      options: listOf(
        shape({ img_key: string, value: string, disabled: boolean, disabled_tips: tips, hover_tips: tips }, ["value"]),
      ),
      behaviors,
      confirm,
    },
    ["options"],
  ),
  checker: shape(
    {
      ...placed,
      name: string,
      checked: boolean,
      text: richText,
      overall_checkable: boolean,
      button_area: shape({ pc_display_rule: oneOf("always", "on_hover"), buttons: listOf(button, { max: 3 }) }),
      checked_style: shape({ show_strikethrough: boolean, opacity: number }),
      padding: pixels,
      confirm,
      behaviors,
      hover_tips: tips,
      disabled: boolean,
      disabled_tips: tips,
    },
    ["tag"],
  ),
};

const layout = {
  direction: oneOf("vertical", "horizontal"),
  padding: pixels,
  horizontal_spacing: spacing,
  horizontal_align: horizontal,
  vertical_spacing: spacing,
  vertical_align: vertical,
};

const onlyAtRoot = (tag: string) => ({
  code: UNNESTABLE,
  message: `${tag} may stand in the body only, not inside a container`,
});
const UNNESTABLE = 200621;
const gone = {
  action: { code: GONE, message: "the button row of version 1 is not in 2.0: put buttons straight into elements" },
  note: { code: GONE, message: "the note of version 1 is not in 2.0: use small grey text" },
};

const inContainer: CardRule = (value, path, report) =>
  byTag({ ...anywhere, ...containers }, { ...gone, form: onlyAtRoot("form"), table: onlyAtRoot("table") })(
    value,
    path,
    report,
  );
const contents = listOf((value, path, report) => inContainer(value, path, report));

const column = shape(
  {
    ...placed,
    ...layout,
    background_style: colour,
    width: matching(/^(?:auto|weighted|\d{1,4}px)$/, "auto, weighted or a length such as 120px"),
    weight: integerBetween(1, 5),
    action: shape({ multi_url: links }),
    elements: contents,
  },
  ["tag"],
);

const containers: Record<string, CardRule> = {
  column_set: shape(
    {
      ...placed,
      horizontal_spacing: spacing,
      horizontal_align: horizontal,
      flex_mode: oneOf("none", "stretch", "flow", "bisect", "trisect"),
      background_style: colour,
      action: shape({ multi_url: links }),
      columns: listOf(byTag({ column }, {})),
    },
    ["columns"],
  ),
  interactive_container: shape(
    {
      ...placed,
      ...layout,
      width: matching(/^(?:fill|auto|\d{1,4}px)$/, "fill, auto or a length"),
      height: matching(/^(?:auto|\d{1,4}px)$/, "auto or a length"),
      background_style: colour,
      has_border: boolean,
      border_color: colour,
      corner_radius: string,
      behaviors,
      hover_tips: tips,
      disabled: boolean,
      disabled_tips: tips,
      confirm,
      elements: contents,
    },
    ["elements"],
  ),
  collapsible_panel: shape(
    {
      ...placed,
      ...layout,
      expanded: boolean,
      background_color: colour,
      header: shape(
        {
          title: panelTitle,
          background_color: colour,
          width: matching(/^(?:fill|auto|auto_when_fold|\d{1,4}px)$/, "fill, auto or auto_when_fold"),
          vertical_align: vertical,
          padding: pixels,
          icon,
          icon_position: oneOf("left", "right", "follow_text"),
          icon_expanded_angle: oneOf(-180, -90, 90, 180),
        },
        [],
      ),
      border: shape({ color: colour, corner_radius: string }),
      elements: contents,
    },
    ["header"],
  ),
};

const table = shape(
  {
    ...placed,
    page_size: integerBetween(1, 10),
    row_height: string,
    row_max_height: string,
    freeze_first_column: boolean,
    header_style: shape({
      text_align: horizontal,
      text_size: string,
      background_style: oneOf("none", "grey"),
      text_color: oneOf("default", "grey"),
      bold: boolean,
      lines: integerBetween(1, 100),
    }),
    columns: listOf(
      shape(
        {
          name: string,
          display_name: string,
          i18n_display_name: mapOf(string, language),
          width: string,
          vertical_align: vertical,
          horizontal_align: horizontal,
          data_type: oneOf("text", "lark_md", "markdown", "options", "number", "persons", "date"),
          format: shape({ precision: integerBetween(0, 10), symbol: string, separator: boolean }),
          date_format: string,
        },
        ["name", "data_type"],
      ),
      { min: 1, max: 50 },
    ),
    rows: listOf(record),
  },
  ["columns", "rows"],
);

const form = shape({ ...placed, ...layout, name: string, elements: contents }, ["name", "elements"]);

const bodyElement = byTag({ ...anywhere, ...containers, form, table }, gone);

const TAG_COLOURS = [
  "neutral",
  "blue",
  "turquoise",
  "lime",
  "orange",
  "violet",
  "indigo",
  "wathet",
  "green",
  "yellow",
  "red",
  "purple",
  "carmine",
];
const TEMPLATES = [
  "blue",
  "wathet",
  "turquoise",
  "green",
  "yellow",
  "orange",
  "red",
  "carmine",
  "violet",
  "purple",
  "indigo",
  "grey",
  "default",
];
const textTags = listOf(
  shape({ tag: oneOf("text_tag"), element_id: elementId, text: plainText, color: oneOf(...TAG_COLOURS) }, ["tag"]),
  { max: 3 },
);

const header = shape(
  {
    title: richText,
    subtitle: richText,
    text_tag_list: textTags,
    i18n_text_tag_list: mapOf(textTags, language),
    template: oneOf(...TEMPLATES),
    icon,
    padding: pixels,
  },
  ["title"],
);

const config = shape({
  streaming_mode: boolean,
  streaming_config: shape({
    print_frequency_ms: anything,
    print_step: anything,
    print_strategy: oneOf("fast", "delay"),
  }),
  summary: shape({ content: string, i18n_content: mapOf(string, language) }),
  locales: listOf(language),
  enable_forward: boolean,
  update_multi: oneOf(true),
  width_mode: oneOf("default", "compact", "fill"),
  use_custom_translation: boolean,
  enable_forward_interaction: boolean,
  style: shape({
    text_size: mapOf(shape({ default: string, pc: string, mobile: string })),
    color: mapOf(shape({ light_mode: string, dark_mode: string })),
  }),
});

/** The whole frame of a Card JSON 2.0 card. */
export const wholeCard: CardRule = shape(
  {
    schema: oneOf("2.0"),
    config,
    card_link: links,
    header,
    body: shape({ ...layout, elements: listOf(bodyElement) }),
  },
  ["schema"],
);

/** Tags of components that hold others. */
export const CONTAINER_TAGS: ReadonlySet<string> = new Set([...Object.keys(containers), "form"]);

/** Tags whose `name` a form submits. */
export const FORM_FIELD_TAGS: ReadonlySet<string> = new Set([
  "button",
  "input",
  "select_static",
  "multi_select_static",
  "select_person",
  "multi_select_person",
  "date_picker",
  "picker_time",
  "picker_datetime",
  "select_img",
  "checker",
]);
