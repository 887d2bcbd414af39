import { FORM_FIELD_TAGS } from "./card-components.ts";
import { CONTAINER_TAGS, wholeCard } from "./card-frame.ts";
import { type CardProblem, isRecord, UNPARSEABLE } from "./card-rules.ts";

export type { CardProblem } from "./card-rules.ts";

const OVER_LIMIT = 11310;
const FORM_NAME = 200530;
const DUPLICATE_ID = 300301;

/** Platform limits of one Card JSON 2.0 card. */
export const CARD_LIMITS = {
  /** 30 KB of the JSON as sent, in UTF-8. */
  bytes: 30 * 1024,
  /** Components plus tagged elements inside them (a button's plain_text counts). */
  elements: 200,
  /** Containers inside containers. */
  depth: 5,
  tableComponents: 5,
  markdownTablesPerElement: 4,
  /** Not documented; refused above this in practice (measured 2026-03). */
  markdownTables: 3,
} as const;

/**
 * A second opinion on a card, written from the platform's documents alone: structure, property names, values and
 * limits of Card JSON 2.0. An empty list means the platform should take it.
 *
 * Of undocumented codes the nearest is used (nesting and wrong values: 200621).
 */
export function checkCard(card: unknown): CardProblem[] {
  const problems: CardProblem[] = [];
  const report = (problem: CardProblem): void => {
    problems.push(problem);
  };
  if (!isRecord(card)) return [{ code: UNPARSEABLE, path: "ROOT", message: "must be an object" }];
  wholeCard(card, "ROOT", report);
  checkTotals(card, report);
  return problems;
}

type Report = (problem: CardProblem) => void;

function checkTotals(card: Record<string, unknown>, report: Report): void {
  const bytes = Buffer.byteLength(JSON.stringify(card), "utf8");
  if (bytes > CARD_LIMITS.bytes)
    report({ code: 200860, path: "ROOT", message: `has ${bytes} bytes, at most ${CARD_LIMITS.bytes} are taken` });

  const walk = new Walk(report);
  walk.visit(card, "ROOT", 0, undefined);
  if (walk.elements > CARD_LIMITS.elements)
    report({
      code: OVER_LIMIT,
      path: "ROOT",
      message: `element exceeds the limit: ${walk.elements} of ${CARD_LIMITS.elements}`,
    });
  if (walk.tables > CARD_LIMITS.tableComponents)
    report({ code: OVER_LIMIT, path: "ROOT", message: `card table number over limit: ${walk.tables}` });
  if (walk.markdownTables > CARD_LIMITS.markdownTables)
    report({ code: OVER_LIMIT, path: "ROOT", message: `card table number over limit: ${walk.markdownTables}` });
}

/** Keys under which a card carries data of its own that is no part of the layout. */
const OPAQUE_KEYS = new Set(["value", "chart_spec", "rows"]);

type Form = { names: Set<string>; submits: number };

class Walk {
  elements = 0;
  tables = 0;
  markdownTables = 0;
  readonly #ids = new Set<string>();
  readonly #formNames = new Set<string>();
  readonly #report: Report;

  constructor(report: Report) {
    this.#report = report;
  }

