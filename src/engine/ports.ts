import type { z } from "zod";
import type { DaySession } from "./evolution/day-session.ts";

/** The process' one clock. Tests and the time machine own it; nothing in the engine asks the system for the time. */
export interface Clock {
  now(): Date;
}

/** Fresh identifiers. `id` is sortable by time; `opaque` is 128 random bits (hex), for what must not be guessed. */
export interface Ids {
  id(prefix: string): string;
  opaque(): string;
}

/** A number in [0, 1). */
export type Random = () => number;

/** Structured log. Values pass the mask for secrets; message texts are never logged, only ids and counts. */
export interface Log {
  debug(event: string, facts?: Record<string, unknown>): void;
  info(event: string, facts?: Record<string, unknown>): void;
  warn(event: string, facts?: Record<string, unknown>): void;
  /** Logs an unexpected error with its stack and returns the reference (such as K7Q2) people are shown. */
  incident(event: string, error: unknown, facts?: Record<string, unknown>): string;
}

// ── Hermes' session history ────────────────────────────────────────────────────────────────────────────────────────

/** A session of Hermes as far as its store tells. Unknown columns of old stores are undefined. */
export interface HistorySession {
  id: string;
  /** First id of the chain of compressions this session belongs to (its own id when it has no such parent). */
  lineage: string;
  /** Platform name, or cli, cron, subagent, tool, webhook, api_server, …; unknown values pass through. */
  source: string;
  title?: string;
  userId?: string;
  userName?: string;
  chatId?: string;
  /** dm | group when known */
  chatType?: "dm" | "group";
  profile?: string;
  startedAt: Date;
  endedAt?: Date;
  endReason?: string;
}

export interface HistoryMessage {
  /** Unique in the store now; may change when Hermes rewrites a session. */
  id: string;
  session: HistorySession;
  /** user | assistant | tool | system; unknown values pass through. */
  role: string;
  /** Plain text; parts of multi-part content joined, images as "[image]"; no NUL, no lone surrogates. */
  text: string;
  /** Time written in the row; may lie before rows read earlier (late writes) or be off (clock steps). */
  at: Date;
  /** The same to the last digit, in seconds, for telling copies of a row from another one. */
  exactAt?: number;
  toolName?: string;
  toolCalls?: readonly { name: string; arguments: string }[];
  /** Group chatter that was not addressed to the bot. */
  observed: boolean;
}

/** Where a reader stands in the store. JSON-safe and opaque to everyone but the History that made it. */
export type HistoryCursor = Readonly<Record<string, string | number | null>>;

export interface HistoryPage {
  messages: readonly HistoryMessage[];
  cursor: HistoryCursor;
  /** More rows stand behind this page. */
  more: boolean;
}

/**
 * Hermes' sessions, read only. Reads are short; a locked, missing or replaced store is `unavailable` (EngineError) and
 * moves nothing. Rows that are not part of the visible transcript (undone, inactive) are left out.
 */
export interface History {
  /** Where the store ends now. */
  head(): Promise<HistoryCursor>;
  /** A cursor that stands before the first row at or after `at` as far as can be told cheaply: for the very first run. */
  cursorBefore(at: Date): Promise<HistoryCursor>;
  /** False only when surely nothing was written since; costs microseconds. */
  mayHaveNew(cursor: HistoryCursor): Promise<boolean>;
  /**
   * Visible rows after the cursor in the order they were written, at most `limit` rows a page. Copies that a compression
   * of the conversation made of rows which stand elsewhere, and the summaries it wrote, are left out.
   */
  readSince(
    cursor: HistoryCursor,
    limit: number,
    options?: { leaveOutSources?: readonly string[] },
  ): Promise<HistoryPage>;
  /**
   * Visible rows up to the cursor, newest first read, returned oldest first: not older than `since`, within a budget.
   * `weigh` says how many characters of the budget a row takes; 0 leaves it out.
   */
  readEarlier(
    cursor: HistoryCursor,
    limits: {
      since: Date;
      maxChars: number;
      maxRows: number;
      leaveOutSources?: readonly string[];
      weigh?: (message: HistoryMessage) => number;
    },
  ): Promise<readonly HistoryMessage[]>;
  /** Where rows read before stand now. Rows Hermes deleted (it rewrites whole sessions under new ids) are `gone`. */
  whereabouts(messageIds: readonly string[]): Promise<ReadonlyMap<string, "visible" | "undone" | "gone">>;
  /** The session of this id; undefined for one that is not known, or belongs to another profile. */
  session(id: string): Promise<HistorySession | undefined>;
  /**
   * Sessions that began from `from` on and before `to`, in the order they began, read one by one in short slices so that
   * others get their turn. What continues a compressed session belongs to the session it continues, whenever it began.
   */
  sessionsBegun(from: Date, to: Date, options?: { leaveOutSources?: readonly string[] }): AsyncIterable<DaySession>;
  /** With whom direct chats of this source are held: each pair of user and chat once, as far as either is known. */
  directChats(source: string): Promise<readonly Pick<HistorySession, "userId" | "chatId">[]>;
  /** What is in use and how it went, for /status and the documents. */
  describe(): Promise<{
    kind: "state-db" | "api" | "none";
    /** the file, or the address of the API server */
    path?: string;
    profile?: string;
    sessions?: number;
    schemaVersion?: number;
  }>;
}

