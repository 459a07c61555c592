"""The standings of a tournament: each player's score from each round, and their places.

A player who survived more eliminations is placed higher, and players of a final are placed by it
first. Then totals count, and then the tie-breaks of the rules, each among players who are still
equal.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from service.tournaments.lots import lot
from service.tournaments.rules import TieBreak
from service.tournaments.scoring import POINT, ScoreFigure, rounded, scored
from service.tournaments.tournament import Tournament
from service.tournaments.values import TableResult


class RoundCell(Struct, frozen=True):
    """A player's result of a round: ``table`` (0 for a bye), ``place`` and ``opponents``."""

    round: int
    figure: ScoreFigure
    table: int = 0
    place: int = 0
    opponents: tuple[str, ...] = ()
    share: int = 0
    counts: bool = True


class StandingsRow(Struct, frozen=True):
    """A line of the standings; ``breaks`` are the tie-breaks' figures, if needed."""

    place: int
    name: str
    total: ScoreFigure
    cells: tuple[RoundCell, ...]
    stage: int = 0
    breaks: tuple[tuple[TieBreak, ScoreFigure], ...] = ()
    withdrawn: bool = False
    standby: bool = False

    def cell(self, round_: int) -> RoundCell | None:
        """The result of a round; None if there is none yet."""
        return next((one for one in self.cells if one.round == round_), None)


class Standings(Struct, frozen=True):
    """The standings after so many rounds; ``playing`` are unfinished games."""

    tournament: str
    rounds: int
    rows: tuple[StandingsRow, ...]
    playing: tuple[tuple[int, int], ...] = ()

    def row(self, name: str) -> StandingsRow | None:
        """The line of a player; None if they have none."""
        return next((one for one in self.rows if one.name.casefold() == name.casefold()), None)


AND_MORE = "{tables} and {left} more"


def tables_named(tables: Sequence[tuple[int, int]], most: int = 8) -> str:
    """Tables in words, "1.2, 1.3 and 9 more", from pairs of round and number."""
    names = [f"{round_}.{number}" for round_, number in tables[:most]]
    left = len(tables) - most
    told = ", ".join(names)
    return AND_MORE.format(tables=told, left=left) if left > 0 else told


BYE_AVERAGE = "a bye: the average of {rounds} other rounds"
BEST_ROUNDS = "the best {best} of {rounds} rounds"
ALL_ROUNDS = "all rounds"
TABLES_WON = "tables won"
AHEAD_OF_EQUALS = "ahead of equals they met"
OF_SHARES = "shares of the tables' money"
BY_LOT = "by lot, from the seed of round {round}"
BEST_TABLE = "the best table"


class _Collected:
    """The results of the rounds up to one, collected from the games."""

    def __init__(self, tournament: Tournament, upto: int) -> None:
        self.tournament, self.rules = tournament, tournament.rules
        self.entries = {one.name: one for one in tournament.entries}
        seated = [tournament.seated(number) for number in range(1, upto + 1)]
        self.seatings = [one for one in seated if one is not None]
        self.playing: list[tuple[int, int]] = []
        #: name → round → the result that counts there, and how well it ranks among several
        self._found: dict[str, dict[int, tuple[bool, int, RoundCell]]] = {}
        results = {record.place: record.result for record in tournament.records}
        for seating in self.seatings:
            for table in seating.tables:
                result = results.get((seating.round, table.number))
                if result is None:
                    self.playing.append((seating.round, table.number))
                else:
                    self._add(result)
        played = {name: [cell for *_, cell in mine.values()] for name, mine in self._found.items()}
        byes = [(one.round, name) for one in self.seatings for name in one.byes]
        self.cells = {**played}
        for round_, name in byes:
            if figure := self._bye(played.get(name, ())):
                self.cells[name] = [*self.cells[name], RoundCell(round_, figure)]
        for mine in self.cells.values():
            mine.sort(key=lambda cell: cell.round)

    def _add(self, result: TableResult) -> None:
        """Give the scores of a table to its players; of two in a round, the own seat's counts."""
        scores = scored(result, self.rules.scoring)
        for score in scores:
            name, figure = score.player, score.figure
            others = tuple(one.player for one in scores if one.seat != score.seat)
            cell = RoundCell(result.round, figure, result.table, score.place, others, score.share)
            mine, rank = self._found.setdefault(name, {}), (score.seat == name, figure.value)
            if result.round not in mine or rank > mine[result.round][:2]:
                mine[result.round] = (*rank, cell)

    def _bye(self, played: Sequence[RoundCell]) -> ScoreFigure | None:
        if not (others := tuple(cell.figure for cell in played)):
            return None
        mean = rounded(Fraction(sum(one.value for one in others), POINT * len(others)))
        return ScoreFigure(mean, BYE_AVERAGE.format(rounds=len(others)), others)

    @cached_property
    def totals(self) -> dict[str, tuple[ScoreFigure, tuple[RoundCell, ...]]]:
        """Name → the total, and the cells with a mark on those that count."""
        best, found = self.rules.scoring.best, {}
        for name in self.names:
            mine = self.cells.get(name, [])
            ranked = sorted(mine, key=lambda cell: (-cell.figure.value, cell.round))
            counting = ranked[: best or None]
            cells = tuple(replace(cell, counts=cell in counting) for cell in mine)
            parts = tuple(cell.figure for cell in cells if cell.counts)
            dropped = len(mine) > len(parts)
            how = BEST_ROUNDS.format(best=len(parts), rounds=len(mine)) if dropped else ALL_ROUNDS
            found[name] = (ScoreFigure(sum(one.value for one in parts), how, parts), cells)
        return found

    @cached_property
    def names(self) -> tuple[str, ...]:
        entered = [one.name for one in self.tournament.entries if one.state == "entered"]
        seated = [n for one in self.seatings for table in one.tables for n in table.seats]
        out = [name for one in self.seatings for name in one.byes]
        return tuple(dict.fromkeys([*entered, *seated, *out, *self.cells]))

    @cached_property
    def stages(self) -> dict[str, int]:
        """Name → eliminations survived: those before a round that they played or sat out."""
        found = dict.fromkeys(self.names, 0)
        for seating in self.seatings:
            cuts = sum(bool(self.rules.round(n).go_on) for n in range(1, seating.round))
            playing = [name for table in seating.tables for name in table.seats]
            for name in (*playing, *seating.byes):
                found[name] = max(found[name], cuts)
        return found

    def final(self, name: str) -> int:
        """A player's score from a final, 0 if there is none or they did not play it."""
        cells = self.totals[name][1]
        finals = [c for c in cells if self.rules.round(c.round).kind == "final"]
        return sum(cell.figure.value for cell in finals)

    def break_by(self, name: str, tied: Sequence[str], how: TieBreak) -> ScoreFigure:
        """A player's figure for a tie-break; more is better."""
        cells = [cell for cell in self.totals[name][1] if cell.table]
        match how:
            case "wins":
                won = [cell.figure for cell in cells if cell.place == 1]
                return ScoreFigure(len(won) * POINT, TABLES_WON, tuple(won))
            case "best":
                best = sorted((cell.figure for cell in cells), key=lambda one: -one.value)[:1]
                return ScoreFigure(sum(one.value for one in best), BEST_TABLE, tuple(best))
            case "meetings":
                return ScoreFigure(self._ahead(name, cells, tied) * POINT, AHEAD_OF_EQUALS)
            case "share":
                return ScoreFigure(sum(cell.share for cell in cells), OF_SHARES)
            case _:
                return ScoreFigure(0, BY_LOT.format(round=self.seatings[-1].round))

    def _ahead(self, name: str, cells: Sequence[RoundCell], tied: Sequence[str]) -> int:
        """The number of times before tied players at a table, less the times after them."""
        found = 0
        for cell in cells:
            for other in set(cell.opponents) & set(tied) - {name}:
                theirs = next(
                    (
                        one for one in self.totals[other][1]
                        if (one.round, one.table) == (cell.round, cell.table)
                    ),
                    None,
                )  # fmt: skip
                if theirs is not None:
                    found += (theirs.place > cell.place) - (theirs.place < cell.place)
        return found


