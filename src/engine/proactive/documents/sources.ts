import type { Source } from "../number-sources.ts";
import { type DocumentLook, quoted, said, section } from "./look.ts";
import { type SentView, sentEntries } from "./sent.ts";

/**
 * The original blocks the candidates cite, looked up by code and never written by a model, and a digest of what was said
 * in the last seven days.
 */
export function sourcesDocument(
  view: { sources: readonly Source[]; sent: readonly SentView[] },
  look: DocumentLook,
): string {
  const words = look.texts.documents;
  const blocks = view.sources.map(
    ({ number, evidence }) => `- [source:${number}] ${said(evidence, look)}\n${quoted(evidence.quote, look)}`,
  );
  return [section(words.sources, blocks, look), section(words.digest, sentEntries(view.sent, look), look)].join("\n");
}
