import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isActive, nextOpening } from "../../src/engine/active-window.ts";
import { inTransaction } from "../../src/engine/db.ts";
import { isEngineError } from "../../src/engine/errors.ts";
import {
  changeSettings,
  parseSetting,
  readSettings,
  type SettingName,
  settingNames,
  settingsTable,
} from "../../src/engine/settings.ts";
import { wallInstant } from "../../src/engine/wall-time.ts";
import { admin, type Given, given, job, member, owner } from "../helpers/given.ts";
import { describeBothDatabases, type TestDb } from "../helpers/test-db.ts";

describeBothDatabases("settings", (open) => {
  let test: TestDb;
  let g: Given;

  beforeEach(async () => {
    test = await open();
    g = given(test.db);
  });
  afterEach(() => test.release());

  it("are the defaults until somebody says otherwise, language and zone the agent's", async () => {
    expect(await readSettings(g.a)).toMatchObject({
      tickMinutes: 15,
      activeFrom: "09:00",
      activeUntil: "21:30",
      dailyMessages: 5,
      minimumGapMinutes: 60,
      coolDownHours: 20,
      stopAfterIgnored: 3,
      mattersPerCard: 5,
      undoMinutes: 10,
      idleMinutes: 5,
      documentDays: 30,
      editor: "auto",
      language: "zh",
      zone: "Asia/Shanghai",
      paused: false,
    });
    expect(await readSettings(g.b)).toMatchObject({ language: "en", zone: "Europe/Berlin" });
  });

  it("change together or not at all, each with who, from what and to what, for one agent", async () => {
    const result = await changeSettings(g.a, admin, { activeFrom: "22:00", activeUntil: "06:00" });
    expect(result.changed).toEqual([
      { name: "activeFrom", before: "09:00", after: "22:00" },
      { name: "activeUntil", before: "21:30", after: "06:00" },
    ]);
    await expect(changeSettings(g.a, admin, { activeFrom: "10:00", activeUntil: "25:00" })).rejects.toThrow();
    expect(await readSettings(g.a)).toMatchObject({ activeFrom: "22:00", activeUntil: "06:00" });
    expect(await readSettings(g.b)).toMatchObject({ activeFrom: "09:00" });
    const audit = await test.db.auditEntry.findMany({ where: { what: "settings.change" } });
    expect(audit.map(({ actorId, subjectId, before, after }) => [actorId, subjectId, before, after])).toEqual([
      [admin.openId, "activeFrom", { value: "09:00" }, { value: "22:00" }],
      [admin.openId, "activeUntil", { value: "21:30" }, { value: "06:00" }],
    ]);
  });

  it("write nothing when nothing changes, and return to their default", async () => {
    expect((await changeSettings(g.a, owner, { dailyMessages: "5" })).changed).toEqual([]);
    expect(await test.db.auditEntry.count()).toBe(0);
    await changeSettings(g.a, owner, { dailyMessages: 2 });
    expect((await changeSettings(g.a, owner, { dailyMessages: null })).changed).toEqual([
      { name: "dailyMessages", before: 2, after: 5 },
    ]);
    expect(await test.db.setting.count()).toBe(0);
  });

  it("keep an instant of a pause", async () => {
    await changeSettings(g.a, owner, { paused: "2026-12-05T01:00:00Z" });
    expect((await readSettings(g.a)).paused).toEqual(new Date("2026-12-05T01:00:00Z"));
    await changeSettings(g.a, owner, { paused: false });
    expect((await readSettings(g.a)).paused).toBe(false);
  });

  it("are changed by owner and admins only", async () => {
    for (const who of [member, job]) {
      const refused = await changeSettings(g.a, who, { dailyMessages: 1 }).catch((error: unknown) => error);
      expect(isEngineError(refused, "forbidden") && refused.facts.need).toBe("admin");
    }
    expect(await test.db.setting.count()).toBe(0);
  });

  it("survive a stored value that no longer fits", async () => {
    await test.db.setting.create({
      data: { agentId: "agent-a", name: "tickMinutes", value: "often", updatedAt: new Date(0), updatedBy: "x" },
    });
    expect((await readSettings(g.a)).tickMinutes).toBe(15);
    expect(g.a.log.of("settings.unreadable")).toHaveLength(1);
  });

  it("are read once per transaction, and anew after a change in it", async () => {
    await inTransaction(test.db, async (tx) => {
      const inside = { ...g.a, db: tx };
      const [first, second] = [await readSettings(inside), await readSettings(inside)];
      expect(second).toBe(first);
      await changeSettings(inside, owner, { dailyMessages: 7 });
      expect((await readSettings(inside)).dailyMessages).toBe(7);
      expect((await readSettings({ ...g.b, db: tx })).dailyMessages).toBe(5);
    });
    expect(await readSettings(g.a)).not.toBe(await readSettings(g.a));
  });
});

