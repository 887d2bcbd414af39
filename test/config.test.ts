import { readFileSync } from "node:fs";
import { parse } from "dotenv";
import { describe, expect, it } from "vitest";
import { ConfigError, type ConfigInput, describeConfig, readConfig, terminalLanguage } from "../src/config.ts";
import { CONFIG_EXAMPLES, VARIABLES } from "../src/config-schema.ts";
import { presentProblems, presentWarning } from "../src/present-config.ts";
import { textsFor } from "../src/text/pick.ts";

const read = (env: Record<string, string>, more: Partial<ConfigInput> = {}) =>
  readConfig({ env, cwd: "/srv/herald", home: "/home/me", hostZone: "Asia/Shanghai", ...more });

function problemsOf(env: Record<string, string>, more: Partial<ConfigInput> = {}): Record<string, string> {
  try {
    read(env, more);
    return {};
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return Object.fromEntries(error.problems.map(({ variable, expected }) => [variable, expected]));
  }
}

const APP = { FEISHU_APP_ID: "cli_a1b2c3d4e5f60718", FEISHU_APP_SECRET: "secret-of-the-app" };

describe("the configuration", () => {
  it("with nothing set is a playground on loopback, in the host's zone", () => {
    expect(read({}).config).toEqual({
      terminal: "zh",
      mode: "playground",
      host: "127.0.0.1",
      port: 8686,
      dataDir: "/srv/herald/data",
      databaseUrl: "file:/srv/herald/data/herald.db",
      zone: "Asia/Shanghai",
      language: "zh",
      hermes: { home: "/home/me/.hermes" },
      llm: [],
      logLevel: "info",
      dev: false,
      secrets: [],
    });
  });

  it("with an app's id and secret speaks to Feishu", () => {
    const { config, warnings } = read({ ...APP, FEISHU_DOMAIN: "lark", HERMES_HOME: "~/other" });
    expect(config).toMatchObject({
      mode: "feishu",
      feishu: {
        ...{ appId: APP.FEISHU_APP_ID, appSecret: APP.FEISHU_APP_SECRET },
        baseUrl: "https://open.larksuite.com",
        transport: "websocket",
      },
      hermes: { home: "/home/me/other" },
    });
    expect(config.secrets).toEqual([APP.FEISHU_APP_SECRET]);
    expect(warnings).toEqual([]);
    expect(read({ ...APP, FEISHU_DOMAIN: "http://127.0.0.1:9000/" }).config.feishu?.baseUrl).toBe(
      "http://127.0.0.1:9000",
    );
  });

  it("takes the environment before .env before herald.config.yaml, and says which it was", () => {
    const loaded = read(
      { HERALD_PORT: "1", LOG_LEVEL: "" },
      {
        dotenv: 'HERALD_PORT=2\nHERALD_HOST=0.0.0.0\nLOG_LEVEL="debug"\n',
        yaml: "herald:\n  port: 3\n  host: 10.0.0.1\n  timeZone: Europe/Berlin\nLLM_BASE_URL: http://a.test/v1/\nllm: { model: m, fallback: { base_url: 'http://b.test', model: n } }\n",
      },
    );
    expect(loaded.config).toMatchObject({ port: 1, host: "0.0.0.0", zone: "Europe/Berlin", logLevel: "debug" });
    expect(loaded.config.llm).toEqual([
      { baseUrl: "http://a.test/v1", model: "m" },
      { baseUrl: "http://b.test", model: "n" },
    ]);
    const sources = Object.fromEntries(describeConfig(loaded).map(({ name, source }) => [name, source]));
    expect(sources).toMatchObject({
      HERALD_PORT: "env",
      HERALD_HOST: ".env",
      LOG_LEVEL: ".env",
      HERALD_TIME_ZONE: "herald.config.yaml",
      HERALD_LANGUAGE: "default",
    });
  });

  it("shows every variable, and no secret", () => {
    const rows = describeConfig(
      read({
        ...APP,
        LLM_BASE_URL: "http://u:hidden@x.test/v1",
        LLM_MODEL: "m",
        LLM_API_KEY: "hidden",
        DATABASE_URL: "postgres://u:hidden@db/x",
      }),
    );
    expect(rows.map(({ name }) => name)).toEqual(VARIABLES);
    expect(JSON.stringify(rows)).not.toMatch(/hidden|secret-of-the-app/);
    expect(rows.find(({ name }) => name === "LLM_API_KEY")?.value).toBe("••••");
  });

  it.each([
    ["FEISHU_APP_SECRET", "has blanks"],
    ["FEISHU_DOMAIN", "feishu.cn"],
    ["FEISHU_TRANSPORT", "ws"],
    ["HERALD_OWNER_OPEN_ID", "on_123"],
    ["HERALD_HOST", "http://x"],
    ["HERALD_PORT", "70000"],
    ["HERALD_PORT", "8686.5"],
    ["HERALD_PORT", "-1"],
    ["DATABASE_URL", "mysql://x"],
    ["HERALD_TIME_ZONE", "Beijing"],
    ["HERALD_TIME_ZONE", "+08:00"],
    ["HERALD_LANGUAGE", "cn"],
    ["HERMES_API_URL", "127.0.0.1:8642"],
    ["HERALD_BRIDGE_TOKEN", "short"],
    ["LLM_BASE_URL", "api.test"],
    ["LOG_LEVEL", "verbose"],
    ["HERALD_DEV", "maybe"],
    ["SQLITE_DRIVER", "sqlite3"],
  ])("refuses %s=%s and says what was expected", (variable, value) => {
    expect(problemsOf({ [variable]: value })).toHaveProperty(variable);
  });

  it.each(VARIABLES.map((name) => [name, CONFIG_EXAMPLES[name]]))("takes its own example %s=%s", (name, example) => {
    expect(Object.keys(problemsOf({ [name]: example })).filter((variable) => variable === name)).toEqual([]);
  });

  it("names all that is wrong at once, in either language, without secrets", () => {
    const env = {
      HERALD_PORT: "x",
      HERALD_LANGUAGE: "en",
      FEISHU_APP_ID: "cli_a1b2c3d4e5f60718",
      LLM_BASE_URL: "http://x.test",
      LLM_API_KEY: "two words",
    };
    expect(problemsOf(env)).toEqual({
      HERALD_PORT: "port",
      FEISHU_APP_SECRET: "appSecretToo",
      LLM_MODEL: "modelToo",
      LLM_API_KEY: "key",
    });
    const error = (() => {
      try {
        return read(env);
      } catch (caught) {
        return caught;
      }
    })();
    if (!(error instanceof ConfigError)) throw new Error("expected a ConfigError");
    expect(error.language).toBe("en");
    for (const language of ["zh", "en"] as const) {
      const text = presentProblems(error.problems, textsFor(language));
      for (const part of ["HERALD_PORT=8686", "FEISHU_APP_SECRET", "LLM_MODEL", "LLM_API_KEY"])
        expect(text).toContain(part);
      expect(text).not.toContain("two words");
    }
  });

  it("knows the rules between variables", () => {
    expect(problemsOf({ FEISHU_APP_SECRET: "x" })).toEqual({ FEISHU_APP_ID: "appIdToo" });
    expect(problemsOf({ ...APP, FEISHU_TRANSPORT: "webhook" })).toEqual({ FEISHU_ENCRYPT_KEY: "encryptKeyForWebhook" });
    expect(problemsOf({ ...APP, FEISHU_TRANSPORT: "webhook", FEISHU_ENCRYPT_KEY: "k" })).toEqual({});
    expect(problemsOf({}, { yaml: "- a list" })).toEqual({ "herald.config.yaml": "yaml" });
    expect(problemsOf({}, { yaml: "a: [" })).toEqual({ "herald.config.yaml": "yaml" });
    expect(problemsOf({}, { yaml: "" })).toEqual({});
  });

  it.each([
    [{ FEISHU_APP_ID: "my-app", FEISHU_APP_SECRET: "x" }, "my-app"],
    [{ FEISHU_APPID: "x" }, "FEISHU_APP_ID"],
    [{ HERALD_PROT: "1" }, "HERALD_PORT"],
    [{ HERALD_TIMEZONE: "UTC" }, "HERALD_TIME_ZONE"],
    [{ LLM_API_BASE: "x", LLM_BASE_ULR: "x" }, "LLM_BASE_URL"],
    [{ HERALD_SOMETHING_ELSE_ENTIRELY: "x" }, "HERALD_SOMETHING_ELSE_ENTIRELY"],
    [{ HERALD_DEV: "1", HERALD_HOST: "0.0.0.0" }, "0.0.0.0"],
    [{ LLM_API_KEY: "x" }, "LLM_BASE_URL"],
  ])("warns about %j", (env, part) => {
    const { warnings, config } = read(env as Record<string, string>);
    expect(warnings.map((warning) => presentWarning(warning, textsFor("en"))).join("\n")).toContain(part);
    expect(warnings.map((warning) => presentWarning(warning, textsFor("zh"))).join("\n")).toContain(part);
    expect(config.dev).toBe(false);
  });

  it("is shown whole in .env.example, in its order, and that file with every line open is taken", () => {
    const text = readFileSync(new URL("../.env.example", import.meta.url), "utf8");
    const open = text.replace(/^# (?=[A-Z_]+=)/gm, "");
    expect(Object.keys(parse(open))).toEqual(VARIABLES);
    expect(read({}, { dotenv: text }).rows.filter(({ source }) => source === ".env")).toEqual([]);
    expect(problemsOf({}, { dotenv: open })).toEqual({ FEISHU_APP_SECRET: "appSecretToo" });
  });

  it("leaves variables of others alone", () => {
    expect(
      read({ HERMES_CRON_SCRIPT_TIMEOUT: "1", FEISHU_ALLOWED_USERS: "a", PATH: "x", HERALD_TEST_X: "1" }).warnings,
    ).toEqual([]);
  });
});

describe("the language of the terminal", () => {
  it.each([
    [{}, "zh"],
    [{ LANG: "C.UTF-8" }, "zh"],
    [{ LANG: "zh_CN.UTF-8" }, "zh"],
    [{ LANG: "en_US.UTF-8" }, "en"],
    [{ LANG: "zh_CN.UTF-8", LC_ALL: "en_GB.UTF-8" }, "en"],
    [{ LANG: "en_US.UTF-8", HERALD_LANGUAGE: "zh" }, "zh"],
    [{ HERALD_LANGUAGE: "en" }, "en"],
  ] as const)("of %j is %s, for help and for a running server alike", (env, language) => {
    expect(terminalLanguage({}, env)).toBe(language);
    expect(readConfig({ env, cwd: "/", home: "/", hostZone: "UTC" }).config.terminal).toBe(language);
  });
});
