/**
 * An independent reader of Card JSON 2.0: knows the documented property names and limits, and nothing of our own card
 * code. Returns what is wrong, each with its place; an empty list means that nothing documented is broken.
 */
export function checkCard(card: unknown): string[] {
  const problems: string[] = [];
  const say = (path: string, what: string): void => void problems.push(`${path}: ${what}`);
  const state: State = { say, names: new Set(), ids: new Set(), tables: 0 };

  const json = JSON.stringify(card);
  if (Buffer.byteLength(json) > 28_000) say("card", `${Buffer.byteLength(json)} bytes of JSON, 28000 allowed`);
  const content = Buffer.byteLength(JSON.stringify(json));
  if (content > 30 * 1024) say("card", `${content} bytes as message content, 30720 allowed`);
  if (/\\u0000/.test(json)) say("card", "holds U+0000");
  if (/\\ud[89a-f][0-9a-f]{2}/i.test(json)) say("card", "holds a lone surrogate");

  if (!isObject(card)) return ["card: not an object"];
  keys(state, "card", card, ["schema", "config", "card_link", "header", "body"], ["schema", "body"]);
  if (card.schema !== "2.0") say("card.schema", "must be stated as 2.0");
  checkConfig(state, card.config);
  if (card.header !== undefined) checkHeader(state, card.header);
  checkBody(state, card.body);

  const tagged = countTagged(card);
  if (tagged > 200) say("card", `${tagged} tagged elements, 200 allowed`);
  if (state.tables > 3) say("card", `${state.tables} markdown tables, 3 are accepted in practice`);
  return problems;
}

type State = {
  readonly say: (path: string, what: string) => void;
  readonly names: Set<string>;
  readonly ids: Set<string>;
  tables: number;
};

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function keys(state: State, path: string, value: Json, allowed: readonly string[], required: readonly string[]): void {
  for (const key of Object.keys(value)) if (!allowed.includes(key)) state.say(path, `unknown property "${key}"`);
  for (const key of required) if (value[key] === undefined) state.say(path, `property "${key}" is missing`);
}

function oneOf(state: State, path: string, value: unknown, allowed: readonly unknown[]): void {
  if (value !== undefined && !allowed.includes(value)) state.say(path, `"${String(value)}" is not one of ${allowed}`);
}

const SPACING = /^(small|medium|large|extra_large|\d{1,2}px)$/;
const MARGIN = /^(-?\d{1,2}(px)?)( -?\d{1,2}(px)?){0,3}$/;
const WIDTH = /^(default|fill|[1-9]\d{2,}px)$/;

function matches(state: State, path: string, value: unknown, pattern: RegExp): void {
  if (value !== undefined && (typeof value !== "string" || !pattern.test(value))) {
    state.say(path, `"${String(value)}" does not look like ${pattern}`);
  }
}

function checkConfig(state: State, config: unknown): void {
  if (!isObject(config)) {
    state.say("config", "missing: update_multi must be stated");
    return;
  }
  keys(
    state,
    "config",
    config,
    [
      "update_multi",
      "enable_forward",
      "enable_forward_interaction",
      "width_mode",
      "summary",
      "locales",
      "streaming_mode",
      "streaming_config",
      "use_custom_translation",
      "style",
    ],
    ["update_multi"],
  );
  if (config.update_multi !== true) state.say("config.update_multi", "must be true");
  oneOf(state, "config.width_mode", config.width_mode, ["default", "compact", "fill"]);
  if (config.summary !== undefined) {
    if (!isObject(config.summary)) {
      state.say("config.summary", "must be an object");
      return;
    }
    keys(state, "config.summary", config.summary, ["content", "i18n_content"], ["content"]);
    checkI18n(state, "config.summary", config.summary);
  }
}

const TEMPLATES = "blue wathet turquoise green yellow orange red carmine violet purple indigo grey default".split(" ");
const TAG_COLOURS = "neutral blue turquoise lime orange violet indigo wathet green yellow red purple carmine".split(
  " ",
);

