"""Sections of the system prompt. The texts come from Herald and are kept in memory; a turn never waits for them."""

from __future__ import annotations

from typing import Any

#: Names Herald knows sections by, in the order they appear.
NAMES = ("tracking", "announce")
#: Hermes' background review runs under the session's own id and starts with this prompt.
REVIEW_PROMPT = "Review the conversation above and "


class Sections:
    def __init__(self) -> None:
        self._by_name: dict[str, dict[str, Any]] = {}

    def update(self, snapshot: Any) -> None:
        """Takes over what Herald sent; anything of another shape is left out."""
        found: dict[str, dict[str, Any]] = {}
        for section in snapshot if isinstance(snapshot, list) else []:
            if not isinstance(section, dict) or section.get("name") not in NAMES:
                continue
            if isinstance(section.get("text"), str) and isinstance(section.get("notOn"), list):
                found[section["name"]] = section
        # One assignment: a reader in another thread sees the old table or the new one.
        self._by_name = found

    def text(self, name: str, platform: Any) -> str:
        """The section's text for a session of this platform; empty where it does not belong."""
        section = self._by_name.get(name)
        if section is None or not platform or platform in section["notOn"]:
            return ""
        return section["text"]

    def before_model_call(self, **kw: Any) -> dict[str, str] | None:
        """Hermes' hook of that kind: what belongs to this turn's platform, from memory."""
        message = kw.get("user_message")
        # Hermes' own review of a finished turn is no conversation.
        if isinstance(message, str) and message.startswith(REVIEW_PROMPT):
            return None
        platform = kw.get("platform")
        texts = [text for text in (self.text(name, platform) for name in NAMES) if text]
        return {"context": "\n\n".join(texts)} if texts else None
