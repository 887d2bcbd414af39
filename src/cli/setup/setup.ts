import { join, resolve } from "node:path";
import { parse as parseDotenv } from "dotenv";
import { larkClient } from "../../bot/lark-client.ts";
import { type Config, type ConfigInput, type FeishuConfig, readConfig, terminalLanguage } from "../../config.ts";
import { isZone } from "../../config-schema.ts";
import { readBridgeToken } from "../../hermes-bridge/bridge-token.ts";
import { lastBridgeUrl } from "../../hermes-bridge/bridge-url.ts";
import { pingBridge } from "../../hermes-bridge/ping-bridge.ts";
import { createLog } from "../../log.ts";
import { StartRefused } from "../../start-refused.ts";
import { LANGUAGES, type Language, type Texts, textsFor } from "../../text/pick.ts";
import { checkApi, checkRival } from "../doctor/check-hermes.ts";
import { presentFindings } from "../doctor/present-findings.ts";
import { hermesInstall } from "../hermes.ts";
import { type AppOptions, askApp, askCredentials, type ChosenApp, checkApp } from "./ask-app.ts";
import { type Ear, openEar } from "./ear.ts";
import { editEnv } from "./edit-env.ts";
import { findHermes } from "./find-hermes.ts";
import { pairByCode } from "./pair-by-code.ts";
import { readYes } from "./read-yes.ts";
import type { Register } from "./register-by-qr.ts";
import { SetupStopped, type Terminal } from "./terminal.ts";
import { testCard } from "./test-card.ts";
import { readEnvFile, writeEnvFile } from "./write-env.ts";

export interface SetupOptions extends AppOptions {
  owner?: string | undefined;
  hermesHome?: string | undefined;
  plugin?: boolean | undefined;
  zone?: string | undefined;
  language?: string | undefined;
  test?: boolean | undefined;
}

export interface SetupParts {
  terminal: Terminal;
  options: SetupOptions;
  /** where `.env` is, and the rest a configuration is read from */
  place: Omit<ConfigInput, "dotenv">;
  now: () => Date;
  register?: Register;
  /** how long somebody is waited for */
  waitMs?: number;
}

const OPEN_ID = /^ou_\w+$/;

/**
 * `herald setup`. Nothing is written before the last question is answered; then `.env` changes whole or not at all.
 * @returns exit code: 0 all is well · 1 something is still to be mended
 * @throws StartRefused · ConfigError (another variable is wrong) · SetupStopped
 */
export async function setup(parts: SetupParts): Promise<0 | 1> {
  const { terminal, options, place, now } = parts;
  const path = join(place.cwd, ".env");
  const before = readEnvFile(path) ?? "";
  const known = { ...parseDotenv(before), ...filled(place.env) };
  const changes: Record<string, string> = {};
  // What was chosen here holds from now on, whatever the environment says.
  const configured = (): Config => {
    const env = Object.fromEntries(Object.entries(place.env).filter(([name]) => changes[name] === undefined));
    return readConfig({ ...place, env, dotenv: editEnv(before, changes) }).config;
  };

  const language = await askLanguage(terminal, known, options.language, place.env);
  changes.HERALD_LANGUAGE = language;
  const texts = textsFor(language);
  const { setup: t } = texts;
  if (terminal.interactive) terminal.say(t.hello, "");

  const app = await askApp({ terminal, texts, known, options, register: parts.register });
  let mended = true;
  let ear: Ear | undefined;
  try {
    let feishu: FeishuConfig | undefined;
    if (app !== undefined) {
      Object.assign(changes, app.values);
      const checked = await settleApp(parts, texts, { app, known, changes, configured });
      feishu = checked.feishu;
      mended = checked.fine;
      ear = await listen(parts, configured(), feishu, t);
      const owner = await settleOwner(parts, t, { app, known, feishu, ear });
      if (owner !== undefined) changes.HERALD_OWNER_OPEN_ID = owner;
    }
    const plugin = await settleHermes(parts, texts, { known, changes, configured });
    changes.HERALD_TIME_ZONE = await terminal.ask({
      text: t.askZone,
      fallback: known.HERALD_TIME_ZONE || place.hostZone || "UTC",
      given: options.zone,
      read: (answer) => (isZone(answer) ? answer : undefined),
      wrong: t.wrongZone,
    });
    const config = configured();
    const write = await terminal.ask({ text: t.askWrite(path), fallback: "y", read: readYes, wrong: t.wrongYes });
    if (!write) throw new SetupStopped();
    writeNow(parts, t, path, editEnv(before, changes));
    for (const [name, value] of Object.entries(changes)) {
      const outside = place.env[name];
      if (outside && outside !== value) terminal.say(t.envWins(name));
    }
    if (plugin) {
      const installed = await hermesInstall(config, undefined);
      terminal.say(...installed.lines);
      mended &&= installed.ok;
    }
    if (feishu !== undefined && ear !== undefined && config.ownerOpenId !== undefined && (await wantsTest(parts, t))) {
      const lark = larkClient(feishu, createLog({ level: "silent" }));
      const ownerOpenId = config.ownerOpenId;
      const came = await testCard({ terminal, t, ear, lark, ownerOpenId, now }, parts.waitMs);
      mended &&= came;
    }
    terminal.say("", t.next, `  ${t.nextStart}`, `  ${t.nextDoctor}`);
    if (feishu !== undefined && config.ownerOpenId === undefined) terminal.say(`  ${t.nextPair}`);
    if (config.llm.length === 0) terminal.say(`  ${t.nextModel}`);
    return mended ? 0 : 1;
  } catch (error) {
    if (app?.made) terminal.say("", t.appLeft(app.values.FEISHU_APP_ID));
    throw error;
  } finally {
    await ear?.close();
  }
}

