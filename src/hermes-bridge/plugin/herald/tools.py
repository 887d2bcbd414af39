"""The tools Herald offers. Their descriptions and schemas come from Herald; there is no second copy of them here."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .bridge import TOOL_TIMEOUT, Bridge, Unreachable
from .events import REVIEW_PROMPT

#: What a handler hands on about the turn it runs in.
CONTEXT = ("session_id", "task_id")


def load_tools(bridge: Bridge, cache: Path) -> list[dict[str, Any]]:
    """The table as Herald has it now, or as it last had it when Herald is down. Empty when it was never seen."""
    try:
        status, answer = bridge.call("GET", "/bridge/tools")
        tools = _checked(answer) if status == 200 else None
    except Unreachable:
        tools = None
    if tools is not None:
        _keep(cache, tools)
        return tools
    try:
        return _checked(json.loads(cache.read_text(encoding="utf-8"))) or []
    except (OSError, ValueError):
        return []


def tool_handler(bridge: Bridge, name: str) -> Callable[..., str]:
    """A handler as Hermes wants it: takes the arguments, answers JSON text, never raises."""

    def handle(args: dict[str, Any] | None = None, **context: Any) -> str:
        # Hermes reviews a finished turn under the session's own id: nobody speaks there.
        if str(context.get("user_task") or "").startswith(REVIEW_PROMPT):
            return json.dumps({"error": "Only while a person speaks; nothing was changed."})
        body = {"args": args or {}, "context": {key: context.get(key) for key in CONTEXT if context.get(key)}}
        try:
            status, answer = bridge.call("POST", f"/bridge/tools/{name}", body, timeout=TOOL_TIMEOUT)
        except Unreachable:
            return json.dumps({"error": "Herald is not running, so nothing was changed. Tell the person if it matters."})
        if status == 200:
            return json.dumps(answer, ensure_ascii=False)
        error = answer.get("error") if isinstance(answer, dict) else None
        return json.dumps({"error": error or f"Herald refused this call ({status}); nothing was changed."}, ensure_ascii=False)

    return handle


def _checked(answer: Any) -> list[dict[str, Any]] | None:
    tools = answer.get("tools") if isinstance(answer, dict) else answer
    if not isinstance(tools, list):
        return None
    wanted = [tool for tool in tools if isinstance(tool, dict) and isinstance(tool.get("name"), str)]
    return [tool for tool in wanted if isinstance(tool.get("parameters"), dict)]


def _keep(cache: Path, tools: list[dict[str, Any]]) -> None:
    """Whole or not at all: a half written cache would take the tools away at the next start."""
    try:
        handle, path = tempfile.mkstemp(dir=cache.parent, prefix=".tools-")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump({"tools": tools}, file, ensure_ascii=False)
        os.replace(path, cache)
    except OSError:
        pass
