"""A stand-in of Hermes' gateway, as far as the platform adapter meets it: written from what is known of the real one
(gateway/platforms/base.py, tools/approval.py, tools/clarify_gateway.py, tools/slash_confirm.py), none of it copied.

`install()` puts its modules where the adapter looks for Hermes'. `StandInGateway` runs turns of an agent that does what the
message says: the first word is the deed.
"""

from __future__ import annotations

import asyncio
import contextvars
import enum
import sys
import threading
import time
import types
import uuid
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

# ── The modules ───────────────────────────────────────────────────────────────────────────────────────────────────────────


class Platform:
    def __init__(self, value: str) -> None:
        self.value = value


@dataclass
class PlatformConfig:
    enabled: bool = True
    extra: dict = field(default_factory=dict)
    home_channel: Any = None


@dataclass
class SessionSource:
    platform: Any
    chat_id: str
    chat_name: str | None = None
    chat_type: str = "dm"
    user_id: str | None = None
    user_name: str | None = None
    thread_id: str | None = None
    user_id_alt: str | None = None
    message_id: str | None = None


def build_session_key(source, group_sessions_per_user: bool = True, thread_sessions_per_user: bool = False) -> str:
    parts = ["agent:main", source.platform.value, source.chat_type, source.chat_id]
    if source.thread_id:
        parts.append(source.thread_id)
    elif source.chat_type != "dm" and group_sessions_per_user:
        parts.append(source.user_id_alt or source.user_id)
    return ":".join(str(part) for part in parts)


class MessageType(enum.Enum):
    TEXT = "text"
    PHOTO = "photo"
    DOCUMENT = "document"


class ProcessingOutcome(enum.Enum):
    SUCCESS = "success"
    FAILURE = "failure"
    CANCELLED = "cancelled"


@dataclass
class MessageEvent:
    text: str
    message_type: MessageType = MessageType.TEXT
    source: Any = None
    raw_message: Any = None
    message_id: str | None = None
    media_urls: list = field(default_factory=list)
    media_types: list = field(default_factory=list)
    channel_prompt: str | None = None
    internal: bool = False


@dataclass
class SendResult:
    success: bool
    message_id: str | None = None
    error: str | None = None
    retryable: bool = False


class BasePlatformAdapter:
    """One turn at a time per conversation; what comes meanwhile waits in a single place or is a command."""

    SUPPORTS_MESSAGE_EDITING = False

    def __init__(self, config, platform) -> None:
        self.config = config
        self.platform = platform
        self._message_handler = None
        self._running = False
        self._active_sessions: dict[str, asyncio.Event] = {}
        self._pending_messages: dict[str, MessageEvent] = {}
        self._session_tasks: dict[str, asyncio.Task] = {}
        self._background_tasks: set[asyncio.Task] = set()
        self._expected_cancelled_tasks: set[asyncio.Task] = set()

    def set_message_handler(self, handler) -> None:
        self._message_handler = handler

    def set_session_store(self, store) -> None:
        self._session_store = store

    def _mark_connected(self) -> None:
        self._running = True

    def _mark_disconnected(self) -> None:
        self._running = False

    def build_source(self, chat_id, chat_name=None, chat_type="dm", user_id=None, user_name=None, thread_id=None, user_id_alt=None, message_id=None):
        return SessionSource(self.platform, str(chat_id), chat_name, chat_type, user_id, user_name, thread_id, user_id_alt, message_id)

    async def on_processing_start(self, event) -> None: ...

    async def on_processing_complete(self, event, outcome) -> None: ...

    async def send(self, chat_id, content, reply_to=None, metadata=None): ...

    async def handle_message(self, event) -> None:
        if not self._message_handler:
            return
        key = build_session_key(event.source)
        if key in self._active_sessions:
            command = event.text[1:].split()[0] if event.text.startswith("/") else None
            if command in ("stop", "new", "status", "steer", "resume"):
                response = await self._message_handler(event)
                if response:
                    await self.send(chat_id=event.source.chat_id, content=response, reply_to=event.message_id)
                if command in ("stop", "new"):
                    task = self._session_tasks.pop(key, None)
                    if task and not task.done():
                        self._expected_cancelled_tasks.add(task)
                        task.cancel()
                        await asyncio.wait([task], timeout=5)
                    self._active_sessions.pop(key, None)
                return
            pending = self._pending_messages.get(key)
            if pending is not None:
                pending.text += f"\n{event.text}"
            else:
                self._pending_messages[key] = event
            self._active_sessions[key].set()
            return
        self._begin(event, key)

    def _begin(self, event, key) -> None:
        self._active_sessions[key] = asyncio.Event()
        task = asyncio.create_task(self._process(event, key))
        self._session_tasks[key] = task
        self._background_tasks.add(task)
        task.add_done_callback(self._background_tasks.discard)

    async def _process(self, event, key) -> None:
        try:
            await self.on_processing_start(event)
            response = await self._message_handler(event)
            if response:
                await self.send(chat_id=event.source.chat_id, content=response, reply_to=event.message_id, metadata={"notify": True})
            await self.on_processing_complete(event, ProcessingOutcome.SUCCESS)
        except asyncio.CancelledError:
            expected = asyncio.current_task() in self._expected_cancelled_tasks
            await self.on_processing_complete(event, ProcessingOutcome.CANCELLED if expected else ProcessingOutcome.FAILURE)
            raise
        except Exception as error:
            await self.on_processing_complete(event, ProcessingOutcome.FAILURE)
            await self.send(chat_id=event.source.chat_id, content=f"Sorry, I encountered an error ({type(error).__name__}).")
        finally:
            if self._session_tasks.get(key) is asyncio.current_task():
                del self._session_tasks[key]
                self._active_sessions.pop(key, None)
                pending = self._pending_messages.pop(key, None)
                if pending is not None:
                    self._begin(pending, key)

    async def cancel_background_tasks(self) -> None:
        for task in list(self._background_tasks):
            self._expected_cancelled_tasks.add(task)
            task.cancel()
        if self._background_tasks:
            await asyncio.wait(list(self._background_tasks), timeout=5)


