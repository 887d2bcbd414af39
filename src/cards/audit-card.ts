import { header, line, note, words } from "./blocks.ts";
import { actionButton } from "./buttons.ts";
import type { Card, Element } from "./card.ts";
import { cutText } from "./cut-text.ts";
import { cleanText } from "./escape.ts";
import { type Block, fitCard } from "./fit-card.ts";
import { type Look, say, type Write } from "./look.ts";
import { pager } from "./pager.ts";
import { nameOf, type Who } from "./who.ts";
import { wordFor } from "./word-for.ts";

export const AUDIT_LINES_PER_PAGE = 8;

export type AuditLineView = {
  readonly at: Date;
  readonly what: string;
  /** A person; Hermes on a person's words; or something of ours. */
  readonly by: { readonly who: Who; readonly through?: "agent" } | "worker" | "job";
  /** What it was about, as far as it has a name; the name of a setting. */
  readonly about?: string;
  /** The fields of the change by their stored names; those without a word for a reader are not shown. */
  readonly before?: AuditFields;
  readonly after?: AuditFields;
};

/** Values as they are stored: words, instants, numbers. Untrusted. */
export type AuditFields = Readonly<Record<string, string | Date>>;

export type AuditView = { readonly page: number; readonly pages: number; readonly lines: readonly AuditLineView[] };

/** Who changed what, when, from what to what. */
export function auditCard(view: AuditView, look: Look): Card {
  const blocks: Block[] = view.lines.map((each) => ({
    stands: 1,
    elements: [
      words(
        look,
        (t, f) => `${f.moment(each.at)} · ${byWhom(each)(t, f)} · ${wordFor(t.people.audit.verb, each.what)}`,
      ),
      ...changed(each, look),
    ],
  }));
  if (view.lines.length === 0) blocks.push({ stands: 0, elements: [words(look, (t) => t.people.audit.empty)] });
  const pages = pager(look, view, (page, direction) =>
    actionButton("audit.list", { page }, look, {
      label: (t) => (direction === "back" ? t.card.common.previousPage : t.card.common.nextPage),
    }),
  );
  if (pages.length > 0) blocks.push({ stands: 0, elements: [line(), ...pages] });
  return fitCard(look, {
    header: header(look, "blue", (t) => t.people.audit.title),
    summary: (t) => t.people.audit.title,
    blocks,
  });
}

function byWhom({ by }: AuditLineView): Write {
  if (by === "worker" || by === "job") return (t) => t.people.audit.by[by];
  const name = nameOf(by.who);
  return by.through === "agent" ? (t, f) => t.people.audit.onWordsOf(name(t, f)) : name;
}

const VALUE_CHARS = 120;

/** Fields that stand without their name: the line says already what they are. */
const ALONE: ReadonlySet<string> = new Set(["value", "role", "language", "zone", "choice", "text", "title", "because"]);

function changed({ about, before = {}, after = {} }: AuditLineView, look: Look): Element[] {
  const names = [...new Set([...Object.keys(after), ...Object.keys(before)])];
  const write: Write = (t, f) => {
    const written = (value: string | Date): string =>
      value instanceof Date ? f.moment(value) : cutText(valueWord(t.people.audit.value, value), VALUE_CHARS);
    const changes = names.flatMap((name) => {
      const [was, is] = [before[name], after[name]];
      if (!ALONE.has(name) && !Object.hasOwn(t.people.audit.fields, name)) return [];
      const said =
        was !== undefined && is !== undefined
          ? t.people.audit.change(written(was), written(is))
          : written(is ?? was ?? "");
      return [ALONE.has(name) ? said : t.people.audit.field(wordFor(t.people.audit.fields, name), said)];
    });
    return [about === undefined ? "" : wordFor(t.settings.label, about), ...changes].filter(Boolean).join(" · ");
  };
  return say(look, write).content === "" ? [] : [note(look, write)];
}

/** A value a person wrote may be long, and may be called like anything. */
function valueWord(table: Readonly<Record<string, string>>, value: string): string {
  return (Object.hasOwn(table, value) ? table[value] : undefined) ?? cleanText(value);
}
