import fc from "fast-check";
import { expect } from "vitest";
import { type Db, inTransaction } from "../../src/engine/db.ts";
import type { History } from "../../src/engine/ports.ts";
import { findWatermark } from "../../src/engine/proactive/find-watermark.ts";
import { readWindow } from "../../src/engine/proactive/read-window.ts";
import { rememberSeen } from "../../src/engine/proactive/seen-messages.ts";
import { type FixedClock, fixedClock } from "./fixed-clock.ts";
import { type GivenScope, scopeOn } from "./given.ts";
import { type Cells, HermesHome, type HermesSchema } from "./hermes-home.ts";

/** Something a person said once, however often Hermes writes it. */
interface Utterance {
  id: number;
  text: string;
  lineage: string;
  at: number;
  /** Said before the first look, with a time from before it, or deleted before any look: need not be shown. */
  optional: boolean;
  undone: boolean;
  /**
   * The same words were said before, and a rewriting deleted those: taken back and deleted before this was said, or deleted
   * beside this in a conversation whose rows have had new times given. What stands there may be either, with another
   * answer behind it, and looks the same as the first one after a retry. Nobody can tell; it must only not come twice.
   */
  cannotBeTold: boolean;
}

const STEPS = [
  "say",
  "sayLate",
  "sayAtZero",
  "sayInTheFuture",
  "clockBack",
  "clockForward",
  "undo",
  "rewrite",
  "rewriteWithNewTimes",
  "compress",
  "compressWithNewTimes",
  "compressInPlace",
  "compressInPlaceWithNewTimes",
  "cronRow",
  "commit",
  "crash",
  "giveBack",
] as const;
type StepName = (typeof STEPS)[number];
export interface Step {
  name: StepName;
  session: number;
  word: number;
  size: number;
}

const WORDS = ["ok", "好的", "继续", undefined] as const;

/** A Hermes that talks, forgets and rewrites, and a ledger of what people really said. */
export class World {
  readonly hermes: HermesHome;
  readonly clock: FixedClock = fixedClock("2026-11-30T02:00:00Z");
  readonly utterances: Utterance[] = [];
  readonly byRow = new Map<number, Utterance>();
  readonly #tips = ["a", "b", "c"];
  readonly #lineages = ["a", "b", "c"];
  readonly #retimed = new Set<string>();
  #made = 0;

  readonly #onlyTips: boolean;

  /** `onlyTips`: the reader is shown the visible rows of each conversation's newest session alone. */
  constructor(schema: HermesSchema, { onlyTips = false }: { onlyTips?: boolean } = {}) {
    this.#onlyTips = onlyTips;
    this.hermes = new HermesHome({ schema });
    for (const id of this.#tips) {
      this.hermes.session(id, { started_at: this.#now() - 30 * 86_400 });
      for (const days of [20, 9, 2]) this.#said(id, this.#lineage(id), "old words", this.#now() - days * 86_400, true);
    }
    this.hermes.session("cron", { source: "cron" });
  }

  #now(): number {
    return this.clock.now().getTime() / 1000;
  }

  #lineage(tip: string): string {
    return this.#lineages[this.#tips.indexOf(tip)] ?? tip;
  }

