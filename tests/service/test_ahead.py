"""What a mail asks for behind a question to another player waits, and goes on with the answer."""

from dataclasses import replace as with_fields

import pytest
from msgspec.structs import replace

import engine
from engine.actions import TrainRun
from engine.events import TrainsRan
from engine.telling.narration import narrate
from service.desk.ahead import awaited
from service.desk.informing import offer_notes
from service.desk.questions import queries
from service.desk.seats.handover import move
from service.desk.turns import verdicts
from service.games import changes, offers, retreat
from service.games.changes import Request, further, make, take_back
from service.games.commit import commit
from service.games.offers import WaitingCommands
from service.reports import briefing
from service.reports.receipt import MARKS
from service.store import Conflict, Occasion
from tests.engine.notation import positions
from tests.rules.gl.setting import on as lakes
from tests.service.players import GAME, TITLE, address, flat, one, says, to, unsaid
from tests.service.test_occasions import by, commands
from tests.service.test_stale import operating

ASK = "buy private M&C from Bob for 100"
RAN = narrate(TITLE, TrainsRan("L&N", (TrainRun("2", ("A4", "C4")),), 60))


@pytest.fixture
def company(players):
    """L&N's turn, whose president is Ann; Bob has the M&C, and M&O operates next."""
    players.place(operating("track"))
    return players


@pytest.fixture
def stock(players):
    """Ann's stock turn; she has the TR, and Bob the M&C."""
    players.place(positions.stock())
    return players


def waits(players):
    """What waits, as it is stored: seat and commands."""
    with players.store.transaction() as tx:
        return [(row.seat, row.commands) for row in tx.ahead.of(tx.games.named(GAME).id)]


def done(players):
    return players.texts()[players.texts().index("placed") + 1 :]


# it waits, and goes on


def test_what_follows_a_question_waits_and_its_writer_is_told(company):
    letters = company.write("Ann", ASK, "run", "pay")
    assert done(company) == [ASK]
    assert waits(company) == [("Ann", "run\npay")]
    receipt = one(letters, "Ann")
    assert receipt.subject.endswith("– done")
    assert f"{MARKS['waits']} run" in flat(receipt)
    assert says(receipt, awaited.WAIT_FOR, name="Bob", commands="run; pay")
    assert says(receipt, awaited.WAITING_EXPLAINED)
    assert to(letters, "Bob") == ["turn"]
    assert "run; pay" not in flat(one(letters, "Bob", "turn")), "that is Ann's own business"
    assert "run; pay" not in flat(one(letters, "Cat", "news"))


@pytest.mark.parametrize("answer", ["accept", "decline"])
def test_an_offer_that_comes_last_ends_the_turn_with_its_answer(company, answer):
    letters = company.write("Ann", "run", "pay", ASK)
    assert waits(company) == [("Ann", "done")]
    assert says(one(letters, "Ann"), awaited.TURN_ENDS, name="Bob")
    letters = company.write("Bob", answer)
    assert done(company)[-2:] == [answer, "done"]
    assert says(one(letters, "Ann", "news"), awaited.TURN_IS_OVER)
    assert engine.to_act(company.table().title, company.state) == ("Bob",), "M&O operates"


@pytest.mark.parametrize("words", [("more",), ()])
def test_more_or_clear_keeps_the_turn_of_an_offer_open(company, words):
    company.write("Ann", "run", "pay", ASK, *words)
    if not words:
        company.write("Ann", "clear")
    assert waits(company) == []
    letters = company.write("Bob", "decline")
    assert done(company)[-1] == "decline"
    assert to(letters, "Ann") == ["turn"]


def test_an_offer_alone_in_a_stock_turn_passes_for_nobody(stock):
    stock.write("Ann", ASK)
    assert waits(stock) == []
    stock.write("Bob", "decline")
    assert done(stock)[-1] == "decline"
    assert engine.to_act(stock.table().title, stock.state) == ("Ann",)
    stock.write("Ann", "sell 1 L&N", ASK)
    stock.write("Bob", "decline")
    assert done(stock)[-3:] == [ASK, "decline", "pass"]


