import { randomBytes } from "node:crypto";
import { type ApiAnswer, ok, Refusal } from "./api-answer.ts";
import type { ApiCall } from "./api-routes.ts";
import { messageAt } from "./message-calls.ts";
import { type FormPart, readMultipart } from "./multipart.ts";
import type { PlatformCore } from "./platform-core.ts";

const IMAGE_BYTES = 10 * 1024 * 1024;
const FILE_BYTES = 30 * 1024 * 1024;

/** `POST im/v1/images` (multipart): at most 10 MB, never empty. */
export function uploadImage(core: PlatformCore, call: ApiCall): ApiAnswer {
  const file = fileOf(readForm(call).get("image"), IMAGE_BYTES);
  const key = `img_v3_${randomBytes(12).toString("hex")}`;
  core.state.files.set(key, { key, ...file });
  return ok({ image_key: key });
}

/** `POST im/v1/files` (multipart): at most 30 MB, never empty. */
export function uploadFile(core: PlatformCore, call: ApiCall): ApiAnswer {
  const form = readForm(call);
  const file = fileOf(form.get("file"), FILE_BYTES);
  const key = `file_v3_${randomBytes(12).toString("hex")}`;
  const name = form.get("file_name")?.bytes.toString("utf8") ?? file.name;
  core.state.files.set(key, { key, ...file, name });
  return ok({ file_key: key });
}

/** `GET im/v1/messages/:id/resources/:key?type=`: a file someone sent in that very message. */
export function downloadResource(core: PlatformCore, call: ApiCall): ApiAnswer {
  const message = messageAt(core, call);
  const file = core.state.files.get(call.params.file_key ?? "");
  if (!file || !message.content.includes(file.key)) throw new Refusal(234003, "File not in msg.");
  if (call.query.get("type") !== (file.key.startsWith("img_") ? "image" : "file"))
    throw new Refusal(234001, "Invalid request param.");
  const headers = {
    "content-type": file.mime,
    "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
  };
  return { status: 200, body: file.bytes, headers };
}

function readForm(call: ApiCall): Map<string, FormPart> {
  const form = readMultipart(call.raw, call.contentType);
  if (!form) throw new Refusal(234001, "Invalid request param.");
  return form;
}

function fileOf(part: FormPart | undefined, limit: number): { name: string; mime: string; bytes: Buffer } {
  if (!part) throw new Refusal(234001, "Invalid request param.");
  if (part.bytes.length === 0) throw new Refusal(234010, "File's size can't be 0.");
  if (part.bytes.length > limit) throw new Refusal(234006, "The file size exceed the max value.");
  return { name: part.fileName ?? "file", mime: part.mime ?? "application/octet-stream", bytes: part.bytes };
}
