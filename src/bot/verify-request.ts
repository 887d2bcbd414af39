import { createDecipheriv, createHash, timingSafeEqual } from "node:crypto";
import { z } from "zod";

/** How far a request's timestamp may be from our clock. The platform prescribes no window; it is the receiver's job. */
export const SIGNATURE_WINDOW_MS = 5 * 60_000;

export interface WebhookKeys {
  appId: string;
  encryptKey: string;
  verificationToken?: string | undefined;
}

export interface WebhookRequest {
  /** the bytes as they came */
  body: Buffer;
  timestamp: string | undefined;
  nonce: string | undefined;
  signature: string | undefined;
}

export type Verdict =
  | { accepted: "event"; event: unknown /** seen once is enough */; replayKey: string }
  | { accepted: "challenge"; challenge: string }
  | { refused: "body" | "decrypt" | "signature" | "timestamp" | "token" | "app" };

const encrypted = z.object({ encrypt: z.string().min(1) });
const challengeBody = z.object({ type: z.literal("url_verification"), challenge: z.string(), token: z.string() });
const envelope = z.object({
  schema: z.string().optional(),
  header: z.object({ app_id: z.string(), token: z.string().optional() }),
});

/**
 * Checks one push of the platform on its raw bytes; fails closed.
 * Signature = hex(SHA-256(timestamp + nonce + encrypt key + raw body)) (Feishu: "Encrypt Key"). The challenge comes
 * without a signature and is proved by the encrypt key (when encrypted) and the verification token.
 * The caller must refuse a `replayKey` seen within twice the window.
 */
export function verifyRequest(request: WebhookRequest, keys: WebhookKeys, now: Date): Verdict {
  const outer = parseJson(request.body.toString("utf8"));
  if (outer === undefined) return { refused: "body" };
  const sealed = encrypted.safeParse(outer);
  let inner: unknown = outer;
  if (sealed.success) {
    const opened = decrypt(sealed.data.encrypt, keys.encryptKey);
    if (opened === undefined) return { refused: "decrypt" };
    inner = parseJson(opened);
    if (inner === undefined) return { refused: "decrypt" };
  }

  const challenge = challengeBody.safeParse(inner);
  if (challenge.success) {
    if (!tokenFits(challenge.data.token, keys.verificationToken, sealed.success)) return { refused: "token" };
    return { accepted: "challenge", challenge: challenge.data.challenge };
  }

  const { timestamp, nonce, signature } = request;
  if (timestamp === undefined || nonce === undefined || signature === undefined) return { refused: "signature" };
  const expected = createHash("sha256")
    .update(timestamp + nonce + keys.encryptKey)
    .update(request.body)
    .digest();
  const given = Buffer.from(signature, "hex");
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return { refused: "signature" };
  const at = Number(timestamp) * 1000;
  if (!Number.isFinite(at) || Math.abs(now.getTime() - at) > SIGNATURE_WINDOW_MS) return { refused: "timestamp" };

  const parsed = envelope.safeParse(inner);
  if (!parsed.success) return { refused: "body" };
  if (parsed.data.header.app_id !== keys.appId) return { refused: "app" };
  const token = parsed.data.header.token;
  if (keys.verificationToken !== undefined && token !== keys.verificationToken) return { refused: "token" };
  return { accepted: "event", event: inner, replayKey: `${timestamp}.${nonce}.${signature}` };
}

/** A plain challenge needs the configured token; an encrypted one proved itself by the key and checks the token when there is one. */
function tokenFits(given: string, wanted: string | undefined, wasEncrypted: boolean): boolean {
  if (wanted === undefined) return wasEncrypted;
  const a = createHash("sha256").update(given).digest();
  const b = createHash("sha256").update(wanted).digest();
  return timingSafeEqual(a, b);
}

/** base64(iv16 ‖ AES-256-CBC), key = SHA-256(encrypt key) (Feishu: "Encrypt Key"). undefined = not ours or damaged. */
function decrypt(sealed: string, encryptKey: string): string | undefined {
  const bytes = Buffer.from(sealed, "base64");
  if (bytes.length < 32 || bytes.length % 16 !== 0) return undefined;
  try {
    const decipher = createDecipheriv(
      "aes-256-cbc",
      createHash("sha256").update(encryptKey).digest(),
      bytes.subarray(0, 16),
    );
    return Buffer.concat([decipher.update(bytes.subarray(16)), decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
