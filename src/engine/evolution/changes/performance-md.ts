import { z } from "zod";
import { lessonProblem } from "../safe-text.ts";
import { fileState, textAt } from "../snapshot.ts";
import type { TargetState } from "../target-files.ts";
import { type Clash, clash, type Planned } from "./planned.ts";

/** Between these lines of PERFORMANCE.md this product writes; all else is the person's. */
const BEGIN = "<!-- herald:begin · written by Herald after approval; edit outside of these lines -->";
const END = "<!-- herald:end -->";
const LINE_CHARS = 400;
/** Lines in the section: a list nobody reads helps nobody. */
const MOST_LINES = 40;

export const preferencePayloadSchema = z.strictObject({
  action: z.enum(["add", "remove"]),
  text: z.string(),
});
export type PreferencePayload = z.infer<typeof preferencePayloadSchema>;

export function preferenceProblem(payload: PreferencePayload): Clash | undefined {
  if (/[\r\n]|<!--|-->/.test(payload.text)) return "raw_fragment";
  return payload.action === "add" ? lessonProblem(payload.text, LINE_CHARS) : undefined;
}

/** One line more or less in the marked section, which is made at the end of the file when it is missing. */
export function planPreference(payload: PreferencePayload, standing: TargetState): Planned {
  if (standing.length > 0 && textAt(standing) === undefined) return clash("odd_file");
  const text = textAt(standing) ?? "";
  const parts = split(text);
  if (!parts) return clash("odd_file");
  const line = `- ${payload.text.trim()}`;
  const has = parts.lines.includes(line);
  if (payload.action === "add" && has) return clash("already_there");
  if (payload.action === "remove" && !has) return clash("not_there");
  if (payload.action === "add" && parts.lines.length >= MOST_LINES) return clash("no_room");
  const lines = payload.action === "add" ? [...parts.lines, line] : parts.lines.filter((each) => each !== line);
  const section = lines.length > 0 ? `${[BEGIN, ...lines, END].join("\n")}\n` : "";
  const before = parts.before === "" || section === "" ? parts.before : `${parts.before.replace(/\n*$/, "")}\n\n`;
  const next = `${before}${section}${parts.after}`;
  const mode = standing[0]?.mode ?? 0o644;
  return { ok: true, next: next.trim() === "" ? [] : fileState(next, mode) };
}

export function takeBackPreference(payload: PreferencePayload, standing: TargetState): Planned {
  return planPreference({ ...payload, action: payload.action === "add" ? "remove" : "add" }, standing);
}

/** Undefined when the marks do not stand there once each and in order. */
function split(text: string): { before: string; lines: string[]; after: string } | undefined {
  const [begins, ends] = [text.split(BEGIN).length - 1, text.split(END).length - 1];
  if (begins === 0 && ends === 0) return { before: text, lines: [], after: "" };
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begins !== 1 || ends !== 1 || to < from) return undefined;
  return {
    before: text.slice(0, from),
    lines: text
      .slice(from + BEGIN.length, to)
      .split("\n")
      .map((line) => line.trimEnd())
      .filter((line) => line !== ""),
    after: text.slice(to + END.length).replace(/^\n/, ""),
  };
}
