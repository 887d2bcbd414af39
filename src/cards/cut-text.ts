const graphemes = new Intl.Segmenter("zh", { granularity: "grapheme" });

/** What stands where something was cut. */
export const ELLIPSIS = "…";

/** UTF-16 units looked at before the cut: more than any grapheme that is met in earnest. */
const WINDOW_CHARS = 128;

/**
 * The text's beginning, at most `maxChars` UTF-16 units with the ellipsis, cut between two graphemes: a family emoji or a
 * letter with its accents stays whole or goes whole. Text that fits is returned as it is.
 */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  if (maxChars < 1) return "";
  const room = maxChars - ELLIPSIS.length;
  // Graphemes are only looked for around the cut, so that a long text costs no more than a short one.
  const from = Math.max(0, room - WINDOW_CHARS);
  let end = from;
  for (const { index, segment } of graphemes.segment(text.slice(from, room + WINDOW_CHARS))) {
    if (from + index + segment.length > room) break;
    end = from + index + segment.length;
  }
  return text.slice(0, end).trimEnd() + ELLIPSIS;
}
