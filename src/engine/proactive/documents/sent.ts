import { type DocumentLook, inline, quoted, section, stamp } from "./look.ts";

/** A proactive message that is known to have arrived. */
export interface SentView {
  at: Date;
  text: string;
  matters: readonly { goalId: string; title: string }[];
}

/** Proactive messages confirmed delivered in the last seven days, newest first. */
export function sentDocument(sent: readonly SentView[], look: DocumentLook): string {
  return section(look.texts.documents.sent, sentEntries(sent, look), look);
}

export function sentEntries(sent: readonly SentView[], look: DocumentLook): string[] {
  return sent.map((message) =>
    [
      `- ${stamp(message.at, look)}`,
      quoted(message.text, look),
      ...message.matters.map((matter) => `  - ${inline(matter.title)} (goal_id: ${matter.goalId})`),
    ].join("\n"),
  );
}
