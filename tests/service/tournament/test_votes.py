"""Votes of the players of a tournament that has begun."""

import pytest

from service.commands import entry
from service.desk.tournament.votes import voting
from service.said import NO_VOTE_OPEN
from service.tournaments import listing, telling, votes
from service.tournaments.telling import rulings, struck
from service.tournaments.votes import Vote
from tests.service.players import address, flat, one, says
from tests.service.tournament.setting import DIRECTOR
from tests.service.tournament.test_rounds import kinds, over

WEEK = 7 * 86_400
QUESTION = "Excuse five silences instead of three"
THREE_OF_FIVE = votes.NEEDED.format(needed=3, players="5 players")


def ended(told, status):
    """Whether Bob's vote is told to have ended so."""
    return says(told, votes.VOTE_IS_OVER, vote=1, by="Bob", end=votes.ENDS[status])


def voted(told, *sides):
    """Whether it is told who voted what; each side is its word, and names behind it."""
    for word, *names in sides:
        assert says(told, votes.BALLOTS, word=word, count=len(names), names=", ".join(names))
    return True


def proposed(spring, *lines):
    """Bob proposes something; the letters that follow."""
    return spring.write("Bob", *(lines or ("propose " + QUESTION, "because of the summer")))


def test_what_most_players_agree_to_is_told_to_all_and_the_director_carries_it_out(begun):
    letters = proposed(begun)
    told = one(letters, "Bob", "answer")
    assert QUESTION in told.text
    assert says(told, voting.AGREED_IF, needed=THREE_OF_FIVE)
    asked = one(letters, "Ann", "vote")
    assert says(asked, voting.PROPOSES, name="Bob", tournament="spring") and QUESTION in asked.text
    assert "because of the summer" in asked.text
    assert "vote" in kinds(letters, DIRECTOR) and "vote" not in kinds(letters, address("Sam"))
    told = one(begun.write("Ann", "vote 1 yes"), "Ann", "answer")
    assert says(told, voting.VOTED_YES, vote=1)
    begun.write("Cat", "vote 1 no")
    [told] = begun.write("Eve", "standings")
    assert says(told, telling.VOTE_ASKS, vote=1, by="Bob", text=QUESTION)
    assert "Ann" not in flat(told), "who voted what is told when it is over"
    letters = begun.write("Dan", "Yes!")
    for name in ("Ann", "Cat", "Eve", "Sam"):
        told = one(letters, name, "voted")
        assert ended(told, "passed") and says(told, voting.AGREED)
        assert voted(told, (votes.YES, "Bob", "Ann", "Dan"), (votes.NO, "Cat"))
        assert voted(told, (votes.SILENT, "Eve"))
        assert QUESTION in told.text
    [asked] = [x for x in letters if (x.to, x.kind) == (DIRECTOR, "voted")]
    assert voting.CARRY_IT_OUT in asked.text
    assert begun.tournament.rules.excused == 3 and begun.tournament.vote is None
    begun.direct("rules", "excused: 5", "because of vote 1")
    assert begun.tournament.rules.excused == 5
    said = " ".join(text for _, text in rulings(begun.tournament))
    question = f"{QUESTION}; because of the summer"
    assert says(said, telling.VOTE_PROPOSED, vote=1, by="Bob", text=question, why="")
    assert voted(said, (votes.NO, "Cat"))


def test_silence_is_a_no_when_the_time_of_a_vote_is_over(begun):
    proposed(begun)
    begun.write("Ann", "vote 1 yes")
    begun.people.now += WEEK - 1
    begun.took(begun.people.work())
    assert begun.tournament.vote is not None
    begun.people.now += 1
    letters = begun.took(begun.people.work())
    told = one(letters, "Eve", "voted")
    assert says(told, voting.NOT_AGREED) and ended(told, "failed")
    assert voted(told, (votes.YES, "Bob", "Ann"), (votes.SILENT, "Cat", "Dan", "Eve"))
    assert says(told, votes.BALLOTS, word=votes.NO, count=0)
    assert begun.tournament.vote is None
    [told] = [x for x in begun.write("Cat", "vote 1 yes") if x.kind == "answer"]
    assert says(told, voting.NOTHING_CHANGED) and ended(told, "failed")


