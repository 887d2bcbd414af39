import { safeLink } from "./markdown/safe-link.ts";

const ADDRESS = /(https?:\/\/[^\s<>"'`\u3000-\u303f\uff00-\uffef\u4e00-\u9fff]+)/;

/** A plain text in pieces; those that are web addresses carry where they lead. */
export function splitLinks(text: string): { readonly text: string; readonly href?: string }[] {
  return text
    .split(ADDRESS)
    .filter((part) => part !== "")
    .flatMap((part) => {
      const address = ADDRESS.test(part) ? part.replace(/[.,;:!?)\]]+$/, "") : "";
      const href = address ? safeLink(address) : undefined;
      if (!href) return [{ text: part }];
      const rest = part.slice(address.length);
      return rest ? [{ text: address, href }, { text: rest }] : [{ text: address, href }];
    });
}
