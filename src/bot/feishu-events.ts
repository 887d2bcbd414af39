import { z } from "zod";
import { type ContentAttachment, readContent } from "./read-content.ts";

/** A message a person sent, in our words. */
export interface IncomingMessage {
  kind: "message";
  /** the same message again has the same key (Feishu: use message_id, not event_id, for im.message.receive_v1) */
  dedupeKey: string;
  appId: string;
  messageId: string;
  chatId: string;
  chatType: "p2p" | "group";
  threadId?: string;
  rootId?: string;
  parentId?: string;
  senderOpenId: string;
  senderUnionId?: string;
  /** user | app | … : only user is a person */
  senderType: string;
  messageType: string;
  /** its words, mentions as their keys; empty for what holds no text */
  text: string;
  mentions: readonly { key: string; openId?: string; name: string }[];
  /** pictures and files it carries */
  attachments: readonly ContentAttachment[];
  sentAt: Date;
}

/** A press on something in a card. The operator is the platform's word, never the card's. */
export interface IncomingTap {
  kind: "tap";
  dedupeKey: string;
  appId: string;
  operatorOpenId: string;
  operatorUnionId?: string;
  messageId: string;
  chatId: string;
  tag: string;
  value: unknown;
  name?: string;
  option?: string;
  options?: readonly string[];
  inputValue?: string;
  checked?: boolean;
  formValue?: Readonly<Record<string, unknown>>;
  timezone?: string;
}

export interface IncomingOther {
  kind: "other";
  dedupeKey: string;
  appId: string;
  eventType: string;
}

export type Incoming = IncomingMessage | IncomingTap | IncomingOther;

const header = z.object({ event_id: z.string(), event_type: z.string(), app_id: z.string() });
const ids = z.object({ open_id: z.string().optional(), union_id: z.string().optional() });

const messageEvent = z.object({
  sender: z.object({ sender_id: ids.nullish(), sender_type: z.string().default("user") }),
  message: z.object({
    message_id: z.string(),
    root_id: z.string().optional(),
    parent_id: z.string().optional(),
    thread_id: z.string().optional(),
    create_time: z.coerce.number(),
    chat_id: z.string(),
    chat_type: z.string(),
    message_type: z.string(),
    content: z.string(),
    mentions: z.array(z.object({ key: z.string(), id: ids.nullish(), name: z.string().default("") })).nullish(),
  }),
});

const tapPlaces = { open_message_id: z.string().optional(), open_chat_id: z.string().optional() };
const tapEvent = z.object({
  operator: ids,
  action: z.object({
    tag: z.string().default(""),
    value: z.unknown().optional(),
    name: z.string().optional(),
    option: z.string().optional(),
    options: z.array(z.string()).optional(),
    input_value: z.string().optional(),
    checked: z.boolean().optional(),
    form_value: z.record(z.string(), z.unknown()).optional(),
    timezone: z.string().optional(),
  }),
  // Feishu puts the ids into `context`; older and relayed payloads have them at the root.
  context: z.object(tapPlaces).optional(),
  ...tapPlaces,
});

/**
 * One envelope of the platform → what happened, or undefined when it is not of a form we accept. Takes the v2 envelope
 * `{header, event}` and the flattened form that the SDK's dispatcher hands over.
 */
export function readEvent(raw: unknown): Incoming | undefined {
  const envelope = unflatten(raw);
  const head = header.safeParse(envelope?.header);
  if (!head.success) return undefined;
  const { event_id, event_type, app_id } = head.data;
  if (event_type === "im.message.receive_v1") return readMessage(envelope?.event, app_id);
  if (event_type === "card.action.trigger") return readTap(envelope?.event, app_id, event_id);
  return { kind: "other", dedupeKey: `${app_id}:${event_id}`, appId: app_id, eventType: event_type };
}

function readMessage(event: unknown, appId: string): IncomingMessage | undefined {
  const parsed = messageEvent.safeParse(event);
  if (!parsed.success) return undefined;
  const { sender, message } = parsed.data;
  const openId = sender.sender_id?.open_id;
  if (openId === undefined) return undefined;
  const mentions = (message.mentions ?? []).map((m) => ({
    key: m.key,
    name: m.name,
    ...(m.id?.open_id === undefined ? {} : { openId: m.id.open_id }),
  }));
  return {
    kind: "message",
    dedupeKey: `${appId}:${message.message_id}`,
    appId,
    messageId: message.message_id,
    chatId: message.chat_id,
    chatType: message.chat_type === "p2p" ? "p2p" : "group",
    ...(message.thread_id === undefined ? {} : { threadId: message.thread_id }),
    ...(message.root_id === undefined ? {} : { rootId: message.root_id }),
    ...(message.parent_id === undefined ? {} : { parentId: message.parent_id }),
    senderOpenId: openId,
    ...(sender.sender_id?.union_id === undefined ? {} : { senderUnionId: sender.sender_id.union_id }),
    senderType: sender.sender_type,
    messageType: message.message_type,
    ...readContent(message.message_type, message.content, mentions),
    mentions,
    sentAt: new Date(message.create_time),
  };
}

function readTap(event: unknown, appId: string, eventId: string): IncomingTap | undefined {
  const parsed = tapEvent.safeParse(event);
  if (!parsed.success) return undefined;
  const { operator, action, context } = parsed.data;
  const messageId = context?.open_message_id ?? parsed.data.open_message_id;
  const chatId = context?.open_chat_id ?? parsed.data.open_chat_id;
  if (operator.open_id === undefined || messageId === undefined || chatId === undefined) return undefined;
  return {
    kind: "tap",
    dedupeKey: `${appId}:${eventId}`,
    appId,
    operatorOpenId: operator.open_id,
    ...(operator.union_id === undefined ? {} : { operatorUnionId: operator.union_id }),
    messageId,
    chatId,
    tag: action.tag,
    value: action.value,
    ...(action.name === undefined ? {} : { name: action.name }),
    ...(action.option === undefined ? {} : { option: action.option }),
    ...(action.options === undefined ? {} : { options: action.options }),
    ...(action.input_value === undefined ? {} : { inputValue: action.input_value }),
    ...(action.checked === undefined ? {} : { checked: action.checked }),
    ...(action.form_value === undefined ? {} : { formValue: action.form_value }),
    ...(action.timezone === undefined ? {} : { timezone: action.timezone }),
  };
}

/** The SDK flattens `{header, event}` into one object; this puts it back so that there is one reader. */
function unflatten(raw: unknown): { header?: unknown; event?: unknown } | undefined {
  if (typeof raw !== "object" || raw === null) return undefined;
  if ("header" in raw) return raw;
  return { header: raw, event: raw };
}
