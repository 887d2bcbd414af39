"""What Hermes does, told to Herald without Hermes waiting for it.

A hook cuts what it was given, appends it to a bounded deque and returns: no lock, no socket, no file, no JSON in the
agent's thread. One daemon thread looks every 200 ms, masks and sends what is there in batches, and keeps the advice
fresh. While Herald is away the oldest entries are dropped and counted.
"""

from __future__ import annotations

import atexit
import itertools
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from .advice import Advice
from .bridge import Bridge, Unreachable
from .events import Marks, describe
from .masks import mask

#: Entries kept while Herald is away: with the cuts below at most about 30 MB even of four-byte characters.
MOST_WAITING = 2000
#: Entries sent at once.
BATCH = 100
LOOK_EVERY = 0.2
#: Seconds between two looks at the advice.
REFRESH_EVERY = 15.0
#: Seconds until the next try after a failed one; the last repeats.
PAUSES = (1.0, 2.0, 5.0, 15.0, 30.0)
#: Seconds the end of the process waits for the last batch.
LAST_WORDS = 1.0
#: Characters that travel. Cut before they are queued, so that neither time nor memory grows with a result.
VALUE_CHARS = 300
RESULT_CHARS = 1000
MOST_ARGS = 8
#: Longer texts are known by their beginning, their end and their length.
TAIL_CHARS = 100
#: Characters of the person's message that tell whose turn it is.
HEAD_CHARS = 80


