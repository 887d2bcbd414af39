import type { Readable } from "node:stream";
import { z } from "zod";
import { type Lark, LarkError, type StoredMessage } from "./lark.ts";
import type { Perform } from "./lark-call.ts";

const IM = "/open-apis/im/v1";
const MESSAGE = /^om_[A-Za-z0-9_-]{1,64}$/;
const THREAD = /^omt_[A-Za-z0-9_-]{1,64}$/;
const KEY = /^[A-Za-z0-9_-]{1,128}$/;

const image = z.object({ data: z.object({ image_key: z.string() }) });
const file = z.object({ data: z.object({ file_key: z.string() }) });
const messages = z.object({
  data: z.object({
    items: z
      .array(
        z.object({
          message_id: z.string(),
          msg_type: z.string(),
          deleted: z.boolean().default(false),
          create_time: z.coerce.number(),
          sender: z.object({ id: z.string(), sender_type: z.string() }),
          body: z.object({ content: z.string() }).optional(),
          mentions: z.array(z.object({ key: z.string(), name: z.string().default("") })).nullish(),
        }),
      )
      .default([]),
  }),
});

/** Pictures and files both ways, and messages as they stand in the chat. */
export function fileCalls(
  perform: Perform,
): Pick<Lark, "uploadImage" | "uploadFile" | "download" | "message" | "threadMessages"> {
  return {
    async uploadImage({ bytes }) {
      const body = await perform({
        method: "POST",
        name: "image.create",
        path: `${IM}/images`,
        data: { image_type: "message", image: bytes },
        form: true,
        repeatable: true,
        paceKey: "image.create",
      });
      return { imageKey: image.parse(body).data.image_key };
    },
    async uploadFile({ bytes, name }) {
      const body = await perform({
        method: "POST",
        name: "file.create",
        path: `${IM}/files`,
        data: { file_type: kindOfUpload(name), file_name: name, file: bytes },
        form: true,
        repeatable: true,
        paceKey: "file.create",
      });
      return { fileKey: file.parse(body).data.file_key };
    },
    async download(messageId, key, kind, most) {
      check("message.resource", MESSAGE, messageId);
      check("message.resource", KEY, key);
      const answer = (await perform({
        method: "GET",
        name: "message.resource",
        path: `${IM}/messages/${messageId}/resources/${key}`,
        params: { type: kind },
        file: true,
        repeatable: true,
        paceKey: "message.resource",
      })) as { data: Readable };
      return readAtMost(answer.data, most);
    },
    async message(messageId) {
      check("message.get", MESSAGE, messageId);
      const body = await perform({
        method: "GET",
        name: "message.get",
        path: `${IM}/messages/${messageId}`,
        repeatable: true,
        paceKey: "message.get",
      });
      return readItems(body)[0];
    },
    async threadMessages(threadId, most) {
      check("message.list", THREAD, threadId);
      const body = await perform({
        method: "GET",
        name: "message.list",
        path: `${IM}/messages`,
        params: {
          container_id_type: "thread",
          container_id: threadId,
          sort_type: "ByCreateTimeDesc",
          page_size: String(Math.min(most, 50)),
        },
        repeatable: true,
        paceKey: "message.list",
      });
      return readItems(body);
    },
  };
}

function readItems(body: unknown): StoredMessage[] {
  return messages
    .parse(body)
    .data.items.filter((item) => !item.deleted && item.body !== undefined)
    .map((item) => ({
      messageId: item.message_id,
      type: item.msg_type,
      content: item.body?.content ?? "",
      senderId: item.sender.id,
      fromApp: item.sender.sender_type === "app",
      sentAt: new Date(item.create_time),
      mentions: item.mentions ?? [],
    }));
}

/** Feishu: upload file, `file_type`; whatever has no kind of its own is a stream. */
function kindOfUpload(name: string): string {
  const end = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  const kinds: Readonly<Record<string, string>> = {
    opus: "opus",
    mp4: "mp4",
    pdf: "pdf",
    doc: "doc",
    docx: "doc",
    xls: "xls",
    xlsx: "xls",
    ppt: "ppt",
    pptx: "ppt",
  };
  return kinds[end] ?? "stream";
}

async function readAtMost(stream: Readable, most: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of stream) {
    const piece = Buffer.from(part as Uint8Array);
    bytes += piece.length;
    if (bytes > most) {
      stream.destroy();
      throw new LarkError({ method: "message.resource", kind: "refused", message: `longer than ${most} bytes` });
    }
    parts.push(piece);
  }
  return Buffer.concat(parts);
}

function check(method: string, form: RegExp, id: string): void {
  if (!form.test(id)) throw new LarkError({ method, kind: "bug", message: "not an id of the platform" });
}
