"""The tournaments that web pages show."""

from collections.abc import Sequence

from service.desk.tournament.stored.keeping import of_row
from service.store import Store
from service.tournaments.tournament import Tournament


class StoredTournaments:
    """Gives the publisher all public tournaments; it reads a tournament again if it has changed."""

    def __init__(self, store: Store) -> None:
        self._store = store
        #: tournaments as they were read, by the number of their last act
        self._read: dict[int, tuple[int, Tournament]] = {}

    def __call__(self) -> Sequence[Tournament]:
        """All tournaments, running ones first, the latest of them first."""
        found = []
        with self._store.reading() as reads:
            for row in reads.tournaments.all():
                last = reads.tournaments.last_act(row.id)
                if self._read.get(row.id, (0,))[0] != last:
                    self._read[row.id] = (last, of_row(reads, row))
                found.append((bool(row.ended), -row.created, self._read[row.id][1]))
        return [tournament for _, _, tournament in sorted(found, key=lambda one: one[:2])]
