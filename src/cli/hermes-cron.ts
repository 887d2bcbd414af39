import { join, resolve } from "node:path";
import type { Config } from "../config.ts";
import {
  asTyped,
  createCommand,
  putWakeScript,
  removeCommand,
  removeWakeScript,
  runHermes,
  WAKE_JOB,
  wakeStatus,
} from "../hermes-bridge/cron-wake.ts";
import { pluginStatus } from "../hermes-bridge/install-plugin.ts";
import { projectRoot } from "../project-root.ts";
import { textsFor } from "../text/pick.ts";
import type { HermesAnswer } from "./hermes.ts";

const SCRIPT = join(projectRoot, "src", "hermes-bridge", "wake-script", "herald_wake.py");
const PLUGIN = join(projectRoot, "src", "hermes-bridge", "plugin", "herald");

/** `herald hermes cron install|status|uninstall`: a job of Hermes' own cron that wakes the agent only when there is something to judge. */
export async function hermesCron(
  config: Config,
  what: string,
  { home, every = "15m" }: { home?: string | undefined; every?: string | undefined },
): Promise<HermesAnswer> {
  const t = textsFor(config.terminal ?? config.language).hermesCron;
  const place = home === undefined ? config.hermes.home : resolve(home);
  if (!/^\d{1,3}[mhd]$/.test(every)) return { ok: false, lines: [t.badEvery(every)] };
  const plugin = pluginStatus({ source: PLUGIN, home: place }).plugin;
  if (plugin === undefined) return { ok: false, lines: [t.noHome(place)] };
  const { script, job } = await wakeStatus(place, SCRIPT);
  switch (what) {
    case "install": {
      // The script finds Herald by what the plugin was told.
      if (plugin === "none" || plugin === "somebody_elses") return { ok: false, lines: [t.pluginFirst] };
      putWakeScript(place, SCRIPT);
      const lines = [script === "current" ? t.scriptThere : t.scriptPut(join(place, "scripts"))];
      if (job) return { ok: true, lines: [...lines, t.jobThere(WAKE_JOB, job.schedule)] };
      const command = createCommand(`every ${every}`);
      const made = await runHermes(place, command);
      return { ok: made, lines: [...lines, made ? t.jobMade(WAKE_JOB, every) : t.makeJob(asTyped(command))] };
    }
    case "status":
      return {
        ok: script === "current" && job?.enabled === true,
        lines: [
          t.script[script],
          job ? (job.enabled ? t.job(job.schedule, job.lastStatus ?? "–") : t.jobPaused) : t.noJob,
          ...(job?.lastError === undefined ? [] : [t.lastError(job.lastError)]),
        ],
      };
    case "uninstall": {
      const removed = job === undefined || (await runHermes(place, removeCommand(job.id)));
      // Last: a job without its script would report an error at every turn.
      if (removed) removeWakeScript(place);
      return { ok: removed, lines: [removed ? t.removed : t.removeJob(asTyped(removeCommand(job?.id ?? "")))] };
    }
    default:
      return { ok: false, lines: [t.expected(what)] };
  }
}
