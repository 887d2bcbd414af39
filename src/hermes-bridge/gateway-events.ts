import { basename } from "node:path";
import {
  deliverAgentMessage,
  editAgentMessage,
  type SplitMessage,
} from "../engine/agent-messages/deliver-agent-message.ts";
import { askInChat, voidQuestions } from "../engine/chat/ask-person.ts";
import { inTransaction, type Tx } from "../engine/db.ts";
import { jsonColumn } from "../engine/json-column.ts";
import type { TurnFile } from "../engine/ports.ts";
import type { Scope } from "../engine/scope.ts";
import { type AskedInTurn, questionOf, readAsked, readFiles, readSaid, replyOf, say, unsay } from "./gateway-said.ts";
import { type GatewayEvent, gatewayEventSchema } from "./gateway-wire.ts";

export interface TakenEvents {
  /** everything up to this number is kept now */
  taken: number;
  /** what is not shown to anybody, and why: the plugin tells Hermes where it still can */
  refused: readonly { seq: number; why: string }[];
}

/** What the composition adds: how a long text is cut for cards. */
export interface EventParts {
  split: SplitMessage;
}

/**
 * Takes in what the gateway tells, in its order, each event once: a batch that comes again changes nothing, and one that
 * fails leaves nothing behind. An event that cannot be read is passed over, so that it holds up none behind it.
 */
export async function takeEvents(
  scope: Scope,
  parts: EventParts,
  batch: { spool: string; events: readonly { seq: number }[] },
): Promise<TakenEvents> {
  return inTransaction(scope.db, async (tx) => {
    const key = { agentId_id: { agentId: scope.agent.id, id: batch.spool } };
    const link = await tx.gatewayLink.findUniqueOrThrow({ where: key });
    const events = batch.events.filter((event) => event.seq > link.lastEvent).sort((a, b) => a.seq - b.seq);
    const last = events.at(-1)?.seq;
    if (last === undefined) return { taken: link.lastEvent, refused: [] };
    // First, so that of two that bring the same the second waits here and then finds it done.
    const { count } = await tx.gatewayLink.updateMany({
      where: { agentId: scope.agent.id, id: batch.spool, lastEvent: link.lastEvent },
      data: { lastEvent: last },
    });
    if (count === 0) throw new Error("the same events are being taken in by another process");
    const refused: { seq: number; why: string }[] = [];
    for (const raw of events) {
      const read = gatewayEventSchema.safeParse(raw);
      if (!read.success) {
        scope.log.warn("gateway.event_unreadable", { seq: raw.seq, problem: read.error.issues[0]?.path.join(".") });
        refused.push({ seq: raw.seq, why: "unreadable" });
        continue;
      }
      const why = await apply({ ...scope, db: tx }, tx, parts, batch.spool, read.data);
      if (why !== undefined) refused.push({ seq: raw.seq, why });
    }
    return { taken: last, refused };
  });
}

/** @returns why nobody is shown this; undefined when all is well */
async function apply(
  scope: Scope,
  tx: Tx,
  parts: EventParts,
  spool: string,
  event: GatewayEvent,
): Promise<string | undefined> {
  const agentId = scope.agent.id;
  const now = scope.clock.now();
  switch (event.kind) {
    case "started":
      await tx.gatewayLink.updateMany({
        where: { agentId, id: spool },
        data: { instance: event.instance, connectedAt: now, leftAt: null },
      });
      return loseTurns(scope, tx, parts, { not: event.instance });
    case "left":
      await tx.gatewayLink.updateMany({
        where: { agentId, id: spool, instance: event.instance },
        data: { leftAt: now },
      });
      return loseTurns(scope, tx, parts, event.instance);
    case "running": {
      const instance = await instanceOf(tx, agentId, spool);
      const { count } = await tx.gatewayTurn.updateMany({
        where: { agentId, id: event.turn, status: "waiting" },
        data: { status: "running", instance },
      });
      if (count > 0 || (await tx.gatewayTurn.count({ where: { agentId, id: event.turn } })) > 0) return undefined;
      await tx.gatewayTurn.create({
        data: {
          id: event.turn,
          agentId,
          // A turn nobody here knows was not asked for here (any more): its words are Hermes' own.
          origin: "hermes",
          chatId: event.chat,
          threadId: event.thread ?? null,
          status: "running",
          instance,
          said: [],
          asked: [],
          files: [],
          createdAt: now,
        },
      });
      return undefined;
    }
    case "ended": {
      const turn = await tx.gatewayTurn.findFirst({ where: { agentId, id: event.turn } });
      if (!turn) return undefined;
      const given = turn.status === "waiting" || turn.status === "running";
      // Given up as lost, and now its end is known after all: whoever waited has gone, so it goes into the chat by itself.
      const late = turn.status === "lost";
      if (!given && !late) return undefined;
      await tx.gatewayTurn.updateMany({
        where: { agentId, id: turn.id },
        data: {
          status: event.outcome,
          ...(event.session && { sessionId: event.session }),
          why: event.why ?? null,
          toolCalls: event.tools,
          asked: [],
          endedAt: now,
        },
      });
      if (turn.origin === "hermes") await voidQuestions(tx, scope, turn.id, "turn_ended");
      if (turn.origin !== "hermes" && !late) return undefined;
      return deliverTurn(scope, tx, parts, turn, event.outcome === "lost");
    }
    case "said":
    case "edited":
    case "deleted":
    case "file":
      return word(scope, tx, parts, event);
    case "asked":
      return question(scope, tx, parts, event);
    case "void": {
      const turn = event.turn ? await tx.gatewayTurn.findFirst({ where: { agentId, id: event.turn } }) : undefined;
      if (!turn) return undefined;
      const asked = readAsked(turn.asked).filter((each) => each.ref !== event.ref);
      await tx.gatewayTurn.updateMany({ where: { agentId, id: turn.id }, data: { asked: jsonColumn(asked) } });
      if (turn.origin === "hermes") await voidQuestions(tx, scope, turn.id, "other_end", event.ref);
      return undefined;
    }
  }
}

