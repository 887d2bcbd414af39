import type { ToolResult } from "./tool-result.ts";

export const failureKinds = [
  "timeout",
  "not_found",
  "permission",
  "network",
  "rate_limit",
  "auth",
  "invalid_input",
  "blocked",
  "nonzero_exit",
  "other",
] as const;
export type FailureKind = (typeof failureKinds)[number];

/** Kinds that come from outside and go away by themselves: no lesson is drawn from them after one bad hour. */
export const passingKinds: ReadonlySet<FailureKind> = new Set(["timeout", "network", "rate_limit", "other"]);

const SIGNS: readonly (readonly [FailureKind, RegExp])[] = [
  [
    "blocked",
    /^\s*(?:blocked|denied by)\b|\bblocked\s*(?:by|:)|denied pattern|denied by (?:the )?(?:user|policy|owner)|dangerous command|guardrail|用户拒绝|已?被?(?:拦截|阻止)|禁止执行/i,
  ],
  ["rate_limit", /\b429\b|too many requests|rate.?limit|quota exceeded|throttl|限流|请求过于频繁|频率限制/i],
  ["timeout", /timed?[ -]?out|time limit exceeded|deadline exceeded|ETIMEDOUT|ESOCKETTIMEDOUT|\b(?:408|504)\b|超时/i],
  [
    "network",
    /ECONN\w+|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|EPIPE|connection (?:was )?(?:refused|reset|closed|aborted|error)|network (?:is )?(?:aborted|unreachable|error|failure)|could not resolve|name or service not known|getaddrinfo|socket hang up|TLS|SSL (?:error|handshake)|网络|连接(?:失败|被拒|中断|重置)|无法连接/i,
  ],
  [
    "auth",
    /\b401\b|unauthori[sz]ed|unauthenticated|invalid (?:api[ _-]?key|token|credentials)|authentication (?:failed|required)|login required|token (?:has )?expired|expired token|not logged in|未登录|认证失败|凭证|令牌.{0,6}(?:过期|无效)/i,
  ],
  [
    "permission",
    /permission denied|access (?:is )?denied|EACCES|EPERM|operation not permitted|\b403\b|forbidden|read-only file system|没有权限|权限不足|无权/i,
  ],
  [
    "not_found",
    /no such (?:file|table|column|directory|host|container|image|branch)|(?:file|path|command|page|table|directory|url|resource)?\s*(?:was |is )?not found|ENOENT|does ?n[o']t exist|\b404\b|unknown (?:command|host|revision)|找不到|不存在|未找到/i,
  ],
  [
    "invalid_input",
    /invalid (?:argument|input|parameter|json|value|option|request|format|url|date|syntax)|(?:is|are) required\b|missing (?:required|argument|parameter|field)|required (?:argument|parameter|field|property)|validation (?:error|failed)|unexpected (?:argument|token|keyword)|must be (?:a|an|one)\b|bad request|\b(?:400|422)\b|type ?error|schema|unrecognized (?:option|argument)|syntax error|参数|格式(?:错误|不对|无效)|必填|无效的/i,
  ],
];

/** In what a command printed only what names the failure itself counts: its output may speak of anything. */
const PRINTED: readonly (readonly [FailureKind, RegExp])[] = [
  ["permission", /permission denied|EACCES|EPERM|operation not permitted|read-only file system|权限不足|没有权限/i],
  ["rate_limit", /\b429\b|too many requests|rate.?limit(?:ed| exceeded)/i],
  ["timeout", /\btimed?[ -]?out\b|ETIMEDOUT|deadline exceeded|超时/i],
  [
    "network",
    /ECONN\w+|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|could not resolve host|connection (?:refused|reset|timed out|closed)|network (?:is unreachable|aborted|unreachable|error)|temporary failure in name resolution|socket hang up|unable to access/i,
  ],
  [
    "auth",
    /authentication failed|\b401\b|unauthori[sz]ed|not logged in|permission denied \(publickey|invalid credentials/i,
  ],
  [
    "not_found",
    /no such file|command not found|ENOENT|\b404\b|(?:file|path|image|repository) not found|does not exist/i,
  ],
  ["invalid_input", /unrecognized (?:option|argument)|unknown option|invalid (?:option|argument)|usage:/i],
];

/** Conventions of shells. */
const EXIT_CODES: Readonly<Record<number, FailureKind>> = { 124: "timeout", 126: "permission", 127: "not_found" };

/** What kind of failure a failed result is. */
export function failureKind(result: ToolResult): FailureKind {
  const { message, exitCode } = result;
  const fromCommand = exitCode !== undefined && exitCode !== 0;
  if (!fromCommand) return SIGNS.find(([, sign]) => sign.test(message))?.[0] ?? "other";
  return PRINTED.find(([, sign]) => sign.test(message))?.[0] ?? EXIT_CODES[exitCode] ?? "nonzero_exit";
}

const URL_HOST = /\bhttps?:\/\/(?:[^\s/@"']*@)?([a-z0-9.-]+\.[a-z]{2,}|localhost|\d{1,3}(?:\.\d{1,3}){3})/i;

/** The host a call went to: from its input, else from what it answered. */
export function hostOf(input: string, message: string): string | undefined {
  return (URL_HOST.exec(input) ?? URL_HOST.exec(message))?.[1]?.toLowerCase();
}
