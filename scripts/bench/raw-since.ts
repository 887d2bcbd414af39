import { machineSources } from "../../src/engine/proactive/human-message.ts";

const SOURCES = machineSources.map((source) => `'${source}'`).join(", ");

/** The floor of reading: rows of people and agents behind an id, in the form whose plan holds after ANALYZE too. */
export const RAW_SINCE = `SELECT m.id, m.session_id, m.role, CAST(m.content AS BLOB), m.timestamp FROM messages m
  WHERE m.id > ? AND m.active = 1 AND m.role IN ('user', 'assistant')
  AND (SELECT s.source FROM sessions s WHERE s.id = m.session_id) NOT IN (${SOURCES}) ORDER BY m.id`;
/** The same backwards from an id. */
export const RAW_EARLIER = `SELECT m.id, m.role, CAST(m.content AS BLOB), m.timestamp FROM messages m
  WHERE m.id <= ? AND m.active = 1 AND m.role IN ('user', 'assistant')
  AND (SELECT s.source FROM sessions s WHERE s.id = m.session_id) NOT IN (${SOURCES}) ORDER BY m.id DESC LIMIT ?`;
