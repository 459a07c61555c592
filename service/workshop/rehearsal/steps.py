"""What a scenario consists of, as values: who writes what, what happens, what is expected."""

from dataclasses import dataclass
from pathlib import Path

from service.settings import Settings
from service.workshop.practice.script import Script
from service.workshop.rehearsal.source import SourcePlace
from service.workshop.rehearsal.times import LocalMoment


@dataclass(frozen=True)
class ScenarioStep:
    """One thing after the other."""

    place: SourcePlace


@dataclass(frozen=True)
class Write(ScenarioStep):
    """A new mail: to the moderator, or to the address of a seat."""

    who: str
    #: the sending address if it is not the person's own, or ""
    sender: str
    seat: str
    game: str
    subject: str
    text: tuple[str, ...]


@dataclass(frozen=True)
class ReplyStep(ScenarioStep):
    """An answer to a letter that the person got."""

    who: str
    sender: str
    #: words of the email's subject, "" for any email
    words: str
    #: which of those emails, from 1 for the oldest; 0 for the latest
    number: int
    text: tuple[str, ...]


@dataclass(frozen=True)
class RawMail(ScenarioStep):
    """The bytes of a file; the receiving server notes the seat's address that it came to."""

    file: Path
    seat: str
    game: str


@dataclass(frozen=True)
class Wait(ScenarioStep):
    """Time passes."""

    seconds: int


@dataclass(frozen=True)
class Until(ScenarioStep):
    """Time passes until a moment."""

    when: LocalMoment


@dataclass(frozen=True)
class Repeat(ScenarioStep):
    """Steps that are taken several times, after a while or at an hour of the day."""

    pause: int | LocalMoment
    times: int
    steps: tuple[ScenarioStep, ...]


@dataclass(frozen=True)
class Begin(ScenarioStep):
    """A game is created, joined and started by mails, as people do it."""

    title: str
    game: str
    players: tuple[str, ...]
    options: str


@dataclass(frozen=True)
class PlayStep(ScenarioStep):
    """A stretch of a game, each line written by its player."""

    game: str
    script: Script
    #: the place of the script's lines
    source: SourcePlace
    #: whether the script is a whole game, with its own title and players
    whole: bool
    #: the round before which the script ends, or ""
    until: str
    #: seconds before each email
    pace: int


@dataclass(frozen=True)
class Down(ScenarioStep):
    """A mail server is out of order: ``seconds``, or until it is up again (None)."""

    server: str
    seconds: int | None


@dataclass(frozen=True)
class Up(ScenarioStep):
    """A mail server works again."""

    server: str


@dataclass(frozen=True)
class Refuse(ScenarioStep):
    """The server does not take letters to an address, at once or, ``late``, by a bounce."""

    address: str
    answer: str
    late: bool


@dataclass(frozen=True)
class Take(ScenarioStep):
    """The server takes letters to an address again."""

    address: str


@dataclass(frozen=True)
class Crash(ScenarioStep):
    """The service ends before or after the ``number``-th time that it comes to a point.

    Number 0 is for each time in turn: the scenario is played again for each of them.
    """

    when: str
    point: str
    number: int


@dataclass(frozen=True)
class NoCrash(ScenarioStep):
    """From here on the service does not end by itself."""


@dataclass(frozen=True)
class TurnClock(ScenarioStep):
    """The clock of the service's machine is put forward or, below 0, back."""

    seconds: int


@dataclass(frozen=True)
class Serve(ScenarioStep):
    """The service is stopped or started; restarted is both."""

    stop: bool
    start: bool


@dataclass(frozen=True)
class Expect(ScenarioStep):
    """A letter to each of ``names`` that came, with and without these words; each piece once."""

    names: tuple[str, ...]
    words: tuple[str, ...]
    without: tuple[str, ...]


@dataclass(frozen=True)
class ExpectNone(ScenarioStep):
    """No letter to anybody of ``names``, or nobody at all, that has these words.

    ``rest`` leaves out letters that expectations before it have named.
    """

    names: tuple[str, ...]
    words: tuple[str, ...]
    rest: bool


@dataclass(frozen=True)
class ClaimStep(ScenarioStep):
    """What must be true of a game's position, or of the queues of the service."""

    game: str
    text: str


@dataclass(frozen=True)
class Scenario:
    """A scenario as it is written down."""

    file: Path
    title: str
    #: UTC seconds
    begin: int
    #: name → address, the first of several
    people: dict[str, str]
    #: name → their other addresses
    further: dict[str, tuple[str, ...]]
    settings: Settings
    daemons: int
    steps: tuple[ScenarioStep, ...]
