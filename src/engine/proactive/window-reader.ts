import type { HistoryCursor, HistoryMessage } from "../ports.ts";
import type { Scope } from "../scope.ts";
import { cutMessage } from "./cut-message.ts";
import { type HumanRules, machineSources, type NotHuman, voiceOf } from "./human-message.ts";
import type { Passed } from "./match-moved.ts";
import type { ReadWindowInput, WindowBudgets, WindowCuts, WindowMessage } from "./read-window.ts";
import { findSeen, findSeenOfLineages } from "./seen-messages.ts";
import {
  goneForGood,
  identityOf,
  type News,
  newsOf,
  occurrenceKey,
  type SaidRow,
  type SeenRow,
  type Standing,
  saidKey,
  tellNews,
} from "./watermark.ts";

/** One question for known words a page; the history itself is read in smaller pieces. */
const PAGE_ROWS = 1_000;
const CODE_LINES = 12;
const TOOL_CHARS = 300;

export type Heard = WindowMessage & { cut: { cut: boolean; codeBlocks: number } };

/** The message as part of the conversation, or why it is none. */
export function hear(
  message: HistoryMessage,
  rules: HumanRules,
  budgets: WindowBudgets,
): { heard: Heard | undefined; why: NotHuman | undefined } {
  const spoken = voiceOf(message, rules);
  if (spoken.voice === "left_out") return { heard: undefined, why: spoken.why };
  const chars = spoken.voice === "tool" ? Math.min(TOOL_CHARS, budgets.messageChars) : budgets.messageChars;
  const cut = cutMessage(message.text, { chars, codeLines: CODE_LINES });
  return { heard: { message, voice: spoken.voice, text: cut.text, cut }, why: undefined };
}

/** Goes through the pages behind the watermark until the end of the history or of the budget. */
export class WindowReader {
  readonly #scope: Scope;
  readonly #input: ReadWindowInput;
  readonly #horizon: Date;
  readonly #here = new Set<string>();
  readonly #known = new Map<string, SeenRow[]>();
  readonly #lastOfSession = new Map<string, boolean>();
  /** By lineage, how far rewritten rows have been recognised. */
  readonly #passed = new Map<string, Passed>();
  readonly #leftOut: Partial<Record<NotHuman, number>> = {};
  #knownBefore = 0;
  #dropped = 0;
  #chars = 0;
  fresh: Heard[] = [];
  readonly add: SeenRow[] = [];
  readonly moved: SeenRow[] = [];
  moreWaiting = false;

  constructor(scope: Scope, input: ReadWindowInput, horizon: Date) {
    this.#scope = scope;
    this.#input = input;
    this.#horizon = horizon;
  }

  /** Occurrences that count as shown although they are not stored yet. */
  know(rows: readonly SeenRow[]): void {
    for (const row of rows) {
      const others = this.#known.get(saidKey(row))?.filter(({ occurrence }) => occurrence !== row.occurrence) ?? [];
      this.#known.set(saidKey(row), [...others, row]);
    }
  }

