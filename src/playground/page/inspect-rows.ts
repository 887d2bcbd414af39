import { lookUp } from "./look-up.ts";
import { asArray, asObject, asObjects, type JsonObject } from "./read-json.ts";

/** A list of plain objects as the inspector shows it, whatever the server sent. */
export type InspectTable = { readonly columns: readonly string[]; readonly rows: readonly JsonObject[] };

/** Columns worth their room, best first, by what is looked at; all others are found by opening a row. */
const PREFERRED: Readonly<Record<string, readonly string[]>> = {
  items: ["number", "title", "status", "momentum", "dueAt"],
  runs: ["startedAt", "outcome", "reason", "status"],
  candidates: ["title", "decision", "reason", "whyNow"],
  deliveries: ["createdAt", "text", "status"],
  jobs: ["job", "startedAt", "outcome", "reason"],
  audit: ["at", "what", "actorKind", "subjectKind"],
};
/** For lists this page has never heard of. */
const USUAL = ["title", "name", "status", "outcome", "reason", "text", "createdAt", "at", "error", "kind"];
const MAX_COLUMNS = 4;

/** Finds the list in an answer: the answer itself, or its first field that holds one. */
export function rowsIn(data: unknown): JsonObject[] {
  if (Array.isArray(data)) return asObjects(data);
  const object = asObject(data);
  if (!object) return [];
  const list = Object.values(object).find((value) => asArray(value).some((each) => asObject(each)));
  return list ? asObjects(list) : [];
}

/** Chooses a few columns that tell most; a column nobody fills is left out. */
export function inspectTable(rows: readonly JsonObject[], what: string): InspectTable {
  const filled = new Set<string>();
  for (const row of rows) {
    for (const [key, value] of Object.entries(row)) {
      if (["string", "number", "boolean"].includes(typeof value) && value !== "") filled.add(key);
    }
  }
  const preferred = lookUp(PREFERRED, what)?.filter((key) => filled.has(key)) ?? [];
  if (preferred.length > 1) return { columns: preferred, rows };
  const usual = USUAL.filter((key) => filled.has(key));
  const others = [...filled].filter((key) => !USUAL.includes(key) && !/id$/i.test(key));
  const ids = [...filled].filter((key) => /id$/i.test(key));
  return { columns: [...usual, ...others, ...ids].slice(0, MAX_COLUMNS), rows };
}

/** Whether a text is an instant as the server writes them. */
export function isInstant(value: unknown): value is string {
  return (
    typeof value === "string" && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/.test(value)
  );
}

/** The documents of a run, whether listed (`[{name, content}]`) or keyed by name. */
export function documentsIn(run: unknown): { readonly name: string; readonly content: string }[] {
  const documents = asObject(run)?.documents;
  const keyed = asObject(documents);
  if (keyed) return Object.entries(keyed).map(([name, content]) => ({ name, content: textOf(content) }));
  return asObjects(documents).map((each) => ({ name: textOf(each.name), content: textOf(each.content) }));
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value, null, 2);
}
