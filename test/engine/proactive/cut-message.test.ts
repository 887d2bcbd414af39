import fc from "fast-check";
import { expect, it } from "vitest";
import { cutMessage } from "../../../src/engine/proactive/cut-message.ts";

it("a short message stays as it is", () => {
  const text = "好的\n```js\nlet a\n```\n明天交";
  expect(cutMessage(text, { chars: 100, codeLines: 5 })).toEqual({ text, cut: false, codeBlocks: 0 });
});

it("a long text keeps its beginning and its end, where people say what they want", () => {
  const { text, cut } = cutMessage(`开头${"中".repeat(5_000)}记得明天交`, { chars: 400, codeLines: 5 });
  expect(cut).toBe(true);
  expect(text).toMatch(/^开头中+\n\[…\]\n中+记得明天交$/);
  expect(text.length).toBeLessThan(420);
});

it("long code blocks keep their first lines and their closing fence; what follows is whole", () => {
  const code = Array.from({ length: 40 }, (_, n) => `line ${n}`).join("\n");
  const { text, cut, codeBlocks } = cutMessage(`看看：\n\`\`\`\`py\n${code}\n\`\`\`\`\n周五前修好`, {
    chars: 1_500,
    codeLines: 3,
  });
  expect({ cut, codeBlocks }).toEqual({ cut: false, codeBlocks: 1 });
  expect(text).toBe("看看：\n````py\nline 0\nline 1\nline 2\n[…]\n````\n周五前修好");
});

it("whatever it cuts, it keeps within its size, breaks no character and leaves no fence open", () => {
  const piece = fc.constantFrom("字", "😀", "a ", "\n```\n", "\n", "word", "👨‍👩‍👧");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 400 }), fc.integer({ min: 20, max: 300 }), (pieces, chars) => {
      const { text, cut } = cutMessage(pieces.join(""), { chars, codeLines: 4 });
      expect(text).not.toMatch(/\p{Surrogate}/u);
      if (cut) expect(text.length).toBeLessThanOrEqual(chars + 12);
    }),
  );
});
