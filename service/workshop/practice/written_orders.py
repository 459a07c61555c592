"""Orders as players write them: one of the ways to say the same thing.

The order that is read must be the order that was meant.
"""

from __future__ import annotations

import re
from random import Random

from engine.notation import names
from service.orders import values as v
from service.orders.building import Names
from service.orders.writing import condition, write

#: pattern of a part of a test → other spellings of it
_OTHERWISE = (
    (r"\bis floated$", ("has floated", "Is  Floated")),
    (r"\bbids (?=\S)", ("bids on ",)),
    (r"\bpresides\b", ("presides over",)),
    (r"^round ends$", ("the round ends", "Round ends")),
    (r"^phase changes$", ("the phase changes",)),
    (r"^outbid$", ("i am outbid", "Outbid")),
    (r"^anyone\b", ("anybody", "someone", "Anyone")),
    (r"\b(?<=cash )me\b", ("my", "Me")),
    (r"\bipo\b", ("offering", "IPO")),
    (r"\bpool\b", ("market",)),
    (r"<=", ("=<",)),
    (r">=", ("=>",)),
    (r" = ", (" == ", "=")),
    (r"(?<=[<>=] )(?=(?:60|1200)$)", ("$",)),
    (r"^alarm$", ("Alarm", "ALARM")),
)


class OrderWriter:
    """Writes orders of a game; the same seed writes the same."""

    def __init__(self, known: Names, seed: int) -> None:
        self._random = Random(seed)
        self._companies = names.companies(known.title)
        #: the company last named, as a reader knows it
        self._meant = ""

    def order(self, order: v.Order) -> str:
        """One way to write it."""
        self._meant = order.company
        head = self._head(order)
        then = self._one(" then ", " Then ", "  THEN ")
        text = then.join(self._step(step) for step in order.steps)
        if self._maybe():
            text = re.sub(
                r"\bpass until alarm or round ends\b",
                self._one("pass round", "Pass the Round"),
                text,
            )
        return f"{self._one('', '', 'then ')}{head}{text}{self._life(order)}{self._one('', '.')}"

    def _one(self, *things: str) -> str:
        return self._random.choice(things)

    def _maybe(self) -> bool:
        return self._random.random() < 0.5

    def _head(self, order: v.Order) -> str:
        several = len(order.steps) > 1 or order.steps[0].until or order.steps[0].limited
        heads = {
            "next": ("next: ", "Next : ", "NEXT:") if several else ("next: ", "Next:", ""),
            "each": ("",),
            "standing": ("standing ", "Standing: "),
            "always": ("always ", "ALWAYS: "),
            "operate": tuple(f"{one}{order.company}: " for one in ("operate ", "Operate  ", "")),
        }
        return self._one(*heads[order.head])

    def _life(self, order: v.Order) -> str:
        """How long it lasts; sometimes also the default."""
        canonical = write(order)
        said = re.search(r" for (?:turn|round|set|game|\d+ rounds)$", canonical)
        text = said[0] if said else ""
        if not said and order.life.of != "rounds" and self._maybe():
            text = f" for {order.life.of}"
        return text.replace(" for ", self._one(" for ", " for the "), 1)

    def _step(self, step: v.Turn) -> str:
        actions = self._action(step.actions[0])
        for before, action in zip(step.actions, step.actions[1:], strict=False):
            act = before.acts[-1]
            bare = not act.guards and act.ahead is None and not action.acts[0].guards
            plain = bare and action.acts[0].command != v.SKIP and "bid " not in act.command
            words = (", ", " ,  ", " and ", ", and ") if plain and self._maybe() else (", ",)
            actions += self._one(*words) + self._action(action)
        return f"{actions} until {self._test(step.until)}" if step.until else actions

    def _action(self, action: v.Alternatives) -> str:
        return self._one(" else ", " ELSE ").join(self._act(act) for act in action.acts)

    def _act(self, act: v.Act) -> str:
        self._name(act)
        guards = [f"{'unless' if g.unless else 'if'} {self._test(g.test)}" for g in act.guards]
        first = self._random.randint(0, len(guards))
        command = act.command
        if act.ahead is not None:
            command = re.sub(r"^consent:", self._one("consent", "consent to", "Consent:"), command)
            command = re.sub(r"^refuse\b", self._one("refuse:", "decline"), command)
            command = re.sub(r"\boffers\b", self._one("offers", "all offers"), command)
            command = re.sub(r"\bstation\b", self._one("station", "tokens"), command)
        return " ".join((*guards[:first], command, *guards[first:]))

    def _name(self, act: v.Act) -> None:
        """Remember the company that a command names."""
        if act.ahead is None and act.command not in (v.SKIP, v.ASK):
            words = re.split(r"[\s,:]+", act.command)[1:]
            found = (names.match(self._companies, word) for word in words)
            self._meant = next((one[0].id for one in found if len(one) == 1), self._meant)

    def _test(self, test: v.Test) -> str:
        text = self._plain(test)
        return f"({text})" if self._random.random() < 0.15 else text

    def _plain(self, test: v.Test) -> str:
        if isinstance(test, v.Not):
            return f"{self._one('not', 'NOT')} {self._inner(test.test)}"
        if isinstance(test, v.All | v.Any):
            word = " and " if isinstance(test, v.All) else " or "
            return self._one(word, word.upper()).join(self._inner(one) for one in test.tests)
        short = self._short(test)
        if short and self._maybe():
            return short
        text = condition(test)
        for word, others in _OTHERWISE:
            if self._maybe():
                text = re.sub(word, self._one(*others).replace("\\", ""), text)
        return text

    def _inner(self, test: v.Test) -> str:
        text = self._test(test)
        return f"({text})" if isinstance(test, v.All | v.Any) else text

    def _short(self, test: v.Test) -> str:
        """A test of the company just named, without its name; "" if it has no such form."""
        meant = self._meant
        if meant and test == v.IsFloated(meant):
            return self._one("float", "Float")
        if isinstance(test, v.Compare) and isinstance(test.right, str):
            own = v.Compare(v.Sum("shares", v.ME, meant), ">=", test.right)
            return f"{test.right} {self._one('shares', 'share')}" if test == own else ""
        return ""
