"""The platform side of the plugin: a stand-in of the gateway on one side, a stand-in of Herald's bridge on the other."""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import threading
import time
import unittest
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from stand_in_gateway import Context, StandInGateway, install, wait_until  # noqa: E402
from test_plugin import PLUGIN, TOKEN, load_plugin  # noqa: E402

OWNER = {"id": "oc_owner", "type": "dm", "name": "Owner"}


class Herald:
    """Keeps orders until they are settled and events by their number, over restarts of its server."""

    def __init__(self) -> None:
        self.orders: dict[int, dict] = {}
        self.settled: dict[int, dict] = {}
        self.taken = 0
        self.events: list[dict] = []
        self.loose: list[dict] = []
        self.asks: list[dict] = []
        self.refuse: dict[str, str] = {}
        #: fails after the work, before the answer: the plugin must do it again
        self.lose_answers = 0
        self.port = 0
        self.server: ThreadingHTTPServer | None = None
        self.hang = False
        #: of its database: numbers begin anew with another one
        self.name = uuid.uuid4().hex
        self.lock = threading.Lock()

    def start(self) -> None:
        herald = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                if herald.hang:
                    time.sleep(3)
                    return
                status, answer = herald.answer(self.path, body)
                if herald.lose_answers and self.path.endswith("events") and body["events"]:
                    herald.lose_answers -= 1
                    self.connection.close()
                    return
                raw = json.dumps(answer).encode()
                try:
                    self.send_response(status)
                    self.send_header("content-length", str(len(raw)))
                    self.end_headers()
                    self.wfile.write(raw)
                except OSError:
                    pass

            def do_GET(self) -> None:
                self.send_response(404)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        for _ in range(50):
            try:
                self.server = ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
                break
            except OSError:
                time.sleep(0.05)
        self.server.daemon_threads = True
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        if self.server is not None:
            self.server.shutdown()
            self.server.server_close()
            self.server = None

    def answer(self, path: str, body: dict) -> tuple[int, dict]:
        if path == "/bridge/platform/orders":
            with self.lock:
                self.asks.append(body)
                for each in body["settled"]:
                    self.settled.setdefault(each["seq"], each)
                    self.orders.pop(each["seq"], None)
            until = time.monotonic() + 0.3
            while time.monotonic() < until:
                with self.lock:
                    due = [order for seq, order in sorted(self.orders.items()) if seq not in body["holding"]]
                if due:
                    return 200, {"orders": due}
                time.sleep(0.02)
            return 200, {"orders": []}
        if path == "/bridge/platform/events":
            refused = []
            with self.lock:
                for event in body["events"]:
                    if event["seq"] <= self.taken:
                        continue
                    self.taken = event["seq"]
                    self.events.append(event)
                    if event.get("chat") in self.refuse and not event.get("turn"):
                        refused.append({"seq": event["seq"], "why": self.refuse[event["chat"]]})
                self.loose.extend(body["loose"])
                for each in body["settled"]:
                    self.settled.setdefault(each["seq"], each)
                    self.orders.pop(each["seq"], None)
            return 200, {"taken": self.taken, "refused": refused}
        if path == "/bridge/platform/deliver":
            if body["chat"] in self.refuse:
                return 404, {"error": self.refuse[body["chat"]]}
            with self.lock:
                if body["id"] not in [event.get("message") for event in self.events]:
                    self.events.append({"kind": "delivered", "message": body["id"], **body})
            return 200, {"outcome": "owed"}
        return 404, {}

    def give(self, **order) -> int:
        with self.lock:
            seq = max([0, *self.orders, *self.settled]) + 1
            self.orders[seq] = {"seq": seq, "key": f"{self.name}-{seq}", **order}
            return seq

    def message(self, text: str, turn: str | None = None, **more) -> str:
        turn = turn or f"turn_{uuid.uuid4().hex[:8]}"
        order = {"kind": "message", "turnId": turn, "chat": OWNER, "sender": {"openId": "ou_owner"}, "text": text, **more}
        self.give(**order)
        return turn

    def of(self, turn: str, kind: str | None = None) -> list[dict]:
        return [event for event in list(self.events) if event.get("turn") == turn and kind in (None, event["kind"])]

    def ended(self, turn: str) -> dict:
        return wait_until(lambda: self.of(turn, "ended"))[0]

    def text(self, turn: str) -> str:
        said: dict[str, str] = {}
        for event in self.of(turn):
            if event["kind"] in ("said", "edited"):
                said[event["message"]] = event["text"]
        return "\n".join(said.values())

    def asked(self, turn: str) -> dict:
        return wait_until(lambda: self.of(turn, "asked"))[0]


