"""What Herald orders, carried out in the gateway: a person's message, a stop, a word into a running turn, an answer.

An order is noted on disk before it is begun (in the link's thread) and begun once. A message becomes a turn of Hermes the
way every platform's messages do; when its end cannot be learned from the gateway's own notice, it is looked for.
"""

from __future__ import annotations

import asyncio
import dataclasses
import inspect
import logging
import time
import uuid
from typing import Any

from .turns import Turn, current

log = logging.getLogger("herald")

#: Seconds a command of Herald's own (a new session, another session) may take before the message goes on without it.
QUIET_SECONDS = 20.0
#: Seconds an answer may take to get through.
ANSWER_SECONDS = 10.0
#: Name of the thread everybody in a group is in.
SHARED = "all"
#: Looks in a row that must find a conversation idle before a turn without a notice counts as ended.
IDLE_LOOKS = 2


class Inbound:
    def __init__(self, adapter: Any) -> None:
        self._adapter = adapter
        self._locks: dict[str, asyncio.Lock] = {}
        self._quiet: dict[str, asyncio.Event] = {}
        self._idle: dict[str, int] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    # ── In the link's thread ──────────────────────────────────────────────────────────────────────────────────────────

    def on_order(self, order: dict[str, Any], known: str) -> dict[str, Any] | None:
        if known == "same":
            # It is being carried out; what becomes of it is told when that is known.
            return {"status": "taken"} if order.get("kind") == "message" else None
        if known == "earlier":
            # Begun by a process before this one, and nobody knows how far it came.
            return {"status": "taken", "note": "earlier"}
        carry_out = getattr(self, f"_{order.get('kind')}", None)
        if carry_out is None or order.get("kind") not in ("message", "stop", "steer", "answer"):
            return {"status": "refused", "note": "unknown"}
        loop = self._adapter._loop
        try:
            loop.call_soon_threadsafe(lambda: self._begin(carry_out(order), order))
        except RuntimeError:
            return {"status": "refused", "note": "stopping"}
        return {"status": "taken"} if order["kind"] == "message" else None

    def _begin(self, work: Any, order: dict[str, Any]) -> None:
        task = asyncio.get_running_loop().create_task(self._guarded(work, order))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guarded(self, work: Any, order: dict[str, Any]) -> None:
        try:
            await work
        except Exception as error:  # a person waits: every order ends with a word
            log.exception("herald: order %s (%s)", order.get("seq"), order.get("kind"))
            turn = self._adapter._turns.get(order.get("turnId"))
            if order.get("kind") == "message" and turn is not None:
                await self._adapter.end_turn(turn, "failed", f"{type(error).__name__}: {error}"[:300])
            elif order.get("kind") != "message":
                self._settle(order, "refused", "error")

    # ── On the gateway's loop ─────────────────────────────────────────────────────────────────────────────────────────

    async def _message(self, order: dict[str, Any]) -> None:
        adapter = self._adapter
        chat = order["chat"]
        adapter.remember_chat(chat)
        source = self._source(order)
        text = str(order.get("text") or "")
        turn = adapter._turns.add(
            Turn(
                id=order["turnId"],
                origin="herald",
                chat=str(chat["id"]),
                thread=getattr(source, "thread_id", None),
                key=key_of(adapter, source),
                command=text.lstrip().startswith("/"),
                source=source,
            )
        )
        # Messages of one chat are handed over in their order, whatever has to be done before one of them.
        async with self._locks.setdefault(turn.chat, asyncio.Lock()):
            await self._go_to_session(order.get("session"), source, turn)
            if turn.command and text.split(maxsplit=1)[0].lower() in ("/stop", "/new", "/reset"):
                running = adapter._turns.running_with(turn.key)
                if running is not None:
                    running.stop_asked = True
            busy = self._busy(turn.key)
            current.set(turn.id)
            await adapter.handle_message(self._event(order, source, text, turn.id))
        if busy and turn.state == "handed" and turn.command and not self._is_pending(turn):
            # Hermes answers commands at once, beside the turn that runs.
            await adapter.end_turn(turn, "completed")

    async def _stop(self, order: dict[str, Any]) -> None:
        turn = self._adapter._turns.get(order.get("turnId"))
        if turn is None or turn.state == "ended":
            self._settle(order, "refused", "not_running")
            return
        turn.stop_asked = True
        self._settle(order, "taken")
        await self._command("/stop", turn.source, turn.chat, turn.key)

    async def _steer(self, order: dict[str, Any]) -> None:
        turn = self._adapter._turns.get(order.get("turnId"))
        if turn is None or turn.state != "running" or not self._adapter._facts["can"]["steer"]:
            self._settle(order, "refused", "not_running")
            return
        self._settle(order, "taken")
        await self._command(f"/steer {order.get('text')}", turn.source, turn.chat, turn.key)

    async def _answer(self, order: dict[str, Any]) -> None:
        ask = self._adapter._asks.take(order.get("ref"))
        if ask is None:
            self._settle(order, "refused", "void")
            return
        done = await asyncio.wait_for(self._adapter.answer(ask, str(order.get("choice")), None), ANSWER_SECONDS)
        self._settle(order, "taken" if done else "refused", None if done else "void")

    def quiet_ended(self, id: str) -> None:
        event = self._quiet.pop(id, None)
        if event is not None:
            event.set()

    async def look(self) -> None:
        """Turns whose end the gateway did not tell: taken into another turn, answered beside it, or simply over."""
        adapter = self._adapter
        for turn in adapter._turns.live():
            if turn.state == "confirming" or turn.origin == "hermes" and turn.state != "running":
                continue
            if self._busy(turn.key):
                self._idle.pop(turn.id, None)
                if turn.state == "handed" and turn.host is None and not self._is_pending(turn):
                    host = adapter._turns.running_with(turn.key)
                    if host is not None and host.id != turn.id:
                        turn.host = host.id
                continue
            if turn.key is None or self._locks.get(turn.chat, _NO_LOCK).locked():
                continue
            looks = self._idle[turn.id] = self._idle.get(turn.id, 0) + 1
            if looks >= IDLE_LOOKS:
                self._idle.pop(turn.id, None)
                await adapter.end_turn(turn, "stopped" if turn.stop_asked else "completed")

    async def _go_to_session(self, wish: Any, source: Any, turn: Turn) -> None:
        """`{"fresh": true}` begins a new session, `{"id": …}` goes back to an older one, both with Hermes' own commands."""
        if not isinstance(wish, dict):
            return
        if wish.get("fresh"):
            await self._command("/new", source, turn.chat, turn.key)
        elif isinstance(wish.get("id"), str) and await session_of(self._adapter, turn.key) != wish["id"]:
            await self._command(f"/resume {wish['id']}", source, turn.chat, turn.key)

    async def _command(self, text: str, source: Any, chat: str, key: str | None) -> None:
        """A command of Herald's own: nobody is to see what Hermes says to it."""
        adapter = self._adapter
        turn = adapter._turns.add(Turn(id=f"quiet-{uuid.uuid4().hex}", origin="quiet", chat=chat, key=key, command=True))
        done = self._quiet[turn.id] = asyncio.Event()

        async def run() -> None:
            current.set(turn.id)
            busy = self._busy(key)
            await adapter.handle_message(self._event({}, source, text, turn.id))
            if busy and turn.state == "handed":
                await adapter.end_turn(turn, "completed")

        try:
            # A task of its own, so that its mark stays with it.
            await asyncio.wait_for(asyncio.gather(asyncio.create_task(run()), done.wait()), QUIET_SECONDS)
        except asyncio.TimeoutError:
            log.warning("herald: %s took too long", text.split(maxsplit=1)[0])
            self._quiet.pop(turn.id, None)
            adapter._turns.end(turn)

    def _source(self, order: dict[str, Any]) -> Any:
        chat, sender = order.get("chat") or {}, order.get("sender") or {}
        wanted = {
            "chat_id": str(chat.get("id")),
            "chat_name": chat.get("name"),
            "chat_type": "group" if chat.get("type") == "group" else "dm",
            # Turns of Herald's own have no person; Hermes wants somebody.
            "user_id": sender.get("openId") or "herald",
            "user_name": sender.get("name"),
            # Hermes parts the people of a group, but not those of a thread in it. Where Herald has one session for all of
            # them they are told to be in one.
            "thread_id": chat.get("thread") or (SHARED if chat.get("shared") else None),
            "user_id_alt": sender.get("unionId"),
            "message_id": order.get("turnId"),
        }
        known = inspect.signature(self._adapter.build_source).parameters
        return self._adapter.build_source(**{name: value for name, value in wanted.items() if name in known})

    def _event(self, order: dict[str, Any], source: Any, text: str, id: str) -> Any:
        MessageEvent, MessageType = _event_types()
        images, files = order.get("images") or [], order.get("files") or []
        media = [*images, *files]
        kind = "PHOTO" if images else "DOCUMENT" if files else "TEXT"
        wanted: dict[str, Any] = {
            "text": text,
            "message_type": getattr(MessageType, kind, MessageType.TEXT),
            "source": source,
            "user_id": getattr(source, "user_id", None),
            "user_name": getattr(source, "user_name", None),
            "raw_message": {"herald": id},
            "message_id": id,
            "media_urls": [str(each["path"]) for each in media],
            "media_types": [str(each["mime"]) for each in media],
            "channel_prompt": order.get("instructions"),
        }
        known = {each.name for each in dataclasses.fields(MessageEvent)} if dataclasses.is_dataclass(MessageEvent) else set(wanted)
        if order.get("instructions") and "channel_prompt" not in known:
            wanted["text"] = f"{order['instructions']}\n\n{text}"
        return MessageEvent(**{name: value for name, value in wanted.items() if name in known})

    def _busy(self, key: str | None) -> bool:
        return key is not None and key in (getattr(self._adapter, "_active_sessions", None) or {})

    def _is_pending(self, turn: Turn) -> bool:
        pending = (getattr(self._adapter, "_pending_messages", None) or {}).get(turn.key)
        return getattr(pending, "message_id", None) == turn.id

    def _settle(self, order: dict[str, Any], status: str, note: str | None = None) -> None:
        link = self._adapter._link
        if link is not None:
            link.settle(order["seq"], status, note)


