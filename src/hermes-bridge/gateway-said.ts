import { z } from "zod";
import type { TurnEvent, TurnFile } from "../engine/ports.ts";

/** One message of a turn with its latest text. */
const saidSchema = z.object({ id: z.string(), text: z.string() });
export type SaidInTurn = z.infer<typeof saidSchema>;

/** A question of Hermes' that waits for an answer. */
const askedSchema = z.object({
  ref: z.string(),
  asks: z.enum(["approval", "question"]),
  command: z.string().optional(),
  text: z.string().optional(),
  choices: z.array(z.string()),
});
export type AskedInTurn = z.infer<typeof askedSchema>;

const fileSchema = z.object({ path: z.string(), name: z.string(), mime: z.string() });

export const readSaid = (value: unknown): SaidInTurn[] => z.array(saidSchema).catch([]).parse(value);
export const readAsked = (value: unknown): AskedInTurn[] => z.array(askedSchema).catch([]).parse(value);
export const readFiles = (value: unknown): TurnFile[] => z.array(fileSchema).catch([]).parse(value);

/** The same message again replaces its text where it stands. */
export function say(said: readonly SaidInTurn[], message: SaidInTurn): SaidInTurn[] {
  const known = said.some((each) => each.id === message.id);
  return known ? said.map((each) => (each.id === message.id ? message : each)) : [...said, message];
}

export function unsay(said: readonly SaidInTurn[], message: string): SaidInTurn[] {
  return said.filter((each) => each.id !== message);
}

/**
 * The reply of a turn: its messages one after the other, as the person would have read them in a chat. A message that the
 * next one repeats from its beginning (a streamed text, then the whole once more) is left out.
 */
export function replyOf(said: readonly SaidInTurn[]): string {
  const texts = said.map((each) => each.text.trim()).filter((text) => text !== "");
  return texts.filter((text, i) => !texts.slice(i + 1).some((later) => later.startsWith(text))).join("\n\n");
}

const CHOICES = ["once", "session", "always", "deny"] as const;

/** What is asked, as an event of its turn. */
export function questionOf({
  ref,
  asks,
  command,
  text,
  choices,
}: AskedInTurn): Extract<TurnEvent, { kind: "approval" | "question" }> {
  if (asks === "question") return { kind: "question", ref, question: text ?? "", choices };
  return {
    kind: "approval",
    ref,
    command: command ?? "",
    ...(text && { description: text }),
    choices: CHOICES.filter((choice) => choices.includes(choice)),
  };
}