@pytest.mark.long
@pytest.mark.parametrize("answer", ["accept", "decline"])
def test_it_is_carried_out_with_the_answer_whatever_that_is(company, answer):
    company.write("Ann", ASK, "run", "pay")
    letters = company.write("Bob", answer)
    assert done(company) == [ASK, answer, "run 2: A4-C4", "pay", "done"]
    assert engine.to_act(company.table().title, company.state) == ("Bob",)
    assert waits(company) == []
    with company.store.transaction() as tx:
        rows = tx.log.actions(company.table().row.id, 0)[-4:]
        assert len({row.occasion_id for row in rows}) == 1, "one transaction, one occasion"
        assert [row.seat for row in rows] == ["Bob", "Ann", "Ann", "Ann"]
    assert to(letters, "Ann") == ["news"]
    assert says(one(letters, "Ann", "news"), awaited.ALL_DONE, commands="run; pay")
    assert RAN in flat(one(letters, "Ann", "news"))
    assert to(letters, "Bob") == ["receipt", "turn"]
    assert unsaid(one(letters, "Bob", "turn"), awaited.ALL_DONE)
    assert RAN in flat(one(letters, "Bob", "turn"))
    assert to(letters, "Cat") == ["news"]
    assert unsaid(one(letters, "Cat", "news"), awaited.ALL_DONE)


def test_who_gets_news_once_a_day_is_told_once_what_waited(company):
    company.write("Ann", "digest daily 07:00")
    company.write("Ann", ASK, "run", "pay")
    assert to(company.write("Bob", "accept"), "Ann") == []
    asked = one(company.write("Cat", "propose end"), "Ann", "request")
    assert says(asked, awaited.ALL_DONE, commands="run; pay")
    over = one(company.write("Bob", "vote no"), "Ann", "news")
    assert unsaid(over, awaited.ALL_DONE)
    company.now += 24 * 3600
    assert unsaid(one(company.work(), "Ann", "digest"), awaited.ALL_DONE)


def two_offers(players):
    """L&N asks Bob, then Cat with the commands that wait, and runs."""
    state = operating("track")
    players.place(replace(state, privates={**state.privates, "S&NA": "Cat"}))
    players.write("Ann", ASK, "buy private S&NA from Cat for 40", "run", "pay")
    return players.write("Bob", "accept")


def test_news_tell_which_offer_waits_now(players):
    news = one(two_offers(players), "Ann", "news")
    assert says(news, offer_notes.OFFER_WAITS, number=2, name="Cat")
    assert says(news, awaited.WAIT_FOR, name="Cat", commands="run; pay")


def test_a_digest_does_not_tell_that_an_offer_waits_which_was_answered(players):
    players.write("Ann", "digest daily 07:00")
    assert to(two_offers(players), "Ann") == []
    players.write("Cat", "accept")
    assert [offer.status for offer in players.table().offers] == ["accepted"] * 2
    players.now += 24 * 3600
    digest = one(players.work(), "Ann", "digest")
    assert unsaid(digest, offer_notes.OFFER_WAITS) and unsaid(digest, awaited.WAIT_FOR)
    assert says(digest, awaited.PART_DONE, commands="buy private S&NA from Cat for 40")
    assert says(digest, awaited.ALL_DONE, commands="run; pay")


@pytest.mark.long
def test_who_answered_and_is_not_next_reads_in_the_receipt_what_followed(stock):
    stock.write("Ann", "sell private TR to Cat for 30", "sell 1 L&N")
    letters = stock.write("Cat", "accept")
    assert done(stock)[-2:] == ["sell 1 L&N", "pass"]
    assert to(letters, "Cat") == ["receipt"]
    followed = one(letters, "Cat").text.partition("AND THEN")[2]
    assert "10%" in followed and "L&N" in followed


