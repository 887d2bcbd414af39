import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { afterShown, type CardPost, doubt, nextPost, SAME_KEY_MS, type Waiting } from "../../src/engine/card-post.ts";
import { cleanJson, cleanText, cut, oneLine } from "../../src/engine/clean-text.ts";
import { growingPauseMs, isFree } from "../../src/engine/lease.ts";
import { type ActionName, may, rights, roles } from "../../src/engine/people/person.ts";
import { audienceOf, maySee, mayShow } from "../../src/engine/tracking/audience.ts";
import { similarity } from "../../src/engine/tracking/find-item.ts";
import { admin, job, member, owner, worker } from "../helpers/given.ts";

const now = new Date("2026-11-30T02:00:00Z");
const later = (ms: number): Date => new Date(now.getTime() + ms);

describe("rights", () => {
  const actions = Object.keys(rights) as ActionName[];

  it.each(actions)("%s: a higher role may at least as much, and the agent exactly what its person may", (action) => {
    const people = [member, admin, owner];
    const allowed = people.map((who) => may(who, action));
    expect(allowed).toEqual([...allowed].sort());
    expect(people.map((who) => may({ kind: "agent", onWordsOf: who }, action))).toEqual(allowed);
    expect(allowed[roles.indexOf(rights[action].least)]).toBe(true);
  });

  it("give workers nothing but opening and updating, and jobs no decision", () => {
    expect(actions.filter((action) => may(worker, action))).toEqual(["item.open", "item.update"]);
    for (const action of ["item.decide", "item.open", "settings.change", "people.grant"] as const) {
      expect(may(job, action)).toBe(false);
    }
  });
});

describe("an audience", () => {
  it("is the group's in a group, the owner's or a member's own in a direct chat", () => {
    const group = { chatType: "group", chatId: "oc_1" } as const;
    const direct = { chatType: "p2p" } as const;
    expect(audienceOf(owner, group)).toBe("oc_1");
    expect(audienceOf(member, group)).toBe("oc_1");
    expect([owner, admin, worker].map((who) => audienceOf(who, direct))).toEqual(["private", "private", "private"]);
    expect(audienceOf(member, direct)).toBe(member.openId);
  });

  it("keeps everything but the group's own out of a group, whoever asks", () => {
    const group = { chatType: "group", chatId: "oc_1" } as const;
    const shown = ["private", "ou_member", "oc_2", "oc_1"].filter((audience) => mayShow({ audience }, group));
    expect(shown).toEqual(["oc_1"]);
    expect(["private", "ou_member", "ou_owner", "oc_1"].map((audience) => maySee(member, { audience }))).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });
});

describe("the next post", () => {
  const waiting = fc.record({
    receiveIdType: fc.constant("chat_id" as const),
    receiveId: fc.constantFrom("oc_1", "oc_2"),
    messageId: fc.constantFrom(null, "om_1"),
    nextTryAt: fc.constantFrom(null, now, later(1)),
    leaseUntil: fc.constantFrom(null, now, later(1)),
  });
  const ready = (post: Waiting): boolean =>
    isFree(post, now, 60_000) && (post.nextTryAt === null || post.nextTryAt <= now);

  it("is never one in work or put off, and never overtakes an unsent one to the same receiver", () => {
    fc.assert(
      fc.property(fc.array(waiting, { maxLength: 12 }), (posts) => {
        const next = nextPost(posts, now, new Set());
        if (next === undefined) {
          // Then every ready one waits for an earlier one of its receiver.
          for (const [index, post] of posts.entries()) {
            if (!ready(post)) continue;
            expect(post.messageId).toBeNull();
            expect(posts.slice(0, index).some((p) => p.messageId === null && p.receiveId === post.receiveId)).toBe(
              true,
            );
          }
          return;
        }
        expect(ready(next)).toBe(true);
        if (next.messageId !== null) return;
        const earlier = posts.slice(0, posts.indexOf(next)).filter((post) => post.receiveId === next.receiveId);
        expect(earlier.every((post) => post.messageId !== null)).toBe(true);
      }),
    );
  });

  it("is the same over pages as over the whole", () => {
    fc.assert(
      fc.property(fc.array(waiting, { maxLength: 12 }), fc.integer({ min: 1, max: 5 }), (posts, size) => {
        const blocked = new Set<string>();
        let paged: Waiting | undefined;
        for (let skip = 0; skip < posts.length && paged === undefined; skip += size) {
          paged = nextPost(posts.slice(skip, skip + size), now, blocked);
        }
        expect(paged).toBe(nextPost(posts, now, new Set()));
      }),
    );
  });
});

