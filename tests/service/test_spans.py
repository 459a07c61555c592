"""What does not count on clocks is kept for a seat, a game or all games, and clocks are kept."""

from service.clocks.accounts import Account
from service.store import Delivery, Letter, Store
from tests.service.test_store import NOW, opened

pytest_plugins = ["tests.service.postgres"]


def test_spans_are_those_of_a_game_and_of_all_games(store: Store) -> None:
    game, other = opened(store), opened(store, "other")
    with store.transaction() as tx:
        tx.clocks.add_span(game.id, "Ann", "leave", NOW + 10, NOW + 20, "away")
        tx.clocks.add_span(game.id, "", "hold", NOW)
        tx.clocks.add_span(None, "", "down", NOW + 5, NOW + 6)
        tx.clocks.add_span(other.id, "Ann", "undelivered", NOW)
        found = tx.clocks.spans(game.id)
        assert [(s.kind, s.seat, s.begins, s.ends) for s in found] == [
            ("hold", "", NOW, None),
            ("down", "", NOW + 5, NOW + 6),
            ("leave", "Ann", NOW + 10, NOW + 20),
        ]
        assert found[2].reason == "away"
        assert [s.kind for s in tx.clocks.spans(game.id, NOW + 6)] == ["hold", "leave"]


def test_an_open_span_is_ended_and_no_other_is(store: Store) -> None:
    game = opened(store)
    with store.transaction() as tx:
        tx.clocks.add_span(game.id, "", "hold", NOW)
        tx.clocks.add_span(game.id, "Ann", "hold", NOW)
        tx.clocks.add_span(game.id, "", "leave", NOW)
        assert tx.clocks.end_span(game.id, "", "hold", NOW + 60) == 1
        assert tx.clocks.end_span(game.id, "", "hold", NOW + 90) == 0
        ends = {(s.kind, s.seat): s.ends for s in tx.clocks.spans(game.id)}
        assert ends == {("hold", ""): NOW + 60, ("hold", "Ann"): None, ("leave", ""): None}


def test_a_span_gets_other_bounds_or_is_dropped(store: Store) -> None:
    game = opened(store)
    with store.transaction() as tx:
        first = tx.clocks.add_span(game.id, "Ann", "leave", NOW, NOW + 100)
        later = tx.clocks.add_span(game.id, "Ann", "leave", NOW + 200, NOW + 300)
        tx.clocks.change_span(first, NOW, NOW + 50)
        tx.clocks.change_span(later, NOW + 200, NOW + 50)
        assert [(s.begins, s.ends) for s in tx.clocks.spans(game.id)] == [(NOW, NOW + 50)]


def test_a_clock_that_is_set_moves_what_was_and_not_what_comes(store: Store) -> None:
    game = opened(store)
    with store.transaction() as tx:
        tx.clocks.add_span(game.id, "Ann", "leave", NOW - 50, NOW + 100)
        tx.clocks.add_span(None, "", "down", NOW - 20, NOW)
        tx.clocks.shift_spans(NOW, -3600)
        bounds = [(s.begins, s.ends) for s in tx.clocks.spans(game.id)]
        assert bounds == [(NOW - 3650, NOW + 100), (NOW - 3620, NOW - 3600)]


def test_the_heartbeat_is_the_last_one(store: Store) -> None:
    with store.transaction() as tx:
        assert tx.meta.last_beat() is None
        tx.meta.beat(NOW)
        tx.meta.beat(NOW + 60)
    with store.transaction() as tx:
        assert tx.meta.last_beat() == NOW + 60
        tx.meta.beat(NOW + 30)
        assert tx.meta.last_beat() == NOW + 30


def test_clocks_are_kept_by_seat(store: Store) -> None:
    game = opened(store)
    with store.transaction() as tx:
        tx.games.wait_for(game.id, "SR 1", ["Ann", "Bob"], NOW)
        tx.clocks.set(game.id, Account("Ann", 86_400, "SR 1", "SR 1", NOW))
        tx.clocks.set(game.id, Account("Bob", 50))
        tx.clocks.set_due(game.id, {"Ann": NOW + 86_400})
        tx.clocks.set(game.id, Account("Ann", 40, "SR 1", "SR 1", NOW, zone="Asia/Kolkata"))
        assert [(c.seat, c.bank, c.zone) for c in tx.clocks.of(game.id)] == [
            ("Ann", 40, "Asia/Kolkata"),
            ("Bob", 50, "UTC"),
        ]
        tx.clocks.shift(-3600)
        assert [c.asked for c in tx.clocks.of(game.id)] == [NOW - 3600, 0]
        assert [w.due for w in tx.games.waiting(game.id)] == [NOW + 82_800, None]
        tx.clocks.drop(game.id)
        assert tx.clocks.of(game.id) == ()
        assert [w.due for w in tx.games.waiting(game.id)] == [None, None]


def test_the_first_letter_that_a_server_took_counts(store: Store) -> None:
    opened(store)

    def letter(number: int, kind: str, seat: str) -> Letter:
        key = f"mail-{number}:{kind}:dixie7/{seat}"
        return Letter(key, "dixie7", kind, "x@example.org", "b@x", b"Subject: x\n\ny", f"<{key}>")

    def asked(seat: str, since: int = NOW) -> int | None:
        with store.transaction() as tx:
            return tx.letters.accepted("dixie7", ("turn",), {seat: since, "Bob": NOW}).get(seat)

    with store.transaction() as tx:
        for number, kind, seat in ((1, "turn", "Ann"), (2, "turn", "Joann"), (3, "receipt", "Bob")):
            tx.letters.queue([letter(number, kind, seat)], NOW)
    assert (asked("Ann"), asked("Bob")) == (None, None)
    rows = store.letters.claim("w", NOW, 60, 10)
    store.letters.settle([Delivery(row.id, "sent") for row in rows], NOW + 7)
    with store.transaction() as tx:
        tx.letters.queue([letter(4, "turn", "Ann")], NOW + 20)
    [row] = store.letters.claim("w", NOW + 30, 60, 10)
    store.letters.settle([Delivery(row.id, "sent")], NOW + 30)
    assert (asked("Ann"), asked("Bob"), asked("A_n")) == (NOW + 7, None, None)
    assert asked("Ann", NOW + 10) == NOW + 30
