import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isActive, nextOpening } from "../../../src/engine/active-window.ts";
import {
  coolDownEnds,
  type DisturbFacts,
  type DisturbSettings,
  judgeMatter,
  type MatterState,
} from "../../../src/engine/proactive/disturb-rules.ts";

const ZONE = "Asia/Shanghai";
const settings: DisturbSettings = {
  activeFrom: "09:00",
  activeUntil: "21:30",
  dailyMessages: 5,
  minimumGapMinutes: 60,
  coolDownHours: 20,
  stopAfterIgnored: 3,
  mattersPerCard: 5,
  idleMinutes: 5,
};
const at = (local: string): Date => new Date(`2026-11-30T${local}:00+08:00`);
const hours = (date: Date, n: number): Date => new Date(date.getTime() + n * 3_600_000);

const item = (over: Partial<MatterState> = {}): MatterState => ({
  id: "i1",
  status: "active",
  kind: "promise",
  momentum: "on_track",
  dueAt: null,
  snoozedUntil: null,
  exact: false,
  lastRemindedAt: null,
  ignoredCount: 0,
  ...over,
});

const world = (over: Partial<DisturbFacts> = {}): DisturbFacts => ({
  now: at("11:00"),
  zone: ZONE,
  settings,
  paused: false,
  spokenAt: [],
  weights: {},
  alreadySaid: new Set(),
  settled: new Set(),
  lastHumanAt: null,
  asked: false,
  ...over,
});

const reason = (state: MatterState | undefined, facts: DisturbFacts): string => {
  const verdict = judgeMatter(state, state?.kind ?? "promise", facts);
  return verdict.allow ? "allowed" : verdict.reason;
};

