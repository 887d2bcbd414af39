import { parse as parseDotenv } from "dotenv";
import { parse as parseYaml } from "yaml";
import { z } from "zod";
import type { ConfigInput, ConfigProblem, ConfigSource } from "./config.ts";

export type Given = { readonly value: string; readonly source: ConfigSource };

/** All values by name, known or not. An empty value counts as none, so a template's empty lines do no harm. */
export function gatherConfig(input: ConfigInput, problems: ConfigProblem[]): Map<string, Given> {
  const given = new Map<string, Given>();
  const add = (source: ConfigSource, values: Readonly<Record<string, string | undefined>>): void => {
    for (const [name, value] of Object.entries(values)) {
      if (value !== undefined && value.trim() !== "") given.set(name, { value: value.trim(), source });
    }
  };
  add("herald.config.yaml", input.yaml === undefined ? {} : fromYaml(input.yaml, problems));
  add(".env", input.dotenv === undefined ? {} : parseDotenv(input.dotenv));
  add("env", input.env);
  return given;
}

const yamlSchema = z.record(z.string(), z.unknown());

/** `HERALD_PORT: 8686` and, the same, `herald: { port: 8686 }`. */
function fromYaml(text: string, problems: ConfigProblem[]): Record<string, string> {
  const refuse = (): Record<string, string> => {
    problems.push({
      variable: "herald.config.yaml",
      source: "herald.config.yaml",
      expected: "yaml",
      example: "HERALD_PORT: 8686",
    });
    return {};
  };
  try {
    const read: unknown = parseYaml(text);
    const parsed = yamlSchema.safeParse(read ?? {});
    if (!parsed.success) return refuse();
    // Each of the agents has variables of its own: see agents-config.ts.
    const { agents: _agents, ...rest } = parsed.data;
    return Object.fromEntries(flat("", rest));
  } catch {
    return refuse();
  }
}

/** `{ feishu: { appId } }` → FEISHU_APP_ID. A list becomes its parts with commas between them. */
export function flat(prefix: string, values: Readonly<Record<string, unknown>>): [string, string][] {
  return Object.entries(values).flatMap(([key, value]): [string, string][] => {
    const name = prefix + key.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toUpperCase();
    const nested = yamlSchema.safeParse(value);
    if (nested.success) return flat(`${name}_`, nested.data);
    return value === null ? [] : [[name, String(value)]];
  });
}