  #said(session: string, lineage: string, text: string, at: number, optional = false): void {
    const same = this.utterances.filter((one) => one.lineage === lineage && one.text === text);
    const gone = this.#onlyTips
      ? same.some((one) => !this.#isShown(one))
      : same.some((one) => one.undone && !this.#stands(one));
    const said = { id: this.#made++, text, lineage, at, optional, undone: false, cannotBeTold: gone };
    this.utterances.push(said);
    this.byRow.set(this.hermes.message(session, text, { at }), said);
  }

  #stands(one: Utterance): boolean {
    return [...this.byRow].some(
      ([row, said]) => said === one && this.hermes.db.prepare("SELECT 1 AS x FROM messages WHERE id = ?").get(row),
    );
  }

  #isShown(one: Utterance): boolean {
    const shown = "SELECT 1 AS x FROM messages WHERE id = ? AND active = 1 AND session_id IN (?, ?, ?)";
    return [...this.byRow].some(
      ([row, said]) => said === one && this.hermes.db.prepare(shown).get(row, ...this.#tips) !== undefined,
    );
  }

  #reply(session: string): void {
    this.hermes.message(session, `reply ${this.#made++}`, { role: "assistant", at: this.#now() + 0.4 });
  }

  #active(session: string): (Cells & { id: number })[] {
    return this.hermes.db
      .prepare("SELECT * FROM messages WHERE session_id = ? AND active = 1 ORDER BY id")
      .all(session) as (Cells & { id: number })[];
  }

  #copy({ id, ...row }: Cells & { id: number }, session: string, newTimes: boolean): void {
    const cells = { ...row, session_id: session, ...(newTimes && { timestamp: this.#now() + this.#made++ / 1e4 }) };
    const names = Object.keys(cells);
    const { lastInsertRowid } = this.hermes.db
      .prepare(`INSERT INTO messages (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`)
      .run(...Object.values(cells));
    const said = this.byRow.get(id);
    if (said) this.byRow.set(Number(lastInsertRowid), said);
  }

  #compressed(rows: (Cells & { id: number })[], session: string, newTimes: boolean, tail: number): void {
    for (const row of rows.slice(0, 2)) this.#copy(row, session, newTimes);
    this.hermes.message(session, `[CONTEXT COMPACTION — REFERENCE ONLY] ${this.#made++}`, { at: this.#now() });
    for (const row of rows.slice(-tail)) this.#copy(row, session, newTimes);
  }

  step(step: Step): void {
    this.#take(step);
    // What a compression has put away before anybody looked is not shown by such a reader.
    if (this.#onlyTips) for (const said of this.utterances) if (!this.#isShown(said)) said.optional = true;
  }

  #take({ name, session, word, size }: Step): void {
    this.clock.advance({ ms: 61_000 + this.#made * 7 });
    const at = session % this.#tips.length;
    const tip = this.#tips[at] ?? "a";
    const lineage = this.#lineages[at] ?? "a";
    const newTimes = name.endsWith("NewTimes");
    if (newTimes) this.#retimed.add(lineage);
    const say = (time: number, text: string = WORDS[word % WORDS.length] ?? `words ${this.#made}`): void => {
      this.#said(tip, lineage, text, time);
      this.#reply(tip);
    };
    switch (name) {
      case "say":
        if (size === 1) this.#said(tip, lineage, `left without a reply ${this.#made}`, this.#now());
        else say(this.#now());
        return;
      case "sayLate":
        say(this.#now() - size * 17_000 - 0.013);
        return;
      case "sayAtZero":
        say(0);
        return;
      case "sayInTheFuture":
        say(this.#now() + 172_800 + this.#made / 100);
        return;
      case "clockBack":
        this.clock.advance({ ms: -size * 1_800_000 - this.#made * 11 });
        return;
      case "clockForward":
        this.clock.advance({ ms: size * 3_600_000 + this.#made * 13 });
        return;
      case "undo": {
        const last = this.#active(tip).findLast(({ role, id }) => role === "user" && this.byRow.has(id));
        if (!last) return;
        this.hermes.run("UPDATE messages SET active = 0 WHERE session_id = ? AND id >= ? AND active = 1", tip, last.id);
        this.hermes.run("UPDATE sessions SET rewind_count = rewind_count + 1 WHERE id = ?", tip);
        const said = this.byRow.get(last.id);
        if (said) said.undone = true;
        return;
      }
      case "rewrite":
      case "rewriteWithNewTimes": {
        const rows = this.#active(tip);
        const stood = this.utterances.filter((one) => one.lineage === lineage && this.#stands(one));
        this.hermes.run("DELETE FROM messages WHERE session_id = ?", tip);
        for (const row of rows) this.#copy(row, tip, newTimes);
        const gone = stood.filter((one) => !this.#stands(one));
        const dropped = new Set(this.#retimed.has(lineage) ? gone.map(({ text }) => text) : []);
        for (const one of stood) one.cannotBeTold ||= dropped.has(one.text);
        // What a compression had put away is deleted for good: it counts only when it was shown before.
        for (const one of gone) one.optional = true;
        return;
      }
      case "compress":
      case "compressWithNewTimes": {
        const rows = this.#active(tip);
        if (rows.length < 6) return;
        const child = `${tip}+`;
        this.hermes.run("UPDATE sessions SET end_reason = 'compression', ended_at = ? WHERE id = ?", this.#now(), tip);
        this.hermes.session(child, { parent_session_id: tip, started_at: this.#now() });
        this.#compressed(rows, child, newTimes, 1 + (size % 4));
        this.#tips[at] = child;
        return;
      }
      case "compressInPlace":
      case "compressInPlaceWithNewTimes": {
        const rows = this.#active(tip);
        if (this.hermes.schema !== 30 || rows.length < 6) return;
        this.hermes.run("UPDATE messages SET active = 0, compacted = 1 WHERE session_id = ? AND active = 1", tip);
        this.#compressed(rows, tip, newTimes, 1 + (size % 4));
        return;
      }
      case "cronRow":
        this.hermes.message("cron", "Remember to say something", { at: this.#now() });
        return;
      default:
        return;
    }
  }
}

/** Runs ticks and keeps what each run showed. */
class Ticker {
  readonly shown = new Map<string, Utterance[]>();
  readonly #scope: GivenScope;
  readonly #world: World;

  constructor(scope: GivenScope, world: World) {
    this.#scope = scope;
    this.#world = world;
  }

  /** @returns how many messages of people were new */
  async tick(end: "commit" | "crash", conversationChars: number): Promise<number> {
    const scope = this.#scope;
    const agentId = scope.agent.id;
    await scope.db.checkpoint.updateMany({ where: { agentId, status: "pending" }, data: { status: "superseded" } });
    const watermark = await findWatermark(scope);
    const budgets = { conversationChars, earlierChars: 2_000, messageChars: 1_500 };
    const window = await readWindow(scope, { watermark, rules: {}, budgets });
    if (watermark.first) {
      for (const said of this.#world.utterances) if (said.at * 1000 < watermark.at.getTime()) said.optional = true;
    }
    if (window.people === 0) return 0;
    const runId = `${agentId} ${this.shown.size}`;
    await inTransaction(scope.db, async (tx) => {
      await tx.checkpoint.create({
        data: {
          runId,
          agentId,
          windowStart: window.window.start,
          windowEnd: window.window.end,
          cursorStart: window.cursorStart,
          cursorEnd: window.cursorEnd,
          status: "pending",
          reason: "new_messages",
          counts: {},
          // The order of runs is what counts here, whatever the world's clock does.
          startedAt: new Date(Date.UTC(2026, 0, 1) + this.shown.size * 1000),
        },
      });
      await rememberSeen(tx, scope, runId, window.seen);
    });
    const people = window.newMessages.filter(({ voice }) => voice === "person");
    this.shown.set(
      runId,
      people.map(({ message }) => {
        const said = this.#world.byRow.get(Number(message.id));
        if (!said) throw new Error(`shown as a person's words: ${message.text}`);
        return said;
      }),
    );
    if (end === "commit") await scope.db.checkpoint.update({ where: { runId }, data: { status: "committed" } });
    return window.people;
  }

  async giveBack(): Promise<void> {
    const last = await this.#scope.db.checkpoint.findFirst({
      where: { agentId: this.#scope.agent.id, status: "committed" },
      orderBy: { startedAt: "desc" },
    });
    if (last) await this.#scope.db.checkpoint.update({ where: { runId: last.runId }, data: { status: "superseded" } });
  }

  async committed(): Promise<Utterance[]> {
    const runs = await this.#scope.db.checkpoint.findMany({
      where: { agentId: this.#scope.agent.id, status: "committed" },
    });
    return runs.flatMap(({ runId }) => this.shown.get(runId) ?? []);
  }
}

export const step = fc.record({
  name: fc.constantFrom(...STEPS, ...(["say", "say", "say", "say", "commit", "commit"] as const)),
  session: fc.nat(2),
  word: fc.nat(3),
  size: fc.integer({ min: 1, max: 8 }),
});

/** Lives that once went wrong, in short: `say c2` is said in the third session with size 2, size 1 when none is named. */
export const ONCE_WRONG = [
  // The second compression copied the first one's summary.
  "say c / say c2 / compressWithNewTimes c2 / compressInPlaceWithNewTimes c3 / say a / say a / say a / say c",
  "say a / say a2 / compressInPlaceWithNewTimes a / say a / compressInPlaceWithNewTimes a / say a",
  // Two rows without a time have not the same time.
  "say a / commit / sayAtZero a / compressInPlace a / say a / say a / sayAtZero a",
  "sayAtZero b / say b / commit / compressWithNewTimes b / sayAtZero b / say a",
  // The same words were said again, and only then a rewriting dropped the first ones.
  "say c2 / say c / compressInPlace c / commit / say a / say c2 / say a / rewrite c",
  "say a2 / commit / undo a / say a2 / rewrite a / say a",
].map((life) => [life.split(" / ").map(stepOf)] as [Step[]]);

function stepOf(short: string): Step {
  const [name, where = "a"] = short.split(" ");
  const known = STEPS.find((one) => one === name);
  if (!known) throw new Error(`no such step: ${short}`);
  return { name: known, session: "abc".indexOf(where[0] ?? "a"), word: 0, size: Number(where.slice(1) || 1) };
}

let agents = 0;

/** Lives the steps through a history, then looks until nothing is new: every message was shown as new exactly once. */
export async function live(db: Db, world: World, history: History, steps: readonly Step[]): Promise<void> {
  const agent = { id: `agent-${agents++}`, zone: "Asia/Shanghai", language: "zh" as const };
  const scope = scopeOn(db, { history, clock: world.clock, agent });
  const ticker = new Ticker(scope, world);
  for (const one of steps) {
    world.step(one);
    const chars = one.size % 3 === 0 ? 40 : 100_000;
    if (one.name === "commit" || one.name === "crash") await ticker.tick(one.name, chars);
    if (one.name === "giveBack") await ticker.giveBack();
  }
  let rounds = 0;
  while ((await ticker.tick("commit", 100_000)) > 0) if (++rounds > 50) throw new Error("never comes to an end");

  const times = new Map<Utterance, number>();
  for (const said of await ticker.committed()) times.set(said, (times.get(said) ?? 0) + 1);
  const wrong = world.utterances
    .filter((said) => {
      const shown = times.get(said) ?? 0;
      if (said.cannotBeTold) return shown > 1;
      return said.optional || said.undone ? shown > 1 : shown !== 1;
    })
    .map((said) => ({ ...said, shown: times.get(said) ?? 0 }));
  expect(wrong).toEqual([]);
}
