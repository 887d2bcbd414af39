"""Tells Hermes that Herald is one of its chat platforms. Nothing of the gateway is imported until it makes the adapter."""

from __future__ import annotations

import asyncio
import logging
import os
import uuid
from collections import deque
from pathlib import Path
from typing import Any

from .bridge import Bridge, Unreachable
from .settings import Settings
from .turns import TurnHooks, Turns

log = logging.getLogger("herald")

NAME = "herald"
ALLOW_ALL = "HERALD_ALLOW_ALL_USERS"
ALLOWED = "HERALD_ALLOWED_USERS"
HOME_CHANNEL = "HERALD_HOME_CHANNEL"
#: Herald's word for the owner's direct chat.
OWNER = "owner"
#: Seconds a process without the gateway waits for Herald to take a delivery.
DELIVER_TIMEOUT = 8.0

HINT = (
    "You are talking with people in Feishu (Lark) through Herald. Markdown is rendered: headings, lists, tables, code. "
    "To hand over a file or picture, write MEDIA: and its absolute path on a line of its own."
)


def register_platform(ctx: Any, settings: Settings, folder: Path) -> None:
    """Does nothing in a Hermes that takes no platforms from plugins. Never raises."""
    if not hasattr(ctx, "register_platform"):
        log.info("herald: this Hermes takes no platforms from plugins")
        return
    home = folder.parents[1]
    turns, loose = Turns(), deque(maxlen=500)

    def make(config: Any) -> Any:
        from .adapter import HeraldAdapter

        _let_in()
        bridge = Bridge(settings.url, settings.token)
        return HeraldAdapter(config, bridge=bridge, home=home, turns=turns, loose=loose, facts=facts_of_hermes(folder))

    wanted: dict[str, Any] = {
        "name": NAME,
        "label": "Herald (Feishu)",
        "adapter_factory": make,
        "check_fn": lambda: True,
        "validate_config": lambda _config: True,
        "is_connected": lambda _config: True,
        "required_env": [],
        "install_hint": "",
        "allowed_users_env": ALLOWED,
        "allow_all_env": ALLOW_ALL,
        "max_message_length": 0,
        "pii_safe": False,
        "platform_hint": HINT,
        "env_enablement_fn": lambda: {"home_channel": {"chat_id": os.environ.get(HOME_CHANNEL) or OWNER, "name": "Herald"}},
        "cron_deliver_env_var": HOME_CHANNEL,
        "standalone_sender_fn": _standalone(settings),
    }
    try:
        os.environ.setdefault(HOME_CHANNEL, OWNER)
        ctx.register_platform(**wanted)
        TurnHooks(turns, loose).register(ctx)
    except Exception as error:  # the tools and sections are worth having without it
        log.warning("herald: not registered as a platform: %s", error)


def facts_of_hermes(folder: Path) -> dict[str, Any]:
    """What this Hermes is and offers, as Herald is told it."""
    return {"hermes": _hermes_version(), "plugin": _plugin_version(folder), "can": _abilities()}


def _let_in() -> None:
    """Hermes lets nobody speak whom no list names. Herald has checked the person before a message comes here, with its own
    roles, and only it has the secret to bring one: so everyone it brings is let in, unless somebody made a list of their own."""
    if not os.environ.get(ALLOWED, "").strip():
        os.environ.setdefault(ALLOW_ALL, "true")


def _standalone(settings: Settings) -> Any:
    async def send(
        _config: Any,
        chat_id: str,
        message: str,
        *,
        thread_id: Any = None,
        media_files: Any = None,
        force_document: bool = False,
        **_: Any,
    ) -> dict[str, Any]:
        """A delivery from a process without the gateway. Herald keeps it before it answers; no answer = not delivered."""
        files = [str(each[0] if isinstance(each, (list, tuple)) else each) for each in media_files or []]
        body = {"id": f"m-{uuid.uuid4().hex}", "chat": str(chat_id or OWNER), "text": str(message), "files": files}

        def deliver() -> dict[str, Any]:
            bridge = Bridge(settings.url, settings.token)
            why = ""
            for _ in range(2):
                # The same id twice is one message: a try without an answer may be made again.
                try:
                    status, answer = bridge.call("POST", "/bridge/platform/deliver", body, timeout=DELIVER_TIMEOUT)
                except Unreachable as error:
                    why = f"Herald does not answer: {error}"
                    continue
                if status == 200:
                    return {"success": True, "message_id": body["id"]}
                error = answer.get("error") if isinstance(answer, dict) else None
                return {"error": str(error or f"Herald refused this ({status})")}
            return {"error": why}

        return await asyncio.to_thread(deliver)

    return send


def _abilities() -> dict[str, bool]:
    def there(module: str, name: str) -> bool:
        try:
            return hasattr(__import__(module, fromlist=[name]), name)
        except ImportError:
            return False

    return {
        "stop": True,
        "steer": _has_command("steer"),
        "approvals": there("tools.approval", "resolve_gateway_approval"),
        "questions": there("tools.clarify_gateway", "resolve_gateway_clarify"),
        "commands": True,
        "images": True,
    }


def _has_command(name: str) -> bool:
    try:
        from hermes_cli.commands import resolve_command
    except ImportError:
        return False
    try:
        return resolve_command(name) is not None
    except Exception:
        return False


def _hermes_version() -> str | None:
    try:
        from hermes_cli import __version__
    except ImportError:
        return None
    return str(__version__)


def _plugin_version(folder: Path) -> str | None:
    try:
        lines = (folder / "plugin.yaml").read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("version:")), None)
