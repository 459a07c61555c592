"""What a director may write by mistake: each a clear answer, and nothing done."""

import pytest

from service.desk.tournament import figures
from tests.service.cups.conftest import FIVE
from tests.service.cups.cup import DIRECTOR, enter_all
from tests.service.cups.test_rounds import over
from tests.service.house import address, flat, one

WRONG = (
    ("rule 9.9: the bridge counts once", "There is no board 9.9: `boards` lists those there are."),
    ("board 9.9", "There is no board 9.9"),
    ("adjudicate 9.9 because of it", "Board 9.9 is not played."),
    ("correct 9.9: Ann 5 because of it", "Board 9.9 has no result to be corrected."),
    ("rule:", "Write the ruling behind it"),
    ("start", "Round 1 still plays on board 1"),
    ("swap Ann and Bob because of it", "No seating is proposed"),
)


def test_words_about_what_is_not_there(begun):
    before = begun.cup.last
    for words, told in WRONG:
        assert told in begun.receipt(begun.direct(words))
    assert begun.cup.last == before


def test_nobody_changes_places_with_themselves(cup):
    enter_all(cup, FIVE)
    cup.direct("close")
    cup.direct("seat")
    told = cup.receipt(cup.direct("swap Ann and Ann because of a mistake"))
    assert "Ann cannot change places with themselves: name two players." in told
    assert cup.cup.proposed.why == ""


@pytest.mark.long
def test_a_correction_says_what_is_corrected(begun):
    over(begun)
    told = begun.receipt(begun.direct("correct 1.1: because of a mistake"))
    assert "write `correct 1.1: " in told and "There play" in told
    assert len(begun.cup.record(1, 1).told) == 1


@pytest.mark.long
def test_several_winners_have_won(begun):
    begun.direct("rules", "tie-breaks: wins, best", "because no lot is to decide")
    over(begun)
    names = [row.name for row in figures.worked_out(begun.cup.value).rows if row.place == 1]
    assert len(names) == 5, "all have what they began with"
    letters = begun.direct("finish")
    told = one(letters, "Ann", "over")
    assert "have won spring" in told.subject and "have won it." in flat(told)
    assert any(x.to == DIRECTOR for x in letters) and address("Ann") in {x.to for x in letters}