function checkHeader(state: State, header: unknown): void {
  if (!isObject(header)) {
    state.say("header", "must be an object");
    return;
  }
  const allowed = ["title", "subtitle", "text_tag_list", "i18n_text_tag_list", "template", "icon", "padding"];
  keys(state, "header", header, allowed, ["title"]);
  checkText(state, "header.title", header.title, { shown: true, chars: 200 });
  if (header.subtitle !== undefined) checkText(state, "header.subtitle", header.subtitle, { shown: true });
  oneOf(state, "header.template", header.template, TEMPLATES);
  const tags = header.text_tag_list;
  if (tags === undefined) return;
  if (!Array.isArray(tags) || tags.length > 3) {
    state.say("header.text_tag_list", "a list of at most 3");
    return;
  }
  for (const tag of tags as unknown[]) {
    if (!isObject(tag)) {
      state.say("header.text_tag_list", "holds something that is no object");
      continue;
    }
    keys(state, "header.text_tag_list", tag, ["tag", "element_id", "text", "color"], ["tag", "text"]);
    oneOf(state, "header.text_tag_list.tag", tag.tag, ["text_tag"]);
    oneOf(state, "header.text_tag_list.color", tag.color, TAG_COLOURS);
    checkText(state, "header.text_tag_list.text", tag.text, { shown: true, chars: 100 });
  }
}

function checkBody(state: State, body: unknown): void {
  if (!isObject(body)) {
    state.say("body", "must be an object");
    return;
  }
  const allowed = [
    "direction",
    "padding",
    "horizontal_spacing",
    "horizontal_align",
    "vertical_spacing",
    "vertical_align",
    "elements",
  ];
  keys(state, "body", body, allowed, ["elements"]);
  matches(state, "body.vertical_spacing", body.vertical_spacing, SPACING);
  checkElements(state, "body.elements", body.elements, { depth: 0, root: true, form: false });
}

type Place = { readonly depth: number; readonly root: boolean; readonly form: boolean };

function checkElements(state: State, path: string, elements: unknown, place: Place): void {
  if (!Array.isArray(elements)) {
    state.say(path, "must be a list");
    return;
  }
  if (place.depth > 5) state.say(path, `nested ${place.depth} deep, 5 allowed`);
  (elements as unknown[]).forEach((element, index) => {
    const at = `${path}[${index}]`;
    if (!isObject(element) || typeof element.tag !== "string") {
      state.say(at, "has no tag");
      return;
    }
    const check = COMPONENTS[element.tag];
    if (!check) {
      state.say(at, `"${element.tag}" is no component that may stand here`);
      return;
    }
    const id = element.element_id;
    if (id !== undefined) {
      if (typeof id !== "string" || !/^[A-Za-z]\w{0,19}$/.test(id)) state.say(at, `bad element_id "${String(id)}"`);
      else if (state.ids.has(id)) state.say(at, `element_id "${id}" is used twice`);
      else state.ids.add(id);
    }
    matches(state, `${at}.margin`, element.margin, MARGIN);
    check(state, `${at}<${element.tag}>`, element, place);
  });
}

type Check = (state: State, path: string, element: Json, place: Place) => void;

const COMMON = ["tag", "element_id", "margin"];
const TEXT_SIZES = [
  "heading-0",
  "heading-1",
  "heading-2",
  "heading-3",
  "heading-4",
  "heading",
  "normal",
  "notation",
  "xxxx-large",
  "xxx-large",
  "xx-large",
  "x-large",
  "large",
  "medium",
  "small",
  "x-small",
];

/** Controls outside a form are useless without a callback, inside they need a unique name. */
function checkControl(state: State, path: string, element: Json, place: Place, callbackInForm = false): void {
  if (place.form) {
    const name = element.name;
    if (typeof name !== "string" || name === "") state.say(path, "needs a name inside a form");
    else if (state.names.has(name)) state.say(path, `name "${name}" is used twice`);
    else state.names.add(name);
  }
  if (place.form && !callbackInForm) return;
  const behaviors = element.behaviors;
  if (!Array.isArray(behaviors) || behaviors.length === 0) {
    state.say(path, "does nothing: no behaviors");
    return;
  }
  for (const behavior of behaviors as unknown[]) {
    if (!isObject(behavior)) {
      state.say(path, "has a behavior that is no object");
    } else if (behavior.type === "callback") {
      keys(state, `${path}.behaviors`, behavior, ["type", "value"], ["type", "value"]);
      if (!isObject(behavior.value)) state.say(path, "callback value must be an object");
    } else if (behavior.type === "open_url") {
      const allowed = ["type", "default_url", "pc_url", "ios_url", "android_url"];
      keys(state, `${path}.behaviors`, behavior, allowed, ["default_url"]);
    } else {
      state.say(path, `unknown behavior "${String(behavior.type)}"`);
    }
  }
}

