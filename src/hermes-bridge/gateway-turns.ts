import { inTransaction } from "../engine/db.ts";
import { EngineError } from "../engine/errors.ts";
import type { AgentTurns, TurnAbilities, TurnEvent, TurnRequest, TurnResult } from "../engine/ports.ts";
import type { Scope } from "../engine/scope.ts";
import type { GatewayHub } from "./gateway-hub.ts";
import { giveOrder, type OrderStatus, withdrawOrder } from "./gateway-orders.ts";
import { type AskedInTurn, questionOf, readAsked, readFiles, readSaid, replyOf } from "./gateway-said.ts";

/** Rows are looked at again after this long when nothing woke us: another replica may have changed them. */
const LOOK_MS = 1_000;
/** An order that the plugin has not asked for within this time is taken back: Hermes is not there. */
const ACCEPT_MS = 20_000;
/** How long a stop, a steered word or an answer is waited for. */
const SETTLE_MS = 15_000;
/** The plugin has been away for so long while a turn ran: nobody can say how that ended. */
const LOST_AFTER_MS = 10 * 60_000;
/** The plugin counts as there while a row says that it was heard of at most so long ago. */
const SEEN_MS = 60_000;

/** What every Hermes can that takes the plugin, until it has said more. */
const LEAST: TurnAbilities = {
  stop: true,
  steer: false,
  approvals: true,
  questions: true,
  commands: true,
  images: true,
};

const OPEN = ["waiting", "running"];

/** Turns through the platform plugin in Hermes' gateway. */
export interface GatewayTurns extends AgentTurns {
  /** none = the plugin was never heard of: this way in is not set up */
  readonly way: "platform" | "none";
  /** The plugin is there now: orders reach it within a moment. */
  connected(): boolean;
}

interface TurnRow {
  id: string;
  status: string;
  sessionId: string | null;
  said: unknown;
  asked: unknown;
  files: unknown;
  why: string | null;
  toolCalls: number;
}

/**
 * The port over rows: a turn is an order that waits for the plugin and a row that its events fill. So it survives a restart
 * of either side, and `run` with the id of a turn that is known goes on watching that one.
 */
