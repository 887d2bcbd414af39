import { inSlices, mapSteps } from "../in-slices.ts";
import type { HistoryCursor, HistoryMessage } from "../ports.ts";
import type { Scope } from "../scope.ts";
import { type HumanRules, voiceOf } from "./human-message.ts";
import { spokenLine } from "./quote-message.ts";
import type { SpokenLine } from "./settled-by-words.ts";

const PAGE_ROWS = 200;
const MOST_PAGES = 25;

/** A line said after a cursor. */
export interface DeltaLine extends SpokenLine {
  voice: "person" | "agent";
  sessionTitle?: string;
}

/**
 * What people and the agent have said after the cursor, up to this moment, in any session. Nothing is marked as read.
 * @throws EngineError unavailable when the history cannot be read
 */
export async function readLiveDelta(
  scope: Scope,
  cursor: HistoryCursor,
  rules: HumanRules,
  ownerOpenId: string,
): Promise<DeltaLine[]> {
  const lines: DeltaLine[] = [];
  if (!(await scope.history.mayHaveNew(cursor))) return lines;
  let at = cursor;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const read = await scope.history.readSince(at, PAGE_ROWS);
    const page = await inSlices(mapSteps(read.messages, (message) => deltaLine(message, rules, ownerOpenId)));
    lines.push(...page.filter((line) => line !== undefined));
    if (!read.more) break;
    at = read.cursor;
  }
  return lines;
}

function deltaLine(message: HistoryMessage, rules: HumanRules, ownerOpenId: string): DeltaLine | undefined {
  const { voice } = voiceOf(message, rules);
  if (voice !== "person" && voice !== "agent") return undefined;
  if (message.text.trim() === "") return undefined;
  return {
    ...spokenLine(message, voice === "person", ownerOpenId),
    voice,
    ...(message.session.title !== undefined && { sessionTitle: message.session.title }),
  };
}
