import { EventDispatcher, type EventHandles, LoggerLevel, WSClient } from "@larksuiteoapi/node-sdk";
import type { TestPlatform } from "../helpers/start-platform.ts";

const silent = (): void => {};
export const quietLogger = { error: silent, warn: silent, info: silent, debug: silent, trace: silent };

export type CardAction = {
  token: string;
  operator: { open_id: string };
  action: { tag: string; value?: Record<string, unknown>; form_value?: Record<string, unknown>; option?: string };
  context: { open_message_id: string; open_chat_id: string };
  event_id: string;
};

type Handles = EventHandles & { "card.action.trigger"?: (tap: CardAction) => unknown };

/** The official SDK on the long connection, with these handlers; resolves when the connection is up. */
export async function connectBot(platform: TestPlatform, handles: Handles): Promise<{ close: () => void }> {
  const before = platform.connections();
  const up = platform.until((event) => event.type === "state" && event.herald.connections > before);
  const dispatcher = new EventDispatcher({ logger: quietLogger, loggerLevel: LoggerLevel.error });
  dispatcher.register(handles as EventHandles);
  return new Promise((resolve, reject) => {
    const ws = new WSClient({
      ...platform.sdk,
      logger: quietLogger,
      onReady: () => void up.then(() => resolve({ close: () => ws.close({ force: true }) }), reject),
      onError: reject,
    });
    ws.start({ eventDispatcher: dispatcher }).catch(reject);
  });
}

export function simpleCard(text: string): Record<string, unknown> {
  return {
    schema: "2.0",
    config: { update_multi: true },
    body: {
      elements: [
        { tag: "markdown", content: text },
        {
          tag: "button",
          text: { tag: "plain_text", content: "完成" },
          behaviors: [{ type: "callback", value: { v: 1, action: "item.done" } }],
        },
      ],
    },
  };
}