class GatewayProcess:
    """The gateway's event loop in a thread of its own; `kill` leaves everything as a crash would."""

    def __init__(self, folder: Path, *, new: bool = False, agent_context: bool = True) -> None:
        self.modules = install(new=new)
        self.ctx = Context()
        load_plugin(folder).register(self.ctx)
        self.gateway = StandInGateway(self.ctx, self.modules, agent_context=agent_context)
        self.loop = asyncio.new_event_loop()
        #: the longest time the loop was kept from its work, in seconds
        self.longest_stall = 0.0
        threading.Thread(target=self._run, daemon=True).start()
        self.do(self.gateway.start())

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        self.loop.create_task(self._beat())
        self.loop.run_forever()

    async def _beat(self) -> None:
        while True:
            before = time.monotonic()
            await asyncio.sleep(0.01)
            self.longest_stall = max(self.longest_stall, time.monotonic() - before - 0.01)

    def do(self, work, seconds: float = 20.0):
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(seconds)

    @property
    def adapter(self):
        return self.gateway.adapter

    def stop(self) -> None:
        self.do(self.gateway.stop())
        self.loop.call_soon_threadsafe(self.loop.stop)

    def kill(self) -> None:
        """Nothing more of it reaches its disk or Herald, from one moment to the next."""
        adapter = self.adapter
        link, spool = adapter._link, adapter._spool
        adapter._link = adapter._spool = None
        if link is not None:
            link._stop.set()
            link._wake.set()
        for event in self.gateway.interrupts.values():
            event.set()

        async def end() -> None:
            tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks, timeout=1)
            self.loop.stop()

        asyncio.run_coroutine_threadsafe(end(), self.loop)
        for thread in link._threads if link else []:
            thread.join(2)
        wait_until(lambda: not self.loop.is_running())
        spool.close()


