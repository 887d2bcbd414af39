const graphemes = new Intl.Segmenter("zh", { granularity: "grapheme" });

/** What stands where something was cut. */
export const ELLIPSIS = "…";

/**
 * The text's beginning, at most `maxChars` UTF-16 units with the ellipsis, cut between two graphemes: a family emoji or a
 * letter with its accents stays whole or goes whole. Text that fits is returned as it is.
 */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  if (maxChars < 1) return "";
  const room = maxChars - ELLIPSIS.length;
  let end = 0;
  // A little more than the room is enough to find the last border before it, whatever the length of the whole.
  for (const { index, segment } of graphemes.segment(text.slice(0, room + 64))) {
    if (index + segment.length > room) break;
    end = index + segment.length;
  }
  return text.slice(0, end).trimEnd() + ELLIPSIS;
}
