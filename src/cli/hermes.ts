import { join, resolve } from "node:path";
import type { Config } from "../config.ts";
import { bridgeToken, readBridgeToken } from "../hermes-bridge/bridge-token.ts";
import { bridgeUrl, lastBridgeUrl } from "../hermes-bridge/bridge-url.ts";
import {
  type InstallRefusal,
  InstallRefused,
  installPlugin,
  type PluginStatus,
  pluginStatus,
  uninstallPlugin,
} from "../hermes-bridge/install-plugin.ts";
import { pingBridge } from "../hermes-bridge/ping-bridge.ts";
import { toolSchemas } from "../hermes-bridge/tools.ts";
import { projectRoot } from "../project-root.ts";
import { type Texts, textsFor } from "../text/pick.ts";
import { VERSION } from "../version.ts";

/** What a command says, and whether it went well (else it goes to standard error with exit code 1). */
export interface HermesAnswer {
  ok: boolean;
  lines: string[];
}

const SOURCE = join(projectRoot, "src", "hermes-bridge", "plugin", "herald");

/** `herald hermes install`. `home` overrides the configured one. */
export async function hermesInstall(config: Config, home: string | undefined): Promise<HermesAnswer> {
  const { hermes: t } = textsFor(config.terminal ?? config.language);
  const place = placeOf(config, home);
  return saying(config, place, async () => {
    const token = bridgeToken(config.dataDir, config.bridgeToken);
    const url = await whereHeraldIs(config, token);
    if (url === undefined) {
      const local = bridgeUrl(config.host, config.port) !== undefined;
      return { ok: false, lines: [local ? t.noPort : t.notLocal(config.host)] };
    }
    const result = installPlugin({
      source: SOURCE,
      home: place,
      settings: { url, token },
      tools: toolSchemas(),
      now: new Date(),
    });
    const changed = result.plugin !== "same" || result.config !== "same";
    return {
      ok: true,
      lines: [
        t.home(place),
        result.plugin === "same" ? t.same : t[result.plugin](VERSION),
        result.config === "same" ? t.enabledBefore : t.enabled,
        ...(result.backup === undefined ? [] : [t.backup(result.backup)]),
        t.reaches(url),
        ...(changed ? [t.restart] : []),
      ],
    };
  });
}

/** `herald hermes uninstall` */
export async function hermesUninstall(config: Config, home: string | undefined): Promise<HermesAnswer> {
  const { hermes: t } = textsFor(config.terminal ?? config.language);
  const place = placeOf(config, home);
  return saying(config, place, async () => {
    const { plugin, config: line, backup } = uninstallPlugin({ home: place, now: new Date() });
    const changed = plugin === "removed" || line === "changed";
    return {
      ok: true,
      lines: [
        t.home(place),
        plugin === "removed" ? t.removed : t.notThere,
        ...(line === "changed" ? [t.disabled] : []),
        ...(backup === undefined ? [] : [t.backup(backup)]),
        ...(changed ? [t.restartWithout] : []),
      ],
    };
  });
}

/** `herald hermes status`: looks only. `ok` when Hermes, once started, can call Herald now. */
export async function hermesStatus(config: Config, home: string | undefined): Promise<HermesAnswer> {
  const texts = textsFor(config.terminal ?? config.language);
  const { hermes: t } = texts;
  const place = placeOf(config, home);
  const standing = pluginStatus({ source: SOURCE, home: place });
  if (standing.plugin === undefined) {
    return { ok: false, lines: [t.noHome(place), ...(config.mode === "playground" ? [t.sampleOnly] : [])] };
  }
  const plugin = pluginLine(standing, t);
  const enabled = { yes: t.status.yes, no: t.status.no, disabled: t.status.off, broken: t.status.broken };
  const herald = standing.plugin === "none" ? undefined : await heraldLine(config, standing, t);
  return {
    ok: plugin.ok && standing.enabled === "yes" && herald?.ok === true,
    lines: [
      t.home(place),
      `${t.status.plugin}${plugin.line}`,
      `${t.status.enabled}${enabled[standing.enabled]}`,
      ...(herald ? [`${t.status.herald}${herald.line}`] : []),
      ...(plugin.ok ? [t.status.restartAfter] : []),
    ],
  };
}

function pluginLine({ plugin }: PluginStatus, t: Texts["hermes"]): { ok: boolean; line: string } {
  if (plugin === "none" || plugin === undefined) return { ok: false, line: t.status.none };
  if (plugin === "somebody_elses") return { ok: false, line: t.status.somebodyElses };
  const version = plugin.version ?? "?";
  if (plugin.same) return { ok: true, line: t.status.current(version) };
  return { ok: false, line: version === VERSION ? t.status.changed(version) : t.status.other(version, VERSION) };
}

async function heraldLine(
  config: Config,
  { settings }: PluginStatus,
  t: Texts["hermes"],
): Promise<{ ok: boolean; line: string }> {
  if (!settings) return { ok: false, line: t.status.noSettings };
  const { url, token } = settings;
  switch (await pingBridge(url, token)) {
    case "ok":
      return { ok: true, line: t.status.ok(url) };
    case "wrong_token":
      return { ok: false, line: t.status.tokenDiffers(url) };
    case "not_herald":
      return { ok: false, line: t.status.notHerald(url) };
    case "down": {
      const present = config.bridgeToken ?? readBridgeToken(config.dataDir);
      const differs = present !== undefined && present !== token;
      return { ok: false, line: differs ? t.status.downAndDiffers(url) : t.status.down(url) };
    }
  }
}

/** The folder named on the command line, else the configured one. */
function placeOf(config: Config, home: string | undefined): string {
  return home === undefined ? config.hermes.home : resolve(home);
}

/** The server that runs now, else where the configuration says it will be. */
async function whereHeraldIs(config: Config, token: string): Promise<string | undefined> {
  const last = lastBridgeUrl(config.dataDir);
  if (last !== undefined && (await pingBridge(last, token)) === "ok") return last;
  return config.port === 0 ? undefined : bridgeUrl(config.host, config.port);
}

async function saying(config: Config, home: string, act: () => Promise<HermesAnswer>): Promise<HermesAnswer> {
  const { hermes: t } = textsFor(config.terminal ?? config.language);
  try {
    return await act();
  } catch (error) {
    if (error instanceof InstallRefused) return { ok: false, lines: refusalLines(error.refusal, config, t) };
    const { code, path } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return { ok: false, lines: [t.noRights(path ?? home, code)] };
  }
}

function refusalLines(refusal: InstallRefusal, config: Config, t: Texts["hermes"]): string[] {
  switch (refusal.why) {
    case "no_home":
      return [t.noHome(refusal.home), ...(config.mode === "playground" ? [t.sampleOnly] : [])];
    case "somebody_elses":
      return [t.somebodyElses(refusal.folder)];
    case "broken_config":
      return [t.brokenConfig(refusal.file, String(refusal.line ?? ""), refusal.problem)];
  }
}
