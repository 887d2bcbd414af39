"""Keeps the prompt sections fresh in a thread of its own, so that a turn reads memory and waits for nothing."""

from __future__ import annotations

import threading

from .bridge import Bridge, Unreachable
from .sections import Sections

#: Seconds between two looks, while Herald answers and while it does not.
EVERY = 30.0
EVERY_WHILE_DOWN = 60.0


class KeepFresh:
    def __init__(self, bridge: Bridge, sections: Sections) -> None:
        self._bridge = bridge
        self._sections = sections
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="herald-sections", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Ends the thread after its present step. For tests; in Hermes it ends with the process."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout=5)

    def look(self) -> bool:
        """One look. What is known stays when Herald does not answer."""
        try:
            status, answer = self._bridge.call("GET", "/bridge/sections")
        except Unreachable:
            return False
        if status == 200 and isinstance(answer, dict):
            self._sections.update(answer.get("sections"))
        return status == 200

    def _run(self) -> None:
        while True:
            pause = EVERY if self.look() else EVERY_WHILE_DOWN
            if self._stop.wait(pause):
                return
