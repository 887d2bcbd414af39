import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { extractJson } from "../../src/llm/extract-json.ts";

const verdict = z.object({ done: z.boolean(), reason: z.string() });

describe("the answer in a model's reply", () => {
  it("GL2: a verdict inside a thought is not the answer, the one after it is", () => {
    const reply =
      '好的。\n<think>{"done": true, "reason": "?"}</think>\n```json\n{"done": false, "reason": "还差文档"}\n```';
    expect(extractJson(reply, verdict)).toEqual({ ok: true, value: { done: false, reason: "还差文档" } });
  });

  it("a thought that was never closed, or never opened, is no answer", () => {
    expect(extractJson('<think>{"done":true,"reason":"x"}', verdict).ok).toBe(false);
    expect(extractJson('{"done":true,"reason":"x"}</think>{"done":false,"reason":"y"}', verdict)).toEqual({
      ok: true,
      value: { done: false, reason: "y" },
    });
  });

  it("the last object that fits counts; others around it do not matter", () => {
    const reply = 'Like {"done":1}. {"done":false,"reason":"a"} then {"done":true,"reason":"b {}"} and {x} [1]';
    expect(extractJson(reply, verdict)).toEqual({ ok: true, value: { done: true, reason: "b {}" } });
  });

  it("what does not fit is explained so that it can be asked for again", () => {
    expect(extractJson("no idea", verdict)).toEqual({ ok: false, error: "There is no JSON object in the reply." });
    expect(extractJson('{"done":"yes"}', verdict)).toMatchObject({ ok: false, error: expect.stringContaining("done") });
    expect(extractJson('{"done":false,"reason":"half', verdict).ok).toBe(false);
  });

  it("whatever stands around an answer, it is found", () => {
    const words = fc.string().map((s) => s.replace(/[{}[\]<>]/g, ""));
    fc.assert(
      fc.property(words, fc.boolean(), fc.string(), words, (before, done, reason, after) => {
        const reply = `${before.replaceAll('"', "")}${JSON.stringify({ done, reason })}${after}`;
        if (/<\/?(think|thinking|thought|reasoning)/i.test(reason)) return;
        expect(extractJson(reply, verdict)).toEqual({ ok: true, value: { done, reason } });
      }),
    );
  });

  it("a hundred thousand braces take no noticeable time", () => {
    const start = process.cpuUsage();
    extractJson("{".repeat(100_000), verdict);
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(3_000);
  });
});
