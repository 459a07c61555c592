"""A letter that asks and came back for good is sent once more: who is gone is gone twice.

So a player whose only letter in days was refused is not late for want of a second one.
"""

from service.clocks.zones import HOUR
from service.desk.door import Conclusion, Done
from service.desk.letters.post import House
from service.games import timing
from service.games.games import ASKING, GameTable, load
from service.store import OutboxRow, Store, Task, TaskRow, Tx

KIND = "once-more"
#: the time between the two, which does not count, and seconds of it
SPAN, AFTER = "returned", 3 * HOUR


def plan(tx: Tx, table: GameTable, seat: str, letter: OutboxRow, now: int) -> None:
    """A letter to a seat came back: if it asks something, have it sent again."""
    if letter.kind in ASKING and table.row.status == "running":
        key, number = f"{KIND}-{letter.id}", str(letter.id).encode()
        tx.tasks.add(Task(KIND, key, now + AFTER, table.row.name, seat, number), now)


def send(store: Store, house: House, now: int, row: TaskRow) -> Conclusion:
    """Send it to the address that the seat has now, if it is still asked."""
    letter = store.letters.get(int(row.payload))

    def sent(tx: Tx) -> Done:
        table = load(tx, row.game)
        asked = tx.games.waiting(table.row.id) if table is not None else ()
        since = next((one.since for one in asked if one.seat == row.seat), None)
        if table is None or letter is None or since is None or letter.created < since:
            return Done("nothing is asked now")
        seat = table.seat(row.seat)
        if tx.letters.send_elsewhere(letter.id, seat.address, now) is None:
            return Done("it was sent again already")
        tx.clocks.add_span(table.row.id, seat.name, SPAN, letter.sent or letter.created, now)
        reckon(tx, row.game, now)
        return Done(f"to {seat.name}")

    return sent


def reckon(tx: Tx, game: str, now: int) -> None:
    """Until when all must answer, after a span began or ended."""
    table = load(tx, game)
    rule = timing.rule_of(table) if table is not None else None
    if table is not None and rule is not None:
        timing.keep(tx, table, timing.accounts_of(table, rule), now)
