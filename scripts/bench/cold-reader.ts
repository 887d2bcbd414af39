import { join } from "node:path";
import { loadSqlite } from "../../src/engine/load-sqlite.ts";
import { StateDb } from "../../src/hermes-bridge/state-db.ts";
import { RAW_SINCE } from "./raw-since.ts";

/** One reading in a process that has read nothing before: opens the store, reads what stands behind an id, says how long it took. */
const [way = "raw", home = "", from = "0"] = process.argv.slice(2);
const path = join(home, "state.db");
const decoder = new TextDecoder();
const { DatabaseSync } = loadSqlite();
let chars = 0;
let history: StateDb | undefined;
if (way === "herald") history = new StateDb({ home, clock: { now: () => new Date() } });

const begun = performance.now();
if (history) {
  await history.readSince({ id: Number(from) }, 1_000);
} else {
  const db = new DatabaseSync(path, { readOnly: true });
  const statement = db.prepare(RAW_SINCE);
  statement.setReturnArrays(true);
  for (const row of statement.all(Number(from)) as [number, string, string, Uint8Array | null][])
    chars += row[3] ? decoder.decode(row[3]).length : 0;
}
// The characters are said so that nobody leaves out reading them.
process.stdout.write(`${performance.now() - begun} ${chars}`);
process.exit(0);
