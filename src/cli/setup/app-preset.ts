import type { AppAddons } from "@larksuiteoapi/node-sdk";
import { EVENTS } from "../../bot/long-connection.ts";
import { CARD_CALLBACK, NEEDED_SCOPES, USEFUL_SCOPES } from "../doctor/check-feishu.ts";

/** What some events ask for besides the permissions of messages (Feishu: permission column of each event's page). */
const EVENT_SCOPES = [
  "im:message.reactions:read",
  "im:chat.access_event.bot_p2p_chat:read",
  "im:chat.members:bot_access",
];

/** What an app made by scanning gets at once, so that nobody has to open the developers' console. */
export function appPreset(): AppAddons {
  const scopes = [...NEEDED_SCOPES, ...USEFUL_SCOPES].map(([name = ""]) => name);
  return {
    scopes: { tenant: [...new Set([...scopes, ...EVENT_SCOPES])] },
    events: { items: { tenant: [...EVENTS] } },
    callbacks: { items: [CARD_CALLBACK] },
  };
}
