import { join } from "node:path";
import { parse as parseDotenv } from "dotenv";
import { parse as parseYaml } from "yaml";
import { z } from "zod";
import { buildConfig, defaultsFor } from "./build-config.ts";
import type { Config, ConfigInput, ConfigProblem } from "./config.ts";
import {
  CONFIG_EXAMPLES,
  type ConfigValues,
  configSchema,
  type Expected,
  VARIABLES,
  type Variable,
} from "./config-schema.ts";
import { flat } from "./gather-config.ts";

/** What an agent may set: everything about its people, its Hermes and its models; never what the server has once. */
const OWN = /^(?:FEISHU_|HERMES_|LLM_|JUDGE_|HERALD_(?:OWNER_OPEN_ID|TIME_ZONE|LANGUAGE|EXCLUDE|BRIDGE_TOKEN)$)/;
/** What it has from the rest of the configuration unless it sets it. Credentials, people and Hermes are nobody else's. */
const INHERITED = /^(?:HERALD_(?!OWNER_OPEN_ID|EXCLUDE|BRIDGE_TOKEN)|DATABASE_URL|LLM_|JUDGE_|LOG_LEVEL|SQLITE_DRIVER)/;
/** Short names, as one would write them. */
const SHORT: Readonly<Record<string, Variable>> = {
  OWNER: "HERALD_OWNER_OPEN_ID",
  ZONE: "HERALD_TIME_ZONE",
  LANGUAGE: "HERALD_LANGUAGE",
  EXCLUDE: "HERALD_EXCLUDE",
  BRIDGE_TOKEN: "HERALD_BRIDGE_TOKEN",
};
const ID = /^[A-Za-z][\w-]{0,31}$/;

const listSchema = z.array(z.record(z.string(), z.unknown()));

/**
 * The agents of `agents:` in herald.config.yaml, each as if it were configured alone: `id`, a Feishu app of its own, a
 * Hermes of its own, and what else it sets; `${NAME}` stands for a variable of the environment or of `.env`, so that no
 * secret needs to stand in the file. An app configured beside the list is served as well, as agent `main`.
 * @returns none when there is no list; what is wrong goes to `problems`
 */
export function readAgents(
  input: ConfigInput,
  alone: Config,
  values: ConfigValues,
  problems: ConfigProblem[],
): readonly Config[] {
  const list = listIn(input.yaml);
  if (list === undefined) return [];
  const refuse = (variable: string, expected: Expected, example: string): void => {
    problems.push({ variable, source: "herald.config.yaml", expected, example });
  };
  const entries = listSchema.safeParse(list);
  if (!entries.success || entries.data.length === 0) {
    refuse("agents", "agents", "agents: [{ id: work, feishu: { appId: cli_…, appSecret: … } }]");
    return [];
  }
  const agents: Config[] = alone.feishu === undefined ? [] : [{ ...alone, agentId: "main" }];
  const inherited = Object.fromEntries(Object.entries(values).filter(([name]) => INHERITED.test(name)));
  const outside = { ...(input.dotenv === undefined ? {} : parseDotenv(input.dotenv)), ...input.env };
  for (const [index, { id, ...entry }] of entries.data.entries()) {
    const name = typeof id === "string" && ID.test(id) ? id : undefined;
    if (name === undefined || agents.some((other) => other.agentId === name)) {
      refuse(`agents[${index}].id`, "agentId", "id: work");
      continue;
    }
    const own: ConfigValues = {};
    for (const [key, value] of flat("", entry)) {
      const variable = SHORT[key] ?? VARIABLES.find((each) => each === key);
      if (variable === undefined || !OWN.test(variable))
        refuse(`agents[${name}].${key}`, "agents", "feishu, hermes, owner, zone, language, exclude");
      else own[variable] = value.replace(/\$\{(\w+)\}/g, (_all, from: string) => outside[from] ?? "");
    }
    const parsed = configSchema.safeParse(own);
    for (const issue of parsed.error?.issues ?? []) {
      const variable = issue.path[0] as Variable;
      refuse(`agents[${name}].${variable}`, issue.message as Expected, CONFIG_EXAMPLES[variable]);
    }
    if (!own.FEISHU_APP_ID || !own.FEISHU_APP_SECRET)
      refuse(`agents[${name}].feishu`, "agentApp", "feishu: { appId: cli_…, appSecret: … }");
    if (!parsed.success || problems.length > 0) continue;
    const all = { ...inherited, ...own };
    const built = buildConfig({ ...defaultsFor(input, all), ...all }, input);
    agents.push({
      ...built,
      agentId: name,
      terminal: alone.terminal ?? alone.language,
      // One database for all; files apart.
      databaseUrl: alone.databaseUrl,
      dataDir: join(alone.dataDir, "agents", name),
      dev: false,
    });
  }
  for (const [index, agent] of agents.entries()) {
    const before = agents.slice(0, index);
    const label = `agents[${agent.agentId}]`;
    if (before.some((other) => other.feishu?.appId === agent.feishu?.appId))
      refuse(`${label}.feishu`, "agentApp", "feishu: { appId: cli_… }");
    if (before.some((other) => hermesOf(other) === hermesOf(agent)))
      refuse(`${label}.hermes`, "agentHermes", "hermes: { home: ~/.hermes-work }");
  }
  return agents;
}

function hermesOf({ hermes }: Config): string {
  return [hermes.home, hermes.profile ?? "default", hermes.apiUrl ?? ""].join("\n");
}

function listIn(yaml: string | undefined): unknown {
  try {
    const read: unknown = yaml === undefined ? undefined : parseYaml(yaml);
    return typeof read === "object" && read !== null && "agents" in read ? read.agents : undefined;
  } catch {
    // Told of by whoever reads the rest of the file.
    return undefined;
  }
}
