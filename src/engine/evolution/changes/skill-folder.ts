import { z } from "zod";
import { isSkillFile, isSkillName, textProblem } from "../safe-text.ts";
import { folderState, textAt } from "../snapshot.ts";
import type { TargetState } from "../target-files.ts";
import { type Clash, clash, type Planned } from "./planned.ts";

/** Hermes: a description has at most 1024 characters, SKILL.md at most 100,000, a supporting file at most 1 MiB. */
const DESCRIPTION_CHARS = 1_024;
const BODY_CHARS = 90_000;
const FILE_CHARS = 200_000;
const MOST_FILES = 12;

export const skillPayloadSchema = z.discriminatedUnion("action", [
  z.strictObject({
    action: z.literal("create"),
    name: z.string(),
    description: z.string(),
    /** Markdown after the frontmatter */
    body: z.string(),
    files: z
      .array(z.strictObject({ path: z.string(), text: z.string().max(FILE_CHARS), executable: z.boolean().optional() }))
      .max(MOST_FILES)
      .default([]),
  }),
  z.strictObject({ action: z.literal("remove"), name: z.string() }),
]);
export type SkillPayload = z.infer<typeof skillPayloadSchema>;

const MARK = /^metadata:\n {2}herald:\n {4}proposal: "[\w.-]{1,64}"$/m;

/** What speaks against the payload itself, whatever stands there. */
export function skillProblem(payload: SkillPayload): Clash | undefined {
  if (!isSkillName(payload.name)) return "bad_name";
  if (payload.action === "remove") return undefined;
  if (/[\r\n]/.test(payload.description)) return "raw_fragment";
  const problem = textProblem(payload.description, DESCRIPTION_CHARS) ?? textProblem(payload.body, BODY_CHARS);
  if (problem) return problem;
  for (const { path, text } of payload.files) {
    if (!isSkillFile(path)) return "bad_name";
    const wrong = textProblem(text, FILE_CHARS);
    if (wrong) return wrong;
  }
  return new Set(payload.files.map((file) => file.path)).size === payload.files.length ? undefined : "bad_name";
}

/** A folder of this product's own. One it did not make is never touched. */
export function planSkill(payload: SkillPayload, standing: TargetState, proposalId: string): Planned {
  const ours = standing.length === 0 || isOurSkill(standing);
  if (!ours) return clash("not_ours");
  if (payload.action === "remove") return standing.length === 0 ? clash("not_there") : { ok: true, next: [] };
  const text = skillText(payload, proposalId);
  const files = payload.files.map(({ path, text: content, executable }) => ({
    path,
    text: content,
    mode: executable ? 0o755 : 0o644,
  }));
  return { ok: true, next: folderState([{ path: "SKILL.md", text }, ...files]) };
}

/** Whether this product made the skill that stands there. */
export function isOurSkill(standing: TargetState): boolean {
  const text = textAt(standing, "SKILL.md");
  const frontmatter = text === undefined ? undefined : /^---\n([\s\S]*?)\n---\n/.exec(text)?.[1];
  return frontmatter !== undefined && MARK.test(frontmatter);
}

/** A JSON string is a YAML string: nothing in a name or description can end it. */
function skillText(payload: Extract<SkillPayload, { action: "create" }>, proposalId: string): string {
  return `---
name: ${JSON.stringify(payload.name)}
description: ${JSON.stringify(payload.description.trim())}
metadata:
  herald:
    proposal: "${proposalId}"
---

${payload.body.trim()}
`;
}
