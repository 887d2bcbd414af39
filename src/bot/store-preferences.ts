import { recordAudit } from "../engine/audit.ts";
import { inTransaction } from "../engine/db.ts";
import { isEngineError } from "../engine/errors.ts";
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
  try {
    await scope.preferences.write(text, seen);
  } catch (error) {
    if (!isEngineError(error, "changed_since_seen")) throw error;
    return showPresent(tap);
  }
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
  return { toast: { type: "success", content: reader.t.toast.saved }, redraw: true, turned: true };
}

/** Somebody wrote to the file since the card was drawn: their words are shown, and nothing is overwritten. */
async function showPresent(tap: Tap): Promise<Answer> {
  const { scope, post, reader } = tap;
  const text = await scope.preferences.read();
  const { savedBy: _by, savedAt: _at, text: _old, ...view } = post.view ?? {};
  await inTransaction(scope.db, (tx) =>
    turnCard(tx, scope, post.id, {
      subject: { kind: "prefs", id: post.subjectId },
      view: { ...view, ...(text === undefined ? {} : { text }) },
    }),
  );
  return { toast: { type: "warning", content: reader.t.toast.prefsChanged }, redraw: true, turned: true };
}
