import { existsSync } from "node:fs";
import type { Config } from "../../config.ts";
import { databasePlace } from "../../engine/db.ts";
import { hasOwner } from "../../engine/people/pair-owner.ts";
import { readSettings } from "../../engine/settings.ts";
import { createLog } from "../../log.ts";
import { hermesHomeOf, openScope } from "../../open-scope.ts";
import { processClock } from "../../process-clock.ts";
import { type Finding, fail, leftOut, ok, warn } from "./finding.ts";

const LOOKS_MISSED = 3;

/** What the rows say: an owner, and looks that come when they are due. Called only for a database that is in order. */
export async function checkRows(config: Config, isRunning: boolean): Promise<Finding[]> {
  const place = databasePlace(config.databaseUrl);
  if (place.provider === "sqlite" && !existsSync(place.path)) return [leftOut("owner"), leftOut("looks")];
  const clock = processClock();
  const { scope, close } = await openScope(config, {
    clock,
    log: createLog({ level: "silent" }),
    hermesHome: hermesHomeOf(config),
  });
  try {
    const owner = (await hasOwner(scope.db, scope)) ? ok("owner") : fail("owner", "noOwner");
    if (!isRunning) return [owner, leftOut("looks")];
    const { tickMinutes } = await readSettings(scope);
    const last = await scope.db.jobRun.findFirst({
      where: { agentId: scope.agent.id, job: "proactive-tick" },
      orderBy: { startedAt: "desc" },
    });
    if (last === null) return [owner, leftOut("looks")];
    const minutes = Math.round((clock.now().getTime() - last.startedAt.getTime()) / 60_000);
    if (minutes > LOOKS_MISSED * tickMinutes) return [owner, fail("looks", "looksLate", { minutes })];
    return [owner, last.outcome === "failed" ? warn("looks", "looksFail", { minutes }) : ok("looks", { minutes })];
  } finally {
    await close();
  }
}