/** Checks the app until its credentials are right. @throws StartRefused without a terminal, when they are wrong */
async function settleApp(
  { terminal, now }: SetupParts,
  texts: Texts,
  about: {
    app: ChosenApp;
    known: Readonly<Record<string, string | undefined>>;
    changes: Record<string, string>;
    configured: () => Config;
  },
): Promise<{ feishu: FeishuConfig; fine: boolean }> {
  const { setup: t, doctor } = texts;
  for (;;) {
    const config = about.configured();
    const { feishu } = config;
    if (feishu === undefined) throw new StartRefused(t.wrongAppId, 2);
    const rival = checkRival(config);
    if (rival.state === "fail") {
      terminal.say(t.sameApp(String(rival.facts.file)));
      const read = readYes;
      const anyway = await terminal.ask({ text: t.useAnyway, fallback: "n", read, wrong: t.wrongYes });
      if (!anyway) {
        if (!terminal.interactive) throw new StartRefused(doctor.problem.sameApp.todo(rival.facts), 1);
        Object.assign(about.changes, await askCredentials(terminal, t, {}, {}));
        continue;
      }
    }
    const { findings, refused } = await checkApp(terminal, texts, feishu, now);
    if (!refused)
      return { feishu, fine: findings.every((finding) => finding.state !== "fail") && rival.state !== "fail" };
    if (!terminal.interactive) throw new StartRefused(t.wrongSecret, 1);
    terminal.say(t.refusedAgain);
    Object.assign(about.changes, await askCredentials(terminal, t, { FEISHU_APP_ID: feishu.appId }, {}));
  }
}

/** A connection of our own, unless somebody else would share it. */
async function listen(
  { terminal, options }: SetupParts,
  config: Config,
  feishu: FeishuConfig,
  t: Texts["setup"],
): Promise<Ear | undefined> {
  if (!terminal.interactive && options.test !== true) return undefined;
  if (feishu.transport === "webhook") {
    terminal.say(t.webhookOnly);
    return undefined;
  }
  const url = lastBridgeUrl(config.dataDir);
  const token = config.bridgeToken ?? readBridgeToken(config.dataDir);
  if (url !== undefined && token !== undefined && (await pingBridge(url, token)) === "ok") {
    terminal.say(t.alreadyRuns);
    return undefined;
  }
  const ear = await openEar(feishu, createLog({ level: "silent" }), terminal.gone);
  if (terminal.gone.aborted) throw new SetupStopped();
  if (ear === undefined) terminal.say(t.notConnected);
  return ear;
}

