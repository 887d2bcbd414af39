/** What stands in the place of a secret. Not an asterisk: those mean something in card Markdown. */
export const MASK = "••••";

export type MaskOptions = {
  /** Exact values that must never appear, such as the secrets of the configuration. Shorter than 6 characters are ignored. */
  readonly known?: readonly string[];
  /** Also phone numbers, Chinese identity card numbers and bank card numbers: for cards, receipts and stored documents. */
  readonly personal?: boolean;
};

/**
 * The text without what looks like a secret: by its name (`DB_PASSWORD=…`, "密码：…"), by a known form (provider keys,
 * JWT, Bearer, private keys, passwords in URLs) or by being long and random. Masking a masked text changes nothing.
 * Time grows with the length of the text only.
 */
export function maskSecrets(text: string, options: MaskOptions = {}): string {
  let masked = text;
  for (const value of options.known ?? []) if (value.length >= 6) masked = masked.replaceAll(value, MASK);
  if (MAY_HOLD_SECRETS.test(masked)) {
    for (const [pattern, replacement] of FORMS) masked = masked.replace(pattern, replacement);
    masked = masked.replace(NAMED, maskNamed).replace(NAMED_CHINESE, (_all, name: string) => `${name}${MASK}`);
    masked = masked.replace(LONG_RUN, (run) => (looksRandom(run) ? MASK : run));
  }
  return options.personal && MAY_HOLD_NUMBERS.test(masked) ? maskPersonal(masked) : masked;
}

/**
 * Without any of these a text matches none of the patterns below: a short look saves most texts the long one. Every
 * pattern holds a run of eight, a URL, or one of the words.
 */
const MAY_HOLD_SECRETS =
  /[\w.~+/=-]{8}|:\/\/|pass|pwd|secret|token|key|credential|authorization|cookie|pairing|密码|口令|密钥|私钥|令牌|验证码|配对码|授权码/i;
/** The same for phone, identity card and bank card numbers: five digits with little between them. */
const MAY_HOLD_NUMBERS = /(?:\d[ ()-]{0,3}){5}/;

/** Forms that are secrets wherever they stand. Each replacement keeps what says which kind it was. */
const FORMS: readonly (readonly [RegExp, string])[] = [
  [
    /-----BEGIN ([A-Z ]{0,30})PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)/g,
    `[$1PRIVATE KEY ${MASK}]`,
  ],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g, MASK],
  [/\b(Bearer|Basic|Token)(\s+)(?=[\w.~+/=-]*[\d._~+/=-])[\w.~+/=-]{8,}/gi, `$1$2${MASK}`],
  [/\b([a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/]{0,100}):[^\s@/]{1,200}@/gi, `$1:${MASK}@`],
  [/(\/bot\/v2\/hook\/|hooks\.slack\.com\/services\/)[\w/-]{8,}/g, `$1${MASK}`],
  [/\b(sk|pk|rk)[-_](live_|test_|ant-|proj-|or-)?[\w-]{16,}/g, MASK],
  [
    /\b(gh[oprsu]_|github_pat_|glpat-|xox[abeoprs]-|xapp-|hf_|npm_|pypi-|gsk_|tvly-|xai-|nvapi-|r8_|shp(at|ss|ca)_|dop_v1_|whsec_|ya29\.)[\w.-]{10,}/g,
    MASK,
  ],
  [/\b(AKIA|ASIA|AKID|LTAI)[A-Za-z0-9]{12,}\b/g, MASK],
  [/\bAIza[\w-]{30,}/g, MASK],
  [/\bSG\.[\w-]{16,}\.[\w-]{16,}/g, MASK],
  [/\b\d{8,10}:[\w-]{35}\b/g, MASK],
  // Feishu: tenant, user and app access tokens, and the token that allows to update a card for 30 minutes.
  [/(?<![\w-])[tuac]-(?=[\w.-]*\d)[\w.-]{20,}/g, MASK],
];

const SECRET_WORD =
  "pass(?:word|wd|phrase)?|pwd|secret|token|api[_-]?key|apikey|access[_-]?key(?:[_-]?id)?|private[_-]?key|secret[_-]?key|encrypt[_-]?key|signing[_-]?key|credentials?|authorization|cookie|pairing[_-]?code";