def test_if_one_command_fails_none_is_done_and_the_writer_gets_the_turn(stock):
    letters = stock.write("Ann", ASK, "sell 1 L&N", "buy M&O market")
    told = "If Bob answers `accept`, `buy M&O market` is not legal, and none of them is done"
    assert told in flat(one(letters, "Ann"))
    letters = stock.write("Bob", "accept")
    assert done(stock) == [ASK, "accept"], "the answer stands"
    assert waits(stock) == []
    assert to(letters, "Ann") == ["turn"]
    turn = one(letters, "Ann", "turn")
    waited = "sell 1 L&N; buy M&O market"
    assert says(turn, awaited.NOTHING_DONE, commands=waited)
    assert says(turn, awaited.NOT_LEGAL, command="buy M&O market")
    assert "18AL 3.2(c)" in flat(turn)
    assert to(letters, "Bob") == ["receipt"]
    assert "AND THEN" not in one(letters, "Bob").text
    stock.reply(one(letters, "Ann", "turn"), "sell 1 L&N")
    assert done(stock)[-2:] == ["sell 1 L&N", "pass"]


@pytest.mark.long
def test_the_other_answer_lets_the_same_commands_be_done(stock):
    stock.write("Ann", ASK, "sell 1 L&N", "buy M&O market")
    stock.write("Bob", "decline")
    assert done(stock) == [ASK, "decline", "sell 1 L&N", "buy M&O market", "pass"]


def test_what_has_two_meanings_after_the_answer_is_told_with_both(stock):
    stock.write("Ann", "sell private TR to Bob for 40 else buy M&O")
    turn = one(stock.write("Bob", "decline"), "Ann", "turn")
    assert says(turn, awaited.NOT_CLEAR, command="buy M&O")
    for way in ("buy M&O ipo", "buy M&O market"):
        assert f"`{way}`" in turn.text


@pytest.mark.long
def test_a_pass_behind_a_question_waits_too(stock):
    stock.write("Ann", "sell private TR to Bob for 30", "pass")
    assert waits(stock) == [("Ann", "pass")]
    stock.write("Bob", "accept")
    assert engine.to_act(stock.table().title, stock.state) == ("Bob",)


def test_a_question_alone_leaves_the_turn_open(stock):
    stock.write("Ann", "sell private TR to Bob for 30")
    assert waits(stock) == []
    letters = stock.write("Bob", "accept")
    assert to(letters, "Ann") == ["turn"]


@pytest.mark.long
def test_more_keeps_the_turn_open_behind_what_waited(stock):
    letters = stock.write("Ann", "sell private TR to Bob for 30", "sell 1 L&N", "more")
    assert says(one(letters, "Ann"), verdicts.STAYS_OPEN)
    letters = stock.write("Bob", "accept")
    assert done(stock)[-1] == "sell 1 L&N"
    assert to(letters, "Ann") == ["turn"]
    turn = one(letters, "Ann", "turn")
    assert says(turn, awaited.ALL_DONE, commands="sell 1 L&N")
    assert stock.state.privates["TR"] == "Bob"
    assert "Tuscumbia Railway" in flat(turn) and "10%" in flat(turn)


@pytest.mark.long
def test_several_questions_of_a_mail_are_asked_one_after_the_other(stock):
    letters = stock.write(
        "Ann",
        "sell private TR to Bob for 30",
        "sell 1 L&N",
        ASK.replace("100", "90"),
        "sell 1 L&N",
    )
    assert [seat for seat, _ in waits(stock)] == ["Ann"]
    letters = stock.write("Bob", "accept")
    assert waits(stock) == [("Ann", "sell 1 L&N")]
    assert to(letters, "Bob") == ["receipt", "turn"]
    assert to(letters, "Ann") == ["news"]
    told = one(letters, "Ann", "news")
    first = "sell 1 L&N; buy private M&C from Bob for 90"
    assert says(told, awaited.PART_DONE, commands=first)
    assert says(told, awaited.WAIT_FOR, name="Bob", commands="sell 1 L&N")
    stock.write("Bob", "decline")
    assert waits(stock) == []
    asked = "buy private M&C from Bob for 90"
    expected = ["accept", "sell 1 L&N", asked, "decline", "sell 1 L&N", "pass"]
    assert done(stock)[1:] == expected


