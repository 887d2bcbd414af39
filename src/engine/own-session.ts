/** Where a session of Hermes that Herald itself began belongs. */
export interface OwnSession {
  type: "dm" | "group" | "own";
  chatId?: string;
  /** of a direct chat's person */
  openId?: string;
}

/** Sessions that begin so were begun by Herald over the API server. What people say in its chats stands in them. */
export const OWN_SESSION_PREFIX = "herald-";
/** Turns of Herald's own, such as an editorial one: nobody speaks there. */
export const OWN_TURN_PREFIX = "heraldown-";

const PART = /^[A-Za-z0-9_]{1,64}$/;

/**
 * The id of a session Herald begins. Over the API server Hermes keeps neither chat nor person of a session, so the id
 * itself says them: whoever reads the history can tell whose words these are, and that a direct chat is one.
 */
export function ownSessionId(place: OwnSession, unique: string): string {
  const tail = unique.replace(/[^A-Za-z0-9_]/g, "").slice(-40);
  if (place.type === "own") return `${OWN_TURN_PREFIX}${tail}`;
  const parts = [place.type, place.chatId ?? "", place.type === "dm" ? (place.openId ?? "") : ""];
  return `${OWN_SESSION_PREFIX}${parts.map((part) => (PART.test(part) ? part : "")).join("-")}-${tail}`;
}

/** What such an id says; undefined for a session somebody else began. */
export function readOwnSessionId(id: string): OwnSession | undefined {
  if (id.startsWith(OWN_TURN_PREFIX)) return { type: "own" };
  const [, type, chatId, openId] = /^herald-(dm|group)-(\w*)-(\w*)-\w+$/.exec(id) ?? [];
  if (type !== "dm" && type !== "group") return undefined;
  return { type, ...(chatId && { chatId }), ...(openId && { openId }) };
}
