import { LIVE, liveText, liveTools, stoppingButton } from "../cards/chat-card.ts";
import type { Look } from "../cards/look.ts";
import { type CardPost, cardPostOf, reserveSequences, touchCards } from "../engine/card-posts.ts";
import type { LiveReply, LiveTurn } from "../engine/chat/live-reply.ts";
import type { Activity, Turn } from "../engine/chat/turn.ts";
import { inTransaction } from "../engine/db.ts";
import type { Scope } from "../engine/scope.ts";
import { type Lark, LarkError } from "./lark.ts";

/** Feishu: 10 changes of a card a second. Twice that rate is kept free for the closing picture and for other readers. */
const EVERY_MS = 400;
/** Without a card entity the whole message is patched. Feishu: 5 changes of a message a second; a person reads one. */
const PATCH_EVERY_MS = 2_000;
/** Until the first message is out there is nothing to write on. */
const LOOK_AGAIN_MS = 200;
/** Numbers reserved at once; unused ones are lost, which costs nothing. */
const BLOCK = 200;
/** Feishu: streaming closes by itself after 10 minutes, and is closed by the closing picture. */
const TIMED_OUT = 200850;
const CLOSED = 300309;
const NUMBER_TOO_LOW = 300317;
/** So many refusals in a row end the movement; the closing picture comes all the same. */
const MOST_FAILURES = 20;

export interface LiveParts {
  scope: Scope;
  lark: Lark;
  poke: (job: string) => void;
}

/**
 * The moving text of running turns: throttled, numbered, and allowed to fail. One writer per card; whatever it still has
 * on its way when the turn ends is beaten by the higher numbers of the closing picture.
 */
export function liveReplies(parts: LiveParts): LiveReply {
  return { begin: (turn) => new Moving(parts, turn) };
}

interface Wanted {
  text?: string;
  tools?: string;
  stopping?: true;
}

class Moving implements LiveTurn {
  readonly #parts: LiveParts;
  readonly #turn: Turn;
  readonly #look: Look;
  #wanted: Wanted = {};
  #raw = "";
  #over = false;
  #work: Promise<void> | undefined;
  #wake: () => void = () => {};
  #next = 0;
  #last = 0;
  #failures = 0;

  constructor(parts: LiveParts, turn: Turn) {
    this.#parts = parts;
    this.#turn = turn;
    const now = parts.scope.clock.now();
    const language = turn.chatType === "group" ? "both" : turn.language;
    this.#look = { language, zone: parts.scope.agent.zone, now, post: "" };
  }

  text(text: string): void {
    this.#raw = text;
    this.#want({ text });
  }

  activity(tools: readonly Activity[]): void {
    this.#want({ tools: liveTools(tools) });
  }

  stopping(): void {
    this.#want({ stopping: true });
  }

  async end(): Promise<void> {
    this.#over = true;
    this.#wake();
    await this.#work;
  }

  #want(more: Wanted): void {
    if (this.#over) return;
    this.#wanted = { ...this.#wanted, ...more };
    // While a round is on its way, it sees the newer wish itself.
    this.#work ??= this.#run().finally(() => {
      this.#work = undefined;
      // What was wanted between the last look and here.
      if (Object.keys(this.#wanted).length > 0) this.#want({});
    });
  }

  async #run(): Promise<void> {
    while (!this.#over && Object.keys(this.#wanted).length > 0) {
      const pause = await this.#round().catch((error: unknown) => {
        this.#parts.scope.log.warn("live.failed", { turn: this.#turn.id, error: String(error) });
        return ++this.#failures < MOST_FAILURES ? EVERY_MS : undefined;
      });
      if (pause === undefined) {
        this.#over = true;
        return;
      }
      await this.#pause(pause);
    }
  }

  /** Writes what is wanted now. @returns how long to rest; undefined = no more */
  async #round(): Promise<number | undefined> {
    const post = await cardPostOf(this.#parts.scope, `turn-${this.#turn.id}`);
    if (post?.gaveUpAt) return undefined;
    if (post === undefined || post.messageId === null) return LOOK_AGAIN_MS;
    if (post.sentAs === "text") return undefined;
    const wanted = this.#wanted;
    this.#wanted = {};
    if (post.entityId === null) {
      await this.#patch();
      return PATCH_EVERY_MS;
    }
    return this.#stream(post, post.entityId, wanted);
  }

  async #stream(post: CardPost, entityId: string, wanted: Wanted): Promise<number | undefined> {
    const { lark } = this.#parts;
    try {
      if (wanted.stopping) {
        const button = stoppingButton(this.#turn.id, { ...this.#look, post: post.id });
        const action = { action: "update_element", params: { element_id: LIVE.stop, element: button } };
        await lark.batchUpdateCard(entityId, [action], await this.#number(post));
      }
      if (wanted.tools !== undefined) {
        await lark.streamText(entityId, LIVE.tools, wanted.tools, await this.#number(post));
      }
      if (wanted.text !== undefined) {
        const text = liveText(wanted.text);
        if (text !== "") await lark.streamText(entityId, LIVE.reply, text, await this.#number(post));
      }
      this.#failures = 0;
    } catch (error) {
      if (!(error instanceof LarkError)) throw error;
      return this.#refused(post, entityId, wanted, error);
    }
    return EVERY_MS;
  }

  async #refused(post: CardPost, entityId: string, wanted: Wanted, error: LarkError): Promise<number | undefined> {
    const { scope, lark } = this.#parts;
    scope.log.debug("live.refused", { turn: this.#turn.id, code: error.code, kind: error.kind });
    if (++this.#failures >= MOST_FAILURES || !(await this.#runs())) return undefined;
    // What was not written is still wanted, unless something newer is.
    this.#wanted = { ...wanted, ...this.#wanted };
    if (error.code === NUMBER_TOO_LOW) this.#next = this.#last = 0;
    if (error.code === TIMED_OUT || error.code === CLOSED) {
      await lark.cardSettings(entityId, { streaming_mode: true }, await this.#number(post));
    }
    // An element that is not there (any more) will not come back: a stop button on a card that shows none.
    if (error.kind === "refused" || error.code === 300313) this.#wanted = {};
    return error.retryAfterMs ?? 2 * EVERY_MS;
  }

  /** Feishu takes no card entities here: the text is stored, and the sweep draws it. */
  async #patch(): Promise<void> {
    const { scope, poke } = this.#parts;
    await inTransaction(scope.db, async (tx) => {
      const { count } = await tx.turn.updateMany({
        where: { id: this.#turn.id, agentId: scope.agent.id, status: "running" },
        data: this.#raw === "" ? {} : { reply: this.#raw },
      });
      if (count > 0) await touchCards(tx, scope, { kind: "turn", id: this.#turn.id });
    });
    poke("sync-cards");
  }

  async #runs(): Promise<boolean> {
    const { db, agent } = this.#parts.scope;
    const running = { id: this.#turn.id, agentId: agent.id, status: "running" };
    return !this.#over && (await db.turn.count({ where: running })) > 0;
  }

  async #number(post: CardPost): Promise<number> {
    if (this.#next === 0 || this.#next > this.#last) {
      this.#next = await reserveSequences(this.#parts.scope, post.id, BLOCK);
      this.#last = this.#next + BLOCK - 1;
    }
    return this.#next++;
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (this.#over) this.#wake();
    });
  }
}
