"""Votes of players on other rules of a tournament that has begun."""

import pytest

from service.desk.letters.post import Desk
from service.desk.tournament import voting
from service.desk.tournament.acts import Ruled
from service.desk.tournament.known import Refused
from service.desk.tournament.showing import view_of
from service.store import Occasion
from service.tournaments import ballots
from service.tournaments.values import Vote
from tests.service.cups.cup import DIRECTOR
from tests.service.cups.test_rounds import kinds, over
from tests.service.house import address, flat, one

WEEK = 7 * 86_400


def proposed(cup, *lines):
    """Bob proposes something; the letters that follow."""
    return cup.write("Bob", *(lines or ("propose excused: 5", "because of the summer")))


def test_what_most_players_agree_to_is_a_rule_and_all_are_told_who_voted_what(begun):
    letters = proposed(begun)
    told = flat(one(letters, "Bob", "answer"))
    assert "excused: 5 (before: 3)" in told and "agreed if 3 of 5 players say yes" in told
    asked = one(letters, "Ann", "vote")
    assert "Bob proposes other rules" in flat(asked) and "Because of the summer" in flat(asked)
    assert "vote" in kinds(letters, DIRECTOR) and "vote" not in kinds(letters, address("Sam"))
    assert begun.cup.rules.excused == 3
    assert "You have voted yes" in flat(one(begun.write("Ann", "vote 1 yes"), "Ann", "answer"))
    begun.write("Cat", "vote 1 no")
    [told] = begun.people.stranger("zoe@x.test", "standings spring")
    assert "Vote 1, proposed by Bob, asks all players until" in flat(told)
    assert "Ann" not in flat(told).partition("Vote 1")[2].partition("STANDINGS")[0]
    letters = begun.write("Dan", "Yes!")
    assert begun.cup.rules.excused == 5
    for name in ("Ann", "Cat", "Eve", "Sam"):
        told = flat(one(letters, name, "rules"))
        assert "Vote 1, proposed by Bob, is over: agreed." in told
        assert "Yes (3): Bob, Ann, Dan. No (1): Cat. Silent (1): Eve." in told
        assert "excused: 5 (before: 3)" in told
    assert "rules" in kinds(letters, DIRECTOR)
    said = " ".join(text for _, text in view_of(begun.cup).rulings)
    assert "The rules have changed by vote 1: excused: 5 (before: 3), because of the summer" in said
    assert "No (1): Cat" in said
    assert [one.by for one in begun.cup.log if isinstance(one.act, Ruled)] == ["vote 1"]


def test_silence_is_a_no_when_the_time_of_a_vote_is_over(begun):
    proposed(begun)
    begun.write("Ann", "vote 1 yes")
    begun.people.now += WEEK - 1
    begun.took(begun.people.work())
    assert begun.cup.vote is not None
    begun.people.now += 1
    letters = begun.took(begun.people.work())
    told = flat(one(letters, "Eve", "voted"))
    assert "The rules stay as they are" in told and "is over: not agreed." in told
    assert "Yes (2): Bob, Ann. No (0): nobody. Silent (3): Cat, Dan, Eve." in told
    assert begun.cup.rules.excused == 3 and begun.cup.vote is None
    [told] = [x for x in begun.write("Cat", "vote 1 yes") if x.kind == "answer"]
    assert "Nothing is changed. Vote 1, proposed by Bob, is over" in flat(told)


def test_what_cannot_be_proposed_or_voted(begun):
    desk = Desk(begun.people.house, begun.people.now, Occasion("test", "vote"))

    def refused(text, name="Ann"):
        known = begun.know()
        with pytest.raises(Refused) as why:
            if (ballot := voting.read(known.cup, text)) is not None:
                voting.vote(desk, known, name, ballot)
            else:
                voting.propose(desk, known, name, text, lambda grade: False)
        return str(why.value)

    assert "No vote is open" in refused("vote yes")
    assert "What shall be otherwise?" in refused("")
    assert "did you mean `excused`" in refused("excusd: 5")
    assert "That is how the rules are" in refused("excused: 3")
    assert "Round 1 is seated" in refused("round 1 titles: 18TN")
    assert "The director could not direct" in refused("grade: tournament")
    proposed(begun)
    assert "Vote 1 is open until" in refused("excused: 6")
    assert "There is no vote 2" in refused("vote 2 yes")
    assert "Vote 1 asks who played" in refused("vote 1 yes", "Sam")
    [told] = [x for x in begun.write("Sam", "propose excused: 6") if x.kind == "answer"]
    assert "Who plays may propose" in flat(told)
    begun.people.now += WEEK
    begun.took(begun.people.work())
    assert "You have proposed something in this round" in refused("excused: 6", "Bob")


