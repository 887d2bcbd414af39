/** Shorter replies say nothing: "ok", "继续中". */
const LEAST_CHARS = 12;
const SHINGLE = 4;
/** Of all the pieces of two replies, so many must be in both to call them the same. */
const SAME = 0.85;
const MOST_SHINGLES = 400;

/**
 * A reply as a short list of numbers that stand for its pieces of four characters, figures and spaces left out: two replies
 * that differ in a count or a time give nearly the same list. Text, so that it fits a column.
 */
export function digestReply(text: string): string {
  const plain = text.toLowerCase().replace(/[\p{N}\p{P}\p{S}\s]+/gu, "");
  const found = new Set<number>();
  const points = [...plain];
  for (let i = 0; i + SHINGLE <= points.length; i++) found.add(hash(points.slice(i, i + SHINGLE).join("")));
  const kept = [...found].sort((a, b) => a - b).slice(0, MOST_SHINGLES);
  return `${points.length}:${kept.map((each) => each.toString(36)).join(",")}`;
}

/** True when two digests stand for replies that say the same, or when the later one hardly says anything. */
export function saysTheSame(before: string | null, now: string): boolean {
  const [length, shingles] = read(now);
  if (length < LEAST_CHARS) return true;
  if (before === null) return false;
  const [, old] = read(before);
  if (old.size === 0 || shingles.size === 0) return false;
  let common = 0;
  for (const each of shingles) if (old.has(each)) common++;
  return common / (old.size + shingles.size - common) >= SAME;
}

function read(digest: string): [number, Set<string>] {
  const [length = "0", list = ""] = digest.split(":");
  return [Number(length), new Set(list.split(",").filter((each) => each !== ""))];
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
}
