"""Compares the emails and positions with the expectations of a scenario, one verdict each."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from service.games.games import GameTable, load
from service.workshop.practice import claims
from service.workshop.rehearsal.people import ReceivedEmail
from service.workshop.rehearsal.source import ScenarioError, SourcePlace
from service.workshop.rehearsal.steps import ClaimStep, Expect, ExpectNone
from service.workshop.rehearsal.world import World

_GAP = re.compile(r"\s*(?:\.\.\.|…)\s*")
_QUEUES = ("inbox", "outbox", "games")
_MOST = 8


@dataclass(frozen=True)
class Verdict:
    """The expectation of a line, whether it held, and what came instead."""

    place: SourcePlace
    expected: str
    held: bool
    came: str = ""
    #: the performance among several
    when: str = ""


def has(letter: ReceivedEmail, words: str) -> bool:
    """Whether an email has these words in subject or text; "..." stands for anything."""
    told = " ".join(f"{letter.subject}\n{letter.text}".split())
    at = 0
    for piece in _GAP.split(words):
        wanted = " ".join(piece.split())
        at = told.find(wanted, at)
        if at < 0:
            return False
        at += len(wanted)
    return True


class Judge:
    """Judges the emails since the expectations before."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._since = 0
        self._over = False

    def begin(self) -> None:
        """Begin a new step: after expectations, only emails from now on count."""
        if self._over:
            self._since, self._over = len(self._world.letters), False

    def end(self) -> None:
        """End a step: expectations may follow it."""
        self._over = True

    @property
    def _came(self) -> Sequence[ReceivedEmail]:
        return self._world.letters[self._since :]

    def _to(self, name: str) -> list[ReceivedEmail]:
        person = self._world.people[name]
        return [letter for letter in self._came if person.has(letter.to)]

    def letter(self, wanted: Expect) -> list[Verdict]:
        """A verdict for each person who must get an email."""
        self.end()
        return [self._letter(wanted, name) for name in wanted.names]

    def _letter(self, wanted: Expect, name: str) -> Verdict:
        said = "".join(f" “{words}”" for words in wanted.words)
        said += "".join(f" without “{words}”" for words in wanted.without)
        expected = f"an email to {name}{' with' * bool(wanted.words)}{said}"
        there = self._to(name)
        for letter in there:
            if not letter.named and not _lacks(letter, wanted):
                letter.named = True
                return Verdict(wanted.place, expected, True)
        if len(there) == 1 and not there[0].named:
            came = f"an email to {name} {_lacks(there[0], wanted)}:\n{_quoted(there[0])}"
        else:
            came = self._listed(there or self._came)
            came = came if there else f"no email to {name}; {came}"
        return Verdict(wanted.place, expected, False, came)

    def none(self, wanted: ExpectNone) -> Verdict:
        """A verdict on the absence of emails: any, any others, or any with these words."""
        self.end()
        found = [one for name in wanted.names for one in self._to(name)]
        found = found if wanted.names else list(self._came)
        found = [one for one in found if not (wanted.rest and one.named)]
        found = [one for one in found if all(has(one, words) for words in wanted.words)]
        whom = " or ".join(wanted.names) or ("anybody else" if wanted.rest else "anybody")
        said = "".join(f" with “{words}”" for words in wanted.words)
        return Verdict(wanted.place, f"no email to {whom}{said}", not found, self._listed(found))

    def _listed(self, letters: Sequence[ReceivedEmail]) -> str:
        if not letters:
            return "no email at all"
        people = self._world.people.values()
        names = (next((p.name for p in people if p.has(one.to)), one.to) for one in letters)
        told = [
            f"to {name}: {one.subject}" for name, one in zip(names, letters[:_MOST], strict=False)
        ]
        more = [f"and {len(letters) - _MOST} more"] if len(letters) > _MOST else []
        return "\n".join(["these emails:", *told, *more])

    # positions and queues

    def claim(self, wanted: ClaimStep) -> Verdict:
        """A verdict on a position or the queues. Raises ScenarioError for an impossible claim."""
        self.end()
        expected = f"{wanted.game}: {wanted.text}" if wanted.game else wanted.text
        try:
            if wanted.text.split()[0] in _QUEUES:
                self._queue(wanted)
            else:
                table = self.table(wanted.place, wanted.game)
                claims.judge(table.title, table.state, wanted.text)
        except claims.Senseless as wrong:
            raise ScenarioError(wanted.place, str(wrong)) from wrong
        except claims.Wrong as wrong:
            return Verdict(wanted.place, expected, False, str(wrong))
        return Verdict(wanted.place, expected, True)

    def _queue(self, wanted: ClaimStep) -> None:
        """ "outbox new 2 failed 1": compare the numbers of a queue."""
        name, *words = wanted.text.split()
        counts: dict[str, int] = getattr(self._world.store.work.counts(), name)
        pairs = list(zip(words[::2], words[1::2], strict=False))
        if not pairs or len(words) % 2 or not all(n.isdecimal() for _, n in pairs):
            raise claims.Senseless(f"write a status and a number, as = {name} new 0")
        for status, number in pairs:
            if counts.get(status, 0) != int(number):
                true = ", ".join(f"{n} {s}" for s, n in sorted(counts.items())) or "nothing"
                raise claims.Wrong(f"{name} has {true}")

    def table(self, place: SourcePlace, game: str) -> GameTable:
        """A game that has begun, by default the only one. Raises ScenarioError."""
        with self._world.store.transaction() as tx:
            names = [row.name for row in tx.games.lines()]
            if not game and len(names) != 1:
                known = ", ".join(names) or "none yet"
                raise ScenarioError(place, f"say which game, as = NAME: …; there are: {known}")
            table = load(tx, game or names[0])
        if table is None or table.head is None:
            known = ", ".join(names) or "none"
            raise ScenarioError(place, f"no game {game or names[0]} has begun; games: {known}")
        return table


def _lacks(letter: ReceivedEmail, wanted: Expect) -> str:
    """The words that an email lacks or must not have, in a phrase; "" if it fits."""
    for words in wanted.words:
        if not has(letter, words):
            return f"lacks “{words}”"
    for words in wanted.without:
        if has(letter, words):
            return f"has “{words}”"
    return ""


def _quoted(letter: ReceivedEmail) -> str:
    lines = [line for line in letter.text.splitlines() if line.strip()]
    shown = [f"Subject: {letter.subject}", *lines[:_MOST]]
    more = ["…"] if len(lines) > _MOST else []
    return "\n".join(f"| {line}" for line in (*shown, *more))
