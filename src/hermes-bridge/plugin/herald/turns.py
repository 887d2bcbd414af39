"""Which turn is running where, and to which turn a word of the gateway belongs.

The gateway hands an adapter texts for a chat; Herald wants them turn by turn. A word belongs, in this order: to the turn
whose message it answers, to the turn in whose task or thread it was said, to the only turn of its chat. Everything else
Hermes says by itself.
"""

from __future__ import annotations

import time
import uuid
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

#: The turn in whose task, and in whose copies of its context, we are.
current: ContextVar[str | None] = ContextVar("herald_turn", default=None)

#: Ended turns are remembered so long, in seconds: late words must not be taken for news.
REMEMBERED = 600.0
REVIEW_PROMPT = "Review the conversation above and "


@dataclass
class Turn:
    id: str
    #: herald | hermes (it began by itself) | quiet (a command of Herald's own, whose words nobody is to see)
    origin: str
    chat: str
    thread: str | None = None
    #: Hermes' key of the conversation; None when it cannot be told
    key: str | None = None
    #: handed | running | ended
    state: str = "handed"
    #: the turn that took this one's words into itself
    host: str | None = None
    command: bool = False
    #: Hermes' own description of where it came from
    source: Any = None
    stop_asked: bool = False
    session: str | None = None
    tools: int = 0
    #: what the agent's own hooks told: began, ended, completed, interrupted, failed
    agent: dict[str, Any] = field(default_factory=dict)
    ended_at: float = 0.0


class Turns:
    """Used on the gateway's loop; the hooks read it from the agent's threads and change single fields only."""

    def __init__(self) -> None:
        self._by_id: dict[str, Turn] = {}

    def add(self, turn: Turn) -> Turn:
        now = time.monotonic()
        for old in [each for each in self._by_id.values() if each.ended_at and now - each.ended_at > REMEMBERED]:
            del self._by_id[old.id]
        self._by_id[turn.id] = turn
        return turn

    def own(self, chat: str, thread: str | None, key: str | None) -> Turn:
        """A turn that Hermes began by itself: a goal's next step, a notice that woke it."""
        return self.add(Turn(id=f"own-{uuid.uuid4().hex}", origin="hermes", chat=chat, thread=thread, key=key))

    def get(self, id: Any) -> Turn | None:
        return self._by_id.get(id) if isinstance(id, str) else None

    def live(self) -> list[Turn]:
        return [turn for turn in list(self._by_id.values()) if turn.state != "ended"]

    def running_with(self, key: str | None) -> Turn | None:
        if key is None:
            return None
        return next((turn for turn in self.live() if turn.key == key and turn.state == "running" and turn.host is None), None)

    def folded_into(self, host: Turn) -> list[Turn]:
        return [turn for turn in self.live() if turn.host == host.id]

    def end(self, turn: Turn) -> None:
        turn.state = "ended"
        turn.ended_at = time.monotonic()

    def of(self, chat: str, thread: str | None, reply_to: Any) -> Turn | None:
        """The turn a word belongs to; None for what Hermes says by itself. A quiet one is returned although it ended."""
        answered = self.get(reply_to)
        if answered is not None and (answered.state != "ended" or answered.origin == "quiet"):
            return self._mouth(answered)
        said_in = self.get(current.get())
        if said_in is not None and (said_in.state != "ended" or said_in.origin == "quiet"):
            return self._mouth(said_in) if said_in.chat == chat else None
        here = [turn for turn in self.live() if turn.chat == chat and turn.origin != "quiet" and turn.host is None]
        if thread is not None:
            here = [turn for turn in here if turn.thread in (None, thread)]
        return self._mouth(here[0]) if len(here) == 1 else None

    def of_hook(self, kw: dict[str, Any]) -> Turn | None:
        """The turn in whose agent a hook fires. Cheap and without a lock: it stands in the agent's way."""
        live = self.live()
        if not live:
            return None
        turn = self.get(current.get())
        if turn is not None and turn.state != "ended":
            return self._mouth(turn)
        message = _session_env("HERMES_SESSION_MESSAGE_ID")
        key = _session_env("HERMES_SESSION_KEY") or _approval_key()
        for each in live:
            if message and each.id == message:
                return self._mouth(each)
        for each in live:
            if key and each.key == key and each.host is None:
                return self._mouth(each)
        session = kw.get("session_id")
        for each in live:
            if session and each.session == session and each.host is None:
                return self._mouth(each)
        # A conversation's first turn in a Hermes whose threads know nothing: the only one it can be.
        new = [each for each in live if each.state == "running" and each.session is None and each.host is None]
        return self._mouth(new[0]) if len(new) == 1 and kw.get("platform") == "herald" else None

    def _mouth(self, turn: Turn) -> Turn:
        """Words of a turn that took another message in are the answer to that message from then on."""
        folded = self.folded_into(turn)
        return folded[-1] if folded else turn


