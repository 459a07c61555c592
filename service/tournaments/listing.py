"""Standings and seatings: as blocks and text for emails, and as JSON."""

from collections.abc import Iterator, Mapping

import msgspec
from msgspec.structs import replace

from engine.wording import listed
from service.reports.tables import Block, Column, Grid, Lines, block_text
from service.tournaments.acts import StandingsPublished
from service.tournaments.rules import MOST_ROUNDS
from service.tournaments.scoring import PLACE, ScoreFigure, scored, written
from service.tournaments.standings import (
    RoundCell,
    Standings,
    StandingsRow,
    standings,
    tables_named,
)
from service.tournaments.tournament import Tournament
from service.tournaments.values import Seating, SeatResult, TableResult
from service.tournaments.votes import public

#: grows when a member of the JSON changes its meaning or is removed
FORMAT = 1
_ENDS = {1: "st", 2: "nd", 3: "rd"}


def place_word(place: int) -> str:
    """ "1st", "2nd", "3rd", "4th" …"""
    if place % 100 in (11, 12, 13):
        return f"{place}th"
    return f"{place}{_ENDS.get(place % 10, 'th')}"


#: rounds in a table of at most 78 columns; pages have all
ROUNDS_IN_TEXT = 4
FARTHER_FIRST = "Players who got farther come first, and a final places its players."
IN_BRACKETS = "Only the best rounds count. Scores in brackets do not."
STILL_PLAYING = "Still playing: {tables}."


def standings_grid(found: Standings, heading: str = "", rounds: int = MOST_ROUNDS) -> Grid:
    """The standings as a cross-table: one column for each of the last ``rounds`` rounds."""
    shown = range(max(1, found.rounds - rounds + 1), found.rounds + 1)
    columns = (
        Column("Place", True), Column("Player", name=True), Column("Total", True),
        *[Column(f"Round {number}", True) for number in shown],
    )  # fmt: skip
    rows = tuple(
        (
            str(row.place), name_told(row), str(row.total),
            *[cell_text(row.cell(number)) for number in shown],
        )
        for row in found.rows
    )  # fmt: skip
    return Grid(heading, columns, rows, " ".join(_notes(found)))


def _notes(found: Standings) -> Iterator[str]:
    totals = [row.total.value for row in found.rows]
    if totals != sorted(totals, reverse=True):
        yield FARTHER_FIRST
    if any(not cell.counts for row in found.rows for cell in row.cells):
        yield IN_BRACKETS
    if found.playing:
        yield STILL_PLAYING.format(tables=tables_named(found.playing))


def standings_text(found: Standings) -> str:
    """The standings in lines of at most 78 columns."""
    return block_text(standings_grid(found, rounds=ROUNDS_IN_TEXT)) + "\n"


WITHDRAWN = "{name} (withdrawn)"
STANDBY = "{name} (standby)"


def name_told(row: StandingsRow) -> str:
    """A player's name in the standings, with notes on them."""
    told = WITHDRAWN if row.withdrawn else STANDBY if row.standby else "{name}"
    return told.format(name=row.name)


def cell_text(cell: RoundCell | None) -> str:
    """A player's result of a round in a few letters: "66.67 (2nd)", "bye 50"."""
    if cell is None:
        return "-"
    place = place_word(cell.place) if cell.table else "bye"
    return f"{cell.figure} {place}" if cell.counts else f"({cell.figure} {place})"


_AIMS = {"meetings": "Pairs that meet again", "pots": "Pairs of equal strength (from the same pot)"}


THE_LEAST = "the fewest possible"
LEAST_KNOWN = "the fewest possible is {least} or more"


def aims_told(seating: Seating) -> list[str]:
    """A line for each aim: the result, and the bound of the best one."""
    return [
        f"{_AIMS.get(one.aim, one.aim)}: {one.found}, "
        + (THE_LEAST if one.proved else LEAST_KNOWN.format(least=one.least))
        for one in seating.aims
    ]


PLAYED_FOR = "{last} (for {seat})"
STRUCK_OUT = "Table {table}: {figures}, because {why}."


def struck_text(tournament: Tournament) -> list[str]:
    """Published results that no longer count: one line each, with the reason."""
    return [
        STRUCK_OUT.format(table=t.result.label, figures=result_told(t.result), why=after.reason)
        for record in tournament.records
        for t, after in record.struck
    ]


def result_told(result: TableResult) -> str:
    """A result in one line."""
    seats = sorted(result.seats, key=lambda seat: seat.place)
    return ", ".join(f"{place_word(seat.place)} {seat.last} ${seat.worth}" for seat in seats)


def player_told(seat: SeatResult) -> str:
    """The player who had a seat at the end, and its first player if that is another."""
    told = "{last}" if seat.last == seat.seat else PLAYED_FOR
    return told.format(last=seat.last, seat=seat.seat)


