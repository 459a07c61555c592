"""Holds what came against what a scenario expects; says of each expectation what came instead."""

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
    """What was expected at a line, whether it held, and what came instead."""

    place: SourcePlace
    expected: str
    held: bool
    came: str = ""
    #: the performance among several
    when: str = ""


def has(letter: ReceivedEmail, words: str) -> bool:
    """Whether a letter has these words in subject or text; "..." stands for anything between."""
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
    """Judges the letters that came since the expectations before."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._since = 0
        self._over = False

    def begin(self) -> None:
        """Something is about to happen: if what was before is over, only what comes counts."""
        if self._over:
            self._since, self._over = len(self._world.letters), False

    def end(self) -> None:
        """Expectations may follow; whatever happens next is another matter."""
        self._over = True

    @property
    def _came(self) -> Sequence[ReceivedEmail]:
        return self._world.letters[self._since :]

    def _to(self, name: str) -> list[ReceivedEmail]:
        person = self._world.people[name]
        return [letter for letter in self._came if person.has(letter.to)]

    def letter(self, wanted: Expect) -> list[Verdict]:
        """One for each name."""
        self.end()
        return [self._letter(wanted, name) for name in wanted.names]

    def _letter(self, wanted: Expect, name: str) -> Verdict:
        said = "".join(f" “{words}”" for words in wanted.words)
        said += "".join(f" without “{words}”" for words in wanted.without)
        expected = f"a letter to {name}{' with' * bool(wanted.words)}{said}"
        there = self._to(name)
        for letter in there:
            if not letter.named and not _lacks(letter, wanted):
                letter.named = True
                return Verdict(wanted.place, expected, True)
        if len(there) == 1 and not there[0].named:
            came = f"a letter to {name} {_lacks(there[0], wanted)}:\n{_quoted(there[0])}"
        else:
            came = self._listed(there or self._came)
            came = came if there else f"no letter to {name}; {came}"
        return Verdict(wanted.place, expected, False, came)

    def none(self, wanted: ExpectNone) -> Verdict:
        """That nobody got any, or any more, or with these words."""
        self.end()
        found = [one for name in wanted.names for one in self._to(name)]
        found = found if wanted.names else list(self._came)
        found = [one for one in found if not (wanted.rest and one.named)]
        found = [one for one in found if all(has(one, words) for words in wanted.words)]
        whom = " or ".join(wanted.names) or ("anybody else" if wanted.rest else "anybody")
        said = "".join(f" with “{words}”" for words in wanted.words)
        return Verdict(wanted.place, f"no letter to {whom}{said}", not found, self._listed(found))

    def _listed(self, letters: Sequence[ReceivedEmail]) -> str:
        if not letters:
            return "no letter at all"
        people = self._world.people.values()
        names = (next((p.name for p in people if p.has(one.to)), one.to) for one in letters)
        told = [
            f"to {name}: {one.subject}" for name, one in zip(names, letters[:_MOST], strict=False)
        ]
        more = [f"and {len(letters) - _MOST} more"] if len(letters) > _MOST else []
        return "\n".join(["these letters:", *told, *more])

    # positions and queues

    def claim(self, wanted: ClaimStep) -> Verdict:
        """Of a position, or of the queues. Raises ScenarioError for one that could never hold."""
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
        """ "outbox new 2 failed 1": how many stand there."""
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
        """A game that has begun; the only one if none is named. Raises ScenarioError."""
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
    """What is wrong with a letter, or ""."""
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
