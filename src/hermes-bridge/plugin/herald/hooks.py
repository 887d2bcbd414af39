"""The hooks that answer: hints before a turn, and why a tool call should not be made. Both from memory, both without a word
when Herald is away, and neither ever raises: newer Hermes holds a call back when its hook fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .advice import Advice
from .events import FIRST_WORDS
from .observer import Observer
from .sections import Sections

OWN_WORDS = tuple(words for words, _ in FIRST_WORDS)
#: Turns remembered at once.
MOST_TURNS = 512
NOWHERE = (None, None)
INTRODUCTION = "[From this person's own experience with you, for this turn:]\n"


def answering_hooks(observer: Observer, advice: Advice, sections: Sections, sections_in_turn: bool) -> dict[str, Callable[..., Any]]:
    """`sections_in_turn`: this Hermes has no prompt sections, so they ride on each turn's request, which is not stored."""
    note, hints, hold_back, in_turn = observer.note_turn, advice.hints, advice.hold_back, sections.in_turn
    # A tool call is told only the name of its turn: where it runs is remembered from the turn's beginning.
    turns: dict[Any, tuple[Any, Any]] = {}

    def pre_llm_call(session_id=None, turn_id=None, user_message=None, platform=None, model=None, is_first_turn=None, **_: Any) -> dict[str, str] | None:  # fmt: skip
        try:
            note(session_id, turn_id, user_message, platform, model, is_first_turn)
            if len(turns) >= MOST_TURNS:
                turns.clear()
            turns[turn_id] = (platform, model)
            # Hermes' own review of a finished turn, and turns nobody speaks in, are no conversation.
            if type(user_message) is str and user_message.startswith(OWN_WORDS):
                return None
            section = in_turn(platform, session_id) if sections_in_turn else ""
            hint = hints(user_message, platform, model)
            if not hint:
                return {"context": section} if section else None
            return {"context": f"{section}\n\n{INTRODUCTION}{hint}" if section else INTRODUCTION + hint}
        except Exception:  # noqa: BLE001 - advice never stands in a turn's way
            return None

    def pre_tool_call(tool_name=None, args=None, turn_id=None, **_: Any) -> dict[str, str] | None:
        try:
            why = hold_back(tool_name, args, *turns.get(turn_id, NOWHERE))
            return {"action": "block", "message": why} if why else None
        except Exception:  # noqa: BLE001
            return None

    return {"pre_llm_call": pre_llm_call, "pre_tool_call": pre_tool_call}
