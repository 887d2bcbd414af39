/** One part of a multipart form: a field, or a file (which may come without a name). */
export type FormPart = { name: string; fileName: string | undefined; mime: string | undefined; bytes: Buffer };

/**
 * Parts of a `multipart/form-data` body by field name. Own reader, because the SDK sends buffers without a file name
 * and ready-made parsers turn such parts into text.
 * @returns undefined when the body is no such form
 */
export function readMultipart(body: Buffer, contentType: string): Map<string, FormPart> | undefined {
  const boundary = /^multipart\/form-data;.*boundary="?([^";]+)"?/i.exec(contentType)?.[1];
  if (boundary === undefined) return undefined;
  const mark = Buffer.from(`\r\n--${boundary}`);
  const padded = Buffer.concat([Buffer.from("\r\n"), body]);
  const parts = new Map<string, FormPart>();
  let start = padded.indexOf(mark);
  while (start >= 0) {
    const from = start + mark.length;
    const end = padded.indexOf(mark, from);
    if (end < 0) break;
    const part = readPart(padded.subarray(from, end));
    if (part) parts.set(part.name, part);
    start = end;
  }
  return parts;
}

function readPart(bytes: Buffer): FormPart | undefined {
  const split = bytes.indexOf("\r\n\r\n");
  if (split < 0) return undefined;
  const head = bytes.subarray(0, split).toString("utf8");
  const name = /content-disposition:[^\r\n]*[; ]name="([^"]*)"/i.exec(head)?.[1];
  if (name === undefined) return undefined;
  return {
    name,
    fileName: /content-disposition:[^\r\n]*filename="([^"]*)"/i.exec(head)?.[1],
    mime: /content-type: *([^\r\n;]+)/i.exec(head)?.[1],
    bytes: bytes.subarray(split + 4),
  };
}
