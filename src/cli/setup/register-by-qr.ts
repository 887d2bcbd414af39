import { registerApp } from "@larksuiteoapi/node-sdk";
import { renderUnicodeCompact } from "uqr";
import type { Texts } from "../../text/pick.ts";
import { VERSION } from "../../version.ts";
import { appPreset } from "./app-preset.ts";
import { SetupStopped, type Terminal } from "./terminal.ts";

export interface NewApp {
  appId: string;
  appSecret: string;
  domain: "feishu" | "lark";
  /** of the person who scanned, as the new app knows them */
  ownerOpenId?: string;
}

/** The platform's registration, or a test's. */
export type Register = typeof registerApp;

/** The platform's way of saying no, by its word. */
const problem = (error: unknown): string =>
  typeof (error as { code?: unknown } | null)?.code === "string" ? (error as { code: string }).code : "unknown";

/**
 * Makes an app by letting somebody scan a code (Feishu: app registration by device flow; the code is good for 10 minutes,
 * for one person). The app comes with bot, permissions, events and callback.
 * @returns undefined when it came to nothing; why was said
 * @throws SetupStopped when the person at the terminal left
 */
export async function registerByQr(
  terminal: Terminal,
  t: Texts["setup"],
  register: Register = registerApp,
): Promise<NewApp | undefined> {
  try {
    const result = await register({
      source: `herald-${VERSION}`,
      createOnly: true,
      appPreset: { name: "Herald", desc: t.appDescription },
      addons: appPreset(),
      signal: terminal.gone,
      onQRCodeReady: ({ url, expireIn }) => {
        terminal.say(
          "",
          t.scan(Math.round(expireIn / 60)),
          "",
          renderUnicodeCompact(url, { ecc: "L", border: 2 }),
          url,
          "",
        );
        terminal.say(t.waitingForScan);
      },
      onStatusChange: ({ status }) => {
        if (status === "domain_switched") terminal.say(t.lark);
      },
    });
    const { open_id: openId, tenant_brand: brand } = result.user_info ?? {};
    return {
      appId: result.client_id,
      appSecret: result.client_secret,
      domain: brand === "lark" ? "lark" : "feishu",
      ...(openId !== undefined && openId !== "" && { ownerOpenId: openId }),
    };
  } catch (error) {
    if (terminal.gone.aborted) throw new SetupStopped();
    const code = problem(error);
    terminal.say(
      code === "access_denied" ? t.scanDenied : code === "expired_token" ? t.scanExpired : t.scanFailed(code),
    );
    return undefined;
  }
}
