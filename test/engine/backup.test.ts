import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDb } from "../../src/engine/db.ts";
import { makeBackup } from "../../src/engine/make-backup.ts";
import { restoreBackup } from "../../src/engine/restore-backup.ts";
import { given } from "../helpers/given.ts";
import { describeBothDatabases, openTestDb, type TestDb } from "../helpers/test-db.ts";

const NOW = new Date("2026-12-01T08:00:00Z");
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "herald-backup-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const common = { now: NOW, version: "1.2.3", environment: process.env };
const target = (): string => join(folder, "one.backup");
const save = (test: TestDb) =>
  makeBackup({ ...common, databaseUrl: test.url, target: target(), bridgeToken: "t".repeat(20) });
const bringBack = (databaseUrl: string, source = target()) => restoreBackup({ ...common, databaseUrl, source });

describeBothDatabases("a backup", (open, on) => {
  let opened: TestDb;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(() => opened.release());

  test("made while the server runs brings everything back after a wipe", async () => {
    const world = given(opened.db);
    const item = await world.item({ title: "给客户发报价单" });
    const { header } = await save(opened);
    expect(header).toMatchObject({ provider: on, version: "1.2.3", counts: { TrackingItem: 2 } });
    await opened.db.trackingItem.deleteMany({});
    await opened.db.person.deleteMany({});
    // A running server holds its SQLite file: the new machine's is another one.
    const url = on === "sqlite" ? join(folder, "other.db") : opened.url;
    await bringBack(url);
    const again = await openDb(url);
    try {
      const row = await again.db.trackingItem.findUnique({ where: { id: item.id } });
      expect(row?.title).toBe("给客户发报价单");
    } finally {
      await again.close();
    }
  });

  test("is readable by its owner only, and leaves nothing half written beside it", async () => {
    await save(opened);
    expect(statSync(target()).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["one.backup"]);
  });
});

describe("restoring", () => {
  let source: TestDb;
  beforeEach(async () => {
    source = await openTestDb();
    await given(source.db).item({ title: "一件事" });
    await save(source);
    await source.release();
  });
  const place = (): string => join(folder, "new", "herald.db");

  test("makes the database where there was none", async () => {
    const { replaced } = await bringBack(place());
    expect(replaced).toBeUndefined();
    const again = await openDb(place());
    expect(await again.db.trackingItem.count()).toBe(2);
    await again.close();
  });

  test("keeps what stood there before beside it", async () => {
    await bringBack(place());
    const second = await bringBack(place());
    expect(existsSync(second.replaced ?? "")).toBe(true);
  });

  test("refuses while a server has the database open, and changes nothing", async () => {
    await bringBack(place());
    const server = await openDb(place());
    await server.db.trackingItem.deleteMany({});
    await expect(bringBack(place())).rejects.toMatchObject({ problem: "in_use" });
    expect(await server.db.trackingItem.count()).toBe(0);
    await server.close();
    expect(readdirSync(join(folder, "new")).filter((name) => name.includes("unfinished"))).toEqual([]);
  });

  test.each([
    ["a missing file", undefined, "no_file"],
    ["a text", Buffer.from("hello"), "not_a_backup"],
    ["somebody else's archive", gzipSync("hello\nworld"), "not_a_backup"],
    ["an empty file", Buffer.alloc(0), "not_a_backup"],
  ])("refuses %s and changes nothing", async (_name, content, problem) => {
    await bringBack(place());
    const before = readFileSync(place());
    const file = join(folder, "other.backup");
    if (content) writeFileSync(file, content);
    await expect(bringBack(place(), file)).rejects.toMatchObject({ problem });
    expect(readFileSync(place()).equals(before)).toBe(true);
  });

  test("refuses a backup that was cut short or altered at any place", async () => {
    const whole = readFileSync(target());
    for (const at of [0.2, 0.5, 0.9, 0.999]) {
      writeFileSync(target(), whole.subarray(0, Math.floor(whole.length * at)));
      await expect(bringBack(place())).rejects.toMatchObject({
        problem: expect.stringMatching(/not_a_backup|damaged/),
      });
    }
    const plain = gunzipSync(whole);
    plain[plain.length - 100] = (plain[plain.length - 100] ?? 0) ^ 1;
    writeFileSync(target(), gzipSync(plain));
    await expect(bringBack(place())).rejects.toMatchObject({ problem: "damaged" });
    expect(existsSync(place())).toBe(false);
  });

  test("refuses one made by a newer version, and one of the other kind of database", async () => {
    const plain = gunzipSync(readFileSync(target()));
    const end = plain.indexOf(10);
    const header = JSON.parse(plain.subarray(0, end).toString("utf8")) as Record<string, unknown>;
    const rewrite = (change: object): void =>
      writeFileSync(
        target(),
        gzipSync(
          Buffer.concat([Buffer.from(`${JSON.stringify({ ...header, ...change })}\n`), plain.subarray(end + 1)]),
        ),
      );
    rewrite({ migrations: ["29990101000000_future"] });
    await expect(bringBack(place())).rejects.toMatchObject({ problem: "newer" });
    rewrite({ provider: "postgresql" });
    await expect(bringBack(place())).rejects.toMatchObject({ problem: "other_database" });
    expect(existsSync(place())).toBe(false);
  });
});
