import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { MASK, maskSecrets } from "../../src/engine/mask-secrets.ts";

// Put together at run time, so that no scanner of repositories takes them for real keys.
const key = (prefix: string, length = 36): string =>
  prefix + "q7Rk2Zx9Lm4Tn8Wb3Vc6Yd1Hf5Jg0PsAeUiOoXtQzNrBy".repeat(3).slice(0, length);

describe("a secret is masked by its form", () => {
  it.each([
    ["OpenAI", key("sk-proj-", 48)],
    ["Anthropic", key("sk-ant-", 60)],
    ["DeepSeek, short", key("sk-", 32)],
    ["GitHub", key("ghp_")],
    ["GitHub fine-grained", key("github_pat_", 60)],
    ["GitLab", key("glpat-", 20)],
    ["Slack", key("xoxb-")],
    ["AWS", `AKIA${"IOSFODNN7EXAMPLE"}`],
    ["Aliyun", key("LTAI", 20)],
    ["Google", key("AIza", 35)],
    ["Hugging Face", key("hf_", 34)],
    ["Telegram bot", `123456789:${key("", 35)}`],
    ["Stripe", key("sk_live_", 24)],
    ["Feishu tenant token", `t-${"g1044ghJRUIJJ5ELDDDVWYAJVFB4JTDRMHU2R"}`],
    ["Feishu card token", `c-${"295ee57216a5dc9de90fefd0aadb4b1d7dd2"}`],
    ["JWT", `eyJhbGciOiJIUzI1NiJ9.${"eyJzdWIiOiIxMjM0NTY3ODkwIn0"}.dBjftJeZ4CVPmB92K27uhbUJU1p1rwW1`],
    ["no prefix, long and random", key("", 40)],
    ["base64", "aGk3Zm9vL2JhclF1eDkrMTIzNDU2Nzg5MEFCQ0RFRmdoaQ=="],
  ])("%s", (_kind, secret) => {
    for (const text of [
      secret,
      `key ${secret}, thanks`,
      `用这个：${secret}。`,
      `"${secret}"`,
      `https://x.test/?k=${secret}`,
    ]) {
      expect(maskSecrets(text)).not.toContain(secret);
      expect(maskSecrets(text)).toContain(MASK);
    }
  });

  it("keeps what stands around a private key, a Bearer header and a URL's password", () => {
    expect(maskSecrets("-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nabc\n-----END RSA PRIVATE KEY-----\nbye")).toBe(
      `[RSA PRIVATE KEY ${MASK}]\nbye`,
    );
    expect(maskSecrets("curl -H 'Authorization: Bearer abc123.def-456' x")).not.toContain("abc123");
    expect(maskSecrets("postgresql://herald:pa55@db.test:5432/x")).toBe(`postgresql://herald:${MASK}@db.test:5432/x`);
    expect(maskSecrets("open.feishu.cn/open-apis/bot/v2/hook/1b2c3d4e-aaaa-bbbb-cccc-1234567890ab")).not.toContain(
      "1b2c",
    );
  });
});

describe("a secret is masked by its name, whatever it looks like", () => {
  it.each([
    ["DB_PASSWORD=letmein", `DB_PASSWORD=${MASK}`],
    ["FEISHU_APP_SECRET = abcd", `FEISHU_APP_SECRET = ${MASK}`],
    ['export MY_API_KEY="hello world"', `export MY_API_KEY="${MASK}"`],
    ['{"app_secret":"x1","name":"y"}', `{"app_secret":"${MASK}","name":"y"}`],
    ['{"clientSecret": "x1"}', `{"clientSecret": "${MASK}"}`],
    ["password: hunter2", `password: ${MASK}`],
    ["https://x.test/cb?token=abc&page=2", `https://x.test/cb?token=${MASK}&page=2`],
    ["密码：hunter2，别外传", `密码：${MASK}，别外传`],
    ["wifi 的密码是 Hello123", `wifi 的密码是 ${MASK}`],
    ["验证码: 839201", `验证码: ${MASK}`],
    ["PORT=3000\nDB_PASS=pw\nHOST=x", `PORT=3000\nDB_PASS=${MASK}\nHOST=x`],
  ])("%s", (text, masked) => {
    expect(maskSecrets(text)).toBe(masked);
  });

  it("masks the exact secrets it is told, anywhere", () => {
    expect(maskSecrets("see correct-horse here", { known: ["correct-horse", "see"] })).toBe(`see ${MASK} here`);
  });
});

