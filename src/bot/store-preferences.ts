import { recordAudit } from "../engine/audit.ts";
import { inTransaction } from "../engine/db.ts";
import { turnCard } from "../engine/turn-card.ts";
import type { Answer, Tap } from "./tap.ts";

/**
 * Writes PROACTIVE_PREFERENCES.md as it stands in the form. The text the card showed goes along, so that an edit made in
 * the file meanwhile is shown instead of overwritten. The file is small and local; should the transaction around it fail
 * afterwards, saving again writes the same text.
 * @throws EngineError changed_since_seen · unavailable
 */
export async function storePreferences(tap: Tap, text: string): Promise<Answer> {
  const { scope, post, who, reader } = tap;
  const seen = typeof post.view?.text === "string" ? post.view.text : undefined;
  await scope.preferences.write(text, seen);
  await inTransaction(scope.db, async (tx) => {
    await recordAudit(tx, scope, {
      who,
      what: "prefs.edit",
      subject: { kind: "preferences", id: "PROACTIVE_PREFERENCES.md" },
      before: { chars: seen?.length ?? 0 },
      after: { chars: text.length },
    });
    await turnCard(tx, scope, post.id, {
      subject: { kind: "prefs", id: post.subjectId },
      view: { ...post.view, text, savedBy: who.openId, savedAt: scope.clock.now().toISOString() },
    });
  });
  return { toast: { type: "success", content: reader.t.toast.saved }, redraw: true };
}
