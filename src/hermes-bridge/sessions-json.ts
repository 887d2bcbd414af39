import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

/** Whom a session is held with, as far as Hermes' gateway wrote it down. */
export interface SessionChat {
  chatId?: string;
  chatType?: "dm" | "group";
  userId?: string;
  userName?: string;
}

const text = z.string().optional().catch(undefined);
const entrySchema = z.object({
  session_id: z.string(),
  chat_type: text,
  origin: z
    .object({ chat_id: text, chat_type: text, user_id: text, user_id_alt: text, user_name: text })
    .partial()
    .nullish()
    .catch(undefined),
});

/** Hermes' words for a chat: direct or one of several kinds of group. Unknown words stay unknown. */
export function chatTypeOf(word: string | null | undefined): "dm" | "group" | undefined {
  if (!word) return undefined;
  if (/^(dm|direct|private|p2p)$/i.test(word)) return "dm";
  return /^(group|supergroup|channel|thread|forum|room|topic_group|guild)$/i.test(word) ? "group" : undefined;
}

/** `agent:main:<platform>:<dm|group …>:<chat id>[:…]` */
function fromSessionKey(key: string): SessionChat {
  const [, , , kind, chatId] = key.split(":");
  const chatType = chatTypeOf(kind);
  return { ...(chatType && { chatType }), ...(chatType && chatId && { chatId }) };
}

/**
 * `sessions/sessions.json` of a Hermes home, the only place where Hermes 0.16 keeps a session's chat. Read again only
 * when its time or size has changed. A missing or broken file leaves what was known before; a broken entry is skipped.
 */
export class SessionsJson {
  readonly #path: string;
  #stamp = "";
  #chats: ReadonlyMap<string, SessionChat> = new Map();

  constructor(hermesHome: string) {
    this.#path = join(hermesHome, "sessions", "sessions.json");
  }

  async read(): Promise<ReadonlyMap<string, SessionChat>> {
    const stats = statSync(this.#path, { throwIfNoEntry: false });
    const stamp = stats ? `${stats.mtimeMs}-${stats.size}` : "";
    if (stamp === this.#stamp || !stats) return this.#chats;
    try {
      const entries = z.record(z.string(), z.unknown()).parse(JSON.parse(await readFile(this.#path, "utf8")));
      this.#chats = new Map(
        Object.entries(entries).flatMap(([key, value]) => {
          const entry = entrySchema.safeParse(value);
          return entry.success ? [[entry.data.session_id, chatOf(key, entry.data)] as const] : [];
        }),
      );
      this.#stamp = stamp;
    } catch {
      // Hermes replaces the file while it runs: the next look finds it whole.
    }
    return this.#chats;
  }
}

function chatOf(key: string, { origin, chat_type }: z.infer<typeof entrySchema>): SessionChat {
  const byKey = fromSessionKey(key);
  const chatType = chatTypeOf(origin?.chat_type ?? chat_type) ?? byKey.chatType;
  const chatId = origin?.chat_id ?? byKey.chatId;
  const userId = origin?.user_id_alt ?? origin?.user_id;
  return {
    ...(chatType && { chatType }),
    ...(chatId && { chatId }),
    ...(userId && { userId }),
    ...(origin?.user_name && { userName: origin.user_name }),
  };
}
