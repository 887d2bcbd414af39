"""What Herald would have a turn know, and which tool calls it would hold back. Answered from memory, in linear time.

A rule never carries a regular expression to this side: Herald takes its patterns apart into plain pieces of text that must
occur in order, and what cannot be taken apart stays with Herald. A search for plain text cannot be made to hang.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from .bridge import Bridge
from .sections import Sections

#: Characters of a text that rules look at.
LOOKED_AT = 2000
MOST_RULES = 1000
MOST_VALUES = 64
#: Kinds of sessions and calls whose rules are remembered.
MOST_KINDS = 512
#: These are the person's way to reach Herald: no rule closes it.
NEVER_BLOCKED = frozenset({"tracking_manage", "proactivity_read", "proactivity_select"})

#: A condition, made ready: whether it holds for a text.
Test = Callable[[str], bool]


class Rule:
    __slots__ = ("id", "block", "say", "line", "priority", "platform", "model", "tool", "text", "input", "keys")

    def __init__(self, given: dict[str, Any]) -> None:
        self.id = str(given["id"])
        self.block = given["level"] == "block"
        self.say = str(given["say"])
        self.line = f"- {self.say}"
        self.priority = float(given.get("priority", 0))
        self.platform: list[Test] = []
        self.model: list[Test] = []
        self.tool: list[Test] = []
        self.text: list[Test] = []
        self.input: list[Test] = []
        #: at least one of these occurs in the words (of a hint) or the input (of a held back call) the rule is about;
        #: empty = nothing is known beforehand
        self.keys: tuple[str, ...] = ()
        for condition in given["when"]:
            on, op, values = condition["on"], condition["op"], condition["any"][:MOST_VALUES]
            if on not in ("platform", "model", "tool", "text", "input"):
                raise ValueError(on)
            test = _test(op, values)
            if on == ("input" if self.block else "text") and op in ("contains", "pattern") and not self.keys:
                # Of a pattern's pieces the longest is the rarest.
                self.keys = tuple(_plain(max(value, key=len) if op == "pattern" else value) for value in values)
                if op == "contains":
                    # Who finds the key has found all that is asked for.
                    continue
            getattr(self, on).append(test)

    def is_for(self, platform: str, model: str) -> bool:
        return _known(self.platform, platform) and _known(self.model, model)


#: Rules by a text that must occur.
Keyed = list[tuple[str, Rule]]


class Snapshot:
    """The rules of one look, sorted so that a hook looks at few of them."""

    def __init__(self, rules: list[Rule], budget: int, most: int) -> None:
        rules.sort(key=lambda rule: -rule.priority)
        self.budget = budget
        self.most = most
        self.hints = [rule for rule in rules if not rule.block]
        # A rule that holds back calls says of which tool or of which input; one that says neither would stop everything.
        self.blocks = [rule for rule in rules if rule.block and (rule.tool or rule.input or rule.keys) and not rule.text]
        self._by_turn: dict[tuple[str, ...], tuple[Keyed, list[Rule]]] = {}
        self._by_call: dict[tuple[str, ...], tuple[Keyed, list[Rule]]] = {}

    def for_turn(self, platform: str, model: str) -> tuple[Keyed, list[Rule]]:
        """Rules by a text one of which must occur, and rules that have none; worked out once for each kind of session."""
        known = self._by_turn.get((platform, model))
        if known is None:
            known = _sorted_out(rule for rule in self.hints if rule.is_for(platform, model))
            if len(self._by_turn) < MOST_KINDS:
                self._by_turn[(platform, model)] = known
        return known

    def for_call(self, tool: str, platform: str, model: str) -> tuple[Keyed, list[Rule]]:
        known = self._by_call.get((tool, platform, model))
        if known is None:
            known = _sorted_out(r for r in self.blocks if r.is_for(platform, model) and _known(r.tool, tool))
            if len(self._by_call) < MOST_KINDS:
                self._by_call[(tool, platform, model)] = known
        return known


def _sorted_out(rules: Iterable[Rule]) -> tuple[Keyed, list[Rule]]:
    fit = list(rules)
    return [(key, rule) for rule in fit for key in rule.keys], [rule for rule in fit if not rule.keys]


NOTHING = Snapshot([], 0, 0)


class Advice:
    def __init__(self, sections: Sections) -> None:
        self._sections = sections
        # One assignment changes it: a hook in another thread sees the old rules or the new ones.
        self._snapshot = NOTHING

    def look(self, bridge: Bridge) -> bool:
        """One look at what Herald has now. False when it answers nothing of use; raises Unreachable."""
        status, answer = bridge.call("GET", "/bridge/advice")
        if status != 200 or not isinstance(answer, dict):
            return False
        self._sections.update(answer.get("sections"), answer.get("ownSessions"))
        rules = []
        given = answer.get("rules")
        for each in given[:MOST_RULES] if isinstance(given, list) else []:
            try:
                rules.append(Rule(each))
            except (KeyError, TypeError, ValueError, IndexError):
                # Of a newer Herald: what is not understood is not acted on.
                continue
        self._snapshot = Snapshot(rules, _number(answer.get("budget"), 600), _number(answer.get("most"), 3))
        return True

    def forget_rules(self) -> None:
        self._snapshot = NOTHING

    def hints(self, message: Any, platform: Any, model: Any) -> str:
        """The best few that fit this turn, within the budget; empty for none. Never raises."""
        snapshot = self._snapshot
        if not snapshot.hints:
            return ""
        keyed, plain = snapshot.for_turn(platform or "", model or "")
        text = " ".join(message[:LOOKED_AT].lower().split()) if type(message) is str else ""
        # Both lists stand in the order of priority.
        found = [rule for key, rule in keyed if key in text]
        if plain:
            found = sorted(found + plain, key=lambda rule: -rule.priority)
        elif not found:
            return ""
        said: list[str] = []
        left = snapshot.budget
        for rule in found:
            if len(said) == snapshot.most:
                break
            if len(rule.line) <= left and rule.line not in said and _known(rule.text, text):
                said.append(rule.line)
                left -= len(rule.line)
        return "\n".join(said)

    def hold_back(self, tool: Any, args: Any, platform: Any, model: Any) -> str | None:
        """Why this call should not be made; None when nothing speaks against it. Never raises."""
        snapshot = self._snapshot
        if not snapshot.blocks or tool in NEVER_BLOCKED:
            return None
        keyed, plain = snapshot.for_call(tool or "", platform or "", model or "")
        if not keyed and not plain:
            return None
        text = _input_text(args)
        found = [rule for key, rule in keyed if key in text]
        for rule in found + plain if plain else found:
            if _known(rule.input, text):
                return rule.say
        return None


def _known(tests: list[Test], text: str) -> bool:
    """Whether all tests hold. What is not known fulfils no condition, not even a denial."""
    return not tests or (text != "" and all(test(text) for test in tests))


def _test(op: str, values: list[Any]) -> Test:
    if not values:
        raise ValueError("a condition on nothing")
    if op == "equals":
        wanted = frozenset(_plain(value) for value in values)
        return lambda text: " ".join(text.lower().split()) in wanted
    if op == "contains":
        pieces = tuple(_plain(value) for value in values)

        def contains(text: str) -> bool:
            low = text.lower()
            return any(piece in low for piece in pieces)

        return contains
    if op == "not_contains":
        pieces = tuple(_plain(value) for value in values)

        def lacks(text: str) -> bool:
            low = text.lower()
            return not any(piece in low for piece in pieces)

        return lacks
    if op == "pattern":
        ways = tuple(tuple(_plain(piece) for piece in way) for way in values)

        def fits(text: str) -> bool:
            low = text.lower()
            return any(_in_order(way, low) for way in ways)

        return fits
    raise ValueError(op)


def _in_order(pieces: tuple[str, ...], text: str) -> bool:
    at = 0
    for piece in pieces:
        at = text.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return True


def _plain(value: Any) -> str:
    """As texts are compared: small letters, one space for any white space, which stays at the ends too."""
    if not isinstance(value, str) or value == "":
        raise ValueError("expected a text")
    folded = " ".join(value.lower().split())
    return (" " if value[0].isspace() else "") + folded + (" " if value[-1].isspace() and folded else "")


def _input_text(args: Any) -> str:
    if not isinstance(args, dict):
        return ""
    parts = [value[:LOOKED_AT] for value in args.values() if type(value) is str]
    return " ".join(" ".join(parts)[:LOOKED_AT].lower().split())


def _number(value: Any, default: int) -> int:
    return value if type(value) is int and 0 <= value <= 10_000 else default