# tools.approval, in both of its shapes


class _Waiting:
    def __init__(self, data) -> None:
        self.event = threading.Event()
        self.data = data
        self.result = None


class Approvals:
    def __init__(self, named: bool) -> None:
        self.module = types.ModuleType("tools.approval")
        self.module._lock = threading.Lock()
        self.module._gateway_queues = {}
        self.named = named
        #: (command, choice) of everything that was decided
        self.decided: list[tuple[str, str | None]] = []
        if named:

            def resolve(session_key, choice, resolve_all=False, reason=None, request_id=None):
                return self._resolve(session_key, choice, request_id)

        else:

            def resolve(session_key, choice, resolve_all=False):
                return self._resolve(session_key, choice, None)

        self.module.resolve_gateway_approval = resolve

    def _resolve(self, key, choice, request_id):
        with self.module._lock:
            queue = self.module._gateway_queues.get(key) or []
            entry = next((e for e in queue if request_id in (None, e.data.get("request_id"))), None)
            if entry is None:
                return 0
            queue.remove(entry)
        entry.result = choice
        entry.event.set()
        return 1

    def wait(self, key: str, command: str, notify, timeout: float) -> str | None:
        """In the agent's thread: asks, and waits for the answer."""
        entry = _Waiting({"command": command, **({"request_id": uuid.uuid4().hex} if self.named else {})})
        with self.module._lock:
            self.module._gateway_queues.setdefault(key, []).append(entry)
        notify()
        entry.event.wait(timeout)
        with self.module._lock:
            queue = self.module._gateway_queues.get(key, [])
            if entry in queue:
                queue.remove(entry)
        self.decided.append((command, entry.result))
        return entry.result


def _clarify_module():
    module = types.ModuleType("tools.clarify_gateway")
    module._entries = {}

    def resolve_gateway_clarify(clarify_id, response):
        entry = module._entries.get(clarify_id)
        if entry is None or entry.event.is_set():
            return False
        entry.result = response
        entry.event.set()
        return True

    module.resolve_gateway_clarify = resolve_gateway_clarify
    return module


def _confirm_module():
    module = types.ModuleType("tools.slash_confirm")
    module._pending = {}

    def get_pending(key):
        return module._pending.get(key)

    async def resolve(key, confirm_id, choice, timeout=300):
        pending = module._pending.get(key)
        if not pending or pending["confirm_id"] != confirm_id:
            return None
        del module._pending[key]
        return await pending["handler"](choice)

    module.get_pending, module.resolve = get_pending, resolve
    return module


_session_env: contextvars.ContextVar[dict] = contextvars.ContextVar("session_env", default={})


