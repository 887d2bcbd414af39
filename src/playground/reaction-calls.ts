import { type ApiAnswer, ok, Refusal } from "./api-answer.ts";
import type { ApiCall } from "./api-routes.ts";
import { isRecord } from "./card-rules.ts";
import { messageAt, publish } from "./message-calls.ts";
import type { PlatformCore } from "./platform-core.ts";
import { newId } from "./platform-state.ts";

/** `POST im/v1/messages/:id/reactions` by the bot; a second one of the same kind gives the first one's id. */
export function addReaction(core: PlatformCore, call: ApiCall): ApiAnswer {
  const message = messageAt(core, call);
  const kind =
    isRecord(call.body) && isRecord(call.body.reaction_type) ? call.body.reaction_type.emoji_type : undefined;
  if (typeof kind !== "string" || !/^[A-Za-z0-9_]{1,40}$/.test(kind))
    throw new Refusal(231001, "reaction type is invalid.");
  if (message.recalled) throw new Refusal(231003, "The message is not found or recalled.");
  const by = message.reactions.get(kind) ?? [];
  const mine = by.find((each) => each.openId === core.state.bot.openId) ?? {
    reactionId: newId(""),
    openId: core.state.bot.openId,
  };
  if (!by.includes(mine)) {
    message.reactions.set(kind, [...by, mine]);
    publish(core, message, "patch");
  }
  return ok({
    reaction_id: mine.reactionId,
    operator: { operator_id: core.app.appId, operator_type: "app" },
    action_time: String(core.nowMs()),
    reaction_type: { emoji_type: kind },
  });
}

/** `DELETE im/v1/messages/:id/reactions/:reaction_id`: one's own only. */
export function removeReaction(core: PlatformCore, call: ApiCall): ApiAnswer {
  const message = messageAt(core, call);
  for (const [kind, by] of message.reactions) {
    const mine = by.find((each) => each.reactionId === call.params.reaction_id);
    if (!mine) continue;
    if (mine.openId !== core.state.bot.openId)
      throw new Refusal(231007, "The operator is not the one who added the reaction.");
    const others = by.filter((each) => each !== mine);
    if (others.length === 0) message.reactions.delete(kind);
    else message.reactions.set(kind, others);
    publish(core, message, "patch");
    return ok({ reaction_id: mine.reactionId, reaction_type: { emoji_type: kind } });
  }
  throw new Refusal(231010, "The reaction does not exist.");
}
