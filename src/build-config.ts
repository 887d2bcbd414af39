import { join, resolve } from "node:path";
import type { Config, ConfigInput, Endpoint, FeishuConfig } from "./config.ts";
import { type ConfigValues, SECRET_VARIABLES } from "./config-schema.ts";
import { databasePlace } from "./engine/db.ts";
import type { SqliteDriver } from "./engine/load-sqlite.ts";
import type { LogLevel } from "./log.ts";
import type { Language } from "./text/pick.ts";

export type Defaults = {
  [Name in
    | "FEISHU_DOMAIN"
    | "FEISHU_TRANSPORT"
    | "HERALD_HOST"
    | "HERALD_PORT"
    | "HERALD_DATA_DIR"
    | "DATABASE_URL"
    | "HERALD_TIME_ZONE"
    | "HERALD_LANGUAGE"
    | "HERMES_HOME"
    | "LOG_LEVEL"
    | "HERALD_DEV"]: string;
};

/** What unset variables mean. */
export function defaultsFor(input: ConfigInput, values: ConfigValues): Defaults {
  const dataDir = values.HERALD_DATA_DIR ?? "./data";
  return {
    FEISHU_DOMAIN: "feishu",
    FEISHU_TRANSPORT: "websocket",
    HERALD_HOST: "127.0.0.1",
    HERALD_PORT: "8686",
    HERALD_DATA_DIR: "./data",
    DATABASE_URL: `file:${join(folder(dataDir, input), "herald.db")}`,
    HERALD_TIME_ZONE: input.hostZone || "UTC",
    HERALD_LANGUAGE: "zh",
    HERMES_HOME: "~/.hermes",
    LOG_LEVEL: "info",
    HERALD_DEV: "0",
  };
}

/** The configuration that checked values mean. */
export function buildConfig(values: ConfigValues & Defaults, input: ConfigInput): Config {
  const judge = endpoint(values, "JUDGE");
  const dev = /^(1|true)$/.test(values.HERALD_DEV);
  return {
    mode: values.FEISHU_APP_ID ? "feishu" : "playground",
    ...only("feishu", feishu(values)),
    ...only("ownerOpenId", values.HERALD_OWNER_OPEN_ID),
    host: values.HERALD_HOST,
    port: Number(values.HERALD_PORT),
    dataDir: folder(values.HERALD_DATA_DIR, input),
    databaseUrl: absoluteDatabase(values.DATABASE_URL, input),
    zone: values.HERALD_TIME_ZONE,
    language: values.HERALD_LANGUAGE as Language,
    hermes: {
      home: folder(values.HERMES_HOME, input),
      ...only("profile", values.HERMES_PROFILE),
      ...only("apiUrl", values.HERMES_API_URL && withoutSlash(values.HERMES_API_URL)),
      ...only("apiKey", values.HERMES_API_KEY),
    },
    ...only(
      "sendFilesFrom",
      values.HERALD_SEND_FILES_FROM?.split(/\s*[,，、]\s*/u)
        .filter((path) => path !== "")
        .map((path) => folder(path, input)),
    ),
    ...only(
      "exclude",
      values.HERALD_EXCLUDE?.split(/[\s,，、]+/u).filter((name) => name !== ""),
    ),
    ...only("bridgeToken", values.HERALD_BRIDGE_TOKEN),
    ...only("metricsToken", values.HERALD_METRICS_TOKEN),
    llm: [endpoint(values, "LLM"), endpoint(values, "LLM_FALLBACK")].filter((one) => one !== undefined),
    ...only("judge", judge),
    logLevel: values.LOG_LEVEL as LogLevel,
    dev: dev && isLoopback(values.HERALD_HOST),
    ...only("sqliteDriver", values.SQLITE_DRIVER as SqliteDriver | undefined),
    secrets: SECRET_VARIABLES.flatMap((name) => values[name] ?? []),
  };
}

/** `{ [name]: value }`, or nothing when there is no value. */
function only<Name extends string, Value>(name: Name, value: Value): { [N in Name]?: NonNullable<Value> } {
  return (value ? { [name]: value } : {}) as { [N in Name]?: NonNullable<Value> };
}

function feishu(values: ConfigValues & Defaults): FeishuConfig | undefined {
  if (!values.FEISHU_APP_ID || !values.FEISHU_APP_SECRET) return undefined;
  const bases: Record<string, string> = { feishu: "https://open.feishu.cn", lark: "https://open.larksuite.com" };
  return {
    appId: values.FEISHU_APP_ID,
    appSecret: values.FEISHU_APP_SECRET,
    baseUrl: withoutSlash(bases[values.FEISHU_DOMAIN] ?? values.FEISHU_DOMAIN),
    transport: values.FEISHU_TRANSPORT as FeishuConfig["transport"],
    ...only("encryptKey", values.FEISHU_ENCRYPT_KEY),
    ...only("verificationToken", values.FEISHU_VERIFICATION_TOKEN),
  };
}

function endpoint(values: ConfigValues, prefix: "LLM" | "LLM_FALLBACK" | "JUDGE"): Endpoint | undefined {
  const baseUrl = values[`${prefix}_BASE_URL`];
  const model = values[`${prefix}_MODEL`];
  if (!baseUrl || !model) return undefined;
  return { baseUrl: withoutSlash(baseUrl), model, ...only("apiKey", values[`${prefix}_API_KEY`]) };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}

function folder(path: string, { cwd, home }: ConfigInput): string {
  return resolve(cwd, path === "~" || path.startsWith("~/") ? join(home, path.slice(1)) : path);
}

/** A relative SQLite path is taken from the folder the configuration was read in, not from where a process stands later. */
function absoluteDatabase(url: string, input: ConfigInput): string {
  const place = databasePlace(url);
  return place.provider === "sqlite" && place.path !== ":memory:" ? `file:${folder(place.path, input)}` : url;
}
