import protobuf from "protobufjs";

/** One frame of the long connection. `method`: 0 control (ping, pong), 1 data (event and its acknowledgement). */
export type WsFrame = {
  SeqID: number;
  LogID: number;
  service: number;
  method: number;
  headers: { key: string; value: string }[];
  payload: Buffer;
};

// Field numbers and rules of the platform's frame; fields 1 to 4 are required and written even when 0.
const frameType = protobuf.Root.fromJSON({
  nested: {
    pbbp2: {
      nested: {
        Header: {
          fields: {
            key: { rule: "required", type: "string", id: 1 },
            value: { rule: "required", type: "string", id: 2 },
          },
        },
        Frame: {
          fields: {
            SeqID: { rule: "required", type: "uint64", id: 1 },
            LogID: { rule: "required", type: "uint64", id: 2 },
            service: { rule: "required", type: "int32", id: 3 },
            method: { rule: "required", type: "int32", id: 4 },
            headers: { rule: "repeated", type: "Header", id: 5 },
            payloadEncoding: { type: "string", id: 6 },
            payloadType: { type: "string", id: 7 },
            payload: { type: "bytes", id: 8 },
            LogIDNew: { type: "string", id: 9 },
          },
        },
      },
    },
  },
}).lookupType("pbbp2.Frame");

export function encodeFrame(frame: WsFrame): Buffer {
  return Buffer.from(frameType.encode(frameType.fromObject(frame)).finish());
}

/** @throws Error when the bytes are no frame */
export function decodeFrame(bytes: Buffer): WsFrame {
  const plain = frameType.toObject(frameType.decode(bytes), { longs: Number, defaults: true, arrays: true });
  return { ...(plain as WsFrame), payload: Buffer.from((plain.payload as Uint8Array | undefined) ?? []) };
}

/** Value of a frame's header, or "" when it has none. */
export function frameHeader(frame: WsFrame, key: string): string {
  return frame.headers.find((header) => header.key === key)?.value ?? "";
}
