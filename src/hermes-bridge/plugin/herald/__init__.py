"""Herald's guest in Hermes: tools that call Herald on loopback, and sections of the system prompt.

Never patches Hermes, never raises into it, and does no network or disk work in the agent's thread except inside a tool
call that the agent itself made. What this Hermes offers is found by looking at `ctx`, not at a version.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

from .bridge import Bridge
from .keep_fresh import KeepFresh
from .sections import NAMES, Sections
from .settings import read_settings
from .tools import load_tools, tool_handler

log = logging.getLogger("herald")

TOOLSET = "herald"


def register(ctx: Any) -> None:
    """Called by Hermes once per process. Without a usable settings file nothing is registered."""
    folder = Path(__file__).resolve().parent
    settings = read_settings(folder)
    if settings is None:
        log.warning("herald: no settings (run `herald hermes install`); nothing is registered")
        return
    bridge = Bridge(settings.url, settings.token)
    sections = Sections()
    fresh = KeepFresh(bridge, sections)
    fresh.look()

    for tool in load_tools(bridge, folder / "tools.json"):
        ctx.register_tool(
            name=tool["name"],
            toolset=TOOLSET,
            schema=tool,
            handler=tool_handler(bridge, tool["name"]),
            check_fn=bridge.reachable,
            description=tool.get("description", ""),
        )

    if hasattr(ctx, "register_system_prompt_section"):
        for name in NAMES:
            ctx.register_system_prompt_section(
                f"herald.{name}",
                lambda info, name=name: sections.text(name, (info or {}).get("platform")),
                max_chars=4000,
            )
    else:
        # Older Hermes: the same words ride on each turn's request. They are not stored, so the first turn is not enough.
        ctx.register_hook("pre_llm_call", sections.before_model_call)
    fresh.start()
