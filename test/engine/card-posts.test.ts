import { afterEach, beforeEach, expect, it } from "vitest";
import { doubt, isTooOld } from "../../src/engine/card-post.ts";
import {
  claimPost,
  findPost,
  giveUp,
  noteAnswered,
  noteShown,
  noteTry,
  putOff,
  replacePost,
  touchCards,
  type WantedCard,
  wantCard,
} from "../../src/engine/card-posts.ts";
import { inTransaction, openDb } from "../../src/engine/db.ts";
import type { Scope } from "../../src/engine/scope.ts";
import { type Given, given, scopeOn } from "../helpers/given.ts";
import { describeBothDatabases, type TestDb } from "../helpers/test-db.ts";

describeBothDatabases("card posts", (open) => {
  let test: TestDb;
  let g: Given;

  beforeEach(async () => {
    test = await open();
    g = given(test.db);
  });
  afterEach(() => test.release());

  const want = (scope: Scope, key: string, more: Partial<WantedCard> = {}) =>
    inTransaction(scope.db, (tx) =>
      wantCard(tx, scope, {
        subject: { kind: "line", id: key },
        view: { text: "好的" },
        to: { chatId: "oc_1" },
        language: "zh",
        idempotencyKey: key,
        ...more,
      }),
    );
  const touch = (subject: Parameters<typeof touchCards>[2]) =>
    inTransaction(g.a.db, (tx) => touchCards(tx, g.a, subject));
  const post = async (postId: string) => {
    const found = await findPost(g.a, { postId });
    if (!found) throw new Error(`no post ${postId}`);
    return found;
  };
  /** Claim, try, send: what the sweep does when all goes well. */
  const send = async (messageId: string) => {
    const claimed = await claimPost(g.a);
    if (!claimed) throw new Error("nothing to send");
    const tried = await noteTry(g.a, claimed);
    if (!tried) throw new Error("lease lost");
    await noteShown(g.a, tried, { shown: tried.wanted, messageId, chatId: "oc_1", sentAs: "card" });
    return tried;
  };

  it("makes one post of one key, whatever is said the second time", async () => {
    const first = await want(g.a, "k1");
    const second = await want(g.a, "k1", { view: { text: "other" } });
    expect(second).toEqual({ postId: first.postId, fresh: false });
    expect(first.fresh).toBe(true);
    expect(await test.db.cardPost.count()).toBe(1);
    expect((await post(first.postId)).view).toEqual({ text: "好的" });
  });

  it("makes one post when many transactions want the same key at once", async () => {
    const results = await Promise.all(Array.from({ length: 8 }, () => want(g.a, "same")));
    expect(new Set(results.map((result) => result.postId)).size).toBe(1);
    expect(results.filter((result) => result.fresh)).toHaveLength(1);
  });

  it("refuses keys the platform would cut and keys of another agent", async () => {
    await expect(want(g.a, "k".repeat(51))).rejects.toThrow(/idempotency key/);
    await want(g.a, "mine");
    await expect(want(g.b, "mine")).rejects.toThrow(/another agent/);
  });

  it("lets one of two replicas hold a post", async () => {
    const { postId } = await want(g.a, "k1");
    const other = await openDb(test.url);
    try {
      const replica = scopeOn(other.db, { clock: g.a.clock });
      const claims = await Promise.all([claimPost(g.a), claimPost(replica), claimPost(g.a), claimPost(replica)]);
      expect(claims.filter((claim) => claim !== undefined).map((claim) => claim.id)).toEqual([postId]);
    } finally {
      await other.close();
    }
  });

  it("hands twenty posts to four replicas, each to exactly one", async () => {
    for (let n = 0; n < 20; n++) await want(g.a, `k${n}`, { to: { chatId: `oc_${n}` } });
    const taken: string[] = [];
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let claim = await claimPost(g.a); claim; claim = await claimPost(g.a)) taken.push(claim.id);
      }),
    );
    expect(taken).toHaveLength(20);
    expect(new Set(taken).size).toBe(20);
  });

  it("never claims another agent's post", async () => {
    await want(g.b, "theirs");
    expect(await claimPost(g.a)).toBeUndefined();
  });

  it("is taken over when the holder died, and the dead one's late try is refused", async () => {
    await want(g.a, "k1");
    const dead = await claimPost(g.a);
    expect(await claimPost(g.a)).toBeUndefined();
    g.a.clock.advance({ seconds: 61 });
    const next = await claimPost(g.a);
    expect(next?.id).toBe(dead?.id);
    expect(dead && (await noteTry(g.a, dead))).toBeUndefined();
    expect(next && (await noteTry(g.a, next))).toBeDefined();
  });

  it("knows after a crash between claim and try that nothing was sent", async () => {
    await want(g.a, "k1");
    await claimPost(g.a);
    g.a.clock.advance({ minutes: 2 });
    const next = await claimPost(g.a);
    expect(next && doubt(next, g.a.clock.now())).toBe("none");
  });

  it("knows after a crash between try and answer that the message may be out, and how to tell", async () => {
    await want(g.a, "k1");
    const first = await claimPost(g.a);
    if (first) await noteTry(g.a, first);
    g.a.clock.advance({ minutes: 2 });
    const second = await claimPost(g.a);
    expect(second && doubt(second, g.a.clock.now())).toBe("same_key");
    // The hour in which the platform knows the key counts from the first try, not from the last.
    if (second) await noteTry(g.a, second);
    g.a.clock.advance({ minutes: 49 });
    const third = await claimPost(g.a);
    expect(third && doubt(third, g.a.clock.now())).toBe("look");
  });

  it("keeps an earlier try in doubt when a later one is refused for certain", async () => {
    const { postId } = await want(g.a, "k1");
    const first = await claimPost(g.a);
    if (first) await noteTry(g.a, first);
    g.a.clock.advance({ minutes: 2 });
    const second = await claimPost(g.a);
    const tried = second && (await noteTry(g.a, second));
    if (tried) await putOff(g.a, tried, g.a.clock.advance({ seconds: 7 }), "429", "refused");
    expect((await post(postId)).inDoubtSince).not.toBeNull();
  });

  it("clears the doubt when the only try was refused for certain", async () => {
    const { postId } = await want(g.a, "k1");
    const claimed = await claimPost(g.a);
    const tried = claimed && (await noteTry(g.a, claimed));
    if (tried) await putOff(g.a, tried, g.a.clock.now(), "429", "refused");
    expect(await post(postId)).toMatchObject({ inDoubtSince: null, attempts: 1, lastError: "429" });
  });

  it("records the message id even when the lease was lost meanwhile", async () => {
    const { postId } = await want(g.a, "k1");
    const claimed = await claimPost(g.a);
    const tried = claimed && (await noteTry(g.a, claimed));
    g.a.clock.advance({ minutes: 5 });
    const taker = await claimPost(g.a);
    if (tried) await noteShown(g.a, tried, { shown: 1, messageId: "om_1", chatId: "oc_1" });
    expect(await post(postId)).toMatchObject({ messageId: "om_1", shown: 1, stale: false, inDoubtSince: null });
    // The one who took over cannot send any more, because the platform would be asked with what it read before.
    if (taker) await noteShown(g.a, taker, { shown: 1, messageId: "om_1" });
    expect(await post(postId)).toMatchObject({ messageId: "om_1", leaseUntil: null });
    expect(await claimPost(g.a)).toBeUndefined();
  });

  it("keeps the first message id and says so when a second one appears", async () => {
    const { postId } = await want(g.a, "k1");
    const tried = await send("om_1");
    await noteShown(g.a, tried, { shown: 1, messageId: "om_2" });
    expect((await post(postId)).messageId).toBe("om_1");
    expect(g.a.log.of("card.second_message")).toHaveLength(1);
  });

  it("is not held up by a lease or a pause from before the clock was set back", async () => {
    await want(g.a, "k1");
    await claimPost(g.a);
    g.a.clock.advance({ hours: -5 });
    const claimed = await claimPost(g.a);
    expect(claimed).toBeDefined();
    if (claimed) await putOff(g.a, claimed, new Date("2030-01-01"), "\u0000odd\uD800", "refused");
    g.a.clock.advance({ hours: 2 });
    expect(await claimPost(g.a)).toMatchObject({ lastError: "odd\uFFFD" });
  });

  it("keeps the order in a chat while an earlier message is put off, and lets other chats pass", async () => {
    await want(g.a, "first");
    g.a.clock.advance({ ms: 1 });
    await want(g.a, "second");
    await want(g.a, "elsewhere", { to: { chatId: "oc_2" } });
    const first = await claimPost(g.a);
    expect(first?.idempotencyKey).toBe("first");
    if (first) await putOff(g.a, first, new Date(g.a.clock.now().getTime() + 7_000), "429", "refused");
    expect((await claimPost(g.a))?.idempotencyKey).toBe("elsewhere");
    expect(await claimPost(g.a)).toBeUndefined();
    g.a.clock.advance({ seconds: 6 });
    expect(await claimPost(g.a)).toBeUndefined();
    g.a.clock.advance({ seconds: 1 });
    expect((await claimPost(g.a))?.idempotencyKey).toBe("first");
  });

  it("sends posts of one millisecond in the order they were wanted", async () => {
    for (const key of ["z", "y", "x"]) await want(g.a, key);
    const order: (string | undefined)[] = [];
    for (let n = 0; n < 3; n++) {
      const tried = await send(`om_${n}`);
      order.push(tried.idempotencyKey);
    }
    expect(order).toEqual(["z", "y", "x"]);
  });

  it("finds an owed post behind hundreds of blocked ones", async () => {
    for (let n = 0; n < 120; n++) await want(g.a, `k${n}`);
    const first = await claimPost(g.a);
    if (first) await putOff(g.a, first, new Date(g.a.clock.now().getTime() + 60_000), "429");
    g.a.clock.advance({ ms: 1 });
    await want(g.a, "last", { to: { chatId: "oc_2" } });
    expect((await claimPost(g.a))?.idempotencyKey).toBe("last");
  });

  it("draws a burst of changes once", async () => {
    const { postId } = await want(g.a, "k1", { subject: { kind: "status", id: "now" } });
    await send("om_1");
    for (let n = 0; n < 5; n++) await touch({ kind: "status", id: "now" });
    const claimed = await claimPost(g.a);
    expect(claimed?.wanted).toBe(6);
    if (claimed) await noteShown(g.a, claimed, { shown: claimed.wanted });
    expect(await post(postId)).toMatchObject({ wanted: 6, shown: 6, stale: false });
    expect(await claimPost(g.a)).toBeUndefined();
  });

  it("owes the card again when something changed while it was being drawn", async () => {
    await want(g.a, "k1", { subject: { kind: "status", id: "now" } });
    const claimed = await claimPost(g.a);
    await touch({ kind: "status", id: "now" });
    if (claimed) await noteShown(g.a, claimed, { shown: claimed.wanted, messageId: "om_1" });
    expect((await claimPost(g.a))?.wanted).toBe(2);
  });

  it("draws once more when an older picture may have landed over a newer one", async () => {
    const { postId } = await want(g.a, "k1", { subject: { kind: "status", id: "now" } });
    await send("om_1");
    await touch({ kind: "status", id: "now" });
    const slow = await claimPost(g.a);
    await touch({ kind: "status", id: "now" });
    await noteAnswered(g.a, postId, 3);
    if (slow) await noteShown(g.a, slow, { shown: slow.wanted });
    const after = await post(postId);
    expect(after.shown).toBe(3);
    expect(after.wanted).toBeGreaterThan(3);
    expect(await claimPost(g.a)).toBeDefined();
  });

  it("leaves the sweep's claim alone when a tap's answer is noted", async () => {
    const { postId } = await want(g.a, "k1", { subject: { kind: "status", id: "now" } });
    await send("om_1");
    await touch({ kind: "status", id: "now" });
    const claimed = await claimPost(g.a);
    await noteAnswered(g.a, postId, 2);
    expect((await post(postId)).leaseUntil).toEqual(claimed?.leaseUntil);
  });

  it("redraws the deliveries and recent lists that show an item, and nothing else", async () => {
    const item = await g.item();
    const other = await g.item();
    const { postId } = await g.delivery([other, item]);
    const { postId: elsewhere } = await g.delivery([other]);
    const old = await want(g.a, "old-list", { subject: { kind: "item-list", id: "1" } });
    g.a.clock.advance({ hours: 49 });
    const list = await want(g.a, "list", { subject: { kind: "item-list", id: "2" } });
    const line = await want(g.a, "line");
    await touch({ kind: "item", id: item.id });
    const wanted = async (id: string) => (await post(id)).wanted;
    expect(await Promise.all([postId, elsewhere, old.postId, list.postId, line.postId].map(wanted))).toEqual([
      2, 1, 1, 2, 1,
    ]);
    expect(await test.db.cardPost.count({ where: { agentId: "agent-b", wanted: { gt: 1 } } })).toBe(0);
  });

  it("is not held up by a post it cannot read", async () => {
    const { postId } = await want(g.a, "odd");
    await test.db.cardPost.update({ where: { id: postId }, data: { subjectKind: "hologram" } });
    await want(g.a, "next");
    expect((await claimPost(g.a))?.idempotencyKey).toBe("next");
    expect(g.a.log.of("card.unreadable")).toHaveLength(1);
    expect((await test.db.cardPost.findUnique({ where: { id: postId } }))?.gaveUpBecause).toBe("unreadable");
  });

  it("gives up for good, without forgetting what is known", async () => {
    const { postId } = await want(g.a, "k1", { subject: { kind: "status", id: "now" } });
    await send("om_1");
    await giveUp(g.a, { id: postId }, "recalled");
    await touch({ kind: "status", id: "now" });
    expect(await post(postId)).toMatchObject({ gaveUpBecause: "recalled", messageId: "om_1", stale: false });
    expect(await claimPost(g.a)).toBeUndefined();
  });

  it("replaces a card that is 14 days old by a new message, once, and moves the receipt along", async () => {
    const item = await g.item();
    const { postId, deliveryId } = await g.delivery([item]);
    await send("om_1");
    const young = await post(postId);
    expect(isTooOld(young, g.a.clock.now())).toBe(false);
    g.a.clock.advance({ days: 14 });
    expect(isTooOld(young, g.a.clock.now())).toBe(true);
    const first = await replacePost(g.a, young, "too_old");
    const second = await replacePost(g.a, young, "too_old");
    expect(second.postId).toBe(first.postId);
    expect(await post(postId)).toMatchObject({ replacedById: first.postId, gaveUpBecause: "too_old" });
    const delivery = await test.db.delivery.findUniqueOrThrow({ where: { id: deliveryId } });
    expect(delivery.cardPostId).toBe(first.postId);
    const fresh = await post(first.postId);
    expect(fresh).toMatchObject({ subjectKind: "delivery", subjectId: deliveryId, messageId: null, stale: true });
    expect(fresh.idempotencyKey.length).toBeLessThanOrEqual(50);
    expect(fresh.idempotencyKey).not.toBe(young.idempotencyKey);
    await touch({ kind: "item", id: item.id });
    expect((await post(postId)).wanted).toBe(1);
    expect((await post(first.postId)).wanted).toBe(2);
  });

  it("ends with one message whichever step of claim, try, send and note the process dies in", async () => {
    // The platform: one message per key within the hour.
    const messages = new Map<string, string>();
    const platformSend = (key: string): string => {
      const known = messages.get(key) ?? `om_${messages.size + 1}`;
      messages.set(key, known);
      return known;
    };
    for (const diesAfter of ["claim", "try", "send", "never"] as const) {
      const { postId } = await want(g.a, `dies-${diesAfter}`, { to: { chatId: `oc_${diesAfter}` } });
      const sweep = async (crash: string): Promise<void> => {
        const claimed = await claimPost(g.a);
        if (!claimed) return;
        if (crash === "claim") throw new Error("killed");
        const tried = await noteTry(g.a, claimed);
        if (!tried) return;
        if (crash === "try") throw new Error("killed");
        const messageId = platformSend(tried.idempotencyKey);
        if (crash === "send") throw new Error("killed");
        await noteShown(g.a, tried, { shown: claimed.wanted, messageId });
      };
      await sweep(diesAfter).catch(() => undefined);
      g.a.clock.advance({ minutes: 2 });
      await sweep("never");
      await sweep("never");
      expect(await post(postId)).toMatchObject({
        messageId: messages.get(`dies-${diesAfter}`),
        stale: false,
        inDoubtSince: null,
      });
    }
    expect(messages.size).toBe(4);
  });
});
