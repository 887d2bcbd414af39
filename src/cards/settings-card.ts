import { header, note, row, words } from "./blocks.ts";
import { actionButton, submitButton } from "./buttons.ts";
import type { Card, Element, RootElement } from "./card.ts";
import { cleanText } from "./escape.ts";
import { fitCard } from "./fit-card.ts";
import { LIMITS } from "./limits.ts";
import { type Look, say } from "./look.ts";
import { nameOf, type Who } from "./who.ts";
import { wordFor } from "./word-for.ts";

export const SETTING_GROUPS = ["reminders", "general", "chat", "evolution", "reading"] as const;
export type SettingGroup = (typeof SETTING_GROUPS)[number];

export type SettingField = {
  readonly name: string;
  /** As a person would write it. */
  readonly value: string;
  /** What it is unless somebody said otherwise, when that differs. */
  readonly byDefault?: string;
  /** All the words it takes. */
  readonly choices?: readonly string[];
};

/** One page of the settings. */
export type SettingsView = {
  readonly group: SettingGroup;
  readonly fields: readonly SettingField[];
  /** Shown after a save. */
  readonly saved?: { readonly by: Who; readonly at: Date };
  readonly mayChange: boolean;
};

/** One page of the settings as a form, and the way to the other pages. */
export function settingsCard(view: SettingsView, look: Look): Card {
  const { saved } = view;
  const elements: RootElement[] = [
    row(
      SETTING_GROUPS.map((group) =>
        actionButton("settings.group", { group }, look, {
          label: (t) => t.settings.group[group],
          style: group === view.group ? "primary" : "default",
        }),
      ),
    ),
    view.mayChange ? form(view, look) : note(look, (t) => t.settings.readOnly),
  ];
  if (!view.mayChange) elements.push(...view.fields.map((field) => shown(field, look)));
  if (saved) {
    elements.push(
      note(look, (t, f) => t.settings.savedBy(nameOf(saved.by)(t, f), f.moment(saved.at)), { color: "green" }),
    );
  }
  if (view.mayChange) elements.push(note(look, (t) => t.settings.intro));
  return fitCard(look, {
    header: header(look, saved ? "green" : "blue", (t) => t.settings.title, {
      subtitle: (t) => t.settings.group[view.group],
    }),
    summary: (t) => t.settings.title,
    blocks: [{ stands: 0, elements }],
  });
}

function form({ group, fields }: SettingsView, look: Look): RootElement {
  return {
    tag: "form",
    name: `settings_${group}`,
    vertical_spacing: "8px",
    elements: [
      ...fields.flatMap((field) => control(field, look)),
      submitButton("settings.save", { group }, look, { control: "save", label: (t) => t.settings.save }),
    ],
  };
}

function control(field: SettingField, look: Look): Element[] {
  const { choices } = field;
  if (choices) {
    return [
      words(look, (t) => labelOf(field, t.settings)),
      {
        tag: "select_static",
        name: field.name,
        placeholder: { tag: "plain_text", ...say(look, (t) => t.settings.choose) },
        width: "fill",
        initial_option: field.value,
        options: choices.map((value) => ({
          text: { tag: "plain_text", ...say(look, (t) => wordFor(t.settings.choice, value)) },
          value,
        })),
      },
    ];
  }
  const text = cleanText(field.value).slice(0, LIMITS.inputChars);
  return [
    {
      tag: "input",
      name: field.name,
      label: { tag: "plain_text", ...say(look, (t) => labelOf(field, t.settings)) },
      label_position: "top",
      ...(text && { default_value: text }),
      width: "fill",
      max_length: LIMITS.inputChars,
    },
  ];
}

function shown(field: SettingField, look: Look): Element {
  return words(look, (t) =>
    t.settings.line(labelOf(field, t.settings), field.name, wordFor(t.settings.choice, field.value) || t.settings.none),
  );
}

type SettingTexts = {
  readonly label: Readonly<Record<string, string>>;
  readonly choice: Readonly<Record<string, string>>;
  readonly default: (value: string) => string;
};

function labelOf({ name, byDefault }: SettingField, t: SettingTexts): string {
  const label = wordFor(t.label, name);
  return byDefault === undefined ? label : `${label} · ${t.default(wordFor(t.choice, byDefault))}`;
}
