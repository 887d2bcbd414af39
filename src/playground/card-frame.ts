import { anywhere } from "./card-components.ts";
import {
  behaviors,
  colour,
  confirm,
  elementId,
  horizontal,
  icon,
  language,
  layout,
  links,
  pixels,
  placed,
  plainText,
  richText,
  richTextBlock,
  spacing,
  tips,
  vertical,
} from "./card-parts.ts";
import {
  anything,
  boolean,
  byTag,
  type CardRule,
  integerBetween,
  listOf,
  mapOf,
  matching,
  oneOf,
  record,
  shape,
  string,
} from "./card-rules.ts";

// The frame of a card, its containers, and what may stand in which of them.

const GONE = 200861;
const UNNESTABLE = 200621;

const panelTitle = byTag({ plain_text: plainText, lark_md: richText, markdown: richTextBlock }, {});

const onlyAtRoot = (tag: string) => ({
  code: UNNESTABLE,
  message: `${tag} may stand in the body only, not inside a container`,
});
const gone = {
  action: { code: GONE, message: "the button row of version 1 is not in 2.0: put buttons straight into elements" },
  note: { code: GONE, message: "the note of version 1 is not in 2.0: use small grey text" },
};

// Containers hold each other, so their rule can only be put together once all are defined.
let insideRule: CardRule | undefined;
const contents = listOf((value, path, report) => {
  insideRule ??= byTag(
    { ...anywhere, ...containers },
    { ...gone, form: onlyAtRoot("form"), table: onlyAtRoot("table") },
  );
  insideRule(value, path, report);
});

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
