import { settledByWords } from "../engine/proactive/settled-by-words.ts";
import type { TrackingItem } from "../engine/tracking/item.ts";

/**
 * Which of these matters a sentence says to be over by its name: "合同已经发了", "sent the contract". Several when it fits
 * them equally well; undefined when it says so of none. Decides nothing: the caller closes or asks.
 */
export function namedAsClosed(
  open: readonly TrackingItem[],
  text: string,
  now: Date,
): { verb: "done" | "drop"; items: readonly TrackingItem[] } | undefined {
  const evidence = { sessionId: "", messageId: "", role: "user", at: now, quote: text, chatType: "dm" } as const;
  const settled = (items: readonly TrackingItem[]): ReturnType<typeof settledByWords> =>
    settledByWords(items.map(asMatter), [{ evidence, text, own: true }]);
  const best = settled(open);
  const fitting = open.filter((item) => (best.size === 1 ? best.has(item.id) : settled([item]).size > 0));
  const [first] = fitting;
  if (first === undefined) return undefined;
  const how = settled([first]).get(first.id)?.how;
  return { verb: how === "dropped" ? "drop" : "done", items: fitting };
}

/** As if it were a promise: history never settles a reminder somebody has set, but here the person speaks of the card. */
function asMatter({ id, title, summary, evidence }: TrackingItem): Parameters<typeof settledByWords>[0][number] {
  return { id, kind: "promise", title, summary, evidence };
}
