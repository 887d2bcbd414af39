"""Herald's guest in Hermes: tools that call Herald on loopback, sections of the system prompt, and hooks that tell Herald
what Hermes does and give back what was learned from it. In the gateway it is one of the chat platforms, too.

Never patches Hermes, never raises into it, and does no network or disk work in the agent's thread except inside a tool
call that the agent itself made. What this Hermes offers is found by looking at `ctx`, not at a version.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

from .advice import Advice
from .bridge import Bridge, Unreachable
from .gateway_platform import register_platform
from .hooks import answering_hooks
from .observer import Observer
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
    advice = Advice(sections)
    observer = Observer(bridge, advice)
    try:
        advice.look(bridge)
    except Unreachable:
        pass

    for tool in load_tools(bridge, folder / "tools.json"):
        ctx.register_tool(
            name=tool["name"],
            toolset=TOOLSET,
            schema=tool,
            handler=tool_handler(bridge, tool["name"]),
            check_fn=bridge.reachable,
            description=tool.get("description", ""),
        )

    if hasattr(ctx, "register_skill"):
        ctx.register_skill("editorial-gate", folder / "editorial-gate.md", "Decides which open matters are worth a message now.")

    has_sections = hasattr(ctx, "register_system_prompt_section")
    if has_sections:
        for name in NAMES:
            ctx.register_system_prompt_section(
                f"herald.{name}",
                lambda info, name=name: sections.text(name, (info or {}).get("platform"), (info or {}).get("session_id")),
                max_chars=4000,
            )

    for name, hook in {**observer.hooks(), **answering_hooks(observer, advice, sections, not has_sections)}.items():
        ctx.register_hook(name, hook)
    observer.start()
    register_platform(ctx, settings, folder)
