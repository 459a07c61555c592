"""How people have played in all games here: in time or not, ratings, records."""

from service.commands.refusal import Refused
from service.desk.tournament.acts import Cup
from service.desk.tournament.letters import Words
from service.desk.tournament.played import played
from service.games import naming
from service.reports.tables import Column, Grid, Verbatim
from service.said import AND_MORE
from service.store import Store, Tx
from service.tournaments.ratings import rated
from service.tournaments.records import record_text, records, shown

#: rows of the list of ratings that a letter has
MOST = 60
_WHAT = (
    "Ratings are of all games of this service that came to an end, by Weng and Lin's method for "
    "several players: points, and how far they may be off. The list is in the order of what is "
    "almost sure.",
    "`record off` leaves you out of ratings and records, `record on` takes you in again.",
)


def on_time(tx: Tx, address: str) -> tuple[int, int]:
    """Per cent of an address's decisions that were made in time, -1 for none, and how many."""
    decided, missed = tx.tournaments.timeliness(address)
    if not decided:
        return -1, 0
    return max(0, round(100 * (decided - missed) / decided)), decided


def ratings_at_close(store: Store, cup: Cup) -> dict[str, int]:
    """The ratings by which entrants are seated, by their names; newcomers have none."""
    with store.transaction() as tx:
        games, people = played(tx)
    known = rated(games)
    found = {e.name: known.get(people.of(e.addresses[0])) for e in cup.players}
    return {name: rating.points for name, rating in found.items() if rating is not None}


RECORD_OF = "The record of {name}"
NO_RECORD = (
    "There is no record of {name}: `record NAME` is for who has played here and is in the lists; "
    "`ratings` shows them."
)


def record_words(store: Store, name: str) -> Words:
    """The record of a player of that name. Raises Refused."""
    with store.transaction() as tx:
        games, people = played(tx)
        hidden = {people.of(address) for address in tx.tournaments.unlisted()}
    every = records(games)
    found = next((one for one in every.values() if one.player.casefold() == name.casefold()), None)
    if found is None or found.player in hidden:
        raise Refused(NO_RECORD.format(name=naming.shown(name) if name else "nobody"))
    headline = RECORD_OF.format(name=found.player)
    lines = tuple(record_text(found).rstrip("\n").split("\n"))
    return Words(headline, headline, _WHAT[:1], [Verbatim("", lines)])


RATINGS_HERE = "The ratings of this service"
NO_GAME_ENDED = "No game has come to an end yet."


def ratings_words(store: Store) -> Words:
    """The ratings of all who wish to be in the list."""
    with store.transaction() as tx:
        games, people = played(tx)
        hidden = {people.of(address) for address in tx.tournaments.unlisted()}
    found = [one for one in shown(records(games), hidden) if one.rating.games]
    rows = tuple(
        (str(n), one.player, str(one.rating), str(one.finished), str(one.won), _part(one.on_time))
        for n, one in enumerate(found[:MOST], 1)
    )  # fmt: skip
    columns = (
        Column("", True),
        Column("player", name=True),
        Column("rating", True),
        Column("games", True),
        Column("won", True),
        Column("in time", True),
    )
    left = len(found) - MOST
    note = AND_MORE.format(left=left) if left > 0 else ""
    headline = RATINGS_HERE
    if not rows:
        return Words(headline, headline, (*_WHAT, NO_GAME_ENDED))
    return Words(headline, headline, _WHAT, [Grid("RATINGS", columns, rows, note)])


def _part(number: int) -> str:
    return f"{number}%" if number >= 0 else "–"


LISTED_AGAIN = "You are in the ratings and records again."
LEFT_OUT = "You are left out of the ratings and records from now on."
HOW_TO_BE_LISTED = (
    "Standings of tournaments show you all the same. If you did not ask for it, write `record "
    "{word}`."
)


def left_out(out: bool) -> tuple[str, str]:
    """What somebody is told who wishes to be in no list, or in them again."""
    how = HOW_TO_BE_LISTED.format(word="on" if out else "off")
    return LEFT_OUT if out else LISTED_AGAIN, how
