import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import type { ApiAddress } from "./hermes-api.ts";

const word = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const settingsSchema = z.looseObject({
  enabled: word.optional(),
  key: word.optional(),
  host: word.optional(),
  port: word.optional(),
});
type Settings = z.infer<typeof settingsSchema>;

const DEFAULT_PORT = "8642";

/**
 * Where Hermes' API server is: as configured, else as Hermes' own `.env` and `config.yaml` say when they stand on this
 * machine (variables win over the file, as they do for Hermes). Undefined when it is not enabled or nothing says so.
 * An address without a key gets the one Hermes' files name only when it is on this machine.
 */
export function findApiServer(
  home: string | undefined,
  configured: { apiUrl?: string; apiKey?: string },
): ApiAddress | undefined {
  const { apiUrl, apiKey } = configured;
  const found = home === undefined ? undefined : readSettings(home);
  if (apiUrl !== undefined) {
    const key = apiKey ?? (isLocal(apiUrl) ? found?.key : undefined);
    return { url: apiUrl, ...(key !== undefined && { key }) };
  }
  if (found === undefined || !/^(?:1|true|yes|on)$/i.test(found.enabled ?? "")) return undefined;
  const key = apiKey ?? found.key;
  const host = found.host ?? "127.0.0.1";
  // An address to listen on is none to call.
  const name = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "[::1]" : host.includes(":") ? `[${host}]` : host;
  const url = `http://${name}:${found.port ?? DEFAULT_PORT}`;
  return URL.canParse(url) ? { url, ...(key !== undefined && { key }) } : undefined;
}

function isLocal(url: string): boolean {
  return /^https?:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?:[:/]|$)/i.test(url);
}

function readSettings(home: string): Settings {
  const env = readEnv(join(home, ".env"));
  const written = readYaml(join(home, "config.yaml"));
  const named = (name: string): string | undefined => env.get(`API_SERVER_${name}`);
  const settings: Settings = { ...written };
  for (const [field, value] of [
    ["enabled", named("ENABLED")],
    ["key", named("KEY")],
    ["host", named("HOST")],
    ["port", named("PORT")],
  ] as const) {
    if (value !== undefined && value !== "") settings[field] = value;
  }
  return settings;
}

/** The block stands in one of several places, its fields directly in it or under `extra`. */
function readYaml(path: string): Settings {
  try {
    const config = parse(readFileSync(path, "utf8")) as Record<string, unknown> | null;
    const at = (...names: readonly string[]): unknown =>
      names.reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], config);
    const blocks = [
      at("platforms", "api_server"),
      at("gateway", "platforms", "api_server"),
      at("gateway", "api_server"),
    ];
    return Object.assign(
      {},
      ...blocks.flatMap((block) => {
        const read = settingsSchema.safeParse(block ?? {}).data ?? {};
        const extra = settingsSchema.safeParse((read as { extra?: unknown }).extra ?? {}).data ?? {};
        return [read, extra];
      }),
    ) as Settings;
  } catch {
    return {};
  }
}

/** `NAME=value` lines, with or without `export`, quotes and a comment behind them. */
function readEnv(path: string): Map<string, string> {
  const values = new Map<string, string>();
  try {
    for (const line of readFileSync(path, "utf8").split(/\r?\n/)) {
      const [, name, rest = ""] = /^\s*(?:export\s+)?([A-Z][A-Z0-9_]*)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
      if (name === undefined) continue;
      const quoted = /^(["'])(.*?)\1/.exec(rest);
      values.set(name, quoted ? (quoted[2] ?? "") : rest.replace(/\s+#.*$/, ""));
    }
  } catch {
    // None there, or not ours to read.
  }
  return values;
}
