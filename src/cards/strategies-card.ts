import { header, line, literal, note, row, words } from "./blocks.ts";
import { actionButton } from "./buttons.ts";
import type { Card, Element } from "./card.ts";
import { cleanText } from "./escape.ts";
import { type Block, fitCard } from "./fit-card.ts";
import type { Look } from "./look.ts";

export type StrategyRowView = {
  readonly id: string;
  readonly title: string;
  readonly hint: string;
  readonly level: "warn" | "block";
  readonly scope: string;
  readonly enabled: boolean;
  readonly endsAt?: Date;
};

export type StrategiesView = {
  readonly version: number;
  readonly since?: Date;
  readonly strategies: readonly StrategyRowView[];
  readonly maySwitch: boolean;
};

/** What turns are told and calls are held back by, each with its switch. */
export function strategiesCard(view: StrategiesView, look: Look): Card {
  const { strategies, since, version } = view;
  const blocks: Block[] = [];
  if (strategies.length === 0) blocks.push({ stands: 0, elements: [words(look, (t) => t.evolution.strategies.empty)] });
  if (since) {
    blocks.push({
      stands: 0,
      elements: [note(look, (t, f) => t.evolution.strategies.version(version, f.moment(since)))],
    });
  }
  strategies.forEach((strategy, at) => {
    blocks.push({ stands: 1, elements: [line(), ...strategyRow(strategy, at + 1, view.maySwitch, look)] });
  });
  return fitCard(look, {
    header: header(look, "blue", (t) => t.evolution.strategies.title),
    summary: (t) => `${t.evolution.strategies.title} · ${strategies.length}`,
    blocks,
  });
}

function strategyRow(strategy: StrategyRowView, number: number, maySwitch: boolean, look: Look): Element[] {
  const { id, enabled, endsAt, level, scope } = strategy;
  return [
    literal(strategy.title, { maxChars: 120, lines: 2, ...(enabled ? {} : { color: "grey" as const }) }),
    literal(strategy.hint, { maxChars: 400, size: "notation", color: "grey" }),
    note(look, (t, f) =>
      [
        t.evolution.strategies.row(
          number,
          t.evolution.strategies.level[level],
          cleanText(scope) || t.evolution.strategies.always,
        ),
        ...(endsAt ? [t.evolution.strategies.until(f.day(endsAt))] : []),
        ...(enabled ? [] : [t.evolution.strategies.off]),
      ].join(" · "),
    ),
    ...(maySwitch
      ? [
          row([
            actionButton("strategy.switch", { strategy: id, on: !enabled }, look, {
              label: (t) => (enabled ? t.evolution.strategies.turnOff : t.evolution.strategies.turnOn),
              size: "tiny",
            }),
          ]),
        ]
      : []),
  ];
}
