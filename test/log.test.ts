import { describe, expect, it } from "vitest";
import { isSecretName, maskValue } from "../src/engine/mask-value.ts";
import { createLog } from "../src/log.ts";

const AT = new Date("2026-11-30T09:00:00Z");

function recorded(level: "debug" | "info" = "info", secrets: string[] = []) {
  const lines: string[] = [];
  const log = createLog({ level, secrets, now: () => AT, write: (line) => lines.push(line) });
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? "null") as Record<string, unknown> };
}

describe("the log", () => {
  it("writes one JSON object a line, with level, time and event", () => {
    const { log, lines, last } = recorded();
    log.debug("not.shown");
    log.info("tick.done", { runId: "run_1", items: 3 });
    expect(lines).toHaveLength(1);
    expect(last()).toEqual({ level: "info", time: AT.toISOString(), event: "tick.done", runId: "run_1", items: 3 });
  });

  it("never writes a secret: by field name, by form, by exact value, deep inside, in an error's cause", () => {
    const { log, lines } = recorded("info", ["my-own-secret-value"]);
    const cause = new Error("connect postgresql://u:pa55word@db/x failed");
    const error = Object.assign(new Error("call failed with Bearer abc123456789def", { cause }), {
      config: { headers: { Authorization: "x" }, data: { app_secret: "from-axios" } },
    });
    log.warn("a", { appSecret: "s3cr3t-1", nested: { list: [{ "X-Api-Key": "s3cr3t-2" }] } });
    log.warn("b", { note: "see my-own-secret-value", url: "https://x.test/?token=s3cr3t-3" });
    log.incident("c", error, { tenant_access_token: "s3cr3t-4" });
    const all = lines.join("");
    for (const secret of ["s3cr3t", "my-own-secret-value", "pa55word", "abc123456789def", "from-axios"]) {
      expect(all).not.toContain(secret);
    }
    expect(all).toContain("call failed");
  });

  it("never writes what people or models said, only how long it was", () => {
    const { log, last } = recorded();
    log.info("message", {
      text: "明天给妈妈打电话",
      title: "x",
      item: { title: "工资" },
      contextChars: 12,
      textLength: 8,
    });
    expect(last()).toMatchObject({
      text: "[8 chars]",
      title: "[1 chars]",
      item: { title: "[2 chars]" },
      contextChars: 12,
      textLength: 8,
    });
  });

  it("gives each incident a reference a person can read out, and logs it with the stack", () => {
    const { log, last } = recorded();
    const refs = new Set(Array.from({ length: 200 }, () => log.incident("boom", new Error("why"), { eventId: "e" })));
    for (const ref of refs) expect(ref).toMatch(/^[ACDEFGHJKMNPQRTUVWXY234679]{4}$/);
    expect(refs.size).toBeGreaterThan(195);
    const { error, ...rest } = last();
    expect(rest).toMatchObject({ level: "error", event: "boom", eventId: "e", ref: [...refs].at(-1) });
    expect(error).toMatchObject({ name: "Error", message: "why", stack: expect.stringContaining("log.test.ts") });
  });

  it("survives whatever it is handed", () => {
    const { log, lines } = recorded();
    const circle: Record<string, unknown> = {
      big: 10n,
      bytes: new Uint8Array(3),
      bad: new Date(Number.NaN),
      f: () => 1,
    };
    circle.self = circle;
    log.incident("odd", "a string thrown", { circle, nothing: undefined });
    log.incident("odd", undefined);
    expect(lines).toHaveLength(2);
  });
});

describe("field names", () => {
  it.each([
    "password",
    "appSecret",
    "FEISHU_APP_SECRET",
    "x-api-key",
    "Authorization",
    "tenant_access_token",
    "encryptKey",
    "Set-Cookie",
    "pairingCode",
  ])("%s holds a secret", (name) => expect(isSecretName(name)).toBe(true));
  it.each(["inputTokens", "key", "cardKey", "secretary", "tokenCount", "uniqueKey", "passwordless_login"])(
    "%s holds none",
    (name) => expect(isSecretName(name)).toBe(false),
  );
  it("does not change what it is given", () => {
    const given = { password: "x", list: [1, "y"] };
    maskValue(given);
    expect(given).toEqual({ password: "x", list: [1, "y"] });
  });
});
