import { z } from "zod";

const TIMEOUT_MS = 2_000;
const pong = z.object({ ok: z.literal(true) });

/** Who answers at an address: Herald, knowing the token or not; something else; nobody. */
export type Ping = "ok" | "wrong_token" | "not_herald" | "down";

/** Asks as the plugin does. Never rejects. */
export async function pingBridge(url: string, token: string): Promise<Ping> {
  try {
    const response = await fetch(`${url}/bridge/ping`, {
      headers: { authorization: `Bearer ${token}` },
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status === 401) return "wrong_token";
    return response.status === 200 && pong.safeParse(await response.json().catch(() => null)).success
      ? "ok"
      : "not_herald";
  } catch {
    return "down";
  }
}
