import type {
  Column,
  ColumnSet,
  Div,
  Element,
  Header,
  HeaderTemplate,
  Hr,
  Markdown,
  Panel,
  PlainText,
  TextColor,
  TextSize,
} from "./card.ts";
import { cutText } from "./cut-text.ts";
import { cleanText } from "./escape.ts";
import { type Look, say, type Write } from "./look.ts";

export type TextOptions = {
  readonly size?: TextSize;
  readonly color?: TextColor;
  /** Lines shown at most. */
  readonly lines?: number;
  readonly margin?: string;
};

/** Our own words, as unparsed text. Untrusted parts may stand in it: nothing of it is read as markdown. */
export function words(look: Look, write: Write, options: TextOptions = {}): Div {
  return div(
    say(look, (t, format) => cleanText(write(t, format))),
    options,
  );
}

/** A person's or a model's text, literally, at most `maxChars` long. */
export function literal(text: string, options: TextOptions & { readonly maxChars: number }): Div {
  // Twice the length is enough to clean: what is taken out is rare, and texts can be very long.
  const start = text.slice(0, 2 * options.maxChars + 1_000);
  return div({ content: cutText(cleanText(start).trim(), options.maxChars) }, options);
}

/** Small grey text: sources, times, what else there is to know. */
export function note(look: Look, write: Write, options: TextOptions = {}): Div {
  return words(look, write, { size: "notation", color: "grey", ...options });
}

/** Our own markdown. Untrusted parts must have gone through `escapeMarkdown`. */
export function markdown(look: Look, write: Write, options: Pick<TextOptions, "size" | "margin"> = {}): Markdown {
  return {
    tag: "markdown",
    ...say(look, write),
    ...(options.size && { text_size: options.size }),
    ...(options.margin && { margin: options.margin }),
  };
}

export function line(): Hr {
  return { tag: "hr" };
}

/** Controls side by side at their natural width; those that do not fit on a phone go to the next line. */
export function row(controls: readonly Element[], options: { readonly margin?: string } = {}): ColumnSet {
  return {
    tag: "column_set",
    flex_mode: "flow",
    horizontal_spacing: "8px",
    ...(options.margin && { margin: options.margin }),
    columns: controls.map(
      (control): Column => ({
        tag: "column",
        width: "auto",
        vertical_align: "center",
        elements: [control],
      }),
    ),
  };
}

/** Something long, folded under a line that says what it is. */
export function panel(look: Look, title: Write, elements: readonly Element[], expanded = false): Panel {
  return {
    tag: "collapsible_panel",
    expanded,
    header: { title: { tag: "plain_text", ...say(look, (t, format) => cleanText(title(t, format))) } },
    border: { color: "grey", corner_radius: "5px" },
    padding: "8px 8px 8px 8px",
    vertical_spacing: "8px",
    elements,
  };
}

export function header(
  look: Look,
  template: HeaderTemplate,
  title: Write,
  options: {
    readonly subtitle?: Write;
    readonly tags?: readonly { readonly text: Write; readonly color: string }[];
  } = {},
): Header {
  const plain = (write: Write): PlainText => ({
    tag: "plain_text",
    ...say(look, (t, format) => cleanText(write(t, format))),
  });
  return {
    title: plain(title),
    ...(options.subtitle && { subtitle: plain(options.subtitle) }),
    template,
    ...(options.tags?.length && {
      text_tag_list: options.tags.map(({ text, color }) => ({ tag: "text_tag" as const, text: plain(text), color })),
    }),
  };
}

function div(said: Pick<PlainText, "content" | "i18n_content">, options: TextOptions): Div {
  return {
    tag: "div",
    text: {
      tag: "plain_text",
      ...said,
      ...(options.size && { text_size: options.size }),
      ...(options.color && { text_color: options.color }),
      ...(options.lines && { lines: options.lines }),
    },
    ...(options.margin && { margin: options.margin }),
  };
}
