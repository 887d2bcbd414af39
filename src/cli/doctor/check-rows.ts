import { existsSync } from "node:fs";
import type { Config } from "../../config.ts";
import { databasePlace } from "../../engine/db.ts";
import { hasOwner } from "../../engine/people/pair-owner.ts";
import type { Scope } from "../../engine/scope.ts";
import { readSettings } from "../../engine/settings.ts";
import { createLog } from "../../log.ts";
import { hermesHomeOf, openScope } from "../../open-scope.ts";
import { processClock } from "../../process-clock.ts";
import { type Finding, fail, leftOut, ok, warn } from "./finding.ts";

const LOOKS_MISSED = 3;
/** The plugin in Hermes' gateway asks for orders twice a minute. */
const GATEWAY_SILENT_MINUTES = 3;

/** What the rows say: an owner, Hermes' gateway, and looks that come when they are due. Called only for a database that is in order. */
export async function checkRows(config: Config, isRunning: boolean): Promise<Finding[]> {
  const place = databasePlace(config.databaseUrl);
  if (place.provider === "sqlite" && !existsSync(place.path))
    return [leftOut("owner"), leftOut("gateway"), leftOut("looks")];
  const clock = processClock();
  const { scope, close } = await openScope(config, {
    clock,
    log: createLog({ level: "silent" }),
    hermesHome: hermesHomeOf(config),
  });
  try {
    const owner = (await hasOwner(scope.db, scope)) ? ok("owner") : fail("owner", "noOwner");
    if (!isRunning) return [owner, leftOut("gateway"), leftOut("looks")];
    const gateway = await checkGateway(scope);
    const { tickMinutes } = await readSettings(scope);
    const last = await scope.db.jobRun.findFirst({
      where: { agentId: scope.agent.id, job: "proactive-tick" },
      orderBy: { startedAt: "desc" },
    });
    if (last === null) return [owner, gateway, leftOut("looks")];
    const minutes = Math.round((clock.now().getTime() - last.startedAt.getTime()) / 60_000);
    if (minutes > LOOKS_MISSED * tickMinutes) return [owner, gateway, fail("looks", "looksLate", { minutes })];
    return [
      owner,
      gateway,
      last.outcome === "failed" ? warn("looks", "looksFail", { minutes }) : ok("looks", { minutes }),
    ];
  } finally {
    await close();
  }
}

/** The plugin as a platform of Hermes' gateway, where it ever was one. */
async function checkGateway(scope: Scope): Promise<Finding> {
  const link = await scope.db.gatewayLink.findFirst({
    where: { agentId: scope.agent.id },
    orderBy: { lastSeenAt: "desc" },
  });
  if (link === null) return leftOut("gateway");
  const minutesSince = (at: Date): number => Math.round((scope.clock.now().getTime() - at.getTime()) / 60_000);
  const silent = minutesSince(link.lastSeenAt);
  if (link.leftAt !== null || silent > GATEWAY_SILENT_MINUTES)
    return warn("gateway", "gatewayAway", { minutes: silent });
  return ok("gateway", { version: link.hermesVersion ?? "?", minutes: minutesSince(link.connectedAt) });
}
