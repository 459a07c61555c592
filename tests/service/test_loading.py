"""A game is read by as many statements whatever has gathered in it."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Engine, event

from service.clocks.accounts import Account
from service.games.games import load
from service.store import (
    NewSeat,
    NewVolunteer,
    Occasion,
    OfferRow,
    Sealed,
    Store,
    Tx,
    VoteRow,
)
from tests.service.players import NAMES
from tests.service.test_store import NOW, opened, play

pytest_plugins = ["tests.service.postgres"]


@contextmanager
def statements() -> Iterator[list[str]]:
    """What is asked of any database meanwhile."""
    asked: list[str] = []

    def note(_connection, _cursor, statement, *_rest) -> None:
        asked.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def gather(tx: Tx, game: int, occasion: int, numbers: range) -> None:
    """Clocks that run, and offers, votes with ballots, orders, diaries, standbys, days off."""
    for name in NAMES[:3]:
        tx.clocks.set(game, Account(name, 86_400, decision="sr", asked=NOW - 60))
    offers = [OfferRow(n, 1, "Ann", "Bob", "buy TR", status="lapsed") for n in numbers]
    tx.offers.keep(game, offers, occasion, NOW)
    ballots = (("Ann", True), ("Bob", False), ("Cat", True))
    votes = [VoteRow(n, "end", "", "Ann", 1, NOW, ballots=ballots) for n in numbers]
    tx.votes.keep(game, votes, occasion, NOW)
    for number in numbers:
        for name in NAMES[:3]:
            order = Sealed(name, number, "pass round", 1, "SR", 1, 0, "salt", "seal")
            tx.orders.add(game, order, occasion, NOW)
            tx.jottings.add(game, name, "diary", f"page {number}", 1, NOW)
        tx.people.ask(game, NewVolunteer("standby", f"s{number}@x.test"), NOW)
        tx.clocks.add_span(game, "Ann", f"hold-{number}", NOW, NOW + number)


def test_a_running_game_is_read_by_as_many_statements_whatever_has_gathered_in_it(
    store: Store,
) -> None:
    game, counts = opened(store), []
    with store.transaction() as tx:
        play(tx, game.id, "buy TR")
        for place, name in enumerate(NAMES[:3]):
            tx.seats.add(game.id, NewSeat(name, f"{name}@x.test", place, "joined", b"{}", 0, NOW))
    for numbers in (range(1, 2), range(2, 13)):
        with store.transaction() as tx:
            occasion = tx.occasions.record(Occasion("test", f"gathered-{numbers}"), NOW)
            gather(tx, game.id, occasion, numbers)
        with store.transaction() as tx, statements() as asked:
            table = load(tx, game.name)
        assert table is not None
        many = numbers[-1]
        found = (len(table.votes), len(table.offers), len(table.orders), len(table.volunteers))
        assert found == (many, many, 3 * many, many)
        assert all(len(vote.ballots) == 3 for vote in table.votes)
        assert sum(clock.runs for clock in table.clocks) == 3
        counts.append(len(asked))
    assert counts[0] == counts[1] <= 20, counts