/** The owner's open_id; undefined when nobody is known yet: then the running server pairs with a code. */
async function settleOwner(
  { terminal, options, waitMs }: SetupParts,
  t: Texts["setup"],
  about: {
    app: ChosenApp;
    known: Readonly<Record<string, string | undefined>>;
    feishu: FeishuConfig;
    ear: Ear | undefined;
  },
): Promise<string | undefined> {
  const { app, known, feishu, ear } = about;
  if (app.ownerOpenId !== undefined && options.owner === undefined) {
    terminal.say(t.ownerIs(app.ownerOpenId));
    return app.ownerOpenId;
  }
  // An open_id belongs to one app: the owner of another one is nobody here.
  const sameApp = known.FEISHU_APP_ID === feishu.appId || known.FEISHU_APP_ID === undefined;
  const configured = sameApp ? known.HERALD_OWNER_OPEN_ID : undefined;
  const typed = await terminal.ask({
    text: configured === undefined ? t.askOwner : t.keepOwner,
    fallback: configured ?? "",
    given: options.owner,
    read: (answer) => (answer === "" || OPEN_ID.test(answer) ? answer : undefined),
    wrong: t.wrongOwner,
  });
  if (typed !== "" || ear === undefined || !terminal.interactive) return typed || undefined;
  const lark = larkClient(feishu, createLog({ level: "silent" }));
  const owner = await pairByCode({ terminal, t, ear, lark }, waitMs);
  if (terminal.gone.aborted) throw new SetupStopped();
  return owner;
}

/** Home, API server and key. @returns whether the plugin is to be installed */
async function settleHermes(
  { terminal, options, place }: SetupParts,
  texts: Texts,
  about: {
    known: Readonly<Record<string, string | undefined>>;
    changes: Record<string, string>;
    configured: () => Config;
  },
): Promise<boolean> {
  const { setup: t } = texts;
  const { known, changes, configured } = about;
  const untilde = (answer: string): string =>
    resolve(place.cwd, /^~(?=\/|$)/.test(answer) ? join(place.home, answer.slice(1)) : answer);
  const usual = known.HERMES_HOME || "~/.hermes";
  const home = await terminal.ask({
    text: t.askHome,
    fallback: findHermes(untilde(usual)) === undefined ? "-" : usual,
    given: options.hermesHome,
    read: (answer) =>
      answer === "-" || (answer !== "" && findHermes(untilde(answer)) !== undefined) ? answer : undefined,
    wrong: t.wrongHome,
  });
  const found = home === "-" ? undefined : findHermes(untilde(home));
  if (found === undefined) {
    terminal.say(t.noHermes);
    return false;
  }
  changes.HERMES_HOME = home;
  terminal.say(t.foundHermes(found.home, found.hasStore));
  if (found.api.enabled && found.api.key !== undefined) {
    changes.HERMES_API_URL = known.HERMES_API_URL || found.api.url;
    changes.HERMES_API_KEY = found.api.key;
    terminal.say(...presentFindings([await checkApi(configured())], texts.doctor).slice(0, -2));
  } else if (!known.HERMES_API_URL) {
    terminal.say(t.noApiKey(found.home));
  }
  return terminal.ask({
    text: t.askPlugin,
    fallback: "y",
    given: options.plugin === false ? "n" : undefined,
    read: readYes,
    wrong: t.wrongYes,
  });
}

async function wantsTest({ terminal, options }: SetupParts, t: Texts["setup"]): Promise<boolean> {
  const given = options.test === undefined ? undefined : options.test ? "y" : "n";
  return terminal.ask({
    text: t.askTest,
    fallback: terminal.interactive ? "y" : "n",
    given,
    read: readYes,
    wrong: t.wrongYes,
  });
}

function writeNow({ terminal, now }: SetupParts, t: Texts["setup"], path: string, text: string): void {
  const same = readEnvFile(path) === text;
  const backup = writeEnvFile(path, text, now());
  terminal.say(same ? t.unchangedFile(path) : t.written(path));
  if (backup !== undefined) terminal.say(t.backup(backup));
}

function askLanguage(
  terminal: Terminal,
  known: Readonly<Record<string, string | undefined>>,
  wished: string | undefined,
  env: ConfigInput["env"],
): Promise<Language> {
  const fallback = terminalLanguage({}, { ...env, HERALD_LANGUAGE: known.HERALD_LANGUAGE });
  const { setup: t } = textsFor(fallback);
  return terminal.ask({
    text: t.askLanguage,
    fallback,
    given: wished,
    read: (answer) => LANGUAGES.find((language) => language === answer.toLowerCase()),
    wrong: t.wrongLanguage,
  });
}

/** A variable that is set to nothing counts as not set. */
function filled(env: ConfigInput["env"]): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
}