def test_nothing_is_voted_on_before_the_first_round(cup):
    cup.enter("Ann", "Bob", "Cat")
    [told] = [x for x in cup.write("Ann", "propose excused: 5") if x.kind == "answer"]
    assert "has not begun" in flat(told)


def test_the_director_may_rule_that_there_are_no_votes(begun):
    begun.direct("rules", "votes: none", "because nobody answers")
    [told] = [x for x in proposed(begun) if x.kind == "answer"]
    assert "its rules change by a director's ruling alone" in flat(told)


def test_a_director_asks_the_players_too(begun):
    letters = begun.direct("propose", "excused: 5", "because of the summer")
    assert "agreed if 3 of 5 players say yes" in begun.receipt(letters)
    assert "The director proposes other rules" in flat(one(letters, "Bob", "vote"))
    for name in ("Ann", "Bob", "Cat"):
        begun.write(name, "vote yes")
    assert begun.cup.rules.excused == 5
    assert "Yes (3): Ann, Bob, Cat" in begun.receipt(begun.direct("votes"))


def test_no_is_a_vote_and_never_a_withdrawal(begun):
    proposed(begun)
    letters = begun.write("Ann", "no")
    assert "You have voted no in vote 1" in flat(one(letters, "Ann", "answer"))
    for name in ("Cat", "Dan"):
        letters = begun.write(name, "No.")
    assert "not agreed" in flat(one(letters, "Eve", "voted"))
    [told] = [x for x in begun.write("Eve", "no") if x.kind == "answer"]
    assert "This is not understood" in flat(told)
    assert all(entry.state == "entered" for entry in begun.cup.entries if entry.name != "Sam")


def test_a_vote_that_changes_scores_strikes_out_the_standings_that_were_published(begun):
    begun.direct("rules", "rounds: 2", "because all want to play again")
    over(begun)
    before = begun.cup.published[-1].text
    proposed(begun, "propose", "score: money")
    for name in ("Ann", "Cat"):
        letters = begun.write(name, "vote yes")
    told = flat(one(letters, "Eve", "rules"))
    assert "The standings that were published are struck out; these hold" in told
    assert begun.cup.published[-1].text != before and begun.cup.published[-1].round == 1
    [(_, after, text)] = view_of(begun.cup).struck
    assert (after, text) == ("after round 1", before)


def test_a_vote_ends_with_its_tournament(begun):
    proposed(begun)
    over(begun)
    letters = begun.direct("finish")
    assert "Vote 1, proposed by Bob, is over: void, because spring is over" in flat(
        one(letters, "Ann", "over")
    )
    assert begun.cup.vote is None
    begun.people.now += WEEK
    assert begun.people.work() == []


@pytest.mark.parametrize(
    ("rule", "yes", "no", "due", "status"),
    [
        ("half", 2, 0, False, "open"),
        ("half", 3, 0, False, "passed"),
        ("half", 2, 3, False, "failed"),
        ("half", 2, 0, True, "failed"),
        ("two-thirds", 3, 0, True, "failed"),
        ("two-thirds", 4, 0, False, "passed"),
        ("two-thirds", 0, 2, False, "failed"),
        ("all", 4, 0, True, "failed"),
        ("all", 5, 0, False, "passed"),
        ("all", 4, 1, False, "failed"),
    ],
)
def test_how_many_must_agree(rule, yes, no, due, status):
    names = ("Ann", "Bob", "Cat", "Dan", "Eve")
    cast = [*((n, True) for n in names[:yes]), *((n, False) for n in names[yes : yes + no])]
    # who has left counts no more
    vote = Vote(1, "Ann", 1, "", (), 0, 0, rule=rule, ballots=(*cast, ("Zoe", True)))
    assert ballots.outcome(vote, names, due=due) == status