def test_what_cannot_be_proposed_or_voted(begun):
    def refused(text, name="Ann"):
        line = text if text.startswith("vote") else f"propose {text}"
        [told] = [x for x in begun.write(name, line) if x.kind == "answer"]
        return told

    assert says(refused("vote yes"), NO_VOTE_OPEN)
    assert says(refused(""), voting.WHAT_TO_ASK)
    proposed(begun)
    assert says(refused("a longer summer"), voting.IS_OPEN, vote=1)
    assert says(refused("vote 2 yes"), voting.NO_SUCH_VOTE, vote=2)
    assert says(refused("vote 1 yes", "Sam"), voting.ASKS_OTHERS, vote=1)
    [told] = [x for x in begun.write("Sam", "propose a pause") if x.kind == "answer"]
    assert says(told, voting.PLAYERS_PROPOSE)
    begun.people.now += WEEK
    begun.took(begun.people.work())
    assert says(refused("a pause", "Bob"), voting.PROPOSED_ALREADY)


def test_nothing_is_voted_on_before_the_first_round(spring):
    spring.enter("Ann", "Bob", "Cat")
    [told] = [x for x in spring.write("Ann", "propose excused: 5") if x.kind == "answer"]
    assert says(told, voting.NOT_BEGUN, tournament="spring")


def test_a_director_asks_the_players_too(begun):
    letters = begun.direct("propose", "A pause in August", "because of the summer")
    assert says(begun.receipt(letters), voting.AGREED_IF, needed=THREE_OF_FIVE)
    asked = one(letters, "Bob", "vote")
    assert says(asked, voting.OFFICE_PROPOSES, name="director", tournament="spring")
    assert "A pause in August" in asked.text
    for name in ("Ann", "Bob", "Cat"):
        begun.write(name, "vote yes")
    assert voted(begun.receipt(begun.direct("log")), (votes.YES, "Ann", "Bob", "Cat"))


def test_no_is_a_vote_and_never_a_withdrawal(begun):
    proposed(begun)
    letters = begun.write("Ann", "no")
    assert says(one(letters, "Ann", "answer"), voting.VOTED_NO, vote=1)
    for name in ("Cat", "Dan"):
        letters = begun.write(name, "No.")
    assert ended(one(letters, "Eve", "voted"), "failed")
    [told] = [x for x in begun.write("Eve", "no") if x.kind == "answer"]
    assert says(told, NO_VOTE_OPEN)
    assert all(
        entry.state == "entered" for entry in begun.tournament.entries if entry.name != "Sam"
    )


def test_a_ruling_that_changes_scores_strikes_out_the_standings_that_were_published(begun):
    begun.direct("rules", "rounds: 2", "because all want to play again")
    over(begun)
    before = begun.tournament.published[-1][1].text
    letters = begun.direct("rules", "score: share", "because all agreed to it")
    assert says(one(letters, "Eve", "rules"), listing.STANDINGS_STRUCK)
    assert (
        begun.tournament.published[-1][1].text != before
        and begun.tournament.published[-1][1].round == 1
    )
    [(_, after, text)] = struck(begun.tournament)
    assert (after, text) == (telling.AFTER_ROUND.format(round=1), before)


def test_a_vote_decides_nothing_after_its_tournament(begun):
    proposed(begun)
    over(begun)
    begun.direct("finish")
    assert begun.tournament.vote is None
    [told] = [x for x in begun.write("Ann", "vote 1 yes") if x.kind == "answer"]
    assert says(told, telling.IS_OVER, tournament="spring")
    begun.people.now += WEEK
    assert begun.people.work() == []


@pytest.mark.parametrize(
    ("yes", "no", "due", "status"),
    [
        (2, 0, False, "open"),
        (3, 0, False, "passed"),
        (2, 3, False, "failed"),
        (2, 0, True, "failed"),
    ],
)
def test_more_than_half_must_agree(yes, no, due, status):
    names = ("Ann", "Bob", "Cat", "Dan", "Eve")
    cast = [*((n, True) for n in names[:yes]), *((n, False) for n in names[yes : yes + no])]
    # who has left counts no more
    vote = Vote(1, "Ann", 1, "", 0, 0, ballots=(*cast, ("Zoe", True)))
    assert votes.outcome(vote, names, due=due) == status


def test_the_subject_of_a_vote_names_its_matter_and_only_voters_are_asked(begun):
    letters = proposed(begun)
    subject = voting.VOTE_SUBJECT.format(vote=1, question=QUESTION)
    told = [(one.to, "vote 1 yes" in one.text) for one in letters if one.kind == "vote"]
    assert {one.subject for one in letters if one.kind == "vote"} == {f"[spring] {subject}"}
    assert (address("Ann"), True) in told and (DIRECTOR, False) in told


def test_an_entrant_learns_where_a_command_of_a_game_belongs(begun):
    told = one(begun.write("Ann", "status"), "Ann", "answer")
    assert says(told, entry.OF_A_GAME, word="status")
