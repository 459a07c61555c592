"""A tournament as its public pages show it: its tables and lists. It knows no file."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from service.reports.tables import Column, Grid
from service.reports.words import moment
from service.tournaments.form import FIELDS, ROUND_FIELDS
from service.tournaments.listing import aims_told, place_word, player_told, result_told
from service.tournaments.scoring import scored
from service.tournaments.standings import Standings, standings
from service.tournaments.telling import rulings, standing_lines, struck
from service.tournaments.tournament import Tournament
from service.tournaments.values import BoardRecord, Seating

#: fields of the form that the page shows elsewhere, or that are only for the director
_ELSEWHERE = ("director", "assistant", "announcement", "prizes")


@dataclass(frozen=True)
class TournamentView:
    """A tournament for everybody; ``games`` has the pages of its public games by name.

    Pages are relative to the site's folder.
    """

    tournament: Tournament
    games: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name of the tournament."""
        return self.tournament.name

    @property
    def stands(self) -> str:
        """Its status, in a line."""
        return " ".join(standing_lines(self.tournament))

    @property
    def rulings(self) -> tuple[tuple[int, str], ...]:
        """Its rulings, with times in UTC seconds."""
        return tuple(rulings(self.tournament))

    @property
    def struck(self) -> tuple[tuple[int, str, str], ...]:
        """Published standings that no longer hold: when, after what, and their text."""
        return tuple(struck(self.tournament))

    @property
    def over(self) -> bool:
        """Whether nothing is left to play."""
        return self.tournament.over

    @cached_property
    def standings(self) -> Standings:
        """The present standings."""
        return standings(self.tournament)

    @cached_property
    def records(self) -> Mapping[tuple[int, int], BoardRecord]:
        """The records of games by round and table."""
        return {(one.result.round, one.result.table): one for one in self.tournament.records}

    @property
    def seatings(self) -> tuple[Seating, ...]:
        """The valid seatings, in the order of rounds."""
        found = [self.tournament.seated(n) for n in range(1, len(self.tournament.rules.rounds) + 1)]
        return tuple(one for one in found if one is not None)

    @property
    def unopened(self) -> tuple[tuple[int, str], ...]:
        """Rounds whose seeds are still secret, with their digests."""
        seated = {one.round for one in self.seatings}
        return tuple(
            (number, digest)
            for number, digest in enumerate(self.tournament.digests, 1)
            if number not in seated
        )


@dataclass(frozen=True)
class BoardLine:
    """A game in the page: ``page`` is the link to the game's page, "" if it is not public.

    ``struck`` are results that no longer count, each with the time and the reason.
    """

    number: int
    title: str
    game: str
    page: str
    seats: tuple[str, ...]
    result: str
    struck: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class RoundPart:
    """A round in the page."""

    number: int
    heading: str
    boards: tuple[BoardLine, ...]
    seating: Seating
    aims: tuple[str, ...]


def rounds(view: TournamentView) -> tuple[RoundPart, ...]:
    """All rounds that have a seating."""
    found = []
    for seating in view.seatings:
        kind = view.tournament.rules.round(seating.round).kind
        heading = f"Round {seating.round}" + (f", {kind}" if kind != "open" else "")
        boards = tuple(
            BoardLine(
                table.number,
                str(table.title),
                table.game,
                view.games.get(table.game, ""),
                table.seats,
                _result(view, view.records.get((seating.round, table.number))),
                tuple(_struck(view.records.get((seating.round, table.number)))),
            )
            for table in seating.tables
        )
        found.append(RoundPart(seating.round, heading, boards, seating, tuple(aims_told(seating))))
    return tuple(found)


_ENDED = {
    "rules": "", "agreed": "ended as all agreed", "adjudicated": "adjudicated",
    "abandoned": "given up",
}  # fmt: skip


def _result(view: TournamentView, record: BoardRecord | None) -> str:
    if record is None:
        return "playing"
    result = record.result
    how = _ENDED[result.ended]
    scores = scored(result, view.tournament.rules.scoring)
    players = {seat.seat: player_told(seat) for seat in result.seats}
    told = ", ".join(
        f"{place_word(score.place)} {players[score.seat]} ${score.worth} ({score.figure})"
        for score in sorted(scores, key=lambda one: (one.place, one.seat))
    )
    return f"{told}; {how}" if how else told


def _struck(record: BoardRecord | None) -> Iterator[tuple[str, str]]:
    """A game's earlier results, each with the reason why it no longer counts."""
    if record is None:
        return
    for before, after in zip(record.told, record.told[1:], strict=False):
        yield result_told(before.result), f"{moment(after.at)}: {after.reason}"


def entries_grid(view: TournamentView) -> Grid:
    """The players, standbys, waiting and withdrawn entrants; without addresses."""
    shown = [
        one
        for one in view.tournament.entries
        if one.state in ("entered", "waiting", "standby", "withdrawn")
    ]
    columns = (Column("Player", name=True), Column("Entry"))
    rows = tuple((one.name, one.state) for one in shown)
    return Grid("", columns, rows)


def rules_told(view: TournamentView) -> tuple[tuple[str, str, str], ...]:
    """The rules field by field: name, value and meaning."""
    rules = view.tournament.rules
    found = [(one.key, one.show(rules), one.told) for one in FIELDS if one.key not in _ELSEWHERE]
    for number, round_ in enumerate(rules.rounds, 1):
        for one in ROUND_FIELDS:
            found.append((f"round {number} {one.key}", one.show(round_), one.told))
    return tuple(found)
