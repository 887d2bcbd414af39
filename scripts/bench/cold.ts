import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { loadSqlite } from "../../src/engine/load-sqlite.ts";
import { projectRoot } from "../../src/project-root.ts";
import { bundleEntry } from "./child.ts";
import { historyHome } from "./history-data.ts";
import { RAW_EARLIER } from "./raw-since.ts";
import { type BenchOptions, median, type Result } from "./result.ts";

const NEW = [0, 20, 500] as const;

/**
 * Reading what is new in a process of its own, with the store's file put out of the machine's cache before (by dd, which
 * asks the kernel to forget it; where that is not to be had, what is measured is a new process on a warm cache, and the
 * title says so). Only opening and reading count, not starting node.
 */
export async function bench({ quick, say }: BenchOptions): Promise<Result[]> {
  const sizes = quick ? [10_000, 100_000] : [10_000, 1_000_000, 2_000_000];
  const rounds = quick ? 5 : 15;
  const entry = await bundleEntry("scripts/bench/cold-reader.ts");
  const rows: (string | number)[][] = [];
  const own = new Map<string, number[]>();
  const ratios: number[] = [];
  let cold = true;
  for (const size of sizes) {
    const home = historyHome(size);
    say(`${size} messages`);
    for (const count of NEW) {
      const from = idBefore(join(home, "state.db"), count);
      const took: Record<"raw" | "herald", number[]> = { raw: [], herald: [] };
      for (let round = 0; round <= rounds; round++) {
        for (const way of round % 2 === 0 ? (["raw", "herald"] as const) : (["herald", "raw"] as const)) {
          cold = forget(join(home, "state.db")) && cold;
          const ms = read(entry, way, home, from);
          if (round > 0) took[way].push(ms);
        }
      }
      const [raw, herald] = [median(took.raw), median(took.herald)];
      rows.push([size.toLocaleString("en"), count, raw, herald, `×${(herald / raw).toFixed(2)}`]);
      ratios.push(herald / raw);
      own.set(String(count), [...(own.get(String(count)) ?? []), herald]);
    }
  }
  const growth = Math.max(...[...own.values()].map((medians) => (medians.at(-1) ?? 0) / (medians[0] ?? 1)));
  return [
    {
      title: cold ? "A new process, the file not in the cache" : "A new process (the cache could not be emptied)",
      columns: ["messages", "new", "raw ms", "herald ms", "÷ raw"],
      rows,
      targets: [
        { id: "S6", what: "worst of reading ÷ raw", value: Math.max(...ratios), atMost: 2, unit: "×" },
        { id: "S6", what: "growth, worst", value: growth, atMost: 1.5, unit: "×" },
      ],
    },
  ];
}

function read(entry: string, way: "raw" | "herald", home: string, from: number): number {
  const { status, stdout, stderr } = spawnSync(process.execPath, [entry, way, home, String(from)], {
    cwd: projectRoot,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`the reader ended with ${status}: ${stderr.slice(0, 300)}`);
  return Number(stdout.split(" ")[0]);
}

function forget(path: string): boolean {
  return spawnSync("dd", [`if=${path}`, "iflag=nocache", "count=0", "status=none"]).status === 0;
}

function idBefore(path: string, count: number): number {
  const db = new (loadSqlite().DatabaseSync)(path, { readOnly: true });
  const statement = db.prepare(RAW_EARLIER);
  statement.setReturnArrays(true);
  const rows = statement.all(Number.MAX_SAFE_INTEGER, count + 1) as [number][];
  const [head] = db.prepare("SELECT max(id) AS id FROM messages").all() as { id: number }[];
  db.close();
  return count === 0 ? (head?.id ?? 0) : (rows[count]?.[0] ?? 0);
}
