"""Votes by mail: who is asked, what each brings about, silence, and votes given ahead."""

import pytest

from service import said
from service.desk.ahead import orders_given
from service.desk.informing import follow_up
from service.desk.seats import standbys
from service.desk.votes import proposing, vote_results
from service.games import commit, retreat
from service.games import votes as ballots
from service.games.votes import WITHIN
from service.mail import identity
from service.mail.message import read
from service.reports.receipt import DONE_BUT, DONE_BUT_SUBJECT, MARKS
from tests.service.players import ADDRESS, GAME, Kept, address, flat, one, says, to, unsaid


@pytest.fixture(scope="session")
def two_bought(tmp_path_factory):
    """A game in which Ann has bought the TR and Bob the S&NA."""

    def play(made):
        made.begin()
        made.write("Ann", "buy TR")
        made.write("Bob", "buy S&NA")

    return Kept.after(tmp_path_factory.mktemp("votes") / "bought.sqlite", play)


@pytest.fixture
def begun(two_bought, tmp_path):
    """Ann has bought the TR, Bob the S&NA, and Cat is to act at #2."""
    with two_bought.copy(tmp_path) as found:
        yield found


def votes(players):
    return [(v.number, v.kind, v.about, v.status) for v in players.table().votes]


def due(players):
    """Let the deadline of all open votes pass; the letters that follow."""
    players.now += WITHIN + 1
    return players.work()


# undo


@pytest.mark.long
def test_a_vote_that_all_agree_on_whose_acts_vanish_takes_them_back(begun):
    letters = begun.write("Ann", "propose undo to 0")
    assert says(one(letters, "Ann"), proposing.ASKS, number=1, names="Bob")
    asked = one(letters, "Bob", "request")
    assert asked.subject.startswith(f"[{GAME}] Vote 1")
    assert says(asked, vote_results.TAKES_BACK, acts="Ann buy TR; Bob buy S&NA")
    assert says(asked, vote_results.DO_YOU_AGREE, number=1)
    assert to(letters, "Cat") == ["turn"], "who has acted nothing since has no vote, and is told"
    letters = begun.write("Bob", "vote 1 yes")
    assert (begun.state.number, begun.state.cash["Bob"]) == (0, 600)
    assert votes(begun) == [(1, "undo", "0", "passed")]
    over = ballots.AGREED.format(number=1, about=ballots.UNDO.format(position=0), name="Ann")
    for letter in (one(letters, "Bob"), one(letters, "Ann", "turn")):
        assert says(letter, over)
        assert says(letter, ballots.YES, names="Ann, Bob")
        assert says(letter, ballots.NOBODY_NO)
    assert "buy TR; buy S&NA" in flat(one(letters, "Ann", "turn"))
    assert to(letters, "Cat") == ["void"]
    with begun.store.transaction() as tx:
        game = tx.games.named(GAME).id
        assert tx.log.numbered(game, 1) is None, "it is struck out"
        assert tx.log.present(game)[1] == 3, "and kept"
    letters = begun.write("Cat", "history")
    assert says(one(letters, "Cat"), over)


@pytest.mark.long
def test_one_no_ends_it_and_who_voted_what_is_told_then_only(begun):
    letters = begun.write("Ann", "propose undo to 0")
    assert unsaid(one(letters, "Bob", "request"), ballots.YES)
    letters = begun.write("Bob", "vote no")
    assert votes(begun) == [(1, "undo", "0", "failed")]
    assert begun.state.number == 2
    for name, kind in (("Bob", "receipt"), ("Ann", "news"), ("Cat", "turn")):
        assert says(one(letters, name, kind), ballots.NOT_AGREED, number=1)
        assert says(one(letters, name, kind), ballots.YES, names="Ann")
        assert says(one(letters, name, kind), ballots.NO, names="Bob")
    letters = begun.write("Ann", "vote 1 yes")
    assert "NOT DONE" in one(letters, "Ann").subject
    assert says(one(letters, "Ann"), ballots.NOT_AGREED, number=1)
    letters = begun.write("Ann", "propose undo to 0")
    assert says(one(letters, "Ann"), proposing.WAS_NOT_AGREED, number=1)


@pytest.mark.long
def test_silence_is_a_no_when_the_vote_is_due(begun):
    begun.write("Ann", "propose undo to 0")
    letters = due(begun)
    assert votes(begun) == [(1, "undo", "0", "failed")]
    assert says(one(letters, "Ann", "news"), ballots.NOBODY_NO)
    assert says(one(letters, "Ann", "news"), ballots.SILENT, names="Bob")
    assert begun.state.number == 2
    assert due(begun) == []


