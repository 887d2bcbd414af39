import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { machineSources } from "../../src/engine/proactive/human-message.ts";
import { type Answer, bridgeOf } from "../helpers/call-bridge.ts";
import { type Given, given, MONDAY_10, owner } from "../helpers/given.ts";
import { openTestDb, type TestDb } from "../helpers/test-db.ts";
import { type ToldHistory, toldHistory } from "../helpers/told-history.ts";

let test: TestDb;
let made: Given;
let history: ToldHistory;
let call: ReturnType<typeof bridgeOf>["call"];
beforeEach(async () => {
  test = await openTestDb();
  history = toldHistory([
    { session: "dm", at: MONDAY_10, text: "报价单已经发了，另外周五前记得给王总回信", userId: "ou_from_another_app" },
    { session: "team", at: MONDAY_10, text: "海报的事已经定了", chatType: "group", chatId: "oc_team" },
  ]);
  made = given(test.db, { history });
  await made.people();
  call = bridgeOf(made.a).call;
});
afterEach(() => test.release());

const rows = (agentId = made.a.agent.id) =>
  test.db.trackingItem.findMany({ where: { agentId }, orderBy: { number: "asc" } });
const titles = ({ body }: Answer): string[] => (body.items as { title: string }[]).map(({ title }) => title);

describe("tracking_manage", () => {
  it("lists what is open in plain words, and nothing internal", async () => {
    await made.item({
      title: "把报价单发给客户",
      momentum: "waiting",
      dueAt: new Date("2026-12-03T07:00:00Z"),
      dueGrain: "minute",
    });
    const { status, body } = await call({ action: "list" }, "dm");
    expect(status).toBe(200);
    expect(body).toEqual({
      items: [
        {
          number: 1,
          title: "把报价单发给客户",
          status: "open",
          summary: "周四前",
          due: "2026-12-03 15:00",
          stands: "waiting for someone else",
        },
      ],
      total: 1,
    });
  });

  it("closes on the owner's words, with the line they said it in, for this agent alone", async () => {
    await made.item();
    const { status, body } = await call({ action: "close", item: 1, outcome: "done" }, "dm");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      result: "closed",
      item: { number: 1, status: "done", closed_at: "2026-11-30 10:00" },
    });
    expect(await rows()).toMatchObject([
      {
        status: "closed",
        closedBy: owner.openId,
        closedWhy: "done",
        closedEvidence: [{ sessionId: "dm", messageId: "m1" }],
      },
    ]);
    expect(await rows(made.b.agent.id)).toMatchObject([{ status: "active" }]);
    const [audit] = await test.db.auditEntry.findMany({ where: { what: "item.done" } });
    expect(audit).toMatchObject({ agentId: made.a.agent.id, actorKind: "agent", actorId: owner.openId });
  });

  it("adds a private matter with the line it was said in, once however often it is asked", async () => {
    const args = { action: "add", title: "给王总回信", due: "周五", summary: null, momentum: "" };
    const first = await call(args, "dm");
    expect(first.body).toMatchObject({ result: "added", item: { title: "给王总回信", due: "2026-12-04" } });
    expect((await call(args, "dm")).body).toMatchObject({ result: "already_there" });
    expect(await rows()).toMatchObject([
      { audience: "private", kind: "deadline", dueGrain: "day", evidence: [{ messageId: "m1", chatType: "dm" }] },
    ]);
  });

  it("a matter to be reminded of at a named time is spoken of exactly then", async () => {
    await call({ action: "add", title: "交周报", until: "今天晚上10点" }, "dm");
    const at = new Date("2026-11-30T14:00:00Z");
    expect(await rows()).toMatchObject([
      { kind: "reminder", exact: true, snoozedUntil: at, dueAt: at, dueGrain: "minute" },
    ]);
  });

  it.each([
    ["明天下午3点", "2026-12-01T07:00:00.000Z"],
    ["tomorrow 9am", "2026-12-01T01:00:00.000Z"],
    ["2026-12-04 15:00", "2026-12-04T07:00:00.000Z"],
    ["2026-12-04T15:00:00+08:00", "2026-12-04T07:00:00.000Z"],
    ["2026-12-04", "2026-12-04T01:00:00.000Z"],
  ])("puts a matter off until %s", async (until, instant) => {
    await made.item();
    const { status, body } = await call({ action: "snooze", item: "#1", until }, "dm");
    expect([status, body.result]).toEqual([200, "put_off"]);
    expect((await rows())[0]?.snoozedUntil?.toISOString()).toBe(instant);
  });

  it("updates only what is named, and takes a date away", async () => {
    await made.item({ title: "画册", dueAt: new Date("2026-12-03T07:00:00Z"), dueGrain: "day" });
    const { body } = await call(
      { action: "update", item: "画册", summary: "等报价", momentum: "waiting", due: "none" },
      "dm",
    );
    expect(body).toMatchObject({ result: "updated", item: { summary: "等报价", stands: "waiting for someone else" } });
    expect(await rows()).toMatchObject([{ title: "画册", dueAt: null, dueGrain: null, status: "active" }]);
  });

  it.each<[string, Record<string, unknown>, number, RegExp]>([
    ["no action", {}, 422, /^action: expected list, add, update, close or snooze/],
    ["an unknown action", { action: "delete" }, 422, /^action: expected list/],
    ["add without a title", { action: "add" }, 422, /^title: expected/],
    ["close without a matter", { action: "close", outcome: "done" }, 422, /^item: expected/],
    ["close without an outcome", { action: "close", item: 1 }, 422, /^outcome: expected done or dropped/],
    [
      "an outcome of its own",
      { action: "close", item: 1, outcome: "finished" },
      422,
      /^outcome: expected done or dropped/,
    ],
    ["a number nobody has", { action: "close", item: 99, outcome: "done" }, 404, /no item "99" here/],
    ["words that fit several", { action: "close", item: "报价单", outcome: "done" }, 409, /several fit .*#2 .*#1 /],
    ["snooze without a time", { action: "snooze", item: 1 }, 422, /^until: expected when/],
    ["snooze to what is no time", { action: "snooze", item: 1, until: "soonish" }, 422, /^until: expected a time/],
    ["snooze to the past", { action: "snooze", item: 1, until: "2026-11-29 10:00" }, 422, /has not passed/],
    ["snooze beyond a year", { action: "snooze", item: 1, until: "2028-11-29" }, 422, /at most a year ahead/],
    ["an update of nothing", { action: "update", item: 1 }, 422, /^update: expected title/],
    ["a due date that is none", { action: "update", item: 1, due: "blue" }, 422, /^due: expected a time/],
    ["a momentum of its own", { action: "update", item: 1, momentum: "lost" }, 422, /^momentum: expected on_track/],
    ["a page that is none", { action: "list", page: "first" }, 422, /^page: expected/],
  ])("refuses %s in one sentence and changes nothing", async (_, args, status, words) => {
    await made.item();
    await made.item();
    const before = await rows();
    const answer = await call(args, "dm");
    expect(answer.status).toBe(status);
    expect(answer.body.error).toMatch(words);
    expect(answer.body.error).toMatch(/Nothing was changed\.$/);
    expect(await rows()).toEqual(before);
  });

  it("an update of a closed matter says that it is closed", async () => {
    await made.item();
    await call({ action: "close", item: 1, outcome: "done" }, "dm");
    const answer = await call({ action: "update", item: 1, summary: "x" }, "dm");
    expect(answer).toMatchObject({ status: 409, body: { error: expect.stringContaining("closed") } });
  });
});

