// What tests let another process do to a database: `<command> <url> [arguments]`, one line of output for each step.
import { inTransaction, openDb } from "../../../src/engine/db.ts";
import { loadSqlite } from "../../../src/engine/load-sqlite.ts";
import { migrate } from "../../../src/engine/migrate.ts";

const AT = new Date("2026-11-30T09:00:00Z");
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const person = (id: string) => ({ id, agentId: "a", openId: `ou_${id}`, role: "member", createdAt: AT });

const COMMANDS: Readonly<Record<string, (url: string, ...rest: string[]) => Promise<void>>> = {
  /** Holds the write lock until its input ends. */
  "hold-lock": async (path) => {
    const { DatabaseSync } = loadSqlite();
    const db = new DatabaseSync(path, { timeout: 5000 });
    db.exec("BEGIN IMMEDIATE");
    say("held");
    for await (const _chunk of process.stdin);
    db.exec("COMMIT");
    db.close();
    say("freed");
  },
  /** Says whether the write lock can be had within 500 ms. */
  "try-lock": async (path) => {
    const { DatabaseSync } = loadSqlite();
    const db = new DatabaseSync(path, { timeout: 500 });
    try {
      db.exec("BEGIN IMMEDIATE; ROLLBACK");
      say("free");
    } catch {
      say("locked");
    }
    db.close();
  },
  /** Reads a number and writes it back one greater, so many times, each in a transaction; says how often it had to repeat one. */
  increment: async (url, times = "1") => {
    const { db, close } = await openDb(url);
    let repeats = 0;
    for (let done = 0; done < Number(times); ) {
      try {
        await inTransaction(db, async (tx) => {
          const { name } = await tx.person.findUniqueOrThrow({ where: { id: "counter" } });
          await tx.person.update({ where: { id: "counter" }, data: { name: String(Number(name) + 1) } });
        });
        done++;
      } catch (error) {
        // No lock, or no turn, within the time limits: nothing was written.
        const code = error instanceof Error && "code" in error ? error.code : undefined;
        if (code !== "P1008" && code !== "P2028") throw error;
        repeats++;
      }
    }
    await close();
    say(String(repeats));
  },
  /** Writes pairs in transactions, and single rows, for ever; says each that was acknowledged. */
  "write-forever": async (url, prefix = "p") => {
    const { db } = await openDb(url);
    for (let i = 0; ; i++) {
      await inTransaction(db, async (tx) => {
        await tx.person.create({ data: person(`${prefix}${i}-left`) });
        await tx.person.create({ data: person(`${prefix}${i}-right`) });
      });
      say(`${prefix}${i}-left`);
      await db.person.create({ data: person(`${prefix}${i}-single`) });
      say(`${prefix}${i}-single`);
    }
  },
  migrate: async (url) => {
    loadSqlite();
    say("ready");
    const { applied, backup } = await migrate(url, { now: AT });
    say(JSON.stringify({ applied, backup }));
  },
  open: async (url) => {
    const { db, close } = await openDb(url);
    say(JSON.stringify(await db.$queryRaw`PRAGMA journal_mode`));
    await close();
  },
};

const [command = "", url = "", ...rest] = process.argv.slice(2);
const act = COMMANDS[command];
if (!act) throw new Error(`Expected one of ${Object.keys(COMMANDS).join(", ")}, got "${command}"`);
await act(url, ...rest);