function checkOptions(state: State, path: string, element: Json, allowed: readonly string[]): void {
  const options = element.options;
  if (!Array.isArray(options) || options.length === 0) {
    state.say(path, "has no options");
    return;
  }
  const values = new Set<unknown>();
  for (const option of options as unknown[]) {
    if (!isObject(option)) {
      state.say(path, "has an option that is no object");
      continue;
    }
    keys(state, `${path}.options`, option, allowed, ["text", "value"]);
    checkText(state, `${path}.options.text`, option.text, { shown: true, chars: 100 });
    if (typeof option.value !== "string") state.say(path, "an option's value must be a string");
    if (values.has(option.value)) state.say(path, `option value "${String(option.value)}" is used twice`);
    values.add(option.value);
  }
}

function checkConfirm(state: State, path: string, confirm: unknown): void {
  if (confirm === undefined) return;
  if (!isObject(confirm)) {
    state.say(path, "confirm must be an object");
    return;
  }
  keys(state, `${path}.confirm`, confirm, ["title", "text"], ["title", "text"]);
  checkText(state, `${path}.confirm.title`, confirm.title, { shown: true });
  checkText(state, `${path}.confirm.text`, confirm.text, { shown: true });
}

const COMPONENTS: Readonly<Record<string, Check>> = {
  div(state, path, element) {
    keys(state, path, element, [...COMMON, "width", "text", "icon", "fields"], ["text"]);
    checkText(state, `${path}.text`, element.text, { shown: true, styled: true });
  },
  markdown(state, path, element) {
    const allowed = [...COMMON, "content", "i18n_content", "text_align", "text_size", "icon", "href"];
    keys(state, path, element, allowed, ["content"]);
    if (typeof element.content !== "string" || element.content.trim() === "") state.say(path, "shows nothing");
    oneOf(state, `${path}.text_size`, element.text_size, TEXT_SIZES);
    checkI18n(state, path, element);
    const contents = [element.content, ...Object.values((element.i18n_content as Json | undefined) ?? {})];
    let most = 0;
    for (const content of contents) {
      if (typeof content !== "string") continue;
      most = Math.max(most, countMarkdownTables(content));
      if (hasOpenFence(content)) state.say(path, "leaves a code fence open");
    }
    if (most > 4) state.say(path, `${most} tables in one markdown component, 4 allowed`);
    state.tables += most;
  },
  /** Feishu: chart component, 2025-06; what is in the spec is VChart's own affair. */
  chart(state, path, element) {
    keys(
      state,
      path,
      element,
      [...COMMON, "aspect_ratio", "color_theme", "chart_spec", "height", "preview"],
      ["chart_spec"],
    );
    if (!isObject(element.chart_spec)) state.say(`${path}.chart_spec`, "must be an object");
  },
  hr(state, path, element) {
    keys(state, path, element, COMMON, []);
  },
  button(state, path, element, place) {
    const allowed = [
      ...COMMON,
      "type",
      "size",
      "width",
      "text",
      "icon",
      "hover_tips",
      "disabled",
      "disabled_tips",
      "confirm",
      "behaviors",
      "name",
      "required",
      "form_action_type",
    ];
    keys(state, path, element, allowed, ["text"]);
    checkText(state, `${path}.text`, element.text, { shown: true, chars: 100 });
    oneOf(
      state,
      `${path}.type`,
      element.type,
      "default primary danger text primary_text danger_text primary_filled danger_filled laser".split(" "),
    );
    oneOf(state, `${path}.size`, element.size, ["tiny", "small", "medium", "large"]);
    matches(state, `${path}.width`, element.width, WIDTH);
    checkConfirm(state, path, element.confirm);
    if (!place.form && element.form_action_type !== undefined) state.say(path, "submits no form");
    oneOf(state, `${path}.form_action_type`, element.form_action_type, ["submit", "reset"]);
    checkControl(state, path, element, place, true);
  },
  overflow(state, path, element, place) {
    keys(state, path, element, [...COMMON, "width", "options", "behaviors", "confirm", "name"], ["options"]);
    checkOptions(state, path, element, ["text", "multi_url", "value"]);
    checkControl(state, path, element, place, true);
  },
  select_static(state, path, element, place) {
    const allowed = [
      ...COMMON,
      "type",
      "name",
      "required",
      "disabled",
      "initial_option",
      "initial_index",
      "placeholder",
      "width",
      "behaviors",
      "options",
      "confirm",
    ];
    keys(state, path, element, allowed, ["options"]);
    checkText(state, `${path}.placeholder`, element.placeholder, { chars: 100 });
    matches(state, `${path}.width`, element.width, WIDTH);
    checkOptions(state, path, element, ["text", "icon", "value"]);
    checkControl(state, path, element, place);
  },
  picker_datetime(state, path, element, place) {
    const allowed = [
      ...COMMON,
      "name",
      "required",
      "disabled",
      "width",
      "behaviors",
      "initial_datetime",
      "placeholder",
      "confirm",
    ];
    keys(state, path, element, allowed, ["placeholder"]);
    checkText(state, `${path}.placeholder`, element.placeholder, { chars: 100 });
    matches(state, `${path}.width`, element.width, WIDTH);
    checkControl(state, path, element, place);
  },
  input(state, path, element, place) {
    const allowed = [
      ...COMMON,
      "name",
      "required",
      "placeholder",
      "default_value",
      "disabled",
      "disabled_tips",
      "width",
      "behaviors",
      "max_length",
      "input_type",
      "rows",
      "auto_resize",
      "max_rows",
      "show_icon",
      "label",
      "label_position",
      "value",
      "confirm",
    ];
    keys(state, path, element, allowed, []);
    const max = element.max_length ?? 1_000;
    if (!Number.isInteger(max) || (max as number) < 1 || (max as number) > 1_000) state.say(path, "max_length 1–1000");
    const value = element.default_value ?? "";
    if (typeof value !== "string") state.say(path, "default_value must be a string");
    else if (value.length > (max as number)) state.say(path, "default_value is longer than max_length");
    oneOf(state, `${path}.input_type`, element.input_type, ["text", "multiline_text", "password"]);
    matches(state, `${path}.width`, element.width, WIDTH);
    checkControl(state, path, element, place);
  },
  form(state, path, element, place) {
    const allowed = [
      ...COMMON,
      "direction",
      "horizontal_spacing",
      "vertical_spacing",
      "horizontal_align",
      "vertical_align",
      "padding",
      "name",
      "elements",
    ];
    keys(state, path, element, allowed, ["name", "elements"]);
    if (!place.root) state.say(path, "a form stands at the root only");
    if (typeof element.name === "string") {
      if (state.names.has(element.name)) state.say(path, "form name is used twice");
      state.names.add(element.name);
    }
    if (!JSON.stringify(element).includes('"form_action_type":"submit"')) state.say(path, "has no submit button");
    checkElements(state, `${path}.elements`, element.elements, { depth: place.depth + 1, root: false, form: true });
  },
  column_set(state, path, element, place) {
    const allowed = [
      ...COMMON,
      "flex_mode",
      "horizontal_spacing",
      "horizontal_align",
      "background_style",
      "action",
      "columns",
    ];
    keys(state, path, element, allowed, ["columns"]);
    oneOf(state, `${path}.flex_mode`, element.flex_mode, ["none", "stretch", "flow", "bisect", "trisect"]);
    matches(state, `${path}.horizontal_spacing`, element.horizontal_spacing, SPACING);
    const columns = element.columns;
    if (!Array.isArray(columns) || columns.length === 0) {
      state.say(path, "has no columns");
      return;
    }
    const controls = JSON.stringify(columns).match(/"behaviors"/g)?.length ?? 0;
    if (controls > 3 && element.flex_mode !== "flow") state.say(path, "more than 3 controls that cannot wrap");
    columns.forEach((column: unknown, index) => {
      const at = `${path}.columns[${index}]`;
      if (!isObject(column)) {
        state.say(at, "must be an object");
        return;
      }
      const known = [
        ...COMMON,
        "background_style",
        "width",
        "weight",
        "direction",
        "horizontal_spacing",
        "horizontal_align",
        "vertical_align",
        "vertical_spacing",
        "padding",
        "elements",
        "action",
      ];
      keys(state, at, column, known, ["tag", "elements"]);
      oneOf(state, `${at}.tag`, column.tag, ["column"]);
      matches(state, `${at}.width`, column.width, /^(auto|weighted|\d{2,3}px)$/);
      if (column.weight !== undefined) oneOf(state, `${at}.weight`, column.weight, [1, 2, 3, 4, 5]);
      oneOf(state, `${at}.vertical_align`, column.vertical_align, ["top", "center", "bottom"]);
      checkElements(state, `${at}.elements`, column.elements, { ...place, depth: place.depth + 2, root: false });
    });
  },
  collapsible_panel(state, path, element, place) {
    const allowed = [
      ...COMMON,
      "direction",
      "vertical_spacing",
      "horizontal_spacing",
      "vertical_align",
      "horizontal_align",
      "padding",
      "expanded",
      "background_color",
      "header",
      "border",
      "elements",
    ];
    keys(state, path, element, allowed, ["header", "elements"]);
    const header = element.header;
    if (!isObject(header)) {
      state.say(path, "needs a header");
      return;
    }
    const known = [
      "title",
      "background_color",
      "vertical_align",
      "padding",
      "position",
      "width",
      "icon",
      "icon_position",
      "icon_expanded_angle",
    ];
    keys(state, `${path}.header`, header, known, ["title"]);
    checkText(state, `${path}.header.title`, header.title, { shown: true });
    checkElements(state, `${path}.elements`, element.elements, { ...place, depth: place.depth + 1, root: false });
  },
};