def tournament_json(tournament: Tournament, found: Standings) -> str:
    """All public data of a tournament: rules, entries without addresses, seatings, standings."""
    rules = msgspec.to_builtins(tournament.rules)
    for private in ("director", "assistant"):
        rules.pop(private)
    said = {
        "format": FORMAT,
        "tournament": tournament.rules.name,
        "rules": rules,
        "entries": [
            {"name": one.name, "state": one.state}
            for one in tournament.entries
            if one.state in ("entered", "withdrawn", "standby")
        ],
        "digests": tournament.digests,
        "seatings": tournament.seatings,
        "results": tournament.records,
        "votes": [public(vote) for vote in tournament.votes],
        "standings": [_row(row) for row in found.rows],
        "playing": found.playing,
    }
    return msgspec.json.format(msgspec.json.encode(said), indent=1).decode() + "\n"


def _row(row: StandingsRow) -> dict[str, object]:
    said: dict[str, object] = msgspec.to_builtins(row)
    return {**said, "total": _figure(row.total), "cells": [_cell(cell) for cell in row.cells]}


def _cell(cell: RoundCell) -> dict[str, object]:
    return {**msgspec.to_builtins(cell), "figure": _figure(cell.figure)}


def _figure(figure: ScoreFigure) -> dict[str, object]:
    said: dict[str, object] = {"score": written(figure.value), "how": figure.how}
    if figure.game:
        said |= {"game": figure.game, "at": figure.at}
    if figure.of:
        said["of"] = [_figure(one) for one in figure.of]
    return said


STANDINGS = "STANDINGS"
MORE_STANDINGS = "… and {left} more: `standings {tournament} json` has all."
STRUCK = "STRUCK OUT"


def standings_blocks(tournament: Tournament, limit: int, *, struck: bool = True) -> list[Block]:
    """The first rows of the standings; with ``struck`` also the results struck out of them."""
    found = standings(tournament)
    left = len(found.rows) - limit
    found = replace(found, rows=found.rows[:limit])
    blocks: list[Block] = [standings_grid(found, STANDINGS, ROUNDS_IN_TEXT)]
    lines = [MORE_STANDINGS.format(left=left, tournament=tournament.name)] if left > 0 else []
    if lines := [*lines, *lots_told(found)]:
        blocks.append(Lines("", tuple(lines)))
    if struck and (lost := struck_text(tournament)):
        blocks.append(Lines(STRUCK, tuple(lost)))
    return blocks


def text_after(tournament: Tournament, upto: int = 0) -> str:
    """The whole standings after a round, 0 for all, in the form that is stored on publication."""
    return standings_text(standings(tournament, upto))


STANDINGS_STRUCK = "The standings that were published are struck out. These count now."


def published_again(before: Tournament, after: Tournament) -> list[StandingsPublished]:
    """Published standings that have changed; they replace the former ones."""
    rounds = dict.fromkeys(one.round for _, one in before.published)
    return [
        StandingsPublished(number, text)
        for number in rounds
        if (text := text_after(after, number)) != text_after(before, number)
    ]


def scores_of(tournament: Tournament, result: TableResult) -> Mapping[str, str]:
    """The scores of the seats of a game."""
    found = scored(result, tournament.rules.scoring)
    return {one.seat: str(one.figure) for one in found}


SCORES_NOTHING = "{name} scores 0: {how}."


def reasons(tournament: Tournament, result: TableResult) -> list[str]:
    """Why seats of a game have scored nothing, in sentences; the table of places tells places."""
    of = len(result.seats)
    return [
        SCORES_NOTHING.format(name=one.seat, how=one.figure.how)
        for one in scored(result, tournament.rules.scoring)
        if not one.figure.value and one.figure.how != PLACE.format(place=one.place, of=of)
    ]


BY_LOT = "{names} are equal in everything that the rules compare. They are in this order {how}."


def lots_told(found: Standings) -> list[str]:
    """Which of these rows are in an order drawn by lot, in sentences."""
    tied: dict[tuple[object, ...], list[StandingsRow]] = {}
    for row in found.rows:
        if row.breaks and row.breaks[-1][0] == "lot":
            same = tuple(figure.value for _, figure in row.breaks)
            tied.setdefault((row.stage, row.total.value, same), []).append(row)
    return [
        BY_LOT.format(names=listed(row.name for row in rows), how=rows[0].breaks[-1][1].how)
        for rows in tied.values()
        if len(rows) > 1
    ]


HAS_WON = "{names} has won it."
HAVE_WON = "{names} have won it."


def winners(tournament: Tournament) -> str:
    """The winners in a sentence, about the tournament."""
    first = [row.name for row in standings(tournament).rows if row.place == 1]
    return (HAS_WON if len(first) == 1 else HAVE_WON).format(names=listed(first))
