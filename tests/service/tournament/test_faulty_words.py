"""What a director may write by mistake: each a clear answer, and nothing done."""

import pytest

from engine.wording import listed
from service.desk.tournament.questions import director_questions
from service.desk.tournament.results import adjudicating, results
from service.desk.tournament.rounds import seating_rounds
from service.desk.tournament.ruling import ruling
from service.tournaments import listing, standings
from tests.service.players import address, one, says
from tests.service.tournament.setting import DIRECTOR
from tests.service.tournament.test_rounds import over

WRONG = (
    ("rule 9.9: the bridge counts once", director_questions.NO_SUCH_TABLE, {"table": "9.9"}),
    ("board 9.9", director_questions.NO_SUCH_TABLE, {"table": "9.9"}),
    ("adjudicate 9.9 because of it", adjudicating.NOT_PLAYED, {"table": "9.9"}),
    ("correct 9.9: Ann 5 because of it", results.NO_RESULT, {"table": "9.9"}),
    ("rule:", ruling.WRITE_THE_RULING, {}),
    ("start", seating_rounds.STILL_PLAYS, {"round": 1, "tables": "table 1"}),
)


def test_words_about_what_is_not_there(begun):
    before = begun.tournament.last
    for words, refusal, values in WRONG:
        assert says(begun.receipt(begun.direct(words)), refusal, **values)
    assert begun.tournament.last == before


@pytest.mark.long
def test_a_correction_says_what_is_corrected(begun):
    over(begun)
    told = begun.receipt(begun.direct("correct 1.1: because of a mistake"))
    assert says(told, results.WRITE_CORRECT, table="1.1")
    assert len(begun.tournament.record(1, 1).told) == 1


@pytest.mark.long
def test_several_winners_have_won(begun):
    begun.direct("rules", "tie-breaks: wins, best", "because no lot is to decide")
    over(begun)
    names = [row.name for row in standings.standings(begun.tournament).rows if row.place == 1]
    assert len(names) == 5, "all have what they began with"
    letters = begun.direct("finish")
    told = one(letters, "Ann", "over")
    winner = listing.HAVE_WON.format(names=listed(names))
    assert says(told, results.IS_WON, winner=winner, tournament="spring")
    assert any(x.to == DIRECTOR for x in letters) and address("Ann") in {x.to for x in letters}
