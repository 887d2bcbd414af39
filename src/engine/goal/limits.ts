/** Characters of a goal's text; more is a document, and belongs in a message. */
export const GOAL_CHARS = 2_000;
export const CRITERION_CHARS = 500;
/** More conditions than this nobody reads on a card, and no judge keeps apart. */
export const MOST_CRITERIA = 20;
/** Characters of a check. */
export const CHECK_CHARS = 300;
/** The end of the reply that the judge reads: results stand at the end. */
export const TAIL_CHARS = 4_000;
/** A person may add this many turns at once. */
export const RAISE_BY = 10;
/** However often it is resumed, a goal is worked on for so many turns at most until a person sets it anew. */
export const TOTAL_TURNS = 200;
/** Failed turns in a row after which the goal waits for a person. */
export const FAILURES_IN_ROW = 3;
/** Verdicts in a row that could not be read. */
export const UNREADABLE_IN_ROW = 3;
/** Replies in a row that say the same, or nothing. */
export const SAME_IN_ROW = 3;