@pytest.mark.long
def test_whose_acts_are_added_is_asked_too(begun):
    begun.write("Ann", "propose undo to 0")
    begun.write("Cat", "buy B&SLC")
    begun.write("Bob", "vote 1 yes")
    assert votes(begun)[0][3] == "open"
    begun.write("Cat", "vote 1 yes")
    assert begun.state.number == 0


@pytest.mark.long
def test_a_position_that_is_taken_back_makes_the_vote_void(begun):
    begun.write("Cat", "buy B&SLC")
    begun.write("Bob", "propose undo to 3")
    assert votes(begun) == []
    begun.write("Bob", "propose undo to 2")
    begun.write("Cat", "undo")
    letters = begun.write("Cat", "vote yes")
    assert "NOT DONE" in one(letters, "Cat").subject


@pytest.mark.long
def test_without_a_number_it_goes_back_before_the_own_last_mail(begun):
    begun.write("Ann", "propose undo")
    assert votes(begun) == [(1, "undo", "0", "open")]
    letters = begun.write("Ann", "undo")
    assert "NOT DONE" in one(letters, "Ann").subject
    assert says(one(letters, "Ann"), retreat.PROPOSE_UNDO)


@pytest.mark.long
def test_commands_beside_a_vote_that_takes_back_are_not_done(begun):
    begun.write("Cat", "propose undo to 0", "pass")
    begun.write("Ann", "vote yes")
    letters = begun.write("Bob", "vote yes", "buy M&C")
    assert begun.state.number == 0 or votes(begun)[0][3] == "open"
    assert "NO" in one(letters, "Bob").text


# other kinds


@pytest.mark.long
def test_the_game_ends_where_all_agree(begun):
    begun.write("Ann", "propose end")
    begun.write("Bob", "vote 1 yes")
    letters = begun.write("Cat", "vote 1 yes")
    assert begun.table().row.status == "ended"
    assert begun.state.ending.cause == "agreement"
    for name in ("Ann", "Bob", "Cat"):
        ended = one(letters, name, "ended")
        assert "$600" in flat(ended)
        told = one(letters, name) if name == "Cat" else ended
        assert says(told, ballots.YES, names="Ann, Bob, Cat")
    letters = begun.write("Ann", "propose undo to 0")
    assert says(one(letters, "Ann"), said.IS_OVER, game=GAME)


@pytest.mark.long
def test_more_time_needs_most_and_a_game_without_a_clock_says_so(begun):
    letters = begun.write("Ann", "propose extend 48h")
    assert says(one(letters, "Ann"), vote_results.NO_CLOCK)
    letters = begun.write("Bob", "vote yes")
    assert votes(begun) == [(1, "extend", "172800", "passed")]
    assert says(one(letters, "Bob"), ballots.YES, names="Ann, Bob")
    assert says(one(letters, "Bob"), ballots.NOBODY_NO)
    assert says(one(letters, "Bob"), ballots.SILENT, names="Cat")
    assert says(one(letters, "Ann", "news"), vote_results.NO_CLOCK)


def test_more_time_puts_off_what_is_due(begun):
    from sqlalchemy import update

    from service.store.tables import WaitingRecord

    with begun.store.transaction() as tx:
        tx._session.execute(update(WaitingRecord).values(due=begun.now + 100))
    letters = begun.write("Ann", "propose extend 2 days")
    assert unsaid(one(letters, "Ann"), vote_results.NO_CLOCK)
    begun.write("Bob", "vote yes")
    with begun.store.transaction() as tx:
        [row] = tx.games.waiting(begun.table().row.id)
    assert row.due == begun.now + 100 + 2 * 86_400


@pytest.mark.long
def test_the_organiser_hears_whom_the_others_want_replaced(begun):
    letters = begun.write("Ann", "propose replace bob")
    assert says(one(letters, "Ann"), proposing.ASKS, number=1, names="Cat")
    replaced = ballots.REPLACE.format(name="Bob")
    news = one(letters, "Bob", "news")
    assert says(news, vote_results.IS_PROPOSED, number=1, name="Ann", about=replaced)
    letters = begun.write("Bob", "vote 1 no")
    assert says(one(letters, "Bob"), proposing.ASKS_OTHERS, number=1, names="Ann, Cat")
    letters = begun.write("Cat", "vote 1 yes")
    for who, kind in (("Ann", "news"), ("Cat", "receipt")):
        assert says(one(letters, who, kind), vote_results.NOBODY_STANDS_BY, game=GAME)
    told = one(letters, "Ann", "vacant")
    assert says(told, commit.AGREED)
    assert says(told, standbys.MAY_NAME, name="Bob")
    [vacancy] = begun.table().vacancies
    assert (vacancy.seat, vacancy.since) == ("Bob", begun.now)


