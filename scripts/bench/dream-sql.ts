import { join } from "node:path";
import type { Day } from "../../src/engine/evolution/day-of.ts";
import { loadSqlite } from "../../src/engine/load-sqlite.ts";

/** Calls and results of the date's sessions, taken out of Hermes' JSON once; all other questions are put to these two. */
const TAKE_OUT = (from: number, to: number): string => `
  CREATE TEMP TABLE c AS SELECT m.session_id AS session, m.id AS row, json_extract(j.value, '$.id') AS call,
    json_extract(j.value, '$.function.name') AS tool, json_extract(j.value, '$.function.arguments') AS args
  FROM sessions s JOIN messages m ON m.session_id = s.id, json_each(m.tool_calls) j
  WHERE s.started_at >= ${from} AND s.started_at < ${to} AND m.tool_calls IS NOT NULL AND m.active = 1;
  CREATE TEMP TABLE r AS SELECT m.session_id AS session, m.id AS row, m.tool_call_id AS call, m.tool_name AS tool, m.content,
    json_extract(m.content, '$.error') AS error, coalesce(json_extract(m.content, '$.exit_code'), 0) AS code
  FROM sessions s JOIN messages m ON m.session_id = s.id
  WHERE s.started_at >= ${from} AND s.started_at < ${to} AND m.role = 'tool' AND m.active = 1;`;

const QUESTIONS: readonly string[] = [
  // scores: calls, model calls and how it ended
  `SELECT s.id, s.api_call_count, (SELECT count(*) FROM c WHERE c.session = s.id),
     (SELECT m.role || coalesce(m.finish_reason, '') FROM messages m WHERE m.session_id = s.id ORDER BY m.id DESC LIMIT 1)
   FROM sessions s WHERE s.started_at >= ?1 AND s.started_at < ?2`,
  "SELECT tool, count(*), sum(error IS NOT NULL OR code <> 0) FROM r GROUP BY tool",
  "SELECT tool, coalesce(error, code), count(*), count(DISTINCT session) FROM r WHERE error IS NOT NULL OR code <> 0 GROUP BY 1, 2",
  "SELECT session, tool, args, count(*) FROM c GROUP BY 1, 2, 3 HAVING count(*) > 2",
  `SELECT c.session, json_extract(c.args, '$.path') AS path, r.content, count(*) FROM c JOIN r ON r.session = c.session
     AND r.call = c.call WHERE c.tool = 'read_file' GROUP BY 1, 2, 3 HAVING count(*) > 1`,
  `SELECT count(*) FROM (SELECT session, row, error, lag(error) OVER (PARTITION BY session ORDER BY row) AS before FROM r)
     WHERE error IS NOT NULL AND before IS NOT NULL`,
];

/** CPU ms of the figures that plain SQL can give about a date from Hermes' store: two temporary tables, six questions. */
export function plainSql(folder: string, day: Day, calls: number): number {
  const db = new (loadSqlite().DatabaseSync)(join(folder, "state.db"), { readOnly: true });
  const [from, to] = [day.from.getTime() / 1000, day.to.getTime() / 1000];
  const cpu = process.cpuUsage();
  db.exec("PRAGMA temp_store = MEMORY");
  db.exec(TAKE_OUT(from, to));
  db.exec("CREATE INDEX temp.c_session ON c(session, call); CREATE INDEX temp.r_session ON r(session, call)");
  for (const question of QUESTIONS) db.prepare(question).all(...(question.includes("?1") ? [from, to] : []));
  const { user, system } = process.cpuUsage(cpu);
  const counted = db.prepare("SELECT count(*) AS n FROM r").get() as { n: number };
  db.close();
  if (counted.n !== calls) throw new Error("plain SQL counts other calls");
  return (user + system) / 1000;
}
