import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import { grantRole } from "../../../src/engine/people/grant-role.ts";
import { knowPerson, listPeople, namesOf } from "../../../src/engine/people/know-person.ts";
import { makeConfiguredOwner, openPairing, pairOwner } from "../../../src/engine/people/pair-owner.ts";
import { revokeRole } from "../../../src/engine/people/revoke-role.ts";
import { setLanguage } from "../../../src/engine/people/set-language.ts";
import type { PersonActor } from "../../../src/engine/scope.ts";
import { createLog } from "../../../src/log.ts";
import { admin, type Given, given, member, owner } from "../../helpers/given.ts";
import { describeBothDatabases, type TestDb } from "../../helpers/test-db.ts";

describeBothDatabases("people", (open) => {
  let test: TestDb;
  let g: Given;

  beforeEach(async () => {
    test = await open();
    g = given(test.db);
  });
  afterEach(() => test.release());

  const codeInLog = (): string => String(g.a.log.of("pairing.open").at(-1)?.facts.pairWith);
  const from = { openId: "ou_first", name: "林悦", directChatId: "oc_dm" };
  const code = async (act: Promise<unknown>): Promise<string> => {
    try {
      await act;
      return "none";
    } catch (error) {
      return error instanceof Error && "code" in error ? String(error.code) : "bug";
    }
  };
  const wrong = (n: number): string => `2222222${"3456789ABC"[n]}`;

  it("makes whoever sends the code from the log the owner, once", async () => {
    expect(await openPairing(g.a)).toBe(true);
    expect(codeInLog()).toMatch(/^[2-9A-HJKMNP-Z]{4} [2-9A-HJKMNP-Z]{4}$/);
    const [one, two] = await Promise.all([
      pairOwner(g.a, from, codeInLog().toLowerCase()),
      pairOwner(g.a, { openId: "ou_second" }, codeInLog().replace(" ", "-")),
    ]);
    expect([one?.outcome, two?.outcome].sort()).toEqual(["has_owner", "paired"]);
    expect(await test.db.person.count({ where: { agentId: "agent-a", role: "owner" } })).toBe(1);
    expect(await test.db.pairingCode.count()).toBe(0);
    expect(await openPairing(g.a)).toBe(false);
    expect(await test.db.auditEntry.count({ where: { what: "people.pair" } })).toBe(1);
  });

  it("prints the code where the person who runs the server can read it, unmasked", async () => {
    for (let n = 0; n < 50; n++) {
      const lines: string[] = [];
      const log = createLog({ level: "info", write: (line) => lines.push(line) });
      await openPairing({ ...g.a, log, ids: { ...g.a.ids, opaque: () => randomBytes(16).toString("hex") } });
      const printed = String(JSON.parse(lines[0] ?? "{}").pairWith);
      expect(printed).toMatch(/^[2-9A-HJKMNP-Z]{4} [2-9A-HJKMNP-Z]{4}$/);
    }
  });

  it("keeps no code in the database", async () => {
    await openPairing(g.a);
    const row = await test.db.pairingCode.findUniqueOrThrow({ where: { agentId: "agent-a" } });
    expect(JSON.stringify(row)).not.toContain(codeInLog().replace(" ", ""));
  });

  it("counts no attempt for a text that is no code", async () => {
    await openPairing(g.a);
    for (const text of ["你好", "hello bot", "", "22222222 3", "0000OOOO"]) {
      expect((await pairOwner(g.a, from, text)).outcome).toBe("no_code");
    }
    expect((await test.db.pairingCode.findUnique({ where: { agentId: "agent-a" } }))?.attempts).toBe(0);
  });

  it("makes a new code after five wrong ones, and the old one is worth nothing", async () => {
    await openPairing(g.a);
    const old = codeInLog();
    const left: number[] = [];
    for (let n = 0; n < 5; n++) {
      const result = await pairOwner(g.a, { openId: "ou_x" }, wrong(n));
      left.push(result.outcome === "wrong_code" ? result.attemptsLeft : -1);
    }
    expect(left).toEqual([4, 3, 2, 1, 0]);
    expect(codeInLog()).not.toBe(old);
    expect((await pairOwner(g.a, from, old)).outcome).toBe("wrong_code");
    expect((await pairOwner(g.a, from, codeInLog())).outcome).toBe("paired");
  });

  it("judges no more than five guesses of one code, however many arrive at once", async () => {
    await openPairing(g.a);
    const right = codeInLog();
    const guesses = [...Array.from({ length: 8 }, (_, n) => wrong(n)), right];
    const results = [];
    for (const guess of guesses) results.push(await pairOwner(g.a, { openId: "ou_x" }, guess));
    expect(results.some(({ outcome }) => outcome === "paired")).toBe(false);
  });

  it("lets a code expire after a day", async () => {
    await openPairing(g.a);
    const old = codeInLog();
    g.a.clock.advance({ hours: 24 });
    expect((await pairOwner(g.a, from, old)).outcome).toBe("wrong_code");
    expect((await pairOwner(g.a, from, codeInLog())).outcome).toBe("paired");
  });

  it("takes no other agent's code", async () => {
    await openPairing(g.a);
    const theirs = codeInLog();
    await openPairing(g.b);
    expect((await pairOwner(g.b, from, theirs)).outcome).toBe("wrong_code");
  });

  it("makes the configured person owner without a code, as often as it starts", async () => {
    await openPairing(g.a);
    await makeConfiguredOwner(g.a, "ou_conf");
    await makeConfiguredOwner(g.a, "ou_conf");
    expect((await knowPerson(g.a, { openId: "ou_conf" })).known).toBe(true);
    expect(await test.db.pairingCode.count()).toBe(0);
    expect(await test.db.auditEntry.count({ where: { what: "people.pair" } })).toBe(1);
  });

  it("knows people by their open_id only, remembers their direct chat and name, never a group as direct chat", async () => {
    await g.people();
    await knowPerson(g.a, { openId: owner.openId, chatId: "oc_group", chatType: "group" });
    const known = await knowPerson(g.a, { openId: owner.openId, chatId: "oc_new", chatType: "p2p", name: "林 悦\n" });
    expect(known).toMatchObject({
      known: true,
      person: { directChatId: "oc_new", name: "林 悦" },
      actor: { role: "owner" },
    });
    expect((await listPeople(g.a)).find(({ openId }) => openId === owner.openId)?.directChatId).toBe("oc_new");
    expect((await listPeople(g.b)).find(({ openId }) => openId === owner.openId)?.directChatId).toBe("oc_dm_owner");
    expect(await namesOf(g.a, [owner.openId, "ou_nobody"])).toEqual(new Map([[owner.openId, "林 悦"]]));
  });

  it("tells a stranger once, an empty id never, and takes neither for anybody", async () => {
    await g.people();
    expect(await knowPerson(g.a, { openId: "ou_stranger" })).toEqual({ known: false, tellOnce: true });
    expect(await knowPerson(g.a, { openId: "ou_stranger" })).toEqual({ known: false, tellOnce: false });
    expect(await knowPerson(g.b, { openId: "ou_stranger" })).toEqual({ known: false, tellOnce: true });
    expect(await knowPerson(g.a, { openId: "" })).toEqual({ known: false, tellOnce: false });
  });

  it("serves a person no longer from the moment their access is taken back, and again when it is given", async () => {
    await g.people();
    expect((await revokeRole(g.a, admin, { openId: member.openId })).outcome).toBe("revoked");
    expect((await knowPerson(g.a, { openId: member.openId })).known).toBe(false);
    expect((await knowPerson(g.b, { openId: member.openId })).known).toBe(true);
    expect((await revokeRole(g.a, admin, { openId: member.openId })).outcome).toBe("already");
    expect(await grantRole(g.a, admin, { openId: member.openId, role: "member" })).toMatchObject({
      outcome: "granted",
    });
    expect((await knowPerson(g.a, { openId: member.openId })).known).toBe(true);
  });

  it("lets nobody give or take more than they have", async () => {
    await g.people();
    const people = async () => test.db.person.findMany({ orderBy: { id: "asc" } });
    const before = await people();
    expect(await code(grantRole(g.a, member, { openId: "ou_n", role: "member" }))).toBe("forbidden");
    expect(await code(grantRole(g.a, admin, { openId: "ou_n", role: "admin" }))).toBe("forbidden");
    expect(await code(grantRole(g.a, admin, { openId: admin.openId, role: "owner" }))).toBe("forbidden");
    expect(await code(grantRole(g.a, admin, { openId: owner.openId, role: "member" }))).toBe("forbidden");
    expect(await code(revokeRole(g.a, admin, { openId: owner.openId }))).toBe("forbidden");
    expect(await code(revokeRole(g.a, member, { openId: admin.openId }))).toBe("forbidden");
    expect(await code(revokeRole(g.a, owner, { openId: "ou_nobody" }))).toBe("not_found");
    expect(await people()).toEqual(before);
  });

  it("keeps a last owner, also when two owners remove each other at once", async () => {
    await g.people();
    expect(await code(revokeRole(g.a, owner, { openId: owner.openId }))).toBe("wrong_state");
    expect(await code(grantRole(g.a, owner, { openId: owner.openId, role: "member" }))).toBe("wrong_state");
    await grantRole(g.a, owner, { openId: admin.openId, role: "owner" });
    const second: PersonActor = { ...admin, role: "owner" };
    const results = await Promise.all([
      code(revokeRole(g.a, owner, { openId: second.openId })),
      code(revokeRole(g.a, second, { openId: owner.openId })),
    ]);
    expect(results.sort()).toEqual(["none", "wrong_state"]);
    expect(await test.db.person.count({ where: { agentId: "agent-a", role: "owner", revokedAt: null } })).toBe(1);
  });

  it("sets a language once and refuses what it does not speak", async () => {
    await g.people();
    expect((await setLanguage(g.a, member, "en")).outcome).toBe("set");
    expect((await setLanguage(g.a, member, "en")).outcome).toBe("already");
    expect(await code(setLanguage(g.a, member, "fr"))).toBe("invalid_input");
    expect((await listPeople(g.a)).find(({ openId }) => openId === member.openId)?.language).toBe("en");
    expect(await test.db.auditEntry.count({ where: { what: "people.language" } })).toBe(1);
  });
});
