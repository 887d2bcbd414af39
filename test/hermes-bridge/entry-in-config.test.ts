import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import type { ConfigEdit } from "../../src/hermes-bridge/config-lines.ts";
import { putInConfig, takeOutOfConfig } from "../../src/hermes-bridge/entry-in-config.ts";

const PATH = ["display", "platforms", "herald"] as const;
const ENTRY = { streaming: true, tool_progress: "off" };
const LINES = ["herald:", "  streaming: true", '  tool_progress: "off"'];
const indented = (spaces: number): string => LINES.map((line) => `${" ".repeat(spaces)}${line}\n`).join("");

const put = (text: string): ConfigEdit => putInConfig(text, PATH, ENTRY);
const takeOut = (text: string): ConfigEdit => takeOutOfConfig(text, PATH, ENTRY);
const textOf = (edit: ConfigEdit, before: string): string => (edit.outcome === "edited" ? edit.text : before);

describe("an entry of config.yaml", () => {
  it("is put behind everything when nothing of its path stands there", () => {
    const text = "model: x   # mine\n";
    expect(put(text)).toEqual({
      outcome: "edited",
      text: `${text}display:\n  platforms:\n${indented(4)}`,
    });
  });

  it("is put into the names that stand there, every other character as it was", () => {
    const text =
      "display:\n    # how I like it\n    platforms:\n      telegram: {streaming: true}\n    streaming: false\n";
    const edit = put(text);
    expect(textOf(edit, "")).toBe(text.replace("      telegram", `${indented(6)}      telegram`));
    expect(textOf(takeOut(textOf(edit, "")), "")).toBe(text);
  });

  it("leaves a person's own choice alone, and takes away only what it has put", () => {
    const own = "display:\n  platforms:\n    herald: {streaming: false}\n";
    expect(put(own)).toEqual({ outcome: "unchanged" });
    expect(takeOut(own)).toEqual({ outcome: "unchanged" });
  });

  it.each(["display: nonsense\n", "- a list\n", "a: [b\n", "display:\n  platforms: 3\n"])(
    "leaves %j alone, where it has no place",
    (text) => {
      expect(put(text)).toEqual({ outcome: "unchanged" });
    },
  );

  it("twice is once, and taken away leaves what was meant before", () => {
    const value = fc.oneof(fc.boolean(), fc.integer(), fc.stringMatching(/^[a-z]{1,6}$/));
    const config = fc.dictionary(
      fc.constantFrom("display", "model", "plugins", "agent"),
      fc.oneof(
        value,
        fc.dictionary(fc.constantFrom("platforms", "streaming", "x"), fc.dictionary(fc.constantFrom("a", "b"), value)),
      ),
    );
    fc.assert(
      fc.property(config, (before) => {
        const text = Object.keys(before).length === 0 ? "" : stringify(before);
        const edit = put(text);
        if (edit.outcome !== "edited") return;
        expect(parse(edit.text).display.platforms.herald).toEqual(ENTRY);
        expect(put(edit.text)).toEqual({ outcome: "unchanged" });
        const after = parse(textOf(takeOut(edit.text), edit.text)) ?? {};
        // Names that held nothing but the entry go with it, empty ones that stood there before among them.
        const { display: shown, ...rest } = after;
        const { display, ...others } = before as Record<string, unknown>;
        expect(rest).toEqual(others);
        if (shown !== undefined) expect(display).toMatchObject(shown);
      }),
    );
  });
});
