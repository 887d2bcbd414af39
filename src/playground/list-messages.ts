import { type ApiAnswer, ok, Refusal } from "./api-answer.ts";
import type { ApiCall } from "./api-routes.ts";
import { wireMessage } from "./message-calls.ts";
import type { PlatformCore } from "./platform-core.ts";
import { messagesOf } from "./platform-state.ts";

const MAX_PAGE = 50;

/**
 * `GET im/v1/messages`: a chat's messages by time of sending, recalled ones among them (`deleted`). Groups need a scope
 * the usual set does not have (230027).
 */
export function listMessages(core: PlatformCore, call: ApiCall): ApiAnswer {
  const { query } = call;
  if (query.get("container_id_type") !== "chat")
    throw new Refusal(99992402, "field validation failed, container_id_type must be chat");
  const chat = core.state.chats.get(query.get("container_id") ?? "");
  if (!chat) throw new Refusal(230001, "Your request contains an invalid request parameter, ext=invalid container_id.");
  if (!chat.botInside) throw new Refusal(230002, "The bot can not be outside the group.");
  if (chat.type === "group")
    throw new Refusal(230027, "Lack of necessary permissions, ext=need scope: im:message.group_msg");
  const pageSize = Number(query.get("page_size") ?? 20);
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > MAX_PAGE)
    throw new Refusal(99992402, `field validation failed, page_size must be 1 to ${MAX_PAGE}`);
  const from = secondsOf(query.get("start_time"), 0) * 1000;
  const until = (secondsOf(query.get("end_time"), Number.MAX_SAFE_INTEGER / 1e6) + 1) * 1000;
  const fitting = messagesOf(core.state, chat.chatId).filter(
    (each) => each.createdMs >= from && each.createdMs < until,
  );
  if (query.get("sort_type") === "ByCreateTimeDesc") fitting.reverse();
  const start = readPageToken(query.get("page_token"));
  const items = fitting.slice(start, start + pageSize).map((each) => wireMessage(core, each));
  const more = start + pageSize < fitting.length;
  return ok({ has_more: more, ...(more ? { page_token: pageTokenOf(start + pageSize) } : {}), items });
}

/** Times are whole seconds here, unlike in messages. */
function secondsOf(value: string | null, otherwise: number): number {
  if (value === null || value === "") return otherwise;
  if (!/^\d{1,10}$/.test(value)) throw new Refusal(99992402, "field validation failed, times are in seconds");
  return Number(value);
}

function pageTokenOf(start: number): string {
  return Buffer.from(`after ${start}`).toString("base64");
}

function readPageToken(token: string | null): number {
  if (token === null || token === "") return 0;
  const [, start] = /^after (\d+)$/.exec(Buffer.from(token, "base64").toString()) ?? [];
  if (start === undefined)
    throw new Refusal(230001, "Your request contains an invalid request parameter, ext=invalid page_token.");
  return Number(start);
}