describe("ordinary text stays as it is", () => {
  it.each([
    "明天下午3点和王总开会，记得带合同",
    "Token: expired, please log in again",
    "The secret: be kind.",
    "maxTokens: 500, input_tokens=1500 total tokens: 12345",
    "commit 9c1185a5c5e9fc54612808977ee8f548b2258d31",
    "om_x100b5a1c2d3e4f5061728394a5b6c7d8 oc_5ad11d72b830411d72b836c20",
    "ou_c99c5f35d542efc7ee492afe11af19ef cli_a1b2c3d4e5f60718",
    "550e8400-e29b-41d4-a716-446655440000",
    "src/hermes-bridge/read-gateway-turns-from-state-db.ts:120",
    "https://github.com/NousResearch/hermes-agent/issues/96045#issuecomment-2345678901",
    "HERALD_LLM_FALLBACK_BASE_URL_AND_MODEL_NAME_2026",
    "密码：请联系管理员",
    "重置密码的事明天再说",
    "2026-11-30T09:00:00.000Z 1732950000000 1,234,567,890",
    "getUserByOpenIdOrThrowNotFoundErrorV2",
    "[Bearer tokens](https://x.test/docs) and basic authentication explained",
    "t-shirt-size-XL-for-the-team-event",
  ])("%s", (text) => {
    expect(maskSecrets(text, { personal: true })).toBe(text);
  });
});

describe("personal numbers are masked where asked", () => {
  it.each([
    ["电话13812345678找我", `电话138${MASK}5678找我`],
    ["+86 138 1234 5678", `+86 138${MASK}5678`],
    ["138-1234-5678", `138${MASK}5678`],
    ["身份证11010519491231002X。", `身份证110${MASK}2X。`],
    ["卡号 6222 0212 3456 7890 128", `卡号 6222${MASK} 128`],
    ["card 4111 1111 1111 1111", `card 4111${MASK}1111`],
    ["010-62345678", `010-${MASK}5678`],
  ])("%s", (text, masked) => {
    expect(maskSecrets(text, { personal: true })).toBe(masked);
    expect(maskSecrets(text)).toBe(text);
  });
});

it("masking twice changes nothing more, and secrets next to any text are found", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), fc.boolean(), (text, personal) => {
      const once = maskSecrets(text, { personal });
      expect(maskSecrets(once, { personal })).toBe(once);
    }),
    { numRuns: 300 },
  );
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 50 }), (text) => {
      expect(maskSecrets(`${text} ${key("sk-", 40)} ${text}`)).not.toContain(key("sk-", 40));
    }),
  );
});

it("takes time in proportion to the length, on hostile text too", () => {
  for (const unit of ["a", "password", "=", "A1a", "eyJ", "1", "-----BEGIN ", "a_", "x://", '"', "token: ", "138 "]) {
    // The process' own time: a busy machine makes nothing slow here.
    const started = process.cpuUsage();
    maskSecrets(unit.repeat(Math.ceil(200_000 / unit.length)), { personal: true });
    expect(process.cpuUsage(started).user / 1000, JSON.stringify(unit)).toBeLessThan(1500);
  }
});

test("the short look before the long one never spares a text in which something would be masked", () => {
  const pieces = [
    "pwd",
    "password",
    "Token",
    "api_key",
    "密码",
    "验证码",
    "是",
    ":",
    "=",
    "：",
    " ",
    "-",
    "1",
    "86",
    "+",
    "(",
    ")",
    "138",
    "0013",
    "8000",
    "4111",
    "010",
    "62",
    "a",
    "ab",
    "x9",
    "://",
    "@",
    "sk-",
    "eyJ",
    "Bearer",
    "'",
    '"',
    "好",
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 14 }), (parts) => {
      const text = parts.join("");
      // With this behind it the text is looked at in full; nothing reaches over four lines.
      const looked = `${text}\n\n\n\naaaaaaaa 1 1 1 1 1`;
      expect(maskSecrets(looked, { personal: true })).toBe(
        `${maskSecrets(text, { personal: true })}\n\n\n\naaaaaaaa 1 1 1 1 1`,
      );
    }),
    { numRuns: 3_000 },
  );
});
