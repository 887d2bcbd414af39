"""Sections of the system prompt. The texts come from Herald and are kept in memory; a turn never waits for them."""

from __future__ import annotations

from typing import Any

#: Names Herald knows sections by, in the order they appear.
NAMES = ("tracking", "announce")


class Sections:
    def __init__(self) -> None:
        self._by_name: dict[str, dict[str, Any]] = {}
        #: sessions whose id begins so carry chats of Herald's, whatever platform Hermes takes them for
        self._own: tuple[str, ...] = ()

    def update(self, snapshot: Any, own: Any = None) -> None:
        """Takes over what Herald sent; anything of another shape is left out."""
        self._own = tuple(each for each in own if isinstance(each, str) and each) if isinstance(own, list) else ()
        found: dict[str, dict[str, Any]] = {}
        for section in snapshot if isinstance(snapshot, list) else []:
            if not isinstance(section, dict) or section.get("name") not in NAMES:
                continue
            if isinstance(section.get("text"), str) and isinstance(section.get("notOn"), list):
                found[section["name"]] = section
        # One assignment: a reader in another thread sees the old table or the new one.
        self._by_name = found

    def text(self, name: str, platform: Any, session_id: Any = None) -> str:
        """The section's text for a session of this platform; empty where it does not belong."""
        section = self._by_name.get(name)
        if section is None or not platform:
            return ""
        if platform in section["notOn"] and not str(session_id or "").startswith(self._own or ("\0",)):
            return ""
        return section["text"]

    def in_turn(self, platform: Any, session_id: Any = None) -> str:
        """What belongs to a turn on this platform, where Hermes knows no sections of its own."""
        return "\n\n".join(text for text in (self.text(name, platform, session_id) for name in NAMES) if text)
