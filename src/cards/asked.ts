import { note, words } from "./blocks.ts";
import type { Element } from "./card.ts";
import type { Look, Write } from "./look.ts";
import { nameOf, type Who } from "./who.ts";

/** What is common to everything Hermes asks: how it stands. */
export type AskedView = {
  readonly question: string;
  /** Untrusted; secrets are masked already. */
  readonly text: string;
  /** Offered answers. Untrusted, but for those of a command. */
  readonly choices: readonly string[];
  readonly state: "open" | "answered" | "told" | "void" | "unsure" | "expired";
  readonly expiresAt: Date;
  readonly choice?: string;
  readonly answeredBy?: Who;
  readonly answeredAt?: Date;
  /** turn_ended · other_end · not_taken */
  readonly voidBecause?: string;
};

/** Who decided what and when, and what became of it. Nothing while it is open. */
export function askedOutcome(view: AskedView, look: Look, decided: Write, expired: Write): Element[] {
  const { answeredBy, answeredAt, state } = view;
  const by: Element[] =
    answeredBy && answeredAt
      ? [words(look, (t, f) => t.chat.asked.decidedBy(decided(t, f), nameOf(answeredBy)(t, f), f.moment(answeredAt)))]
      : [];
  switch (state) {
    case "open":
      return [];
    case "answered":
      return [...by, note(look, (t) => t.chat.asked.telling)];
    case "told":
      return [...by, note(look, (t) => t.chat.asked.told)];
    case "unsure":
      return [...by, words(look, (t) => t.chat.asked.unsure, { color: "orange" })];
    case "expired":
      return [words(look, expired, { color: "orange" })];
    case "void":
      return [
        ...by,
        words(look, (t) => {
          if (answeredBy) return t.chat.asked.voidDecided;
          return view.voidBecause === "turn_ended" ? t.chat.asked.voidTurn : t.chat.asked.voidOther;
        }),
      ];
  }
}

/** Open until when. */
export function askedUntil(view: AskedView, look: Look): Element {
  return note(look, (t, f) => t.chat.asked.until(f.moment(view.expiresAt)));
}
