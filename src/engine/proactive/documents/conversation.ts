import type { Evidence } from "../../evidence.ts";
import { atOnce, mapSteps, type Steps } from "../../in-slices.ts";
import { type DocumentLook, inline, quoted, said, section } from "./look.ts";

/** A line as it is shown, already cut to the budget. */
export interface ConversationLine {
  source: number;
  evidence: Evidence;
  text: string;
  sessionTitle?: string;
}

/** What did not fit; all counts. */
export interface ConversationCuts {
  cutMessages: number;
  droppedMessages: number;
  cutCodeBlocks: number;
}

/** The same in one go. */
export function conversationDocument(...view: Parameters<typeof conversationSteps>): string {
  return atOnce(conversationSteps(...view));
}

/** `# New` after the watermark, `# Earlier` before it, and what was left out. Sessions in the order they were last heard. */
export function* conversationSteps(
  view: { fresh: readonly ConversationLine[]; earlier: readonly ConversationLine[]; cuts: ConversationCuts },
  look: DocumentLook,
): Steps<string> {
  const words = look.texts.documents;
  const { cutMessages, droppedMessages, cutCodeBlocks } = view.cuts;
  const leftOut = [
    ...(cutMessages > 0 ? [`- ${words.cutMessages(cutMessages)}`] : []),
    ...(cutCodeBlocks > 0 ? [`- ${words.cutCode(cutCodeBlocks)}`] : []),
    ...(droppedMessages > 0 ? [`- ${words.droppedMessages(droppedMessages)}`] : []),
  ];
  return [
    section(words.newMessages, yield* bySession(view.fresh, look), look),
    section(words.earlierMessages, yield* bySession(view.earlier, look), look),
    ...(leftOut.length > 0 ? [section(words.leftOut, leftOut, look)] : []),
  ].join("\n");
}

function* bySession(lines: readonly ConversationLine[], look: DocumentLook): Steps<string[]> {
  const sessions = new Map<string, ConversationLine[]>();
  for (const line of lines) {
    const known = sessions.get(line.evidence.sessionId);
    if (known) known.push(line);
    else sessions.set(line.evidence.sessionId, [line]);
  }
  const blocks: string[] = [];
  for (const [id, said] of sessions) {
    const title = said.find((line) => line.sessionTitle)?.sessionTitle;
    const entries = yield* mapSteps(said, (line) => entry(line, look));
    blocks.push([`## ${inline(title ?? id)}`, ...entries, ""].join("\n"));
  }
  return blocks;
}

function entry(line: ConversationLine, look: DocumentLook): string {
  return `- [source:${line.source}] ${said(line.evidence, look)}\n${quoted(line.text, look)}`;
}
