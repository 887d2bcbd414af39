import { recordAudit } from "../audit.ts";
import { oneLine } from "../clean-text.ts";
import { inTransaction } from "../db.ts";
import { EngineError } from "../errors.ts";
import { assertMay } from "../people/person.ts";
import type { PersonActor, Scope } from "../scope.ts";
import { readSettings } from "../settings.ts";
import {
  beginSession,
  type ChatPlace,
  type ChatSession,
  chatSessionSchema,
  currentSession,
  placeKey,
} from "./session.ts";

const TITLE_CHARS = 80;

/**
 * The place goes on in a fresh conversation; the old one can be taken up again. What still waits or runs in the old one
 * stays there.
 * @throws EngineError forbidden
 */
export async function newSession(scope: Scope, who: PersonActor, place: ChatPlace): Promise<ChatSession> {
  assertMay(who, "chat");
  return inTransaction(scope.db, async (tx) => {
    const { groupSessions } = await readSettings({ ...scope, db: tx });
    const session = await beginSession(tx, scope, place, placeKey(place, groupSessions));
    await recordAudit(tx, scope, { who, what: "session.new", subject: { kind: "session", id: session.id } });
    return session;
  });
}

export type ResumeResult = { outcome: "resumed" | "already"; session: ChatSession };

/**
 * The place goes back to an earlier conversation of its own, by its number.
 * @throws EngineError forbidden · not_found with the numbers there are
 */
export async function resumeSession(
  scope: Scope,
  who: PersonActor,
  place: ChatPlace,
  number: number,
): Promise<ResumeResult> {
  assertMay(who, "chat");
  return inTransaction(scope.db, async (tx) => {
    const agentId = scope.agent.id;
    const { groupSessions } = await readSettings({ ...scope, db: tx });
    const key = placeKey(place, groupSessions);
    const row = await tx.chatSession.findUnique({
      where: { agentId_place_number: { agentId, place: key, number } },
    });
    if (row === null) {
      const near = await tx.chatSession.findMany({
        where: { agentId, place: key },
        orderBy: { usedAt: "desc" },
        take: 5,
        select: { number: true },
      });
      throw new EngineError("not_found", {
        what: "session",
        given: String(number),
        near: near.map((each) => String(each.number)),
      });
    }
    if (row.currentOf === key) return { outcome: "already", session: chatSessionSchema.parse(row) };
    await tx.chatSession.updateMany({ where: { agentId, currentOf: key }, data: { currentOf: null } });
    const resumed = await tx.chatSession.update({
      where: { id: row.id },
      data: { currentOf: key, usedAt: scope.clock.now() },
    });
    await recordAudit(tx, scope, { who, what: "session.resume", subject: { kind: "session", id: row.id } });
    return { outcome: "resumed", session: chatSessionSchema.parse(resumed) };
  });
}

/** The conversation gets a name. @throws EngineError forbidden */
export async function titleSession(
  scope: Scope,
  who: PersonActor,
  place: ChatPlace,
  title: string,
): Promise<ChatSession> {
  assertMay(who, "chat");
  return inTransaction(scope.db, async (tx) => {
    const { groupSessions } = await readSettings({ ...scope, db: tx });
    const session = await currentSession(tx, scope, place, groupSessions);
    const named = oneLine(title, TITLE_CHARS);
    const row = await tx.chatSession.update({ where: { id: session.id }, data: { title: named } });
    await recordAudit(tx, scope, {
      who,
      what: "session.title",
      subject: { kind: "session", id: session.id },
      before: { title: session.title },
      after: { title: named },
    });
    return chatSessionSchema.parse(row);
  });
}

/** The place's conversations, the one used last first. */
export async function listSessions(
  scope: Scope,
  place: ChatPlace,
  most: number,
): Promise<readonly (ChatSession & { firstSaid: string | undefined })[]> {
  const { groupSessions } = await readSettings(scope);
  const rows = await scope.db.chatSession.findMany({
    where: { agentId: scope.agent.id, place: placeKey(place, groupSessions) },
    orderBy: [{ usedAt: "desc" }, { number: "desc" }],
    take: most,
  });
  const sessions: (ChatSession & { firstSaid: string | undefined })[] = [];
  for (const row of rows) {
    const first = await scope.db.turn.findFirst({
      where: { agentId: scope.agent.id, sessionId: row.id },
      orderBy: { seq: "asc" },
      select: { said: true },
    });
    sessions.push({ ...chatSessionSchema.parse(row), firstSaid: first?.said });
  }
  return sessions;
}

/** What runs and what waits in the place's present conversation, oldest first. */
export async function unfinishedTurns(
  scope: Scope,
  place: ChatPlace,
): Promise<{ running: string | undefined; waiting: readonly string[] }> {
  const { groupSessions } = await readSettings(scope);
  const agentId = scope.agent.id;
  const session = await scope.db.chatSession.findUnique({
    where: { agentId_currentOf: { agentId, currentOf: placeKey(place, groupSessions) } },
    select: { id: true },
  });
  if (session === null) return { running: undefined, waiting: [] };
  const rows = await scope.db.turn.findMany({
    where: { agentId, sessionId: session.id, status: { in: ["waiting", "running"] } },
    orderBy: { seq: "asc" },
    select: { id: true, status: true },
  });
  return {
    running: rows.find(({ status }) => status === "running")?.id,
    waiting: rows.filter(({ status }) => status === "waiting").map(({ id }) => id),
  };
}

/** The latest turn of the place's present conversation that has ended: what /retry is about. */
export async function lastEndedTurn(scope: Scope, place: ChatPlace): Promise<string | undefined> {
  const { groupSessions } = await readSettings(scope);
  const agentId = scope.agent.id;
  const session = await scope.db.chatSession.findUnique({
    where: { agentId_currentOf: { agentId, currentOf: placeKey(place, groupSessions) } },
    select: { id: true },
  });
  if (session === null) return undefined;
  const row = await scope.db.turn.findFirst({
    where: { agentId, sessionId: session.id, status: { in: ["completed", "failed", "stopped", "lost"] } },
    orderBy: { seq: "desc" },
    select: { id: true },
  });
  return row?.id;
}