describe("the person's hours", () => {
  it("PS4: 09:00 is inside, 08:59 and 21:30 are not, 21:29 is", () => {
    expect(["08:59", "09:00", "21:29", "21:30"].map((t) => isActive(at(t), ZONE, settings))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it("a window over midnight is open on both sides of it", () => {
    const night = { activeFrom: "22:00", activeUntil: "06:00" };
    expect(["21:59", "22:00", "05:59", "06:00"].map((t) => isActive(at(t), ZONE, night))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it("equal ends are the whole day", () => {
    expect(isActive(at("03:00"), ZONE, { activeFrom: "09:00", activeUntil: "09:00" })).toBe(true);
  });

  it("the next opening lies inside the window and nothing before it does, on days of clock change too", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date("2026-01-01"), max: new Date("2027-12-31"), noInvalidDate: true }),
        fc.constantFrom("Europe/Berlin", "America/New_York", "Asia/Shanghai"),
        fc.constantFrom("09:00", "02:30", "22:00"),
        (now, zone, activeFrom) => {
          const window = { activeFrom, activeUntil: "21:30" };
          const opening = nextOpening(now, zone, window);
          expect(opening.getTime()).toBeGreaterThanOrEqual(now.getTime());
          expect(isActive(opening, zone, window)).toBe(true);
          expect(opening.getTime() - now.getTime()).toBeLessThanOrEqual(25 * 3_600_000);
        },
      ),
    );
  });
});

describe("the matter itself", () => {
  it("a closed matter is never mentioned, whatever else holds", () => {
    fc.assert(
      fc.property(fc.boolean(), fc.integer({ min: 0, max: 9 }), fc.boolean(), (asked, ignoredCount, exact) => {
        expect(
          reason(item({ status: "closed", ignoredCount, exact, snoozedUntil: at("10:00") }), world({ asked })),
        ).toBe("closed");
      }),
    );
  });

  it("a snoozed matter is silent until its very instant, also when a person asks for a look", () => {
    const snoozed = item({ snoozedUntil: at("18:00") });
    expect(reason(snoozed, world({ now: at("16:00") }))).toBe("snoozed");
    expect(reason(snoozed, world({ now: at("17:59"), asked: true }))).toBe("snoozed");
    expect(reason(snoozed, world({ now: at("18:00") }))).toBe("allowed");
  });

  it("a snooze that has ended is spoken of although it was mentioned an hour before", () => {
    const state = item({ snoozedUntil: at("11:00"), lastRemindedAt: at("10:00"), ignoredCount: 3 });
    expect(reason(state, world({ spokenAt: [at("10:00")] }))).toBe("allowed");
    expect(reason(state, world({ spokenAt: [at("10:40")] }))).toBe("minimum_gap");
    expect(reason({ ...state, exact: true }, world({ spokenAt: [at("10:40")] }))).toBe("allowed");
  });

  it("a time the person named is spoken at, quiet hours or not; a snooze button's waits for the morning", () => {
    const night = world({ now: at("23:00") });
    expect(reason(item({ snoozedUntil: at("23:00"), exact: true }), night)).toBe("allowed");
    expect(reason(item({ snoozedUntil: at("23:00") }), night)).toBe("quiet_hours");
  });

  it("what a person's words have settled is not asked about", () => {
    expect(reason(item(), world({ settled: new Set(["i1"]) }))).toBe("already_done");
  });

  it("what is in a message on its way is not said a second time", () => {
    expect(reason(item(), world({ alreadySaid: new Set(["i1"]) }))).toBe("recently_reminded");
  });

  it("each ignored reminder doubles the cool-down, and the third is the last", () => {
    const last = at("10:00");
    const until = (ignoredCount: number): number =>
      ((coolDownEnds(item({ lastRemindedAt: last, ignoredCount }), settings, 1)?.getTime() ?? 0) - last.getTime()) /
      3_600_000;
    expect([0, 1, 2].map(until)).toEqual([20, 20, 40]);
    expect(reason(item({ lastRemindedAt: last, ignoredCount: 2 }), world({ now: hours(last, 24) }))).toBe(
      "recently_reminded",
    );
    expect(reason(item({ lastRemindedAt: last, ignoredCount: 3 }), world({ now: hours(last, 24 * 30) }))).toBe(
      "ignored_too_often",
    );
  });

  it("a date that comes near brings a matter back sooner, but never within two hours", () => {
    const last = at("09:30");
    const dueTonight = item({ lastRemindedAt: last, ignoredCount: 1, dueAt: at("19:30") });
    expect(reason(dueTonight, world({ now: at("14:00") }))).toBe("recently_reminded");
    expect(reason(dueTonight, world({ now: at("14:31") }))).toBe("allowed");
    const dueSoon = item({ lastRemindedAt: last, ignoredCount: 1, dueAt: at("10:30") });
    expect(reason(dueSoon, world({ now: at("11:00") }))).toBe("recently_reminded");
  });

  it("of a kind the person wants less of, only what is due is said", () => {
    const weights = { promise: 0.25 };
    expect(reason(item(), world({ weights }))).toBe("fewer_of_these");
    expect(reason(item({ dueAt: at("18:00") }), world({ weights }))).toBe("allowed");
    expect(reason(item({ kind: "deadline" }), world({ weights }))).toBe("allowed");
  });
});

describe("the moment", () => {
  it("the daily number, the gap, the pause and a chat in progress each hold back, and say until when", () => {
    const spoken = [1, 2, 3, 4, 5].map((n) => at(`0${n}:00`));
    expect(reason(item(), world({ spokenAt: spoken }))).toBe("daily_limit");
    expect(judgeMatter(item(), "promise", world({ spokenAt: [at("10:30")] }))).toEqual({
      allow: false,
      reason: "minimum_gap",
      until: at("11:30"),
    });
    expect(reason(item(), world({ paused: at("12:00") }))).toBe("paused");
    expect(reason(item(), world({ paused: at("10:00") }))).toBe("allowed");
    expect(reason(item(), world({ lastHumanAt: at("10:57") }))).toBe("person_is_talking");
    expect(reason(item(), world({ lastHumanAt: at("10:55") }))).toBe("allowed");
  });

  it("yesterday's messages do not count for today's number", () => {
    const yesterday = [1, 2, 3, 4, 5, 6].map((n) => hours(at("20:00"), -24 - n / 10));
    expect(reason(item(), world({ spokenAt: yesterday }))).toBe("allowed");
  });

  it("PS11: after the clock was set back one hour nothing is said a second time", () => {
    const state = item({ lastRemindedAt: at("11:00"), ignoredCount: 1 });
    expect(reason(state, world({ now: at("10:00") }))).toBe("recently_reminded");
    expect(reason(item(), world({ now: at("10:00"), spokenAt: [at("11:00")] }))).toBe("minimum_gap");
  });

  it("a row from a clock that was days ahead does not silence everything", () => {
    const wrong = hours(at("11:00"), 24 * 40);
    expect(reason(item({ lastRemindedAt: wrong }), world({ spokenAt: [wrong] }))).toBe("allowed");
  });

  it("a look the person asks for is answered at any hour, but the matter's own rules stay", () => {
    const asked = world({ now: at("23:30"), asked: true, paused: at("23:59"), spokenAt: [at("23:20")] });
    expect(reason(item(), asked)).toBe("allowed");
    expect(reason(item({ lastRemindedAt: at("20:00") }), asked)).toBe("recently_reminded");
  });

  it("whatever the state of the world, a matter that is allowed is neither closed, snoozed, settled nor on its way", () => {
    const dates = fc.option(
      fc.integer({ min: -100, max: 100 }).map((n) => hours(at("11:00"), n)),
      { nil: null },
    );
    fc.assert(
      fc.property(
        fc.record({
          status: fc.constantFrom("active" as const, "closed" as const),
          dueAt: dates,
          snoozedUntil: dates,
          exact: fc.boolean(),
          lastRemindedAt: dates,
          ignoredCount: fc.integer({ min: 0, max: 6 }),
        }),
        fc.record({
          asked: fc.boolean(),
          settled: fc.constantFrom(new Set<string>(), new Set(["i1"])),
          alreadySaid: fc.constantFrom(new Set<string>(), new Set(["i1"])),
          hour: fc.integer({ min: 0, max: 23 }),
        }),
        (state, { hour, ...facts }) => {
          const now = at(`${String(hour).padStart(2, "0")}:00`);
          const verdict = judgeMatter(item(state), "promise", world({ ...facts, now }));
          if (!verdict.allow) return;
          expect(state.status).toBe("active");
          expect(state.snoozedUntil === null || state.snoozedUntil <= now).toBe(true);
          expect(facts.settled.size + facts.alreadySaid.size).toBe(0);
        },
      ),
    );
  });
});
