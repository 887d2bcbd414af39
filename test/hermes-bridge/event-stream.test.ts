import fc from "fast-check";
import { expect, test } from "vitest";
import { EventStreamParser, type StreamEvent } from "../../src/hermes-bridge/read-event-stream.ts";
import { TurnProgress } from "../../src/hermes-bridge/turn-progress.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test("wherever the network cuts a stream, the same events come out of it", () => {
  const line = fc.constantFrom(
    "event: a",
    "data: 好的",
    'data: {"x":1}',
    "data",
    ": keepalive",
    "",
    "id: 3",
    "\u{1F600}",
  );
  const ending = fc.constantFrom("\n", "\r\n", "\r");
  fc.assert(
    fc.property(
      fc.array(fc.tuple(line, ending), { maxLength: 20 }),
      fc.infiniteStream(fc.integer({ min: 1, max: 7 })),
      (lines, sizes) => {
        const whole = bytes(lines.map(([text, end]) => text + end).join(""));
        const expected = new EventStreamParser().push(whole);
        const parser = new EventStreamParser();
        const events: StreamEvent[] = [];
        for (let at = 0; at < whole.length; ) {
          const size = sizes.next().value ?? 1;
          events.push(...parser.push(whole.subarray(at, at + size)));
          at += size;
        }
        expect(events).toEqual(expected);
      },
    ),
  );
});

test("an event cut off at the end of the stream is none", () => {
  expect(new EventStreamParser().push(bytes('event: done\ndata: {"comp'))).toEqual([]);
});

test("an event that never ends breaks the stream, as one line or as many", () => {
  const chunk = bytes("x".repeat(1_000_000));
  const oneLine = new EventStreamParser();
  oneLine.push(bytes("data: "));
  expect(() => {
    for (let n = 0; n < 40; n++) oneLine.push(chunk);
  }).toThrow("too long");
  const manyLines = new EventStreamParser();
  expect(() => {
    for (let n = 0; n < 40; n++) manyLines.push(bytes(`data: ${"x".repeat(1_000_000)}\n`));
  }).toThrow("too long");
});

test("a long line in many small pieces is looked through once", () => {
  const parser = new EventStreamParser();
  const chunk = bytes("y".repeat(2_000));
  const since = performance.now();
  parser.push(bytes("data: "));
  for (let n = 0; n < 5_000; n++) parser.push(chunk);
  expect(performance.now() - since).toBeLessThan(2_000);
  expect(parser.push(bytes("\n\n"))[0]?.data.length).toBe(10_000_000);
});

test("a reply that never ends is kept up to a bound", () => {
  let last = 0;
  const progress = new TurnProgress((event) => {
    if (event.kind === "text") last = event.text.length;
  });
  for (let n = 0; n < 30; n++) progress.say("z".repeat(100_000));
  expect(last).toBe(1_000_000);
});
