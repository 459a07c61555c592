"""Changes of a game that no mail asks for: an order or a clock that comes due, a director.

They are made, told and stored by what a player's mail is made, told and stored by.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from engine import Seat
from service.desk.follow_up import FollowUp
from service.desk.letters.post import Desk
from service.games import changes, games, timing
from service.games.changes import Change, Request
from service.games.commit import Besides, Jot, commit
from service.games.orders import book_of
from service.store import Conflict, Letter, Store, Tx


@dataclass(frozen=True)
class Changed:
    """A change of a game that is not stored yet, and who is told of it.

    ``write`` stores it. It raises Conflict where the game goes on meanwhile, or the desk's occasion
    has happened.
    """

    change: Change
    letters: Sequence[Letter]
    write: Callable[[Tx], None]


def judged(
    store: Store,
    desk: Desk,
    *requests: Request,
    notes: Mapping[Seat, str] = MappingProxyType({}),
    caretaken: Seat = "",
) -> Changed | None:
    """What requests come to in the game of the desk's occasion; None if that has happened before.

    Everybody is told, those too whose seats the requests are, and single players ``notes`` besides.
    ``caretaken`` is the player for whom the caretaker asks, "" where somebody else does.
    What could not be carried out changes nothing; the change's ``outcomes`` say why. In a game that
    is held nothing is done, as if it had been before. Raises Conflict if the game does not run.
    """
    occasion = desk.occasion
    with store.transaction() as tx:
        table = games.load(tx, occasion.game)
        if table is None or table.row.status != "running":
            raise Conflict(f"{occasion.game} is not running")
        if table.held or tx.occasions.named(occasion.key) is not None:
            return None
        log, book = games.log_of(tx, table), book_of(tx, table)
    change = changes.make(table, *requests)
    if change.moves:
        change = changes.settle(change, book)
    clocks = timing.after(change, timing.ClockMoments(desk.now, desk.now))
    letters: list[Letter] = []
    jots: list[Jot] = []
    if change.moves or change.went:
        asked = (p for outcome in change.outcomes for p in outcome.played)
        follow = FollowUp(
            desk,
            change,
            log,
            changes.orders_after(change, book),
            clocks=timing.deadlines(change, clocks, desk.now),
            told=notes,
            caretaken=frozenset(p.number for p in asked if caretaken and p.seat == caretaken),
        )
        letters, jots = follow.letters(), follow.jots

    def write(tx: Tx) -> None:
        if not tx.occasions.first(occasion, desk.now):
            raise Conflict(f"{occasion.key} was done meanwhile")
        commit(tx, occasion, change, desk.now, Besides(jots=jots, clocks=clocks))

    return Changed(change, letters, write)