describe("what is noted as shown", () => {
  const row = (wanted: number, shown: number): CardPost =>
    ({ wanted, shown, messageId: "om_1", chatId: "oc_1", sentAt: now, sentAs: "card", gaveUpAt: null }) as CardPost;

  it("ends, in whatever order answers arrive, with the newest picture on the screen or one more owed", () => {
    const script = fc.array(fc.oneof(fc.constant("touch" as const), fc.nat({ max: 8 })), { maxLength: 20 });
    fc.assert(
      fc.property(script, (steps) => {
        let post = row(1, 1);
        /** The picture that is really on the screen: whichever landed last. */
        let screen = 1;
        for (const step of steps) {
          if (step === "touch") post = { ...post, wanted: post.wanted + 1, stale: true };
          else {
            // A picture of some earlier state lands now, late or not.
            screen = Math.max(1, post.wanted - step);
            post = { ...post, ...afterShown(post, { shown: screen }, now) };
          }
          if (!post.stale) expect(screen).toBe(post.shown);
        }
      }),
    );
  });

  it("does not clear a doubt without a message id", () => {
    const unsent = { ...row(1, 0), messageId: null, inDoubtSince: now };
    expect(afterShown(unsent, { shown: 1 }, later(5)).inDoubtSince).toEqual(now);
    expect(afterShown(unsent, { shown: 1, messageId: "om_2" }, later(5))).toMatchObject({
      inDoubtSince: null,
      messageId: "om_2",
      sentAt: later(5),
    });
  });

  it("trusts the key for less than the platform's hour", () => {
    const post = { messageId: null, inDoubtSince: now };
    expect(doubt(post, later(SAME_KEY_MS - 1))).toBe("same_key");
    expect(doubt(post, later(SAME_KEY_MS))).toBe("look");
    expect(SAME_KEY_MS).toBeLessThan(3_600_000);
  });
});

describe("a lease", () => {
  it("binds until its end, and not when only a clock that was set back could have written it", () => {
    const free = (ms: number): boolean => isFree({ leaseUntil: later(ms) }, now, 60_000);
    expect([-1, 0, 1, 60_000, 60_001].map(free)).toEqual([true, true, false, false, true]);
    expect(isFree({ leaseUntil: null }, now, 60_000)).toBe(true);
  });
});

describe("pauses", () => {
  it("grow, up to a last one, and spread by chance", () => {
    const pauses = Array.from({ length: 9 }, (_, attempt) => growingPauseMs(attempt + 1, 0));
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
    expect(pauses.at(-1)).toBe(3_600_000);
    expect(growingPauseMs(1, 0.999)).toBeGreaterThan(growingPauseMs(1, 0));
    expect(growingPauseMs(0, 0)).toBe(growingPauseMs(1, 0));
  });
});

describe("clean text", () => {
  it("is well-formed, free of NUL, and otherwise what was written", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const clean = cleanText(text);
        expect(clean).not.toContain("\u0000");
        expect(Buffer.from(clean).toString()).toBe(clean);
        if (Buffer.from(text).toString() === text) expect(clean).toBe(text.replaceAll("\u0000", ""));
      }),
    );
    expect(cleanText("a\uD83Db")).toBe("a\uFFFDb");
    expect(cleanText("😀")).toBe("😀");
  });

  it("is cut without splitting a character", () => {
    expect(cut("报价单😀😀", 5)).toBe("报价单😀😀");
    expect(cut("报价单😀😀", 4)).toBe("报价单…");
    expect(oneLine("  a\n\tb  ", 10)).toBe("a b");
  });

  it("keeps JSON what it is", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const stored = JSON.parse(JSON.stringify(cleanJson(value)));
        expect(JSON.stringify(stored)).toBe(JSON.stringify(cleanJson(stored)));
      }),
    );
    expect(cleanJson({ at: now, gone: undefined, list: [1, null, true] })).toEqual({
      at: now.toISOString(),
      list: [1, null, true],
    });
  });
});

it("likeness lies between 0 and 1, and is 1 for the same text", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) => {
      expect(similarity(one, other)).toBeGreaterThanOrEqual(0);
      expect(similarity(one, other)).toBeLessThanOrEqual(1);
      if ([...one].length > 1) expect(similarity(one, one)).toBe(1);
    }),
  );
});
