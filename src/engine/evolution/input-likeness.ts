import { createHash } from "node:crypto";

/** The same text gives the same; 16 hex digits. */
export function textHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/**
 * A similarity hash of 64 bits as 16 hex digits: texts that share most of their words differ in few bits. Words are runs of
 * letters or digits, a Chinese character is a word.
 */
export function likenessHash(text: string): string {
  const weights = new Int32Array(64);
  const words = text.toLowerCase().match(/\p{Script=Han}|[\p{L}\p{N}_]+/gu) ?? [];
  for (const [at, word] of words.entries()) {
    // A word and the one before it: the order counts a little too.
    for (const piece of [word, `${words[at - 1] ?? ""} ${word}`]) {
      const digest = createHash("sha256").update(piece).digest();
      for (let bit = 0; bit < 64; bit++) {
        const set = ((digest[bit >> 3] ?? 0) >> (bit & 7)) & 1;
        weights[bit] = (weights[bit] ?? 0) + (set === 1 ? 1 : -1);
      }
    }
  }
  let hash = 0n;
  for (let bit = 0; bit < 64; bit++) if ((weights[bit] ?? 0) > 0) hash |= 1n << BigInt(bit);
  return hash.toString(16).padStart(16, "0");
}

/** In how many of 64 bits two similarity hashes differ: 0 = the same words, up to about 10 = nearly the same. */
export function likenessDistance(one: string, other: string): number {
  let differing = BigInt(`0x${one}`) ^ BigInt(`0x${other}`);
  let bits = 0;
  for (; differing > 0n; differing &= differing - 1n) bits++;
  return bits;
}