class World(unittest.TestCase):
    new = False
    agent_context = True

    def setUp(self) -> None:
        self.herald = Herald()
        self.herald.start()
        self.addCleanup(self.herald.stop)
        home = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(home.cleanup)
        self.home = Path(home.name)
        self.folder = self.home / "plugins" / "herald"
        self.folder.mkdir(parents=True)
        for file in [*PLUGIN.glob("*.py"), PLUGIN / "plugin.yaml"]:
            (self.folder / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
        settings = {"url": f"http://127.0.0.1:{self.herald.port}", "token": TOKEN}
        (self.folder / "herald.json").write_text(json.dumps(settings))
        self.processes: list[GatewayProcess] = []

    def tearDown(self) -> None:
        for process in self.processes:
            if process.loop.is_running() and process.adapter._link is not None:
                process.kill()

    def start(self) -> GatewayProcess:
        process = GatewayProcess(self.folder, new=self.new, agent_context=self.agent_context)
        self.processes.append(process)
        return process


class TurnCases:
    # ── Turns ────────────────────────────────────────────────────────────────────────────────────────────────────────

    def test_a_message_becomes_a_turn_and_its_reply_comes_back_once(self) -> None:
        process = self.start()
        turn = self.herald.message("hello", sender={"openId": "ou_owner", "unionId": "on_1", "name": "阿明"})
        ended = self.herald.ended(turn)
        self.assertEqual(ended["outcome"], "completed")
        self.assertEqual(self.herald.text(turn), "You said: hello")
        session = process.gateway.store.current("agent:main:herald:dm:oc_owner")
        self.assertEqual(ended["session"], session)
        self.assertEqual([event["kind"] for event in self.herald.of(turn)], ["running", "said", "ended"])
        self.assertEqual(wait_until(lambda: self.herald.settled.get(1)), {"seq": 1, "status": "taken"})

    def test_a_streamed_reply_moves_and_ends_whole_without_its_cursor(self) -> None:
        self.start()
        turn = self.herald.message("stream")
        self.herald.ended(turn)
        self.assertEqual(self.herald.text(turn), "Well " * 6 + "done.")
        self.assertNotIn("▉", "".join(event.get("text", "") for event in self.herald.of(turn)))

    def test_every_word_of_a_turn_belongs_to_it_in_its_order(self) -> None:
        self.start()
        turn = self.herald.message("twice")
        self.herald.ended(turn)
        self.assertEqual(self.herald.text(turn), "First I look around.\nThen I answer.")

    def test_messages_of_one_chat_reach_the_agent_in_their_order(self) -> None:
        process = self.start()
        for n in range(5):
            self.herald.ended(self.herald.message(f"m{n}"))
        self.assertEqual([text for _, text in process.gateway.given], [f"m{n}" for n in range(5)])

    def test_a_turn_that_dies_on_its_model_has_failed(self) -> None:
        self.start()
        turn = self.herald.message("fail")
        self.assertEqual(self.herald.ended(turn)["outcome"], "failed")
        self.assertIn("did not answer", self.herald.text(turn))
        turn = self.herald.message("raise")
        self.assertEqual(self.herald.ended(turn)["outcome"], "failed")

    def test_stop_ends_the_running_turn_and_nothing_else(self) -> None:
        self.start()
        turn = self.herald.message("slow 10")
        wait_until(lambda: self.herald.of(turn, "running"))
        seq = self.herald.give(kind="stop", turnId=turn)
        self.assertEqual(self.herald.ended(turn)["outcome"], "stopped")
        self.assertEqual(wait_until(lambda: self.herald.settled.get(seq))["status"], "taken")
        # What Hermes says to a command of Herald's own is for nobody.
        self.assertEqual(self.herald.text(turn), "")
        self.assertEqual([e for e in self.herald.events if e["kind"] == "said"], [])
        seq = self.herald.give(kind="stop", turnId=turn)
        self.assertEqual(wait_until(lambda: self.herald.settled.get(seq)), {"seq": seq, "status": "refused", "note": "not_running"})

    def test_a_typed_command_is_passed_through_also_beside_a_running_turn(self) -> None:
        self.start()
        slow = self.herald.message("slow 3")
        wait_until(lambda: self.herald.of(slow, "running"))
        command = self.herald.message("/status")
        self.herald.ended(command)
        self.assertEqual(self.herald.text(command), "/status was here.")
        self.assertEqual(self.herald.of(slow, "ended"), [])
        typed_stop = self.herald.message("/stop")
        self.assertEqual(self.herald.ended(slow)["outcome"], "stopped")
        self.herald.ended(typed_stop)
        self.assertEqual(self.herald.text(typed_stop), "Stopped.")

    def test_a_new_session_and_an_older_one_are_reached_with_hermes_own_commands_unseen(self) -> None:
        process = self.start()
        first = self.herald.ended(self.herald.message("one"))["session"]
        second = self.herald.ended(self.herald.message("two", session={"fresh": True}))["session"]
        self.assertNotEqual(first, second)
        third = self.herald.ended(self.herald.message("three", session={"id": first}))["session"]
        self.assertEqual(third, first)
        self.assertEqual([text for _, text in process.gateway.given], ["one", "two", "three"])
        said = [event["text"] for event in self.herald.events if event["kind"] == "said"]
        self.assertEqual(said, ["You said: one", "You said: two", "You said: three"])

    def test_people_of_a_group_share_a_session_or_have_their_own_as_herald_says(self) -> None:
        self.start()
        for shared in (True, False):
            chat = {"id": f"oc_group_{shared}", "type": "group", "shared": shared}
            a = self.herald.ended(self.herald.message("one", chat=chat, sender={"openId": "ou_a"}))
            b = self.herald.ended(self.herald.message("two", chat=chat, sender={"openId": "ou_b"}))
            self.assertEqual(a["session"] == b["session"], shared)

    def test_a_compression_gives_the_session_its_new_name(self) -> None:
        self.start()
        first = self.herald.ended(self.herald.message("one"))["session"]
        self.assertEqual(self.herald.ended(self.herald.message("compress"))["session"], f"{first}_c")

    def test_tools_are_seen_as_they_run(self) -> None:
        self.start()
        turn = self.herald.message("tool ls -l")
        self.assertEqual(self.herald.ended(turn)["tools"], 1)
        tools = wait_until(lambda: [e for e in self.herald.loose if e["kind"] == "tool"][1:] and self.herald.loose)
        seen = [(e["name"], e["state"]) for e in tools if e["kind"] == "tool"]
        self.assertEqual(seen, [("terminal", "started"), ("terminal", "completed")])

    def test_files_go_both_ways_by_their_place(self) -> None:
        process = self.start()
        picture = {"path": "/tmp/p.png", "mime": "image/png", "name": "p.png"}
        self.herald.ended(self.herald.message("look", images=[picture]))
        self.assertEqual(process.gateway.media[-1], ["/tmp/p.png"])
        turn = self.herald.message("file /tmp/report.pdf")
        self.herald.ended(turn)
        file = self.herald.of(turn, "file")[0]
        self.assertEqual((file["path"], file["name"], file["mime"]), ("/tmp/report.pdf", "report.pdf", "application/pdf"))

    def test_instructions_ride_beside_the_text(self) -> None:
        process = self.start()
        self.herald.ended(self.herald.message("judge", instructions="Be brief."))
        self.assertEqual((process.gateway.given[-1][1], process.gateway.prompts[-1]), ("judge", "Be brief."))

    # ── Questions ────────────────────────────────────────────────────────────────────────────────────────────────────

    def test_an_approval_reaches_the_person_and_the_answer_the_agent(self) -> None:
        self.start()
        turn = self.herald.message("approve rm -rf build")
        asked = self.herald.asked(turn)
        self.assertEqual((asked["asks"], asked["command"], asked["choices"]), ("approval", "rm -rf build", ["once", "session", "always", "deny"]))
        seq = self.herald.give(kind="answer", ref=asked["ref"], choice="once")
        self.herald.ended(turn)
        self.assertEqual(self.herald.text(turn), "Decided: once")
        self.assertEqual(wait_until(lambda: self.herald.settled.get(seq))["status"], "taken")
        again = self.herald.give(kind="answer", ref=asked["ref"], choice="deny")
        self.assertEqual(wait_until(lambda: self.herald.settled.get(again))["note"], "void")

    def test_an_answer_never_reaches_another_approval_than_its_own(self) -> None:
        process = self.start()
        approvals, adapter = process.modules["approvals"], process.adapter
        key = "agent:main:herald:dm:oc_owner"
        refs: dict[str, str] = {}

        def ask(command: str, timeout: float) -> None:
            def notify() -> None:
                process.do(adapter.send_exec_approval(chat_id="oc_owner", command=command, session_key=key))
                event = wait_until(lambda: [e for e in self.herald.events if e.get("command") == command])[0]
                refs[command] = event["ref"]

            approvals.wait(key, command, notify, timeout)

        first = threading.Thread(target=ask, args=("ls", 0.5))
        first.start()
        wait_until(lambda: "ls" in refs)
        second = threading.Thread(target=ask, args=("rm -rf /", 10))
        second.start()
        wait_until(lambda: "rm -rf /" in refs)
        first.join()
        # The first has timed out: its answer must not approve what is the oldest now.
        late = self.herald.give(kind="answer", ref=refs["ls"], choice="always")
        self.assertEqual(wait_until(lambda: self.herald.settled.get(late))["status"], "refused")
        self.assertTrue(second.is_alive())
        third = threading.Thread(target=ask, args=("date", 10))
        third.start()
        wait_until(lambda: "date" in refs)
        # Answered out of order: each reaches its own.
        self.herald.give(kind="answer", ref=refs["date"], choice="once")
        third.join(5)
        self.herald.give(kind="answer", ref=refs["rm -rf /"], choice="deny")
        second.join(5)
        self.assertEqual(dict(approvals.decided), {"ls": None, "date": "once", "rm -rf /": "deny"})

    def test_a_question_that_timed_out_is_void_here_too(self) -> None:
        process = self.start()
        key = "agent:main:herald:dm:oc_owner"
        notify = lambda: process.do(process.adapter.send_exec_approval(chat_id="oc_owner", command="ls", session_key=key))  # noqa: E731
        process.modules["approvals"].wait(key, "ls", notify, 0.3)
        ref = next(e for e in self.herald.events if e["kind"] == "asked")["ref"]
        wait_until(lambda: [e for e in self.herald.events if e["kind"] == "void" and e["ref"] == ref])

    def test_a_question_with_choices_and_a_free_one_are_answered(self) -> None:
        self.start()
        turn = self.herald.message("ask Which?|red|blue")
        asked = self.herald.asked(turn)
        self.assertEqual((asked["asks"], asked["text"], asked["choices"]), ("question", "Which?", ["red", "blue"]))
        self.herald.give(kind="answer", ref=asked["ref"], choice="blue")
        self.herald.ended(turn)
        self.assertEqual(self.herald.text(turn), "You chose: blue")
        turn = self.herald.message("ask What name?")
        self.herald.give(kind="answer", ref=self.herald.asked(turn)["ref"], choice="Herald")
        self.herald.ended(turn)
        self.assertEqual(self.herald.text(turn), "You chose: Herald")

    def test_a_command_that_asks_back_ends_only_with_its_answer(self) -> None:
        self.start()
        turn = self.herald.message("/new")
        asked = self.herald.asked(turn)
        self.assertEqual(asked["asks"], "question")
        time.sleep(2.5)
        self.assertEqual(self.herald.of(turn, "ended"), [])
        self.herald.give(kind="answer", ref=asked["ref"], choice=asked["choices"][0])
        self.herald.ended(turn)
        self.assertEqual(self.herald.text(turn), "New session.")


class AwayCases:
    # ── By itself ────────────────────────────────────────────────────────────────────────────────────────────────────

    def test_what_hermes_says_by_itself_belongs_to_no_turn(self) -> None:
        process = self.start()
        turn = self.herald.message("slow 1", chat={"id": "oc_other", "type": "dm"})
        wait_until(lambda: self.herald.of(turn, "running"))
        result = process.do(process.adapter.send("oc_owner", "Backup done.", metadata={"job_id": "abc"}))
        self.assertTrue(result.success)
        said = next(e for e in self.herald.events if e.get("text") == "Backup done.")
        self.assertEqual((said.get("turn"), said["job"]), (None, "abc"))
        self.herald.ended(turn)

    def test_a_turn_hermes_begins_is_told_as_one_of_its_own(self) -> None:
        process = self.start()
        process.do(process.gateway.by_itself("oc_owner", "twice"))
        own = wait_until(lambda: [e for e in self.herald.events if e["kind"] == "ended"])[0]["turn"]
        self.assertEqual(self.herald.of(own, "running")[0]["origin"], "hermes")
        self.assertEqual(self.herald.text(own), "First I look around.\nThen I answer.")

    def test_a_message_that_comes_while_hermes_is_at_work_by_itself_is_answered_after_it(self) -> None:
        process = self.start()
        process.do(process.gateway.by_itself("oc_owner", "slow 1"))
        turn = self.herald.message("hello")
        self.assertEqual(self.herald.ended(turn)["outcome"], "completed")
        self.assertIn("You said: hello", self.herald.text(turn))

    def test_a_chat_nobody_serves_is_refused_in_hermes_own_terms(self) -> None:
        process = self.start()
        self.herald.refuse["oc_nobody"] = "unknown_chat"
        wait_until(lambda: self.herald.events)
        result = process.do(process.adapter.send("oc_nobody", "Psst."))
        self.assertFalse(result.success)
        self.assertIn("unknown_chat", result.error)

    def test_a_process_without_the_gateway_delivers_and_hears_of_a_failure(self) -> None:
        install(new=self.new)
        ctx = Context()
        load_plugin(self.folder).register(ctx)
        send = ctx.platforms["herald"]["standalone_sender_fn"]
        result = asyncio.run(send(None, "oc_owner", "Report", media_files=[("/tmp/a.pdf", False)]))
        self.assertTrue(result["success"])
        delivered = next(e for e in self.herald.events if e["kind"] == "delivered")
        self.assertEqual((delivered["message"], delivered["text"], delivered["files"]), (result["message_id"], "Report", ["/tmp/a.pdf"]))
        self.herald.refuse["oc_nobody"] = "nobody there"
        self.assertEqual(asyncio.run(send(None, "oc_nobody", "x")), {"error": "nobody there"})
        self.herald.stop()
        self.assertIn("does not answer", asyncio.run(send(None, "oc_owner", "x"))["error"])

    # ── Away and back ────────────────────────────────────────────────────────────────────────────────────────────────

    def test_with_herald_away_everything_is_kept_and_comes_once_in_order(self) -> None:
        process = self.start()
        wait_until(lambda: self.herald.events)
        self.herald.stop()
        for n in range(20):
            self.assertTrue(process.do(process.adapter.send("oc_owner", f"note {n}")).success)
        self.herald.start()
        wait_until(lambda: len([e for e in self.herald.events if e["kind"] == "said"]) == 20)
        self.assertEqual([e["text"] for e in self.herald.events if e["kind"] == "said"], [f"note {n}" for n in range(20)])
        turn = self.herald.message("hello")
        self.herald.ended(turn)

    def test_a_lost_answer_doubles_nothing(self) -> None:
        process = self.start()
        wait_until(lambda: self.herald.events)
        self.herald.lose_answers = 3
        for n in range(10):
            process.do(process.adapter.send("oc_owner", f"note {n}"))
        wait_until(lambda: not self.herald.lose_answers and process.adapter._spool.waiting() == 0)
        self.assertEqual([e["text"] for e in self.herald.events if e["kind"] == "said"], [f"note {n}" for n in range(10)])

    def test_a_hanging_herald_stops_neither_loop_nor_agent(self) -> None:
        process = self.start()
        wait_until(lambda: self.herald.events)
        self.herald.hang = True
        process.longest_stall = 0.0
        began = time.monotonic()
        for n in range(30):
            process.do(process.adapter.send("oc_owner", f"note {n}", reply_to=None))
            if process.adapter._link.herald_answers:
                process.adapter._link.herald_answers = False
        self.assertLess(time.monotonic() - began, 5)
        self.assertLess(process.longest_stall, 0.5)
        self.herald.hang = False
        wait_until(lambda: len([e for e in self.herald.events if e["kind"] == "said"]) == 30, 30)

    def test_after_a_crash_what_was_said_still_comes_and_a_begun_turn_is_not_begun_again(self) -> None:
        process = self.start()
        done = self.herald.message("hello")
        self.herald.ended(done)
        self.herald.stop()
        process.do(process.adapter.send("oc_owner", "said before the crash"))
        process.kill()
        self.herald.start()
        # Handed out and begun, and the word of that was lost with the process.
        self.herald.orders[1] = {"seq": 1, "key": f"{self.herald.name}-1", "kind": "message", "turnId": done, "chat": OWNER, "text": "hello"}
        self.herald.settled.pop(1)
        second = self.start()
        wait_until(lambda: self.herald.settled.get(1))
        self.assertEqual(self.herald.settled[1], {"seq": 1, "status": "taken", "note": "earlier"})
        kinds = [e["kind"] for e in self.herald.events if e["kind"] in ("started", "said") and not e.get("turn")]
        wait_until(lambda: len([e for e in self.herald.events if e["kind"] == "started"]) == 2)
        self.assertEqual(kinds[0], "started")
        texts = [e.get("text") or e["kind"] for e in self.herald.events if not e.get("turn")]
        self.assertEqual(texts, ["started", "said before the crash", "started"])
        self.assertEqual(second.gateway.given, [])

    def test_a_herald_that_begins_anew_is_served_although_its_numbers_were_seen_before(self) -> None:
        process = self.start()
        self.herald.ended(self.herald.message("one"))
        self.herald.name, self.herald.settled = uuid.uuid4().hex, {}
        turn = self.herald.message("two")
        self.herald.ended(turn)
        self.assertEqual([text for _, text in process.gateway.given], ["one", "two"])

    def test_a_question_of_a_process_before_is_void(self) -> None:
        process = self.start()
        turn = self.herald.message("approve rm -rf build")
        ref = self.herald.asked(turn)["ref"]
        process.kill()
        self.start()
        seq = self.herald.give(kind="answer", ref=ref, choice="once")
        self.assertEqual(wait_until(lambda: self.herald.settled.get(seq))["note"], "void")

    def test_a_gateway_that_is_taken_down_says_what_it_leaves_unfinished(self) -> None:
        process = self.start()
        turn = self.herald.message("slow 20")
        wait_until(lambda: self.herald.of(turn, "running"))
        process.stop()
        self.assertEqual(self.herald.ended(turn)["outcome"], "lost")
        self.assertEqual(self.herald.events[-1]["kind"], "left")

    def test_what_cannot_be_sent_as_text_stops_nothing(self) -> None:
        process = self.start()
        process.do(process.adapter.send("oc_owner", "half \ud83d and \x00 nothing"))
        process.do(process.adapter.send("oc_owner", "after"))
        wait_until(lambda: [e for e in self.herald.events if e.get("text") == "after"])

    def test_a_full_spool_is_said_to_hermes_and_not_swallowed(self) -> None:
        process = self.start()
        wait_until(lambda: self.herald.events)
        self.herald.stop()
        spool = sys.modules[type(process.adapter._spool).__module__]
        spool.MOST_EVENTS, spool.MANY_EVENTS = 5, 3
        results = [process.do(process.adapter.send("oc_owner", f"n{n}")).success for n in range(10)]
        self.assertIn(False, results)
        sent = results.index(False)
        self.herald.start()
        wait_until(lambda: len([e for e in self.herald.events if e["kind"] == "said"]) >= sent)

    def test_a_place_that_cannot_be_written_costs_the_memory_and_no_more(self) -> None:
        (self.home / "herald-platform").write_text("not a folder")
        self.start()
        self.herald.ended(self.herald.message("hello"))

    def test_says_what_it_is_and_can(self) -> None:
        self.start()
        ask = wait_until(lambda: self.herald.asks)[0]
        self.assertEqual(ask["hermes"], "0.21.3" if self.new else "0.16.0")
        self.assertEqual(ask["can"], {"stop": True, "steer": self.new, "approvals": True, "questions": True, "commands": True, "images": True})


class PlatformTest(TurnCases, AwayCases, World):
    """Hermes 0.16."""


class NewerPlatformTest(TurnCases, World):
    """The same against the shape of newer releases: events in a module of their own, named approvals, steering."""

    new = True

    def test_a_word_is_put_into_the_running_turn(self) -> None:
        process = self.start()
        turn = self.herald.message("slow 3")
        wait_until(lambda: self.herald.of(turn, "running"))
        seq = self.herald.give(kind="steer", turnId=turn, text="and the tests")
        self.assertEqual(wait_until(lambda: self.herald.settled.get(seq))["status"], "taken")
        wait_until(lambda: ("steered", "and the tests") in process.gateway.given)


class PlainThreadsTest(TurnCases, World):
    """The same where the agent's threads do not know whose turn they work on."""

    agent_context = False


class RegistrationTest(unittest.TestCase):
    def test_a_hermes_without_platforms_gets_tools_and_sections_as_before(self) -> None:
        from test_plugin import OldHermes, StandInHerald

        herald = StandInHerald()
        self.addCleanup(herald.close)
        with tempfile.TemporaryDirectory() as home:
            folder = Path(home) / "plugins" / "herald"
            folder.mkdir(parents=True)
            for file in PLUGIN.glob("*.py"):
                (folder / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
            (folder / "herald.json").write_text(json.dumps({"url": herald.url, "token": TOKEN}))
            ctx = OldHermes()
            load_plugin(folder).register(ctx)
            self.assertIn("tracking_manage", ctx.tools)

    def test_registering_imports_nothing_of_the_gateway(self) -> None:
        for name in [name for name in sys.modules if name.split(".")[0] in ("gateway", "tools", "hermes_cli")]:
            del sys.modules[name]
        with tempfile.TemporaryDirectory() as home:
            folder = Path(home) / "plugins" / "herald"
            folder.mkdir(parents=True)
            for file in PLUGIN.glob("*.py"):
                (folder / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
            (folder / "herald.json").write_text(json.dumps({"url": "http://127.0.0.1:9", "token": TOKEN}))
            ctx = Context()
            load_plugin(folder).register(ctx)
            self.assertIn("herald", ctx.platforms)
            self.assertEqual([name for name in sys.modules if name.split(".")[0] == "gateway"], [])


if __name__ == "__main__":
    unittest.main()
