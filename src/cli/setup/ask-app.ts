import type { FeishuConfig } from "../../config.ts";
import { StartRefused } from "../../start-refused.ts";
import type { Texts } from "../../text/pick.ts";
import { checkFeishu } from "../doctor/check-feishu.ts";
import type { Finding } from "../doctor/finding.ts";
import { presentFindings } from "../doctor/present-findings.ts";
import { readYes } from "./read-yes.ts";
import { type Register, registerByQr } from "./register-by-qr.ts";
import type { Terminal } from "./terminal.ts";

export interface AppOptions {
  scan?: boolean | undefined;
  appId?: string | undefined;
  domain?: string | undefined;
}

export interface ChosenApp {
  values: { FEISHU_APP_ID: string; FEISHU_APP_SECRET: string; FEISHU_DOMAIN: string };
  /** made just now, and lost from sight when nothing is written */
  made: boolean;
  ownerOpenId?: string;
}

type Words = Pick<Texts, "setup" | "doctor">;

const isUrl = (value: string): boolean => /^https?:\/\/[^\s/]+/i.test(value) && URL.canParse(value);

/**
 * Which app: the one configured, a new one by scanning, or one that is typed in. Undefined = none (playground).
 * @param known values configured until now
 */
export async function askApp({
  terminal,
  texts,
  known,
  options,
  register,
}: {
  terminal: Terminal;
  texts: Words;
  known: Readonly<Record<string, string | undefined>>;
  options: AppOptions;
  register: Register | undefined;
}): Promise<ChosenApp | undefined> {
  const { setup: t } = texts;
  const { FEISHU_APP_ID: id, FEISHU_APP_SECRET: secret, FEISHU_DOMAIN: domain = "feishu" } = known;
  if (id && secret && options.appId === undefined && !options.scan) {
    const keep = await terminal.ask({ text: t.keepApp(id), fallback: "y", read: readYes, wrong: t.wrongYes });
    if (keep)
      return {
        values: { FEISHU_APP_ID: id, FEISHU_APP_SECRET: secret, FEISHU_DOMAIN: options.domain ?? domain },
        made: false,
      };
  }
  for (;;) {
    const way = await terminal.ask({
      text: t.askWay,
      // Nobody at a terminal can scan only when it was asked for.
      fallback: terminal.interactive ? "1" : "3",
      given: options.appId !== undefined ? "2" : options.scan ? "1" : undefined,
      read: (answer) => (["1", "2", "3"].includes(answer) ? answer : undefined),
      wrong: t.wrongWay,
    });
    if (way === "3") return undefined;
    if (way === "2") return { values: await askCredentials(terminal, t, known, options), made: false };
    const made = await registerByQr(terminal, t, register);
    if (made !== undefined) {
      terminal.say(t.registered(made.appId));
      const values = {
        FEISHU_APP_ID: made.appId,
        FEISHU_APP_SECRET: made.appSecret,
        FEISHU_DOMAIN: options.domain ?? made.domain,
      };
      return { values, made: true, ...(made.ownerOpenId && { ownerOpenId: made.ownerOpenId }) };
    }
    if (!terminal.interactive) throw new StartRefused(t.wrongAppId, 1);
    options = {};
  }
}

/** App ID, secret and domain from the person at the terminal. */
export async function askCredentials(
  terminal: Terminal,
  t: Texts["setup"],
  known: Readonly<Record<string, string | undefined>>,
  options: AppOptions,
): Promise<ChosenApp["values"]> {
  const domain = await terminal.ask({
    text: t.askDomain,
    fallback: known.FEISHU_DOMAIN || "feishu",
    given: options.domain,
    read: (answer) => (answer === "feishu" || answer === "lark" || isUrl(answer) ? answer : undefined),
    wrong: t.wrongDomain,
  });
  const appId = await terminal.ask({
    text: t.askAppId,
    fallback: known.FEISHU_APP_ID,
    given: options.appId,
    read: (answer) => (/^cli_\w+$/.test(answer) ? answer : undefined),
    wrong: t.wrongAppId,
  });
  const secret = await terminal.ask({
    text: t.askSecret,
    fallback: known.FEISHU_APP_SECRET,
    shown: known.FEISHU_APP_SECRET ? t.unchanged : undefined,
    secret: true,
    read: (answer) => (/^\S{8,}$/.test(answer) ? answer : undefined),
    wrong: t.wrongSecret,
  });
  return { FEISHU_APP_ID: appId, FEISHU_APP_SECRET: secret, FEISHU_DOMAIN: domain };
}

/**
 * Checks credentials, bot, permissions, events and callbacks, says what is wrong and where to mend it, and looks again as
 * often as the person likes. @returns the last findings; `refused`: the credentials themselves are wrong
 */
export async function checkApp(
  terminal: Terminal,
  texts: Words,
  feishu: FeishuConfig,
  now: () => Date,
): Promise<{ findings: readonly Finding[]; refused: boolean }> {
  for (;;) {
    terminal.say(texts.setup.checking);
    const findings = await checkFeishu(feishu, now);
    terminal.say(...presentFindings(findings, texts.doctor).slice(0, -2));
    const failed = findings.filter((finding) => finding.state === "fail");
    const refused = failed.some((finding) => "problem" in finding && finding.problem === "feishuRefused");
    if (failed.length === 0 || refused || !terminal.interactive) return { findings, refused };
    const again = await terminal.ask({
      text: texts.setup.askAgain,
      fallback: "",
      read: (answer) => (answer === "" ? true : /^s$/i.test(answer) ? false : undefined),
      wrong: texts.setup.wrongAgain,
    });
    if (!again) return { findings, refused };
  }
}
