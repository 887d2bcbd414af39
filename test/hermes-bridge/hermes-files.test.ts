import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HermesCronList } from "../../src/hermes-bridge/cron-list.ts";
import { findHermesHome } from "../../src/hermes-bridge/find-hermes-home.ts";
import { HermesMemoryStore } from "../../src/hermes-bridge/memory-store.ts";
import { noCronList, noHistory, noMemory, noPreferences } from "../../src/hermes-bridge/no-hermes.ts";
import { PREFERENCES_FILE, PreferencesFile } from "../../src/hermes-bridge/preferences-file.ts";

let home = "";

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "herald-home-"));
  for (const folder of ["cron", "memories", "profiles/office"]) mkdirSync(join(home, folder), { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true }));

describe("cron jobs", () => {
  const write = (text: string): void => writeFileSync(join(home, "cron", "jobs.json"), text);

  it("are read with what is known of them; a broken one is left out, unknown words pass", async () => {
    const jobs = [
      {
        id: "a",
        name: "简报",
        schedule_display: "0 9 * * *",
        enabled: true,
        next_run_at: "2026-12-01T09:00:00+08:00",
        last_status: "delivery_failed",
        last_delivery_error: "no route",
      },
      {
        id: "b",
        schedule: { display: "every 30m" },
        enabled: true,
        state: "paused",
        next_run_at: "soon",
        last_error: null,
      },
      { name: "no id" },
      "garbage",
    ];
    write(JSON.stringify({ jobs }));
    expect(await new HermesCronList(home).list()).toEqual([
      {
        id: "a",
        name: "简报",
        schedule: "0 9 * * *",
        enabled: true,
        nextRunAt: new Date("2026-12-01T01:00:00Z"),
        lastStatus: "delivery_failed",
        lastDeliveryError: "no route",
      },
      { id: "b", name: "b", schedule: "every 30m", enabled: false },
    ]);
  });

  it("no file is no job; a broken file is unavailable; a file half written is read when it is whole", async () => {
    const list = new HermesCronList(home);
    expect(await list.list()).toEqual([]);
    write('{"jobs": [');
    await expect(list.list()).rejects.toMatchObject({ code: "unavailable", facts: { what: "hermes" } });
    const reading = list.list();
    setTimeout(() => write('{"jobs": []}'), 20);
    expect(await reading).toEqual([]);
  });
});

describe("memories", () => {
  it("are found by shared words in both languages, best first, at most as many as asked for", async () => {
    writeFileSync(
      join(home, "memories", "MEMORY.md"),
      "云杉项目的法务联系人是周敏\n§\nExports run on branch export-chunks\n§\n  \n§\n云杉项目在上海",
    );
    writeFileSync(join(home, "memories", "USER.md"), "Prefers short answers");
    const store = new HermesMemoryStore(home);
    const found = await store.recall(["云杉合同发给法务周敏", "the exports"], 5);
    expect(found.state).toBe("ok");
    expect(found.memories[0]).toEqual({ target: "memory", text: "云杉项目的法务联系人是周敏" });
    expect(found.memories.map(({ text }) => text)).not.toContain("Prefers short answers");
    expect((await store.recall(["云杉", "exports"], 1)).memories).toHaveLength(1);
    expect((await store.recall(["的", "，"], 5)).memories).toEqual([]);
  });

  it("says whether they were read, missing or unreadable", async () => {
    const store = new HermesMemoryStore(home);
    expect(await store.recall(["x"], 5)).toEqual({ state: "missing", memories: [] });
    mkdirSync(join(home, "memories", "MEMORY.md"));
    expect((await store.recall(["x"], 5)).state).toBe("unreadable");
  });
});

describe("preferences", () => {
  it("are written whole, keep the file's mode, and leave nothing else behind", async () => {
    const file = new PreferencesFile(home);
    expect(await file.read()).toBeUndefined();
    await file.write("# 偏好\n", undefined);
    expect(statSync(join(home, PREFERENCES_FILE)).mode & 0o777).toBe(0o600);
    chmodSync(join(home, PREFERENCES_FILE), 0o664);
    await file.write("# 新的偏好\n", "# 偏好\n");
    expect(readFileSync(join(home, PREFERENCES_FILE), "utf8")).toBe("# 新的偏好\n");
    expect(statSync(join(home, PREFERENCES_FILE)).mode & 0o777).toBe(0o664);
    expect(readdirSync(home).sort()).toEqual([PREFERENCES_FILE, "cron", "memories", "profiles"]);
  });

  it("are not overwritten when they say something else than the person saw", async () => {
    const file = new PreferencesFile(home);
    writeFileSync(join(home, PREFERENCES_FILE), "edited in between");
    await expect(file.write("mine", "old")).rejects.toMatchObject({ code: "changed_since_seen" });
    await expect(file.write("mine", undefined)).rejects.toMatchObject({ code: "changed_since_seen" });
    expect(await file.read()).toBe("edited in between");
  });
});

describe("where Hermes lives", () => {
  it("a profile is read in its own home when it has one, else by its name in the common store", () => {
    expect(findHermesHome(home)).toEqual({ home });
    expect(findHermesHome(home, "default")).toEqual({ home });
    expect(findHermesHome(home, "office")).toEqual({ home, profile: "office" });
    writeFileSync(join(home, "profiles/office/state.db"), "");
    expect(findHermesHome(home, "office")).toEqual({
      home: join(home, "profiles/office"),
      profile: "office",
      ownHome: true,
    });
  });

  it("a home that is itself a profile's is read as that profile", () => {
    const own = join(home, "profiles/office");
    expect(findHermesHome(own)).toEqual({ home: own, profile: "office", ownHome: true });
    expect(findHermesHome(own, "office")).toEqual({ home: own, profile: "office", ownHome: true });
  });

  it("without Hermes everything is empty and nothing is written", async () => {
    expect(await noHistory.describe()).toEqual({ kind: "none" });
    expect(await noHistory.mayHaveNew({})).toBe(false);
    expect((await noHistory.readSince({ id: 4 }, 10)).cursor).toEqual({ id: 4 });
    expect(await noCronList.list()).toEqual([]);
    expect((await noMemory.recall(["x"], 1)).state).toBe("missing");
    await expect(noPreferences.write("x", undefined)).rejects.toMatchObject({ code: "unavailable" });
  });
});