# what could never be done is refused at once


def test_what_no_answer_could_make_legal_is_refused_with_the_question(company):
    letters = company.write("Ann", ASK, "rnu", "pay")
    assert done(company) == []
    assert waits(company) == []
    receipt = one(letters, "Ann")
    assert "NOT DONE" in receipt.subject
    assert f"{MARKS['no']} rnu" in flat(receipt)
    assert ASK in flat(receipt)
    assert to(letters, "Bob") == []


@pytest.mark.long
def test_each_answer_s_reason_is_told_where_they_differ(stock):
    letters = stock.write("Ann", ASK, "buy M&O market", "buy WRA market")
    receipt = flat(one(letters, "Ann"))
    assert "NOT DONE" in one(letters, "Ann").subject
    for answered, command in (("accept", "buy M&O market"), ("decline", "buy WRA market")):
        answer = changes.ANSWERS.format(name="Bob", command=answered)
        assert says(receipt, changes.FAULT_IF, answer=answer, command=command)
    assert done(stock) == []


@pytest.mark.long
def test_a_dry_run_tells_what_would_wait(stock):
    letters = stock.write("Ann", f"try: {ASK}; sell 1 L&N; buy M&O market", f"try: {ASK}; rnu")
    text = flat(one(letters, "Ann"))
    assert "sell 1 L&N waits" in text
    answer = changes.ANSWERS.format(name="Bob", command="accept")
    assert says(text, changes.NOT_LEGAL_IF, answer=answer, command="buy M&O market")
    assert f"{MARKS['no']} rnu" in text
    assert (done(stock), waits(stock)) == ([], [])


# another mail of the same seat


def test_a_later_mail_takes_its_place(company):
    first = company.write("Ann", ASK, "run", "pay")
    letters = company.reply(one(first, "Ann"), "run", "withhold")
    assert waits(company) == [("Ann", "run\nwithhold")]
    told = one(letters, "Ann")
    assert says(told, awaited.WAIT_FOR, name="Bob", commands="run; withhold")
    assert says(told, awaited.TAKE_THE_PLACE, commands="run; pay")
    assert [letter.kind for letter in letters] == ["receipt"], "nobody else hears of it"
    company.write("Bob", "decline")
    assert done(company)[-2:] == ["withhold", "done"]


@pytest.mark.long
def test_a_mail_after_a_question_that_stood_alone_waits_too(stock):
    turn = stock.turn("Ann")
    stock.reply(turn, "sell private TR to Bob for 30")
    letters = stock.reply(turn, "sell 1 L&N")
    assert says(one(letters, "Ann"), awaited.WAIT_FOR, name="Bob", commands="sell 1 L&N")
    assert waits(stock) == [("Ann", "sell 1 L&N")]


@pytest.mark.long
def test_a_later_mail_that_could_not_be_done_leaves_what_waits(company):
    company.write("Ann", ASK, "run", "pay")
    letters = company.write("Ann", "run", "buy 7")
    assert "NOT DONE" in one(letters, "Ann").subject
    assert waits(company) == [("Ann", "run\npay")]


def test_the_same_again_changes_nothing(company):
    company.write("Ann", ASK, "run", "pay")
    with company.store.transaction() as tx:
        before = tx.ahead.of(tx.games.named(GAME).id)
    company.write("Ann", "run", "pay")
    with company.store.transaction() as tx:
        assert tx.ahead.of(tx.games.named(GAME).id) == before


