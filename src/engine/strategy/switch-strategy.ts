import { recordAudit } from "../audit.ts";
import { touchCards } from "../card-posts.ts";
import { inTransaction } from "../db.ts";
import { EngineError } from "../errors.ts";
import { assertMay } from "../people/person.ts";
import type { Actor, Scope } from "../scope.ts";
import { putStrategies, readStrategies } from "./strategy-set.ts";

/**
 * Switches one strategy on or off, by its place in the list (1 = first) or its id: a new version of the set.
 * @throws EngineError forbidden · not_found
 */
export async function switchStrategy(
  scope: Scope,
  who: Actor,
  input: { which: number | string; on: boolean },
): Promise<{ outcome: "switched" | "already"; title: string }> {
  assertMay(who, "strategy.switch");
  return inTransaction(scope.db, async (tx) => {
    const { strategies } = await readStrategies({ ...scope, db: tx });
    const { which, on } = input;
    const at = typeof which === "number" ? which - 1 : strategies.findIndex(({ id }) => id === which);
    const strategy = strategies[at];
    if (!strategy) {
      const near = strategies.slice(0, 5).map(({ title }, index) => `${index + 1} ${title}`);
      throw new EngineError("not_found", { what: "strategy", given: String(which), near });
    }
    if (strategy.enabled === on) return { outcome: "already", title: strategy.title };
    await putStrategies(tx, scope, {
      strategies: strategies.with(at, { ...strategy, enabled: on }),
      because: `${on ? "on" : "off"} ${strategy.id}`,
    });
    await recordAudit(tx, scope, {
      who,
      what: "strategy.switch",
      subject: { kind: "strategy", id: strategy.id },
      before: { enabled: strategy.enabled },
      after: { enabled: on },
    });
    await touchCards(tx, scope, { kind: "strategies", id: "now" });
    return { outcome: "switched", title: strategy.title };
  });
}
