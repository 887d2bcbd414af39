import { noteEntity, type TriedPost } from "../engine/card-posts.ts";
import type { Scope } from "../engine/scope.ts";
import { textsFor } from "../text/pick.ts";
import { FEISHU_CALLS } from "./check-health.ts";
import type { Drawn } from "./draw-post.ts";
import { findLostMessage } from "./find-lost-message.ts";
import { type Lark, LarkError, type Outgoing, type Recipient, type SentMessage } from "./lark.ts";
import { entityContent, entityFor, standing } from "./moving-card.ts";
import { type FileToSend, readOutgoingFile } from "./outgoing-file.ts";

export interface SendParts {
  scope: Scope;
  lark: Lark;
  fileFolders: readonly string[];
  /** calls that worked in this sweep */
  worked: Set<string>;
}

export type Sent = SentMessage & { sentAs: "card" | "text" };

/** Sends a post's first message, as a reply where it is one. @throws LarkError */
export async function sendPost(parts: SendParts, post: TriedPost, drawn: Drawn): Promise<Sent> {
  const { card, file } = drawn;
  if (file !== undefined)
    return { ...(await deliver(parts, post, await fileMessage(parts, post, file))), sentAs: "text" };
  if (card === undefined) {
    const text: Outgoing = { type: "text", content: { text: drawn.asText().text } };
    return { ...(await deliver(parts, post, text)), sentAs: "text" };
  }
  const entityId = drawn.moves ? await entityFor(parts.scope, parts.lark, post, card) : undefined;
  if (entityId !== undefined) {
    try {
      const message: Outgoing = { type: "interactive", content: entityContent(entityId) };
      return { ...(await deliver(parts, post, message)), sentAs: "card" };
    } catch (error) {
      if (!(error instanceof LarkError) || error.kind !== "refused") throw error;
      // The entity is not to be had (any more). If it was shown by an earlier try, that message is the one.
      const earlier =
        post.doubtBefore === null
          ? undefined
          : await findLostMessage(parts.scope, parts.lark, { ...post, inDoubtSince: post.doubtBefore });
      if (earlier !== undefined) return earlier;
    }
  }
  if (entityId !== undefined) await noteEntity(parts.scope, post, null);
  return { ...(await deliver(parts, post, { type: "interactive", content: standing(card) })), sentAs: "card" };
}

async function deliver({ lark, worked }: SendParts, post: TriedPost, message: Outgoing): Promise<SentMessage> {
  if (post.replyToMessageId !== null) {
    try {
      const replied = await lark.reply(post.replyToMessageId, message, post.idempotencyKey);
      worked.add(`${FEISHU_CALLS}message.reply`);
      return replied;
    } catch (error) {
      // The message replied to is gone: the answer still belongs into the chat.
      if (!(error instanceof LarkError) || error.kind !== "gone") throw error;
    }
  }
  const sent = await lark.send(receiverOf(post), message, post.idempotencyKey);
  worked.add(`${FEISHU_CALLS}message.create`);
  return sent;
}

export function receiverOf(post: { receiveIdType: "open_id" | "chat_id"; receiveId: string }): Recipient {
  return post.receiveIdType === "open_id" ? { openId: post.receiveId } : { chatId: post.receiveId };
}

/** The file's message, or the line that says why it is not sent. A second upload makes no second message. */
async function fileMessage(
  { scope, lark, fileFolders }: SendParts,
  post: TriedPost,
  file: FileToSend,
): Promise<Outgoing> {
  const read = await readOutgoingFile(file, fileFolders);
  const { fileRefused } = textsFor(post.language === "en" ? "en" : "zh").chat;
  if ("refused" in read) {
    scope.log.warn("chat.file_not_sent", { post: post.id, why: read.refused });
    return { type: "text", content: { text: fileRefused[read.refused](file.name) } };
  }
  try {
    if (read.as === "image") {
      const { imageKey } = await lark.uploadImage(read);
      return { type: "image", content: { image_key: imageKey } };
    }
    const { fileKey } = await lark.uploadFile(read);
    return { type: "file", content: { file_key: fileKey } };
  } catch (error) {
    if (!(error instanceof LarkError) || (error.kind !== "refused" && error.kind !== "bug")) throw error;
    scope.log.warn("chat.file_not_uploaded", { post: post.id, code: error.code });
    return { type: "text", content: { text: fileRefused.not_taken(file.name) } };
  }
}