describe("a setting's value", () => {
  it.each(settingNames)("%s: its default and its example are taken", (name) => {
    expect(() => parseSetting(name, settingsTable[name].example)).not.toThrow();
    const standard = settingsTable[name].default;
    if (typeof standard !== "function") expect(() => parseSetting(name, standard)).not.toThrow();
  });

  it.each<[SettingName, unknown]>([
    ["tickMinutes", 0],
    ["tickMinutes", "1.5"],
    ["tickMinutes", "soon"],
    ["tickMinutes", ""],
    ["tickMinutes", true],
    ["dailyMessages", -1],
    ["activeFrom", "9:00"],
    ["activeFrom", "24:00"],
    ["activeUntil", "21:60"],
    ["zone", "Peking"],
    ["language", "fr"],
    ["editor", "someone"],
    ["paused", "whenever"],
    ["paused", true],
    ["paused", 5],
    ["dailyMessages", [5]],
    ["paused", ""],
    ["paused", undefined],
  ])("%s: %j is refused with what was expected and an example", (name, value) => {
    try {
      parseSetting(name, value);
      expect.unreachable();
    } catch (error) {
      if (!isEngineError(error, "invalid_input")) throw error;
      expect(error.facts).toMatchObject({
        path: name,
        expected: `settings.${name}`,
        example: settingsTable[name].example,
      });
    }
  });
});

describe("the active window", () => {
  const day = { activeFrom: "09:00", activeUntil: "21:30" };
  const night = { activeFrom: "22:00", activeUntil: "06:00" };

  it.each<[string, typeof day, string, string, string]>([
    ["inside it, now", day, "Asia/Shanghai", "2026-11-30T02:00Z", "2026-11-30T02:00Z"],
    ["at its first minute, now", day, "Asia/Shanghai", "2026-11-30T01:00Z", "2026-11-30T01:00Z"],
    ["a minute before, at its start", day, "Asia/Shanghai", "2026-11-30T00:59Z", "2026-11-30T01:00Z"],
    ["at its end, the next morning", day, "Asia/Shanghai", "2026-11-30T13:30Z", "2026-12-01T01:00Z"],
    ["over midnight, before midnight", night, "Asia/Shanghai", "2026-11-30T14:30Z", "2026-11-30T14:30Z"],
    ["over midnight, after midnight", night, "Asia/Shanghai", "2026-11-30T21:59Z", "2026-11-30T21:59Z"],
    ["over midnight, in the morning", night, "Asia/Shanghai", "2026-11-30T22:00Z", "2026-12-01T14:00Z"],
    [
      "without end, always now",
      { activeFrom: "08:00", activeUntil: "08:00" },
      "UTC",
      "2026-11-30T03:00Z",
      "2026-11-30T03:00Z",
    ],
    [
      "on the day the clocks skip its start",
      { activeFrom: "02:30", activeUntil: "21:00" },
      "Europe/Berlin",
      "2026-03-29T00:00Z",
      "2026-03-29T01:00Z",
    ],
    [
      "on the day the clocks go back, at the first showing",
      { activeFrom: "02:30", activeUntil: "21:00" },
      "Europe/Berlin",
      "2026-10-25T00:00Z",
      "2026-10-25T00:30Z",
    ],
  ])("opens %s", (_, window, zone, from, expected) => {
    expect(nextOpening(new Date(from), zone, window)).toEqual(new Date(expected));
  });

  it("is open at the instant at which it says that it opens", () => {
    const time = fc
      .integer({ min: 0, max: 1439 })
      .map((minute) => `${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`);
    const at = fc.date({ min: new Date("2025-01-01"), max: new Date("2028-01-01"), noInvalidDate: true });
    const zone = fc.constantFrom("Asia/Shanghai", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe");
    fc.assert(
      fc.property(at, zone, time, time, (now, where, activeFrom, activeUntil) => {
        const window = { activeFrom, activeUntil };
        const opens = nextOpening(now, where, window);
        expect(opens >= now).toBe(true);
        expect(opens.getTime() - now.getTime()).toBeLessThanOrEqual(50 * 3_600_000);
        expect(isActive(opens, where, window)).toBe(true);
      }),
    );
  });

  it("names the wall's instant whatever the clocks do", () => {
    const hour = (time: string) => ({ hour: Number(time.slice(0, 2)), minute: Number(time.slice(3)) });
    const near = new Date("2026-03-29T10:00Z");
    expect(wallInstant(near, "Europe/Berlin", hour("01:59"))).toEqual(new Date("2026-03-29T00:59Z"));
    expect(wallInstant(near, "Europe/Berlin", hour("02:00"))).toEqual(new Date("2026-03-29T01:00Z"));
    expect(wallInstant(near, "Europe/Berlin", hour("02:59"))).toEqual(new Date("2026-03-29T01:00Z"));
    expect(wallInstant(near, "Europe/Berlin", hour("03:00"))).toEqual(new Date("2026-03-29T01:00Z"));
  });
});

function pad(n: number): string {
  return String(n).padStart(2, "0");
}
