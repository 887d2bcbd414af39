import { textsFor } from "../../text/pick.ts";
import type { AgentTurns, TurnFile, TurnRequest } from "../ports.ts";
import type { Scope } from "../scope.ts";
import type { ChatSession } from "./session.ts";
import type { Turn } from "./turn.ts";

/** What Hermes is handed for a turn. What the way in cannot carry is named in the text, where Hermes can read it. */
export async function turnRequest(scope: Scope, turn: Turn, session: ChatSession): Promise<TurnRequest> {
  const sender =
    turn.senderOpenId === null
      ? null
      : await scope.db.person.findUnique({
          where: { agentId_openId: { agentId: scope.agent.id, openId: turn.senderOpenId } },
          select: { openId: true, unionId: true, name: true },
        });
  const named = unableToCarry(scope.turns, turn);
  return {
    turnId: turn.id,
    ...(session.hermesSessionId !== null && { sessionId: session.hermesSessionId }),
    sessionKey: session.place,
    place: {
      chatId: turn.chatId,
      type: turn.chatType === "p2p" ? "dm" : "group",
      ...(turn.threadId !== null && { threadId: turn.threadId }),
    },
    ...(sender !== null && {
      sender: {
        openId: sender.openId,
        ...(sender.unionId !== null && { unionId: sender.unionId }),
        ...(sender.name !== null && { name: sender.name }),
      },
    }),
    text: named.length === 0 ? turn.text : [turn.text, ...namesOf(named, turn)].filter((part) => part).join("\n\n"),
    images: turn.images,
    files: turn.files,
    purpose: "chat",
  };
}

/** The gateway takes files of any kind; the API server takes pictures at most. */
function unableToCarry(turns: AgentTurns, turn: Turn): TurnFile[] {
  return [...(turns.abilities().images ? [] : turn.images), ...(turns.way === "platform" ? [] : turn.files)];
}

function namesOf(files: readonly TurnFile[], turn: Turn): string[] {
  const { prompt } = textsFor(turn.language).chat;
  return [[prompt.files, ...files.map(({ path, name }) => `- ${name}: ${path}`)].join("\n")];
}
