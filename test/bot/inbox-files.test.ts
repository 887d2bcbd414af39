import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keepAttachments } from "../../src/bot/keep-attachments.ts";
import type { Lark } from "../../src/bot/lark.ts";
import { tidyInboxFiles } from "../../src/bot/tidy-inbox-files.ts";
import { textsFor } from "../../src/text/pick.ts";
import { type Given, given } from "../helpers/given.ts";
import { openTestDb, type TestDb } from "../helpers/test-db.ts";

let db: TestDb;
let g: Given;
let place: string;
let inboxFolder: string;
let elsewhere: string;
beforeEach(async () => {
  db = await openTestDb();
  g = given(db.db);
  place = mkdtempSync(join(tmpdir(), "herald-inbox-"));
  inboxFolder = join(place, "inbox");
  elsewhere = join(place, "documents");
  mkdirSync(inboxFolder);
  mkdirSync(elsewhere);
});
afterEach(async () => {
  rmSync(place, { recursive: true, force: true });
  await db.release();
});

const keep = () =>
  keepAttachments(
    g.a,
    { lark: { download: async () => Buffer.from("a,b\n") } as unknown as Lark, inboxFolder },
    textsFor("zh"),
    [{ kind: "file", key: "file_1", name: "a.csv", messageId: "om_1" }],
    "oc_chat",
  );

test("a link in the place of a chat's folder sends no file elsewhere", async () => {
  symlinkSync(elsewhere, join(inboxFolder, "oc_chat"));
  const { files } = await keep();
  expect(readdirSync(elsewhere)).toEqual([]);
  expect(readFileSync(files[0]?.path ?? "", "utf8")).toBe("a,b\n");
  expect(lstatSync(join(inboxFolder, "oc_chat")).isDirectory()).toBe(true);
});

test("a link in the place of a half-written file is not written through", async () => {
  const first = await keep();
  const path = first.files[0]?.path ?? "";
  const target = join(elsewhere, "settings");
  writeFileSync(target, "mine");
  symlinkSync(target, `${path}.part`);
  expect((await keep()).files[0]?.path).toBe(path);
  expect(readFileSync(target, "utf8")).toBe("mine");
  expect(lstatSync(path).isFile()).toBe(true);
});

test("tidying goes through no link: what lies behind it is somebody's", async () => {
  const old = new Date(0);
  const mine = join(elsewhere, "thesis.docx");
  writeFileSync(mine, "years of work");
  utimesSync(mine, old, old);
  symlinkSync(elsewhere, join(inboxFolder, "oc_chat"));
  mkdirSync(join(inboxFolder, "oc_other"));
  const sent = join(inboxFolder, "oc_other", "x.csv");
  writeFileSync(sent, "a");
  utimesSync(sent, old, old);
  expect(await tidyInboxFiles(g.a, inboxFolder)).toBe(1);
  expect(existsSync(sent)).toBe(false);
  expect(existsSync(mine)).toBe(true);
});