/** A goal that Hermes runs by itself, as its store has it now. */
export interface HermesGoal {
  sessionId: string;
  text: string;
  /** active | paused | done | cleared; unknown values pass through */
  status: string;
  turnsUsed: number;
  maxTurns: number;
  /** the latest verdict's sentence, or why it is paused */
  reason?: string;
  subgoals: readonly string[];
  lastTurnAt?: Date;
  /** the session went on under this id when it was compressed, and the goal did not come along */
  continuedAs?: string;
  /** end of the last reply in the session */
  lastReply?: string;
}

/** Goals in Hermes' own store, read only. */
export interface HermesGoals {
  /** Empty where there are none, or no store. @throws EngineError unavailable (history) */
  list(): Promise<readonly HermesGoal[]>;
}

// ── Hermes' cron jobs, memory, preferences ─────────────────────────────────────────────────────────────────────────

export interface CronJob {
  id: string;
  name: string;
  schedule: string;
  enabled: boolean;
  nextRunAt?: Date;
  lastRunAt?: Date;
  /** ok | error | delivery_failed | …; unknown values pass through */
  lastStatus?: string;
  lastError?: string;
  lastDeliveryError?: string;
}

export interface CronList {
  /** Empty when Hermes has none. @throws EngineError unavailable when the file stands there but cannot be read */
  list(): Promise<readonly CronJob[]>;
}

/** Something that waits in Hermes for a person, where nobody sees it. All texts are untrusted and masked. */
export interface Waiting {
  kind: "memory_write" | "skill_write" | "cron_suggestion" | "failed_delivery";
  /** Hermes' own name for it, such as /memory and /skills take */
  id: string;
  title: string;
  detail?: string;
  since?: Date;
  /** Hermes came up with it by itself, not in a conversation */
  byItself?: boolean;
}

/** Hermes' hidden queues, read only. */
export interface HiddenQueues {
  /** Oldest first; `unreadable` records were passed over. Never rejects for a damaged file. */
  read(): Promise<{ waiting: readonly Waiting[]; unreadable: number }>;
}

export interface Memory {
  /** memory | user */
  target: "memory" | "user";
  text: string;
}

export interface MemoryStore {
  /** Entries that share a keyword, best first, and how the read went (ok, missing, unreadable). */
  recall(
    keywords: readonly string[],
    most: number,
  ): Promise<{ state: "ok" | "missing" | "unreadable"; memories: readonly Memory[] }>;
}

/** PROACTIVE_PREFERENCES.md in Hermes' home. */
export interface Preferences {
  /** undefined when there is none */
  read(): Promise<string | undefined>;
  /** Writes atomically. `seen` is the text the person edited: when the file says something else now, changed_since_seen. */
  write(text: string, seen: string | undefined): Promise<void>;
}

// ── Turns of the agent ─────────────────────────────────────────────────────────────────────────────────────────────

/** What the way in that is connected is able to do. Nothing else is offered to people. */
export interface TurnAbilities {
  /** a running turn can be ended */
  stop: boolean;
  /** a word can be put into a running turn */
  steer: boolean;
  /** dangerous commands are asked about, and the answer gets there */
  approvals: boolean;
  /** the agent's own questions (clarify) arrive, and the answer gets there */
  questions: boolean;
  /** slash commands Herald does not know are understood at the other end */
  commands: boolean;
  images: boolean;
}

/** A file on this machine that belongs to a turn. */
export interface TurnFile {
  path: string;
  name: string;
  mime: string;
}

/** Where a turn was asked for. */
export interface TurnPlace {
  /** of the platform; for turns without a chat (an editorial turn) a name of our own */
  chatId: string;
  type: "dm" | "group";
  threadId?: string;
  name?: string;
}