@pytest.mark.long
def test_all_let_presidents_run_as_they_like(begun):
    assert begun.state.insist == ("Ann", "Bob", "Cat")
    begun.write("Ann", "propose runs free")
    begun.write("Bob", "vote yes")
    assert begun.state.insist == ("Ann", "Bob", "Cat")
    begun.write("Cat", "vote yes")
    assert begun.state.insist == ()
    letters = begun.write("Cat", "propose runs free")
    assert says(one(letters, "Cat"), proposing.RUNS_FREE_ALREADY)
    begun.write("Cat", "propose runs best")
    assert votes(begun)[-1][1:] == ("runs", "best", "open")


# what is wrong, and votes given ahead


def test_a_vote_of_a_kind_that_is_open_is_answered_with_the_open_one(begun):
    begun.write("Ann", "propose undo to 0")
    letters = begun.write("Bob", "propose undo to 1")
    undo = ballots.UNDO.format(position=0)
    assert says(one(letters, "Bob"), proposing.OPEN_VOTE, number=1, about=undo, name="Ann")
    assert says(one(letters, "Bob"), proposing.KIND_IS_OPEN)
    assert len(votes(begun)) == 1
    assert to(letters, "Ann") == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("propose lunch", proposing.HOW_TO_PROPOSE),
        ("propose undo to 9", proposing.NOT_EARLIER.format(position=2)),
        (
            "propose replace Eve",
            said.DOES_NOT_PLAY.format(name="Eve", names="Ann, Bob and Cat"),
        ),
        ("propose replace Ann", proposing.NOT_ON_YOURSELF),
        ("propose extend 9999h", proposing.BETWEEN.format(days=60)),
        ("propose clock sundial", "fischer 20d"),
        ("propose clock none", proposing.SO_IT_IS),
        ("vote 7 yes", proposing.NO_SUCH_VOTE.format(number=7)),
        ("vote yes", said.NO_VOTE_OPEN),
        ("vote perhaps", proposing.HOW_TO_VOTE),
    ],
)
def test_what_cannot_be_meant_is_told_and_changes_nothing(begun, text, told):
    letters = begun.write("Ann", text)
    assert "NOT DONE" in one(letters, "Ann").subject
    assert says(one(letters, "Ann"), told)
    assert (votes(begun), [letter.kind for letter in letters]) == ([], ["receipt"])


@pytest.mark.long
def test_a_ballot_may_be_changed_until_the_vote_is_over(begun):
    begun.write("Ann", "propose end")
    begun.write("Ann", "vote no")
    assert votes(begun)[0][3] == "failed"
    begun.write("Ann", "buy TR")
    begun.write("Cat", "pass")
    begun.write("Ann", "propose end")
    begun.write("Bob", "vote yes")
    begun.write("Bob", "vote no")
    assert votes(begun)[1][3] == "failed"


def test_a_vote_given_ahead_counts_when_one_is_proposed(begun):
    letters = begun.write("Bob", "always vote yes on undo by Ann")
    assert "always vote yes on undo by Ann" in flat(one(letters, "Bob"))
    letters = begun.write("Ann", "propose undo to 0")
    assert votes(begun) == [(1, "undo", "0", "passed")]
    assert says(one(letters, "Ann"), ballots.YES, names="Ann, Bob")
    assert begun.state.number == 0


@pytest.mark.long
def test_a_vote_given_ahead_counts_for_its_kind_and_proposer_alone(begun):
    begun.write("Bob", "always vote no on end", "always vote yes on undo by Cat")
    begun.write("Ann", "propose undo to 0")
    assert votes(begun)[0][3] == "open"
    begun.write("Ann", "propose end")
    assert votes(begun)[1][3] == "failed"


@pytest.mark.long
def test_a_vote_given_ahead_counts_in_a_vote_that_is_open(begun):
    begun.write("Ann", "propose undo to 0")
    letters = begun.write("Bob", "always vote yes on undo", "say: go on")
    assert votes(begun) == [(1, "undo", "0", "passed")]
    assert begun.state.number == 0
    text = flat(one(letters, "Bob"))
    undo = ballots.UNDO.format(position=0)
    assert says(text, orders_given.ORDER_TAKEN, number=1)
    assert says(text, proposing.COUNTS_YES, number=1, about=undo)
    for told in (text, one(letters, "Ann", "turn")):
        assert says(told, ballots.AGREED, number=1, about=undo)
        assert says(told, ballots.YES, names="Ann, Bob")
    assert [(o.number, o.status) for o in begun.table().orders] == [(1, "open")], "and it stands"


