import type { Lark } from "./bot/lark.ts";
import type { Clock, Log } from "./engine/ports.ts";

export interface KnownBot {
  /** the bot's own open_id; undefined until the platform has told it */
  openId(): string | undefined;
  /** when the platform last told it */
  answeredAt(): Date | undefined;
  /** Asks the platform. A failure is logged and leaves what is known. */
  ask(): Promise<void>;
}

/** Who we are to the platform. Until it is known groups stay unanswered, because a mention cannot be told; direct chats work. */
export function knowBot(lark: Lark, clock: Clock, log: Log): KnownBot {
  let openId: string | undefined;
  let answeredAt: Date | undefined;
  return {
    openId: () => openId,
    answeredAt: () => answeredAt,
    async ask(): Promise<void> {
      try {
        openId = (await lark.botInfo()).openId;
        answeredAt = clock.now();
      } catch (error) {
        log.warn("feishu.bot_unknown", { error: String(error).slice(0, 200) });
      }
    },
  };
}