def install(*, new: bool = False) -> dict[str, Any]:
    """Puts Hermes' modules into sys.modules. `new` = where newer releases have moved things."""
    approvals = Approvals(named=new)
    modules = {name: types.ModuleType(name) for name in ("gateway", "gateway.config", "gateway.platforms", "gateway.platforms.base", "gateway.session", "gateway.session_context", "tools", "hermes_cli", "hermes_cli.commands")}
    modules["gateway.config"].Platform = Platform
    modules["gateway.config"].PlatformConfig = PlatformConfig
    base = modules["gateway.platforms.base"]
    base.BasePlatformAdapter, base.SendResult = BasePlatformAdapter, SendResult
    if new:
        modules["gateway.platforms.event"] = types.ModuleType("gateway.platforms.event")
    event = modules["gateway.platforms.event"] if new else base
    event.MessageEvent, event.MessageType = MessageEvent, MessageType
    modules["gateway.session"].build_session_key = build_session_key
    modules["gateway.session_context"].get_session_env = lambda name, default="": _session_env.get().get(name, default)
    modules["tools.approval"] = approvals.module
    modules["tools.clarify_gateway"] = _clarify_module()
    modules["tools.slash_confirm"] = _confirm_module()
    modules["hermes_cli"].__version__ = "0.21.3" if new else "0.16.0"
    modules["hermes_cli.commands"].resolve_command = lambda name: object() if new or name != "steer" else None
    for name in ("approval", "clarify_gateway", "slash_confirm"):
        setattr(modules["tools"], name, modules[f"tools.{name}"])
    sys.modules.pop("gateway.platforms.event", None)
    sys.modules.update(modules)
    return {**modules, "approvals": approvals}


# ── The gateway ───────────────────────────────────────────────────────────────────────────────────────────────────────────


class Context:
    """`ctx` of a Hermes that takes platforms from plugins."""

    def __init__(self) -> None:
        self.tools, self.hooks, self.platforms, self.sections = {}, {}, {}, {}

    def register_tool(self, name, **kw):
        self.tools[name] = kw

    def register_hook(self, name, callback):
        self.hooks.setdefault(name, []).append(callback)

    def register_platform(self, name, label, adapter_factory, check_fn, validate_config=None, required_env=None, install_hint="", **entry):
        self.platforms[name] = {"factory": adapter_factory, "check": check_fn, **entry}

    def invoke(self, name, **kw):
        for callback in self.hooks.get(name, []):
            callback(telemetry_schema_version="hermes.observer.v1", **kw)


class Store:
    """Which session a conversation is in."""

    def __init__(self) -> None:
        self._entries: dict[str, Any] = {}
        self._count = 0

    def current(self, key: str) -> str:
        if key not in self._entries:
            self.fresh(key)
        return self._entries[key].session_id

    def fresh(self, key: str) -> str:
        self._count += 1
        return self.switch(key, f"s{self._count}_{uuid.uuid4().hex[:6]}")

    def switch(self, key: str, session_id: str) -> str:
        self._entries[key] = types.SimpleNamespace(session_id=session_id)
        return session_id


