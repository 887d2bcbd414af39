import type { config as zh } from "../zh/config.ts";

/** What a person at the terminal reads about the configuration. `variable` is a name such as HERALD_PORT. */
export const config: typeof zh = {
  refused: (count) => `Herald did not start: ${count === 1 ? "one setting needs" : `${count} settings need`} a change.`,
  problem: (variable, source, given, expected, example) =>
    `  ${variable} (${source})${given === undefined ? "" : ` is "${given}"`}\n    Expected ${expected}, for example ${variable}=${example}`,
  sources: { default: "default", env: "environment", ".env": ".env", "herald.config.yaml": "herald.config.yaml" },
  expected: {
    appId: "the app's App ID (developer console, Credentials & Basic Info)",
    appIdToo: "the App ID that belongs to FEISHU_APP_SECRET",
    appSecret: "the app's App Secret, without blanks",
    appSecretToo: "the App Secret that belongs to FEISHU_APP_ID",
    domain: "feishu, lark, or an address that starts with http(s)://",
    transport: "websocket or webhook",
    encryptKey: "the Encrypt Key (developer console, Events & Callbacks, Encryption Strategy)",
    encryptKeyForWebhook: "an Encrypt Key: without it a webhook cannot tell that a request comes from Feishu",
    verificationToken: "the Verification Token (developer console, Events & Callbacks, Encryption Strategy)",
    openId: "an open_id, which starts with ou_",
    host: "an IP address or a host name",
    port: "a whole number from 0 to 65535 (0 takes any free port)",
    folder: "the path of a folder",
    databaseUrl: "postgresql://…, file:… or the path of an SQLite file",
    zone: "an IANA time zone",
    language: "zh or en",
    url: "an address that starts with http:// or https://",
    profile: "the name of a Hermes profile",
    names: "ids of sessions or chats, or names of sources, with commas between them",
    key: "a key without blanks",
    bridgeToken: "a key of at least 16 characters, without blanks",
    model: "the name of a model",
    modelToo: "the name of the model to use at that address",
    logLevel: "debug, info, warn, error or silent",
    flag: "1 or 0",
    sqliteDriver: "builtin, package or better-sqlite3",
    yaml: "YAML keys and values, the keys being names of variables",
  },
  unknownNear: (variable, near) => `${variable} is not known. Did you mean ${near}? It is ignored.`,
  unknown: (variable) => `${variable} is not known and is ignored. npx herald config lists all variables.`,
  unused: (variable, without) => `${variable} does nothing without ${without}.`,
  appIdForm: (given) =>
    `FEISHU_APP_ID "${given}" does not look like an App ID (cli_ and 16 hex digits); the long connection may refuse it.`,
  devNotLocal: (host) => `HERALD_DEV works on loopback addresses only; HERALD_HOST is ${host}, so it is off.`,
};
