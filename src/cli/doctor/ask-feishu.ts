import { z } from "zod";

const TIMEOUT_MS = 8_000;

const tokenReply = z.object({
  code: z.number(),
  msg: z.string().default(""),
  tenant_access_token: z.string().optional(),
});
const botReply = z.object({
  code: z.number(),
  msg: z.string().default(""),
  bot: z
    .object({ open_id: z.string(), app_name: z.string().default(""), activate_status: z.number().optional() })
    .optional(),
});
const scopeReply = z.object({
  code: z.number(),
  data: z
    .object({ scopes: z.array(z.object({ scope_name: z.string(), grant_status: z.number() })).default([]) })
    .optional(),
});
const appReply = z.object({
  code: z.number(),
  data: z
    .object({
      app: z.object({
        callback_info: z
          .object({ subscribed_callbacks: z.array(z.string()).default([]) })
          .partial()
          .optional(),
        event: z
          .object({ subscribed_events: z.array(z.string()).default([]) })
          .partial()
          .optional(),
      }),
    })
    .optional(),
});

export type FeishuAnswers =
  | { reached: false; why: string }
  | {
      reached: true;
      /** the platform's own clock, from its answer's head */
      platformTime: Date | undefined;
      token: { ok: true } | { ok: false; code: number };
      /** undefined when there was no token to ask with */
      bot?: { ok: true; name: string; openId: string } | { ok: false; code: number };
      /** names that are granted; undefined when that could not be asked */
      scopes?: readonly string[];
      /** undefined when the app may not look at its own configuration */
      callbacks?: readonly string[];
      /** the same for events */
      events?: readonly string[];
    };

/**
 * Everything the doctor asks of the platform, with plain calls: the SDK retries and hides what this is about. Never rejects.
 * Feishu: tenant_access_token/internal; bot/v3/info; application/v6/scopes (grant_status 1 = granted);
 * application/v6/applications/:app_id (needs a permission of its own, which most apps do not have).
 */
export async function askFeishu(app: { appId: string; appSecret: string; baseUrl: string }): Promise<FeishuAnswers> {
  const api = `${app.baseUrl}/open-apis`;
  try {
    const answer = await call(`${api}/auth/v3/tenant_access_token/internal`, {
      method: "POST",
      body: JSON.stringify({ app_id: app.appId, app_secret: app.appSecret }),
      headers: { "content-type": "application/json" },
    });
    const token = tokenReply.parse(answer.body);
    const platformTime = answer.date;
    if (token.code !== 0 || token.tenant_access_token === undefined) {
      return { reached: true, platformTime, token: { ok: false, code: token.code } };
    }
    const headers = { authorization: `Bearer ${token.tenant_access_token}` };
    const bot = botReply.parse((await call(`${api}/bot/v3/info`, { headers })).body);
    const scopes = scopeReply.safeParse((await call(`${api}/application/v6/scopes`, { headers })).body);
    const own = appReply.safeParse(
      (await call(`${api}/application/v6/applications/${app.appId}?lang=zh_cn`, { headers })).body,
    );
    return {
      reached: true,
      platformTime,
      token: { ok: true },
      bot:
        bot.bot === undefined
          ? { ok: false, code: bot.code }
          : { ok: true, name: bot.bot.app_name, openId: bot.bot.open_id },
      ...(scopes.data?.data && {
        scopes: scopes.data.data.scopes.filter((scope) => scope.grant_status === 1).map((scope) => scope.scope_name),
      }),
      ...(own.data?.data?.app.callback_info?.subscribed_callbacks && {
        callbacks: own.data.data.app.callback_info.subscribed_callbacks,
      }),
      ...(own.data?.data?.app.event?.subscribed_events && { events: own.data.data.app.event.subscribed_events }),
    };
  } catch (error) {
    return { reached: false, why: reason(error) };
  }
}

async function call(url: string, init: RequestInit): Promise<{ body: unknown; date: Date | undefined }> {
  const response = await fetch(url, { ...init, redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) });
  const date = new Date(response.headers.get("date") ?? "");
  const body: unknown = await response.json().catch(() => ({}));
  return { body, date: Number.isNaN(date.getTime()) ? undefined : date };
}

/** Why nobody answered, in a word or two; never an address with something secret in it. */
function reason(error: unknown): string {
  const cause = (error as { cause?: { code?: unknown } }).cause?.code;
  if (typeof cause === "string") return cause;
  return error instanceof Error ? error.name : "unknown";
}
