import { header, literal, note, panel, words } from "./blocks.ts";
import { submitButton } from "./buttons.ts";
import type { Card, Element, RootElement } from "./card.ts";
import { cleanText } from "./escape.ts";
import { fitCard } from "./fit-card.ts";
import { LIMITS } from "./limits.ts";
import { type Look, say } from "./look.ts";
import { nameOf, type Who } from "./who.ts";

/** The person's own words on how to be reminded: PROACTIVE_PREFERENCES.md. */
export type PrefsView = {
  /** Undefined when the file does not exist yet. */
  readonly text: string | undefined;
  /** Shown after a save. */
  readonly saved?: { readonly by: Who; readonly at: Date };
  /** Members may look, only those who may change it get the form. */
  readonly mayEdit: boolean;
};

/** The text in a form; to read only when it is longer than an input takes, or when the reader may not change it. */
export function prefsCard(view: PrefsView, look: Look): Card {
  const text = cleanText(view.text ?? "");
  const { saved } = view;
  const editable = view.mayEdit && text.length <= LIMITS.inputChars;
  const elements: RootElement[] = [words(look, (t) => t.card.prefs.intro)];
  if (view.text === undefined) elements.push(note(look, (t) => t.card.prefs.missing));
  if (editable) elements.push(form(text, look));
  else elements.push(...readOnly(text, look));
  if (view.mayEdit && !editable) elements.push(note(look, (t) => t.card.prefs.tooLong, { color: "orange" }));
  if (saved) {
    elements.push(
      note(look, (t, f) => t.card.prefs.savedBy(nameOf(saved.by)(t, f), f.moment(saved.at)), { color: "green" }),
    );
  }
  return fitCard(look, {
    header: header(look, saved ? "green" : "blue", (t) => t.card.prefs.title),
    summary: (t) => t.card.prefs.title,
    blocks: [{ stands: 0, elements }],
  });
}

function form(text: string, look: Look): RootElement {
  return {
    tag: "form",
    name: "prefs",
    vertical_spacing: "8px",
    elements: [
      {
        tag: "input",
        name: "text",
        label: { tag: "plain_text", ...say(look, (t) => t.card.prefs.label) },
        label_position: "top",
        placeholder: { tag: "plain_text", ...say(look, (t) => t.card.prefs.placeholder) },
        ...(text && { default_value: text }),
        width: "fill",
        input_type: "multiline_text",
        rows: 6,
        auto_resize: true,
        max_rows: 20,
        max_length: LIMITS.inputChars,
      },
      submitButton("prefs.save", {}, look, { control: "save", label: (t) => t.card.prefs.save }),
    ],
  };
}

function readOnly(text: string, look: Look): Element[] {
  if (text.trim() === "") return [];
  return [
    panel(look, (t) => t.card.prefs.current, [literal(text, { maxChars: 8_000 })], text.length <= LIMITS.inputChars),
  ];
}
