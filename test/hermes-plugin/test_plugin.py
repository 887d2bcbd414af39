"""The plugin against a stand-in of Herald's bridge and a stand-in of Hermes' context."""

import importlib.util
import json
import socket
import sys
import tempfile
import threading
import time
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

PLUGIN = Path(__file__).resolve().parents[2] / "src" / "hermes-bridge" / "plugin" / "herald"
TOKEN = "t" * 32
TOOL = {"name": "tracking_manage", "description": "d", "parameters": {"type": "object", "properties": {}}}
SECTIONS = [
    {"name": "tracking", "text": "Keep track silently.", "notOn": ["cron", "subagent"]},
    {"name": "announce", "text": "Say what you are about to do.", "notOn": ["cron", "subagent", "cli"]},
]


class StandInHerald:
    """Answers like the bridge, and remembers what it was asked."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str, object]] = []
        self.answers: dict[str, tuple[int, object]] = {
            "/bridge/ping": (200, {"ok": True}),
            "/bridge/tools": (200, {"tools": [TOOL]}),
            "/bridge/advice": (200, {"sections": SECTIONS, "rules": []}),
            "/bridge/telemetry": (200, {"recorded": 1}),
            "/bridge/tools/tracking_manage": (200, {"items": []}),
        }
        herald = self

        class Handler(BaseHTTPRequestHandler):
            def _answer(self) -> None:
                length = int(self.headers.get("content-length") or 0)
                body = json.loads(self.rfile.read(length)) if length else None
                herald.calls.append((self.command, self.path, body))
                known = self.headers.get("authorization") == f"Bearer {TOKEN}"
                status, answer = herald.answers.get(self.path, (404, {"error": "unknown"})) if known else (401, {})
                raw = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("content-length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)

            do_GET = do_POST = _answer

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


class OldHermes:
    """`ctx` of Hermes 0.16: tools and hooks, no sections."""

    def __init__(self) -> None:
        self.tools: dict[str, dict] = {}
        self.hooks: dict[str, object] = {}

    def register_tool(self, name, toolset, schema, handler, check_fn=None, description="", **_):
        self.tools[name] = {"toolset": toolset, "schema": schema, "handler": handler, "check": check_fn}

    def register_hook(self, name, callback):
        self.hooks[name] = callback


class NewHermes(OldHermes):
    """`ctx` with prompt sections."""

    def __init__(self) -> None:
        super().__init__()
        self.sections: dict[str, object] = {}

    def register_system_prompt_section(self, id, content, *, position="after_memory", max_chars=4000):
        self.sections[id] = content


def load_plugin(folder: Path):
    """Imports the plugin from a copy of its folder, as Hermes does, under a name of its own."""
    name = f"hermes_plugins.herald_{time.monotonic_ns()}"
    spec = importlib.util.spec_from_file_location(name, folder / "__init__.py", submodule_search_locations=[str(folder)])
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


class PluginTest(unittest.TestCase):
    def setUp(self) -> None:
        self.herald = StandInHerald()
        self.addCleanup(self.herald.close)
        self.home = tempfile.TemporaryDirectory()
        self.addCleanup(self.home.cleanup)
        self.folder = Path(self.home.name) / "herald"
        self.folder.mkdir()
        for file in PLUGIN.glob("*.py"):
            (self.folder / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
        self.write_settings(self.herald.url)

    def write_settings(self, url: str, token: str = TOKEN) -> None:
        (self.folder / "herald.json").write_text(json.dumps({"url": url, "token": token}))

    def register(self, ctx) -> None:
        load_plugin(self.folder).register(ctx)

    def test_registers_the_tools_herald_has_and_calls_them_with_the_session(self) -> None:
        ctx = OldHermes()
        self.register(ctx)
        tool = ctx.tools["tracking_manage"]
        self.assertEqual(tool["schema"], TOOL)
        self.assertTrue(tool["check"]())
        answer = tool["handler"]({"action": "list"}, session_id="s1", task_id="t1", user_task="x")
        self.assertEqual(json.loads(answer), {"items": []})
        body = next(body for _, path, body in self.herald.calls if path == "/bridge/tools/tracking_manage")
        self.assertEqual(body, {"args": {"action": "list"}, "context": {"session_id": "s1", "task_id": "t1"}})

    def test_hermes_own_review_of_a_turn_calls_nothing(self) -> None:
        ctx = OldHermes()
        self.register(ctx)
        handler = ctx.tools["tracking_manage"]["handler"]
        answer = handler({"action": "close"}, session_id="s1", user_task="Review the conversation above and save what matters")
        self.assertIn("error", json.loads(answer))
        self.assertNotIn("/bridge/tools/tracking_manage", [path for _, path, _ in self.herald.calls])

    def test_a_refusal_reaches_the_model_in_words(self) -> None:
        self.herald.answers["/bridge/tools/tracking_manage"] = (422, {"error": "action: expected list"})
        ctx = OldHermes()
        self.register(ctx)
        self.assertEqual(json.loads(ctx.tools["tracking_manage"]["handler"]({})), {"error": "action: expected list"})

    def test_with_herald_down_the_tools_are_known_from_last_time_and_answer_without_raising(self) -> None:
        self.register(OldHermes())
        self.herald.close()
        ctx = OldHermes()
        self.register(ctx)
        tool = ctx.tools["tracking_manage"]
        self.assertFalse(tool["check"]())
        self.assertIn("not running", json.loads(tool["handler"]({"action": "list"}))["error"])

    def test_never_seen_and_down_registers_nothing_and_raises_nothing(self) -> None:
        self.herald.close()
        ctx = OldHermes()
        self.register(ctx)
        self.assertEqual(ctx.tools, {})

    def test_a_damaged_cache_is_no_tools(self) -> None:
        self.herald.close()
        (self.folder / "tools.json").write_text("{half")
        ctx = OldHermes()
        self.register(ctx)
        self.assertEqual(ctx.tools, {})

    def test_without_usable_settings_nothing_is_registered(self) -> None:
        for text in ("", "{}", '{"url":"http://example.org","token":"%s"}' % TOKEN, '{"url":"%s","token":"short"}' % self.herald.url):
            (self.folder / "herald.json").write_text(text)
            ctx = OldHermes()
            self.register(ctx)
            self.assertEqual((ctx.tools, ctx.hooks), ({}, {}))
        self.assertEqual(self.herald.calls, [])

    def test_sections_are_registered_where_hermes_has_them_and_depend_on_the_platform(self) -> None:
        ctx = NewHermes()
        self.register(ctx)
        self.assertEqual(set(ctx.sections), {"herald.tracking", "herald.announce"})
        self.assertIsNone(ctx.hooks["pre_llm_call"](platform="feishu", user_message="hi"))
        tracking, announce = ctx.sections["herald.tracking"], ctx.sections["herald.announce"]
        self.assertEqual(tracking({"platform": "feishu"}), "Keep track silently.")
        self.assertEqual(tracking({"platform": "cron"}), "")
        self.assertEqual(announce({"platform": "cli"}), "")
        self.assertEqual(tracking({}), "")
        self.assertEqual(tracking(None), "")

    def test_an_older_hermes_gets_the_sections_with_each_turn_except_its_own_review(self) -> None:
        ctx = OldHermes()
        self.register(ctx)
        hook = ctx.hooks["pre_llm_call"]
        both = {"context": "Keep track silently.\n\nSay what you are about to do."}
        self.assertEqual(hook(platform="feishu", user_message="hi", session_id="s"), both)
        self.assertIsNone(hook(platform="subagent", user_message="hi"))
        self.assertIsNone(hook(platform="feishu", user_message="Review the conversation above and …"))
        self.assertIsNone(hook())

    def test_a_turn_touches_no_socket(self) -> None:
        ctx = OldHermes()
        self.register(ctx)
        real = socket.socket

        def forbidden(*_: object, **__: object):
            raise AssertionError("a socket in the agent's thread")

        socket.socket = forbidden
        try:
            for _ in range(100):
                ctx.hooks["pre_llm_call"](platform="feishu", user_message="hi")
        finally:
            socket.socket = real

    def test_nonsense_from_herald_is_no_section(self) -> None:
        self.herald.answers["/bridge/advice"] = (200, {"sections": [1, {"name": "tracking"}, {"name": "x", "text": "t", "notOn": []}]})
        ctx = OldHermes()
        self.register(ctx)
        self.assertIsNone(ctx.hooks["pre_llm_call"](platform="feishu", user_message="hi"))


if __name__ == "__main__":
    unittest.main()
