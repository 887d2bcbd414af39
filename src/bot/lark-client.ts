import { setTimeout as sleep } from "node:timers/promises";
import * as sdk from "@larksuiteoapi/node-sdk";
import { z } from "zod";
import type { Log } from "../engine/ports.ts";
import { cleanOutgoing } from "./clean-outgoing.ts";
import { type BotInfo, type Lark, LarkError, type Outgoing, type Recipient, type SentMessage } from "./lark.ts";
import type { Call } from "./lark-call.ts";
import { cardCalls } from "./lark-card-calls.ts";
import { cardSubCode, larkErrorKind } from "./lark-errors.ts";
import { fileCalls } from "./lark-file-calls.ts";
import { Pace } from "./pace.ts";
import { quietSdkLogger } from "./quiet-sdk-logger.ts";

/** How long one HTTP call may take. The SDK sets no time-out of its own. */
export const CALL_TIMEOUT_MS = 10_000;
/** The same for a call that carries a file of up to 30 MB. */
const FILE_TIMEOUT_MS = 60_000;
/** Tries of one call within one sweep; what still fails is put off by the sweep. */
const MOST_TRIES = 3;
/** Longest wait between two tries here; a longer pause is left to the sweep, so that other chats go on. */
const LONGEST_WAIT_MS = 10_000;
/** Feishu: ids are put into paths as they are, so only what looks like an id may go there. */
const ID = /^(om|oc|ou|on|omt)_[A-Za-z0-9_-]{1,64}$/;

export interface LarkSettings {
  appId: string;
  appSecret: string;
  /** https://open.feishu.cn, https://open.larksuite.com, or another base URL */
  baseUrl: string;
}

const answer = z.looseObject({ code: z.number().optional(), msg: z.string().optional(), data: z.unknown().optional() });
const sentData = z.object({ message_id: z.string(), chat_id: z.string() });
const listData = z.object({
  items: z
    .array(
      z.object({
        message_id: z.string(),
        msg_type: z.string(),
        deleted: z.boolean().default(false),
        sender: z.object({ id: z.string(), sender_type: z.string() }),
      }),
    )
    .default([]),
});
const botData = z.object({ bot: z.object({ open_id: z.string(), app_name: z.string().default("") }) });

