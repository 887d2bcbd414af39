import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { readAgents } from "./agents-config.ts";
import { buildConfig, type Defaults, defaultsFor } from "./build-config.ts";
import {
  CONFIG_EXAMPLES,
  type ConfigValues,
  configSchema,
  type Expected,
  SECRET_VARIABLES,
  VARIABLES,
  type Variable,
} from "./config-schema.ts";
import type { SqliteDriver } from "./engine/load-sqlite.ts";
import { MASK, maskSecrets } from "./engine/mask-secrets.ts";
import { type Given, gatherConfig } from "./gather-config.ts";
import type { LogLevel } from "./log.ts";
import { nearestName } from "./text/nearest-name.ts";
import { LANGUAGES, type Language } from "./text/pick.ts";

export type ConfigSource = "default" | "env" | ".env" | "herald.config.yaml";

export type Endpoint = { readonly baseUrl: string; readonly apiKey?: string; readonly model: string };

export type FeishuConfig = {
  readonly appId: string;
  readonly appSecret: string;
  /** Base URL without a slash at its end. */
  readonly baseUrl: string;
  readonly transport: "websocket" | "webhook";
  readonly encryptKey?: string;
  readonly verificationToken?: string;
};

export type Config = {
  /** Which agent this is the configuration of; `main` unless there is a list of agents. */
  readonly agentId?: string;
  /** Every agent this server serves, when `herald.config.yaml` lists agents; each as if it were configured alone. */
  readonly agents?: readonly Config[];
  /** Playground when no Feishu app is configured. */
  readonly mode: "feishu" | "playground";
  readonly feishu?: FeishuConfig;
  readonly ownerOpenId?: string;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Absolute path. */
  readonly dataDir: string;
  readonly databaseUrl: string;
  /** IANA name. */
  readonly zone: string;
  readonly language: Language;
  /** Of what is said at the terminal. */
  readonly terminal?: Language;
  readonly hermes: {
    /** An absolute path that need not exist. */
    readonly home: string;
    /** Whose sessions are read when several profiles share a home. */
    readonly profile?: string;
    readonly apiUrl?: string;
    readonly apiKey?: string;
  };
  /** Further folders from which files of Hermes' may be sent into a chat. Absolute paths. */
  readonly sendFilesFrom?: readonly string[];
  /** Sessions, chats and sources that are not read; see the setting of that name. */
  readonly exclude?: readonly string[];
  readonly bridgeToken?: string;
  /** Asked of whoever reads /metrics; without it this machine alone may. */
  readonly metricsToken?: string;
  /** In the order they are asked; empty when no model is configured. */
  readonly llm: readonly Endpoint[];
  readonly judge?: Endpoint;
  readonly logLevel: LogLevel;
  /** The developer's doors (/dev/…). Only ever true on a loopback address. */
  readonly dev: boolean;
  readonly sqliteDriver?: SqliteDriver;
  /** Exact values that must never be written anywhere. */
  readonly secrets: readonly string[];
};

export type ConfigProblem = {
  readonly variable: string;
  readonly source: ConfigSource;
  /** As far as it may be shown. */
  readonly given?: string;
  readonly expected: Expected;
  readonly example: string;
};

export type ConfigWarning =
  | { readonly kind: "unknown"; readonly variable: string; readonly near?: Variable }
  | { readonly kind: "unused"; readonly variable: Variable; readonly without: Variable }
  | { readonly kind: "app_id_form"; readonly given: string }
  | { readonly kind: "dev_not_local"; readonly host: string };

export type ConfigRow = { readonly name: Variable; readonly value: string; readonly source: ConfigSource };

export type LoadedConfig = {
  readonly config: Config;
  readonly warnings: readonly ConfigWarning[];
  readonly rows: readonly ConfigRow[];
};

/** All that is wrong with the configuration, at once. */
export class ConfigError extends Error {
  readonly problems: readonly ConfigProblem[];
  /** The language to tell it in: as configured, else as the terminal is set. */
  readonly language: Language;

  constructor(problems: readonly ConfigProblem[], language: Language) {
    super(
      `configuration: ${problems.map(({ variable, expected }) => `${variable} (expected ${expected})`).join(", ")}`,
    );
    this.name = "ConfigError";
    this.problems = problems;
    this.language = language;
  }
}

/** What a configuration is read from: the first of `env`, `.env` and the YAML file that has a variable wins. */
export type ConfigInput = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly dotenv?: string;
  readonly yaml?: string;
  /** Relative paths are taken from here. */
  readonly cwd: string;
  readonly home: string;
  readonly hostZone: string;
};

/** Reads `process.env`, `.env` and `herald.config.yaml` of a folder. @throws ConfigError */
export function loadConfig(cwd: string = process.cwd(), env: ConfigInput["env"] = process.env): LoadedConfig {
  const dotenv = fileIn(cwd, ".env");
  return readConfig({ ...setupPlace(cwd, env), ...(dotenv === undefined ? {} : { dotenv }) });
}

