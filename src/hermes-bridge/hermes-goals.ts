import { join } from "node:path";
import { z } from "zod";
import type { HermesGoal, HermesGoals } from "../engine/ports.ts";
import { readContent } from "./read-content.ts";
import { type OpenStore, StateDbFile } from "./state-db-file.ts";

const KEY = "goal:";
/** The first key after all that begin with `goal:`. */
const AFTER = "goal;";
const MOST_GOALS = 50;
/** Rows looked at: every session that ever had a goal keeps its own. */
const MOST_ROWS = 5_000;
const MOST_HOPS = 100;
const REPLY_BYTES = 65_536;

const count = z.number().int().min(0).catch(0);
const text = z.string().nullish().catch(undefined);
/** As Hermes writes it into state_meta; fields of later versions pass by. */
const rowSchema = z.object({
  goal: z.string(),
  status: z.string().catch("active"),
  turns_used: count,
  max_turns: count,
  last_turn_at: z.number().catch(0),
  last_reason: text,
  paused_reason: text,
  subgoals: z.array(z.string()).catch([]),
});

/**
 * Hermes' own goals: `state_meta` rows `goal:<session id>`, read only. Hermes keys a goal by the session's id, which a
 * compression changes without the goal coming along; that is told, so that nobody waits for a goal that stands still.
 */
export class HermesGoalStore implements HermesGoals {
  readonly #file: StateDbFile;
  readonly #profile: string | undefined;
  readonly #ownHome: boolean;

  constructor({ home, profile, ownHome }: { home: string; profile?: string; ownHome?: boolean }) {
    this.#file = new StateDbFile(join(home, "state.db"));
    this.#profile = profile;
    this.#ownHome = ownHome === true;
  }

  async list(): Promise<readonly HermesGoal[]> {
    return (await this.#file.read((store) => this.#read(store))) ?? [];
  }

  close(): void {
    this.#file.close();
  }

  #read(store: OpenStore): HermesGoal[] {
    if (store.row("SELECT 1 FROM sqlite_master WHERE name = 'state_meta'") === undefined) return [];
    const rows = store.rows<[string, string]>(
      `SELECT m.key, CAST(m.value AS TEXT) FROM state_meta m WHERE m.key > ? AND m.key < ? LIMIT ${MOST_ROWS}`,
      KEY,
      AFTER,
    );
    const goals = new Set(rows.map(([key]) => key.slice(KEY.length)));
    const read = rows
      .flatMap(([key, value]) => {
        const row = parse(value);
        const sessionId = key.slice(KEY.length);
        // An empty id would mean every session.
        return row === undefined || sessionId === "" ? [] : [{ sessionId, row }];
      })
      // What is at work first, then what moved last: old rows never hide a new goal.
      .sort((a, b) => Number(isOver(a.row)) - Number(isOver(b.row)) || b.row.last_turn_at - a.row.last_turn_at)
      .slice(0, MOST_GOALS);
    return read.flatMap(({ sessionId, row }) => {
      if (!this.#isOurs(store, sessionId)) return [];
      const reason = row.paused_reason ?? row.last_reason;
      const continuedAs = tipOf(store, sessionId);
      const lastReply = lastReplyOf(store, sessionId);
      return [
        {
          sessionId,
          text: row.goal,
          status: row.status,
          turnsUsed: row.turns_used,
          maxTurns: row.max_turns,
          subgoals: row.subgoals,
          ...(reason && { reason }),
          ...(row.last_turn_at > 0 && { lastTurnAt: new Date(row.last_turn_at * 1000) }),
          ...(continuedAs !== undefined && !goals.has(continuedAs) && { continuedAs }),
          ...(lastReply !== undefined && { lastReply }),
        },
      ];
    });
  }

  #isOurs(store: OpenStore, sessionId: string): boolean {
    if (!store.shape.session.has("profile_name")) return true;
    const [profile] = store.row<[string | null]>("SELECT s.profile_name FROM sessions s WHERE s.id = ?", sessionId) ?? [
      null,
    ];
    if (profile === null) return this.#profile === undefined || this.#ownHome;
    return profile === (this.#profile ?? "default");
  }
}

function isOver({ status }: z.infer<typeof rowSchema>): boolean {
  return status === "done" || status === "cleared";
}

function parse(value: string): z.infer<typeof rowSchema> | undefined {
  try {
    return rowSchema.safeParse(JSON.parse(value)).data;
  } catch {
    return undefined;
  }
}

/** The session that goes on after compressions; undefined when this one does. */
function tipOf(store: OpenStore, sessionId: string): string | undefined {
  const { session } = store.shape;
  if (!session.has("parent_session_id") || !session.has("end_reason")) return undefined;
  let tip = sessionId;
  for (let hops = 0; hops < MOST_HOPS; hops++) {
    const [reason] = store.row<[string | null]>("SELECT s.end_reason FROM sessions s WHERE s.id = ?", tip) ?? [null];
    if (reason !== "compression") break;
    const [child] =
      store.row<[string]>(
        "SELECT s.id FROM sessions s WHERE s.parent_session_id = ? AND s.source IS NOT 'subagent' ORDER BY s.started_at DESC LIMIT 1",
        tip,
      ) ?? [];
    if (child === undefined) break;
    tip = child;
  }
  return tip === sessionId ? undefined : tip;
}

function lastReplyOf(store: OpenStore, sessionId: string): string | undefined {
  const [content] =
    store.row<[Uint8Array | null]>(
      `SELECT substr(CAST(m.content AS BLOB), -${REPLY_BYTES}) FROM messages m WHERE m.session_id = ? AND m.role = 'assistant' AND ${store.shape.visible} ORDER BY m.id DESC LIMIT 1`,
      sessionId,
    ) ?? [];
  return content ? readContent(content) : undefined;
}
