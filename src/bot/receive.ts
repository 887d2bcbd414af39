import { takeEvent } from "../engine/inbox/take-event.ts";
import type { Scope } from "../engine/scope.ts";
import { type Incoming, type IncomingTap, readEvent } from "./feishu-events.ts";
import type { InHand } from "./in-hand.ts";

export interface ReceiveParts {
  scope: Scope;
  appId: string;
  /** events being stored and answered */
  inHand: InHand;
  onTap: (tap: IncomingTap) => Promise<object>;
  /** wakes the sweep that works on stored messages */
  poke: (job: string) => void;
  /** something came in: the connection is alive */
  seen: () => void;
}

/**
 * The one way in for events, whichever transport carried them. Resolves when the event is stored, which is the
 * acknowledgement; what it resolves to answers a tap and is always an object. A repeat is answered as before.
 * @throws whatever the database throws: then nothing was stored, nothing is acknowledged, and the platform tries again
 */
export function receiver(parts: ReceiveParts): (raw: unknown) => Promise<object> {
  return async (raw) => {
    parts.seen();
    const event = readEvent(raw);
    if (event === undefined) {
      parts.scope.log.warn("event.unreadable");
      return {};
    }
    if (event.appId !== parts.appId) {
      parts.scope.log.warn("event.other_app", { kind: event.kind });
      return {};
    }
    return parts.inHand.hold(take(parts, event));
  };
}

async function take(parts: ReceiveParts, event: Incoming): Promise<object> {
  switch (event.kind) {
    case "tap":
      return parts.onTap(event);
    case "message": {
      // Other bots and the system are not people: answering them is how two bots talk for ever.
      if (event.senderType !== "user") return {};
      const taken = await takeEvent(parts.scope, {
        dedupeKey: event.dedupeKey,
        kind: "message",
        chatId: event.chatId,
        senderOpenId: event.senderOpenId,
        payload: { ...event, sentAt: event.sentAt.toISOString() },
      });
      if (taken.fresh) parts.poke("handle-messages");
      return {};
    }
    case "other":
      return {};
  }
}
