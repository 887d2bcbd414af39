const decoder = new TextDecoder("utf-8");
/** Hermes marks multi-part content by this prefix; SQL's own text functions stop at its NUL, so rows are read as bytes. */
const MULTI_PART = "\u0000json:";

/**
 * The text of a `content` column read as bytes (or as text where it is known to be plain): multi-part content becomes its text parts joined by line breaks, other
 * parts their kind in brackets. Never throws: invalid UTF-8 and lone surrogates become U+FFFD, NUL characters vanish.
 */
export function readContent(stored: Uint8Array | string | null): string {
  if (stored === null || stored.length === 0) return "";
  const raw = typeof stored === "string" ? stored : decoder.decode(stored);
  const text = raw.startsWith(MULTI_PART) ? joinParts(raw.slice(MULTI_PART.length)) : raw;
  return text.includes("\u0000") ? text.replaceAll("\u0000", "") : text;
}

/** The same for content that came as JSON: a string, a list of parts, or null. */
export function readContentValue(content: unknown): string {
  if (content === null || content === undefined) return "";
  if (typeof content === "string" && content.startsWith(MULTI_PART)) return joinParts(content.slice(MULTI_PART.length));
  const text = Array.isArray(content) ? content.map(partText).filter(Boolean).join("\n") : partText(content);
  // The decoder lets no lone surrogate through, an escape in JSON does.
  return text.replace(/\p{Surrogate}/gu, "\ufffd").replaceAll("\u0000", "");
}

function joinParts(json: string): string {
  try {
    return readContentValue(JSON.parse(json));
  } catch {
    return json;
  }
}

function partText(part: unknown): string {
  if (typeof part === "string") return part;
  if (typeof part !== "object" || part === null) return "";
  const { type, text } = part as { type?: unknown; text?: unknown };
  if (typeof text === "string") return text;
  const kind = typeof type === "string" ? type.replace(/^input_/, "").replace(/_url$/, "") : "part";
  return `[${/^[a-z_]{1,20}$/.test(kind) ? kind : "part"}]`;
}

/** The calls of a `tool_calls` column in either of the two forms Hermes has written; broken JSON gives none. */
export function readToolCalls(json: string | null): { name: string; arguments: string }[] | undefined {
  return readIdentifiedCalls(json)?.map(({ name, arguments: given }) => ({ name, arguments: given }));
}

/** The same with the ids that results name; calls of old stores have none. */
export function readIdentifiedCalls(
  json: string | null,
): { id?: string; name: string; arguments: string }[] | undefined {
  if (!json) return undefined;
  try {
    const calls: unknown = JSON.parse(json);
    if (!Array.isArray(calls)) return undefined;
    const found: { id?: string; name: string; arguments: string }[] = [];
    for (const call of calls as unknown[]) {
      const outer = (call ?? {}) as Record<string, unknown>;
      const { name, arguments: given } = (outer.function ?? outer) as { name?: unknown; arguments?: unknown };
      if (typeof name !== "string") continue;
      const text = typeof given === "string" ? given : JSON.stringify(given ?? {});
      const id = outer.id ?? outer.call_id;
      found.push(typeof id === "string" && id !== "" ? { id, name, arguments: text } : { name, arguments: text });
    }
    return found;
  } catch {
    return undefined;
  }
}
