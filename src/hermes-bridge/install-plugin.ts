import { copyFileSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ToolSchema } from "./agent-tool.ts";
import type { ConfigEdit } from "./config-lines.ts";
import { putInConfig, takeOutOfConfig } from "./entry-in-config.ts";
import { addToList, isListed, takeFromList } from "./list-in-config.ts";
import {
  hasSettings,
  isSamePlugin,
  PLUGIN_NAME,
  type PluginSettings,
  pluginFolder,
  putPlugin,
  removePlugin,
  settingsOf,
  versionOf,
  whoseFolder,
} from "./plugin-folder.ts";
import { writeBeside } from "./write-beside.ts";

const CONFIG = "config.yaml";
/** Where the plugin keeps what Herald has not confirmed: outside of its folder, which every update replaces. */
const SPOOL = "herald-platform";
/**
 * How Hermes speaks on Herald's platform: replies as they grow, and none of the lines it writes for chats that show nothing
 * by themselves. Herald's card says that a turn runs, and shows the tools when somebody wants to see them.
 */
const DISPLAY_PATH = ["display", "platforms", PLUGIN_NAME] as const;
const DISPLAY = { streaming: true, tool_progress: "off", long_running_notifications: false, busy_ack_detail: false };

/** Why nothing was touched. */
export type InstallRefusal =
  | { why: "no_home"; home: string }
  | { why: "somebody_elses"; folder: string }
  | { why: "broken_config"; file: string; line: number | undefined; problem: string };

/** Nothing was touched; `refusal` says why. */
export class InstallRefused extends Error {
  readonly refusal: InstallRefusal;

  constructor(refusal: InstallRefusal) {
    super(`plugin not touched: ${refusal.why}`);
    this.name = "InstallRefused";
    this.refusal = refusal;
  }
}

export interface InstallResult {
  plugin: "installed" | "updated" | "same";
  config: "enabled" | "same";
  /** copy of config.yaml as it was; missing when it was not changed or did not exist */
  backup?: string;
}

/**
 * Puts the plugin into a Hermes home and enables it there. Touches its own folder and its own lines of config.yaml, nothing
 * else; everything is checked before anything is written; the same again changes nothing. Hermes must be started anew
 * to see it.
 * @param input.source folder of the plugin as this release brings it
 * @throws InstallRefused
 */
export function installPlugin(input: {
  source: string;
  home: string;
  settings: PluginSettings;
  tools: readonly ToolSchema[];
  now: Date;
}): InstallResult {
  const { source, home, settings, tools, now } = input;
  const folder = checkPlace(home);
  const before = readConfig(home);
  const enabled = editOf(home, addToList(before ?? "", "enabled", PLUGIN_NAME));
  const allowed = editOf(home, takeFromList(enabled ?? before ?? "", "disabled", PLUGIN_NAME)) ?? enabled;
  const text = editOf(home, putInConfig(allowed ?? before ?? "", DISPLAY_PATH, DISPLAY)) ?? allowed;
  const standing = whoseFolder(folder);
  const same = isSamePlugin(source, folder) && hasSettings(folder, settings);
  if (!same) putPlugin(source, home, settings, tools);
  const backup = text === undefined ? undefined : changeConfig(home, text, now);
  return {
    plugin: same ? "same" : standing === "nobody" ? "installed" : "updated",
    config: text === undefined ? "same" : "enabled",
    ...(backup !== undefined && { backup }),
  };
}

/**
 * Takes away the plugin's folder, its lines of config.yaml (where they are as it wrote them), and what it kept for Herald.
 * @throws InstallRefused
 */
export function uninstallPlugin(input: { home: string; now: Date }): {
  plugin: "removed" | "none";
  config: "changed" | "same";
  backup?: string;
} {
  const { home, now } = input;
  const folder = checkPlace(home);
  const before = readConfig(home) ?? "";
  const disabled = editOf(home, takeFromList(before, "enabled", PLUGIN_NAME));
  const text = editOf(home, takeOutOfConfig(disabled ?? before, DISPLAY_PATH, DISPLAY)) ?? disabled;
  const standing = whoseFolder(folder);
  const backup = text === undefined ? undefined : changeConfig(home, text, now);
  removePlugin(home);
  rmSync(join(home, SPOOL), { recursive: true, force: true });
  return {
    plugin: standing === "nobody" ? "none" : "removed",
    config: text === undefined ? "same" : "changed",
    ...(backup !== undefined && { backup }),
  };
}

export interface PluginStatus {
  /** undefined: the home does not exist */
  plugin: "none" | "somebody_elses" | { version: string | undefined; same: boolean } | undefined;
  enabled: "yes" | "no" | "disabled" | "broken";
  settings?: PluginSettings;
}

/** How the plugin stands in a home. Looks only. */
export function pluginStatus(input: { source: string; home: string }): PluginStatus {
  const { source, home } = input;
  if (!isFolder(home)) return { plugin: undefined, enabled: "no" };
  const folder = pluginFolder(home);
  const whose = whoseFolder(folder);
  const settings = whose === "ours" ? settingsOf(folder) : undefined;
  return {
    plugin:
      whose === "nobody"
        ? "none"
        : whose === "ours"
          ? { version: versionOf(folder), same: isSamePlugin(source, folder) }
          : "somebody_elses",
    enabled: howEnabled(readConfig(home) ?? ""),
    ...(settings && { settings }),
  };
}

function howEnabled(text: string): PluginStatus["enabled"] {
  const enabled = isListed(text, "enabled", PLUGIN_NAME);
  const disabled = isListed(text, "disabled", PLUGIN_NAME);
  if (enabled === undefined || disabled === undefined) return "broken";
  return disabled ? "disabled" : enabled ? "yes" : "no";
}

function checkPlace(home: string): string {
  if (!isFolder(home)) throw new InstallRefused({ why: "no_home", home });
  const folder = pluginFolder(home);
  if (whoseFolder(folder) === "somebody_elses") throw new InstallRefused({ why: "somebody_elses", folder });
  return folder;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function readConfig(home: string): string | undefined {
  try {
    return readFileSync(join(home, CONFIG), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** The new text; undefined when nothing is to be changed. */
function editOf(home: string, edit: ConfigEdit): string | undefined {
  switch (edit.outcome) {
    case "edited":
      return edit.text;
    case "unchanged":
      return undefined;
    case "broken":
      throw new InstallRefused({
        why: "broken_config",
        file: join(home, CONFIG),
        line: edit.line,
        problem: edit.why,
      });
  }
}

/** @returns path of the copy of what stood there */
function changeConfig(home: string, text: string, now: Date): string | undefined {
  const path = join(home, CONFIG);
  const stamp = now.toISOString().replace(/[-:]/g, "").replace(".", "");
  const backup = `${path}.bak.${stamp}`;
  const standing = statSync(path, { throwIfNoEntry: false });
  if (standing) copyFileSync(path, backup);
  writeBeside(path, text, 0o600);
  return standing ? backup : undefined;
}
