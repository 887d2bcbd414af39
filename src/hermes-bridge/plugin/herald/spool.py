"""What Herald has not confirmed yet, and what was already taken from it: one small SQLite file in Hermes' home.

Everything the gateway says is written here before the gateway hears "sent", and goes only when Herald has confirmed it.
Everything Herald orders is noted here before it is acted on, so that an order that comes again is not carried out twice.
Used from threads of the plugin only, never from the gateway's event loop.
"""

from __future__ import annotations

import json
import logging
import os
import sqlite3
import threading
import uuid
from pathlib import Path
from typing import Any

log = logging.getLogger("herald")

#: Events kept at most. What can be done without (the moving text of a reply) is left out well before.
MOST_EVENTS = 5_000
#: From so many on the moving text is left out.
MANY_EVENTS = 500
#: Characters of one event's text.
MOST_CHARS = 200_000
#: Orders remembered: Herald repeats only what it has not seen confirmed.
MOST_ORDERS = 2_000

_TABLES = """
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS events (seq INTEGER PRIMARY KEY AUTOINCREMENT, edits TEXT, body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS orders (n INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, instance TEXT NOT NULL);
"""


class Full(Exception):
    """Nothing more is taken: better said to the gateway than dropped without a word."""


class Spool:
    def __init__(self, path: Path | None) -> None:
        self._lock = threading.Lock()
        self._flying = 0
        self._db = _open(path)
        with self._lock, self._db:
            self._db.executescript(_TABLES)
            self._db.execute("INSERT OR IGNORE INTO meta VALUES ('id', ?)", (uuid.uuid4().hex,))
            self.id: str = self._db.execute("SELECT value FROM meta WHERE name = 'id'").fetchone()[0]

    def put(self, event: dict[str, Any], *, edits: str | None = None, spare: bool = False) -> int:
        """Keeps an event; its number. `edits` names the message whose latest text this is: an earlier text of it that has
        not left yet is replaced in place. `spare` says that it may be left out when much is waiting (0 is returned)."""
        body = json.dumps(_clean(event), ensure_ascii=False)
        with self._lock, self._db:
            if edits is not None:
                replaced = self._db.execute(
                    "SELECT max(seq) FROM events WHERE edits = ? AND seq > ?", (edits, self._flying)
                ).fetchone()[0]
                if replaced is not None:
                    self._db.execute("UPDATE events SET body = ? WHERE seq = ?", (body, replaced))
                    return int(replaced)
            waiting = self._db.execute("SELECT count(*) FROM events").fetchone()[0]
            if spare and waiting >= MANY_EVENTS:
                return 0
            if waiting >= MOST_EVENTS:
                raise Full(f"{waiting} events wait for Herald")
            cursor = self._db.execute("INSERT INTO events (edits, body) VALUES (?, ?)", (edits, body))
            return int(cursor.lastrowid or 0)

    def batch(self, most: int, most_bytes: int) -> list[dict[str, Any]]:
        """The oldest events, each with its number. From now on they are on their way and no longer changed."""
        with self._lock:
            rows = self._db.execute("SELECT seq, body FROM events ORDER BY seq LIMIT ?", (most,)).fetchall()
            batch: list[dict[str, Any]] = []
            size = 0
            for seq, body in rows:
                size += len(body.encode("utf-8", "replace"))
                if batch and size > most_bytes:
                    break
                batch.append({**json.loads(body), "seq": seq})
            if batch:
                self._flying = max(self._flying, batch[-1]["seq"])
            return batch

    def confirm(self, seq: int) -> None:
        """Herald has everything up to this number."""
        with self._lock, self._db:
            self._db.execute("DELETE FROM events WHERE seq <= ?", (seq,))

    def waiting(self) -> int:
        with self._lock:
            return int(self._db.execute("SELECT count(*) FROM events").fetchone()[0])

    def take_order(self, key: str, instance: str) -> str:
        """Notes that an order is about to be carried out: `fresh`, or `same` / `earlier` when this process or one before
        it has noted it already. By its key: numbers begin anew when Herald does."""
        with self._lock, self._db:
            row = self._db.execute("SELECT instance FROM orders WHERE key = ?", (key,)).fetchone()
            if row is not None:
                return "same" if row[0] == instance else "earlier"
            n = self._db.execute("INSERT INTO orders (key, instance) VALUES (?, ?)", (key, instance)).lastrowid or 0
            self._db.execute("DELETE FROM orders WHERE n <= ?", (n - MOST_ORDERS,))
            return "fresh"

    def close(self) -> None:
        with self._lock:
            self._db.close()


def _open(path: Path | None) -> sqlite3.Connection:
    """The file; memory when there is no place for one, so that a full disk costs the memory of a restart and no more."""
    if path is not None:
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            return _connect(str(path))
        except (OSError, sqlite3.Error) as error:
            log.warning("herald: %s cannot be used (%s); what Herald has not confirmed is kept in memory only", path, error)
    return _connect(":memory:")


def _connect(where: str) -> sqlite3.Connection:
    db = sqlite3.connect(where, timeout=5.0, check_same_thread=False)
    db.execute("PRAGMA journal_mode = WAL")
    # A commit survives the end of the process; only a power failure could take the last ones.
    db.execute("PRAGMA synchronous = NORMAL")
    db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return db


def _clean(value: Any) -> Any:
    """What can travel as UTF-8 JSON: a lone surrogate or a NUL in a model's text must not stop everything behind it."""
    if isinstance(value, str):
        text = value.encode("utf-8", "replace").decode("utf-8") if not value.isascii() else value
        return text.replace("\x00", "")[:MOST_CHARS]
    if isinstance(value, dict):
        return {str(key): _clean(inner) for key, inner in value.items() if inner is not None}
    if isinstance(value, (list, tuple)):
        return [_clean(inner) for inner in value]
    if value is None or isinstance(value, (bool, int, float)):
        return value
    return str(value)
