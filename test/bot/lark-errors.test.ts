import { describe, expect, test } from "vitest";
import { cardSubCode, larkErrorKind } from "../../src/bot/lark-errors.ts";

describe("larkErrorKind", () => {
  test.each([
    [99991400, "too_fast"],
    [230020, "too_fast"],
    [230049, "try_again"],
    [99991663, "token"],
    [230031, "gone"],
    [230011, "gone"],
    [230099, "refused"],
    [230053, "unreachable"],
    [99991672, "not_allowed"],
    [99992402, "bug"],
  ] as const)("%i is %s", (code, kind) => {
    expect(larkErrorKind(code, "", 400)).toBe(kind);
  });

  test("a card that is locked by a tap may be tried again; any other build failure never", () => {
    expect(larkErrorKind(230099, "Failed ext=ErrCode: 11310; ErrMsg: card action is lock", 400)).toBe("try_again");
    expect(larkErrorKind(230099, "ext=ErrCode: 11310; card table number over limit", 400)).toBe("refused");
  });

  test("a permanent refusal is never retryable, whatever the HTTP status", () => {
    for (const code of [230099, 230011, 230031, 230053, 99992402]) {
      expect(["try_again", "too_fast"]).not.toContain(larkErrorKind(code, "", 500));
    }
  });

  test("no answer at all is an unknown outcome", () => {
    expect(larkErrorKind(undefined, "", undefined)).toBe("try_again");
    expect(larkErrorKind(undefined, "", 502)).toBe("try_again");
    expect(larkErrorKind(undefined, "", 404)).toBe("bug");
  });

  test("an unknown code is our bug below 500 and worth another try above", () => {
    expect(larkErrorKind(123456, "", 400)).toBe("bug");
    expect(larkErrorKind(123456, "", 503)).toBe("try_again");
  });

  test("the sub code of a refused card is read from its text", () => {
    expect(cardSubCode("Failed to create card content, ext=ErrCode: 200621; ErrMsg: parse card json err")).toBe(200621);
    expect(cardSubCode("nothing")).toBeUndefined();
  });
});
