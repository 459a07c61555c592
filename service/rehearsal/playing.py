"""Plays a scenario: each step in its order, in a world of its own, and again for each crash."""

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from engine.titles.registry import load_title
from service.desk.post import ORGANISER
from service.games.games import Table
from service.rehearsal import steps
from service.rehearsal.judging import Judge, Verdict
from service.rehearsal.people import Letter
from service.rehearsal.report import Report, summary
from service.rehearsal.source import Place, ScenarioError
from service.rehearsal.steps import Scenario, Step
from service.rehearsal.stretch import Held, Sheet, sheets
from service.rehearsal.times import When, WrongTime, shown
from service.rehearsal.world import Saved, Told, World
from service.store import SeatRow

#: seconds that a player of a stretch waits for the answer to a mail before the next is written
_PATIENCE = 3600
_LOOK = 60
#: how the subject of an answer to a mail ends of which nothing was done
_REFUSED = "NOT DONE"


@dataclass(frozen=True)
class Options:
    """How to play: ``told`` hears of every mail of the first performance."""

    pictures: bool = False
    told: Told = lambda kind, at, who, raw: None


def rehearse(scenario: Scenario, options: Options | None = None) -> Report:
    """Play it; where it says “every”, once for each crash too. Raises ScenarioError."""
    chosen, began = options or Options(), perf_counter()
    quiet = replace(chosen, told=Options().told)
    with tempfile.TemporaryDirectory(prefix="waybill-rehearsal-") as folder:
        first = _Performance(scenario, chosen, Path(folder))
        report = first.play()
        for number in range(1, first.points + 1):
            assert first.saved is not None
            again = _Performance(scenario, quiet, Path(folder), number, first.saved)
            report = _together(report, again.play(), f"crash {number} of {first.points}")
    return replace(report, seconds=round(perf_counter() - began, 3))


def _together(report: Report, other: Report, when: str) -> Report:
    """The figures of two performances of a scenario."""
    verdicts = tuple(replace(one, when=when) for one in other.verdicts)
    return replace(
        report,
        verdicts=(*report.verdicts, *verdicts),
        performances=report.performances + 1,
        mails=report.mails + other.mails,
        letters=report.letters + other.letters,
    )


@dataclass(frozen=True)
class _Midway:
    """Where the crashes begin that are tried in turn: the world, and the next step."""

    world: Saved
    step: int


class _Left(Exception):
    """A stretch cannot go on; the verdict says why."""


