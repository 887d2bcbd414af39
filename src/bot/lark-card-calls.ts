import { z } from "zod";
import { cleanOutgoing } from "./clean-outgoing.ts";
import { type Lark, LarkError } from "./lark.ts";
import type { Perform } from "./lark-call.ts";

const CARDS = "/open-apis/cardkit/v1/cards";
const ENTITY = /^[A-Za-z0-9_-]{1,64}$/;

const created = z.object({ data: z.object({ card_id: z.string() }) });

/**
 * Feishu's card entities (streaming updates). Changes carry the caller's sequence number and are not made a second time
 * here: whether a change without an answer arrived cannot be told, and the next one has a higher number anyway.
 */
export function cardCalls(
  perform: Perform,
): Pick<Lark, "createCard" | "streamText" | "cardSettings" | "batchUpdateCard" | "updateCard"> {
  const change = async (
    method: "PUT" | "PATCH" | "POST",
    name: string,
    cardId: string,
    rest: string,
    data: Record<string, unknown>,
  ): Promise<void> => {
    if (!ENTITY.test(cardId)) throw new LarkError({ method: name, kind: "bug", message: "not an id of a card" });
    await perform({
      method,
      name,
      path: `${CARDS}/${cardId}${rest}`,
      data,
      repeatable: false,
      paceKey: `card ${cardId}`,
    });
  };
  return {
    async createCard(card) {
      const body = await perform({
        method: "POST",
        name: "card.create",
        path: CARDS,
        data: { type: "card_json", data: JSON.stringify(cleanOutgoing(card)) },
        // An entity nobody shows is forgotten by the platform.
        repeatable: true,
        paceKey: "card.create",
      });
      return { cardId: created.parse(body).data.card_id };
    },
    streamText: (cardId, elementId, text, sequence) =>
      change("PUT", "card.content", cardId, `/elements/${elementId}/content`, {
        content: cleanOutgoing({ text }).text,
        sequence,
      }),
    cardSettings: (cardId, config, sequence) =>
      change("PATCH", "card.settings", cardId, "/settings", {
        settings: JSON.stringify({ config: cleanOutgoing(config) }),
        sequence,
      }),
    batchUpdateCard: (cardId, actions, sequence) =>
      change("POST", "card.batch_update", cardId, "/batch_update", {
        actions: JSON.stringify(cleanOutgoing({ actions }).actions),
        sequence,
      }),
    updateCard: (cardId, card, sequence) =>
      change("PUT", "card.update", cardId, "", {
        card: { type: "card_json", data: JSON.stringify(cleanOutgoing(card)) },
        sequence,
      }),
  };
}
