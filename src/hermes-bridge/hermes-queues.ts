import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import type { PendingWrite, SkillUse } from "../engine/evolution/target-files.ts";

/** Hermes' own limits where its configuration names none. */
const MEMORY_LIMITS = { memory: 2_200, user: 1_375 };
const MOST_PENDING = 200;

const limits = z.object({
  memory: z
    .object({ memory_char_limit: z.number().int().positive(), user_char_limit: z.number().int().positive() })
    .partial()
    .catch({}),
});

/** Characters each memory file may hold, as `config.yaml` says. */
export async function readMemoryLimits(home: string): Promise<{ memory: number; user: number }> {
  const config = limits.safeParse(await readYaml(join(home, "config.yaml"))).data?.memory;
  return {
    memory: config?.memory_char_limit ?? MEMORY_LIMITS.memory,
    user: config?.user_char_limit ?? MEMORY_LIMITS.user,
  };
}

const pending = z.looseObject({
  action: z.string().optional(),
  target: z.string().optional(),
  content: z.string().optional(),
  name: z.string().optional(),
  summary: z.string().optional(),
  gist: z.string().optional(),
  created_at: z.union([z.number(), z.string()]).optional(),
  payload: z.record(z.string(), z.unknown()).optional(),
});

/** Writes that Hermes has put aside for approval (`pending/{memory,skills}/<id>.json`), oldest first. */
export async function readPendingWrites(home: string): Promise<PendingWrite[]> {
  const writes: PendingWrite[] = [];
  for (const what of ["memory", "skills"] as const) {
    const folder = join(home, "pending", what);
    const names = await readdir(folder).catch((): string[] => []);
    for (const name of names.filter((each) => each.endsWith(".json")).slice(0, MOST_PENDING)) {
      const read = pending.safeParse(await readJson(join(folder, name)));
      if (!read.success) continue;
      const fields = { ...read.data.payload, ...read.data } as z.infer<typeof pending>;
      const text = fields.content?.trim() ?? "";
      const about = fields.summary ?? fields.gist ?? (what === "skills" ? fields.name : text) ?? name;
      const at = instant(fields.created_at);
      const file = fields.target === "user" ? "user" : "memory";
      writes.push({
        id: name.replace(/\.json$/, ""),
        what,
        about: about === "" ? name : about,
        ...(at && { at }),
        ...(what === "memory" && fields.action === "add" && text !== "" && { memory: { file, text } }),
      });
    }
  }
  return writes.sort((a, b) => (a.at?.getTime() ?? 0) - (b.at?.getTime() ?? 0));
}

const usage = z.record(
  z.string(),
  z.looseObject({
    use_count: z.number().catch(0).default(0),
    view_count: z.number().catch(0).default(0),
    last_used_at: z.union([z.number(), z.string()]).nullish(),
    last_viewed_at: z.union([z.number(), z.string()]).nullish(),
  }),
);

/** How often each skill was used (`skills/.usage.json`). */
export async function readSkillUse(home: string): Promise<Map<string, SkillUse>> {
  const read = usage.safeParse(await readJson(join(home, "skills", ".usage.json")));
  if (!read.success) return new Map();
  return new Map(
    Object.entries(read.data).map(([name, each]) => {
      const lastUsedAt = instant(each.last_used_at) ?? instant(each.last_viewed_at);
      return [name, { uses: each.use_count + each.view_count, ...(lastUsedAt && { lastUsedAt }) }];
    }),
  );
}

/** Seconds since 1970, or ISO text. */
function instant(value: number | string | null | undefined): Date | undefined {
  if (value === undefined || value === null) return undefined;
  const at = typeof value === "number" ? new Date(value * 1000) : new Date(value);
  return Number.isNaN(at.getTime()) ? undefined : at;
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch {
    return undefined;
  }
}

async function readYaml(path: string): Promise<unknown> {
  try {
    return parse(await readFile(path, "utf8"));
  } catch {
    return undefined;
  }
}
