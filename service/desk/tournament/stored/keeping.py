"""A tournament in the store: read from its log, and changed by further acts.

Nothing else writes acts. `change_of` is what one occasion brings about: acts, emails, and tasks at
games.
"""

from collections.abc import Iterable, Sequence

import msgspec

from engine.wording import listed
from service.desk.answering.effects import Effect
from service.desk.door import Write, store_nothing
from service.desk.letters.desk import Desk
from service.desk.tournament.stored.tournament_tasks import plan_days
from service.games.naming import shown
from service.refusal import Refused
from service.store import Conflict, Letter, NewTournamentAct, SeatRow, Task, TournamentRow, Tx
from service.tournaments.acts import EntryChanged, LoggedAct, RulesChanged, decode, encode
from service.tournaments.tournament import Tournament, fold, planned
from service.tournaments.values import BegunTable, Entrant


def tournament_called(tx: Tx, name: str) -> Tournament | None:
    """The tournament of that name, None if there is none; a transaction that writes locks it."""
    row = tx.tournaments.named(name) if name else None
    return None if row is None else of_row(tx, row)


def of_row(tx: Tx, row: TournamentRow) -> Tournament:
    """A tournament by its row."""
    log = [LoggedAct(decode(a.payload, row.ended > 0), a.by, a.because, a.number, a.at)
           for a in tx.tournaments.acts(row.id)]  # fmt: skip
    tournament = fold(log)
    begun = {(b.round, b.board): (b.game_id, game, status)
             for b, game, status in tx.tournaments.places(row.id)}  # fmt: skip
    tables = []
    for table in tournament.tables:
        if at := begun.get((table.round, table.number)):
            number, game, status = at
            own = (table.round, table.number, table.title, table.seats, game)
            tables.append(BegunTable(*own, status=status, id=number))
    stored = {"id": row.id, "created": row.created, "begun_tables": tuple(tables)}
    return msgspec.structs.replace(tournament, **stored)


def table_of(tx: Tx, game: str) -> tuple[Tournament, BegunTable] | None:
    """The tournament and the table that a game belongs to; None for any other game."""
    row = tx.games.named(game) if game else None
    place = None if row is None else tx.tournaments.place_of(row.id)
    if row is None or place is None:
        return None
    tournament = of_row(tx, tx.tournaments.get(place.tournament_id))
    return tournament, next(one for one in tournament.begun_tables if one.id == row.id)


NO_SUCH = "There is no tournament called {name}. There are {tournaments}."
NO_SUCH_BUT_ONE = "There is no tournament called {name}. There is {tournaments}."
WHICH_ONE = "Which tournament? There are {tournaments}."


def find_tournament(tx: Tx, name: str) -> Tournament:
    """The tournament of that name. Raises Refused."""
    if (tournament := tournament_called(tx, name)) is not None:
        return tournament
    there = [row.name for row in tx.tournaments.going()]
    if not name and len(there) == 1:
        only = tournament_called(tx, there[0])
        assert only is not None
        return only
    told = (NO_SUCH_BUT_ONE if len(there) == 1 else NO_SUCH) if name else WHICH_ONE
    raise Refused(told.format(name=shown(name), tournaments=listed(there) or "none"))


def tournament_of_table(tx: Tx, game: str) -> Tournament | None:
    """The running tournament to which a game belongs, None for every other game."""
    found = table_of(tx, game)
    return None if found is None or found[0].over else found[0]


def readable(reads: Tx) -> None:
    """Raises OldTournament if a tournament that goes on has a rule that no longer exists."""
    for row in reads.tournaments.all():
        for kind in ("announced", "rules"):
            for act in reads.tournaments.acts(row.id, kind):
                decode(act.payload, row.ended > 0)


def keep_acts(tx: Tx, desk: Desk, tournament: Tournament, acts: Sequence[LoggedAct]) -> Tournament:
    """Add acts to those that were read; gives the new tournament. Raises Conflict.

    The addresses of entrants and the days of the rules beside the log follow.
    """
    number = tx.occasions.record(desk.occasion, desk.now)
    new = [
        NewTournamentAct(str(one.act.__struct_config__.tag), encode(one.act), one.by, one.because)
        for one in acts
    ]
    tx.tournaments.add_acts(tournament.id, tournament.last, new, number, desk.now)
    for act in (one.act for one in acts):
        if isinstance(act, EntryChanged) and act.entry.state != "asked":
            tx.tournaments.set_addresses(tournament.id, str(act.entry.number), act.entry.addresses)
        if isinstance(act, RulesChanged):
            plan_days(tx, act.rules, desk.now)
    return planned(tournament, acts, desk.now)


HAS_GONE_ON = "tournament {tournament} has gone on"


def check_unchanged(tx: Tx, tournament: Tournament) -> None:
    """Raise Conflict unless the tournament is as it was read; locks it."""
    row = tx.tournaments.named(tournament.name)
    if row is None or tx.tournaments.last_act(row.id) != tournament.last:
        raise Conflict(HAS_GONE_ON.format(tournament=tournament.name))


def change_of(
    desk: Desk,
    tournament: Tournament,
    acts: Sequence[LoggedAct] = (),
    letters: Iterable[Letter] = (),
    tasks: Sequence[Task] = (),
    also: Write = store_nothing,
) -> Effect:
    """What acts bring about; ``also`` stores everything else, such as the games of a round."""
    letters = tuple(letters)

    def write(tx: Tx) -> list[Letter]:
        check_unchanged(tx, tournament)
        if acts:
            keep_acts(tx, desk, tournament, acts)
        for task in tasks:
            tx.tasks.add(task, desk.now)
        return list(also(tx) or ())

    changes = bool(acts or letters or tasks) or also is not store_nothing
    after = planned(tournament, acts, desk.now)
    return Effect(changed=after, letters=letters, write=write, changes=changes)


def seat_of(tx: Tx, table: BegunTable, entry: Entrant) -> SeatRow | None:
    """The seat of a game that an entrant plays, None if they play none there."""
    return next((s for s in tx.seats.of(table.id) if s.address in entry.addresses), None)
