import { header, line, literal, note, words } from "./blocks.ts";
import type { Card, Element } from "./card.ts";
import { type Block, fitCard } from "./fit-card.ts";
import type { Look, Write } from "./look.ts";

export type HelpCommandView = {
  /** As it is typed: /snooze N <when> */
  readonly usage: string;
  readonly summary: Write;
  readonly example?: Write;
};

/** The commands a person may use, by who may use them. Empty groups are not shown. */
export type HelpView = {
  readonly everyone: readonly HelpCommandView[];
  readonly admin: readonly HelpCommandView[];
};

/** Every command the reader may use, with what it does. */
export function helpCard(view: HelpView, look: Look): Card {
  const groups = [
    { title: (t) => t.card.help.everyone, commands: view.everyone },
    { title: (t) => t.card.help.admin, commands: view.admin },
  ] satisfies { title: Write; commands: readonly HelpCommandView[] }[];
  const shown = groups.filter((group) => group.commands.length > 0);
  const blocks = shown.flatMap((group, index): Block[] => [
    ...(shown.length > 1
      ? [{ stands: 0, elements: [...(index > 0 ? [line()] : []), words(look, group.title, { size: "heading" })] }]
      : []),
    ...group.commands.map((command) => ({ stands: 1, elements: commandElements(command, look) })),
  ]);
  blocks.push({ stands: 0, elements: [line(), note(look, (t) => t.card.help.footer)] });
  return fitCard(look, {
    header: header(look, "blue", (t) => t.card.help.title),
    summary: (t) => t.card.help.title,
    blocks,
  });
}

function commandElements(command: HelpCommandView, look: Look): Element[] {
  const { usage, summary, example } = command;
  return [
    literal(usage, { maxChars: 120 }),
    note(look, (t, f) => {
      const shown = example?.(t, f);
      return shown && shown !== usage ? `${summary(t, f)} · ${shown}` : summary(t, f);
    }),
  ];
}