type Word = Extract<GatewayEvent, { kind: "said" | "edited" | "deleted" | "file" }>;

/** A message or a change of one: into its turn while that runs, else by itself into the chat it is for. */
async function word(scope: Scope, tx: Tx, parts: EventParts, event: Word): Promise<string | undefined> {
  const agentId = scope.agent.id;
  const turn = event.turn
    ? await tx.gatewayTurn.findFirst({ where: { agentId, id: event.turn, status: { in: ["waiting", "running"] } } })
    : undefined;
  if (turn) {
    const said = readSaid(turn.said);
    const text = "text" in event ? event.text : undefined;
    const next =
      event.kind === "deleted" ? unsay(said, event.message) : text ? say(said, { id: event.message, text }) : said;
    await tx.gatewayTurn.updateMany({
      where: { agentId, id: turn.id },
      data: {
        said: jsonColumn(next),
        ...(event.kind === "file" && { files: jsonColumn([...readFiles(turn.files), fileOf(event)]) }),
      },
    });
    return undefined;
  }
  if (event.kind === "deleted") return undefined;
  if (event.kind === "edited") {
    await editAgentMessage(tx, scope, { id: event.message, text: event.text, split: parts.split });
    return undefined;
  }
  return deliver(tx, scope, parts, {
    id: event.message,
    chat: event.chat,
    origin: event.kind === "said" && event.job ? "cron" : "said",
    text: event.text ?? "",
    files: event.kind === "file" ? [fileOf(event)] : [],
  });
}

async function question(
  scope: Scope,
  tx: Tx,
  parts: EventParts,
  event: Extract<GatewayEvent, { kind: "asked" }>,
): Promise<string | undefined> {
  const agentId = scope.agent.id;
  const turn = event.turn
    ? await tx.gatewayTurn.findFirst({ where: { agentId, id: event.turn, status: { in: ["waiting", "running"] } } })
    : undefined;
  if (turn) {
    const asked: AskedInTurn = {
      ref: event.ref,
      asks: event.asks,
      ...(event.command && { command: event.command }),
      ...(event.text && { text: event.text }),
      choices: event.choices,
    };
    await tx.gatewayTurn.updateMany({
      where: { agentId, id: turn.id },
      data: { asked: jsonColumn([...readAsked(turn.asked), asked]) },
    });
    // A turn that was asked for here is watched, and whoever watches it asks.
    if (turn.origin === "herald") return undefined;
    const told = await askInChat(tx, scope, { turnId: turn.id, chat: event.chat, asked: questionOf(asked) });
    return told ? undefined : "unknown_chat";
  }
  // Nobody here waits for this turn: the question is at least told where it belongs.
  return deliver(tx, scope, parts, {
    id: event.ref,
    chat: event.chat,
    origin: "question",
    text: [event.text, event.command && `\`\`\`\n${event.command}\n\`\`\``].filter(Boolean).join("\n\n"),
    files: [],
  });
}

/** Turns of a process that is gone end as lost; what Hermes began by itself and did not finish is shown as far as it came. */
async function loseTurns(
  scope: Scope,
  tx: Tx,
  parts: EventParts,
  instance: string | { not: string },
): Promise<undefined> {
  const where = { agentId: scope.agent.id, status: "running", instance } as const;
  const turns = await tx.gatewayTurn.findMany({ where });
  await tx.gatewayTurn.updateMany({ where, data: { status: "lost", asked: [], endedAt: scope.clock.now() } });
  for (const turn of turns) {
    if (turn.origin !== "hermes") continue;
    await voidQuestions(tx, scope, turn.id, "other_end");
    await deliverTurn(scope, tx, parts, turn, true);
  }
  return undefined;
}

interface TurnRow {
  id: string;
  chatId: string;
  said: unknown;
  files: unknown;
}

async function deliverTurn(
  scope: Scope,
  tx: Tx,
  parts: EventParts,
  turn: TurnRow,
  broken: boolean,
): Promise<string | undefined> {
  const text = replyOf(readSaid(turn.said));
  const files = readFiles(turn.files);
  if (text === "" && files.length === 0) return undefined;
  return deliver(tx, scope, parts, { id: `turn-${turn.id}`, chat: turn.chatId, origin: "turn", text, files, broken });
}

async function deliver(
  tx: Tx,
  scope: Scope,
  { split }: EventParts,
  message: {
    id: string;
    chat: string;
    origin: "said" | "cron" | "turn" | "question";
    text: string;
    files: readonly TurnFile[];
    broken?: boolean;
  },
): Promise<string | undefined> {
  const { outcome } = await deliverAgentMessage(tx, scope, { ...message, split });
  return outcome === "unknown_chat" ? outcome : undefined;
}

function fileOf(event: { path: string; name: string; mime: string }): TurnFile {
  return { path: event.path, name: basename(event.name), mime: event.mime };
}

async function instanceOf(tx: Tx, agentId: string, spool: string): Promise<string | null> {
  return (await tx.gatewayLink.findUnique({ where: { agentId_id: { agentId, id: spool } } }))?.instance ?? null;
}
