import { createCipheriv, createHash, randomBytes } from "node:crypto";

/** Where webhook pushes go and how they are proved. */
export type WebhookTarget = {
  url: string;
  /** With it bodies are encrypted and signed. */
  encryptKey?: string;
  /** Stands in every body in clear (inside the encryption when there is one). */
  verificationToken: string;
};

/** `{"encrypt": …}`: base64 of a random IV and the AES-256-CBC text under SHA-256 of the key. */
export function encryptBody(plain: string, encryptKey: string): string {
  const iv = randomBytes(16);
  const cipher = createCipheriv("aes-256-cbc", createHash("sha256").update(encryptKey).digest(), iv);
  const sealed = Buffer.concat([iv, cipher.update(plain, "utf8"), cipher.final()]);
  return JSON.stringify({ encrypt: sealed.toString("base64") });
}

/** Signature of a push: SHA-256 over timestamp, nonce, encrypt key and the raw body, in hex. */
export function signBody(parts: { timestamp: string; nonce: string; encryptKey: string; body: string }): string {
  return createHash("sha256")
    .update(parts.timestamp + parts.nonce + parts.encryptKey + parts.body)
    .digest("hex");
}

/** Body and headers of one push, ready to be sent (or tampered with, in tests). `timestampS` in seconds. */
function sealPush(
  body: unknown,
  target: WebhookTarget,
  timestampS: number,
): { body: string; headers: Record<string, string> } {
  const plain = JSON.stringify(body);
  const headers: Record<string, string> = { "content-type": "application/json; charset=utf-8" };
  if (!target.encryptKey) return { body: plain, headers };
  const sealed = encryptBody(plain, target.encryptKey);
  const timestamp = String(timestampS);
  const nonce = randomBytes(8).toString("hex");
  return {
    body: sealed,
    headers: {
      ...headers,
      "x-lark-request-timestamp": timestamp,
      "x-lark-request-nonce": nonce,
      "x-lark-signature": signBody({ timestamp, nonce, encryptKey: target.encryptKey, body: sealed }),
    },
  };
}

/**
 * Sends one push.
 * @returns status and body text; undefined when the address cannot be reached in time (redirects are not followed)
 */
export async function pushToWebhook(
  body: unknown,
  target: WebhookTarget,
  options: { timestampS: number; timeoutMs: number },
): Promise<{ status: number; text: string } | undefined> {
  const sealed = sealPush(body, target, options.timestampS);
  try {
    const response = await fetch(target.url, {
      method: "POST",
      body: sealed.body,
      headers: sealed.headers,
      redirect: "manual",
      signal: AbortSignal.timeout(options.timeoutMs),
    });
    return { status: response.status, text: await response.text() };
  } catch {
    return undefined;
  }
}
