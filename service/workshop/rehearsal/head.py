"""Reads the first lines of a scenario: people, beginning, settings."""

import difflib
import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import engine
from service.desk.lobby import lobby
from service.games.overlays import UnusableOverlay, find_title, read_options
from service.settings import Settings, SettingsError, keys
from service.workshop.rehearsal.bare import given
from service.workshop.rehearsal.source import ScenarioError, SourcePlace, nearest
from service.workshop.rehearsal.steps import Scenario, ScenarioStep
from service.workshop.rehearsal.times import LocalMoment, when

MODERATOR = "waybill@moderator.example"
OPERATOR = "operator@moderator.example"
#: default settings of a scenario; the mail servers are simulated
BARE = {
    "mail.address": MODERATOR,
    "mail.operator": OPERATOR,
    "imap.host": "imap.moderator.example",
    "imap.user": MODERATOR,
    "smtp.host": "smtp.moderator.example",
}
#: settings that name a folder, relative to the scenario's own
_FOLDERS = ("play.overlays", "templates.dir")
#: settings that a scenario cannot have, because the rehearsal makes their values
_OURS = ("mail.secret", "database.", "data.dir", "imap.", "smtp.", "log.")
_WORDS = ("title:", "begin:", "people:", "settings:", "seats:", "daemons:", "weather:")
_WEATHERS = ("fair", "storm")
_PERSON = re.compile(r"([^\W\d_][\w.'-]*)((?: <[^<>\s]+@[^<>\s]+>)*)")
_SEATS = re.compile(r"(\w+) ([\w-]+): ([^:]+?)(?: (with .+|overlay \S+))?")
_MOST_LOTS = 3_000_000
BEGIN = "2026-01-05 09:00"


@dataclass(frozen=True)
class _HeaderGame:
    place: SourcePlace
    title: str
    game: str
    players: tuple[str, ...]
    options: str


