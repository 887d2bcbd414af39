import { z } from "zod";

/** What Herald and the plugin in Hermes' gateway say to each other: orders one way, events the other, each numbered. */

const id = z.string().min(1).max(200);
/** The longest text of one event; the plugin cuts there. */
const text = z.string().max(400_000);

const common = { seq: z.number().int().positive(), at: z.number().optional().catch(undefined) };
const place = { turn: id.nullish(), chat: id, thread: id.nullish() };

/** Everything the gateway tells. `turn` names the turn it belongs to; without one Hermes said it by itself. */
export const gatewayEventSchema = z.discriminatedUnion("kind", [
  /** a gateway process has begun: what ran in the one before it runs no longer */
  z.object({ ...common, kind: z.literal("started"), instance: id }),
  /** the process takes its leave; nothing of it comes after this */
  z.object({ ...common, kind: z.literal("left"), instance: id }),
  z.object({
    ...common,
    kind: z.literal("running"),
    turn: id,
    origin: z.enum(["herald", "hermes"]),
    chat: id,
    thread: id.nullish(),
  }),
  z.object({
    ...common,
    kind: z.literal("ended"),
    turn: id,
    outcome: z.enum(["completed", "failed", "stopped", "lost"]),
    why: z.string().nullish(),
    session: id.nullish(),
    tools: z.number().int().nonnegative().catch(0),
  }),
  z.object({ ...common, ...place, kind: z.literal("said"), message: id, text, job: id.nullish() }),
  z.object({ ...common, ...place, kind: z.literal("edited"), message: id, text }),
  z.object({ ...common, ...place, kind: z.literal("deleted"), message: id }),
  z.object({
    ...common,
    ...place,
    kind: z.literal("file"),
    message: id,
    path: z.string().min(1).max(4_000),
    name: z.string().min(1).max(400),
    mime: z.string().min(1).max(200),
    text: text.nullish(),
  }),
  z.object({
    ...common,
    ...place,
    kind: z.literal("asked"),
    ref: id,
    asks: z.enum(["approval", "question"]),
    command: text.nullish(),
    text: text.nullish(),
    choices: z.array(z.string().max(4_000)).max(50).catch([]),
  }),
  z.object({ ...common, kind: z.literal("void"), ref: id, turn: id.nullish() }),
]);

export type GatewayEvent = z.infer<typeof gatewayEventSchema>;

/** Said once or not at all; nothing depends on it. */
export const looseEventSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("session"), turn: id, session: id }),
  z.object({
    kind: z.literal("tool"),
    turn: id,
    name: z.string().max(200),
    state: z.enum(["started", "completed", "failed"]),
    preview: z.string().max(400).optional().catch(undefined),
    ms: z.number().nonnegative().optional().catch(undefined),
  }),
]);

export type LooseEvent = z.infer<typeof looseEventSchema>;

/** What became of orders. */
const settledSchema = z
  .array(
    z.object({
      seq: z.number().int().positive(),
      status: z.enum(["taken", "refused"]),
      note: z.string().max(300).nullish(),
    }),
  )
  .max(1_000)
  .catch([]);

export type SettledOrder = z.infer<typeof settledSchema>[number];

/** A batch as it arrives: each event is looked at by itself, so that a strange one stops nothing behind it. */
export const batchSchema = z.object({
  spool: id,
  instance: id,
  events: z.array(z.looseObject({ seq: z.number().int().positive() })).max(1_000),
  loose: z.array(z.unknown()).max(1_000).catch([]),
  settled: settledSchema,
});

export const abilitiesSchema = z.object({
  stop: z.boolean().catch(false),
  steer: z.boolean().catch(false),
  approvals: z.boolean().catch(false),
  questions: z.boolean().catch(false),
  commands: z.boolean().catch(false),
  images: z.boolean().catch(false),
});

/** A question for orders: who asks, and what became of the orders given out before. */
export const askSchema = z.object({
  spool: id,
  instance: id,
  hermes: z.string().max(100).nullish(),
  plugin: z.string().max(100).nullish(),
  can: abilitiesSchema.catch({
    stop: true,
    steer: false,
    approvals: false,
    questions: false,
    commands: true,
    images: false,
  }),
  /** orders it is at work on */
  holding: z.array(z.number().int()).max(1_000).catch([]),
  /** seconds it may be kept waiting */
  wait: z.number().min(0).max(60).catch(0),
  settled: settledSchema,
});

export type GatewayAsk = z.infer<typeof askSchema>;

/** A delivery from a process of Hermes' without the gateway. */
export const deliverSchema = z.object({
  id,
  chat: id,
  text,
  files: z.array(z.string().min(1).max(4_000)).max(50).catch([]),
});