@pytest.mark.long
def test_clear_drops_it_and_the_question_stands(company):
    company.write("Ann", ASK, "run", "pay")
    letters = company.write("Ann", "clear")
    assert says(one(letters, "Ann"), awaited.DROPPED, commands="run; pay")
    assert "– done" in one(letters, "Ann").subject
    assert waits(company) == []
    letters = company.write("Ann", "clear")
    assert says(one(letters, "Ann"), awaited.NOTHING_WAITS)
    letters = company.write("Bob", "accept")
    assert done(company) == [ASK, "accept"]
    assert to(letters, "Ann") == ["turn"]


@pytest.mark.long
def test_undo_takes_question_and_rest_back(company):
    company.write("Ann", ASK, "run", "pay")
    letters = company.write("Ann", "undo")
    assert (done(company), waits(company)) == ([], [])
    receipt = one(letters, "Ann")
    assert says(receipt, verdicts.TAKEN_BACK, command=ASK)
    assert says(receipt, verdicts.WAITS_NO_MORE, commands="run; pay")
    assert to(letters, "Ann") == ["receipt", "turn"]
    assert to(letters, "Bob") == ["void"]


def test_who_answered_cannot_take_it_back_once_the_rest_was_done(company):
    company.write("Ann", ASK, "run", "pay")
    company.write("Bob", "accept")
    before = done(company)
    letters = company.write("Bob", "undo")
    assert done(company) == before
    assert says(one(letters, "Bob"), retreat.ACTED_LAST, name="Ann")
    letters = company.write("Ann", "undo")
    assert done(company) == before
    assert "NOT DONE" in one(letters, "Ann").subject


@pytest.mark.long
def test_what_anybody_may_settle_at_any_time_does_not_disturb_it(company):
    company.write("Ann", ASK, "run", "pay")
    company.write("Cat", "insist off")
    assert waits(company) == [("Ann", "run\npay")]
    company.write("Ann", "insist off")
    assert done(company) == [ASK, "insist off", "insist off"]
    assert waits(company) == [("Ann", "run\npay")]
    company.write("Ann", "undo")
    assert waits(company) == [("Ann", "run\npay")], "only the word on insisting was taken back"
    company.write("Bob", "accept")
    assert done(company)[-3:] == ["run 2: A4-C4", "pay", "done"]


# who may, and when


@pytest.mark.long
def test_only_its_writer_reads_in_status_what_waits(company):
    company.write("Ann", ASK, "run", "pay", "say: I wait for Bob")
    own = one(company.write("Ann", "status"), "Ann").text
    assert says(own, queries.WAITS_FOR, name="Bob")
    assert "  run\n  pay\n" in own.replace("\r", "")
    for name in ("Bob", "Cat"):
        assert "WAITS" not in one(company.write(name, "status"), name).text
    [told] = company.stranger("zoe@else.test", f"status {GAME}")
    assert "WAITS" not in told.text
    assert "WAITS" not in one(company.write("Ann", "status L&N"), "Ann").text


@pytest.mark.long
def test_nobody_else_replaces_or_drops_it(company):
    company.write("Ann", ASK, "run", "pay")
    for name in ("Bob", "Cat"):
        assert "NOT DONE" in one(company.write(name, "clear"), name).subject
        assert "NOT DONE" in one(company.write(name, "run", "withhold"), name).subject
    company.write("Ann", "clear", sender="eve@else.test")
    assert waits(company) == [("Ann", "run\npay")]


def test_a_seat_that_is_given_to_another_address_has_nothing_waiting(company):
    company.write("Ann", ASK, "run", "pay")
    move(company.store, company.service, GAME, "Ann", "zoe@players.test", company.now)
    letters = company.collect()
    assert waits(company) == []
    [told] = [letter for letter in letters if letter.to == "zoe@players.test"]
    assert says(told, briefing.CANCELED, dropped="run; pay")
    assert all("run; pay" not in flat(letter) for letter in letters if letter is not told)
    company.write("Bob", "accept")
    assert done(company) == [ASK, "accept"]