/** All that a configuration is read from, but `.env`: what setting up starts from. */
export function setupPlace(
  cwd: string = process.cwd(),
  env: ConfigInput["env"] = process.env,
): Omit<ConfigInput, "dotenv"> {
  const yaml = fileIn(cwd, "herald.config.yaml");
  return {
    env,
    ...(yaml === undefined ? {} : { yaml }),
    cwd,
    home: homedir(),
    hostZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

function fileIn(folder: string, name: string): string | undefined {
  return existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : undefined;
}

/** The configuration these inputs mean. @throws ConfigError that names everything that is wrong */
export function readConfig(input: ConfigInput): LoadedConfig {
  const problems: ConfigProblem[] = [];
  const given = gatherConfig(input, problems);
  const values: ConfigValues = {};
  for (const name of VARIABLES) {
    const value = given.get(name)?.value;
    if (value !== undefined) values[name] = value;
  }
  const refuse = (variable: Variable, expected: Expected): void => {
    const { value, source } = given.get(variable) ?? { source: "default" };
    const shown = value === undefined ? undefined : shownValue(variable, value);
    problems.push({
      variable,
      source,
      ...(shown === undefined ? {} : { given: shown }),
      expected,
      example: CONFIG_EXAMPLES[variable],
    });
  };
  const parsed = configSchema.safeParse(values);
  for (const issue of parsed.error?.issues ?? []) refuse(issue.path[0] as Variable, issue.message as Expected);
  for (const [variable, expected] of rulesBetween(values)) refuse(variable, expected);
  if (problems.length > 0) throw new ConfigError(problems, terminalLanguage(values, input.env));

  const defaults = defaultsFor(input, values);
  const filled = { ...defaults, ...values };
  const terminal = terminalLanguage(values, input.env);
  const alone = { ...buildConfig(filled, input), terminal };
  const agents = readAgents(input, alone, values, problems);
  if (problems.length > 0) throw new ConfigError(problems, terminal);
  const config =
    agents.length === 0
      ? alone
      : {
          ...alone,
          mode: "feishu" as const,
          agents,
          secrets: [...new Set([alone, ...agents].flatMap((each) => each.secrets))],
        };
  const rows = VARIABLES.map((name) => ({
    name,
    value: filled[name] === undefined ? "" : shownValue(name, filled[name]),
    source: given.get(name)?.source ?? "default",
  }));
  return { config, warnings: warningsFor(config, filled, given), rows };
}

/** The rows of `npx herald config`: every variable, secrets masked, and where its value came from. */
export function describeConfig(loaded: LoadedConfig): readonly ConfigRow[] {
  return loaded.rows;
}

function shownValue(name: Variable, value: string): string {
  return SECRET_VARIABLES.includes(name) ? MASK : maskSecrets(value);
}

/** What programs we start find around them: what this process found. */
export function processEnvironment(): ConfigInput["env"] {
  return process.env;
}

/** The language of everything said at the terminal: as configured, else as the locale is set, else Chinese. */
export function terminalLanguage(values: ConfigValues = {}, env: ConfigInput["env"] = process.env): Language {
  const wished = values.HERALD_LANGUAGE ?? env.HERALD_LANGUAGE;
  const configured = LANGUAGES.find((language) => language === wished);
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || "";
  // "C" and "POSIX" name no language.
  return configured ?? (/^(?:zh|c\b|posix\b|$)/i.test(locale) ? "zh" : "en");
}

/** What one variable demands of another. */
function rulesBetween(values: ConfigValues): [Variable, Expected][] {
  const broken: [Variable, Expected][] = [];
  if (values.FEISHU_APP_ID && !values.FEISHU_APP_SECRET) broken.push(["FEISHU_APP_SECRET", "appSecretToo"]);
  if (values.FEISHU_APP_SECRET && !values.FEISHU_APP_ID) broken.push(["FEISHU_APP_ID", "appIdToo"]);
  if (values.FEISHU_TRANSPORT === "webhook" && values.FEISHU_APP_ID && !values.FEISHU_ENCRYPT_KEY) {
    broken.push(["FEISHU_ENCRYPT_KEY", "encryptKeyForWebhook"]);
  }
  for (const prefix of ["LLM", "LLM_FALLBACK", "JUDGE"] as const) {
    if (values[`${prefix}_BASE_URL`] && !values[`${prefix}_MODEL`]) broken.push([`${prefix}_MODEL`, "modelToo"]);
  }
  return broken;
}

function warningsFor(
  config: Config,
  values: ConfigValues & Defaults,
  given: ReadonlyMap<string, Given>,
): ConfigWarning[] {
  const warnings: ConfigWarning[] = [];
  for (const [name, { source }] of given) {
    if (VARIABLES.some((known) => known === name)) continue;
    const ours = source === "herald.config.yaml" || /^(FEISHU|HERALD|HERMES|LLM|JUDGE)_/.test(name);
    const near = ours ? nearestName(name, VARIABLES) : undefined;
    // Hermes has variables of its own under these prefixes: only a likely slip of the pen is worth a line.
    if (near) warnings.push({ kind: "unknown", variable: name, near });
    else if (source === "herald.config.yaml" || (/^HERALD_/.test(name) && !/^HERALD_TEST_/.test(name))) {
      warnings.push({ kind: "unknown", variable: name });
    }
  }
  for (const prefix of ["LLM", "LLM_FALLBACK", "JUDGE"] as const) {
    const without = `${prefix}_BASE_URL` as const;
    for (const variable of [`${prefix}_API_KEY`, `${prefix}_MODEL`] as const) {
      if (values[variable] && !values[without]) warnings.push({ kind: "unused", variable, without });
    }
  }
  if (config.feishu && !/^cli_[0-9a-f]{16}$/.test(config.feishu.appId)) {
    warnings.push({ kind: "app_id_form", given: config.feishu.appId });
  }
  if (/^(1|true)$/.test(values.HERALD_DEV) && !config.dev) warnings.push({ kind: "dev_not_local", host: config.host });
  return warnings;
}
