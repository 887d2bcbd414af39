import { z } from "zod";

/**
 * A strategy: when its conditions all hold, its hint is given to a turn (`warn`) or a tool call is held back with it
 * (`block`). Made of data only; patterns run in an engine that takes time in proportion to the text.
 */
export const operators = ["regex_match", "contains", "equals", "not_contains"] as const;
export type Operator = (typeof operators)[number];

/** What a condition looks at. `input` are the texts in a tool call's arguments. */
export const features = ["platform", "category", "model", "tool", "text", "input"] as const;
export type Feature = (typeof features)[number];

export const PATTERN_CHARS = 300;
export const HINT_CHARS = 400;

export const conditionSchema = z.strictObject({
  on: z.enum(features),
  op: z.enum(operators),
  /** any of these is enough; for not_contains none of them may occur */
  any: z.array(z.string().min(1).max(PATTERN_CHARS)).min(1).max(20),
});
export type Condition = z.infer<typeof conditionSchema>;

export const strategySchema = z
  .strictObject({
    id: z.string().regex(/^[\w.-]{1,40}$/),
    title: z.string().min(1).max(120),
    /** what the turn is told, or why the call is held back */
    hint: z.string().min(1).max(HINT_CHARS),
    level: z.enum(["warn", "block"]),
    /** 0 to 100, the greater first */
    priority: z.number().int().min(0).max(100),
    when: z.array(conditionSchema).max(6),
    /** where it holds, in words */
    scope: z.string().max(120),
    /** what it is against: a cause's fingerprint */
    cause: z.string().max(40).optional(),
    /** a lesson of what not to do: it must end some day and is tested again when its cause is gone */
    negative: z.boolean().default(false),
    expiresAt: z.coerce.date().optional(),
    enabled: z.boolean().default(true),
  })
  .refine((strategy) => !strategy.negative || strategy.expiresAt !== undefined, {
    message: "a lesson of what not to do needs a date on which it ends",
    path: ["expiresAt"],
  })
  .refine(
    (strategy) =>
      strategy.level !== "block" ||
      strategy.when.some(({ on, op }) => (on === "tool" || on === "input") && op !== "not_contains"),
    { message: "a rule that holds back calls must name the tool or what is in its input", path: ["when"] },
  );
export type Strategy = z.infer<typeof strategySchema>;

/** What is known of a turn or a call when rules are asked. A feature that is not known fulfils no condition on it. */
export type Features = Readonly<Partial<Record<Feature, string>>>;