@pytest.mark.long
def test_a_mail_from_elsewhere_waits_for_the_yes_before_its_rest_waits(company):
    letters = company.write("Ann", ASK, "run", "pay", sender="ann@work.test")
    assert (done(company), waits(company)) == ([], [])
    told = one(letters, "Ann", "foreign")
    number = flat(told).split("`yes ")[1].split("`")[0]
    letters = company.reply(told, f"yes {number}")
    assert waits(company) == [("Ann", "run\npay")]
    assert says(one(letters, "Ann"), awaited.WAIT_FOR, name="Bob", commands="run; pay")


@pytest.mark.long
def test_a_late_mail_of_another_question_takes_no_place(stock):
    first = one(stock.write("Ann", "sell private TR to Bob for 30"), "Ann")
    stock.write("Bob", "decline")
    stock.write("Ann", "sell private TR to Bob for 20", "sell 1 L&N")
    letters = stock.reply(first, "pass")
    assert "NOT DONE" in one(letters, "Ann").subject
    assert says(one(letters, "Ann"), retreat.ANSWERS_EARLIER)
    assert waits(stock) == [("Ann", "sell 1 L&N")]


def test_a_mail_of_another_turn_takes_no_place(stock):
    old = stock.turn("Ann")
    stock.place(operating("track"))
    stock.write("Ann", ASK, "run", "pay")
    letters = stock.reply(old, "run", "withhold")
    assert "NOT DONE" in one(letters, "Ann").subject
    assert waits(stock) == [("Ann", "run\npay")]


# without a mail, beside others


@pytest.mark.long
def test_an_answer_that_came_with_no_mail_lets_it_go_on_as_well(company):
    company.write("Ann", ASK, "run", "pay")
    change = by(company, "director", "director-1", Request("Bob", commands("decline")))
    letters = company.collect()
    assert [went.done for went in change.went] == [True]
    assert done(company)[-3:] == ["run 2: A4-C4", "pay", "done"]
    assert to(letters, "Ann") == ["news"]
    assert says(one(letters, "Ann", "news"), awaited.ALL_DONE, commands="run; pay")
    assert waits(company) == []


@pytest.mark.long
def test_only_a_mail_leaves_commands_behind_it(company):
    change = make(company.table(), Request("Ann", commands(ASK, "run", "pay")))
    assert not change.moves
    assert not change.outcomes[0].done


def test_when_the_game_goes_another_way_it_is_dropped_and_told(company):
    company.write("Ann", ASK, "run", "pay")
    company.place(positions.stock())
    letters = company.write("Cat", "say: what now?")
    assert waits(company) == []
    assert to(letters, "Ann") == ["turn"]
    told = one(letters, "Ann", "turn")
    assert says(told, awaited.WENT_ANOTHER_WAY, commands="run; pay")
    assert done(company)[-1] == "placed", "though it is Ann's turn again"


@pytest.mark.long
def test_a_later_mail_that_comes_while_the_answer_is_handled_is_not_lost(company):
    company.write("Ann", ASK, "run", "pay")
    table = company.table()
    answer = make(table, Request("Bob", commands("decline")))
    company.write("Ann", "run", "withhold")
    with pytest.raises(Conflict), company.store.transaction() as tx:
        commit(tx, Occasion("test", "test-1", GAME), answer, company.now)
    assert done(company) == [ASK]
    later = further(make(table), Request("Ann", commands("run"), ahead=True))
    company.write("Bob", "decline")
    with pytest.raises(Conflict), company.store.transaction() as tx:
        commit(tx, Occasion("test", "test-2", GAME), later, company.now)
    assert (done(company)[-2:], waits(company)) == (["withhold", "done"], [])


