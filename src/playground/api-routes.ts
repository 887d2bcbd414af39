import type { ApiAnswer } from "./api-answer.ts";
import {
  addCardElements,
  changeCardElement,
  createCard,
  removeCardElement,
  runCardBatch,
  setCardSettings,
  streamCardText,
  updateCard,
} from "./cardkit-calls.ts";
import { updateCardLater } from "./delayed-update.ts";
import { downloadResource, uploadFile, uploadImage } from "./file-calls.ts";
import { listMessages } from "./list-messages.ts";
import { createMessage, editMessage, getMessage, patchCard, recallMessage, replyMessage } from "./message-calls.ts";
import type { FaultApi } from "./page-api.ts";
import {
  applicationInfo,
  botInfo,
  chatInfo,
  connectionEndpoint,
  grantedScopes,
  tenantToken,
} from "./platform-calls.ts";
import type { PlatformCore } from "./platform-core.ts";
import { addReaction, removeReaction } from "./reaction-calls.ts";

/** One call of the open platform, parsed as far as all calls have it in common. */
export type ApiCall = {
  /** Values of the path's `:name` parts. */
  params: Record<string, string>;
  query: URLSearchParams;
  /** Parsed JSON; undefined when there was none. */
  body: unknown;
  raw: Buffer;
  contentType: string;
  /** `host:port` the call came to. */
  host: string;
};

export type ApiRoute = {
  api: Exclude<FaultApi, "any">;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  /** Needs a tenant access token. */
  token: boolean;
  answer: (core: PlatformCore, call: ApiCall) => ApiAnswer | Promise<ApiAnswer>;
};

const IM = "/open-apis/im/v1";
const CARDS = "/open-apis/cardkit/v1/cards";

/** Every call the stand-in knows, and nothing else: others answer 404 as the platform does. */
const API_ROUTES: readonly ApiRoute[] = [
  open("token", "POST", "/open-apis/auth/v3/tenant_access_token/internal", tenantToken),
  open("ws.endpoint", "POST", "/callback/ws/endpoint", connectionEndpoint),
  guarded("message.create", "POST", `${IM}/messages`, createMessage),
  guarded("message.reply", "POST", `${IM}/messages/:message_id/reply`, replyMessage),
  guarded("message.patch", "PATCH", `${IM}/messages/:message_id`, patchCard),
  guarded("message.update", "PUT", `${IM}/messages/:message_id`, editMessage),
  guarded("message.delete", "DELETE", `${IM}/messages/:message_id`, recallMessage),
  guarded("message.get", "GET", `${IM}/messages/:message_id`, getMessage),
  guarded("message.list", "GET", `${IM}/messages`, listMessages),
  guarded("message.resource", "GET", `${IM}/messages/:message_id/resources/:file_key`, downloadResource),
  guarded("reaction.create", "POST", `${IM}/messages/:message_id/reactions`, addReaction),
  guarded("reaction.delete", "DELETE", `${IM}/messages/:message_id/reactions/:reaction_id`, removeReaction),
  guarded("image.create", "POST", `${IM}/images`, uploadImage),
  guarded("file.create", "POST", `${IM}/files`, uploadFile),
  guarded("chat.get", "GET", `${IM}/chats/:chat_id`, chatInfo),
  guarded("bot.info", "GET", "/open-apis/bot/v3/info", botInfo),
  guarded("scope.list", "GET", "/open-apis/application/v6/scopes", grantedScopes),
  guarded("application.get", "GET", "/open-apis/application/v6/applications/:app_id", applicationInfo),
  guarded("card.update", "POST", "/open-apis/interactive/v1/card/update", updateCardLater),
  guarded("cardkit.create", "POST", CARDS, createCard),
  guarded("cardkit.update", "PUT", `${CARDS}/:card_id`, updateCard),
  guarded("cardkit.settings", "PATCH", `${CARDS}/:card_id/settings`, setCardSettings),
  guarded("cardkit.batch_update", "POST", `${CARDS}/:card_id/batch_update`, runCardBatch),
  guarded("cardkit.element", "POST", `${CARDS}/:card_id/elements`, addCardElements),
  guarded("cardkit.element", "PUT", `${CARDS}/:card_id/elements/:element_id`, changeCardElement("replace")),
  guarded("cardkit.element", "PATCH", `${CARDS}/:card_id/elements/:element_id`, changeCardElement("merge")),
  guarded("cardkit.element", "DELETE", `${CARDS}/:card_id/elements/:element_id`, removeCardElement),
  guarded("cardkit.content", "PUT", `${CARDS}/:card_id/elements/:element_id/content`, streamCardText),
];

/** The route of a call with its path values, if there is one. */
export function findRoute(
  method: string,
  path: string,
): { route: ApiRoute; params: Record<string, string> } | undefined {
  for (const route of API_ROUTES) {
    if (route.method !== method) continue;
    const params = matchPath(route.path, path);
    if (params) return { route, params };
  }
  return undefined;
}

function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split("/");
  const given = path.split("/");
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? "";
    if (part.startsWith(":") && value !== "") params[part.slice(1)] = decodeURIComponent(value);
    else if (part !== value) return undefined;
  }
  return params;
}

function open(api: ApiRoute["api"], method: ApiRoute["method"], path: string, answer: ApiRoute["answer"]): ApiRoute {
  return { api, method, path, token: false, answer };
}

function guarded(api: ApiRoute["api"], method: ApiRoute["method"], path: string, answer: ApiRoute["answer"]): ApiRoute {
  return { api, method, path, token: true, answer };
}
