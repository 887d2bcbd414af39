import { afterEach, expect, test } from "vitest";
import type { DaySession } from "../../src/engine/evolution/day-session.ts";
import { StateDb } from "../../src/hermes-bridge/state-db.ts";
import { HermesHome, type HermesSchema } from "../helpers/hermes-home.ts";

const NOW = 1_700_000_000;
const clock = { now: () => new Date(NOW * 1000) };
const opened: { close(): void }[] = [];
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});
function home(schema: HermesSchema = 16): { hermes: HermesHome; day: () => Promise<DaySession[]> } {
  const hermes = new HermesHome({ schema });
  const db = new StateDb({ home: hermes.path, clock });
  opened.push(db, { close: () => hermes.remove() });
  return {
    hermes,
    async day() {
      const found: DaySession[] = [];
      for await (const each of db.sessionsBegun(new Date((NOW - 3_600) * 1000), clock.now(), {
        leaveOutSources: ["cron"],
      }))
        found.push(each);
      return found;
    },
  };
}

test.each([10, 16, 30] as const)("what was said comes whole, whatever signs it is of (schema %i)", async (schema) => {
  const { hermes, day } = home(schema);
  hermes.session("s", { started_at: NOW - 60 });
  const multi = `\u0000json:${JSON.stringify([
    { type: "text", text: "看图" },
    { type: "image_url", image_url: {} },
  ])}`;
  const texts = ["plain words", "周四前发报价单 🙂", multi, "x".repeat(70_000), "长".repeat(30_000), "a\u0000b", ""];
  // The driver would end a bound text at its NUL; Hermes' does not.
  const whole = hermes.db.prepare("UPDATE messages SET content = CAST(? AS TEXT) WHERE id = ?");
  for (const text of texts) whole.run(Buffer.from(text), hermes.message("s", "", { at: NOW - 50 }));
  const [session] = await day();
  const rows = session?.rows ?? [];
  expect(rows.map(({ text }) => text.slice(0, 30))).toEqual([
    "plain words",
    "周四前发报价单 🙂",
    "看图\n[image]",
    "x".repeat(30),
    "长".repeat(30),
    "ab",
    "",
  ]);
  // Cut at 64 KB, and the length says so.
  expect(rows[3]).toMatchObject({ wholeLength: 70_000 });
  expect(rows[3]?.text).toHaveLength(65_536);
  expect(rows[4]?.wholeLength).toBe(90_000);
});

test("a chain of compressions is one session with the rows of all its parts; a long one is read in pieces", async () => {
  const { hermes, day } = home();
  hermes.session("first", { started_at: NOW - 600, ended_at: NOW - 300, end_reason: "compression", api_call_count: 3 });
  hermes.session("second", { started_at: NOW - 300, parent_session_id: "first", api_call_count: 4, model: "m2" });
  hermes.session("machine", { started_at: NOW - 100, source: "cron" });
  hermes.message("first", "开始", { at: NOW - 590 });
  for (let n = 0; n < 900; n++) hermes.message("second", `row ${n}`, { at: NOW - 200 });
  const sessions = await day();
  expect(sessions).toHaveLength(1);
  const [session] = sessions;
  expect(session).toMatchObject({ session: { id: "first" }, parts: ["first", "second"], apiCalls: 7, model: "m2" });
  expect(session?.rows).toHaveLength(901);
  expect(session?.rows.at(-1)?.text).toBe("row 899");
});
