import { noteFailure, noteSuccess } from "../engine/heartbeat.ts";
import type { Scope } from "../engine/scope.ts";

/** The heartbeat's name. */
export const HERMES = "hermes";
const WITHIN_MS = 5_000;

/** The minute's question whether Hermes can be spoken to, for /status. Where no way in is set up, nothing is asked. */
export async function checkHermes(scope: Scope): Promise<void> {
  if (scope.turns.way === "none") return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<{ ok: boolean; why: string }>((resolve) => {
    timer = setTimeout(resolve, WITHIN_MS, { ok: false, why: "no_answer" });
  });
  try {
    const health: { ok: boolean; why?: string } = await Promise.race([scope.turns.health(), late]);
    if (health.ok) await noteSuccess(scope, HERMES);
    else await noteFailure(scope, HERMES, health.why ?? "not_reachable");
  } catch (error) {
    await noteFailure(scope, HERMES, String(error).slice(0, 200));
  } finally {
    clearTimeout(timer);
  }
}
