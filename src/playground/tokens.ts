import { randomBytes } from "node:crypto";
import { Refusal } from "./api-answer.ts";

const LIFE_S = 7200;
const RENEW_BELOW_S = 1800;

/** Tenant access tokens: at most two hours, the same one again while half an hour or more is left. Times in wire time. */
export class Tokens {
  readonly #nowMs: () => number;
  readonly #expiryMs = new Map<string, number>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  issue(): { tenant_access_token: string; expire: number } {
    const now = this.#nowMs();
    for (const [token, until] of this.#expiryMs) {
      const left = Math.floor((until - now) / 1000);
      if (left >= RENEW_BELOW_S) return { tenant_access_token: token, expire: left };
      if (left <= 0) this.#expiryMs.delete(token);
    }
    const token = `t-${randomBytes(16).toString("hex")}`;
    this.#expiryMs.set(token, now + LIFE_S * 1000);
    return { tenant_access_token: token, expire: LIFE_S };
  }

  /** @throws Refusal 99991661 without a token, 99991663 with one that is unknown or over */
  check(authorization: string | undefined): void {
    if (!authorization?.startsWith("Bearer ")) throw new Refusal(99991661, "Missing access token for authorization");
    const until = this.#expiryMs.get(authorization.slice("Bearer ".length));
    if (until === undefined || until <= this.#nowMs())
      throw new Refusal(99991663, "Invalid access token for authorization");
  }

  /** Refuses every token given out so far, whatever its holder believes. */
  expireAll(): void {
    this.#expiryMs.clear();
  }
}
