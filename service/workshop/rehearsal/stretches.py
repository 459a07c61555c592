"""Plays stretches of games by email: begins a game, or plays the lines of a script.

A player waits for the answer to an email before the next one is written.
"""

import contextlib
from collections.abc import Iterator
from typing import NoReturn

from engine import load_title
from service.games.games import GameTable
from service.reports.receipt import NOT_DONE
from service.workshop.rehearsal import steps
from service.workshop.rehearsal.judging import Judge, Verdict
from service.workshop.rehearsal.pen import Pen
from service.workshop.rehearsal.people import ReceivedEmail
from service.workshop.rehearsal.source import ScenarioError, SourcePlace
from service.workshop.rehearsal.stretch import Sheet, StretchClaim, sheets
from service.workshop.rehearsal.world import World

#: seconds to wait for an answer, and between two looks
_PATIENCE = 3600
_LOOK = 60
#: the end of the subject of an answer to an email that Waybill did not do


class _Left(Exception):
    """Ends a stretch that cannot go on; the verdict says why."""


class Stretches:
    """Plays stretches; ``verdicts`` are those of the last one."""

    def __init__(self, world: World, judge: Judge) -> None:
        """``judge`` hears of the beginning and the end of each email."""
        self._world = world
        self._judge = judge
        self._pen = Pen(world)
        self.verdicts: list[Verdict] = []

    def carry_out(self, step: steps.Begin | steps.PlayStep) -> list[Verdict]:
        """Play all emails of a stretch, or those up to the first that goes wrong."""
        self.verdicts = []
        mails = self._begin(step) if isinstance(step, steps.Begin) else self._play(step)
        with contextlib.suppress(_Left):
            for _ in mails:
                self._judge.end()
        return self.verdicts

    def _wait_for(self, place: SourcePlace, who: str, identifier: str) -> ReceivedEmail:
        """The answer to an email. Raises _Left if none comes."""
        until = self._world.now + _PATIENCE
        person = self._world.people[who]
        while (found := person.answer_to(identifier)) is None:
            if self._world.now >= until:
                self._fail(place, f"an answer to {who}'s email within an hour", "none")
            self._world.pass_until(self._world.now + _LOOK)
        return found

    def _fail(self, place: SourcePlace, expected: str, came: str) -> NoReturn:
        """Leave a stretch whose remaining lines make no sense."""
        came += "\n(the rest of this stretch was left out)"
        self.verdicts.append(Verdict(place, expected, False, came))
        raise _Left

    def _begin(self, step: steps.Begin) -> Iterator[None]:
        """The first player creates and starts the game; all join it."""
        host, place = step.players[0], step.place
        moderator = self._world.service.address
        line = f"create {step.title} {step.game} {step.options}".strip()
        created = self._wait_for(place, host, self._pen.send(host, moderator, "a game", (line,)))
        yield
        for name in step.players:
            line = f"join {step.game} as {name}"
            asked = self._wait_for(place, name, self._pen.send(name, moderator, "join", (line,)))
            yield
            self._wait_for(place, name, self._pen.answer(name, asked, ("yes",)))
            yield
        self._judge.begin()
        self._wait_for(place, host, self._pen.answer(host, created, ("start",)))
        seats = self._judge.table(place, step.game).state.seats
        if seats != step.players:
            self._fail(place, f"seats {', '.join(step.players)}", f"seats {', '.join(seats)}")
        yield

    def _play(self, step: steps.PlayStep) -> Iterator[None]:
        table = self._judge.table(step.place, step.game)
        if step.whole:
            _fits(step, table)
        parts = sheets(step.script, table.title, table.state, step.until, step.source, step.whole)
        for part in parts:
            if isinstance(part, StretchClaim):
                claim = steps.ClaimStep(part.place, step.game, part.text)
                self.verdicts.append(self._judge.claim(claim))
                continue
            self._world.pass_until(self._world.now + step.pace)
            self._judge.begin()
            self._sheet(step.game, part)
            yield

    def _sheet(self, game: str, sheet: Sheet) -> None:
        """Send one player's email; it must be done, or refused as the script says."""
        place, who = sheet.place, self._pen.player_of(game, sheet.seat)
        address = self._pen.seat_address(place, game, sheet.seat)
        letter = self._world.people[who].at_seat(address)
        if letter is None:
            self._fail(place, f"an email of {game} to {who}, to reply to", "no email")
        receipt = self._wait_for(place, who, self._pen.answer(who, letter, sheet.text))
        said = " ".join(receipt.text.split())
        refused, wanted = receipt.subject.endswith(NOT_DONE), sheet.refused
        written = f"{who}: {'; '.join(sheet.text)}"
        if wanted is None:
            if refused:
                self._fail(place, f"done: {written}", _excerpt(receipt))
            self.verdicts.append(Verdict(place, f"done: {written}", True))
        elif not refused:
            self._fail(place, f"refused: {written}", "it was done")
        else:
            good = wanted.text in said and wanted.rule in said
            rule = f" ({wanted.rule})" if wanted.rule else ""
            expected = f"refused: {written}: {wanted.text}{rule}"
            self.verdicts.append(Verdict(place, expected, good, _excerpt(receipt)))


def _fits(step: steps.PlayStep, table: GameTable) -> None:
    """Raise ScenarioError if a whole game has other players, or has begun."""
    script, state = step.script, table.state
    try:
        title = load_title(script.title, frozenset(script.variants))
    except LookupError as error:
        raise ScenarioError(step.place, str(error.args[0])) from error
    ours = (table.title.name, tuple(sorted(table.title.variants)), state.seats)
    theirs = (title.name, tuple(sorted(title.variants)), script.players)
    if ours != theirs or state.number:
        told = [
            f"{name} {' '.join(variants)} with {', '.join(seats)}".replace("  ", " ")
            for name, variants, seats in (theirs, ours)
        ]
        text = f"the script is of a whole game, {told[0]}; {step.game} is {told[1]}"
        where = f", at #{state.number}" if state.number else ""
        raise ScenarioError(step.place, text + where)


def _excerpt(letter: ReceivedEmail) -> str:
    lines = [line for line in letter.text.splitlines() if line.strip()]
    return "\n".join(f"| {line}" for line in (letter.subject, *lines[:12]))