@pytest.mark.long
def test_a_vote_given_ahead_while_one_is_open_does_not_undo_a_vote_by_hand(begun):
    begun.write("Ann", "propose end")
    begun.write("Bob", "vote yes")
    letters = begun.write("Bob", "always vote no on end")
    assert unsaid(one(letters, "Bob"), proposing.COUNTS_NO)
    assert unsaid(one(letters, "Bob"), proposing.COUNTS_YES)
    assert votes(begun)[0][3] == "open"
    begun.write("Cat", "always vote no on undo", "always vote no on end by Bob")
    assert votes(begun)[0][3] == "open", "of another kind, of another's proposal"


@pytest.mark.long
def test_a_vote_given_ahead_is_not_taken_twice_nor_where_it_is_refused(begun):
    begun.write("Cat", "always vote yes on end if cash me > 900")
    begun.write("Ann", "propose end")
    letters = begun.write("Cat", "always vote yes on end if cash me > 900")
    assert says(one(letters, "Cat"), orders_given.GIVEN_ALREADY, number=1)
    begun.write("Cat", "always vote no on end")
    assert votes(begun)[0][3] == "failed"


@pytest.mark.long
def test_commands_beside_a_vote_ahead_that_takes_back_are_not_done(begun):
    begun.write("Ann", "propose undo to 0")
    letters = begun.write("Bob", "always vote yes on undo", "buy M&C")
    assert begun.state.number == 0
    text = flat(one(letters, "Bob"))
    assert f"{MARKS['no']} buy M&C (line 2)" in text
    assert says(text, proposing.FIRST)
    assert "NOT DONE" not in text


@pytest.mark.long
def test_history_says_who_was_silent_in_a_vote_on_undo(begun):
    begun.write("Ann", "propose undo to 0")
    due(begun)
    text = flat(one(begun.write("Cat", "history"), "Cat"))
    assert says(text, ballots.NOT_AGREED, number=1)
    assert says(text, ballots.YES, names="Ann")
    assert says(text, ballots.NOBODY_NO)
    assert says(text, ballots.SILENT, names="Bob")
    begun.write("Cat", "pass")
    text = flat(one(begun.write("Cat", "history"), "Cat"))
    assert says(text, ballots.SILENT, names="Bob"), "who acted afterwards was not asked"


@pytest.mark.long
def test_a_vote_is_stored_once_though_the_service_dies_after_it(begun):
    raw = begun.mail(address("Ann"), begun.seat_address(GAME, "Ann"), "propose end")
    begun.send(raw)
    begun.now += 5
    begun.arrive(raw)
    begun.work()
    assert votes(begun) == [(1, "end", "", "open")]


def test_the_subject_of_a_vote_names_what_is_voted_on(players):
    letters = players.write("Ann", "propose extend 1h")
    about = ballots.MORE_TIME.format(time="1 hour")
    for name in ("Bob", "Cat"):
        asked = one(letters, name, "request")
        subject = follow_up.VOTE_SUBJECT.format(game=GAME, number=1, about=about)
        assert asked.subject == subject


def test_the_subject_of_a_vote_to_undo_does_not_pass_for_an_older_position(begun):
    asked = one(begun.write("Ann", "propose undo to 0"), "Bob", "request")
    answer = read(
        begun.mail(
            address("Bob"),
            asked.reply_to,
            "vote 1 no",
            answers=asked,
            subject=f"Re: {asked.subject}",
        )
    )
    assert identity.shown_number(answer, GAME, ADDRESS) == begun.state.number
    receipt = one(begun.reply(asked, "vote 1 no"), "Bob")
    assert "go back to position 0?" in receipt.subject


def test_a_long_subject_of_a_vote_begins_with_its_matter(players):
    subject = one(players.write("Ann", "propose batch 06:00 18:00 UTC"), "Bob", "request").subject
    begin = follow_up.VOTE_SUBJECT.format(game=GAME, number=1, about="")
    assert subject.startswith(begin.rstrip("?") + "handle emails") and len(subject) <= 60


@pytest.mark.long
def test_a_vote_that_is_over_refuses_a_ballot_and_not_the_move_beside_it(players):
    players.write("Ann", "propose end")
    players.write("Bob", "vote 1 no")
    receipt = one(players.write("Ann", "vote 1 yes", "pass"), "Ann")
    assert players.texts() == ["pass"]
    assert receipt.subject.endswith(DONE_BUT_SUBJECT)
    assert says(receipt, DONE_BUT) and unsaid(receipt, "hing was changed")
