"""A tournament as its public pages show it: its tables and lists. It knows no file."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from service.reports.tables import Column, Grid
from service.reports.words import moment
from service.tournaments.form import FIELDS, ROUND_FIELDS
from service.tournaments.listing import aims_told, place_word, player_told, result_told
from service.tournaments.rules import TournamentRules
from service.tournaments.scoring import scored
from service.tournaments.telling import state_lines
from service.tournaments.tournament import Tournament
from service.tournaments.values import RoundTable, Seating, TableRecord

#: fields of the form that the page shows elsewhere
_ELSEWHERE = ("announcement", "prizes")


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
        return " ".join(state_lines(self.tournament))


@dataclass(frozen=True)
class TableLine:
    """A table in the page: ``page`` is the link to its game's page, "" if it is not public.

    ``struck`` are results that no longer count, each with the time and the reason.
    """

    table: RoundTable
    page: str
    result: str
    struck: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class RoundPart:
    """A round in the page."""

    number: int
    heading: str
    tables: tuple[TableLine, ...]
    seating: Seating
    aims: tuple[str, ...]


def rounds(view: TournamentView) -> tuple[RoundPart, ...]:
    """All rounds that have a seating."""
    tournament, found = view.tournament, []
    for number, rules in enumerate(tournament.rules.rounds, 1):
        seating = tournament.seated(number)
        if seating is None:
            continue
        heading = f"Round {number}" + (f", {rules.kind}" if rules.kind != "open" else "")
        tables = []
        for table in seating.tables:
            record = tournament.record(number, table.number)
            page = view.games.get(table.game, "")
            struck = tuple(
                (result_told(before.result), f"{moment(after.at)}: {after.reason}")
                for before, after in (record.struck if record else ())
            )
            tables.append(TableLine(table, page, _result(view, record), struck))
        found.append(RoundPart(number, heading, tuple(tables), seating, tuple(aims_told(seating))))
    return tuple(found)


_ENDED = {
    "rules": "", "agreed": "ended as all agreed", "adjudicated": "adjudicated",
    "abandoned": "given up",
}  # fmt: skip


def _result(view: TournamentView, record: TableRecord | None) -> str:
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


def entries_grid(tournament: Tournament) -> Grid:
    """The players, standbys, waiting and withdrawn entrants; without addresses."""
    shown = ("entered", "waiting", "standby", "withdrawn")
    rows = tuple((one.name, one.state) for one in tournament.entries if one.state in shown)
    return Grid("", (Column("Player", name=True), Column("Entry")), rows)


def rules_told(rules: TournamentRules) -> tuple[tuple[str, str, str], ...]:
    """The rules field by field: name, value and meaning."""
    found = [(one.key, one.show(rules), one.told) for one in FIELDS if one.key not in _ELSEWHERE]
    for number, round_ in enumerate(rules.rounds, 1):
        for one in ROUND_FIELDS:
            found.append((f"round {number} {one.key}", one.show(round_), one.told))
    return tuple(found)
