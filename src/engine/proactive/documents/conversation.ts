import type { Evidence } from "../../evidence.ts";
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

/** `# New` after the watermark, `# Earlier` before it, and what was left out. Sessions in the order they were last heard. */
export function conversationDocument(
  view: { fresh: readonly ConversationLine[]; earlier: readonly ConversationLine[]; cuts: ConversationCuts },
  look: DocumentLook,
): string {
  const words = look.texts.documents;
  const { cutMessages, droppedMessages, cutCodeBlocks } = view.cuts;
  const leftOut = [
    ...(cutMessages > 0 ? [`- ${words.cutMessages(cutMessages)}`] : []),
    ...(cutCodeBlocks > 0 ? [`- ${words.cutCode(cutCodeBlocks)}`] : []),
    ...(droppedMessages > 0 ? [`- ${words.droppedMessages(droppedMessages)}`] : []),
  ];
  return [
    section(words.newMessages, bySession(view.fresh, look), look),
    section(words.earlierMessages, bySession(view.earlier, look), look),
    ...(leftOut.length > 0 ? [section(words.leftOut, leftOut, look)] : []),
  ].join("\n");
}

function bySession(lines: readonly ConversationLine[], look: DocumentLook): string[] {
  const sessions = new Map<string, ConversationLine[]>();
  for (const line of lines) {
    const known = sessions.get(line.evidence.sessionId);
    if (known) known.push(line);
    else sessions.set(line.evidence.sessionId, [line]);
  }
  return [...sessions].map(([id, said]) => {
    const title = said.find((line) => line.sessionTitle)?.sessionTitle;
    return [`## ${inline(title ?? id)}`, ...said.map((line) => entry(line, look)), ""].join("\n");
  });
}

function entry(line: ConversationLine, look: DocumentLook): string {
  return `- [source:${line.source}] ${said(line.evidence, look)}\n${quoted(line.text, look)}`;
}
