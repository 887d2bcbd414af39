import { type ApiAnswer, ok, Refusal } from "./api-answer.ts";
import type { ApiCall } from "./api-routes.ts";
import { isRecord } from "./card-rules.ts";
import type { PlatformCore } from "./platform-core.ts";

/** `POST auth/v3/tenant_access_token/internal`. A wrong secret gets code 10014 and no token. */
export function tenantToken(core: PlatformCore, call: ApiCall): ApiAnswer {
  const body = isRecord(call.body) ? call.body : {};
  if (body.app_id !== core.app.appId) return { status: 400, body: { code: 10003, msg: "invalid app_id" } };
  if (body.app_secret !== core.app.appSecret) return { status: 400, body: { code: 10014, msg: "app secret invalid" } };
  return { status: 200, body: { code: 0, msg: "ok", ...core.tokens.issue() } };
}

/** `POST /callback/ws/endpoint`: where to open the long connection. Errors carry no `data`, as on the platform. */
export function connectionEndpoint(core: PlatformCore, call: ApiCall): ApiAnswer {
  const body = isRecord(call.body) ? call.body : {};
  if (body.AppID !== core.app.appId || body.AppSecret !== core.app.appSecret)
    return { status: 200, body: { code: 514, msg: "app_id or app_secret is invalid" } };
  if (core.socket.isFull)
    return { status: 200, body: { code: 1000040350, msg: "the number of connections exceeded the limit" } };
  return { status: 200, body: { code: 0, msg: "", data: core.socket.endpoint(call.host) } };
}

/** `GET bot/v3/info`: who the bot is. */
export function botInfo(core: PlatformCore): ApiAnswer {
  if (core.app.bot === false) throw new Refusal(11205, "app do not have bot");
  const bot = {
    activate_status: 2,
    app_name: core.state.bot.name,
    avatar_url: "",
    ip_white_list: [],
    open_id: core.state.bot.openId,
  };
  return { status: 200, body: { code: 0, msg: "ok", bot } };
}

/** `GET im/v1/chats/:id`: `chat_mode` tells p2p from group. */
export function chatInfo(core: PlatformCore, call: ApiCall): ApiAnswer {
  const chat = core.state.chats.get(call.params.chat_id ?? "");
  if (!chat) throw new Refusal(232006, "Invalid chat_id");
  if (!chat.botInside) throw new Refusal(232011, "Operator can NOT be out of the chat.");
  return ok({
    name: chat.type === "p2p" ? "" : chat.name,
    chat_mode: chat.type,
    chat_type: chat.type === "p2p" ? "" : "private",
    chat_status: "normal",
    tenant_key: core.state.tenantKey,
    external: false,
    user_count: String(chat.members.length),
    bot_count: "1",
  });
}

const USUAL_SCOPES: readonly string[] = [
  "im:message",
  "im:message:send_as_bot",
  "im:message.p2p_msg:readonly",
  "im:message.group_at_msg:readonly",
  "im:message:update",
  "im:message:readonly",
  "im:resource",
  "im:chat:readonly",
  "cardkit:card:write",
];

/** `GET application/v6/scopes`: what the tenant has granted; `grant_status` 1 = granted. */
export function grantedScopes(core: PlatformCore): ApiAnswer {
  const granted = core.app.scopes ?? USUAL_SCOPES;
  return ok({ scopes: granted.map((name) => ({ scope_name: name, grant_status: 1, scope_type: "tenant" })) });
}

/** `GET application/v6/applications/:app_id`: as far as it tells which events and callbacks are subscribed. */
export function applicationInfo(core: PlatformCore, call: ApiCall): ApiAnswer {
  if (call.params.app_id !== core.app.appId) throw new Refusal(211002, "app not exist");
  return ok({
    app: {
      app_id: core.app.appId,
      event: { subscription_type: "websocket", subscribed_events: core.app.events ?? ["im.message.receive_v1"] },
      callback_info: {
        callback_type: "websocket",
        subscribed_callbacks: core.app.callbacks ?? ["card.action.trigger"],
      },
    },
  });
}
