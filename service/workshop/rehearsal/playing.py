"""Plays a scenario: all its steps in a new world, and again for each crash."""

import shutil
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from service.workshop.rehearsal import steps
from service.workshop.rehearsal.judging import Judge, Verdict
from service.workshop.rehearsal.pen import Pen
from service.workshop.rehearsal.report import RehearsalReport, summary
from service.workshop.rehearsal.source import ScenarioError, SourcePlace
from service.workshop.rehearsal.steps import Scenario, ScenarioStep
from service.workshop.rehearsal.stretches import Stretches
from service.workshop.rehearsal.times import LocalMoment, WrongTime, shown
from service.workshop.rehearsal.world import Options, Saved, World


def rehearse(scenario: Scenario, options: Options | None = None) -> RehearsalReport:
    """Play a scenario; with "every", also once for each crash. Raises ScenarioError."""
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


def _together(report: RehearsalReport, other: RehearsalReport, when: str) -> RehearsalReport:
    """Add up the figures of two performances of a scenario."""
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
    """The beginning of the crashes that are tried in turn: the world, and the next step."""

    world: Saved
    step: int


class _Performance:
    """One performance of a scenario, from its beginning or from the point before the crashes."""

    def __init__(
        self,
        scenario: Scenario,
        options: Options,
        folder: Path,
        deadly: int = 0,
        midway: _Midway | None = None,
    ) -> None:
        """``deadly`` is the number of the crash that happens, 0 for none."""
        self._scenario = scenario
        self._options = options
        self._folder = folder
        self._deadly = deadly
        self._verdicts: list[Verdict] = []
        self._mails = 0
        #: how often the service reached the crash points, which are tried in turn
        self.points = 0
        self.saved = midway
        self._counting = False
        self._world: World
        self._judge: Judge
        self._pen: Pen
        self._stretches: Stretches

    def play(self) -> RehearsalReport:
        """Play all steps, and check what must hold at the end. Raises ScenarioError."""
        midway, place = self.saved, self._folder / f"world {self._deadly}"
        place.mkdir()
        self._world = World(
            self._scenario,
            place,
            self._options,
            self._tell,
            midway.world if midway else None,
        )
        before = len(self._world.letters)
        self._judge = Judge(self._world)
        self._pen = Pen(self._world)
        self._stretches = Stretches(self._world, self._judge)
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
        """Add a verdict if emails failed because of a bug and the scenario does not expect it."""
        place = self._scenario.steps[-1].place
        for fault in self._world.faults:
            self._verdicts.append(Verdict(place, "a service without faults", False, fault))
        aside = self._world.store.mails.aside()
        expected = any(
            isinstance(s, steps.ClaimStep) and s.text.startswith("inbox") and "shunted" in s.text
            for s in self._scenario.steps
        )
        if aside and not expected:
            notes = "\n".join(f"email {row.id} of {row.sender}: {row.note}" for row in aside)
            text = "no email that failed because of a bug (or a line = inbox shunted N)"
            self._verdicts.append(Verdict(place, text, False, notes))

    # steps

    def _take(self, step: ScenarioStep) -> None:
        match step:
            case steps.Expect():
                self._verdicts += self._judge.letter(step)
            case steps.ExpectNone():
                self._verdicts.append(self._judge.none(step))
            case steps.ClaimStep():
                self._verdicts.append(self._judge.claim(step))
            case _:
                self._judge.begin()
                self._act(step)

    def _act(self, step: ScenarioStep) -> None:
        match step:
            case steps.Write():
                self._write(step)
            case steps.ReplyStep():
                self._reply(step)
            case steps.RawMail():
                self._raw(step)
            case steps.Begin() | steps.PlayStep():
                self._verdicts += self._stretches.carry_out(step)
            case steps.Wait():
                self._pass(step.place, self._world.now + step.seconds)
            case steps.Until():
                self._pass(step.place, self._moment(step.place, step.when))
            case steps.Repeat():
                self._repeat(step)
            case _:
                self._befall(step)

    def _befall(self, step: ScenarioStep) -> None:
        """Carry out a step that changes the service or its servers."""
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

    def _pass(self, place: SourcePlace, until: int) -> None:
        if until < self._world.now:
            text = f"{shown(until)} is over: it is {shown(self._world.now)} already"
            raise ScenarioError(place, text)
        self._world.pass_until(until)
        self._options.told("step", self._world.now, shown(self._world.now), b"")

    def _moment(self, place: SourcePlace, when: LocalMoment) -> int:
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

    # emails

    def _write(self, step: steps.Write) -> None:
        to = self._world.service.address
        if step.game:
            to = self._pen.seat_address(step.place, step.game, step.seat)
        subject = step.subject or step.text[0]
        self._pen.send(step.who, to, subject, step.text, sender=step.sender)

    def _reply(self, step: steps.ReplyStep) -> None:
        letter = self._world.people[step.who].find(step.words, step.number)
        if letter is None:
            which = f" number {step.number}" if step.number else ""
            said = f" with “{step.words}” in its subject" if step.words else ""
            expected = f"an email to {step.who}{which}{said}, to reply to"
            got = [one.subject for one in self._world.people[step.who].letters]
            came = "\n".join([f"{step.who} has got:", *got[-8:]] if got else ["no email yet"])
            self._verdicts.append(Verdict(step.place, expected, False, came))
            return
        self._pen.answer(step.who, letter, step.text, step.sender)

    def _raw(self, step: steps.RawMail) -> None:
        seat = self._pen.seat_address(step.place, step.game, step.seat) if step.game else ""
        self._pen.file(step.file, seat)