def standings(tournament: Tournament, upto: int = 0) -> Standings:
    """The standings after round ``upto``; 0 for all rounds so far."""
    sheet = _Collected(tournament, upto or len(tournament.rules.rounds))
    rows: list[StandingsRow] = []
    noted: dict[str, list[tuple[TieBreak, ScoreFigure]]] = {}
    for tied in _ranked(sheet, noted):
        place = len(rows) + 1
        rows += [_row(sheet, name, place, noted) for name in tied]
    last = max((one.round for one in sheet.seatings), default=0)
    return Standings(tournament.rules.name, last, tuple(rows), tuple(sheet.playing))


def _row(
    sheet: _Collected,
    name: str,
    place: int,
    noted: Mapping[str, list[tuple[TieBreak, ScoreFigure]]],
) -> StandingsRow:
    total, cells = sheet.totals[name]
    entry = sheet.entries.get(name)
    return StandingsRow(
        place, name, total, cells, sheet.stages.get(name, 0), tuple(noted.get(name, ())),
        withdrawn=entry is not None and entry.state in ("withdrawn", "excluded"),
        # a player without an entry is already called the standby of a seat
        standby=entry is not None and entry.state == "standby",
    )  # fmt: skip


def _ranked(
    sheet: _Collected, noted: dict[str, list[tuple[TieBreak, ScoreFigure]]]
) -> list[tuple[str, ...]]:
    """Groups of equal players, the best first."""
    groups = _split(
        sorted(sheet.names),
        lambda name: (sheet.stages[name], sheet.final(name), sheet.totals[name][0].value),
    )
    for how in sheet.rules.scoring.breaks:
        if how == "lot" and not sheet.seatings:
            continue
        after: list[tuple[str, ...]] = []
        for tied in groups:
            if len(tied) == 1 or not any(sheet.cells.get(name) for name in tied):
                after.append(tied)
                continue
            seen = {name: sheet.break_by(name, tied, how) for name in tied}
            for name, figure in seen.items():
                noted.setdefault(name, []).append((how, figure))
            if how == "lot":
                seed = sheet.seatings[-1].seed
                after += [(name,) for name in sorted(tied, key=lambda n: lot(seed, "tie", n))]
            else:
                values = {name: (figure.value,) for name, figure in seen.items()}
                after += _split(tied, values.__getitem__)
        groups = after
    return groups


def _split(names: Sequence[str], key: Callable[[str], tuple[int, ...]]) -> list[tuple[str, ...]]:
    """Names in groups of equal keys, the highest key first."""
    found: dict[tuple[int, ...], list[str]] = {}
    for name in names:
        found.setdefault(key(name), []).append(name)
    return [tuple(found[one]) for one in sorted(found, reverse=True)]
