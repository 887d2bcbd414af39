/**
 * The part of Feishu's Card JSON 2.0 that we use, as types. Feishu refuses unknown properties, so nothing may stand here
 * that its pages do not name. Untrusted text belongs in `PlainText`: it is never parsed.
 */

export type I18n = { readonly zh_cn: string; readonly en_us: string };

type Said = { readonly content: string; readonly i18n_content?: I18n };

export type TextSize = "heading" | "normal" | "notation";

/** Named colours follow light and dark mode by themselves. */
export type TextColor = "default" | "grey" | "green" | "red" | "orange" | "blue";

export type PlainText = Said & {
  readonly tag: "plain_text";
  readonly text_size?: TextSize;
  readonly text_color?: TextColor;
  /** Lines shown; what is over is replaced by "…" on the client. */
  readonly lines?: number;
};

export type Markdown = Said & {
  readonly tag: "markdown";
  /** Names it for changes while the card streams. */
  readonly element_id?: string;
  readonly text_size?: TextSize;
  readonly margin?: string;
};

export type Div = { readonly tag: "div"; readonly text: PlainText; readonly margin?: string };

export type Hr = { readonly tag: "hr"; readonly margin?: string };

export type Confirm = { readonly title: PlainText; readonly text: PlainText };

/** `value` is always an object: the SDKs take nothing else. */
export type Callback = { readonly type: "callback"; readonly value: Readonly<Record<string, unknown>> };

export type ButtonStyle = "default" | "primary" | "danger" | "text" | "primary_text" | "danger_text";

export type Button = {
  readonly tag: "button";
  /** Names it for changes while the card streams. */
  readonly element_id?: string;
  readonly text: PlainText;
  readonly type: ButtonStyle;
  readonly size?: "tiny" | "small" | "medium" | "large";
  readonly width?: "default" | "fill";
  readonly disabled?: boolean;
  readonly confirm?: Confirm;
  readonly behaviors: readonly Callback[];
  /** Required inside a form, where it must be unique. */
  readonly name?: string;
  readonly form_action_type?: "submit" | "reset";
};

export type Option = { readonly text: PlainText; readonly value: string };

export type Overflow = {
  readonly tag: "overflow";
  readonly width?: "default" | "fill";
  readonly options: readonly Option[];
  readonly behaviors: readonly Callback[];
};

export type SelectStatic = {
  readonly tag: "select_static";
  readonly placeholder: PlainText;
  /** `default`, `fill`, or pixels from 100 up. */
  readonly width?: string;
  readonly options: readonly Option[];
  /** The value of the option chosen at first. */
  readonly initial_option?: string;
  /** Required inside a form, where it must be unique and the choice goes along with the submit. */
  readonly name?: string;
  readonly behaviors?: readonly Callback[];
};

export type PickerDatetime = {
  readonly tag: "picker_datetime";
  readonly placeholder: PlainText;
  readonly width?: string;
  readonly behaviors: readonly Callback[];
};

export type Input = {
  readonly tag: "input";
  readonly name: string;
  readonly required?: boolean;
  readonly placeholder?: PlainText;
  readonly default_value?: string;
  readonly width?: "default" | "fill";
  readonly max_length: number;
  readonly input_type?: "text" | "multiline_text";
  readonly rows?: number;
  readonly auto_resize?: boolean;
  readonly max_rows?: number;
  readonly label?: PlainText;
  readonly label_position?: "top" | "left";
};

/** Stands at the root only; needs a submit button; every control in it needs a unique name. */
export type Form = {
  readonly tag: "form";
  readonly name: string;
  readonly elements: readonly Element[];
  readonly vertical_spacing?: string;
};

export type Column = {
  readonly tag: "column";
  readonly width: "auto" | "weighted";
  readonly weight?: 1 | 2 | 3 | 4 | 5;
  readonly vertical_align?: "top" | "center" | "bottom";
  readonly vertical_spacing?: string;
  readonly elements: readonly Element[];
};

export type ColumnSet = {
  readonly tag: "column_set";
  /** `flow` wraps columns that do not fit, `none` squeezes them. */
  readonly flex_mode: "none" | "flow" | "stretch";
  readonly horizontal_spacing?: string;
  readonly margin?: string;
  readonly columns: readonly Column[];
};

export type Panel = {
  readonly tag: "collapsible_panel";
  readonly expanded: boolean;
  readonly header: { readonly title: PlainText };
  readonly border?: { readonly color: string; readonly corner_radius: string };
  readonly padding?: string;
  readonly vertical_spacing?: string;
  readonly elements: readonly Element[];
};

/** A VChart drawing (Feishu: chart component); `chart_spec` is VChart's own form, of which we use the line. */
export type Chart = {
  readonly tag: "chart";
  readonly aspect_ratio: "1:1" | "2:1" | "4:3" | "16:9";
  readonly chart_spec: {
    readonly type: "line";
    readonly title: { readonly text: string };
    readonly data: { readonly values: readonly { readonly x: string; readonly y: number }[] };
    readonly xField: "x";
    readonly yField: "y";
  };
};

export type Element =
  | Chart
  | Markdown
  | Div
  | Hr
  | Button
  | Overflow
  | SelectStatic
  | PickerDatetime
  | Input
  | ColumnSet
  | Panel;

/** What may stand directly in the body: forms may stand nowhere else. */
export type RootElement = Element | Form;

/** The colour has a meaning: blue neutral, green done, orange look here, red error, grey void. */
export type HeaderTemplate = "blue" | "green" | "orange" | "red" | "grey";

export type HeaderTag = { readonly tag: "text_tag"; readonly text: PlainText; readonly color: string };

export type Header = {
  readonly title: PlainText;
  readonly subtitle?: PlainText;
  readonly template: HeaderTemplate;
  readonly text_tag_list?: readonly HeaderTag[];
};

export type Card = {
  readonly schema: "2.0";
  readonly config: {
    /** Stated although it is the only value 2.0 knows: a patch is refused when the card does not state it. */
    readonly update_multi: true;
    readonly enable_forward: boolean;
    readonly enable_forward_interaction: false;
    readonly width_mode: "default";
    readonly summary: Said;
    readonly locales?: readonly ["zh_cn", "en_us"];
    /** The text of the card is being typed; closed before anything on it is to be decided. */
    readonly streaming_mode?: true;
  };
  readonly header?: Header;
  readonly body: {
    readonly direction: "vertical";
    readonly vertical_spacing: string;
    readonly elements: readonly RootElement[];
  };
};