describe("whose words they are", () => {
  it.each([...machineSources, "api_server", "api"])(
    "a session of %s neither changes nor lists anything",
    async (source) => {
      history.tell({ session: "machine", source, at: MONDAY_10, text: "close everything" });
      await made.item();
      for (const args of [
        { action: "list" },
        { action: "close", item: 1, outcome: "done" },
        { action: "add", title: "x" },
      ]) {
        const answer = await call(args, "machine");
        expect(answer.status).toBe(403);
        expect(answer.body.error).toContain("a person speaks");
      }
      expect(await rows()).toMatchObject([{ status: "active" }]);
    },
  );

  it.each(["unknown", undefined])("a session that is not known (%s) changes nothing", async (session) => {
    await made.item();
    expect((await call({ action: "close", item: 1, outcome: "done" }, session)).status).toBe(403);
    expect((await call({ action: "list" }, session)).status).toBe(403);
    expect(await rows()).toMatchObject([{ status: "active" }]);
  });

  it("a private matter is neither listed nor found nor changed from a group", async () => {
    await made.item({ title: "调薪的事" });
    await made.item({ title: "海报", audience: "oc_team" });
    await made.item({ title: "别的群的事", audience: "oc_other" });
    expect(titles(await call({ action: "list", show: "all" }, "team"))).toEqual(["海报"]);
    for (const item of ["1", "3", "调薪"]) {
      const answer = await call({ action: "close", item, outcome: "done" }, "team");
      expect(answer.status).toBe(404);
      expect(JSON.stringify(answer.body)).not.toMatch(/薪的事|别的群/);
    }
    expect(titles(await call({ action: "list" }, "dm"))).toEqual(["调薪的事", "海报", "别的群的事"]);
  });

  it("a matter added in a group is that group's", async () => {
    await call({ action: "add", title: "定海报" }, "team");
    expect(await rows()).toMatchObject([{ title: "定海报", audience: "oc_team" }]);
    history.tell({ session: "no-id", at: MONDAY_10, text: "x", chatType: "group" });
    await call({ action: "add", title: "别处的事" }, "no-id");
    expect(titles(await call({ action: "list" }, "team"))).toEqual(["定海报"]);
    expect(titles(await call({ action: "list" }, "no-id"))).toEqual(["别处的事"]);
  });

  it("someone this agent knows as a member speaks for themselves", async () => {
    await made.item({ title: "调薪的事" });
    history.tell({ session: "mia", at: MONDAY_10, text: "记一下", userId: "ou_member" });
    expect(titles(await call({ action: "list" }, "mia"))).toEqual([]);
    expect((await call({ action: "close", item: 1, outcome: "done" }, "mia")).status).toBe(404);
    await call({ action: "add", title: "Mia 的事" }, "mia");
    expect(await rows()).toMatchObject([{}, { title: "Mia 的事", audience: "ou_member" }]);
  });

  it("an id nobody has told counts as the owner's only while nobody else writes to Hermes there", async () => {
    await made.item({ title: "调薪的事" });
    history.tell({ session: "mia", at: MONDAY_10, text: "记一下", userId: "ou_member", chatId: "oc_mia" });
    history.tell({ session: "tg", source: "telegram", at: MONDAY_10, text: "在", userId: "7001", chatId: "7001" });
    expect(titles(await call({ action: "list" }, "dm"))).toEqual(["调薪的事"]);
    history.tell({ session: "bo", at: MONDAY_10, text: "看看", userId: "ou_second_person", chatId: "oc_bo" });
    history.tell({ session: "bo-team", at: MONDAY_10, text: "看看", userId: "ou_second_person", chatType: "group" });
    for (const session of ["bo", "bo-team", "dm"]) {
      for (const args of [{ action: "list" }, { action: "close", item: 1, outcome: "done" }]) {
        const answer = await call(args, session);
        expect(answer).toMatchObject({ status: 403, body: { error: expect.stringContaining("does not know") } });
        expect(JSON.stringify(answer.body)).not.toContain("调薪");
      }
    }
    expect(await rows()).toMatchObject([{ status: "active" }]);
    // Another platform has people of its own, and at a terminal sits whoever has the machine.
    history.tell({ session: "term", source: "cli", at: MONDAY_10, text: "ls" });
    for (const session of ["tg", "term"]) expect(titles(await call({ action: "list" }, session))).toHaveLength(1);
    await test.db.person.updateMany({ where: { openId: owner.openId }, data: { unionId: "ou_from_another_app" } });
    expect(titles(await call({ action: "list" }, "dm"))).toEqual(["调薪的事"]);
  });

  it("one person under two ids in one chat is one person", async () => {
    history.tell({ session: "old", at: MONDAY_10, text: "在", userId: "ou_1", chatId: "oc_one" });
    history.tell({ session: "new", at: MONDAY_10, text: "在", userId: "on_1", chatId: "oc_one" });
    const others = history.directChats;
    history.directChats = async (source) => (await others(source)).filter(({ chatId }) => chatId === "oc_one");
    expect((await call({ action: "list" }, "new")).status).toBe(200);
    expect((await call({ action: "list" }, "old")).status).toBe(200);
  });

  it("someone whose access was taken back is refused", async () => {
    await test.db.person.updateMany({ where: { openId: "ou_member" }, data: { revokedAt: new Date(MONDAY_10) } });
    history.tell({ session: "mia", at: MONDAY_10, text: "记一下", userId: "ou_member" });
    expect((await call({ action: "list" }, "mia")).status).toBe(403);
  });

  it("a chat of a platform of which nothing tells who listens is refused; a terminal has no other listeners", async () => {
    await made.item();
    const { chatType: _, ...unclear } = (await history.session("dm")) ?? expect.fail();
    history.session = async (id) => ({ ...unclear, id });
    const answer = await call({ action: "list" }, "dm");
    expect(answer).toMatchObject({ status: 409, body: { error: expect.stringContaining("direct chat or a group") } });
    const { userId: __, ...terminal } = unclear;
    history.session = async (id) => ({ ...terminal, id, source: "cli" });
    expect(titles(await call({ action: "list" }, "dm"))).toHaveLength(1);
  });

  it("without an owner it says how one is made, and while Hermes' store is locked that it cannot be read", async () => {
    await test.db.person.deleteMany({});
    expect(await call({ action: "list" }, "dm")).toMatchObject({
      status: 503,
      body: { error: expect.stringContaining("no owner") },
    });
    history.lock(true);
    const answer = await call({ action: "list" }, "dm");
    expect(answer.status).toBe(503);
    expect(answer.body.error).toContain("history cannot be reached");
  });
});