/** A name that ends in a secret word, a separator, and the value up to a blank, quote or delimiter. */
const NAMED = new RegExp(
  `(?<![A-Za-z0-9])((?:[A-Za-z0-9]{1,40}[_.-]){0,6}[A-Za-z0-9]{0,40}?(?:${SECRET_WORD}))(["'\`]?\\s{0,3}(?:=>|:=|=|:|：)\\s{0,3})("[^"\\n]{1,2000}"|'[^'\\n]{1,2000}'|[^\\s"'\`,;，；。、{}()（）\\[\\]&<>]{1,2000})`,
  "gi",
);
const NAMED_CHINESE =
  /((?:密码|口令|密钥|私钥|令牌|验证码|配对码|授权码)\s{0,2}(?:[:：=]|是|为)\s{0,2}["'“「]?)[\x21\x23-\x26\x28-\x7e]{3,}/g;

/** In prose "token: expired" is no secret; with "=" or quotes, or as a password, anything is. */
function maskNamed(all: string, name: string, separator: string, value: string): string {
  if (value.includes(MASK)) return all;
  const quote = /^["']/.test(value) ? value.slice(0, 1) : "";
  const bare = quote ? value.slice(1, -1) : value;
  const isPassword = /pass|pwd/i.test(name);
  const certain = separator.includes("=") || quote !== "" || /["'`]/.test(separator) || isPassword;
  // The shell puts something else in its place, and whoever lets the command run must see what is run for it.
  if (/\$\([^)]*\)|`[^`]*`/.test(bare)) return all;
  if (/^(true|false|null|undefined|none|<.*>|\$\{?\w+\}?)$/i.test(bare)) return all;
  if (!isPassword && /^\d{1,5}$/.test(bare)) return all;
  if (!certain && !(bare.length >= 6 && /\d/.test(bare)) && bare.length < 20) return all;
  return `${name}${separator}${quote}${MASK}${quote}`;
}

/** Runs long enough to be a random token; slashes and dots end them, so paths and host names fall into words. */
const LONG_RUN = /(?<![\w+=-])[A-Za-z0-9_+=-]{24,}(?![\w+=-])/g;

/** Small and capital letters and digits well mixed: no identifier, no hash in hex, no id of Feishu (one prefix, then hex). */
function looksRandom(run: string): boolean {
  if (/^[a-z]{1,5}_[0-9a-f]+$/.test(run)) return false;
  const kinds = [/[a-z]/g, /[A-Z]/g, /\d/g].map((kind) => run.match(kind)?.length ?? 0);
  if (kinds.some((count) => count < 2)) return false;
  let changes = 0;
  for (let i = 1; i < run.length; i++) if (kindOf(run.charCodeAt(i)) !== kindOf(run.charCodeAt(i - 1))) changes++;
  return changes >= run.length / 4 && entropyBits(run) >= 3.7;
}

function kindOf(code: number): number {
  if (code >= 48 && code <= 57) return 0;
  if (code >= 65 && code <= 90) return 1;
  return code >= 97 && code <= 122 ? 2 : 3;
}

/** Shannon entropy in bits a character. */
function entropyBits(run: string): number {
  const counts = new Map<string, number>();
  for (const char of run) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / run.length) * Math.log2(count / run.length);
  return bits;
}

/** Keeps the first three and last four digits of a phone number, so that its owner still recognises it. */
function maskPersonal(text: string): string {
  return text
    .replace(/(?<![\w.])\d{4}(?:[ -]?\d{4}){2,3}(?:[ -]?\d{1,4})?(?!\w)/g, (number) =>
      isCardNumber(number) ? `${number.slice(0, 4)}${MASK}${number.slice(-4)}` : number,
    )
    .replace(
      /(?<![\w.])\d{6}(?:18|19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx](?!\w)/g,
      (id) => `${id.slice(0, 3)}${MASK}${id.slice(-2)}`,
    )
    .replace(
      /(?<![\w.+-])((?:\+|00)?86[ -]?)?(1[3-9]\d)[ -]?\d{4}[ -]?(\d{4})(?![\w.]\d|\w)/g,
      (_all, country: string | undefined, first: string, last: string) => `${country ?? ""}${first}${MASK}${last}`,
    )
    .replace(/(?<![\w.]|\d[ -])(0\d{2,3})[ -]\d{3,4}[ -]?(\d{4})(?!\w)/g, `$1-${MASK}$2`)
    .replace(/(?<![\w.+])\+(?!86)(\d{1,3})[ -]?(?:\(?\d{2,4}\)?[ -]?){2,3}(\d{2})(?!\w)/g, `+$1 ${MASK}$2`);
}

/** 16 to 19 digits whose Luhn sum fits. */
function isCardNumber(text: string): boolean {
  const digits = text.replace(/\D/g, "");
  if (digits.length < 16 || digits.length > 19) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]) * (i % 2 === 1 ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}
