import type { Evidence } from "../engine/evidence.ts";
import { asActor, type Person, personSchema } from "../engine/people/person.ts";
import type { HistorySession } from "../engine/ports.ts";
import { machineSources, personTakesPart, voiceOf } from "../engine/proactive/human-message.ts";
import { quoteMessage } from "../engine/proactive/quote-message.ts";
import type { Actor, Scope } from "../engine/scope.ts";
import { readSettings } from "../engine/settings.ts";
import type { Place } from "../engine/tracking/audience.ts";
import { ToolRefused } from "./tool-refused.ts";

/** On whose words a tool is called, where they were said, and which words they were. */
export interface Caller {
  who: Actor;
  place: Place;
  /** IANA name, the person's own */
  zone: string;
  /** The person's newest line in that session, when it can be read. */
  said?: Evidence;
}

/** A turn rarely takes longer, and the walk back to its first line stays short. */
const TURN_MINUTES = 30;
/** Programs speak through these like people do; they have no chat. */
const WITHOUT_CHAT: ReadonlySet<string> = new Set(["api", "api_server"]);

/**
 * Who speaks in the session a tool was called from. Hermes acts on a person's words only: a session nobody speaks in, one
 * that is not known, and one of which it cannot be told whether others listen, are refused. A speaker known to this agent
 * counts as themselves; an id nobody has told us counts as the owner's as long as it can only be theirs.
 * @throws ToolRefused · EngineError unavailable (history)
 */
export async function whoSpeaks(scope: Scope, sessionId: string | undefined): Promise<Caller> {
  const session = sessionId === undefined ? undefined : await scope.history.session(sessionId);
  if (session === undefined) {
    throw new ToolRefused(
      403,
      "Only for a session in which a person speaks; this one is not known. Nothing was changed.",
    );
  }
  if (!personTakesPart(session)) {
    throw new ToolRefused(
      403,
      `Only for a session in which a person speaks, and nobody does in one from ${session.source}. Nothing was changed.`,
    );
  }
  const place = placeOf(session);
  const person = await speaker(scope, session);
  const said = await newestLine(scope, session);
  const { zone } = await readSettings(scope);
  return {
    who: { kind: "agent", onWordsOf: asActor(person) },
    place,
    zone: person.zone ?? zone,
    ...(said && { said }),
  };
}

/** What was said in a direct chat must never show in a group, so a chat of unknown kind is neither. */
function placeOf(session: HistorySession): Place {
  const { chatType, chatId, userId, source, lineage } = session;
  // A group without an id is a place of its own: what is said there is found there and by the owner.
  if (chatType === "group") return { chatType: "group", chatId: chatId ?? `session:${lineage}` };
  if (chatType === undefined && userId !== undefined && !WITHOUT_CHAT.has(source)) {
    throw new ToolRefused(409, "It cannot be told whether this is a direct chat or a group. Nothing was changed.");
  }
  return { chatType: "p2p" };
}

async function speaker(scope: Scope, session: HistorySession): Promise<Person> {
  const { userId } = session;
  const agentId = scope.agent.id;
  const known =
    userId === undefined
      ? null
      : await scope.db.person.findFirst({ where: { agentId, OR: [{ openId: userId }, { unionId: userId }] } });
  if (known?.revokedAt) throw new ToolRefused(403, "This person may no longer use Herald. Nothing was changed.");
  if (known === null && !(await mayBeOwner(scope, session))) {
    throw new ToolRefused(
      403,
      "Herald does not know this person, and several people use this platform, so it cannot tell whether this is its owner. Nothing was changed. The owner can use Herald's bot in Feishu.",
    );
  }
  const row =
    known ??
    (await scope.db.person.findFirst({
      where: { agentId, role: "owner", revokedAt: null },
      orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    }));
  if (row === null) {
    throw new ToolRefused(503, "Herald has no owner yet: they pair by sending the code from its log to the bot.");
  }
  return personSchema.parse(row);
}

/**
 * Ids differ between platforms and apps, so the owner may come under one nobody has told us. That holds while they can be
 * the only person who writes to Hermes there: once a direct chat of that platform is somebody else's, an unknown id may be
 * either. Chats of other people Herald knows say nothing about this one. One person may have several ids; the chat ties
 * them together.
 */
async function mayBeOwner(scope: Scope, session: HistorySession): Promise<boolean> {
  const mine = new Set(namesOf({ ...session, ...(session.chatType !== "dm" && { chatId: undefined }) }));
  // A terminal: whoever sits at it has the machine.
  if (mine.size === 0) return true;
  const chats = await scope.history.directChats(session.source);
  const others = await scope.db.person.findMany({
    where: { agentId: scope.agent.id, role: { not: "owner" } },
    select: { openId: true, unionId: true },
  });
  const othersIds = new Set(others.flatMap(({ openId, unionId }) => [openId, ...(unionId ? [unionId] : [])]));
  let left = chats
    .filter(({ userId }) => userId === undefined || !othersIds.has(userId))
    .map(namesOf)
    .filter((names) => names.length > 0);
  for (let before = -1; before !== left.length; ) {
    before = left.length;
    left = left.filter((names) => {
      const same = names.some((name) => mine.has(name));
      if (same) for (const name of names) mine.add(name);
      return !same;
    });
  }
  return left.length === 0;
}

function namesOf({ userId, chatId }: { userId?: string | undefined; chatId?: string | undefined }): string[] {
  return [...(userId ? [`user ${userId}`] : []), ...(chatId ? [`chat ${chatId}`] : [])];
}

/** For evidence only, so it may be missing. */
async function newestLine(scope: Scope, session: HistorySession): Promise<Evidence | undefined> {
  try {
    const [message] = await scope.history.readEarlier(await scope.history.head(), {
      since: new Date(scope.clock.now().getTime() - TURN_MINUTES * 60_000),
      maxChars: 1,
      maxRows: 1,
      leaveOutSources: machineSources,
      weigh: (each) => (each.session.id === session.id && voiceOf(each, {}).voice === "person" ? 1 : 0),
    });
    return message && quoteMessage(message);
  } catch {
    return undefined;
  }
}
