"""Tournaments and records as pages for everybody show them, read from the store."""

from collections.abc import Sequence

from service.desk.tournament.acts import Begun, Cup
from service.desk.tournament.known import of_row
from service.desk.tournament.listing import rulings, standing_lines, struck
from service.desk.tournament.played import played
from service.publish.tournament.sheet import CupView
from service.store import Store
from service.tournaments.records import PlayerRecord, records, shown


def view_of(cup: Cup) -> CupView:
    """A tournament for everybody: how it stands, what was ruled."""
    over = cup.status in ("ended", "abandoned")
    stands = " ".join(standing_lines(cup))
    begun = next((one.at for one in cup.log if isinstance(one.act, Begun)), 0)
    played_ = (begun, cup.log[-1].at if over else 0)
    return CupView(cup.value, stands, {}, tuple(rulings(cup)), over, tuple(struck(cup)), played_)


class FromStore:
    """What the publisher shows beside games; see `publish.tournament.shelf.Beside`."""

    def __init__(self, store: Store) -> None:
        self._store = store
        #: tournaments as they were read, by the number of their last act
        self._read: dict[int, tuple[int, CupView]] = {}
        self._records: tuple[object, tuple[PlayerRecord, ...]] = ((), ())

    def tournaments(self) -> Sequence[CupView]:
        """All tournaments, those that go on first, the latest of them first."""
        found = []
        with self._store.transaction() as tx:
            for row in tx.tournaments.all():
                last = tx.tournaments.last_act(row.id)
                if self._read.get(row.id, (0,))[0] != last:
                    self._read[row.id] = (last, view_of(of_row(tx, row).cup))
                found.append((bool(row.ended), -row.created, self._read[row.id][1]))
        return [view for _, _, view in sorted(found, key=lambda one: one[:2])]

    def records(self) -> Sequence[PlayerRecord]:
        """The records of all who wish to be in lists, worked out when a game has begun or ended."""
        with self._store.transaction() as tx:
            hidden = tx.tournaments.unlisted()
            known = (hidden, tuple((row.id, row.status) for row in tx.games.all()))
            if known == self._records[0]:
                return self._records[1]
            games, people = played(tx)
        left_out = {people.of(address) for address in hidden}
        self._records = (known, shown(records(games), left_out))
        return self._records[1]