function checkText(
  state: State,
  path: string,
  text: unknown,
  rule: { shown?: boolean; styled?: boolean; chars?: number },
): void {
  if (!isObject(text)) {
    state.say(path, "must be a text object");
    return;
  }
  const style = rule.styled ? ["element_id", "text_size", "text_color", "text_align", "lines"] : [];
  keys(state, path, text, ["tag", "content", "i18n_content", ...style], ["tag", "content"]);
  oneOf(state, `${path}.tag`, text.tag, ["plain_text", "lark_md"]);
  oneOf(state, `${path}.text_size`, text.text_size, TEXT_SIZES);
  checkI18n(state, path, text);
  for (const content of [text.content, ...Object.values((text.i18n_content as Json | undefined) ?? {})]) {
    if (typeof content !== "string") state.say(path, "content must be a string");
    else if (rule.shown && content.trim() === "") state.say(path, "shows nothing");
    else if (content.length > (rule.chars ?? Number.POSITIVE_INFINITY)) state.say(path, `longer than ${rule.chars}`);
  }
}

function checkI18n(state: State, path: string, holder: Json): void {
  const i18n = holder.i18n_content;
  if (i18n === undefined) return;
  if (!isObject(i18n)) {
    state.say(path, "i18n_content must be an object");
    return;
  }
  keys(state, `${path}.i18n_content`, i18n, ["zh_cn", "en_us"], ["zh_cn", "en_us"]);
}

function countTagged(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, inner) => sum + countTagged(inner), 0);
  if (!isObject(value)) return 0;
  const own = typeof value.tag === "string" ? 1 : 0;
  return own + Object.values(value).reduce((sum: number, inner) => sum + countTagged(inner), 0);
}

/** Header line with a pipe, then a row of dashes; outside of fences. */
function countMarkdownTables(content: string): number {
  let tables = 0;
  let fenced = false;
  let previous = "";
  for (const text of content.split("\n")) {
    if (/^ {0,3}(```|~~~)/.test(text)) fenced = !fenced;
    else if (!fenced && previous.includes("|") && /^[ |:-]*-[ |:-]*$/.test(text)) tables++;
    previous = text;
  }
  return tables;
}

function hasOpenFence(content: string): boolean {
  return (content.match(/^ {0,3}(```|~~~)/gm)?.length ?? 0) % 2 === 1;
}
