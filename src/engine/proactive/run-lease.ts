import type { Tx } from "../db.ts";
import type { Scope } from "../scope.ts";

/** How long a run counts as alive after its last sign of life; a process that died lets it run out. */
const LEASE_SECONDS = 120;
const HOLD_AGAIN_MS = 20_000;
/** One run of an agent is pending at a time, so one row is enough. Its value is an instant in seconds since 1970. */
const NAME = "run-lease";

/** The pending run is alive for another two minutes. */
export async function leaseRun(tx: Pick<Tx, "counter">, scope: Scope): Promise<void> {
  const value = secondsOf(scope) + LEASE_SECONDS;
  await tx.counter.upsert({
    where: { agentId_name: { agentId: scope.agent.id, name: NAME } },
    update: { value },
    create: { agentId: scope.agent.id, name: NAME, value },
    select: { value: true },
  });
}

/** Gives signs of life until the returned function is called. */
export function holdRun(scope: Scope): () => void {
  const timer = setInterval(() => {
    leaseRun(scope.db, scope).catch((error: unknown) => scope.log.warn("proactive.not_held", { error: String(error) }));
  }, HOLD_AGAIN_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Whether a pending run is being worked on. A lease from further ahead is of a clock that was set back: it binds nobody. */
export async function runIsLive(scope: Scope): Promise<boolean> {
  const row = await scope.db.counter.findUnique({
    where: { agentId_name: { agentId: scope.agent.id, name: NAME } },
    select: { value: true },
  });
  const left = (row?.value ?? 0) - secondsOf(scope);
  return left > 0 && left <= LEASE_SECONDS;
}

function secondsOf({ clock }: Scope): number {
  return Math.floor(clock.now().getTime() / 1000);
}
