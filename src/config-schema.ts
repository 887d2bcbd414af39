import { z } from "zod";
import { databasePlace } from "./engine/db.ts";
import { SQLITE_DRIVERS } from "./engine/load-sqlite.ts";
import { LOG_LEVELS } from "./log.ts";
import { LANGUAGES, type Texts } from "./text/pick.ts";

/** Which text says what a variable takes. */
export type Expected = keyof Texts["config"]["expected"];

/** A field of the schema; the message of its only check is the key of the text that says what was expected. */
const field = (expected: Expected, check: (value: string) => boolean): z.ZodOptional<z.ZodString> =>
  z.string().refine(check, { error: expected }).optional();

const isUrl = (value: string): boolean => /^https?:\/\/[^\s/]+/i.test(value) && URL.canParse(value);
const isKey = (value: string): boolean => /^\S+$/.test(value);
/** The name of a time zone, such as Asia/Shanghai. */
export const isZone = (value: string): boolean => {
  try {
    // "+08:00" is accepted by newer Nodes, but is no name and knows no daylight saving time.
    return /^[A-Za-z]/.test(value) && new Intl.DateTimeFormat("en", { timeZone: value }) instanceof Intl.DateTimeFormat;
  } catch {
    return false;
  }
};
const isDatabase = (value: string): boolean => {
  try {
    databasePlace(value);
    return true;
  } catch {
    return false;
  }
};
const oneOf =
  (...names: readonly string[]) =>
  (value: string): boolean =>
    names.includes(value);

/** Every variable there is, and what each takes. */
export const configSchema = z.object({
  FEISHU_APP_ID: field("appId", isKey),
  FEISHU_APP_SECRET: field("appSecret", isKey),
  FEISHU_DOMAIN: field("domain", (value) => value === "feishu" || value === "lark" || isUrl(value)),
  FEISHU_TRANSPORT: field("transport", oneOf("websocket", "webhook")),
  FEISHU_ENCRYPT_KEY: field("encryptKey", isKey),
  FEISHU_VERIFICATION_TOKEN: field("verificationToken", isKey),
  HERALD_OWNER_OPEN_ID: field("openId", (value) => /^ou_\w+$/.test(value)),
  HERALD_HOST: field("host", (value) => /^[\w.:%-]+$/.test(value)),
  HERALD_PORT: field("port", (value) => /^\d{1,5}$/.test(value) && Number(value) <= 65_535),
  HERALD_DATA_DIR: field("folder", (value) => !value.includes("\u0000")),
  DATABASE_URL: field("databaseUrl", isDatabase),
  HERALD_TIME_ZONE: field("zone", isZone),
  HERALD_LANGUAGE: field("language", oneOf(...LANGUAGES)),
  HERMES_HOME: field("folder", (value) => !value.includes("\u0000")),
  HERMES_PROFILE: field("profile", (value) => /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(value)),
  HERALD_EXCLUDE: field("names", (value) => !value.includes("\u0000")),
  HERALD_SEND_FILES_FROM: field("folders", (value) => !value.includes("\u0000")),
  HERMES_API_URL: field("url", isUrl),
  HERMES_API_KEY: field("key", isKey),
  HERALD_METRICS_TOKEN: field("bridgeToken", (value) => /^\S{16,}$/.test(value)),
  HERALD_BRIDGE_TOKEN: field("bridgeToken", (value) => /^\S{16,}$/.test(value)),
  LLM_BASE_URL: field("url", isUrl),
  LLM_API_KEY: field("key", isKey),
  LLM_MODEL: field("model", isKey),
  LLM_FALLBACK_BASE_URL: field("url", isUrl),
  LLM_FALLBACK_API_KEY: field("key", isKey),
  LLM_FALLBACK_MODEL: field("model", isKey),
  JUDGE_BASE_URL: field("url", isUrl),
  JUDGE_API_KEY: field("key", isKey),
  JUDGE_MODEL: field("model", isKey),
  LOG_LEVEL: field("logLevel", oneOf(...LOG_LEVELS)),
  HERALD_DEV: field("flag", oneOf("0", "1", "true", "false")),
  SQLITE_DRIVER: field("sqliteDriver", oneOf(...SQLITE_DRIVERS)),
});
/** The name of a variable. */
export type Variable = keyof typeof configSchema.shape;
/** What was given, as text; unset variables are missing. */
export type ConfigValues = Partial<Record<Variable, string>>;

export const VARIABLES = Object.keys(configSchema.shape) as Variable[];

/** Something each variable would take. */
export const CONFIG_EXAMPLES: Readonly<Record<Variable, string>> = {
  FEISHU_APP_ID: "cli_a1b2c3d4e5f60718",
  FEISHU_APP_SECRET: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
  FEISHU_DOMAIN: "feishu",
  FEISHU_TRANSPORT: "websocket",
  FEISHU_ENCRYPT_KEY: "xxxxxxxxxxxxxxxx",
  FEISHU_VERIFICATION_TOKEN: "xxxxxxxxxxxxxxxx",
  HERALD_OWNER_OPEN_ID: "ou_7d8a6e6df7621556ce0d21922b676706",
  HERALD_HOST: "127.0.0.1",
  HERALD_PORT: "8686",
  HERALD_DATA_DIR: "./data",
  DATABASE_URL: "file:./data/herald.db",
  HERALD_TIME_ZONE: "Asia/Shanghai",
  HERALD_LANGUAGE: "zh",
  HERMES_HOME: "~/.hermes",
  HERMES_PROFILE: "work",
  HERALD_EXCLUDE: "oc_1234, telegram",
  HERALD_SEND_FILES_FROM: "~/reports, /srv/shared",
  HERMES_API_URL: "http://127.0.0.1:8642",
  HERMES_API_KEY: "xxxxxxxxxxxxxxxx",
  HERALD_METRICS_TOKEN: "xxxxxxxxxxxxxxxxxxxxxxxx",
  HERALD_BRIDGE_TOKEN: "xxxxxxxxxxxxxxxxxxxxxxxx",
  LLM_BASE_URL: "https://api.deepseek.com/v1",
  LLM_API_KEY: "sk-xxxxxxxx",
  LLM_MODEL: "deepseek-chat",
  LLM_FALLBACK_BASE_URL: "http://127.0.0.1:11434/v1",
  LLM_FALLBACK_API_KEY: "sk-xxxxxxxx",
  LLM_FALLBACK_MODEL: "qwen3:8b",
  JUDGE_BASE_URL: "https://api.deepseek.com/v1",
  JUDGE_API_KEY: "sk-xxxxxxxx",
  JUDGE_MODEL: "deepseek-chat",
  LOG_LEVEL: "info",
  HERALD_DEV: "0",
  SQLITE_DRIVER: "builtin",
};

/** Variables that are never shown. */
export const SECRET_VARIABLES: readonly Variable[] = VARIABLES.filter((name) => /(SECRET|KEY|TOKEN)$/.test(name));
