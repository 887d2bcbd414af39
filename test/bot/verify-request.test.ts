import { createCipheriv, createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { verifyRequest, type WebhookKeys } from "../../src/bot/verify-request.ts";

const keys: WebhookKeys = { appId: "cli_a0b1c2d3e4f50617", encryptKey: "test key", verificationToken: "v-token" };
const now = new Date("2026-05-03T02:00:00Z");

function seal(text: string, key = keys.encryptKey): string {
  const iv = Buffer.alloc(16, 7);
  const cipher = createCipheriv("aes-256-cbc", createHash("sha256").update(key).digest(), iv);
  return Buffer.concat([iv, cipher.update(text, "utf8"), cipher.final()]).toString("base64");
}

function sign(
  body: Buffer,
  at = now,
  nonce = "n1",
  key = keys.encryptKey,
): { timestamp: string; nonce: string; signature: string } {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signature = createHash("sha256")
    .update(timestamp + nonce + key)
    .update(body)
    .digest("hex");
  return { timestamp, nonce, signature };
}

const event = {
  schema: "2.0",
  header: { event_id: "e1", event_type: "x", app_id: keys.appId, token: "v-token" },
  event: {},
};
const eventBody = Buffer.from(JSON.stringify({ encrypt: seal(JSON.stringify(event)) }));
const unsigned = { timestamp: undefined, nonce: undefined, signature: undefined };

describe("verifyRequest", () => {
  test("takes a signed, encrypted event", () => {
    const verdict = verifyRequest({ body: eventBody, ...sign(eventBody) }, keys, now);
    expect(verdict).toMatchObject({ accepted: "event", event });
  });

  test("takes a signed event sent in clear", () => {
    const body = Buffer.from(JSON.stringify(event));
    expect(verifyRequest({ body, ...sign(body) }, keys, now)).toMatchObject({ accepted: "event" });
  });

  test("decrypts the platform's documented sample", () => {
    const body = Buffer.from(JSON.stringify({ encrypt: "P37w+VZImNgPEO1RBhJ6RtKl7n6zymIbEG1pReEzghk=" }));
    // The sample's text is "hello world", which is no event: it opens, and is then refused as not JSON.
    expect(verifyRequest({ body, ...sign(body) }, keys, now)).toEqual({ refused: "decrypt" });
  });

  test("answers an encrypted challenge without a signature, with the right token only", () => {
    const challenge = (token: string): Buffer =>
      Buffer.from(
        JSON.stringify({ encrypt: seal(JSON.stringify({ type: "url_verification", challenge: "c", token })) }),
      );
    expect(verifyRequest({ body: challenge("v-token"), ...unsigned }, keys, now)).toEqual({
      accepted: "challenge",
      challenge: "c",
    });
    expect(verifyRequest({ body: challenge("other"), ...unsigned }, keys, now)).toEqual({ refused: "token" });
  });

  test("refuses a plain challenge when no verification token is set", () => {
    const body = Buffer.from(JSON.stringify({ type: "url_verification", challenge: "c", token: "x" }));
    const { verificationToken: _, ...without } = keys;
    expect(verifyRequest({ body, ...unsigned }, without, now)).toEqual({ refused: "token" });
  });

  test.each([
    [
      "one flipped byte",
      {
        body: Buffer.from(eventBody.toString().replace(/.(?=.{5}"})/, (c) => (c === "A" ? "B" : "A"))),
        ...sign(eventBody),
      },
      "decrypt|signature",
    ],
    [
      "a timestamp ten minutes old",
      { body: eventBody, ...sign(eventBody, new Date(now.getTime() - 600_000)) },
      "timestamp",
    ],
    [
      "a timestamp ten minutes ahead",
      { body: eventBody, ...sign(eventBody, new Date(now.getTime() + 600_000)) },
      "timestamp",
    ],
    ["no signature", { body: eventBody, ...unsigned }, "signature"],
    ["a short signature", { body: eventBody, ...sign(eventBody), signature: "ab" }, "signature"],
    ["another key", { body: eventBody, ...sign(eventBody, now, "n1", "other") }, "signature"],
    ["no JSON", { body: Buffer.from("hello"), ...unsigned }, "body"],
    ["garbage in encrypt", { body: Buffer.from('{"encrypt":"AAAA"}'), ...unsigned }, "decrypt"],
  ])("refuses %s", (_name, request, why) => {
    const verdict = verifyRequest(request, keys, now);
    expect(verdict).toHaveProperty("refused");
    expect((verdict as { refused: string }).refused).toMatch(new RegExp(`^(${why})$`));
  });

  test("refuses an event of another app and one with another token, signed as they may be", () => {
    const other = Buffer.from(
      JSON.stringify({ ...event, header: { ...event.header, app_id: "cli_ffffffffffffffff" } }),
    );
    expect(verifyRequest({ body: other, ...sign(other) }, keys, now)).toEqual({ refused: "app" });
    const token = Buffer.from(JSON.stringify({ ...event, header: { ...event.header, token: "no" } }));
    expect(verifyRequest({ body: token, ...sign(token) }, keys, now)).toEqual({ refused: "token" });
  });

  test("the legacy bypass of adding schema to an unsigned body does not get in", () => {
    const body = Buffer.from(JSON.stringify({ ...event, schema: "2.0", encrypt: "" }));
    expect(verifyRequest({ body, ...unsigned }, keys, now)).toEqual({ refused: "signature" });
  });
});
