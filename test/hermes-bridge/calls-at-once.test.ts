import { afterEach, beforeEach, expect, it } from "vitest";
import { bridgeOf } from "../helpers/call-bridge.ts";
import { type Given, given, MONDAY_10 } from "../helpers/given.ts";
import { describeBothDatabases, type TestDb } from "../helpers/test-db.ts";
import { toldHistory } from "../helpers/told-history.ts";

describeBothDatabases("tool calls at once", (open) => {
  let test: TestDb;
  let made: Given;
  let call: ReturnType<typeof bridgeOf>["call"];
  beforeEach(async () => {
    test = await open();
    made = given(test.db, { history: toldHistory([{ session: "dm", at: MONDAY_10, text: "三件都办完了" }]) });
    await made.people();
    call = bridgeOf(made.a).call;
  });
  afterEach(() => test.release());

  it("three matters closed in three calls at once are all closed", async () => {
    for (let n = 0; n < 3; n++) await made.item();
    const answers = await Promise.all([1, 2, 3].map((item) => call({ action: "close", item, outcome: "done" }, "dm")));
    expect(answers.map(({ body }) => body.result)).toEqual(["closed", "closed", "closed"]);
    const rows = await test.db.trackingItem.findMany({ orderBy: [{ agentId: "asc" }, { number: "asc" }] });
    expect(rows.map(({ agentId, status }) => `${agentId} ${status}`)).toEqual([
      ...Array<string>(3).fill("agent-a closed"),
      ...Array<string>(3).fill("agent-b active"),
    ]);
  });

  it("of three who close the same matter at once one does, and the others are told it was closed before", async () => {
    await made.item();
    const answers = await Promise.all(
      [1, 2, 3].map(() => call({ action: "close", item: 1, outcome: "dropped" }, "dm")),
    );
    expect(answers.map(({ body }) => body.result).sort()).toEqual(["closed", "was_closed_before", "was_closed_before"]);
    expect(await test.db.itemDecision.count({ where: { agentId: made.a.agent.id } })).toBe(1);
  });

  it("the same matter added in three calls at once is one", async () => {
    const answers = await Promise.all([1, 2, 3].map(() => call({ action: "add", title: "给王总回信" }, "dm")));
    expect(answers.map(({ body }) => body.result).sort()).toEqual(["added", "already_there", "already_there"]);
    expect(await test.db.trackingItem.count({ where: { agentId: made.a.agent.id } })).toBe(1);
  });
});