  counts(): Pick<WindowCuts, "leftOut" | "knownBefore" | "droppedMessages"> {
    return { leftOut: this.#leftOut, knownBefore: this.#knownBefore, droppedMessages: this.#dropped };
  }

  /** @returns the cursor behind the window */
  async read(): Promise<HistoryCursor> {
    const { history } = this.#scope;
    const options = { leaveOutSources: machineSources };
    let cursor = this.#input.watermark.cursor;
    for (;;) {
      const page = await history.readSince(cursor, PAGE_ROWS, options);
      const told = await this.#tell(page.messages);
      const full = this.#take(told, page.messages);
      if (full !== undefined) {
        this.moreWaiting = true;
        if (full === 0) return cursor;
        // The cursor stands behind a page's last row, so the part that fits is read as a page of its own.
        const part = await history.readSince(cursor, full, options);
        // What the rows behind it told about these stays told.
        if (part.messages.every(({ id }, index) => id === page.messages[index]?.id)) {
          const rows = new Set(part.messages.map(({ id }) => id));
          const result = newsOf(told.result, rows);
          this.#take(Object.assign(told.slice(0, full), { result }), part.messages);
        } else if (this.#take(await this.#tell(part.messages), part.messages) !== undefined) return cursor;
        return part.cursor;
      }
      cursor = page.cursor;
      if (!page.more) return cursor;
    }
  }

  /** Known occurrences of rewritten lineages that stand nowhere any more. */
  async goneForGood(): Promise<SeenRow[]> {
    if (this.moved.length === 0) return [];
    const all = await findSeenOfLineages(this.#scope, [...new Set(this.moved.map(({ lineage }) => lineage))]);
    const ids = all.map(({ messageId }) => messageId).filter((id) => id !== "");
    const standing = await this.#scope.history.whereabouts(ids);
    return goneForGood(all, this.moved, standing, this.moreWaiting ? this.#passed : undefined);
  }

  async #tell(messages: readonly HistoryMessage[]): Promise<Told> {
    const { rules, budgets } = this.#input;
    const told = messages.map((message) => ({ message, ...hear(message, rules, budgets) }));
    const rows = told.flatMap(({ heard }) => (heard && hasWords(heard) ? [saidRow(heard)] : []));
    const before = [...new Set(rows.map(saidKey))].flatMap((key) => this.#known.get(key) ?? []);
    const placed = new Set(before.map(occurrenceKey));
    const seen = [...before, ...(await findSeen(this.#scope, rows)).filter((row) => !placed.has(occurrenceKey(row)))];
    const here = new Set([...this.#here, ...rows.map(({ messageId }) => messageId)]);
    // Old rows are looked at only when words repeat.
    const asked = [...new Set(seen.map(({ messageId }) => messageId))].filter((id) => id !== "" && !here.has(id));
    const standing = asked.length > 0 ? await this.#scope.history.whereabouts(asked) : new Map<string, Standing>();
    const news = tellNews(rows, seen, standing, this.#horizon, this.#passed);
    const last = new Map(this.#lastOfSession);
    return Object.assign(
      told.map(({ message, heard, why }) => {
        const { id, session } = message;
        // Tool results have no words of their own: they are as new as what was said before them in their session.
        if (heard && hasWords(heard)) last.set(session.id, news.fresh.has(id));
        return { heard, why, news: heard !== undefined && (last.get(session.id) ?? true) };
      }),
      { result: news },
    );
  }

  /** Adds a page to the window, or says at which of its messages the budget is full and adds nothing. */
  #take(told: Told, messages: readonly HistoryMessage[]): number | undefined {
    const fit = this.#fit(told);
    if (typeof fit === "number") return fit;
    this.fresh = fit.fresh;
    this.#chars = fit.chars;
    this.#dropped += fit.dropped;
    for (const { id } of messages) this.#here.add(id);
    told.forEach(({ heard, why, news }, index) => {
      const session = messages[index]?.session.id;
      if (why) this.#leftOut[why] = (this.#leftOut[why] ?? 0) + 1;
      if (heard && hasWords(heard) && session) this.#lastOfSession.set(session, news);
    });
    this.#knownBefore += told.result.known.size;
    this.add.push(...told.result.add);
    this.moved.push(...told.result.moved);
    for (const { lineage, stood, keptTime } of told.result.passed.values()) {
      const far = this.#passed.get(lineage) ?? { stood, keptTime };
      this.#passed.set(lineage, {
        stood: Math.max(far.stood, stood),
        keptTime: far.keptTime || keptTime,
      });
    }
    this.know(told.result.add);
    this.know(told.result.moved);
    return undefined;
  }

  /**
   * What stands in the window with this page. Before a person has spoken the oldest words of the agent make room: a window
   * of them alone is not worth a run, and would be read again for ever. Afterwards a full budget ends the window.
   */
  #fit(told: Told): number | { fresh: Heard[]; chars: number; dropped: number } {
    const most = this.#input.budgets.conversationChars;
    const fresh = [...this.fresh];
    let chars = this.#chars;
    let dropped = 0;
    let spoken = fresh.some(({ voice }) => voice === "person");
    for (const [index, { heard, news }] of told.entries()) {
      if (!heard || !news) continue;
      chars += heard.text.length;
      if (chars > most && spoken) return index;
      fresh.push(heard);
      while (chars > most && fresh.length > 1) {
        chars -= fresh.shift()?.text.length ?? 0;
        dropped++;
      }
      spoken ||= heard.voice === "person";
    }
    return { fresh, chars, dropped };
  }
}

type Told = { heard: Heard | undefined; why: NotHuman | undefined; news: boolean }[] & { result: News };

export function saidRow({ message }: { message: HistoryMessage }): SaidRow {
  return {
    messageId: message.id,
    lineage: message.session.lineage,
    identity: identityOf(message.role, message.text),
    at: message.at,
    ...(message.exactAt !== undefined && { exactAt: message.exactAt }),
  };
}

export const hasWords = ({ voice, message }: WindowMessage): boolean => voice !== "tool" && message.text.trim() !== "";