export interface TurnRequest {
  /** Ours, and the same over every try: a way in that can tell runs it once. */
  turnId: string;
  /** Hermes' session the turn goes on with; undefined = a new one is begun */
  sessionId?: string;
  /** what keeps sessions apart at the other end: one per chat, or per chat and person */
  sessionKey: string;
  place: TurnPlace;
  /** whose words these are; undefined for turns of Herald's own (editorial, a goal's continuation) */
  sender?: { openId: string; unionId?: string; name?: string };
  text: string;
  images?: readonly TurnFile[];
  files?: readonly TurnFile[];
  /** chat | goal | editorial: marked, so that Herald's own turns never count as a person speaking */
  purpose: "chat" | "goal" | "editorial";
  /** added to the system prompt where the way in can do that; else put before the text */
  instructions?: string;
}

/** What is seen while a turn runs. Texts are whole, not pieces: the latest replaces what was said before. */
export type TurnEvent =
  | { kind: "accepted"; sessionId?: string }
  | { kind: "text"; text: string }
  | { kind: "tool"; name: string; preview?: string; state: "started" | "completed" | "failed"; durationMs?: number }
  | {
      kind: "approval";
      /** what `answer` is told; dies with the process at the other end */
      ref: string;
      command: string;
      description?: string;
      choices: readonly ("once" | "session" | "always" | "deny")[];
      /** when the other end takes silence for an answer, where it says so */
      expiresAt?: Date;
    }
  | { kind: "question"; ref: string; question: string; choices: readonly string[]; expiresAt?: Date }
  /** a question is void: answered elsewhere, timed out, or the other end restarted */
  | { kind: "void"; ref: string };

/**
 * How a turn ended. `failed`: the agent or its model failed, `why` in one line · `stopped`: a person ended it ·
 * `lost`: it was begun, and nobody can say how it ended (the other end is away, or restarted).
 */
export interface TurnResult {
  outcome: "completed" | "failed" | "stopped" | "lost";
  /** The final reply; empty when there is none. */
  text: string;
  /** Hermes' session as it is called now: a compression gives it a new name. */
  sessionId?: string;
  why?: string;
  /** Words put into the turn that came too late for it: to be said in the next one. */
  undelivered?: string;
  /** files of the agent's that belong to the reply */
  files?: readonly TurnFile[];
  toolCalls?: number;
  inputTokens?: number;
  outputTokens?: number;
}

/**
 * Hermes at work, through whichever way in is connected. One turn at a time per session is the caller's duty and checked
 * here. No model text is trusted: it is data for the caller.
 */
export interface AgentTurns {
  /** none = Hermes cannot be spoken to from here */
  readonly way: "platform" | "api-server" | "none";
  abilities(): TurnAbilities;
  /**
   * Runs one turn to its end. Rejects only when the turn surely never began. `signal` is set when this process goes: then
   * nobody listens any more, the call ends soon as `lost`, and the turn itself is left alone (see `whatBecameOf`).
   * @throws EngineError unavailable (what: hermes) when Hermes cannot be reached or refuses; nothing was begun
   */
  run(request: TurnRequest, on: (event: TurnEvent) => void, signal?: AbortSignal): Promise<TurnResult>;
  /** What became of a turn that was running when this process died; `unknown` when that cannot be told. */
  whatBecameOf(turn: {
    turnId: string;
    sessionId?: string;
    text: string;
    startedAt: Date;
  }): Promise<TurnResult | "running" | "unknown">;
  /** Asks for the end of a running turn. False: nothing of it runs here (any more). */
  stop(turnId: string): Promise<boolean>;
  /** Puts a word into a running turn. False: not possible now; queue it. */
  steer(turnId: string, text: string): Promise<boolean>;
  /** Answers an approval or a question. False: it is void. */
  answer(ref: string, choice: string): Promise<boolean>;
  /** How it stands: for /status, doctor and what people are told. */
  health(): Promise<{ ok: boolean; version?: string; why?: string }>;
}

// ── Models ─────────────────────────────────────────────────────────────────────────────────────────────────────────

export interface Question<T> {
  /** Such as proactive.opportunities: costs are kept per purpose. */
  purpose: string;
  system: string;
  user: string;
  reply: z.ZodType<T>;
  maxTokens: number;
  timeoutMs: number;
  runId?: string;
}

export interface Reply<T> {
  value: T;
  model: string;
  inputTokens?: number;
  outputTokens?: number;
}

/** none: no endpoint configured · transport: none could be reached · unreadable: answered, but not in the schema · budget. */
export type LlmErrorKind = "none" | "transport" | "unreadable" | "budget";

export class LlmError extends Error {
  readonly kind: LlmErrorKind;

  constructor(kind: LlmErrorKind, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "LlmError";
    this.kind = kind;
  }
}

export interface Llm {
  /** @throws LlmError after the whole chain (and one repair question for an unreadable reply) has failed */
  ask<T>(question: Question<T>): Promise<Reply<T>>;
  /** True when an endpoint is configured at all. */
  readonly configured: boolean;
}
