"""One small HTTP client for Herald on loopback. Every call has a short time-out; a failure is an answer, not an exception."""

from __future__ import annotations

import http.client
import json
import time
from typing import Any
from urllib.parse import urlsplit

#: Seconds. A tool call waits this long at most; Herald answers in milliseconds or not at all.
TOOL_TIMEOUT = 5.0
#: Seconds, for everything else.
SHORT_TIMEOUT = 1.5
#: Hermes asks whether tools are available before each turn; the answer is remembered this many seconds.
REACHABLE_FOR = 15.0
#: Bytes of an answer that are read.
MOST_BYTES = 1_000_000


class Unreachable(Exception):
    """Herald did not answer, or not as it should."""


class Bridge:
    def __init__(self, url: str, token: str) -> None:
        parts = urlsplit(url)
        self._host = parts.hostname or "127.0.0.1"
        self._port = parts.port or 80
        self._token = token
        self._looked_at = float("-inf")
        self._reachable = False

    def call(self, method: str, path: str, body: Any = None, timeout: float = SHORT_TIMEOUT) -> tuple[int, Any]:
        """Status and parsed answer. Raises Unreachable."""
        connection = http.client.HTTPConnection(self._host, self._port, timeout=timeout)
        try:
            data = None if body is None else json.dumps(body, ensure_ascii=False, default=str).encode("utf-8", "replace")
            headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
            connection.request(method, path, body=data, headers=headers)
            response = connection.getresponse()
            raw = response.read(MOST_BYTES)
            return response.status, json.loads(raw) if raw else None
        except (OSError, ValueError, http.client.HTTPException) as error:
            raise Unreachable(str(error)) from error
        finally:
            connection.close()

    def reachable(self) -> bool:
        """Whether Herald answers, as Hermes asks before offering the tools. Never raises."""
        now = time.monotonic()
        if now - self._looked_at > REACHABLE_FOR:
            self._looked_at = now
            try:
                self._reachable = self.call("GET", "/bridge/ping", timeout=0.5)[0] == 200
            except Unreachable:
                self._reachable = False
        return self._reachable
