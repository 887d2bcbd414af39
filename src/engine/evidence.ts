import { z } from "zod";

/**
 * A quoted line of the history that speaks for something. `quote` is the original text, cut and masked by code, never
 * written by a model.
 */
export const evidenceSchema = z.object({
  sessionId: z.string(),
  messageId: z.string(),
  /** user | assistant | tool | cron | memory */
  role: z.string(),
  at: z.coerce.date(),
  quote: z.string(),
  /** dm | group: what was said in a direct chat is never shown in a group */
  chatType: z.enum(["dm", "group"]).optional(),
  chatId: z.string().optional(),
  source: z.string().optional(),
});

export type Evidence = z.infer<typeof evidenceSchema>;
