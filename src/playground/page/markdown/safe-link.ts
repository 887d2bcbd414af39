/**
 * The address a link may lead to, or undefined. Feishu allows http and https only; anything else
 * (`javascript:`, `data:`, a relative path) is shown as text and leads nowhere.
 */
export function safeLink(address: unknown): string | undefined {
  if (typeof address !== "string") return undefined;
  try {
    const url = new URL(address.trim());
    return url.protocol === "https:" || url.protocol === "http:" ? url.href : undefined;
  } catch {
    return undefined;
  }
}
