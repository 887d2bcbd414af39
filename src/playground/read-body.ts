import type { IncomingMessage } from "node:http";

/** The whole body of a request, or undefined when it is larger than `limit` bytes. */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    // The rest is read and thrown away, so that the answer reaches a client that is still sending.
    if (size <= limit) parts.push(part);
  }
  return size > limit ? undefined : Buffer.concat(parts);
}