  visit(node: unknown, path: string, depth: number, form: Form | undefined): void {
    if (Array.isArray(node)) {
      for (const [index, each] of node.entries()) this.visit(each, `${path}[${index}]`, depth, form);
      return;
    }
    if (!isRecord(node)) return;
    const tag = typeof node.tag === "string" ? node.tag : undefined;
    let inside = form;
    let level = depth;
    if (tag !== undefined) {
      this.elements += 1;
      this.#identify(node, path);
      if (CONTAINER_TAGS.has(tag)) {
        level += 1;
        if (level > CARD_LIMITS.depth)
          this.#report({ code: UNPARSEABLE, path, message: `is nested ${level} deep, at most ${CARD_LIMITS.depth}` });
      }
      if (tag === "table") {
        this.tables += 1;
        this.#checkRows(node, path);
      }
      if (tag === "markdown") this.#countTables(node, path);
      if (form && FORM_FIELD_TAGS.has(tag)) this.#checkField(node, tag, path, form);
      if (tag === "form") inside = this.#enterForm(node, path);
      if (tag === "select_static" || tag === "multi_select_static") this.#checkOptions(node, path);
      if (tag === "audio") this.#checkLater.push(path);
    }
    for (const [key, each] of Object.entries(node)) {
      if (!OPAQUE_KEYS.has(key)) this.visit(each, `${path}.${key}`, level, inside);
    }
    if (tag === "form" && inside && inside.submits === 0)
      this.#report({ code: UNPARSEABLE, path, message: 'needs a button with form_action_type "submit"' });
    if (path === "ROOT" && this.#checkLater.length > 0 && !forwardingIsOff(node))
      this.#report({ code: UNPARSEABLE, path, message: "a card with audio needs enable_forward: false" });
  }

  readonly #checkLater: string[] = [];

  #identify(node: Record<string, unknown>, path: string): void {
    if (typeof node.element_id !== "string") return;
    if (this.#ids.has(node.element_id))
      this.#report({ code: DUPLICATE_ID, path, message: `element_id "${node.element_id}" stands twice` });
    this.#ids.add(node.element_id);
  }

  #enterForm(node: Record<string, unknown>, path: string): Form {
    const name = typeof node.name === "string" ? node.name : "";
    if (name === "" || this.#formNames.has(name))
      this.#report({ code: FORM_NAME, path, message: "a form needs a name of its own" });
    this.#formNames.add(name);
    return { names: new Set(), submits: 0 };
  }

  #checkField(node: Record<string, unknown>, tag: string, path: string, form: Form): void {
    const name = typeof node.name === "string" ? node.name : "";
    if (name === "" || form.names.has(name))
      this.#report({ code: FORM_NAME, path, message: "a component in a form needs a name of its own" });
    form.names.add(name);
    if (tag === "button" && node.form_action_type === "submit") form.submits += 1;
  }

  #checkOptions(node: Record<string, unknown>, path: string): void {
    if (!Array.isArray(node.options)) return;
    const values = node.options.map((each: unknown) => (isRecord(each) ? each.value : undefined));
    if (new Set(values).size !== values.length)
      this.#report({ code: UNPARSEABLE, path, message: "option values must differ" });
  }

  #checkRows(node: Record<string, unknown>, path: string): void {
    if (!Array.isArray(node.columns) || !Array.isArray(node.rows)) return;
    const names = new Set(node.columns.map((each: unknown) => (isRecord(each) ? each.name : undefined)));
    for (const [index, row] of node.rows.entries()) {
      for (const key of isRecord(row) ? Object.keys(row) : []) {
        if (!names.has(key))
          this.#report({ code: 200914, path: `${path}.rows[${index}]`, message: `"${key}" is no column` });
      }
    }
  }

  #countTables(node: Record<string, unknown>, path: string): void {
    const texts = [node.content, ...(isRecord(node.i18n_content) ? Object.values(node.i18n_content) : [])];
    const counts = texts.map((each) => (typeof each === "string" ? markdownTables(each) : 0));
    const most = Math.max(0, ...counts);
    if (most > CARD_LIMITS.markdownTablesPerElement)
      this.#report({ code: OVER_LIMIT, path, message: `card table number over limit: ${most} in one text` });
    this.markdownTables += most;
  }
}

function forwardingIsOff(card: Record<string, unknown>): boolean {
  return isRecord(card.config) && card.config.enable_forward === false;
}

/** How many tables a Markdown text draws: a delimiter row below a line with a bar, outside code fences. */
function markdownTables(source: string): number {
  let count = 0;
  let fenced = false;
  let above = "";
  for (const line of source.split("\n")) {
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
    else if (
      !fenced &&
      above.includes("|") &&
      line.includes("-") &&
      /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/.test(line)
    )
      count += 1;
    above = line;
  }
  return count;
}
