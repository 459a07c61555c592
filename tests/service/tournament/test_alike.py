"""All boards alike: the same revision of the rules, the same clock, begun together and ruled on."""

import msgspec
import pytest

from engine.facts.title import Title
from service.desk.tournament.rounds import seating_rounds
from service.games.games import load
from tests.service.players import address, opened
from tests.service.tournament.setting import FORM, PlayedTournament, enter_all, table

EIGHT = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal")
FIRST = ("spring-1-1", "spring-1-2")


@pytest.fixture(scope="module")
def eight(tmp_path_factory):
    """A tournament of two rounds whose first has begun on two boards, for tests in their order."""
    made = PlayedTournament(opened(f"sqlite:///{tmp_path_factory.mktemp('played')}/eight.sqlite"))
    clock = "clock: fischer 20d + 12h cap 20d"
    made.announce(*(line for line in FORM if line != "clock: none"), "rounds: 2", clock)
    enter_all(made, EIGHT)
    for word in ("close", "seat", "start"):
        made.direct(word)
    yield made
    made.people.store.close()


def beginnings(spring, games):
    """By what games are played: their facts, the edition of these, settings, and when they began.

    The seed that seats a table as it was published is its own.
    """
    found = []
    with spring.people.store.transaction() as tx:
        for made in (load(tx, game) for game in games):
            row, step = made.row, tx.log.actions(made.row.id)[0]
            settings = msgspec.structs.replace(made.settings, seed=0)
            own = (row.title_data, step.rules, settings, row.format)
            found.append((*own, row.organiser, row.created, step.at))
    return found


def newer(choice):
    """A title as a newer program has it: another edition, and another bank."""
    title = kept(choice)
    facts = msgspec.structs.replace(title.facts, edition=title.facts.edition + 1)
    return Title(facts, title.rules, title.variants)


kept = seating_rounds.todays


def test_all_boards_of_a_round_have_the_same_rules_and_clock_and_begin_together(eight):
    assert eight.tournament.begun[1] == FIRST
    first, *others = beginnings(eight, FIRST)
    assert others == [first]
    settings = [table(eight, game).settings for game in FIRST]
    assert {one.clock for one in settings} == {"fischer 20d + 12h cap 20d"}
    assert {one.grade for one in settings} == {"standard"}


def test_a_hold_and_what_goes_on_touch_all_boards_at_once(eight):
    letters = eight.direct("hold because a fault at board 1.1 may be at others")
    assert all(table(eight, game).on_hold for game in FIRST)
    held = {x.to for x in letters if x.kind == "ruling"}
    assert held == set(map(address, EIGHT))
    assert not any(x.kind == "hold" for x in letters), "each player gets one email"
    eight.direct("resume because no other board has it")
    assert not any(table(eight, game).on_hold for game in FIRST)
    spans = {tuple((s.kind, s.begins, s.ends) for s in table(eight, g).spans) for g in FIRST}
    assert len(spans) == 1 and spans != {()}


def test_a_later_round_is_played_by_the_rules_of_the_first_whatever_the_program_has(
    eight, monkeypatch
):
    eight.direct("adjudicate because the year is over")
    eight.direct("seat")
    monkeypatch.setattr(seating_rounds, "todays", newer)
    eight.direct("start")
    [(facts, edition, *_)] = {one[:2] for one in beginnings(eight, eight.tournament.begun[2])}
    assert (facts, edition) == beginnings(eight, FIRST)[0][:2]