/** The Lark port on the official SDK, with what the SDK lacks: time-outs, pacing, retries, a fresh token after a refusal. */
export function larkClient(settings: LarkSettings, log: Log): Lark {
  const tokens = forgetfulCache();
  const http = axiosWithTimeout();
  const client = new sdk.Client({
    appId: settings.appId,
    appSecret: settings.appSecret,
    domain: settings.baseUrl,
    cache: tokens,
    httpInstance: http,
    logger: quietSdkLogger(log),
    loggerLevel: sdk.LoggerLevel.warn,
  });
  const pace = new Pace({ nowMs: () => performance.now(), sleep: (ms) => sleep(ms) });

  async function once(call: Call): Promise<unknown> {
    try {
      const got: unknown = await client.request({
        method: call.method,
        url: call.path,
        ...(call.params === undefined ? {} : { params: call.params }),
        ...(call.data === undefined ? {} : { data: call.data }),
        ...(call.form && { headers: { "Content-Type": "multipart/form-data" }, timeout: FILE_TIMEOUT_MS }),
        ...(call.file && { responseType: "stream", $return_headers: true, timeout: FILE_TIMEOUT_MS }),
      });
      if (call.file) return got;
      const body = answer.parse(got);
      if (body.code !== undefined && body.code !== 0) throw refused(call.name, body.code, body.msg ?? "", 200, {});
      return body;
    } catch (error) {
      if (error instanceof LarkError) throw error;
      if (call.file) await readRefusal(error);
      throw fromHttp(call.name, error);
    }
  }

  async function perform(call: Call): Promise<unknown> {
    let freshToken = false;
    for (let attempt = 1; ; attempt++) {
      try {
        return await pace.run(call.paceKey, () => once(call));
      } catch (error) {
        if (!(error instanceof LarkError)) throw error;
        if (error.kind === "token" && !freshToken) {
          freshToken = true;
          tokens.forget();
          continue;
        }
        if (error.kind === "too_fast" && error.retryAfterMs !== undefined) pace.pauseFor(error.retryAfterMs);
        const again = error.kind === "too_fast" || (error.kind === "try_again" && call.repeatable);
        const waitMs = error.retryAfterMs ?? 300 * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
        if (!again || attempt >= MOST_TRIES || waitMs > LONGEST_WAIT_MS) throw error;
        log.debug("lark.retry", { method: call.name, code: error.code, attempt, waitMs: Math.round(waitMs) });
        await sleep(waitMs);
      }
    }
  }

  function sent(body: unknown): SentMessage {
    const data = sentData.parse(answer.parse(body).data);
    return { messageId: data.message_id, chatId: data.chat_id };
  }

  return {
    ...cardCalls(perform),
    ...fileCalls(perform),
    async send(to, message, uuid): Promise<SentMessage> {
      const [type, id] = recipient(to);
      return sent(
        await perform({
          method: "POST",
          name: "message.create",
          path: "/open-apis/im/v1/messages",
          params: { receive_id_type: type },
          data: { receive_id: checkId("message.create", id), ...messageBody(message), uuid },
          repeatable: true,
          paceKey: id,
        }),
      );
    },
    async reply(messageId, message, uuid, inThread): Promise<SentMessage> {
      return sent(
        await perform({
          method: "POST",
          name: "message.reply",
          path: `/open-apis/im/v1/messages/${checkId("message.reply", messageId)}/reply`,
          data: { ...messageBody(message), uuid, ...(inThread ? { reply_in_thread: true } : {}) },
          repeatable: true,
          paceKey: messageId,
        }),
      );
    },
    async patch(messageId, card): Promise<void> {
      await perform({
        method: "PATCH",
        name: "message.patch",
        path: `/open-apis/im/v1/messages/${checkId("message.patch", messageId)}`,
        data: { content: JSON.stringify(cleanOutgoing(card)) },
        repeatable: true,
        paceKey: messageId,
      });
    },
    async chatType(chatId): Promise<"p2p" | "group"> {
      const body = await perform({
        method: "GET",
        name: "chat.get",
        path: `/open-apis/im/v1/chats/${checkId("chat.get", chatId)}`,
        repeatable: true,
        paceKey: "chat.get",
      });
      const data = z.object({ chat_mode: z.string() }).parse(answer.parse(body).data);
      return data.chat_mode === "p2p" ? "p2p" : "group";
    },
    async botInfo(): Promise<BotInfo> {
      const body = await perform({
        method: "GET",
        name: "bot.info",
        path: "/open-apis/bot/v3/info",
        repeatable: true,
        paceKey: "bot.info",
      });
      const { bot } = botData.parse(body);
      return { openId: bot.open_id, name: bot.app_name };
    },
    async ownMessages(chatId, from, until): Promise<readonly { messageId: string; isCard: boolean }[]> {
      const seconds = (at: Date): string => String(Math.floor(at.getTime() / 1000));
      const body = await perform({
        method: "GET",
        name: "message.list",
        path: "/open-apis/im/v1/messages",
        params: {
          container_id_type: "chat",
          container_id: checkId("message.list", chatId),
          start_time: seconds(from),
          end_time: seconds(until),
          page_size: "50",
        },
        repeatable: true,
        paceKey: "message.list",
      });
      const { items } = listData.parse(answer.parse(body).data);
      return items
        .filter((item) => !item.deleted && item.sender.sender_type === "app" && item.sender.id === settings.appId)
        .map((item) => ({ messageId: item.message_id, isCard: item.msg_type === "interactive" }));
    },
  };
}

function recipient(to: Recipient): ["open_id" | "chat_id", string] {
  return "openId" in to ? ["open_id", to.openId] : ["chat_id", to.chatId];
}

function messageBody(message: Outgoing): { msg_type: string; content: string } {
  return { msg_type: message.type, content: JSON.stringify(cleanOutgoing(message.content)) };
}

function checkId(method: string, id: string): string {
  if (ID.test(id)) return id;
  throw new LarkError({ method, kind: "bug", message: "not an id of the platform" });
}

