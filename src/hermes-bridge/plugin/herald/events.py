"""The entries of the queue as Herald is told them. Runs in the plugin's own thread."""

from __future__ import annotations

from typing import Any

#: Hermes' background review runs under the session's own id and starts with this prompt.
REVIEW_PROMPT = "Review the conversation above and "
#: First words of turns nobody speaks in, and what they are.
FIRST_WORDS = (
    (REVIEW_PROMPT, "review"),
    ("[Herald editorial turn]", "editorial"),
    ("[Herald goal turn]", "goal"),
    ("[Continuing toward your standing goal]", "goal"),
)
MOST_MARKS = 1024

#: What stands after number, time and name of an entry.
FIELDS: dict[str, tuple[str, ...]] = {
    "pre_llm_call": ("sessionId", "turnId", "head", "platform", "model", "first"),
    "post_tool_call": ("sessionId", "turnId", "tool", "callId", "status", "ms", "errorType", "errorMessage", "args", "result", "resultChars"),  # fmt: skip
    "on_session_end": ("sessionId", "turnId", "completed", "interrupted", "failed", "exitReason", "platform", "model"),
    "post_llm_call": ("sessionId", "turnId", "userChars", "replyChars", "platform", "model"),
    "post_api_request": ("sessionId", "turnId", "inputTokens", "outputTokens"),
    "api_request_error": ("sessionId", "turnId", "statusCode", "retry", "retryable", "reason", "errorType", "platform", "model"),  # fmt: skip
    "subagent_start": ("sessionId", "turnId", "childSessionId", "role"),
    "subagent_stop": ("sessionId", "turnId", "childSessionId", "role", "status", "ms"),
    "pre_approval_request": ("conversation", "turnId", "pattern", "surface", "callId"),
    "post_approval_response": ("conversation", "turnId", "pattern", "surface", "callId", "choice"),
}


class Marks:
    """Whose turn a turn is and in which session and on which platform it runs, remembered for what comes of it later."""

    def __init__(self) -> None:
        self._by_turn: dict[str, dict[str, Any]] = {}
        self._children: dict[str, bool] = {}

    def begin(self, event: dict[str, Any]) -> None:
        head = event.pop("head", None) or ""
        found = next((origin for words, origin in FIRST_WORDS if head.lstrip().startswith(words)), None)
        if found is None and event.get("sessionId") in self._children:
            found = "subagent"
        marks = {key: event[key] for key in ("sessionId", "platform", "model") if event.get(key)}
        if found is not None:
            marks["origin"] = found
        _remember(self._by_turn, event.get("turnId"), marks)

    def child(self, session_id: Any) -> None:
        _remember(self._children, session_id, True)

    def put(self, event: dict[str, Any]) -> None:
        for key, value in self._by_turn.get(event.get("turnId") or "", {}).items():
            event.setdefault(key, value)


def describe(entry: tuple[Any, ...], marks: Marks) -> dict[str, Any]:
    number, at, hook, *values = entry
    event: dict[str, Any] = {"n": number, "at": at, "hook": hook}
    event.update((key, value) for key, value in zip(FIELDS[hook], values, strict=True) if value is not None)
    if hook == "pre_llm_call":
        marks.begin(event)
    elif hook == "subagent_start":
        marks.child(event.get("childSessionId"))
    marks.put(event)
    if "args" in event:
        event["args"] = {str(key): _whole(value) for key, value in event["args"].items()}
    if isinstance(event.get("result"), tuple):
        event["result"], event["resultTail"] = event["result"]
    for key in ("errorMessage", "reason"):
        if isinstance(event.get(key), tuple):
            event[key] = event[key][0]
    return event


def _whole(value: Any) -> Any:
    """A cut text names its length, so that two that begin alike are told apart."""
    return f"{value[0]}…{value[1]} ({value[2]})" if isinstance(value, tuple) else value


def _remember(table: dict[str, Any], key: Any, value: Any) -> None:
    if not key:
        return
    table.pop(key, None)
    table[key] = value
    if len(table) > MOST_MARKS:
        del table[next(iter(table))]
