"""A service that starts with another secret than before tells its operator, once."""

from dataclasses import replace

from service.app import same_secret
from service.app.same_secret import compare
from tests.service.players import OPERATOR, says


def test_another_secret_than_before_is_told_to_the_operator_once(players):
    store, service = players.store, players.office.service
    other = replace(service, secret=b"the one that a new machine has made by itself")
    assert compare(store, service, players.now)
    assert compare(store, service, players.now)
    assert players.collect() == []
    assert not compare(store, other, players.now)
    assert compare(store, other, players.now)
    [letter] = players.collect()
    assert letter.to == OPERATOR
    assert letter.subject == same_secret.SUBJECT
    assert all(says(letter, line) for line in same_secret.WHAT)


def test_a_secret_that_comes_back_is_told_too(players):
    """Whoever was told of the wrong one is told that it is another one again."""
    store, service = players.store, players.office.service
    other = replace(service, secret=b"the one that a new machine has made by itself")
    found = [
        compare(store, one, players.now + n) for n, one in enumerate((service, other, service))
    ]
    assert found == [True, False, False]
    assert len(players.collect()) == 2


def test_where_nobody_is_the_operator_it_is_noted_all_the_same(players):
    store, service = players.store, replace(players.office.service, operator="")
    other = replace(service, secret=b"the one that a new machine has made by itself")
    assert compare(store, service, players.now)
    assert not compare(store, other, players.now)
    assert players.collect() == []
