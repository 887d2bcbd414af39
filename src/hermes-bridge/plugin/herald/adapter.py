"""Herald as one of the chat platforms of Hermes' gateway. Imported by the gateway only, when it makes the adapter.

Runs on the gateway's event loop and never waits there: what is said goes to a file in a thread of our own, what Herald
orders comes from another one. Herald being away is no error here; what was said is kept until it is back.
"""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from gateway.config import Platform
from gateway.platforms.base import BasePlatformAdapter, SendResult

from .asks import (
    CONFIRM_CHOICES,
    Ask,
    Asks,
    answer_approval,
    answer_confirm,
    answer_question,
    find_entry,
    request_id,
)
from .bridge import Bridge
from .inbound import Inbound, key_of, session_of
from .link import Link
from .sends_files import SendsFiles
from .spool import Full, Spool
from .turns import Turn, Turns, current

log = logging.getLogger("herald")

#: Seconds a word outside any turn (a cron delivery) waits for Herald's yes or no before it counts as kept for later.
CONFIRM_WAIT = 3.0
#: Seconds between two looks for questions and turns that ended without a word.
LOOK_EVERY = 1.0
#: The mark Hermes puts at the end of a text that still grows.
CURSORS = (" ▉", "▉", " █")


class HeraldAdapter(SendsFiles, BasePlatformAdapter):
    #: Herald splits where its cards end; nothing is to be cut before.
    MAX_MESSAGE_LENGTH = 60_000
    SUPPORTS_MESSAGE_EDITING = True
    supports_code_blocks = True
    #: Who may speak is decided by Herald before a message comes here, and nobody else has the secret to bring one.
    authorization_is_upstream = True
    enforces_own_access_policy = True
    _dm_policy = "allowlist"
    _group_policy = "allowlist"

    def __init__(self, config: Any, *, bridge: Bridge, home: Path, turns: Turns, loose: Any, facts: dict[str, Any]) -> None:
        super().__init__(config, Platform("herald"))
        self._bridge = bridge
        self._home = home
        self._turns = turns
        self._loose = loose
        self._facts = facts
        self._asks = Asks()
        self._instance = uuid.uuid4().hex
        self._disk: ThreadPoolExecutor | None = None
        self._spool: Spool | None = None
        self._link: Link | None = None
        self._watch: asyncio.Task[None] | None = None
        self._inbound = Inbound(self)
        self._own: dict[int, tuple[Any, Turn]] = {}
        self._chats: dict[str, dict[str, str]] = {}
        self._telling: set[asyncio.Task[None]] = set()
        #: message → turn, for what is changed later
        self._messages: dict[str, str | None] = {}
        self._waiting: dict[int, asyncio.Future[str | None]] = {}
        self._taken = 0
        self._refused: dict[int, str] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    # ── Life ──────────────────────────────────────────────────────────────────────────────────────────────────────────

    async def connect(self, *, is_reconnect: bool = False, **_: Any) -> bool:
        if self._link is not None:
            return True
        self._loop = asyncio.get_running_loop()
        self._disk = ThreadPoolExecutor(max_workers=1, thread_name_prefix="herald-spool")
        self._spool = await self._loop.run_in_executor(self._disk, Spool, self._home / "herald-platform" / "spool.db")
        link = Link(
            self._bridge,
            self._spool,
            instance=self._instance,
            facts=self._facts,
            on_order=self._inbound.on_order,
            on_confirmed=self._on_confirmed,
        )
        link.loose = self._loose
        self._link = link
        await self._put({"kind": "started", "instance": self._instance})
        link.start()
        self._watch = asyncio.create_task(self._look())
        self._mark_connected()
        return True

    async def disconnect(self) -> None:
        link = self._link
        if self._watch is not None:
            self._watch.cancel()
        if link is not None and self._loop is not None:
            if self._telling:
                await asyncio.wait(list(self._telling), timeout=2)
            # The last thing of this process: turns that run here end with it.
            await self._put({"kind": "left", "instance": self._instance})
            self._link = None
            await self._loop.run_in_executor(self._disk, link.stop)
        if self._disk is not None:
            self._disk.shutdown(wait=False)
        self._mark_disconnected()

    async def get_chat_info(self, chat_id: str) -> dict[str, Any]:
        known = self._chats.get(str(chat_id), {})
        return {"name": known.get("name") or str(chat_id), "type": known.get("type") or "dm"}

    def remember_chat(self, chat: dict[str, Any]) -> None:
        if len(self._chats) > 1_000:
            self._chats.clear()
        self._chats[str(chat.get("id"))] = {"name": str(chat.get("name") or ""), "type": str(chat.get("type") or "dm")}

    # ── Words ─────────────────────────────────────────────────────────────────────────────────────────────────────────

    async def send(
        self, chat_id: str, content: str, reply_to: str | None = None, metadata: Any = None, **_: Any
    ) -> Any:
        meta = metadata if isinstance(metadata, dict) else {}
        turn = self._turns.of(str(chat_id), _thread(meta), reply_to)
        message = f"m-{uuid.uuid4().hex}"
        if turn is not None and turn.origin == "quiet":
            return SendResult(success=True, message_id=message)
        event = {
            "kind": "said",
            "message": message,
            "turn": turn.id if turn else None,
            "chat": str(chat_id),
            "thread": _thread(meta),
            "text": _without_cursor(content),
            "job": str(meta["job_id"]) if meta.get("job_id") else None,
        }
        return await self._said(event, message, wait=turn is None)

    async def edit_message(
        self, chat_id: str, message_id: str, content: str, *, finalize: bool = False, metadata: Any = None, **_: Any
    ) -> Any:
        text = _without_cursor(content)
        moving = not finalize and text != content
        event = {
            "kind": "edited",
            "message": str(message_id),
            "turn": self._messages.get(str(message_id)),
            "chat": str(chat_id),
            "text": text,
            "final": not moving,
        }
        return await self._said(event, str(message_id), edits=str(message_id), spare=moving)

    async def delete_message(self, chat_id: str, message_id: str, **_: Any) -> bool:
        turn = self._messages.get(str(message_id))
        event = {"kind": "deleted", "message": str(message_id), "turn": turn, "chat": str(chat_id)}
        result = await self._said(event, str(message_id))
        return bool(result.success)

    async def send_typing(self, chat_id: str, metadata: Any = None, **_: Any) -> None:
        """Herald shows by itself that a turn runs."""

    async def stop_typing(self, chat_id: str, *_: Any, **__: Any) -> None:
        pass

    # ── Questions ─────────────────────────────────────────────────────────────────────────────────────────────────────

    async def send_exec_approval(
        self,
        chat_id: str,
        command: str,
        session_key: str,
        description: str = "dangerous command",
        metadata: Any = None,
        allow_permanent: bool = True,
        allow_session: bool = True,
        **_: Any,
    ) -> Any:
        entry = find_entry(session_key, command)
        turn = self._asking(chat_id, session_key, metadata)
        ask = self._asks.add("approval", session_key, turn.id if turn else None, request_id(entry), entry)
        choices = ["once", *(["session"] if allow_session else []), *(["always"] if allow_permanent else []), "deny"]
        return await self._ask(ask, chat_id, metadata, command=command, text=description, choices=choices)

    async def send_clarify(
        self,
        chat_id: str,
        question: str,
        choices: Any = None,
        clarify_id: str = "",
        session_key: str = "",
        metadata: Any = None,
        **_: Any,
    ) -> Any:
        turn = self._asking(chat_id, session_key, metadata)
        ask = self._asks.add("question", session_key, turn.id if turn else None, str(clarify_id))
        return await self._ask(ask, chat_id, metadata, text=question, choices=[str(choice) for choice in choices or []])

    async def send_slash_confirm(
        self, chat_id: str, title: str, message: str, session_key: str, confirm_id: str, metadata: Any = None, **_: Any
    ) -> Any:
        turn = self._asking(chat_id, session_key, metadata)
        ask = self._asks.add("confirm", session_key, turn.id if turn else None, str(confirm_id))
        if turn is not None and turn.origin == "quiet":
            # A command of Herald's own: whoever gave it has decided.
            asyncio.get_running_loop().create_task(self.answer(ask, "once", None))
            return SendResult(success=True, message_id=ask.ref)
        text = f"{title}\n\n{message}" if title and title not in message else message
        return await self._ask(ask, chat_id, metadata, text=text, choices=list(CONFIRM_CHOICES))

    async def answer(self, ask: Ask, choice: str, chat: str | None) -> bool:
        """False: it waits no longer, and nothing was done."""
        if ask.kind == "approval":
            return answer_approval(ask, choice)
        if ask.kind == "question":
            return answer_question(ask, choice)
        token = current.set(ask.turn)
        try:
            done, said = await answer_confirm(ask, choice)
            turn = self._turns.get(ask.turn)
            if said and turn is not None and turn.origin != "quiet":
                await self.send(chat or turn.chat, said)
            if turn is not None and turn.ended_at == 0.0 and turn.state == "confirming":
                await self.end_turn(turn, "completed" if done else "failed")
            return done
        finally:
            current.reset(token)

    def _asking(self, chat_id: str, key: str, metadata: Any) -> Turn | None:
        by_key = self._turns.running_with(key or None)
        if by_key is not None:
            return by_key
        return self._turns.of(str(chat_id), _thread(metadata if isinstance(metadata, dict) else {}), None)

    async def _ask(self, ask: Ask, chat_id: str, metadata: Any, **said: Any) -> Any:
        event = {
            "kind": "asked",
            "ref": ask.ref,
            "asks": "approval" if ask.kind == "approval" else "question",
            "turn": ask.turn,
            "chat": str(chat_id),
            "thread": _thread(metadata if isinstance(metadata, dict) else {}),
            **said,
        }
        result = await self._said(event, ask.ref)
        if not result.success:
            self._asks.take(ask.ref)
        return result

    # ── The life of a turn ────────────────────────────────────────────────────────────────────────────────────────────

    async def on_processing_start(self, event: Any) -> None:
        turn = self._turns.get(getattr(event, "message_id", None))
        if turn is None:
            source = event.source
            turn = self._turns.own(str(source.chat_id), getattr(source, "thread_id", None), key_of(self, source))
            self._own[id(event)] = (event, turn)
        turn.state, turn.host, turn.agent = "running", None, {}
        # The gateway works on this message in this task; what it starts from here inherits the mark.
        current.set(turn.id)
        if turn.origin == "quiet":
            return
        turn.session = await session_of(self, turn.key)
        await self._put({"kind": "running", "turn": turn.id, "origin": turn.origin, "chat": turn.chat, "thread": turn.thread})

    async def on_processing_complete(self, event: Any, outcome: Any) -> None:
        own = self._own.pop(id(event), None)
        turn = own[1] if own else self._turns.get(getattr(event, "message_id", None))
        if turn is None or turn.state == "ended":
            return
        word = str(getattr(outcome, "value", outcome)).lower()
        if word == "success" and self._asks.open_of(turn.id, "confirm"):
            # Hermes has put its question and considers the message done. For the person it is not.
            turn.state = "confirming"
            return
        if turn.stop_asked:
            ended = "stopped"
        elif word == "cancelled":
            # Nobody asked for the end: the gateway is being taken down.
            ended = "lost"
        elif turn.agent.get("failed") or (turn.agent.get("began") and not turn.agent.get("ended")):
            # 0.16: a turn that dies on its model ends without the agent's own word for it.
            ended = "failed"
        elif turn.agent.get("interrupted"):
            ended = "stopped"
        else:
            ended = "completed" if word == "success" else "failed"
        await self.end_turn(turn, ended)

    async def end_turn(self, turn: Turn, outcome: str, why: str | None = None) -> None:
        """The gateway ends a task that was stopped while it tells us of the end: the telling has a task of its own."""
        if turn.state == "ended":
            return
        folded = self._turns.folded_into(turn)
        self._turns.end(turn)
        telling = asyncio.get_running_loop().create_task(self._tell_end(turn, folded, outcome, why))
        self._telling.add(telling)
        telling.add_done_callback(self._telling.discard)
        await asyncio.shield(telling)

    async def _tell_end(self, turn: Turn, folded: list[Turn], outcome: str, why: str | None) -> None:
        for ask in self._asks.open_of(turn.id):
            self._asks.take(ask.ref)
        if turn.origin == "quiet":
            self._inbound.quiet_ended(turn.id)
            return
        session = await session_of(self, turn.key) or turn.session
        ended = {"kind": "ended", "turn": turn.id, "outcome": outcome, "why": why, "session": session, "tools": turn.tools}
        try:
            await self._put(ended)
        except Full as error:
            # Herald learns it from the next process: what ran in this one runs no longer.
            log.warning("herald: the end of a turn was not kept: %s", error)
        for each in folded:
            # Its words went into the turn that just ended, and so did what was said to them.
            await self.end_turn(each, outcome, why)

    async def _look(self) -> None:
        """Questions that ended elsewhere, and turns whose end nobody told."""
        while True:
            await asyncio.sleep(LOOK_EVERY)
            try:
                for ask in self._asks.gone():
                    await self._put({"kind": "void", "ref": ask.ref, "turn": ask.turn})
                    turn = self._turns.get(ask.turn)
                    if ask.kind == "confirm" and turn is not None and turn.state == "confirming":
                        await self.end_turn(turn, "completed")
                await self._inbound.look()
            except Exception:  # whatever it is, the next look may go well
                log.exception("herald: look")

    # ── Keeping ───────────────────────────────────────────────────────────────────────────────────────────────────────

    async def _put(self, event: dict[str, Any], **how: Any) -> int:
        link = self._link
        if self._spool is None or self._disk is None or link is None:
            raise Full("the adapter is not connected")
        seq = await asyncio.get_running_loop().run_in_executor(self._disk, lambda: self._spool.put(event, **how))
        link.wake()
        return seq

    async def _said(self, event: dict[str, Any], message: str, *, wait: bool = False, **how: Any) -> Any:
        """Kept = said. What belongs to no turn may be refused (Herald does not know the chat): that is waited for."""
        try:
            seq = await self._put({**event, "at": time.time()}, **how)
            while len(self._messages) > 500:
                self._messages.pop(next(iter(self._messages)))
            self._messages.setdefault(message, event.get("turn"))
        except Exception as error:  # told to Hermes, which has its own ways of saying so
            log.warning("herald: not kept: %s", error)
            return SendResult(success=False, error=f"Herald cannot be told: {error}")
        if wait and seq and self._link is not None and self._link.herald_answers is not False:
            why = await self._confirmed(seq)
            if why:
                return SendResult(success=False, error=f"Herald refused this: {why}")
        return SendResult(success=True, message_id=message)

    async def _confirmed(self, seq: int) -> str | None:
        if seq <= self._taken:
            return self._refused.get(seq)
        future: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        self._waiting[seq] = future
        try:
            return await asyncio.wait_for(future, CONFIRM_WAIT)
        except asyncio.TimeoutError:
            return None
        finally:
            self._waiting.pop(seq, None)

    def _on_confirmed(self, taken: int, refused: dict[int, str]) -> None:
        """From the thread that sends."""
        if self._loop is None:
            return

        def tell() -> None:
            self._taken = max(self._taken, taken)
            self._refused = refused
            for seq in [seq for seq in self._waiting if seq <= taken]:
                future = self._waiting[seq]
                if not future.done():
                    future.set_result(refused.get(seq))

        try:
            self._loop.call_soon_threadsafe(tell)
        except RuntimeError:
            pass  # the loop has ended


def _thread(meta: dict[str, Any]) -> str | None:
    thread = meta.get("thread_id")
    return str(thread) if thread else None


def _without_cursor(text: Any) -> str:
    text = str(text)
    for cursor in CURSORS:
        if text.endswith(cursor):
            return text[: -len(cursor)]
    return text