class TurnHooks:
    """What Hermes' hooks add: the session's name, how the agent ended, which tools it used. Memory only."""

    def __init__(self, turns: Turns, loose: Any) -> None:
        self._turns = turns
        self._loose = loose
        self._reviews: set[str] = set()

    def register(self, ctx: Any) -> None:
        for name in ("pre_llm_call", "on_session_end", "pre_tool_call", "post_tool_call"):
            ctx.register_hook(name, getattr(self, name))

    def pre_llm_call(self, **kw: Any) -> None:
        turn = self._turns.of_hook(kw)
        if turn is None:
            return
        message = kw.get("user_message")
        if isinstance(message, str) and message.startswith(REVIEW_PROMPT):
            # Hermes' own look back at a finished turn runs under the same names.
            if len(self._reviews) > 200:
                self._reviews.clear()
            self._reviews.add(str(kw.get("turn_id")))
            return
        turn.agent = {"began": True}
        self._learn(turn, kw)

    def on_session_end(self, **kw: Any) -> None:
        turn = self._turns.of_hook(kw)
        if turn is None or str(kw.get("turn_id")) in self._reviews:
            return
        turn.agent = {"began": True, "ended": True, **{k: kw.get(k) for k in ("completed", "interrupted", "failed")}}
        self._learn(turn, kw)

    def pre_tool_call(self, **kw: Any) -> None:
        turn = self._turns.of_hook(kw)
        if turn is not None and str(kw.get("turn_id")) not in self._reviews:
            turn.tools += 1
            self._tell(turn, kw, "started")

    def post_tool_call(self, **kw: Any) -> None:
        turn = self._turns.of_hook(kw)
        if turn is not None and str(kw.get("turn_id")) not in self._reviews:
            self._tell(turn, kw, "completed" if kw.get("status") in (None, "ok") else "failed")

    def _learn(self, turn: Turn, kw: dict[str, Any]) -> None:
        session = kw.get("session_id")
        if isinstance(session, str) and session and session != turn.session:
            turn.session = session
            self._loose.append({"kind": "session", "turn": turn.id, "session": session})

    def _tell(self, turn: Turn, kw: dict[str, Any], state: str) -> None:
        if turn.origin != "herald":
            return
        event = {"kind": "tool", "turn": turn.id, "name": str(kw.get("tool_name"))[:100], "state": state}
        args = kw.get("args")
        if state == "started" and isinstance(args, dict):
            first = next((value for value in args.values() if isinstance(value, str) and value), "")
            event["preview"] = first[:200]
        if isinstance(kw.get("duration_ms"), (int, float)):
            event["ms"] = int(kw["duration_ms"])
        self._loose.append(event)


def _session_env(name: str) -> str:
    """Hermes' note of whose turn a thread works on; empty where there is none."""
    try:
        from gateway.session_context import get_session_env
    except ImportError:
        return ""
    try:
        return str(get_session_env(name, "") or "")
    except Exception:  # another Hermes may keep it otherwise
        return ""


def _approval_key() -> str:
    """The conversation an agent's thread would ask its approvals in."""
    try:
        from tools.approval import get_current_session_key
    except ImportError:
        return ""
    try:
        return str(get_current_session_key("") or "")
    except Exception:
        return ""
