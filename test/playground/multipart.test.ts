import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readMultipart } from "../../src/playground/multipart.ts";

describe("multipart forms", () => {
  test("any bytes come out as they went in, with a file name or without", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 3000 }),
        fc.option(fc.constantFrom("a.png", "周报 1.txt")),
        async (bytes, name) => {
          const form = new FormData();
          form.set("kind", "image");
          if (name === null) form.set("file", new Blob([bytes]));
          else form.set("file", new Blob([bytes]), name);
          const encoded = new Response(form);
          const contentType = encoded.headers.get("content-type") ?? "";
          const parts = readMultipart(Buffer.from(await encoded.arrayBuffer()), contentType);
          expect(parts?.get("file")?.bytes.equals(Buffer.from(bytes))).toBe(true);
          expect(parts?.get("kind")?.bytes.toString()).toBe("image");
          if (name !== null) expect(parts?.get("file")?.fileName).toBe(name);
        },
      ),
      { numRuns: 100 },
    );
  });

  test("garbage is no form or has no parts, and nothing is thrown", () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.string(), (bytes, contentType) => {
        readMultipart(Buffer.from(bytes), contentType);
        const parts = readMultipart(Buffer.from(bytes), "multipart/form-data; boundary=xyz");
        expect(parts?.size ?? 0).toBeLessThanOrEqual(1);
      }),
    );
    expect(readMultipart(Buffer.from("{}"), "application/json")).toBeUndefined();
  });
});