@pytest.mark.long
def test_it_keeps_the_occasion_and_the_question_it_came_with(company):
    company.now += 60
    company.write("Ann", ASK, "run", "pay")
    with company.store.transaction() as tx:
        [row] = tx.ahead.of(tx.games.named(GAME).id)
        assert tx.occasions.get(row.occasion_id).seat == "Ann"
    state = company.state
    assert (row.question, row.number) == (engine.decision(state), state.number)
    assert (row.turn, row.at) == (engine.interrupted(state), company.now)
    assert not row.keep_open


# as values


def lent():
    """IC of Ann would lay with Bob's power on a hex that Cas's private company bars (18GL)."""
    state = lakes.turn("track", "IC", owns={"RailWorks": "Bob", "EJ&E": "Cas"})
    state = lakes.tiles(state, "C15 7 3")
    return state, lakes.after(state, lakes.lay("IC", "9", "C13", 0, power="RailWorks"))


@pytest.mark.long
def test_it_waits_for_the_last_of_several_answers_to_one_question():
    before, first = lent()
    rest = offers.given("Ann", first, commands("done"), False)
    assert rest.standing(first) == "waits"
    second = lakes.after(first, lakes.accept("Bob"))
    assert rest.standing(second) == "waits"
    assert rest.at(second).question == engine.decision(second) != rest.question
    third = lakes.after(second, lakes.accept("Cas"))
    assert rest.standing(third) == "due"
    assert rest.standing(before) == "due"
    assert rest.standing(replace(third, stack=())) == "gone"
    assert rest.standing(positions.opening()) == "gone"


def at(table, state, *given, title=lakes.GL):
    """A table whose position is another, with what was given ahead there."""
    found = with_fields(table)
    found.__dict__.update(title=title, state=state, ahead=given)
    return found


def test_an_answer_taken_back_leaves_it_waiting_for_that_answer(players):
    _, first = lent()
    rest = offers.given("Ann", first, commands("done"), False)
    change = make(at(players.table(), first, rest), Request("Bob", commands("accept")))
    second = change.state
    [still] = change.ahead
    assert (still.question, change.went) == (engine.decision(second), ())
    taken = change.back or type("Taken", (), {"state": first})
    change = take_back(at(players.table(), second, still), taken)
    assert (change.ahead, change.went) == ((rest,), ())


@pytest.mark.long
def test_what_is_written_is_read_again(players):
    state = operating("track")
    rest = WaitingCommands("Ann", commands("run", "pay else withhold"), True, "asked", "turn", 7)
    with players.store.transaction() as tx:
        game, occasion = tx.games.named(GAME).id, tx.occasions.record(Occasion("test", "test-1"), 5)
        tx.ahead.give(game, offers.stored_form(rest), occasion, 5)
        [row] = tx.ahead.of(game)
        assert offers.read(row) == rest
        tx.ahead.drop(game, "Bob")
        assert tx.ahead.of(game) == (row,)
        tx.ahead.drop(game, "Ann")
        assert tx.ahead.of(game) == ()
    assert rest.standing(state) == "gone"


@pytest.mark.long
def test_the_letters_of_a_change_tell_each_reader_once(stock):
    """Every mail has one receipt, and nobody gets two letters that tell the same."""
    stock.write("Ann", "sell private TR to Bob for 30", "pass")
    letters = stock.write("Bob", "accept")
    assert sorted(to(letters, "Ann")) == ["news"]
    assert sorted(to(letters, "Bob")) == ["receipt", "turn"]
    assert sorted(to(letters, "Cat")) == ["news"]
    for letter in letters:
        assert unsaid(letter, offer_notes.OFFER_WAITS) and unsaid(letter, offers.STILL_WAITS)
        assert unsaid(letter, offers.OFFER_WAITS), "he has answered"
    assert {letter.to for letter in letters} == set(map(address, ("Ann", "Bob", "Cat")))