_NO_LOCK = asyncio.Lock()


def key_of(adapter: Any, source: Any) -> str | None:
    """Hermes' own name of the conversation; None where this Hermes makes it otherwise."""
    try:
        from gateway.session import build_session_key
    except ImportError:
        return None
    try:
        extra = getattr(getattr(adapter, "config", None), "extra", None) or {}
        wanted = {
            "group_sessions_per_user": extra.get("group_sessions_per_user", True),
            "thread_sessions_per_user": extra.get("thread_sessions_per_user", False),
        }
        known = inspect.signature(build_session_key).parameters
        return str(build_session_key(source, **{name: value for name, value in wanted.items() if name in known}))
    except Exception:
        return None


async def session_of(adapter: Any, key: str | None) -> str | None:
    """The session the conversation is in now, as far as Hermes lets itself be asked."""
    store = getattr(adapter, "_session_store", None)
    if store is None or key is None:
        return None

    def look() -> str | None:
        peek = getattr(store, "peek_session_id", None)
        if callable(peek):
            return peek(key) or None
        entries = getattr(store, "_entries", None)
        entry = entries.get(key) if isinstance(entries, dict) else None
        return getattr(entry, "session_id", None)

    try:
        return await asyncio.get_running_loop().run_in_executor(adapter._disk, look)
    except Exception:
        return None


def _event_types() -> tuple[Any, Any]:
    try:
        from gateway.platforms.base import MessageEvent, MessageType
    except ImportError:  # newer Hermes
        from gateway.platforms.event import MessageEvent, MessageType
    return MessageEvent, MessageType
