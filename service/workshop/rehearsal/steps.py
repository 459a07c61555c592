"""The steps of a scenario as values: emails, events and expectations."""

from dataclasses import dataclass
from pathlib import Path

from service.settings import Settings
from service.workshop.practice.script import Script
from service.workshop.rehearsal.source import SourcePlace
from service.workshop.rehearsal.times import LocalMoment


@dataclass(frozen=True)
class ScenarioStep:
    """A step of a scenario."""

    place: SourcePlace


@dataclass(frozen=True)
class Write(ScenarioStep):
    """A new email to Waybill, or to the address of a seat."""

    who: str
    #: the sending address if it is not the person's own, or ""
    sender: str
    seat: str
    game: str
    subject: str
    text: tuple[str, ...]


@dataclass(frozen=True)
class ReplyStep(ScenarioStep):
    """A reply to an email that the person got."""

    who: str
    sender: str
    #: words of the email's subject, "" for any email
    words: str
    #: which of those emails, from 1 for the oldest; 0 for the latest
    number: int
    text: tuple[str, ...]


@dataclass(frozen=True)
class RawMail(ScenarioStep):
    """An email from a file; the receiving server notes the seat's address that it came to."""

    file: Path
    seat: str
    game: str


@dataclass(frozen=True)
class Wait(ScenarioStep):
    """Some time passes."""

    seconds: int


@dataclass(frozen=True)
class Until(ScenarioStep):
    """Time passes until a moment."""

    when: LocalMoment


@dataclass(frozen=True)
class Repeat(ScenarioStep):
    """Steps that are repeated, after a pause or at an hour of the day."""

    pause: int | LocalMoment
    times: int
    steps: tuple[ScenarioStep, ...]


@dataclass(frozen=True)
class Begin(ScenarioStep):
    """People create, join and start a game by email."""

    title: str
    game: str
    players: tuple[str, ...]
    options: str


@dataclass(frozen=True)
class PlayStep(ScenarioStep):
    """A stretch of a game; each player emails their own lines."""

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
    """A mail server breaks for ``seconds``, or until somebody mends it (None)."""

    server: str
    seconds: int | None


@dataclass(frozen=True)
class Up(ScenarioStep):
    """A mail server works again."""

    server: str


@dataclass(frozen=True)
class Refuse(ScenarioStep):
    """The server refuses emails to an address, at once or, with ``late``, by a bounce."""

    address: str
    answer: str
    late: bool


@dataclass(frozen=True)
class Take(ScenarioStep):
    """The server accepts emails to an address again."""

    address: str


@dataclass(frozen=True)
class Crash(ScenarioStep):
    """The service crashes before or after the ``number``-th time that it reaches a point.

    With number 0 the scenario is played again for each time in turn.
    """

    when: str
    point: str
    number: int


@dataclass(frozen=True)
class NoCrash(ScenarioStep):
    """The service does not crash from here on."""


@dataclass(frozen=True)
class TurnClock(ScenarioStep):
    """The clock of the service's machine is set forward or, below 0, back."""

    seconds: int


@dataclass(frozen=True)
class Serve(ScenarioStep):
    """The operator stops or starts the service; a restart is both."""

    stop: bool
    start: bool


@dataclass(frozen=True)
class Expect(ScenarioStep):
    """Each of ``names`` got an email with and without these words; an email counts once."""

    names: tuple[str, ...]
    words: tuple[str, ...]
    without: tuple[str, ...]


@dataclass(frozen=True)
class ExpectNone(ScenarioStep):
    """None of ``names``, or nobody at all, may have got an email with these words.

    ``rest`` leaves out emails that earlier expectations have named.
    """

    names: tuple[str, ...]
    words: tuple[str, ...]
    rest: bool


@dataclass(frozen=True)
class ClaimStep(ScenarioStep):
    """A claim about a game's position, or about the queues of the service."""

    game: str
    text: str


@dataclass(frozen=True)
class Scenario:
    """A scenario as it was read."""

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
