"""The two threads that speak with Herald: one asks for orders and waits for them, one sends what the gateway said.

Either side may restart or hang at any moment: every call has a time-out, failures are followed by pauses that grow, and
nothing is forgotten before the other side has confirmed it.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from .bridge import Bridge, Unreachable
from .spool import Spool

log = logging.getLogger("herald")

#: Seconds Herald may let a question for orders wait, and how much longer we do.
WAIT = 25.0
SPARE_TIME = 10.0
#: Seconds for handing over a batch of events.
SEND_TIMEOUT = 10.0
#: Seconds between two tries, growing.
PAUSES = (0.2, 0.5, 1.0, 2.0, 5.0)
#: Seconds before the next try when another gateway speaks for Herald.
TAKEN_OVER = 30.0
BATCH = 100
BATCH_BYTES = 512 * 1024

#: `fresh`, `same` or `earlier` (see Spool.take_order) → what is told of the order; None: it is told later by `settle`.
OrderHandler = Callable[[dict[str, Any], str], dict[str, Any] | None]


class Link:
    def __init__(
        self,
        bridge: Bridge,
        spool: Spool,
        *,
        instance: str,
        facts: dict[str, Any],
        on_order: OrderHandler,
        on_confirmed: Callable[[int, dict[int, str]], None],
    ) -> None:
        self._bridge = bridge
        self._spool = spool
        self._instance = instance
        self._facts = facts
        self._on_order = on_order
        self._on_confirmed = on_confirmed
        self._stop = threading.Event()
        self._wake = threading.Event()
        #: known at once: told with the next question · known later: told with the next events, which wait for nothing
        self._settled: list[dict[str, Any]] = []
        self._settled_later: deque[dict[str, Any]] = deque()
        #: Being carried out: not to be given out again meanwhile.
        self._holding: set[int] = set()
        #: Said once or not at all: nothing depends on it. Filled from the agent's threads without a lock.
        self.loose: deque[dict[str, Any]] = deque(maxlen=500)
        self._threads: list[threading.Thread] = []
        #: None while that is not known yet
        self.herald_answers: bool | None = None

    def start(self) -> None:
        for name, run in (("herald-orders", self._ask), ("herald-events", self._send)):
            thread = threading.Thread(target=run, name=name, daemon=True)
            thread.start()
            self._threads.append(thread)

    def wake(self) -> None:
        """Something stands in the spool."""
        self._wake.set()

    def settle(self, seq: int, status: str, note: str | None = None) -> None:
        """What became of an order that took its time. From any thread."""
        self._settled_later.append(_settled(seq, status, note))
        self._wake.set()

    def stop(self, wait: float = 3.0) -> None:
        """Sends what can be sent in that time, then lets go. What is left stays in the spool."""
        deadline = time.monotonic() + wait
        while self.herald_answers and self._spool.waiting() and time.monotonic() < deadline:
            self._wake.set()
            time.sleep(0.02)
        self._stop.set()
        self._wake.set()
        # The question for orders may hang for a while yet; it is a daemon's, and what it brings is left to the next one.
        for thread in self._threads:
            thread.join(timeout=max(0.0, deadline - time.monotonic()))

    # ── Orders ────────────────────────────────────────────────────────────────────────────────────────────────────────

    def _ask(self) -> None:
        failed = 0
        while not self._stop.is_set():
            try:
                pause = self._ask_once()
                failed = 0
            except Unreachable as error:
                self._note_answers(False)
                log.debug("herald: no orders (%s)", error)
                pause = PAUSES[min(failed, len(PAUSES) - 1)]
                failed += 1
            except Exception:  # a bug here must not end the thread: the gateway would be deaf until it restarts
                log.exception("herald: orders")
                pause = PAUSES[-1]
            if pause:
                self._stop.wait(pause)

    def _ask_once(self) -> float:
        settled = self._settled
        body = {
            **self._facts,
            "spool": self._spool.id,
            "instance": self._instance,
            "settled": settled,
            "holding": list(self._holding),
            "wait": WAIT,
        }
        status, answer = self._bridge.call("POST", "/bridge/platform/orders", body, timeout=WAIT + SPARE_TIME)
        if status == 409:
            self._note_answers(False)
            log.warning("herald: another gateway speaks for Herald; this one waits")
            return TAKEN_OVER
        if status != 200 or not isinstance(answer, dict):
            raise Unreachable(f"status {status}")
        if self._stop.is_set():
            return 0.0
        self._note_answers(True)
        self._settled = []
        for order in answer.get("orders") or []:
            if not isinstance(order, dict) or not isinstance(order.get("seq"), int) or not order.get("key"):
                continue
            seq = order["seq"]
            known = self._spool.take_order(str(order["key"]), self._instance)
            told = self._on_order(order, known)
            if told is None:
                self._holding.add(seq)
            else:
                self._settled.append(_settled(seq, told["status"], told.get("note")))
        return 0.0

    # ── Events ────────────────────────────────────────────────────────────────────────────────────────────────────────

    def _send(self) -> None:
        failed = 0
        while not self._stop.is_set():
            self._wake.clear()
            try:
                more = self._send_once()
                failed = 0
            except Unreachable as error:
                self._note_answers(False)
                log.debug("herald: not handed over (%s)", error)
                self._stop.wait(PAUSES[min(failed, len(PAUSES) - 1)])
                failed += 1
                continue
            except Exception:
                log.exception("herald: events")
                self._stop.wait(PAUSES[-1])
                continue
            if not more:
                # Loose events come without a wake-up; half a second late is early enough for them.
                self._wake.wait(0.5)

    def _send_once(self) -> bool:
        events = self._spool.batch(BATCH, BATCH_BYTES)
        loose = []
        while self.loose and len(loose) < BATCH:
            loose.append(self.loose.popleft())
        settled = [self._settled_later[i] for i in range(len(self._settled_later))]
        if not events and not loose and not settled:
            return False
        body = {
            "spool": self._spool.id,
            "instance": self._instance,
            "events": events,
            "loose": loose,
            "settled": settled,
        }
        status, answer = self._bridge.call("POST", "/bridge/platform/events", body, timeout=SEND_TIMEOUT)
        if status == 409:
            raise Unreachable("another gateway speaks for Herald")
        if status != 200 or not isinstance(answer, dict) or not isinstance(answer.get("taken"), int):
            raise Unreachable(f"status {status}")
        self._note_answers(True)
        for each in settled:
            self._settled_later.popleft()
            self._holding.discard(each["seq"])
        taken = answer["taken"]
        if events:
            self._spool.confirm(taken)
            refused = {r["seq"]: str(r.get("why")) for r in answer.get("refused") or [] if isinstance(r, dict) and "seq" in r}
            for seq, why in refused.items():
                log.warning("herald: event %s was refused: %s", seq, why)
            self._on_confirmed(taken, refused)
        return True

    def _note_answers(self, answers: bool) -> None:
        if answers != self.herald_answers:
            self.herald_answers = answers
            log.info("herald: %s", "connected" if answers else "Herald does not answer; what is said is kept")


def _settled(seq: int, status: str, note: str | None) -> dict[str, Any]:
    return {"seq": seq, "status": status, **({"note": note} if note else {})}
