"""The plugin's hooks: what they tell Herald, what they answer, and that no turn ever waits for them."""

import builtins
import json
import socket
import sqlite3
import sys
import tempfile
import time
import unittest
from pathlib import Path

from test_plugin import PLUGIN, TOKEN, NewHermes, OldHermes, StandInHerald, load_plugin

RULES = [
    {"id": "r1", "level": "warn", "say": "Ask which quote is meant.", "priority": 2, "when": [{"on": "text", "op": "contains", "any": ["报价单", "quote"]}]},
    {"id": "r2", "level": "warn", "say": "Only on Feishu.", "priority": 1, "when": [{"on": "platform", "op": "equals", "any": ["feishu"]}]},
    {"id": "r3", "level": "block", "say": "Force pushes are not wanted here.", "priority": 1,
     "when": [{"on": "tool", "op": "equals", "any": ["terminal"]}, {"on": "input", "op": "pattern", "any": [["git push", "--force"]]}]},
    {"id": "r4", "level": "block", "say": "Everything.", "priority": 9, "when": [{"on": "platform", "op": "equals", "any": ["feishu"]}]},
    {"id": "bad", "level": "warn", "say": "x", "when": [{"on": "moon", "op": "equals", "any": ["full"]}]},
]  # fmt: skip


class HooksTest(unittest.TestCase):
    def setUp(self) -> None:
        self.herald = StandInHerald()
        self.addCleanup(self.herald.close)
        self.herald.answers["/bridge/advice"] = (200, {"sections": [], "rules": RULES, "budget": 600, "most": 3})
        home = tempfile.TemporaryDirectory()
        self.addCleanup(home.cleanup)
        self.folder = Path(home.name) / "herald"
        self.folder.mkdir()
        for file in PLUGIN.glob("*.py"):
            (self.folder / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
        (self.folder / "herald.json").write_text(json.dumps({"url": self.herald.url, "token": TOKEN}))
        self.ctx = NewHermes()

    def register(self) -> dict:
        module = load_plugin(self.folder)
        self.observer = None
        real = sys.modules[f"{module.__name__}.observer"].Observer
        # The thread is looked at by name, so that each test can end it.
        module.register(self.ctx)
        import gc

        self.observer = next(each for each in gc.get_objects() if isinstance(each, real))
        self.addCleanup(self.observer.stop)
        return self.ctx.hooks

    def told(self, least: int = 1, within: float = 3.0) -> list[dict]:
        """Events Herald has been sent, waited for."""
        until = time.monotonic() + within
        while True:
            events = [event for _, path, body in self.herald.calls if path == "/bridge/telemetry" for event in body["events"]]
            if len(events) >= least or time.monotonic() > until:
                return events
            time.sleep(0.02)

    def test_every_hook_tells_within_a_second_what_happened_and_in_which_turn(self) -> None:
        hooks = self.register()
        began = time.monotonic()
        hooks["pre_llm_call"](session_id="s1", turn_id="t1", user_message="查一下", platform="feishu", model="m", is_first_turn=True)
        hooks["post_tool_call"](tool_name="terminal", args={"command": "ls"}, result='{"exit_code": 0}', session_id="s1", turn_id="t1", tool_call_id="c1", status="ok", duration_ms=12, error_type=None, error_message=None, middleware_trace=[])  # fmt: skip
        hooks["post_api_request"](session_id="s1", turn_id="t1", usage={"prompt_tokens": 10, "completion_tokens": 3})
        hooks["api_request_error"](session_id="s1", turn_id="t1", status_code=429, retry_count=1, retryable=True, reason="rate_limit", error={"type": "X", "message": "m"})  # fmt: skip
        hooks["subagent_start"](parent_session_id="s1", parent_turn_id="t1", child_session_id="s2", child_role="worker", child_goal="g")
        hooks["subagent_stop"](parent_session_id="s1", parent_turn_id="t1", child_session_id="s2", child_role="worker", child_status="completed", duration_ms=5)  # fmt: skip
        hooks["pre_approval_request"](session_key="k", turn_id="t1", pattern_key="rm", surface="gateway", command="rm -rf x", description="d")
        hooks["post_approval_response"](session_key="k", turn_id="t1", pattern_key="rm", surface="gateway", choice="deny")
        hooks["post_llm_call"](session_id="s1", turn_id="t1", user_message="查一下", assistant_response="好", conversation_history=[])
        hooks["on_session_end"](session_id="s1", turn_id="t1", completed=True, interrupted=False)
        events = self.told(10)
        self.assertLess(time.monotonic() - began, 1.0)
        self.assertEqual([event["hook"] for event in events], list(dict.fromkeys(event["hook"] for event in events)))
        self.assertEqual(len(events), 10)
        for event in events:
            self.assertEqual((event["sessionId"], event["turnId"], event["platform"]), ("s1", "t1", "feishu"))
        tool = next(event for event in events if event["hook"] == "post_tool_call")
        self.assertEqual((tool["tool"], tool["args"], tool["ms"], tool["status"]), ("terminal", {"command": "ls"}, 12, "ok"))
        self.assertNotIn("rm -rf x", json.dumps(events))

    def test_reviews_own_turns_and_subagents_are_marked_with_everything_that_comes_of_them(self) -> None:
        hooks = self.register()
        for turn, words in (("r", "Review the conversation above and save"), ("e", "[Herald editorial turn]\n…"), ("g", "[Continuing toward your standing goal]\nGoal: x"), ("p", "hello")):  # fmt: skip
            hooks["pre_llm_call"](session_id="s1", turn_id=turn, user_message=words, platform="feishu")
            hooks["post_tool_call"](tool_name="memory", args={}, result="", session_id="s1", turn_id=turn, status="ok")
        hooks["subagent_start"](parent_session_id="s1", parent_turn_id="p", child_session_id="s9")
        hooks["pre_llm_call"](session_id="s9", turn_id="c", user_message="do it", platform="feishu")
        hooks["on_session_end"](session_id="s9", turn_id="c", completed=True)
        marks = {}
        for event in self.told(11):
            marks.setdefault(event["turnId"], set()).add(event.get("origin"))
        self.assertEqual(marks, {"r": {"review"}, "e": {"editorial"}, "g": {"goal"}, "p": {None}, "c": {"subagent"}})

    def test_secrets_are_masked_before_they_leave(self) -> None:
        hooks = self.register()
        hooks["post_tool_call"](
            tool_name="terminal",
            args={"command": "export DB_PASSWORD=hunter2hunter2", "api_key": "zzz-123", "headers": "Authorization: Bearer abcdef123456"},
            result="sk-proj-abcdefghijklmnop1234 and https://me:secretword@example.org",
            session_id="s1",
            turn_id="t1",
            status="error",
            error_message="token=abcdefgh12345678 refused",
        )
        sent = json.dumps(self.told(1), ensure_ascii=False)
        for secret in ("hunter2", "zzz-123", "abcdef123456", "sk-proj", "secretword", "abcdefgh12345678"):
            self.assertNotIn(secret, sent)

    def test_long_results_and_arguments_are_cut_before_they_are_queued(self) -> None:
        hooks = self.register()
        self.observer.stop()
        hooks["post_tool_call"](tool_name="write_file", args={"content": "字" * 1_000_000, "list": list(range(10_000))}, result="x" * 1_000_000, session_id="s", status="ok")  # fmt: skip
        entry = self.observer._waiting[0]
        self.assertLess(len(repr(entry)), 4_000)
        self.observer._send()
        [event] = self.told(1)
        self.assertEqual(event["resultChars"], 1_000_000)
        self.assertTrue(event["args"]["content"].endswith("(1000000)"))

    def test_the_same_batch_is_sent_again_under_its_name_until_it_is_taken(self) -> None:
        self.herald.answers["/bridge/telemetry"] = (500, {})
        hooks = self.register()
        hooks["on_session_end"](session_id="s1", turn_id="t1", completed=True)
        time.sleep(0.5)
        hooks["on_session_end"](session_id="s1", turn_id="t2", completed=True)
        time.sleep(0.3)
        self.herald.answers["/bridge/telemetry"] = (200, {})
        until = time.monotonic() + 6
        while time.monotonic() < until and len({b["batch"] for _, p, b in self.herald.calls if p == "/bridge/telemetry"}) < 2:
            time.sleep(0.05)
        batches = [body for _, path, body in self.herald.calls if path == "/bridge/telemetry"]
        first = [body for body in batches if body["batch"] == batches[0]["batch"]]
        self.assertGreater(len(first), 1)
        self.assertTrue(all(body["events"] == first[0]["events"] for body in first))
        last = [body for body in batches if body["batch"] != batches[0]["batch"]]
        self.assertEqual([event["turnId"] for event in last[0]["events"]], ["t2"])

    def test_with_herald_away_the_oldest_are_dropped_and_counted_and_memory_stays_bounded(self) -> None:
        hooks = self.register()
        self.observer.stop()
        self.herald.close()
        module = sys.modules[type(self.observer).__module__]
        for n in range(module.MOST_WAITING + 500):
            hooks["post_tool_call"](tool_name="t", args={"a": "x" * 5_000}, result="y" * 5_000, session_id=str(n), status="ok")
        self.assertEqual(len(self.observer._waiting), module.MOST_WAITING)
        events = list(self.observer._take())
        self.assertEqual(events[0]["sessionId"], "500")
        self.assertEqual(self.observer.dropped, 500)

    def test_no_hook_touches_a_socket_a_file_or_a_database(self) -> None:
        hooks = self.register()
        self.observer.stop()

        def forbidden(*_: object, **__: object):
            raise AssertionError("not in the agent's thread")

        saved = (socket.socket, socket.create_connection, sqlite3.connect, builtins.open)
        socket.socket = socket.create_connection = sqlite3.connect = builtins.open = forbidden
        try:
            for hook in hooks.values():
                hook(session_id="s", turn_id="t", tool_name="x", args={"a": 1}, result="r", user_message="m", platform="feishu", status="ok")
                hook()
        finally:
            socket.socket, socket.create_connection, sqlite3.connect, builtins.open = saved

    def test_hints_that_fit_come_with_the_turn_and_not_with_turns_nobody_speaks_in(self) -> None:
        hook = self.register()["pre_llm_call"]
        said = hook(platform="feishu", user_message="把报价单发给客户A", session_id="s", turn_id="t")["context"]
        self.assertIn("Ask which quote is meant.", said)
        self.assertIn("Only on Feishu.", said)
        self.assertNotIn("Ask which", hook(platform="feishu", user_message="天气怎么样", turn_id="t")["context"])
        self.assertIsNone(hook(platform="cli", user_message="天气怎么样", turn_id="t"))
        self.assertIsNone(hook(platform="feishu", user_message="[Herald editorial turn] 报价单", turn_id="t"))

    def test_a_rule_holds_back_the_call_it_names_and_no_rule_holds_back_everything(self) -> None:
        hooks = self.register()
        hooks["pre_llm_call"](platform="feishu", user_message="x", turn_id="t")
        block = hooks["pre_tool_call"]
        self.assertEqual(
            block(tool_name="terminal", args={"command": "git  push origin main --force"}, turn_id="t"),
            {"action": "block", "message": "Force pushes are not wanted here."},
        )
        self.assertIsNone(block(tool_name="terminal", args={"command": "git push origin main"}, turn_id="t"))
        self.assertIsNone(block(tool_name="web", args={"q": "git push --force"}, turn_id="t"))
        self.assertIsNone(block(tool_name="tracking_manage", args={}, turn_id="t"))
        self.assertIsNone(block())

    def test_with_herald_gone_no_rule_speaks_any_more(self) -> None:
        hooks = self.register()
        self.assertIsNotNone(hooks["pre_llm_call"](platform="feishu", user_message="quote", turn_id="t"))
        self.herald.close()
        until = time.monotonic() + 5
        while hooks["pre_llm_call"](platform="feishu", user_message="quote", turn_id="t") and time.monotonic() < until:
            time.sleep(0.05)
        self.assertIsNone(hooks["pre_llm_call"](platform="feishu", user_message="quote", turn_id="t"))
        self.assertIsNone(hooks["pre_tool_call"](tool_name="terminal", args={"command": "git push --force"}, turn_id="t"))

    def test_rules_made_to_be_slow_cost_next_to_nothing(self) -> None:
        evil = [{"id": str(n), "level": "warn", "say": str(n), "when": [{"on": "text", "op": "pattern", "any": [["a"] * 40 + ["b"]] * 64}]} for n in range(200)]  # fmt: skip
        self.herald.answers["/bridge/advice"] = (200, {"rules": evil})
        hook = self.register()["pre_llm_call"]
        hook(platform="feishu", user_message="warm", turn_id="t")
        began = time.perf_counter()
        hook(platform="feishu", user_message="a" * 1_000_000, turn_id="t")
        self.assertLess(time.perf_counter() - began, 1.0)

    def test_a_one_shot_process_tells_of_its_last_turn(self) -> None:
        hooks = self.register()
        hooks["on_session_end"](session_id="s1", turn_id="t1", completed=True)
        self.observer.last_words()
        self.assertEqual(len(self.told(1, within=0)), 1)

    def test_an_old_hermes_gets_hints_beside_the_sections(self) -> None:
        self.herald.answers["/bridge/advice"] = (200, {"sections": [{"name": "tracking", "text": "Keep track.", "notOn": []}], "rules": RULES})
        self.ctx = OldHermes()
        said = self.register()["pre_llm_call"](platform="feishu", user_message="quote", turn_id="t")["context"]
        self.assertTrue(said.startswith("Keep track.\n\n["))
        self.assertIn("Ask which quote is meant.", said)

    def test_chats_herald_carries_over_the_api_server_have_the_sections_its_own_turns_have_not(self) -> None:
        section = {"name": "tracking", "text": "Keep track.", "notOn": ["api_server"]}
        self.herald.answers["/bridge/advice"] = (200, {"sections": [section], "ownSessions": ["herald-"], "rules": []})
        self.register()
        text = self.ctx.sections["herald.tracking"]
        self.assertEqual(text({"platform": "api_server", "session_id": "herald-dm-oc-ou-1"}), "Keep track.")
        self.assertEqual(text({"platform": "api_server", "session_id": "heraldown-1"}), "")
        self.assertEqual(text({"platform": "api_server", "session_id": "api_1"}), "")
        self.assertEqual(text({"platform": "api_server"}), "")


if __name__ == "__main__":
    unittest.main()