class StandInGateway:
    def __init__(self, ctx: Context, modules: dict[str, Any], *, agent_context: bool = True) -> None:
        self.ctx = ctx
        self.modules = modules
        self.store = Store()
        self.agents = ThreadPoolExecutor(max_workers=8, thread_name_prefix="agent")
        #: the agent's threads know whose turn they work on, as newer releases see to
        self.agent_context = agent_context
        #: (session, text) of every message the agent was given, in order
        self.given: list[tuple[str, str]] = []
        self.prompts: list[str | None] = []
        self.media: list[list[str]] = []
        self.interrupts: dict[str, threading.Event] = {}
        self.adapter: Any = None

    async def start(self) -> None:
        factory = self.ctx.platforms["herald"]["factory"]
        self.adapter = factory(PlatformConfig())
        self.adapter.set_message_handler(self.handle)
        self.adapter.set_session_store(self.store)
        self.loop = asyncio.get_running_loop()
        assert await self.adapter.connect()

    async def stop(self) -> None:
        await self.adapter.cancel_background_tasks()
        await self.adapter.disconnect()
        self.agents.shutdown(wait=False, cancel_futures=True)

    async def handle(self, event) -> str | None:
        key = build_session_key(event.source)
        if event.text.startswith("/"):
            return await self.command(event, key)
        session = self.store.current(key)
        self.given.append((session, event.text))
        self.prompts.append(event.channel_prompt)
        self.media.append(list(event.media_urls))
        self.interrupts[key] = threading.Event()
        env = {"HERMES_SESSION_KEY": key, "HERMES_SESSION_MESSAGE_ID": event.message_id or ""}

        def agent():
            return self.agent(event, key, session, env)

        run = contextvars.copy_context().run if self.agent_context else (lambda act: act())
        try:
            return await self.loop.run_in_executor(self.agents, lambda: run(agent))
        except asyncio.CancelledError:
            self.interrupts[key].set()
            raise

    async def command(self, event, key) -> str | None:
        name, _, rest = event.text[1:].partition(" ")
        if name == "stop":
            if key in self.interrupts:
                self.interrupts[key].set()
            return "Stopped."
        if name == "resume":
            self.store.switch(key, rest.strip())
            return f"Resumed {rest}."
        if name == "steer":
            self.given.append(("steered", rest))
            return "Steered."
        if name == "new":

            async def decided(choice):
                if choice == "cancel":
                    return "Kept."
                self.store.fresh(key)
                return "New session."

            confirm_id = uuid.uuid4().hex[:8]
            self.modules["tools.slash_confirm"]._pending[key] = {"confirm_id": confirm_id, "handler": decided}
            await self.adapter.send_slash_confirm(
                chat_id=event.source.chat_id, title="Start anew?", message="This ends the session.", session_key=key, confirm_id=confirm_id
            )
            return None
        return f"/{name} was here."

    def agent(self, event, key, session, env) -> str | None:
        """In a thread of its own, as Hermes' agent is."""
        if self.agent_context:
            _session_env.set(env)
        ids = {"session_id": session, "task_id": "t", "turn_id": f"{session}:t:{uuid.uuid4().hex[:8]}", "platform": "herald"}
        self.ctx.invoke("pre_llm_call", user_message=event.text, is_first_turn=True, **ids)
        chat = event.source.chat_id
        deed, _, rest = event.text.partition(" ")

        def on_loop(work):
            return asyncio.run_coroutine_threadsafe(work, self.loop).result(30)

        reply: str | None = f"You said: {event.text}"
        if deed == "stream":
            sent = on_loop(self.adapter.send(chat, "Well ▉", reply_to=event.message_id))
            for n in range(1, 6):
                on_loop(self.adapter.edit_message(chat, sent.message_id, f"{'Well ' * (n + 1)}▉"))
            on_loop(self.adapter.edit_message(chat, sent.message_id, f"{'Well ' * 6}done.", finalize=True))
            reply = None
        elif deed == "approve":
            decided = self.modules["approvals"].wait(
                key,
                rest,
                lambda: on_loop(self.adapter.send_exec_approval(chat_id=chat, command=rest, session_key=key, description="deletes")),
                15,
            )
            reply = f"Decided: {decided}"
        elif deed == "ask":
            question, *choices = rest.split("|")
            clarify_id = uuid.uuid4().hex[:8]
            entry = _Waiting({})
            self.modules["tools.clarify_gateway"]._entries[clarify_id] = entry
            on_loop(self.adapter.send_clarify(chat_id=chat, question=question, choices=choices or None, clarify_id=clarify_id, session_key=key))
            entry.event.wait(15)
            del self.modules["tools.clarify_gateway"]._entries[clarify_id]
            reply = f"You chose: {entry.result}"
        elif deed == "slow":
            if self.interrupts[key].wait(float(rest or 5)):
                self.ctx.invoke("on_session_end", completed=False, interrupted=True, **ids)
                return None
        elif deed == "tool":
            self.ctx.invoke("pre_tool_call", tool_name="terminal", args={"command": rest}, tool_call_id="c", **ids)
            self.ctx.invoke("post_tool_call", tool_name="terminal", args={}, result="ok", status="ok", duration_ms=12, tool_call_id="c", **ids)
        elif deed == "file":
            on_loop(self.adapter.send_document(chat, rest, caption="Here it is."))
        elif deed == "fail":
            # A model that cannot be reached: no word at the end of the turn, an apology as its text.
            return "⚠️ The model did not answer."
        elif deed == "raise":
            raise RuntimeError("broken")
        elif deed == "compress":
            session = ids["session_id"] = self.store.switch(key, f"{session}_c")
        elif deed == "twice":
            on_loop(self.adapter.send(chat, "First I look around."))
            reply = "Then I answer."
        elif deed == "die":
            import os

            os._exit(9)
        self.ctx.invoke("on_session_end", completed=True, interrupted=False, **ids)
        return reply

    async def by_itself(self, chat: str, text: str) -> None:
        """A turn the gateway begins: a goal's next step."""
        source = self.adapter.build_source(chat_id=chat)
        await self.adapter.handle_message(MessageEvent(text=text, source=source, internal=True))


def wait_until(look, seconds: float = 10.0):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        found = look()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError("it did not happen in time")
