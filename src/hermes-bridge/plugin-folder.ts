import { randomBytes } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";

export const PLUGIN_NAME = "herald";
const SETTINGS = "herald.json";
const MANIFEST = "plugin.yaml";
/** Files Herald and Python make there besides the plugin's own. */
const MADE_THERE = /^(herald\.json|tools\.json|__pycache__|\.tools-.*|.*\.pyc)$/;

const manifestSchema = z.object({ author: z.unknown(), version: z.coerce.string() }).partial();
const settingsSchema = z.object({ url: z.string(), token: z.string() });

export type PluginSettings = z.infer<typeof settingsSchema>;

/** The plugin's place in a Hermes home. */
export function pluginFolder(home: string): string {
  return join(home, "plugins", PLUGIN_NAME);
}

/** Whose plugin stands there under our name. */
export function whoseFolder(folder: string): "nobody" | "ours" | "somebody_elses" {
  if (!existsSync(folder)) return "nobody";
  if (readdirSync(folder).length === 0) return "ours";
  return readManifest(folder).author === "Herald" ? "ours" : "somebody_elses";
}

export function versionOf(folder: string): string | undefined {
  return readManifest(folder).version;
}

/** What the plugin there was told: undefined when nothing, or nothing that can be read. */
export function settingsOf(folder: string): PluginSettings | undefined {
  try {
    return settingsSchema.safeParse(JSON.parse(readFileSync(join(folder, SETTINGS), "utf8"))).data;
  } catch {
    return undefined;
  }
}

/** True when the files of the plugin there are those of `source`, no more and no less. */
export function isSamePlugin(source: string, folder: string): boolean {
  const wanted = ownFiles(source);
  const standing = existsSync(folder) ? ownFiles(folder) : [];
  return (
    wanted.join() === standing.join() &&
    wanted.every((name) => readFileSync(join(source, name)).equals(readFileSync(join(folder, name))))
  );
}

/** True when the settings there are these and nobody else can read them. */
export function hasSettings(folder: string, settings: PluginSettings): boolean {
  const standing = settingsOf(folder);
  const mode = statSync(join(folder, SETTINGS), { throwIfNoEntry: false })?.mode ?? 0o777;
  return standing?.url === settings.url && standing.token === settings.token && (mode & 0o077) === 0;
}

/**
 * Puts the plugin with its settings and its table of tools into the home. Hermes sees the old folder or the new one,
 * never a half of it; what fails leaves the old one.
 */
export function putPlugin(source: string, home: string, settings: PluginSettings, tools: unknown): void {
  const folder = pluginFolder(home);
  const tag = randomBytes(6).toString("hex");
  // Not under plugins/, where Hermes would take it for a plugin.
  const fresh = join(home, `.${PLUGIN_NAME}-plugin-${tag}`);
  const old = join(home, `.${PLUGIN_NAME}-plugin-${tag}-old`);
  try {
    mkdirSync(fresh, { mode: 0o755 });
    for (const name of ownFiles(source)) {
      copyFileSync(join(source, name), join(fresh, name));
      chmodSync(join(fresh, name), statSync(join(source, name)).mode & 0o777);
    }
    writeFileSync(join(fresh, "tools.json"), JSON.stringify({ tools }));
    writeFileSync(join(fresh, SETTINGS), `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 });
    mkdirSync(join(home, "plugins"), { recursive: true });
    const replaces = existsSync(folder);
    if (replaces) renameSync(folder, old);
    try {
      renameSync(fresh, folder);
    } catch (error) {
      if (replaces) renameSync(old, folder);
      throw error;
    }
  } finally {
    rmSync(fresh, { recursive: true, force: true });
    rmSync(old, { recursive: true, force: true });
  }
}

export function removePlugin(home: string): void {
  rmSync(pluginFolder(home), { recursive: true, force: true });
}

function ownFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => !MADE_THERE.test(name))
    .sort();
}

function readManifest(folder: string): z.infer<typeof manifestSchema> {
  try {
    return manifestSchema.safeParse(parse(readFileSync(join(folder, MANIFEST), "utf8"))).data ?? {};
  } catch {
    return {};
  }
}
