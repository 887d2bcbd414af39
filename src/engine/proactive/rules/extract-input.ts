import { z } from "zod";
import { momenta } from "../../tracking/item.ts";

const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

const messageSchema = z.object({
  id: z.string().min(1),
  /** user | assistant | tool; others pass through and are not read. */
  role: z.string(),
  at: instant,
  text: z
    .string()
    .nullish()
    .transform((text) => text ?? ""),
  toolName: z.string().nullish(),
  toolCalls: z.array(z.object({ name: z.string(), arguments: z.unknown() })).nullish(),
  /** Group chatter that was not addressed to the bot. */
  observed: z.boolean().nullish(),
  /** false = taken back by the person. */
  active: z.boolean().nullish(),
});

const sessionSchema = z.object({
  id: z.string().min(1),
  source: z.string(),
  title: z.string().nullish(),
  messages: z.array(messageSchema),
});

const trackedSchema = z.object({
  goalId: z.string().min(1),
  title: z.string(),
  status: z.enum(["active", "closed"]),
  momentum: z.enum(momenta).catch("on_track"),
  dueAt: instant.nullish(),
  evidence: z.array(z.string()).nullish(),
  snoozedUntil: instant.nullish(),
  lastRemindedAt: instant.nullish(),
  reminders: z.number().nullish(),
  closedWhy: z.string().nullish(),
});

const sentSchema = z.object({ at: instant, goalIds: z.array(z.string()).nullish(), text: z.string() });

/** What the rules extractor is shown: conversations, items already tracked, reminders already sent. */
export const extractInputSchema = z.object({
  now: instant,
  zone: z.string().refine((zone) => isZone(zone), "is no time zone, such as Asia/Shanghai"),
  sessions: z.array(sessionSchema),
  tracking: z
    .array(trackedSchema)
    .nullish()
    .transform((items) => items ?? []),
  sent: z
    .array(sentSchema)
    .nullish()
    .transform((sent) => sent ?? []),
});

export type ExtractInput = z.infer<typeof extractInputSchema>;
export type ExtractMessage = z.infer<typeof messageSchema>;
export type ExtractSession = z.infer<typeof sessionSchema>;
export type TrackedMatter = z.infer<typeof trackedSchema>;

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