class Observer:
    def __init__(self, bridge: Bridge, advice: Advice) -> None:
        self._bridge = bridge
        self._advice = advice
        self._waiting: deque[tuple[Any, ...]] = deque(maxlen=MOST_WAITING)
        self._numbers = itertools.count(1)
        self._instance = os.urandom(8).hex()
        self._batches = itertools.count(1)
        self._batch: dict[str, Any] | None = None
        self._taken = 0
        self._newest = 0
        self._marks = Marks()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def dropped(self) -> int:
        """Entries lost because Herald was away for too long, as far as the thread has seen."""
        return max(0, self._newest - self._taken)

    def hooks(self) -> dict[str, Callable[..., Any]]:
        """The observers by hook name. Names an older Hermes does not know are stored by it and never called."""
        append, numbers, now = self._waiting.append, self._numbers, time.time

        def post_tool_call(
            tool_name=None, args=None, result=None, session_id=None, turn_id=None, tool_call_id=None,
            status=None, duration_ms=None, error_type=None, error_message=None, **_: Any,
        ) -> None:  # fmt: skip
            given = None
            if type(args) is dict:
                # Short texts, which most are, without another call; the copy is ours, whatever becomes of the arguments.
                for value in args.values():
                    if type(value) is not str or len(value) > VALUE_CHARS:
                        given = {k: _cut(v) for k, v in itertools.islice(args.items(), MOST_ARGS)}
                        break
                else:
                    given = args.copy() if len(args) <= MOST_ARGS else dict(itertools.islice(args.items(), MOST_ARGS))
            if type(result) is str:
                size = len(result)
                result = result if size <= RESULT_CHARS else (result[:RESULT_CHARS], result[-TAIL_CHARS:])
            else:
                size, result = None, None
            append((next(numbers), now(), "post_tool_call", session_id, turn_id, tool_name, tool_call_id, status, duration_ms, error_type, error_message if error_message is None else _cut(error_message), given, result, size))  # fmt: skip

        def on_session_end(session_id=None, turn_id=None, completed=None, interrupted=None, failed=None, turn_exit_reason=None, platform=None, model=None, **_: Any) -> None:  # fmt: skip
            append((next(numbers), now(), "on_session_end", session_id, turn_id, completed, interrupted, failed, turn_exit_reason, platform, model))  # fmt: skip

        def post_llm_call(session_id=None, turn_id=None, user_message=None, assistant_response=None, platform=None, model=None, **_: Any) -> None:  # fmt: skip
            append((next(numbers), now(), "post_llm_call", session_id, turn_id, _size(user_message), _size(assistant_response), platform, model))  # fmt: skip

        def post_api_request(session_id=None, turn_id=None, usage=None, **_: Any) -> None:
            tokens = (usage.get("prompt_tokens", usage.get("input_tokens")), usage.get("completion_tokens", usage.get("output_tokens"))) if type(usage) is dict else (None, None)  # fmt: skip
            append((next(numbers), now(), "post_api_request", session_id, turn_id, *tokens))

        def api_request_error(session_id=None, turn_id=None, status_code=None, retry_count=None, retryable=None, reason=None, error=None, platform=None, model=None, **_: Any) -> None:  # fmt: skip
            kind = error.get("type") if type(error) is dict else None
            append((next(numbers), now(), "api_request_error", session_id, turn_id, status_code, retry_count, retryable, _cut(reason), _cut(kind), platform, model))  # fmt: skip

        def subagent_start(parent_session_id=None, parent_turn_id=None, child_session_id=None, child_role=None, **_: Any) -> None:  # fmt: skip
            append((next(numbers), now(), "subagent_start", parent_session_id, parent_turn_id, child_session_id, _cut(child_role)))  # fmt: skip

        def subagent_stop(parent_session_id=None, parent_turn_id=None, child_session_id=None, child_role=None, child_status=None, duration_ms=None, **_: Any) -> None:  # fmt: skip
            append((next(numbers), now(), "subagent_stop", parent_session_id, parent_turn_id, child_session_id, _cut(child_role), _cut(child_status), duration_ms))  # fmt: skip

        def pre_approval_request(session_key=None, turn_id=None, pattern_key=None, surface=None, tool_call_id=None, **_: Any) -> None:  # fmt: skip
            append((next(numbers), now(), "pre_approval_request", session_key, turn_id, _cut(pattern_key), surface, tool_call_id))  # fmt: skip

        def post_approval_response(session_key=None, turn_id=None, pattern_key=None, surface=None, tool_call_id=None, choice=None, **_: Any) -> None:  # fmt: skip
            append((next(numbers), now(), "post_approval_response", session_key, turn_id, _cut(pattern_key), surface, tool_call_id, _cut(choice)))  # fmt: skip

        return {
            "post_tool_call": post_tool_call,
            "on_session_end": on_session_end,
            "post_llm_call": post_llm_call,
            "post_api_request": post_api_request,
            "api_request_error": api_request_error,
            "subagent_start": subagent_start,
            "subagent_stop": subagent_stop,
            "pre_approval_request": pre_approval_request,
            "post_approval_response": post_approval_response,
        }

    def note_turn(self, session_id: Any, turn_id: Any, user_message: Any, platform: Any, model: Any, first: Any) -> None:
        """A turn began. Called by the hook that also answers with advice."""
        head = user_message[:HEAD_CHARS] if type(user_message) is str else None
        self._waiting.append((next(self._numbers), time.time(), "pre_llm_call", session_id, turn_id, head, platform, model, first))  # fmt: skip

    def start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="herald", daemon=True)
            self._thread.start()
            atexit.register(self.last_words)

    def stop(self) -> None:
        """Ends the thread after its present step. For tests; in Hermes it ends with the process."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout=5)

    def last_words(self) -> None:
        """A process that ends right after its one turn still tells of it, when Herald is there. Waits one second at most."""
        self.stop()
        until = time.monotonic() + LAST_WORDS
        try:
            while time.monotonic() < until and self._send(timeout=LAST_WORDS / 2):
                pass
        except Unreachable:
            pass

    def _run(self) -> None:
        failures = 0
        next_try = next_look = 0.0
        while not self._stop.wait(LOOK_EVERY):
            now = time.monotonic()
            if now < next_try:
                continue
            try:
                if now >= next_look:
                    self._advice.look(self._bridge)
                    next_look = now + REFRESH_EVERY
                while self._send() and not self._stop.is_set():
                    pass
                failures = 0
            except Unreachable:
                # A rule nobody answers for any more holds nothing up.
                self._advice.forget_rules()
                next_try, next_look = now + PAUSES[min(failures, len(PAUSES) - 1)], 0.0
                failures += 1
            except Exception:  # noqa: BLE001 - the thread outlives whatever Hermes hands to a hook
                self._batch = None

    def _send(self, timeout: float = 1.5) -> bool:
        """Sends one batch; False when there is none. What was not acknowledged is sent again under the same name."""
        if self._batch is None:
            events = list(self._take())
            if not events:
                return False
            self._batch = {"batch": f"{self._instance}-{next(self._batches)}", "dropped": self.dropped, "events": events}
        status, _ = self._bridge.call("POST", "/bridge/telemetry", {**self._batch, "sentAt": time.time()}, timeout=timeout)
        # What Herald cannot read now it will not be able to read later either.
        if status not in (200, 400, 404, 413, 422):
            raise Unreachable(f"status {status}")
        self._batch = None
        return True

    def _take(self) -> Iterable[dict[str, Any]]:
        for _ in range(BATCH):
            try:
                entry = self._waiting.popleft()
            except IndexError:
                return
            self._taken += 1
            self._newest = max(self._newest, entry[0])
            try:
                yield mask(describe(entry, self._marks))
            except Exception:  # noqa: BLE001, S112 - one odd entry is no reason to lose the others
                continue


def _cut(value: Any) -> Any:
    """A value small enough to queue: texts are cut and say how long they were, what is no plain value only says its type."""
    if type(value) is str:
        return value if len(value) <= VALUE_CHARS else (value[:VALUE_CHARS], value[-TAIL_CHARS:], len(value))
    if value is None or type(value) in (bool, int, float):
        return value
    return f"<{type(value).__name__} of {_size(value)}>"


def _size(value: Any) -> int | None:
    try:
        return len(value)
    except TypeError:
        return None