export function gatewayTurns(scope: Scope, hub: GatewayHub): GatewayTurns {
  const { db, agent } = scope;
  const own = { agentId: agent.id };
  const can = (): TurnAbilities => hub.abilities ?? LEAST;

  /** Here, or (while this process has not heard of it itself) at another replica or a moment before our restart. */
  async function isThere(): Promise<boolean> {
    if (hub.isThere()) return true;
    if (hub.everHeard) return false;
    const since = new Date(scope.clock.now().getTime() - SEEN_MS);
    return (await db.gatewayLink.count({ where: { ...own, lastSeenAt: { gt: since }, leftAt: null } })) > 0;
  }

  void db.gatewayLink.count({ where: own }).then(
    (links) => {
      hub.met ||= links > 0;
    },
    (error: unknown) => scope.log.warn("gateway.not_read", { error: String(error) }),
  );

  const rowOf = (turnId: string): Promise<TurnRow | null> =>
    db.gatewayTurn.findFirst({ where: { ...own, id: turnId } });

  async function begin(request: TurnRequest): Promise<number | undefined> {
    const { turnId, sessionKey, place, sender, purpose } = request;
    return inTransaction(db, async (tx) => {
      if (await tx.gatewayTurn.findFirst({ where: { ...own, id: turnId }, select: { id: true } })) return undefined;
      const before = await tx.gatewayTurn.findFirst({
        where: { ...own, sessionKey, sessionId: { not: null } },
        orderBy: [{ createdAt: "desc" }, { id: "desc" }],
        select: { sessionId: true },
      });
      const busy = await tx.gatewayTurn.count({ where: { ...own, sessionKey, status: { in: OPEN } } });
      if (busy > 0) throw new EngineError("unavailable", { what: "hermes", why: "session_busy" });
      await tx.gatewayTurn.create({
        data: {
          id: turnId,
          ...own,
          origin: "herald",
          chatId: place.chatId,
          threadId: place.threadId ?? null,
          sessionKey,
          status: "waiting",
          said: [],
          asked: [],
          files: [],
          createdAt: scope.clock.now(),
        },
      });
      const session =
        request.sessionId === undefined
          ? before && { fresh: true }
          : before?.sessionId === request.sessionId
            ? undefined
            : { id: request.sessionId };
      const { seq } = await giveOrder(tx, scope, {
        key: `turn-${turnId}`,
        kind: "message",
        turnId,
        payload: {
          purpose,
          chat: {
            id: place.chatId,
            type: place.type,
            name: place.name,
            thread: place.threadId,
            shared: place.type === "group" && !(sender && sessionKey.includes(sender.openId)),
          },
          sender: sender && { openId: sender.openId, unionId: sender.unionId, name: sender.name },
          text: request.text,
          images: request.images?.map((file) => ({ ...file })),
          files: request.files?.map((file) => ({ ...file })),
          instructions: request.instructions,
          ...(session && { session }),
        },
      });
      return seq;
    });
  }

  /** Watches a turn until it has ended, or the caller has no more use for it. */
  async function watch(turnId: string, on: (event: TurnEvent) => void, signal?: AbortSignal): Promise<TurnResult> {
    const seen = { accepted: false, session: "", text: "", asked: new Map<string, AskedInTurn>() };
    let awaySince: number | undefined;
    const started = performance.now();
    const off = hub.onLoose(turnId, (event) => {
      if (event.kind === "session") {
        void db.gatewayTurn.updateMany({
          where: { ...own, id: turnId, status: { in: OPEN } },
          data: { sessionId: event.session },
        });
        return;
      }
      const { name, state, preview, ms } = event;
      on({ kind: "tool", name, state, ...(preview && { preview }), ...(ms !== undefined && { durationMs: ms }) });
    });
    try {
      for (;;) {
        const row = await rowOf(turnId);
        if (!row) throw new EngineError("not_found", { what: "turn", given: turnId });
        if (row.status === "refused") {
          throw new EngineError("unavailable", { what: "hermes", why: row.why ?? "refused" });
        }
        show(row, seen, on);
        if (!OPEN.includes(row.status)) return resultOf(row);
        if (signal === undefined ? hub.closed : signal.aborted)
          return { ...resultOf(row), outcome: "lost", why: "not_watched" };
        const there = await isThere();
        awaySince = there ? undefined : (awaySince ?? performance.now());
        const now = performance.now();
        if (row.status === "waiting" && now - started > ACCEPT_MS && (await takeBack(turnId))) {
          throw new EngineError("unavailable", { what: "hermes", why: "not_connected" });
        }
        if (awaySince !== undefined && now - awaySince > LOST_AFTER_MS) {
          await db.gatewayTurn.updateMany({
            where: { ...own, id: turnId, status: { in: OPEN } },
            data: { status: "lost", asked: [], endedAt: scope.clock.now() },
          });
          continue;
        }
        await hub.next(LOOK_MS, signal);
      }
    } finally {
      off();
    }
  }

  /** The message of a turn that surely never began. */
  async function takeBack(turnId: string): Promise<boolean> {
    return inTransaction(db, async (tx) => {
      const order = await tx.gatewayOrder.findUnique({ where: { key: `${agent.id}:turn-${turnId}` } });
      if (!order || !(await withdrawOrder(tx, scope, order.seq))) return false;
      await tx.gatewayTurn.updateMany({
        where: { ...own, id: turnId, status: "waiting" },
        data: { status: "refused", why: "not_connected", endedAt: scope.clock.now() },
      });
      return true;
    });
  }

  /** What became of an order within the time; `waiting` when the plugin has not said so far. */
  async function settled(seq: number, ms: number): Promise<OrderStatus> {
    const until = performance.now() + ms;
    for (;;) {
      const row = await db.gatewayOrder.findUnique({ where: { seq }, select: { status: true } });
      const status = (row?.status ?? "withdrawn") as OrderStatus;
      const left = until - performance.now();
      if (status !== "waiting" || left <= 0 || hub.closed) return status;
      await hub.next(Math.min(LOOK_MS, left));
    }
  }

  async function order(
    key: string,
    kind: "stop" | "steer" | "answer",
    turnId: string | undefined,
    payload: Readonly<Record<string, unknown>>,
  ): Promise<OrderStatus> {
    const { seq } = await giveOrder(db, scope, { key, kind, payload, ...(turnId !== undefined && { turnId }) });
    hub.wake();
    const status = await settled(seq, SETTLE_MS);
    // Not asked for so far: it must not take effect when nobody counts on it any more.
    if (status === "waiting" && (await withdrawOrder(db, scope, seq))) return "withdrawn";
    return status;
  }

  return {
    get way() {
      return hub.met ? "platform" : "none";
    },
    connected: () => hub.isThere(),
    abilities: can,
    async run(request, on, signal) {
      if (!(await isThere())) throw new EngineError("unavailable", { what: "hermes", why: "not_connected" });
      await begin(request);
      hub.wake();
      return watch(request.turnId, on, signal);
    },
    async whatBecameOf({ turnId }) {
      const row = await rowOf(turnId);
      if (!row || row.status === "refused") return "unknown";
      return OPEN.includes(row.status) ? "running" : resultOf(row);
    },
    async stop(turnId) {
      const row = await rowOf(turnId);
      if (!row || !OPEN.includes(row.status)) return false;
      if (row.status === "waiting" && (await takeBack(turnId))) {
        await db.gatewayTurn.updateMany({ where: { ...own, id: turnId }, data: { status: "stopped", why: null } });
        hub.wake();
        return true;
      }
      return (await order(`stop-${turnId}`, "stop", turnId, {})) !== "refused";
    },
    async steer(turnId, text) {
      const row = await rowOf(turnId);
      if (row?.status !== "running" || !can().steer) return false;
      return (await order(`steer-${turnId}-${scope.ids.opaque()}`, "steer", turnId, { text })) === "taken";
    },
    async answer(ref, choice) {
      const running = await db.gatewayTurn.findMany({
        where: { ...own, status: { in: OPEN } },
        select: { asked: true },
      });
      // Not of this way in, or no longer open.
      if (!running.some((row) => readAsked(row.asked).some((each) => each.ref === ref))) return false;
      const status = await order(`answer-${ref}`, "answer", undefined, { ref, choice });
      if (status === "waiting") throw new EngineError("unavailable", { what: "hermes", why: "not_confirmed" });
      return status === "taken";
    },
    async health() {
      const link = await db.gatewayLink.findFirst({ where: own, orderBy: { lastSeenAt: "desc" } });
      const version = link?.hermesVersion ? { version: link.hermesVersion } : {};
      if (await isThere()) return { ok: true, ...version };
      return { ok: false, ...version, why: link === null ? "never_connected" : "not_connected" };
    },
  };
}

