"""Reads a scenario: its first lines, and its steps in order."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from pathlib import Path

from service.workshop.rehearsal import steps
from service.workshop.rehearsal.expecting import check, expectation
from service.workshop.rehearsal.faults import fault
from service.workshop.rehearsal.head import ScenarioHeader
from service.workshop.rehearsal.source import Block, ScenarioError, SourcePlace, blocks_of, lines_of
from service.workshop.rehearsal.steps import Scenario, ScenarioStep
from service.workshop.rehearsal.stretch import RECORDED, read_stretch
from service.workshop.rehearsal.times import LocalMoment, WrongTime, duration, when

_NAME = r"[^\W\d_][\w.'-]*"
_SENDER = rf"({_NAME})(?: <([^<>\s]+@[^<>\s]+)>)?"
_WRITE = re.compile(rf'{_SENDER} writes(?: to (?:({_NAME}) in )?(\S+?))?(?:, subject "([^"]*)")?')
_REPLY = re.compile(rf'{_SENDER} replies(?: to (?:(\d+)(?:st|nd|rd|th) )?"([^"]+)")?')
_MAIL = re.compile(rf"mail (\S+)(?: to ({_NAME}) in (\S+))?")
_GAME = re.compile(r"game (\w+) ([\w-]+): ([^:]+?)(?: (with .+|overlay \S+))?")
_EVERY = re.compile(r"every (?:day at (.+)|(.+?)), (\d+) times")
_PLAY = re.compile(
    r"play ([\w-]+)(?: from (\S+))?(?: until ([A-Z]+ [\d.]+))?(?:, a mail every (.+))?"
)
_SERVICE = {"stop": (True, False), "start": (False, True), "restart": (True, True)}
FORMS = (
    "Ann writes",
    "Ann replies",
    "mail FILE.eml",
    "game 18AL dixie7: Ann, Bob, Cat",
    "play dixie7",
    "after 2h",
    "at 2026-08-03 09:00",
    "every day at 07:00, 3 times",
    "fault: …",
    "storm: …",
    "service: restart",
    "include FILE",
    "> Ann: WORDS",
    "= Ann 580",
)


def read_file(file: Path) -> Scenario:
    """Read the scenario of a file. Raises ScenarioError, and OSError or UnicodeDecodeError."""
    return read(file.read_text(encoding="utf-8"), file)


def read(text: str, file: Path) -> Scenario:
    """Read a scenario; it may name other files beside ``file``. Raises ScenarioError."""
    reader = _ScenarioReader(ScenarioHeader(file), [file.resolve()])
    found = tuple(reader.steps(blocks_of(lines_of(text, file))))
    if not found:
        raise ScenarioError(SourcePlace(file, 1), "nothing happens in this scenario: write a step")
    check(found)
    return reader.head.scenario(found)


@dataclass
class _ScenarioReader:
    head: ScenarioHeader
    #: the files being read; each is included by the one before it
    files: list[Path]
    games: set[str] = field(default_factory=set)
    begun: bool = False

    def steps(self, blocks: Iterable[Block]) -> Iterable[ScenarioStep]:
        for block in blocks:
            try:
                yield from self._block(block)
            except WrongTime as wrong:
                raise ScenarioError(block.place, str(wrong)) from wrong

    def _block(self, block: Block) -> Iterable[ScenarioStep]:
        word, _, rest = block.text.partition(" ")
        if word == "include":
            yield from self._include(block, rest.strip())
        elif self.head.knows(word):
            if self.begun:
                raise ScenarioError(block.place, f"write {word} before the first step")
            self.head.read(block.place, word, rest.strip())
        elif word == "storm:":
            self.begun = True
            found = self._alone(block, lambda: fault(block.place, rest.strip(), self.head.address))
            if self.head.stormy:
                yield found
        else:
            self.begun = True
            yield self._step(block, word, rest.strip())

    def _include(self, block: Block, name: str) -> Iterable[ScenarioStep]:
        file = self._beside(block.place, name)
        if file.resolve() in self.files:
            raise ScenarioError(block.place, f"{name} includes itself")
        self.files.append(file.resolve())
        yield from self.steps(blocks_of(lines_of(_text(block.place, file), file)))
        self.files.pop()

    def _step(self, block: Block, word: str, rest: str) -> ScenarioStep:
        place, text = block.place, block.text
        readers: tuple[
            tuple[re.Pattern[str], Callable[[Block, re.Match[str]], ScenarioStep]], ...
        ] = (
            (_WRITE, self._write),
            (_REPLY, self._reply),
            (_MAIL, self._mail),
            (_GAME, self._game),
            (_PLAY, self._play),
            (_EVERY, self._every),
        )
        if word in (">", "="):
            return expectation(block, word, rest, self.head)
        if word not in ("after", "at", "fault:", "service:"):
            for pattern, read in readers:
                if found := pattern.fullmatch(text):
                    return read(block, found)
            raise ScenarioError(place, f"not understood: {text}; write “{'”, “'.join(FORMS)}”")
        return self._alone(block, lambda: self._plain(place, word, rest))

    def _alone(self, block: Block, read: Callable[[], ScenarioStep]) -> ScenarioStep:
        """Read a step of one line."""
        if block.body:
            raise ScenarioError(block.body[0].place, f"write nothing below “{block.text}”")
        return read()

    def _plain(self, place: SourcePlace, word: str, rest: str) -> ScenarioStep:
        if word == "after":
            return steps.Wait(place, duration(rest))
        if word == "at":
            return steps.Until(place, when(rest, self._zone))
        if word == "fault:":
            return fault(place, rest, self.head.address)
        if rest not in _SERVICE:
            raise ScenarioError(place, f"the service can {', '.join(_SERVICE)}, not {rest}")
        return steps.Serve(place, *_SERVICE[rest])

    @property
    def _zone(self) -> tzinfo:
        return self.head.begin.zone if self.head.begin else UTC

    # emails

    def _write(self, block: Block, found: re.Match[str]) -> ScenarioStep:
        who, sender, seat, game, subject = found.groups()
        self.head.person(block.place, who)
        text = block.mail()
        if not text and not subject:
            raise ScenarioError(block.place, "the mail is empty: write its lines below, further in")
        return steps.Write(
            block.place, who, sender or "", seat or who, game or "", subject or "", text
        )

    def _reply(self, block: Block, found: re.Match[str]) -> ScenarioStep:
        who, sender, number, words = found.groups()
        self.head.person(block.place, who)
        if not block.body:
            raise ScenarioError(block.place, "the mail is empty: write its lines below, further in")
        return steps.ReplyStep(
            block.place, who, sender or "", words or "", int(number or 0), block.mail()
        )

    def _mail(self, block: Block, found: re.Match[str]) -> ScenarioStep:
        file = self._beside(block.place, found[1])
        if not file.is_file():
            raise ScenarioError(block.place, f"there is no file {file}")
        return steps.RawMail(block.place, file, found[2] or "", found[3] or "")

    # games

    def _game(self, block: Block, found: re.Match[str]) -> ScenarioStep:
        title, game, names, options = found[1], found[2].lower(), found[3], found[4] or ""
        players = tuple(name.strip() for name in names.split(","))
        for name in players:
            self.head.person(block.place, name)
        if game in self.games:
            raise ScenarioError(block.place, f"there is a game {game} already")
        self.games.add(game)
        self.head.seat(block.place, title, game, players, options)
        return steps.Begin(block.place, title, game, players, options)

    def _play(self, block: Block, found: re.Match[str]) -> ScenarioStep:
        game, name, until, pace = found.groups()
        if bool(name) == bool(block.body):
            text = "write the lines of a game below, indented, or “from FILE.game”"
            raise ScenarioError(block.place, text)
        source = (
            block.body[0].place if block.body else SourcePlace(self._script(block.place, name), 1)
        )
        script = read_stretch(block, source, name or "", tuple(self.head.people))
        seconds = duration(pace) if pace else 0
        return steps.PlayStep(block.place, game, script, source, bool(name), until or "", seconds)

    def _every(self, block: Block, found: re.Match[str]) -> ScenarioStep:
        pause = when(found[1], self._zone) if found[1] else duration(found[2])
        inner = tuple(self.steps(blocks_of(block.body)))
        if any(isinstance(one, steps.Crash) and not one.number for one in inner):
            text = "crashes that are tried in turn begin outside of what is repeated"
            raise ScenarioError(block.place, text)
        if not inner or not int(found[3]):
            raise ScenarioError(block.place, "write the steps to repeat below, indented")
        if isinstance(pause, LocalMoment) and pause.day is not None:
            raise ScenarioError(block.place, "an hour comes every day, a date only once")
        return steps.Repeat(block.place, pause, int(found[3]), inner)

    def _script(self, place: SourcePlace, name: str) -> Path:
        return Path(name) if name.startswith(RECORDED) else self._beside(place, name)

    def _beside(self, place: SourcePlace, name: str) -> Path:
        if not name:
            raise ScenarioError(place, "the name of a file is missing")
        return place.file.parent / name


def _text(place: SourcePlace, file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ScenarioError(place, f"{file} cannot be read ({error})") from error
