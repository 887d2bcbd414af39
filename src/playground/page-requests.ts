import { z } from "zod";
import type { FaultApi, FaultRequest } from "./page-api.ts";

const id = z.string().max(100);

export const sayRequest = z.strictObject({
  chatId: id,
  userId: id,
  text: z.string(),
  replyTo: id.optional(),
  mentionBot: z.boolean().optional(),
});

export const tapRequest = z.strictObject({
  messageId: id,
  userId: id,
  tag: z.string().max(40),
  value: z.unknown(),
  name: z.string().max(200).optional(),
  option: z.string().optional(),
  options: z.array(z.string()).optional(),
  inputValue: z.string().optional(),
  checked: z.boolean().optional(),
  formValue: z.record(z.string(), z.unknown()).optional(),
  timezone: z.string().max(80).optional(),
});

export const recallRequest = z.strictObject({ messageId: id, userId: id });
export const enterRequest = z.strictObject({ chatId: id, userId: id });

export const agentRequest = z.strictObject({ up: z.boolean() });

const FAULT_APIS = [
  "any",
  "token",
  "message.create",
  "message.reply",
  "message.patch",
  "message.update",
  "message.delete",
  "message.get",
  "message.list",
  "message.resource",
  "reaction.create",
  "reaction.delete",
  "image.create",
  "file.create",
  "chat.get",
  "bot.info",
  "card.update",
  "cardkit.create",
  "cardkit.update",
  "cardkit.settings",
  "cardkit.batch_update",
  "cardkit.element",
  "cardkit.content",
  "ws.endpoint",
] as const satisfies readonly FaultApi[];

const api = z.enum(FAULT_APIS);
const times = z.int().min(1).max(10_000).optional();
const ms = z.int().min(0).max(3_600_000);

const faultRequest = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("answer"),
    api,
    code: z.int(),
    status: z.int().min(200).max(599).optional(),
    message: z.string().max(1000).optional(),
    resetSeconds: z.int().min(0).max(3600).optional(),
    times,
  }),
  z.strictObject({ kind: z.literal("drop_before"), api, times }),
  z.strictObject({ kind: z.literal("drop_after"), api, times }),
  z.strictObject({ kind: z.literal("delay"), api, ms, times }),
  z.strictObject({ kind: z.literal("kill_sockets") }),
  z.strictObject({ kind: z.literal("refuse_connections"), on: z.boolean() }),
  z.strictObject({ kind: z.literal("ignore_pings"), on: z.boolean() }),
  z.strictObject({ kind: z.literal("repeat_events"), copies: z.int().min(2).max(100).optional(), times }),
  z.strictObject({ kind: z.literal("delay_events"), ms, times }),
  z.strictObject({ kind: z.literal("expire_tokens") }),
  z.strictObject({ kind: z.literal("refuse_cards"), on: z.boolean() }),
  z.strictObject({ kind: z.literal("clear") }),
]);

/** The value without properties that are present but undefined, which zod's optional leaves possible in types only. */
export function withoutUndefined<T extends Record<string, unknown>>(value: T): Compact<T> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Compact<T>;
}

type Compact<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** @throws ZodError */
export function readFault(value: unknown): FaultRequest {
  return withoutUndefined(faultRequest.parse(value)) as FaultRequest;
}
