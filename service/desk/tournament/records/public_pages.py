"""The tournaments and records that web pages show."""

from collections.abc import Sequence

from service.desk.tournament.keeping import of_row
from service.desk.tournament.records import player_records
from service.store import Store
from service.tournaments.ratings import PlayerRecord
from service.tournaments.tournament import Tournament


class FromStore:
    """The publisher's data beside games; see `publish.tournament.index.Beside`."""

    def __init__(self, store: Store) -> None:
        self._store = store
        #: tournaments as they were read, by the number of their last act
        self._read: dict[int, tuple[int, Tournament]] = {}
        self._records: tuple[object, tuple[PlayerRecord, ...]] = ((), ())

    def tournaments(self) -> Sequence[Tournament]:
        """All tournaments, running ones first, the latest of them first."""
        found = []
        with self._store.reading() as reads:
            for row in reads.tournaments.all():
                last = reads.tournaments.last_act(row.id)
                if self._read.get(row.id, (0,))[0] != last:
                    self._read[row.id] = (last, of_row(reads, row))
                found.append((bool(row.ended), -row.created, self._read[row.id][1]))
        return [tournament for _, _, tournament in sorted(found, key=lambda one: one[:2])]

    def records(self) -> Sequence[PlayerRecord]:
        """The records of all who want to be in lists, computed when a game has begun or ended."""
        with self._store.reading() as reads:
            known = (reads.tournaments.unlisted(), reads.games.tally())
            if known != self._records[0]:
                self._records = (known, player_records.listed(reads))
        return self._records[1]
