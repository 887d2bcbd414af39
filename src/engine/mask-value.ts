import { MASK, type MaskOptions, maskSecrets } from "./mask-secrets.ts";

const SECRET_NAME =
  /(^|_)(password|passwd|passphrase|pwd|secret|token|authorization|cookie|cookies|credential|credentials|apikey|jwt|(api|access|private|secret|encrypt|signing|session)_key|pairing_code|app_ticket)$/;
const MOST_DEPTH = 8;

/** Whether a field of this name holds a secret: `appSecret`, `x-api-key`, `HERALD_BRIDGE_TOKEN`; not `inputTokens`. */
export function isSecretName(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[\s.-]+/g, "_")
    .toLowerCase();
  return SECRET_NAME.test(words);
}

/**
 * A copy of any value, ready to be written as JSON, with secrets masked in its texts and in fields named like secrets.
 * Errors become their name, message, code, stack and cause; what else hangs on them (a failed HTTP call carries its
 * headers) is left out. Circles and more than 8 levels are cut.
 */
export function maskValue(value: unknown, options: MaskOptions = {}): unknown {
  return masked(value, options, []);
}

function masked(value: unknown, options: MaskOptions, above: readonly object[]): unknown {
  if (typeof value === "string") return maskSecrets(value, options);
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return typeof value === "function" ? undefined : value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (above.includes(value) || above.length >= MOST_DEPTH) return "[…]";
  const path = [...above, value];
  if (Array.isArray(value)) return value.map((one) => masked(one, options, path));
  if (value instanceof Error) return maskedError(value, options, path);
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      const secret = isSecretName(name) && (typeof one === "string" || typeof one === "number") && one !== "";
      return [name, secret ? MASK : masked(one, options, path)];
    }),
  );
}

function maskedError(error: Error, options: MaskOptions, path: readonly object[]): Record<string, unknown> {
  const code =
    "code" in error && (typeof error.code === "string" || typeof error.code === "number") ? error.code : undefined;
  return {
    name: error.name,
    message: maskSecrets(error.message, options),
    ...(code === undefined ? {} : { code }),
    ...(error.stack ? { stack: maskSecrets(error.stack, options) } : {}),
    ...(error.cause === undefined ? {} : { cause: masked(error.cause, options, path) }),
  };
}