type Seen = { accepted: boolean; session: string; text: string; asked: Map<string, AskedInTurn> };

/** Tells what is new in the row since the last look. */
function show(row: TurnRow, seen: Seen, on: (event: TurnEvent) => void): void {
  const session = row.sessionId ?? "";
  if (row.status !== "waiting" && (!seen.accepted || (session !== "" && session !== seen.session))) {
    seen.accepted = true;
    seen.session = session;
    on({ kind: "accepted", ...(session !== "" && { sessionId: session }) });
  }
  const text = replyOf(readSaid(row.said));
  if (text !== seen.text) {
    seen.text = text;
    on({ kind: "text", text });
  }
  const asked = new Map(readAsked(row.asked).map((each) => [each.ref, each]));
  for (const [ref, each] of asked) if (!seen.asked.has(ref)) on(questionOf(each));
  for (const ref of seen.asked.keys()) if (!asked.has(ref)) on({ kind: "void", ref });
  seen.asked = asked;
}

function resultOf(row: TurnRow): TurnResult {
  const outcome =
    row.status === "completed" || row.status === "failed" || row.status === "stopped" ? row.status : "lost";
  const text = replyOf(readSaid(row.said));
  const files = readFiles(row.files);
  const why = row.why ?? (outcome === "failed" ? text.split("\n")[0]?.slice(0, 300) : undefined);
  return {
    outcome,
    text,
    ...(row.sessionId !== null && { sessionId: row.sessionId }),
    ...(why && { why }),
    ...(files.length > 0 && { files }),
    toolCalls: row.toolCalls,
  };
}