function refused(
  method: string,
  code: number,
  msg: string,
  status: number | undefined,
  headers: Record<string, unknown>,
): LarkError {
  const kind = larkErrorKind(code, msg, status);
  const resetS = Number(headers["x-ogw-ratelimit-reset"]);
  return new LarkError({
    method,
    code,
    kind,
    subCode: code === 230099 ? cardSubCode(msg) : undefined,
    retryAfterMs: kind === "too_fast" && Number.isFinite(resetS) && resetS > 0 ? resetS * 1000 : undefined,
    inDoubt: kind === "try_again",
    logId: typeof headers["x-tt-logid"] === "string" ? headers["x-tt-logid"] : undefined,
    message: msg,
  });
}

const httpError = z.object({
  code: z.string().optional(),
  message: z.string().optional(),
  response: z
    .object({
      status: z.number(),
      data: z.unknown().optional(),
      headers: z.unknown().optional(),
    })
    .optional(),
});

/** What axios throws → LarkError. Nothing of the request (token, text) is taken over. */
function fromHttp(method: string, error: unknown): LarkError {
  const parsed = httpError.safeParse(error);
  const response = parsed.data?.response;
  const body = answer.safeParse(response?.data).data;
  const headers = Object.fromEntries(Object.entries((response?.headers ?? {}) as object)) as Record<string, unknown>;
  if (body?.code !== undefined) return refused(method, body.code, body.msg ?? "", response?.status, headers);
  // The SDK throws a bare Error with the platform's code in its text when no token was given out.
  const tokenCode = /failed to get tenant_access_token.*?code:?\s*(\d+)/i.exec(parsed.data?.message ?? "")?.[1];
  if (tokenCode !== undefined)
    return new LarkError({
      method,
      kind: "not_allowed",
      code: Number(tokenCode),
      message: "no access token: check App ID and App Secret",
    });
  return new LarkError({
    method,
    kind: larkErrorKind(undefined, "", response?.status),
    inDoubt: true,
    message: `no usable answer (${parsed.data?.code ?? response?.status ?? "network"})`,
  });
}

const REFUSAL_BYTES = 16_000;

/** Where a file was asked for, the words of a refusal come as a stream, too: they are put where they always stand. */
async function readRefusal(error: unknown): Promise<void> {
  const { response } = error as { response?: { data?: unknown } };
  const stream = response?.data as AsyncIterable<Uint8Array> | undefined;
  if (response === undefined || typeof stream?.[Symbol.asyncIterator] !== "function") return;
  let text = "";
  try {
    for await (const part of stream) if (text.length < REFUSAL_BYTES) text += Buffer.from(part).toString("utf8");
    response.data = JSON.parse(text);
  } catch {
    response.data = undefined;
  }
}

/** A token cache whose content can be dropped: the SDK itself goes on using a refused token until it ends. */
function forgetfulCache(): sdk.Cache & { forget(): void } {
  const kept = new Map<string, { value: unknown; until: number }>();
  const keyOf = (key: string | symbol, namespace?: string): string => `${namespace ?? ""}:${String(key)}`;
  return {
    set: async (key, value, expire, options): Promise<boolean> => {
      kept.set(keyOf(key as string, options?.namespace), { value, until: expire ?? Number.POSITIVE_INFINITY });
      return true;
    },
    get: async (key, options): Promise<unknown> => {
      const found = kept.get(keyOf(key as string, options?.namespace));
      return found !== undefined && found.until > Date.now() ? found.value : undefined;
    },
    forget: (): void => kept.clear(),
  };
}

/** The SDK's own HTTP instance, copied and given a time-out: `create` keeps its defaults, the interceptor returns the body. */
function axiosWithTimeout(): sdk.HttpInstance {
  const instance = sdk.defaultHttpInstance.create({ timeout: CALL_TIMEOUT_MS });
  instance.interceptors.response.use((response) => {
    const wantsHeaders = (response.config as { $return_headers?: boolean }).$return_headers;
    return wantsHeaders ? { data: response.data, headers: response.headers } : response.data;
  });
  return instance as unknown as sdk.HttpInstance;
}
