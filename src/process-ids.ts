import { randomBytes } from "node:crypto";
import type { Clock, Ids } from "./engine/ports.ts";

const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * Ids that sort by time (45 bits of milliseconds, 60 random bits) and opaque ones (128 random bits, hex). Of two ids made
 * in the same millisecond by one process the later one sorts later: messages wanted together keep their order.
 */
export function processIds(clock: Clock): Ids {
  let lastMs = -1;
  let lastBits = 0n;
  return {
    id: (prefix) => {
      const ms = clock.now().getTime();
      lastBits = ms === lastMs ? lastBits + 1n : randomBits(59n);
      lastMs = ms;
      return `${prefix}_${base32(BigInt(ms), 9)}${base32(lastBits, 12)}`;
    },
    opaque: () => randomBytes(16).toString("hex"),
  };
}

function randomBits(bits: bigint): bigint {
  return BigInt(`0x${randomBytes(8).toString("hex")}`) & ((1n << bits) - 1n);
}

function base32(value: bigint, length: number): string {
  let rest = value;
  let text = "";
  for (let i = 0; i < length; i++) {
    text = `${DIGITS[Number(rest & 31n)]}${text}`;
    rest >>= 5n;
  }
  return text;
}
