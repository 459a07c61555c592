"""Standings and scores of a tournament, as its emails and files show them."""

from collections.abc import Mapping

from engine.wording import listed
from service.reports.tables import Block, Lines, Verbatim
from service.tournaments import listing
from service.tournaments.acts import StandingsPublished
from service.tournaments.scoring import scored
from service.tournaments.standings import Standings, StandingsRow
from service.tournaments.standings import standings as worked_out
from service.tournaments.tournament import Tournament
from service.tournaments.values import BoardResult

STANDINGS = "STANDINGS"
MORE_STANDINGS = "… and {left} more: `standings {cup} csv` has all."
STRUCK_OUT = "STRUCK OUT"


def standings(cup: Tournament, limit: int, heading: str = STANDINGS) -> list[Block]:
    """The first rows of the standings, with the results struck out of them."""
    found = worked_out(cup)
    rows = listing.standings_text(_first(found, limit)).rstrip("\n").split("\n")
    left = len(found.rows) - limit
    if left > 0:
        rows.append(MORE_STANDINGS.format(left=left, cup=cup.name))
    blocks: list[Block] = [Verbatim(heading, tuple(rows))]
    if drawn := lots(_first(found, limit)):
        blocks.append(Lines("", tuple(drawn)))
    if struck := listing.struck_text(cup):
        blocks.append(Lines(STRUCK_OUT, tuple(struck)))
    return blocks


def _first(found: Standings, limit: int) -> Standings:
    return Standings(found.tournament, found.rounds, found.rows[:limit])


def standings_text(cup: Tournament, upto: int = 0) -> str:
    """The whole standings after a round, 0 for all, in the form that is stored on publication."""
    return listing.standings_text(worked_out(cup, upto))


STANDINGS_STRUCK = "The standings that were published are struck out; these hold."


def published_again(before: Tournament, after: Tournament) -> list[StandingsPublished]:
    """Published standings that have changed; they replace the former ones."""
    rounds = dict.fromkeys(one.round for _, one in before.published)
    return [
        StandingsPublished(number, text)
        for number in rounds
        if (text := standings_text(after, number)) != standings_text(before, number)
    ]


def standings_file(cup: Tournament, kind: str) -> bytes:
    """The standings as CSV or JSON: every figure with the game that it comes from."""
    found = worked_out(cup)
    if kind == "json":
        return listing.cup_json(cup, found).encode()
    return listing.standings_csv(cup, found).encode()


def scores_of(cup: Tournament, result: BoardResult) -> Mapping[str, str]:
    """The scores of the seats of a game."""
    found = scored(result, cup.rules.scoring)
    return {one.seat: str(one.figure) for one in found}


SCORES_NOTHING = "{name} scores 0: {how}."


def reasons(cup: Tournament, result: BoardResult) -> list[str]:
    """Why seats of a game have scored nothing, in sentences."""
    none = (one for one in scored(result, cup.rules.scoring) if not one.figure.value)
    return [SCORES_NOTHING.format(name=one.seat, how=one.figure.how) for one in none]


BY_LOT = "{names} are equal in everything that the rules compare. They are in this order {how}."


def lots(found: Standings) -> list[str]:
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


HAS_WON = "{names} has won"
HAVE_WON = "{names} have won"


def winners(cup: Tournament) -> str:
    """The winners, in a clause: "Ann has won", "Ann and Bob have won"."""
    first = [row.name for row in worked_out(cup).rows if row.place == 1]
    return (HAS_WON if len(first) == 1 else HAVE_WON).format(names=listed(first))
