"""What Hermes asks in the middle of its work, and how an answer gets there: exactly there, or nowhere.

Hermes keeps waiting approvals of one conversation in a queue and answers the oldest. An answer that comes when "its"
approval has timed out would approve the next one, a command nobody was shown. So the very entry that was shown is
remembered, and an answer reaches that one or is void.
"""

from __future__ import annotations

import inspect
import logging
import threading
import time
import uuid
from dataclasses import dataclass, field
from typing import Any

log = logging.getLogger("herald")

MOST_OPEN = 200
_RLOCK = type(threading.RLock())
#: Hermes drops a confirmation of a command after this many seconds.
CONFIRM_SECONDS = 300.0
CONFIRM_CHOICES = {"Approve once": "once", "Always approve": "always", "Cancel": "cancel"}


@dataclass
class Ask:
    ref: str
    #: approval | question | confirm
    kind: str
    key: str
    turn: str | None
    #: clarify_id, confirm_id or request_id
    name: str = ""
    #: Hermes' own queue entry
    entry: Any = None
    asked_at: float = field(default_factory=time.monotonic)


class Asks:
    def __init__(self) -> None:
        self._open: dict[str, Ask] = {}
        self._lock = threading.Lock()

    def add(self, kind: str, key: str, turn: str | None, name: str = "", entry: Any = None) -> Ask:
        """The reference is 128 random bits: it names nothing of another process, so after a restart it is void."""
        ask = Ask(ref=uuid.uuid4().hex, kind=kind, key=key, turn=turn, name=name, entry=entry)
        with self._lock:
            while len(self._open) >= MOST_OPEN:
                self._open.pop(next(iter(self._open)))
            self._open[ask.ref] = ask
        return ask

    def take(self, ref: Any) -> Ask | None:
        """The open question of that name, which is no longer open from now on: of two answers one gets it."""
        with self._lock:
            return self._open.pop(ref, None)

    def open_of(self, turn: str, kind: str | None = None) -> list[Ask]:
        with self._lock:
            return [ask for ask in self._open.values() if ask.turn == turn and kind in (None, ask.kind)]

    def gone(self) -> list[Ask]:
        """Questions that ended at the other end without us: timed out, answered with a command. No longer open here."""
        with self._lock:
            ended = [ask for ask in self._open.values() if _is_gone(ask)]
            for ask in ended:
                del self._open[ask.ref]
        return ended


def find_entry(key: str, command: str) -> Any:
    """The queue entry of the approval that is being shown: the newest of this conversation with that command."""
    approval = _approval()
    queues, lock = getattr(approval, "_gateway_queues", None), getattr(approval, "_lock", None)
    if not isinstance(queues, dict) or lock is None:
        return None
    with lock:
        entries = list(queues.get(key) or [])
    return next((entry for entry in reversed(entries) if (_data(entry).get("command") or "") == command), None)


def request_id(entry: Any) -> str:
    return str(_data(entry).get("request_id") or "")


def answer_approval(ask: Ask, choice: str) -> bool:
    """True when the agent that waits for this very approval has been told."""
    approval = _approval()
    resolve = getattr(approval, "resolve_gateway_approval", None)
    if resolve is None:
        return False
    if ask.name and "request_id" in _parameters(resolve):
        return bool(resolve(ask.key, choice, request_id=ask.name))
    queues, lock = getattr(approval, "_gateway_queues", None), getattr(approval, "_lock", None)
    if ask.entry is None or not isinstance(queues, dict) or lock is None:
        # This Hermes keeps its questions otherwise, and has no name for one: only the plain way is left.
        return bool(resolve(ask.key, choice))
    with lock:
        queue = queues.get(ask.key) or []
        if not any(each is ask.entry for each in queue) or ask.entry.event.is_set():
            return False
        if queue[0] is ask.entry and isinstance(lock, _RLOCK):
            return bool(resolve(ask.key, choice))
        # What `resolve_gateway_approval` does, for this entry. It takes the oldest without a look, and takes this lock
        # itself: between a look of ours and its call the oldest could become another one.
        queue.remove(ask.entry)
        if not queue:
            queues.pop(ask.key, None)
    ask.entry.result = choice
    ask.entry.event.set()
    return True


def answer_question(ask: Ask, choice: str) -> bool:
    try:
        from tools.clarify_gateway import resolve_gateway_clarify
    except ImportError:
        return False
    return bool(resolve_gateway_clarify(ask.name, choice))


async def answer_confirm(ask: Ask, choice: str) -> tuple[bool, str | None]:
    """Whether it was still waiting, and what Hermes says to it."""
    try:
        from tools import slash_confirm
    except ImportError:
        return False, None
    pending = slash_confirm.get_pending(ask.key) if hasattr(slash_confirm, "get_pending") else {"confirm_id": ask.name}
    if not pending or str(pending.get("confirm_id")) != ask.name:
        return False, None
    word = CONFIRM_CHOICES.get(choice, choice if choice in CONFIRM_CHOICES.values() else "cancel")
    return True, await slash_confirm.resolve(ask.key, ask.name, word)


def _is_gone(ask: Ask) -> bool:
    try:
        if ask.kind == "approval":
            queues = getattr(_approval(), "_gateway_queues", None)
            if ask.entry is None or not isinstance(queues, dict):
                return False
            return not any(each is ask.entry for each in list(queues.get(ask.key) or []))
        if ask.kind == "question":
            from tools import clarify_gateway

            entries = getattr(clarify_gateway, "_entries", None)
            return isinstance(entries, dict) and ask.name not in entries
        return time.monotonic() - ask.asked_at > CONFIRM_SECONDS
    except ImportError:
        return True


def _approval() -> Any:
    try:
        from tools import approval
    except ImportError:
        return None
    return approval


def _data(entry: Any) -> dict[str, Any]:
    data = getattr(entry, "data", None)
    return data if isinstance(data, dict) else {}


def _parameters(function: Any) -> frozenset[str]:
    try:
        return frozenset(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return frozenset()
