import { line, literal, note, words } from "./blocks.ts";
import type { Element } from "./card.ts";
import { cleanText } from "./escape.ts";
import type { Look } from "./look.ts";
import { wordFor } from "./word-for.ts";

/** Something that waits in Hermes and shows nowhere there. Words are untrusted. */
export type WaitingView = {
  /** cron_suggestion · failed_delivery */
  readonly kind: string;
  readonly title: string;
  readonly detail?: string;
  readonly since?: Date;
};

export type HiddenQueuesView = {
  /** Oldest first. */
  readonly waiting: readonly WaitingView[];
  /** Records of Hermes that nobody could read: more may be waiting than stands here. */
  readonly unreadable: number;
};

const SHOWN = 5;
const TITLE_CHARS = 120;

/** What waits in Hermes beside its own writes: jobs it suggests, messages that did not arrive. Nothing waits: no line. */
export function hiddenQueues({ waiting, unreadable }: HiddenQueuesView, look: Look): Element[] {
  if (waiting.length === 0 && unreadable === 0) return [];
  const rows = waiting
    .slice(0, SHOWN)
    .flatMap(({ kind, title, detail, since }): Element[] => [
      note(look, (t, f) =>
        t.queues.row(wordFor(t.queues.kinds, kind), cleanText(title).slice(0, TITLE_CHARS), since ? f.age(since) : ""),
      ),
      ...(detail ? [literal(detail, { maxChars: 160, size: "notation", color: "grey", lines: 2 })] : []),
    ]);
  return [
    line(),
    ...(waiting.length > 0 ? [words(look, (t) => t.queues.title(waiting.length))] : []),
    ...rows,
    ...(waiting.length > SHOWN ? [note(look, (t) => t.queues.more(waiting.length - SHOWN))] : []),
    ...(unreadable > 0 ? [note(look, (t) => t.queues.unreadable(unreadable), { color: "orange" })] : []),
    ...(waiting.length > 0 ? [note(look, (t) => t.queues.hint)] : []),
  ];
}
