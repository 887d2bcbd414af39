"""Rules mean the same in Hermes as in Herald: both run the vectors of test/fixtures/strategy-vectors.json."""

import json
import unittest
from pathlib import Path

from test_plugin import PLUGIN, load_plugin  # noqa: F401  (the folder of the plugin, and how Hermes imports it)

VECTORS = json.loads((Path(__file__).resolve().parents[1] / "fixtures" / "strategy-vectors.json").read_text(encoding="utf-8"))


class NoSections:
    def update(self, *_: object) -> None:
        pass


class Bridge:
    def __init__(self, rule: dict) -> None:
        self.rule = rule

    def call(self, *_: object) -> tuple[int, object]:
        return 200, {"sections": [], "rules": [self.rule], "budget": 600, "most": 3}


class StrategyVectorsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.advice = __import__(f"{load_plugin(PLUGIN).__name__}.advice", fromlist=["Advice"])

    def asked(self, name: str, level: str):
        advice = self.advice.Advice(NoSections())
        rule = {"id": "r", "level": level, "say": name, "priority": 1, "when": VECTORS["portable"][name]}
        self.assertTrue(advice.look(Bridge(rule)))
        return advice

    def test_hints(self) -> None:
        for vector in VECTORS["hints"]:
            if vector.get("only"):
                self.assertNotIn(vector["name"], VECTORS["portable"])
                continue
            with self.subTest(vector["name"]):
                ask = vector["ask"]
                text = ask["text"] * ask.get("repeat", 1) + ask.get("then", "")
                said = self.asked(vector["name"], "warn").hints(text, ask.get("platform"), ask.get("model"))
                self.assertEqual(bool(said), vector["holds"])

    def test_blocks(self) -> None:
        for vector in VECTORS["blocks"]:
            with self.subTest(vector["name"]):
                ask = vector["ask"]
                held = self.asked(vector["name"], "block").hold_back(
                    ask["tool"], {"command": ask["input"]}, ask.get("platform"), ask.get("model")
                )
                self.assertEqual(held is not None, vector["holds"])

    def test_nothing_known_of_a_turn_raises_nothing(self) -> None:
        for name in VECTORS["portable"]:
            for level in ("warn", "block"):
                advice = self.asked(name, level)
                advice.hints(None, None, None)
                advice.hold_back(None, None, None, None)


if __name__ == "__main__":
    unittest.main()
