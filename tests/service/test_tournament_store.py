"""What is stored of tournaments: a log that only grows, addresses, boards."""

import pytest

from service.store import Conflict, NewGame, NewTournamentAct, Occasion, Store
from tests.service.players import TITLE

pytest_plugins = ["tests.service.postgres"]

NOW = 1_800_000_000


@pytest.fixture
def store(database):
    found = Store(database)
    found.upgrade()
    yield found
    found.close()


def announce(store, name="spring"):
    with store.transaction() as tx:
        made = tx.tournaments.add(name, NOW)
        occasion = tx.occasions.record(Occasion("test", f"new-{name}"), NOW)
        acts = [NewTournamentAct("announced", b"{}", "director")]
        tx.tournaments.add_acts(made.id, 0, acts, occasion, NOW)
    return made


def test_acts_are_kept_in_order_and_two_who_write_at_once_are_told_apart(store):
    made = announce(store)
    more = [NewTournamentAct("entered", b"1", "Ann"), NewTournamentAct("entered", b"2", "Bob")]
    with store.transaction() as tx:
        occasion = tx.occasions.record(Occasion("test", "two"), NOW)
        tx.tournaments.add_acts(made.id, 1, more, occasion, NOW + 1)
    with store.transaction() as tx:
        rows = tx.tournaments.acts(made.id)
        assert [(r.number, r.kind, r.payload, r.at) for r in rows] == [
            (1, "announced", b"{}", NOW), (2, "entered", b"1", NOW + 1), (3, "entered", b"2", NOW + 1),
        ]  # fmt: skip
        assert [r.number for r in tx.tournaments.acts(made.id, "entered")] == [2, 3]
    with pytest.raises(Conflict), store.transaction() as tx:
        tx.tournaments.add_acts(made.id, 1, more, 1, NOW)
    with store.transaction() as tx:
        assert tx.tournaments.last_act(made.id) == 3


def test_a_name_is_given_once(store):
    announce(store)
    with pytest.raises(Conflict), store.transaction() as tx:
        tx.tournaments.add("SPRING", NOW)


def test_an_address_has_one_entry_and_follows_its_entrant(store):
    made, other = announce(store), announce(store, "league")
    with store.transaction() as tx:
        tx.tournaments.set_addresses(made.id, "Ann", ["Ann@X.test", "ann@y.test"])
        tx.tournaments.set_addresses(other.id, "Annie", ["ann@x.test"])
    with store.transaction() as tx:
        assert tx.tournaments.same_entrant(made.id, "ANN@x.test") == ("ann@x.test", "ann@y.test")
        assert tx.tournaments.same_entrant(other.id, "ann@x.test") == ("ann@x.test",)
        tx.tournaments.set_addresses(made.id, "Ann", ["ann@z.test"])
    with store.transaction() as tx:
        assert tx.tournaments.same_entrant(made.id, "ann@y.test") == ()
    with pytest.raises(Conflict), store.transaction() as tx:
        tx.tournaments.set_addresses(made.id, "Bob", ["ann@z.test"])


def test_boards_are_found_by_game_and_by_tournament(store):
    made = announce(store)
    with store.transaction() as tx:
        games = [
            tx.games.add(NewGame(f"spring-1-{n}", "18AL", TITLE.encode(), b"{}", "eve@x"), NOW)
            for n in (2, 1)
        ]
        tx.tournaments.add_place(made.id, games[0].id, 1, 2)
        tx.tournaments.add_place(made.id, games[1].id, 1, 1)
        assert tx.tournaments.place_of(games[0].id).board == 2
        tx.tournaments.adjudicate(games[0].id, NOW)
        assert tx.tournaments.place_of(games[0].id).adjudicate == NOW
        found = [(row.board, name, status) for row, name, status in tx.tournaments.places(made.id)]
        assert found == [(1, "spring-1-1", "open"), (2, "spring-1-2", "open")]
        alone = tx.games.add(NewGame("dixie7", "18AL", TITLE.encode(), b"{}", "eve@x"), NOW)
        assert tx.tournaments.place_of(alone.id) is None
