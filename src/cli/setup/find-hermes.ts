import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parse as parseDotenv } from "dotenv";
import { parse as parseYaml } from "yaml";
import { z } from "zod";

export interface FoundHermes {
  home: string;
  /** Hermes has spoken with somebody already */
  hasStore: boolean;
  api: {
    enabled: boolean;
    /** without a slash at its end */
    url: string;
    key?: string;
  };
}

const text = z.union([z.string(), z.number(), z.boolean()]).transform(String).optional().catch(undefined);
const apiConfig = z
  .object({
    platforms: z.object({
      api_server: z.object({
        enabled: z.boolean().optional().catch(undefined),
        extra: z.object({ key: text, host: text, port: text }).partial().optional().catch(undefined),
      }),
    }),
  })
  .catch({ platforms: { api_server: {} } });

/**
 * A Hermes home with the API server as its `.env` and `config.yaml` set it (Hermes: API_SERVER_* variables win over
 * `platforms.api_server`). Reads only. @returns undefined when there is no such folder
 */
export function findHermes(home: string): FoundHermes | undefined {
  if (!(statSync(home, { throwIfNoEntry: false })?.isDirectory() ?? false)) return undefined;
  const env = parseDotenv(read(join(home, ".env")));
  const { enabled, extra } = apiConfig.parse(yaml(read(join(home, "config.yaml")))).platforms.api_server;
  const host = env.API_SERVER_HOST || extra?.host || "127.0.0.1";
  const port = env.API_SERVER_PORT || extra?.port || "8642";
  const key = env.API_SERVER_KEY || extra?.key;
  const reached = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  return {
    home,
    hasStore: existsSync(join(home, "state.db")),
    api: {
      enabled: env.API_SERVER_ENABLED ? /^(1|true|yes|on)$/i.test(env.API_SERVER_ENABLED) : enabled === true,
      url: `http://${reached}:${port}`,
      ...(key && { key }),
    },
  };
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function yaml(content: string): unknown {
  try {
    return parseYaml(content) ?? {};
  } catch {
    return {};
  }
}