class _Performance:
    """A scenario, played once: from its beginning, or from where crashes are tried in turn."""

    def __init__(
        self,
        scenario: Scenario,
        options: Options,
        folder: Path,
        deadly: int = 0,
        midway: _Midway | None = None,
    ) -> None:
        """``deadly`` is which of the crashes happens, 0 for none."""
        self._scenario = scenario
        self._options = options
        self._folder = folder
        self._deadly = deadly
        self._verdicts: list[Verdict] = []
        self._mails = 0
        #: how often the service came to the point of the crashes tried in turn
        self.points = 0
        self.saved = midway
        self._counting = False
        self._world: World
        self._judge: Judge

    def play(self) -> Report:
        """All steps, and what must be so at the end. Raises ScenarioError."""
        midway, place = self.saved, self._folder / f"world {self._deadly}"
        place.mkdir()
        self._world = World(
            self._scenario,
            place,
            self._options.pictures,
            self._tell,
            midway.world if midway else None,
        )
        before = len(self._world.letters)
        self._judge = Judge(self._world)
        self._judge.end()
        try:
            for number, step in enumerate(self._scenario.steps):
                if midway is None and isinstance(step, steps.Crash) and not step.number:
                    saved = self._world.save(self._folder / "saved")
                    self.saved = _Midway(saved, number)
                if midway is None or number >= midway.step:
                    self._take(step)
            self._end_counting()
            self._look_back()
            return summary(self._scenario, self._world, self._verdicts, self._mails, before)
        finally:
            self._world.close()
            shutil.rmtree(place)

    def _tell(self, kind: str, at: int, who: str, raw: bytes) -> None:
        self._mails += kind == "in"
        self._options.told(kind, at, who, raw)

    def _look_back(self) -> None:
        """No scenario may end with a fault of ours that it does not expect."""
        place = self._scenario.steps[-1].place
        for fault in self._world.faults:
            self._verdicts.append(Verdict(place, "a service without faults", False, fault))
        aside = self._world.store.shunted()
        expected = any(
            isinstance(s, steps.Claim) and s.text.startswith("inbox") and "shunted" in s.text
            for s in self._scenario.steps
        )
        if aside and not expected:
            notes = "\n".join(f"mail {row.id} of {row.sender}: {row.note}" for row in aside)
            text = "no mail put aside for a fault (or a line = inbox shunted N)"
            self._verdicts.append(Verdict(place, text, False, notes))

    # steps

    def _take(self, step: Step) -> None:
        match step:
            case steps.Expect():
                self._verdicts += self._judge.letter(step)
            case steps.ExpectNone():
                self._verdicts.append(self._judge.none(step))
            case steps.Claim():
                self._verdicts.append(self._judge.claim(step))
            case _:
                self._judge.begin()
                self._act(step)

    def _act(self, step: Step) -> None:
        match step:
            case steps.Write():
                self._write(step)
            case steps.Reply():
                self._reply(step)
            case steps.RawMail():
                self._raw(step)
            case steps.Begin():
                self._stretch(step, self._begin(step))
            case steps.Play():
                self._stretch(step, self._play(step))
            case steps.Wait():
                self._pass(step.place, self._world.now + step.seconds)
            case steps.Until():
                self._pass(step.place, self._moment(step.place, step.when))
            case steps.Repeat():
                self._repeat(step)
            case _:
                self._befall(step)

    def _befall(self, step: Step) -> None:
        """What happens to the service and to the servers around it."""
        world = self._world
        match step:
            case steps.Down():
                until = None if step.seconds is None else world.now + step.seconds
                world.servers.break_down(step.server, until)
            case steps.Up():
                world.servers.mend(step.server)
            case steps.Refuse():
                world.servers.refuse(step.address, step.answer, step.late)
            case steps.Take():
                world.servers.take(step.address)
            case steps.TurnClock():
                world.turn_clock(step.seconds)
            case steps.Crash():
                self._arm(step)
            case steps.NoCrash():
                self._end_counting()
                world.fate.disarm()
            case steps.Serve():
                if step.stop:
                    world.stop()
                if step.start:
                    world.start()

    def _arm(self, step: steps.Crash) -> None:
        if step.number:
            self._world.fate.arm(step.when, step.point, step.number)
            return
        self._counting = True
        self._world.fate.arm(step.when, step.point, self._deadly)

    def _end_counting(self) -> None:
        if self._counting:
            self.points, self._counting = self._world.fate.passed, False

    # time

    def _pass(self, place: Place, until: int) -> None:
        if until < self._world.now:
            text = f"{shown(until)} is over: it is {shown(self._world.now)} already"
            raise ScenarioError(place, text)
        self._world.pass_until(until)
        self._options.told("step", self._world.now, shown(self._world.now), b"")

    def _moment(self, place: Place, when: When) -> int:
        try:
            return when.after(self._world.now)
        except WrongTime as wrong:
            raise ScenarioError(place, str(wrong)) from wrong

    def _repeat(self, step: steps.Repeat) -> None:
        for _ in range(step.times):
            if isinstance(step.pause, int):
                until = self._world.now + step.pause
            else:
                until = self._moment(step.place, step.pause)
            self._pass(step.place, until)
            for inner in step.steps:
                self._take(inner)

    # mails

    def _send(
        self,
        who: str,
        to: str,
        subject: str,
        text: tuple[str, ...],
        answers: Letter | None = None,
        sender: str = "",
    ) -> str:
        person = self._world.people[who]
        identifier, raw = person.write(to, subject, text, self._world.now, answers, sender)
        self._world.arrive(who, raw)
        return identifier

    def _answer(self, who: str, letter: Letter, text: tuple[str, ...], sender: str = "") -> str:
        subject = letter.subject if letter.subject.startswith("Re: ") else f"Re: {letter.subject}"
        return self._send(who, letter.reply_to, subject, text, letter, sender)

    def _write(self, step: steps.Write) -> None:
        to = self._world.house.address
        if step.game:
            to = self._seat_address(step.place, step.game, step.seat)
        subject = step.subject or step.text[0]
        self._send(step.who, to, subject, step.text, sender=step.sender)

    def _seat_address(self, place: Place, game: str, seat: str) -> str:
        with self._world.store.transaction() as tx:
            row = tx.game(game)
            seats: tuple[SeatRow, ...] = tx.seats(row.id) if row else ()
        if row is None:
            raise ScenarioError(place, f"there is no game {game} yet")
        found = next((one for one in seats if one.name == seat), None)
        if found is None and seat != ORGANISER:
            known = ", ".join(one.name for one in seats) or "nobody"
            raise ScenarioError(place, f"{seat} has no seat in {game}; seated: {known}")
        return self._world.house.seat_address(game, seat, found.epoch if found else 0)

    def _reply(self, step: steps.Reply) -> None:
        letter = self._world.people[step.who].find(step.words, step.number)
        if letter is None:
            which = f" number {step.number}" if step.number else ""
            said = f" with “{step.words}” in its subject" if step.words else ""
            expected = f"a letter to {step.who}{which}{said}, to reply to"
            got = [one.subject for one in self._world.people[step.who].letters]
            came = "\n".join([f"{step.who} has got:", *got[-8:]] if got else ["no letter yet"])
            self._verdicts.append(Verdict(step.place, expected, False, came))
            return
        self._answer(step.who, letter, step.text, step.sender)

    def _raw(self, step: steps.RawMail) -> None:
        raw = step.file.read_bytes()
        if step.game:
            address = self._seat_address(step.place, step.game, step.seat)
            raw = f"Delivered-To: {address}\r\n".encode() + raw
        self._world.arrive(step.file.name, raw)

    # stretches of a game

    def _stretch(self, step: Step, mails: Iterator[None]) -> None:
        """Mail after mail; expectations that follow are about what came of the last."""
        with contextlib.suppress(_Left):
            for _ in mails:
                self._judge.end()

    def _wait_for(self, place: Place, who: str, identifier: str) -> Letter:
        """The answer to a mail. Raises _Left where none comes."""
        until = self._world.now + _PATIENCE
        person = self._world.people[who]
        while (found := person.answer_to(identifier)) is None:
            if self._world.now >= until:
                self._fail(place, f"an answer to {who}'s mail within an hour", "none")
            self._world.pass_until(self._world.now + _LOOK)
        return found

    def _fail(self, place: Place, expected: str, came: str) -> None:
        """Leave a stretch: what follows in it makes no sense any more."""
        came += "\n(the rest of this stretch was left out)"
        self._verdicts.append(Verdict(place, expected, False, came))
        raise _Left

    def _begin(self, step: steps.Begin) -> Iterator[None]:
        """Created by the first, joined by all, started by the first."""
        host, place = step.players[0], step.place
        moderator = self._world.house.address
        line = f"create {step.title} {step.game} {step.options}".strip()
        created = self._wait_for(place, host, self._send(host, moderator, "a game", (line,)))
        yield
        for name in step.players:
            line = f"join {step.game} as {name}"
            asked = self._wait_for(place, name, self._send(name, moderator, "join", (line,)))
            yield
            self._wait_for(place, name, self._answer(name, asked, ("yes",)))
            yield
        self._judge.begin()
        self._wait_for(place, host, self._answer(host, created, ("start",)))
        seats = self._judge.table(place, step.game).state.seats
        if seats != step.players:
            self._fail(place, f"seats {', '.join(step.players)}", f"seats {', '.join(seats)}")
        yield

    def _play(self, step: steps.Play) -> Iterator[None]:
        table = self._judge.table(step.place, step.game)
        if step.whole:
            _fits(step, table)
        parts = sheets(step.script, table.title, table.state, step.until, step.source, step.whole)
        for part in parts:
            if isinstance(part, Held):
                claim = steps.Claim(part.place, step.game, part.text)
                self._verdicts.append(self._judge.claim(claim))
                continue
            self._pass(step.place, self._world.now + step.pace)
            self._judge.begin()
            self._sheet(step.game, part)
            yield

    def _sheet(self, game: str, sheet: Sheet) -> None:
        """One player's mail; it must be done, or refused as the script says."""
        place, who = sheet.place, sheet.seat
        address = self._seat_address(place, game, who)
        letter = self._world.people[who].at_seat(address)
        if letter is None:
            self._fail(place, f"a letter of {game} to {who}, to reply to", "no letter")
            return
        receipt = self._wait_for(place, who, self._answer(who, letter, sheet.text))
        said = " ".join(receipt.text.split())
        refused, wanted = receipt.subject.endswith(_REFUSED), sheet.refused
        written = f"{who}: {'; '.join(sheet.text)}"
        if wanted is None:
            if refused:
                self._fail(place, f"done: {written}", _excerpt(receipt))
            self._verdicts.append(Verdict(place, f"done: {written}", True))
        elif not refused:
            self._fail(place, f"refused: {written}", "it was done")
        else:
            good = wanted.text in said and wanted.rule in said
            rule = f" ({wanted.rule})" if wanted.rule else ""
            expected = f"refused: {written}: {wanted.text}{rule}"
            self._verdicts.append(Verdict(place, expected, good, _excerpt(receipt)))


def _fits(step: steps.Play, table: Table) -> None:
    """Whether a whole game is of these players, who have not begun. Raises ScenarioError."""
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
        where = f", and stands at #{state.number}" if state.number else ""
        raise ScenarioError(step.place, text + where)


def _excerpt(letter: Letter) -> str:
    lines = [line for line in letter.text.splitlines() if line.strip()]
    return "\n".join(f"| {line}" for line in (letter.subject, *lines[:12]))