@dataclass
class ScenarioHeader:
    """The facts that are known before the first step."""

    file: Path
    title: str = ""
    begin: LocalMoment | None = None
    people: dict[str, str] = field(default_factory=lambda: {"operator": OPERATOR})
    #: name → the addresses after the first
    further: dict[str, tuple[str, ...]] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=dict)
    daemons: int = 1
    #: whether faults happen that a scenario reserves for a storm
    stormy: bool = False
    _places: dict[str, SourcePlace] = field(default_factory=dict)
    _seatings: list[_HeaderGame] = field(default_factory=list)

    def knows(self, word: str) -> bool:
        """Whether a line with this first word belongs to the first lines."""
        return word in _WORDS

    def read(self, place: SourcePlace, word: str, rest: str) -> None:
        """Read a line. Raises ScenarioError and WrongTime."""
        if not rest:
            raise ScenarioError(place, f"{word} says nothing")
        if word == "title:":
            # A scenario that includes another is named by its own first line.
            self.title = self.title or rest
        elif word == "begin:":
            self.begin = when(rest)
            if self.begin.day is None:
                raise ScenarioError(place, f"the beginning needs its day: begin: {BEGIN}")
        elif word == "people:":
            self._introduce(place, rest)
        elif word == "settings:":
            self._set(place, rest)
        elif word == "seats:":
            self._seats(place, rest)
        elif word == "weather:":
            if rest not in _WEATHERS:
                raise ScenarioError(place, f"the weather is {' or '.join(_WEATHERS)}, not {rest}")
            self.stormy = rest == "storm"
        elif rest.isdecimal() and 1 <= int(rest) <= 9:
            self.daemons = int(rest)
        else:
            raise ScenarioError(place, f"1 to 9 daemons can share the work, not {rest}")

    def _introduce(self, place: SourcePlace, rest: str) -> None:
        for part in rest.split(","):
            found = _PERSON.fullmatch(part.strip())
            if found is None:
                text = (
                    f"{part.strip() or 'nothing'} is nobody: write Ann, or Ann <ann@home.example>"
                )
                raise ScenarioError(place, text)
            name, addresses = found[1], [one.strip("<>") for one in found[2].split()]
            if name in self.people:
                raise ScenarioError(place, f"{name} has been introduced already")
            first, *others = addresses or [f"{name.lower()}@players.example"]
            self.people[name], self.further[name] = first, tuple(others)

    def _set(self, place: SourcePlace, rest: str) -> None:
        for part in rest.split(","):
            key, _, value = part.strip().partition(" ")
            if key not in keys():
                close = difflib.get_close_matches(key, keys(), n=1)
                hint = f"did you mean {close[0]}?" if close else "`waybill config` lists them"
                raise ScenarioError(place, f"there is no setting {key}; {hint}")
            if key.startswith(_OURS):
                raise ScenarioError(place, f"{key} is the rehearsal's own and cannot be set")
            value = value.strip().strip('"')
            if key in _FOLDERS and value:
                value = str(place.file.parent / value)
            try:
                given({**BARE, key: value})
            except SettingsError as error:
                raise ScenarioError(place, str(error)) from error
            self.settings[key] = value

    def _seats(self, place: SourcePlace, rest: str) -> None:
        found = _SEATS.fullmatch(rest)
        if found is None:
            raise ScenarioError(place, "write seats: 18AL dixie7: Ann, Bob, Cat")
        players = tuple(name.strip() for name in found[3].split(","))
        self.seat(place, found[1], found[2].lower(), players, found[4] or "")

    def seat(
        self, place: SourcePlace, title: str, game: str, players: tuple[str, ...], options: str
    ) -> None:
        """Note the order in which a game must seat these players."""
        self._seatings.append(_HeaderGame(place, title, game, players, options))

    # people

    def person(self, place: SourcePlace, name: str) -> str:
        """The address of a person. Raises ScenarioError for an unknown name."""
        if name not in self.people:
            known = [n for n in self.people if n != "operator"]
            hint = nearest(name, known) or f"; people: {', '.join(known) or 'nobody yet'}"
            raise ScenarioError(place, f"nobody is called {name}{hint}")
        return self.people[name]

    def address(self, place: SourcePlace, who: str) -> str:
        """The address of a person by name; an address is returned as it is."""
        return who.lower() if "@" in who else self.person(place, who).lower()

    # everything together

    def scenario(self, steps: tuple[ScenarioStep, ...]) -> Scenario:
        """The scenario's settings and people, complete. Raises ScenarioError."""
        begin = self.begin or when(BEGIN)
        values = {**BARE, "mail.secret": self._secret(), **self.settings}
        values["mail.name"] = self.settings.get("mail.name", "Waybill")
        if operator := self.settings.get("mail.operator"):
            self.people["operator"] = operator
        try:
            settings: Settings = given(values)
        except SettingsError as error:
            raise ScenarioError(SourcePlace(self.file, 1), str(error)) from error
        return Scenario(
            self.file,
            self.title or self.file.stem,
            begin.after(0),
            dict(self.people),
            dict(self.further),
            settings,
            self.daemons,
            steps,
        )

    def _secret(self) -> str:
        """A secret for which drawing lots seats everybody as the scenario says."""
        wanted = [(s, self._title(s)) for s in self._seatings]
        for number in itertools.count(1):
            secret = f"a rehearsal's secret, {number}"
            if all(seats_so(secret.encode(), s.game, s.players, title) for s, title in wanted):
                return secret
            if number > _MOST_LOTS:
                break
        raise ScenarioError(wanted[0][0].place, "no lot seats all these games' players so")

    def _title(self, seating: _HeaderGame) -> engine.Title:
        place, names = seating.place, seating.players
        folder = self.settings.get("play.overlays")
        variants, overlay = read_options(seating.options.removeprefix("with "))
        try:
            title = find_title(
                seating.title.upper(), variants, overlay, Path(folder) if folder else None
            )
        except (LookupError, UnusableOverlay) as error:
            raise ScenarioError(place, str(error.args[0])) from error
        if len(names) not in title.seats or len(set(names)) < len(names):
            seats = f"{title.seats[0]} to {title.seats[-1]}"
            raise ScenarioError(place, f"{title.name} is for {seats} different players")
        return title


def seats_so(secret: bytes, game: str, names: Sequence[str], title: engine.Title) -> bool:
    """Whether drawing lots seats the players in this order, with the usual private companies."""
    drawn = engine.new_game(title, sorted(names), lobby.seed_of(secret, game, names)).state
    usual = engine.new_game(title, names).state
    return (drawn.seats, drawn.privates) == (usual.seats, usual.privates)
