import { header, line, note, words } from "./blocks.ts";
import { actionButton } from "./buttons.ts";
import type { Card } from "./card.ts";
import { cutText } from "./cut-text.ts";
import { type Block, fitCard } from "./fit-card.ts";
import type { Look, Write } from "./look.ts";
import { pager } from "./pager.ts";
import { nameOf, type Who } from "./who.ts";
import { wordFor } from "./word-for.ts";

export const AUDIT_LINES_PER_PAGE = 8;

export type AuditLineView = {
  readonly at: Date;
  readonly what: string;
  /** A person; Hermes on a person's words; or something of ours. */
  readonly by: { readonly who: Who; readonly through?: "agent" } | "worker" | "job";
  /** What it was about, as far as it has a name. */
  readonly about?: string;
  readonly before?: string;
  readonly after?: string;
};

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
      ...(changeOf(each) ? [note(look, changeOf(each) ?? (() => ""))] : []),
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

function changeOf({ about, before, after }: AuditLineView): Write | undefined {
  const short = (text: string): string => cutText(text, VALUE_CHARS);
  if (before !== undefined && after !== undefined) {
    return (t) => [about, t.people.audit.change(short(before), short(after))].filter(Boolean).join(" · ");
  }
  const rest = [about, after ?? before].filter((part) => part !== undefined && part !== "");
  return rest.length === 0 ? undefined : () => short(rest.join(" · "));
}
