/**
 * Every limit of the platform that a card of ours can meet. Each names its unit, the Feishu page it comes from, and the
 * day that page was last changed. Where practice is stricter than the page, practice counts.
 */
export const LIMITS = {
  /**
   * UTF-8 bytes of the card's JSON. Feishu allows 30 KB (send message, 2025-08-12; card FAQ, 2025-06-23), but its own
   * style tags make the stored size larger than what was sent, hence the margin.
   */
  cardBytes: 28_000,
  /** UTF-8 bytes of that JSON once more encoded as a JSON string, which is how it travels in `content` (same pages). */
  contentBytes: 30_000,
  /** Objects with a `tag`, texts inside buttons included (card JSON 2.0 structure, 2025-06-23). */
  elements: 200,
  /** Containers inside each other (card FAQ, 2025-06-23). We count a column as one, too. */
  depth: 5,
  /** Markdown tables in a whole card. The page says 4 a component (markdown component, 2025-07); a card was refused above 3 (measured 2026-03). */
  markdownTables: 3,
  /** Characters on a button, an option, or in a placeholder (button, overflow, input components, 2025-06-10). */
  labelChars: 100,
  /** Characters of a header title: 4 lines at most are shown (title component, 2025-04); more is cut by the client. */
  titleChars: 120,
  /** Characters of a header subtitle: 1 line is shown (title component, 2025-04). */
  subtitleChars: 80,
  /** Tags after a header title (title component, 2025-04). */
  headerTags: 3,
  /** Characters of the chat-list and push text; ours, because lists show one line. */
  summaryChars: 120,
  /** Characters an input can hold, 1 to this (input component, 2025-06-10). */
  inputChars: 1_000,
  /** Characters of an element id (card JSON 2.0 structure, 2025-06-23). */
  elementIdChars: 20,
} as const;

/** Days for which a 2.0 card can be tapped and patched (breaking changes of card JSON 2.0, 2025-03-07). */
export const CARD_LIFE_DAYS = 14;
