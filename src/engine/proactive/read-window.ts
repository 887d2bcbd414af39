import type { HistoryCursor, HistoryMessage } from "../ports.ts";
import type { Scope } from "../scope.ts";
import type { Watermark } from "./find-watermark.ts";
import { type HumanRules, machineSources, type NotHuman } from "./human-message.ts";
import type { SeenChanges } from "./seen-messages.ts";
import { type SeenRow, tellNews } from "./watermark.ts";
import { hasWords, hear, saidRow, WindowReader } from "./window-reader.ts";

/** A message of the conversation. `message.text` is whole; `text` is what a document shows. */
export interface WindowMessage {
  message: HistoryMessage;
  voice: "person" | "agent" | "tool";
  text: string;
}

/** Characters, counted after cutting. */
export interface WindowBudgets {
  conversationChars: number;
  earlierChars: number;
  messageChars: number;
}

export interface WindowCuts {
  cutMessages: number;
  cutCodeBlocks: number;
  /** Earlier messages left out because the budget was full. New ones are never dropped: they wait. */
  droppedMessages: number;
  /** Rows that are nobody's words, by why. */
  leftOut: Partial<Record<NotHuman, number>>;
  /** Rows shown before that Hermes has written anew. */
  knownBefore: number;
  /** The budget was full before the end of the history: the next run goes on from `cursorEnd`. */
  moreWaiting: boolean;
}

export interface ConversationWindow {
  window: { start: Date; end: Date };
  cursorStart: HistoryCursor;
  cursorEnd: HistoryCursor;
  /** In the order they were written. */
  newMessages: readonly WindowMessage[];
  /** How many of them a person said. */
  people: number;
  lastMessageId?: string;
  /** Before the window, oldest first; read only when a person said something new. */
  earlierMessages: readonly WindowMessage[];
  cuts: WindowCuts;
  seen: SeenChanges;
}

export interface ReadWindowInput {
  watermark: Watermark;
  rules: HumanRules;
  budgets: WindowBudgets;
}

const DAY_MS = 24 * 3_600_000;
/** How far back the conversation before the window reaches. */
const EARLIER_MS = DAY_MS;
const EARLIER_ROWS = 1_000;
/** A row older than this at the window's start is history that was moved here, not a message written late. */
const LATEST_LATE_MS = 7 * DAY_MS;
/** What the first run notes as known, so that a rewriting of an older session does not make it news. */
const BASELINE_MS = 30 * DAY_MS;
const BASELINE_ROWS = 1_000;

/**
 * Reads what was said since the watermark, and tells news from what Hermes only wrote anew. Writes nothing: `seen` goes
 * into the transaction that begins the run, so a run that never commits leaves its messages new.
 *
 * The cursor alone moves the watermark; times of rows (late, in the future, zero) never do. When the budget is full the
 * window ends there and the rest is the next run's.
 * @throws EngineError unavailable: the history cannot be read now; nothing was marked
 */
export async function readWindow(scope: Scope, input: ReadWindowInput): Promise<ConversationWindow> {
  const { watermark } = input;
  const now = scope.clock.now();
  const cuts: WindowCuts = {
    cutMessages: 0,
    cutCodeBlocks: 0,
    droppedMessages: 0,
    leftOut: {},
    knownBefore: 0,
    moreWaiting: false,
  };
  const result: ConversationWindow = {
    // A clock set back does not turn the window around.
    window: { start: watermark.at, end: new Date(Math.max(now.getTime(), watermark.at.getTime() + 1)) },
    cursorStart: watermark.cursor,
    cursorEnd: watermark.cursor,
    newMessages: [],
    people: 0,
    earlierMessages: [],
    cuts,
    seen: { add: [], moved: [] },
  };
  if (!(await scope.history.mayHaveNew(watermark.cursor))) return result;

  const horizon = new Date(watermark.at.getTime() - (watermark.first ? 0 : LATEST_LATE_MS));
  const reader = new WindowReader(scope, input, horizon);
  const baseline = watermark.first ? await readBaseline(scope, input) : [];
  reader.know(baseline);
  const cursorEnd = await reader.read();
  const { fresh, moreWaiting } = reader;
  for (const { cut } of fresh) {
    if (cut.cut) cuts.cutMessages++;
    cuts.cutCodeBlocks += cut.codeBlocks;
  }
  Object.assign(cuts, { ...reader.counts(), moreWaiting });
  const people = fresh.filter(({ voice }) => voice === "person").length;
  const lastMessageId = fresh.at(-1)?.message.id;
  return {
    ...result,
    cursorEnd,
    newMessages: fresh.map(({ message, voice, text }) => ({ message, voice, text })),
    people,
    ...(lastMessageId !== undefined && { lastMessageId }),
    earlierMessages: people > 0 ? await readEarlier(scope, input, cuts) : [],
    seen: { add: [...baseline, ...reader.add], moved: [...reader.moved, ...(await reader.goneForGood())] },
  };
}

/** The conversation of the day before the window, newest kept when the budget is full. For runs without new messages too. */
export async function readEarlier(
  scope: Scope,
  { watermark, rules, budgets }: ReadWindowInput,
  cuts?: WindowCuts,
): Promise<WindowMessage[]> {
  let chars = 0;
  const messages = await scope.history.readEarlier(watermark.cursor, {
    since: new Date(watermark.at.getTime() - EARLIER_MS),
    maxChars: budgets.earlierChars,
    maxRows: EARLIER_ROWS,
    leaveOutSources: machineSources,
    weigh: (message) => {
      const length = hear(message, rules, budgets).heard?.text.length ?? 0;
      chars += length;
      if (cuts && chars > budgets.earlierChars) cuts.droppedMessages++;
      return length;
    },
  });
  return messages.flatMap((message) => {
    const { heard: said } = hear(message, rules, budgets);
    return said ? [{ message, voice: said.voice, text: said.text }] : [];
  });
}

/** What people and the agent said before the first window: known, although no run has shown it. */
async function readBaseline(scope: Scope, { watermark, rules, budgets }: ReadWindowInput): Promise<SeenRow[]> {
  const messages = await scope.history.readEarlier(watermark.cursor, {
    since: new Date(watermark.at.getTime() - BASELINE_MS),
    maxChars: Number.MAX_SAFE_INTEGER,
    maxRows: BASELINE_ROWS,
    leaveOutSources: machineSources,
    weigh: (message) => {
      const { heard } = hear(message, rules, budgets);
      return heard && hasWords(heard) ? 1 : 0;
    },
  });
  const rows = messages.map((message) => saidRow({ message }));
  return [...tellNews(rows, [], new Map(), new Date(0)).add];
}
