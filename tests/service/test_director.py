"""The director's desk by mail: each act, who may not, what is told, and what cannot be."""

import re

import msgspec
import pytest

from service.clocks.accounts import Account
from service.clocks.deadlines import brief
from service.commands.entry import NOT_AFTER_THE_END, NOT_YOU, OFFICES, called
from service.desk import moderator
from service.desk.answering import game_email
from service.desk.director import (
    carrying_out,
    director_known,
    planning,
    ruling_letters,
    settings_and_time,
)
from service.desk.director import director_email as desk
from service.desk.informing import ended
from service.desk.rationing import named_addresses
from service.desk.timing import out_of_time
from service.desk.vocabulary.director_commands import ENTRIES
from service.desk.votes import proposing
from service.games import directing, game_status, games, retreat
from service.games.games import open_decision
from service.mail.identity import read_address
from service.reports.decisions import IS_TURN
from service.reports.position import AFTER
from service.reports.receipt import (
    DONE,
    MARKED_NOT_DONE,
    NOT_DONE,
    TO_BE_CONFIRMED,
    TO_BE_CONFIRMED_SUBJECT,
)
from service.said import DOES_NOT_PLAY, THE_DIRECTOR
from service.store import Conflict
from tests.service.players import ADDRESS, GAME, NAMES, Kept, address, flat, one, says, to, unsaid

ORGANISER = "olga@players.test"
#: what the others call her
DIRECTOR = THE_DIRECTOR.format(office="organizer")
EVE = "eve@players.test"
WRONG_COMPANY = "I took the wrong company"


@pytest.fixture(scope="session")
def directed_game(tmp_path_factory):
    """A game that has begun, whose organiser does not play; two have bought."""

    def play(made):
        made.reply(made.gather(organiser=ORGANISER), "start")
        made.write("Ann", "buy TR")
        made.write("Bob", "buy S&NA")

    return Kept.after(tmp_path_factory.mktemp("directed") / "begun.sqlite", play)


@pytest.fixture
def directed(directed_game, tmp_path):
    """Ann has bought the TR, Bob the S&NA, and Cat is to act at #2; Olga directs."""
    with directed_game.copy(tmp_path) as found:
        yield found


def direct(players, *lines, **how):
    """The organiser writes to the organiser's address; the letters that follow."""
    to_ = players.seat_address(GAME, "organiser")
    return players.send(players.mail(ORGANISER, to_, *lines, **how))


def how(name):
    """How an act is written, by an example."""
    entry = next(one for one in ENTRIES if one.name == name)
    return f"`{entry.example}`"


def letter(letters, who, kind=None):
    """The only letter to an address, of a kind."""
    [found] = [one for one in letters if one.to == who and kind in (None, one.kind)]
    return found


def answer(letters, who=ORGANISER):
    return letter(letters, who, "receipt")


def refused(letters, why, who=ORGANISER, /, **values):
    """Nothing of a mail is done, and its writer is told why; nobody else is."""
    receipt = letter(letters, who, "receipt")
    assert receipt.subject.endswith(NOT_DONE)
    assert says(receipt, MARKED_NOT_DONE)
    assert [one.to for one in letters] == [who]
    return says(receipt, why, **values)


def rulings(players):
    return [(r.kind, r.by, r.text, r.struck) for r in players.table().rulings]


# hold and resume


@pytest.mark.long
def test_a_held_game_takes_no_move_and_nothing_is_lost(directed):
    why = "the order of play is in doubt"
    letters = direct(directed, f"hold because {why}")
    assert says(answer(letters), DONE)
    for name in NAMES:
        told = one(letters, name, "ruling")
        assert says(told, planning.HOLDS, director=DIRECTOR, because=why)
    letters = directed.write("Cat", "buy B&SLC")
    receipt = one(letters, "Cat")
    assert "NOT DONE" in receipt.subject
    assert directed.table().settings.paused_because == why
    assert says(receipt, directed.table().on_hold)
    assert directed.state.number == 2
    for words in ("resume", "resume game", "resume because", "resume because …"):
        assert refused(direct(directed, words), planning.FOR_EXAMPLE_HOW, how=how("resume"))
        assert directed.table().on_hold
    why = "the order of play is clear"
    told = one(direct(directed, f"resume because {why}"), "Cat", "ruling")
    assert says(told, planning.GOES_ON, director=DIRECTOR, because=why)
    directed.write("Cat", "buy B&SLC")
    assert directed.state.number == 3
    assert [kind for kind, *_ in rulings(directed)] == ["hold", "resume"]


@pytest.mark.long
def test_what_a_held_game_refuses(directed):
    direct(directed, "hold because x")
    held = directed.table().on_hold
    assert says(one(directed.write("Bob", "undo"), "Bob"), held)
    assert says(one(directed.write("Bob", "propose end"), "Bob"), held)
    assert says(one(directed.write("Cat", "buy B&SLC", "say: hm"), "Cat"), held)
    assert says(one(directed.write("Cat", "status"), "Cat"), held)
    assert directed.state.number == 2 and directed.table().votes == ()
    assert refused(direct(directed, "hold because y"), held)
    direct(directed, "resume because y")
    assert refused(direct(directed, "resume because y"), planning.NOT_ON_HOLD, game=GAME)


@pytest.mark.long
@pytest.mark.parametrize("meanwhile", [(), ("correct cash Ann +5 because of a slip",)])
def test_what_follows_a_flag_waits_while_a_game_is_held(directed, meanwhile):
    """Held between the end of a player's time and what that brings about, put right or not."""
    table = directed.table()
    chosen = msgspec.structs.replace(table.settings, caretaker=True, clock="each 48h")
    decision, _ = open_decision(table.title, table.state)
    with directed.store.transaction() as tx:
        tx.games.set_settings(table.row.id, msgspec.json.encode(chosen))
        asked = Account("Cat", 0, decision=decision, asked=1, flagged=True, misses=1)
        tx.clocks.set(table.row.id, asked)
        tx.tasks.add(out_of_time.task(table, "Cat", 1, directed.now), directed.now)
    letters = direct(directed, "hold because the price is in doubt")
    assert directed.texts() == ["buy TR", "buy S&NA"]
    assert to(letters, "Cat") == ["ruling"]
    for line in meanwhile:
        direct(directed, line)
        assert says(answer(direct(directed, "go")), DONE)
    directed.now += 30 * 86_400
    assert directed.work() == []
    letters = direct(directed, "resume because y")
    assert directed.texts()[-1] == "pass"
    assert to(letters, "Cat") == ["ruling", "void"]
    directed.now += 30 * 86_400
    # by then it is Ann's time that is over, and of Cat's nothing follows again
    assert to(directed.work(), "Cat") == ["news"]
    assert directed.texts()[-2:] == ["pass", "pass"]
    assert {row.seat: row.misses for row in directed.table().clocks} == {
        "Ann": 1,
        "Bob": 0,
        "Cat": 1,
    }


def test_orders_wait_while_a_game_is_held_and_act_when_it_goes_on(directed):
    direct(directed, "hold because x")
    directed.write("Cat", "next: buy B&SLC")
    assert directed.state.number == 2
    direct(directed, "resume because y")
    assert directed.state.number > 2
    assert directed.texts()[2].startswith("buy")


@pytest.mark.long
def test_a_hold_is_a_span_that_clocks_do_not_count(directed):
    direct(directed, "hold because x")
    directed.now += 7200
    direct(directed, "resume because y")
    with directed.store.transaction() as tx:
        [span] = tx.clocks.spans(directed.table().row.id)
    assert (span.kind, span.seat, span.ends - span.begins) == ("hold", "", 7200)


@pytest.mark.long
def test_votes_have_as_long_as_before_once_the_game_goes_on(directed):
    directed.write("Ann", "propose end")
    due = directed.table().votes[0].due
    direct(directed, "hold because x")
    directed.now = due + 100
    assert directed.work() == []
    assert directed.table().votes[0].status == "open"
    direct(directed, "resume because y")
    vote = directed.table().votes[0]
    assert vote.status == "open"
    assert vote.due > directed.now
    directed.now = vote.due + 1
    directed.work()
    assert directed.table().votes[0].status == "failed"


# in a player's place


def test_as_a_player_is_the_same_change_by_the_same_judge(directed):
    letters = direct(directed, "as Cat: buy B&SLC because of an illness")
    assert directed.texts()[-1] == "buy B&SLC"
    # whose turn it was has the copy, who must act next has it in the turn mail
    for name, kind in (("Cat", "void"), ("Ann", "turn"), ("Bob", "news")):
        told = one(letters, name, kind)
        assert says(told, planning.ACTS_FOR, director=DIRECTOR, name="Cat", commands="buy B&SLC",
                    because="of an illness")  # fmt: skip
    assert "Cat bought" not in one(letters, "Cat", "void").subject
    assert says(answer(letters), DONE)
    letters = direct(directed, "as Ann: buy B&SLC because x")
    assert says(answer(letters), MARKED_NOT_DONE)
    assert directed.state.number == 3
    assert [one.to for one in letters] == [ORGANISER]


@pytest.mark.long
def test_a_player_cannot_take_back_what_was_done_in_their_place(directed):
    direct(directed, "as Cat: buy B&SLC because of an illness")
    letters = directed.write("Cat", "undo")
    assert says(one(letters, "Cat"), retreat.NO_MAIL_OF_YOURS)
    assert directed.state.number == 3


@pytest.mark.long
def test_as_a_player_means_the_decision_that_its_writer_knew_of(directed):
    directed.write("Cat", "buy B&SLC")
    to_ = directed.seat_address(GAME, "organiser")
    late = directed.mail(ORGANISER, to_, "as Cat: pass because x", subject=f"Re: [{GAME}] #1")
    told = answer(directed.send(late))
    assert "#1" in flat(told) and "#3" in flat(told)
    assert says(told, desk.WRITE_AGAIN)
    assert directed.state.number == 3


def test_as_by_somebody_who_is_not_the_director_is_refused(directed):
    letters = directed.write("Bob", "as Cat: buy B&SLC because of the hour")
    assert says(one(letters, "Bob"), NOT_YOU, word="as", who=called(OFFICES))
    assert directed.state.number == 2
    assert rulings(directed) == []


@pytest.mark.long
@pytest.mark.parametrize(
    "words",
    ["correct cash Bob +20 because x", "rollback 0 because x", "redo because x", "rule 1: mine",
     "announce: hear me", "hold because x", "resume because x", "assistant eve@players.test",
     "hold on dispute", "end game because x", "abandon because x"],
)  # fmt: skip
def test_no_player_directs(directed, words):
    letters = directed.write("Bob", words)
    assert says(one(letters, "Bob"), NOT_YOU, who=called(OFFICES))
    assert directed.state.number == 2
    assert rulings(directed) == []


@pytest.mark.long
def test_commands_in_lines_below_belong_to_the_player(directed):
    direct(directed, "as Cat:", "buy B&SLC", "because of an illness")
    assert directed.texts()[-1] == "buy B&SLC"


def test_what_is_no_command_of_the_game_is_not_done_for_a_player(directed):
    letters = direct(directed, "as Cat: say: hello because x")
    assert refused(letters, "say: hello")
    assert rulings(directed) == []
    letters = direct(directed, "as Zoe: pass because x")
    assert refused(letters, DOES_NOT_PLAY, name="Zoe", names="Ann, Bob and Cat")


# corrections


@pytest.mark.long
def test_a_correction_is_shown_first_and_done_by_go(directed):
    why = "her change was miscounted"
    [shown] = direct(directed, f"correct cash Ann +20 because {why}")
    assert shown.subject.endswith(TO_BE_CONFIRMED_SUBJECT)
    assert says(shown, TO_BE_CONFIRMED) and says(shown, desk.REPLY_GO)
    assert "correct cash Ann +20" in flat(shown) and "$20" in flat(shown)
    assert directed.state.number == 2
    letters = directed.reply(shown, "go")
    assert directed.state.cash["Ann"] == 600
    assert {one.to for one in letters} == {ORGANISER, *map(address, NAMES)}
    for told in letters:
        right = "cash Ann +20"
        assert says(told, planning.PUTS_RIGHT, director=DIRECTOR, correction=right, because=why)
    assert says(answer(letters), DONE)
    [*_, last] = directed.table().rulings
    assert (last.kind, last.text, last.struck) == ("correct", "correct cash Ann +20", False)
    assert refused(directed.reply(shown, "go"), desk.NOTHING_WAITS)
    assert directed.state.cash["Ann"] == 600


@pytest.mark.long
def test_go_means_nothing_once_the_game_has_gone_on(directed):
    [shown] = direct(directed, "correct cash Ann +20 because x")
    directed.write("Cat", "buy B&SLC")
    assert refused(directed.reply(shown, "go"), desk.NOTHING_WAITS)
    assert directed.state.cash["Ann"] == 580


@pytest.mark.parametrize("digest", ["each", "daily 07:00"])
def test_a_correction_is_told_once_to_each_player(directed, digest):
    for name in ("Ann", "Bob", "Cat"):
        directed.write(name, f"digest {digest}")
    directed.letters.clear()
    [shown] = direct(directed, "correct cash Ann +20 because of a slip")
    directed.reply(shown, "go")
    directed.now += 24 * 3600
    directed.work()
    for name in ("Ann", "Bob", "Cat"):
        mine = [flat(letter) for letter in directed.letters if letter.to == address(name)]
        assert sum(text.count("of a slip") for text in mine) == 1, name
    history = flat(one(directed.write("Bob", "history"), "Bob"))
    assert history.count("of a slip") == 1


def test_a_correction_that_breaks_an_invariant_is_refused_with_which(directed):
    for words, named in (
        ("cash Ann -9000", ("$580", "$9000")),
        ("cash bank +20", ("`cash bank +20 from NAME`",)),
        ("fortune Ann +20", ("“fortune”",)),
    ):
        letters = direct(directed, f"correct {words} because x")
        assert refused(letters, MARKED_NOT_DONE)
        assert all(value in flat(answer(letters)) for value in named), words
    assert directed.state.number == 2
    assert rulings(directed) == []


@pytest.mark.long
def test_a_correction_is_stored_as_an_action_and_taken_back_like_one(directed):
    [shown] = direct(directed, "correct cash Ann +20 because x")
    directed.reply(shown, "go")
    with directed.store.transaction() as tx:
        row = tx.log.head(directed.table().row.id)
    assert (row.seat, row.text) == ("", "correct cash Ann +20")
    assert games.action(row).because == "x"
    direct(directed, "rollback 2 because it was right before")
    assert directed.state.cash["Ann"] == 580
    assert [(kind, struck) for kind, _, _, struck in rulings(directed)] == [
        ("correct", True),
        ("rollback", False),
    ]


# the way back


@pytest.mark.long
def test_a_rollback_strikes_out_and_redo_brings_back(directed):
    why, lost = "the seats were wrong", "#1 Ann buy TR; #2 Bob buy S&NA"
    letters = direct(directed, f"rollback 0 because {why}")
    assert directed.state.number == 0
    turn = one(letters, "Ann", "turn")
    assert lost in flat(turn)
    assert says(turn, planning.TAKES_BACK, director=DIRECTOR, number=0, because=why)
    assert says(answer(letters), planning.STRUCK_OUT, lost=lost)
    assert "void" in to(letters, "Cat")
    history = one(directed.write("Bob", "history"), "Bob")
    by = directing.LOGGED_OFFICE.format(office="organizer")
    logged = directing.LOGGED_BECAUSE.format(by=by, ruling="rollback 0", because=why)
    assert says(history, directing.LOGGED_WITH_LOST, logged=logged, lost=lost)
    why = "they were right"
    letters = direct(directed, f"redo because {why}")
    assert directed.state.number == 2
    assert directed.texts() == ["buy TR", "buy S&NA"]
    turn = one(letters, "Cat", "turn")
    assert lost in flat(turn)
    assert says(turn, planning.BRINGS_BACK, director=DIRECTOR, because=why)
    assert says(answer(letters), planning.STANDS_AGAIN, back=lost)
    directed.write("Cat", "buy B&SLC")
    assert refused(direct(directed, "redo because x"), directing.NO_ROLLBACK)


def test_redo_after_a_correction_brings_that_back_too(directed):
    [shown] = direct(directed, "correct cash Ann +20 because x")
    directed.reply(shown, "go")
    direct(directed, "rollback 1 because x")
    direct(directed, "redo because x")
    assert directed.state.cash["Ann"] == 600
    assert [(kind, struck) for kind, _, _, struck in rulings(directed)] == [
        ("correct", False),
        ("rollback", False),
        ("redo", False),
    ]


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "why", "values"),
    [
        ("rollback 7 because x", directing.GOES_BACK, {"stands": 2}),
        ("rollback soon because x", planning.SAY_WHICH_POSITION, {"how": how("rollback")}),
        ("redo because x", directing.NO_ROLLBACK, {}),
        ("rule 9: no", planning.NAME_THE_ACT, {}),
        ("rollback 0", planning.FOR_EXAMPLE_HOW, {"how": how("rollback")}),
        ("correct cash Ann +20", planning.FOR_EXAMPLE_HOW, {"how": how("correct")}),
        ("as Cat: pass", planning.FOR_EXAMPLE_HOW, {"how": how("as")}),
        ("hold", planning.FOR_EXAMPLE_HOW, {"how": how("hold")}),
        ("announce:", planning.FOR_EXAMPLE_HOW, {"how": how("announce")}),
    ],
)
def test_what_the_director_cannot_do(directed, words, why, values):
    assert refused(direct(directed, words), why, **values)
    assert directed.state.number == 2
    assert rulings(directed) == []


@pytest.mark.long
def test_acts_of_one_mail_are_all_done_or_none(directed):
    letters = direct(directed, "announce: two things", "rollback 99 because x")
    assert refused(letters, directing.GOES_BACK, stands=2)
    assert rulings(directed) == []
    for second in ("redo", "abandon"):
        letters = direct(directed, "rollback 1 because x", f"{second} because x")
        assert refused(letters, planning.ONE_IN_A_MAIL)
    direct(directed, "announce: two things", "hold because it is late")
    assert [kind for kind, *_ in rulings(directed)] == ["announce", "hold"]


# words


def test_a_ruling_and_an_announcement_go_to_all_and_stay(directed):
    ruled, said = "the purchase stands", "no moves over Easter"
    letters = direct(directed, f"rule 2: {ruled}", f"announce: {said}")
    for name in NAMES:
        told, step = one(letters, name, "ruling"), "#2 Bob buy S&NA"
        assert says(told, planning.RULES_ON, director=DIRECTOR, step=step, because=ruled)
        assert says(told, planning.ANNOUNCES, director=DIRECTOR, because=said)
        # the subject alone says of what kind it is
        assert told.subject == f"[{GAME}] {ruling_letters.RULING}"
        assert ruling_letters.RULING not in told.text
    history = one(directed.write("Ann", "history"), "Ann")
    by = directing.LOGGED_OFFICE.format(office="organizer")
    assert says(history, directing.LOGGED_WORDS, by=by, ruling="rule 2", because=ruled)
    assert says(history, directing.LOGGED_WORDS, by=by, ruling="announce", because=said)


@pytest.mark.long
def test_a_dispute_tells_the_director_and_the_table(directed):
    why = "Bob had not the money"
    letters = directed.write("Ann", f"dispute 2: {why}")
    assert "rule 2: …" in letter(letters, ORGANISER).text
    for told in (letter(letters, ORGANISER), one(letters, "Bob", "ruling"),
                 one(letters, "Cat", "ruling")):  # fmt: skip
        assert says(told, planning.DISPUTES, name="Ann", step="#2 Bob buy S&NA", because=why)
        assert ruling_letters.HEADLINES["dispute"] in told.subject
        assert ruling_letters.HEADLINES["dispute"] not in told.text, "the subject says it"
    assert says(one(letters, "Ann"), desk.DIRECTOR_IS_TOLD)
    assert directed.table().on_hold == ""
    letters = directed.write("Ann", "dispute 77: hm")
    assert says(one(letters, "Ann"), planning.NAME_THE_ACT)


@pytest.mark.long
def test_a_dispute_holds_the_game_where_that_is_set(directed):
    direct(directed, "hold on dispute")
    letters = directed.write("Ann", "dispute 2: Bob had not the money")
    assert says(one(letters, "Bob", "ruling"), planning.ON_HOLD_UNTIL_RULED)
    held = one(directed.write("Cat", "pass"), "Cat")
    assert says(held, planning.DISPUTES_NUMBER, name="Ann", number=2)
    direct(directed, "rule 2: there was enough", "resume because all is clear")
    assert directed.table().on_hold == ""


def test_leave_to_take_back_is_asked_of_the_director(directed):
    letters = directed.write("Ann", f"ask undo because {WRONG_COMPANY}")
    asked, lost = letter(letters, ORGANISER), "#1 Ann buy TR; #2 Bob buy S&NA"
    assert says(asked, planning.ASKS_LEAVE, name="Ann", number=0, because=WRONG_COMPANY)
    assert says(asked, planning.WOULD_STRIKE_OUT, lost=lost)
    assert to(letters, "Bob") == []
    directed.reply(asked, "rollback 0 because Ann asked for it")
    assert directed.state.number == 0


def test_a_vote_and_the_director_take_back_the_same_latest_email(directed):
    """A move by an advance order is no email of its player."""
    directed.write("Ann", "next: pass")
    directed.write("Cat", "buy B&SLC")
    assert directed.texts()[-2:] == ["buy B&SLC", "pass"], "Ann's order has moved"
    asked = letter(directed.write("Ann", f"ask undo because {WRONG_COMPANY}"), ORGANISER)
    assert says(asked, planning.ASKS_LEAVE, name="Ann", number=0, because=WRONG_COMPANY)
    directed.write("Ann", "propose undo")
    assert [(vote.kind, vote.about) for vote in directed.table().votes] == [("undo", "0")]


@pytest.mark.long
def test_where_it_takes_the_director_s_leave_nobody_votes_on_taking_back(directed):
    direct(directed, "undo leave because it is a match")
    assert directed.table().settings.undo == "leave"
    receipt = one(directed.write("Ann", "undo"), "Ann")
    assert says(receipt, retreat.ASK_UNDO)
    letters = directed.write("Ann", "propose undo to 0")
    assert says(one(letters, "Ann"), proposing.DIRECTOR_UNDOES, game=GAME, position=0)
    assert directed.table().votes == () and to(letters, "Bob") == []
    directed.write("Ann", "ask undo to 0 because I took the wrong company")
    direct(directed, "rollback 0 because Ann asked for it")
    assert directed.state.number == 0
    # one's own last mail is one's own to take back
    directed.write("Ann", "pass")
    directed.write("Ann", "undo")
    assert directed.state.number == 0
    direct(directed, "undo vote because all like each other")
    directed.write("Ann", "pass")
    directed.write("Bob", "pass")
    directed.write("Ann", "propose undo to 0")
    assert [(vote.kind, vote.status) for vote in directed.table().votes] == [("undo", "open")]


# an organiser who plays, and an assistant


def named(players):
    """Ann organises and plays; Eve has become the assistant."""
    organiser = players.seat_address(GAME, "organiser")
    letters = players.send(players.mail(address("Ann"), organiser, f"assistant {EVE}"))
    asked = letter(letters, EVE)
    return players.reply(asked, "yes", sender=EVE)


@pytest.mark.long
def test_an_assistant_is_named_and_says_yes(players):
    players.write("Ann", "buy TR")
    letters = named(players)
    assert players.table().settings.assistant == EVE
    told = one(letters, "Bob", "ruling")
    assert says(told, carrying_out.IS_ASSISTANT_AND_RULES, address=EVE, game=GAME)
    assert read_address(answer(letters, EVE).reply_to, ADDRESS).seat == "assistant"


def test_who_plays_leaves_the_position_to_the_assistant(players):
    players.write("Ann", "buy TR")
    organiser = players.seat_address(GAME, "organiser")
    mine = lambda *lines: players.send(players.mail(address("Ann"), organiser, *lines))  # noqa: E731
    [shown] = mine("correct cash Bob -20 because x")
    assert says(shown, desk.REPLY_GO), "without an assistant who plays may"
    letters = named(players)
    answered = mine("rollback 0 because I want it back")
    rule = director_known.ASSISTANT_RULES
    assert refused(answered, rule, address("Ann"), game=GAME, address=EVE)
    assert players.state.number == 1
    mine("hold because I am away")
    assert players.table().on_hold, "what favours nobody the organizer may"
    players.reply(answer(letters, EVE), "rollback 0 because it was misread", sender=EVE)
    assert players.state.number == 0
    assert rulings(players)[-1][1] == "assistant"


@pytest.mark.long
def test_an_organiser_who_plays_says_go_from_the_seat_to_what_was_shown_beside_a_message(players):
    shown = one(players.write("Ann", "correct cash Ann +20 because x", "say: I miscounted"), "Ann")
    before = players.state.cash["Ann"]
    players.reply(shown, "go")
    assert players.state.cash["Ann"] == before + 20


def test_a_late_answer_to_the_assistant_goes_to_the_assistant(players):
    to_assistant = answer(named(players), EVE)
    for number in range(8):
        players.reply(to_assistant, f"gibberish {number}", sender=EVE)
    with players.store.transaction() as tx:
        waiting = tx.answers.unanswered(GAME, "assistant")
        assert tx.answers.unanswered(GAME, "organiser") == ()
    assert len(waiting) == 2
    players.now = waiting[0].due
    [letter] = players.work()
    assert (letter.to, letter.kind) == (EVE, "late-answer")


def test_a_dispute_goes_to_the_assistant_where_the_organiser_plays(players):
    players.write("Ann", "buy TR")
    named(players)
    letters = players.write("Bob", "dispute 1: too cheap")
    assert "rule 1: …" in letter(letters, EVE).text
    assert to(letters, "Ann") == ["ruling"]


@pytest.mark.long
def test_what_comes_to_the_assistant_s_address_from_elsewhere_waits_for_their_yes(players):
    players.write("Ann", "buy TR")
    to_ = answer(named(players), EVE).reply_to
    letters = players.send(players.mail(address("Bob"), to_, "rollback 0 because x"))
    assert players.state.number == 1
    told = letter(letters, EVE, "foreign")
    assert address("Bob") in flat(told) and told.mail["Reply-To"] == to_
    assert to(letters, "Bob") == ["away"]
    yes = re.search(r"yes \d{8}", told.text)[0]
    # neither from elsewhere nor with another number
    players.send(players.mail(address("Bob"), to_, yes))
    players.reply(told, "yes 11111111", sender=EVE)
    assert players.state.number == 1
    letters = players.reply(told, yes, sender=EVE)
    assert players.state.number == 0
    assert rulings(players)[-1][1] == "assistant"
    assert says(letter(letters, EVE, "receipt"), DONE)
    players.reply(told, yes, sender=EVE)
    assert [r[0] for r in rulings(players)].count("rollback") == 1, "once"


def test_an_assistant_s_shown_token_is_renewed_and_the_mail_is_done_once(players, monkeypatch):
    players.write("Ann", "buy TR")
    to_ = answer(named(players), EVE).reply_to
    old, real, died = read_address(to_, ADDRESS), moderator.finish, []

    def once(*args):
        if not died:
            died.append(1)
            raise Conflict("the power failed after the renewal")
        return real(*args)

    monkeypatch.setattr(moderator, "finish", once)
    mail = players.mail(EVE, to_, "rollback 0 because x", Cc=f"{address('Bob')}, {EVE}")
    letters = players.send(mail)
    assert players.state.number == 0, "it is done, begun again after a crash too"
    told = [one for one in letters if one.to == EVE]
    assert [one.kind for one in told] == ["renewed", "receipt"], "and renewed once"
    assert address("Bob") in flat(told[0])
    assert "`announce:`" in flat(told[0])
    for received in told:
        new = read_address(received.reply_to, ADDRESS)
        assert (new.seat, new.token == old.token) == ("assistant", False)
    players.reply(told[1], "redo because x", sender=EVE)
    assert players.state.number == 1, "the new one is good"
    players.send(players.mail(EVE, to_, "rollback 0 because x"))
    assert players.state.number == 1, "the one that Bob has seen is void"


@pytest.mark.long
def test_who_is_asked_to_be_the_assistant_may_show_it_to_the_organiser(players):
    organiser = players.seat_address(GAME, "organiser")
    letters = players.send(players.mail(address("Ann"), organiser, f"assistant {EVE}"))
    letters = players.reply(letter(letters, EVE), "yes", sender=EVE, Cc=address("Ann"))
    assert players.table().settings.assistant == EVE
    assert [one.kind for one in letters if one.to == EVE] == ["renewed", "receipt"]


def test_where_signatures_are_asked_for_an_assistant_says_yes_to_what_has_none(players):
    players.write("Ann", "buy TR")
    to_ = answer(named(players), EVE).reply_to
    table = players.table()
    chosen = msgspec.structs.replace(table.settings, grade="tournament")
    with players.store.transaction() as tx:
        tx.games.set_settings(table.row.id, msgspec.json.encode(chosen))
    [told] = players.send(players.mail(EVE, to_, "rollback 0 because it was misread"))
    assert players.state.number == 1
    assert (told.to, told.kind) == (EVE, "foreign")
    players.reply(told, re.search(r"yes \d{8}", told.text)[0], sender=EVE)
    assert players.state.number == 0


@pytest.mark.long
def test_who_is_asked_to_be_the_assistant_is_not_written_to_for_others(players):
    organiser = players.seat_address(GAME, "organiser")
    letters = players.send(players.mail(address("Ann"), organiser, f"assistant {EVE}"))
    asked = letter(letters, EVE)
    assert players.send(players.mail(address("Bob"), asked.reply_to, "yes")) == []
    assert players.table().settings.assistant == ""


@pytest.mark.long
@pytest.mark.parametrize(
    ("who", "why"),
    [
        (address("Bob"), planning.PLAYER_CANNOT_ASSIST),
        (address("Ann"), planning.DIRECTOR_ALREADY),
        ("nobody", planning.WRITE_THE_ADDRESS),
    ],
)
def test_who_cannot_be_the_assistant(players, who, why):
    organiser = players.seat_address(GAME, "organiser")
    letters = players.send(players.mail(address("Ann"), organiser, f"assistant {who}"))
    assert refused(letters, why, address("Ann"))


def test_nobody_is_asked_again_and_again_to_be_the_assistant(players):
    organiser = players.seat_address(GAME, "organiser")
    for _ in range(7):
        raw = players.mail(address("Ann"), organiser, f"assistant {EVE}")
        letters = players.send(raw)
    assert refused(letters, named_addresses.TOO_MANY, address("Ann"), address=EVE)


@pytest.mark.long
def test_without_an_answer_nobody_is_the_assistant_and_off_ends_it(players):
    organiser = players.seat_address(GAME, "organiser")
    mine = lambda *lines: players.send(players.mail(address("Ann"), organiser, *lines))  # noqa: E731
    letters = mine(f"assistant {EVE}")
    asked = letter(letters, EVE)
    letters = players.reply(asked, "rollback 0 because x", sender=EVE)
    assert players.table().settings.assistant == ""
    assert says(answer(letters, EVE), game_email.YES_TO_ASSIST)
    mine("assistant off")
    players.reply(asked, "yes", sender=EVE)
    assert players.table().settings.assistant == ""


# the end


@pytest.mark.long
def test_the_director_ends_a_game_or_gives_it_up(directed):
    letters = direct(directed, "end game because nobody wants to go on")
    assert "ended" in to(letters, "Ann")
    assert directed.table().row.status == "ended"
    assert refused(direct(directed, "rollback 0 because x"), NOT_AFTER_THE_END)


def test_an_organiser_who_does_not_play_gets_one_letter_of_the_end(directed):
    directed.write("Ann", "order: when OR 1 then pass", "diary: Bob must not know")
    why = "nobody wants to go on"
    letters = direct(directed, f"end game because {why}")
    own = [found for found in letters if found.to == ORGANISER]
    assert [found.kind for found in own] == ["receipt", "ended"]
    assert directed.state.ending.cause == "director"
    assert says(own[1], ended.ENDED_IT, director=DIRECTOR, because=why)
    assert "WORTH" in own[1].text.upper() and address("Ann") not in own[1].text


def test_the_offices_hear_of_an_end_that_the_players_have_agreed_on(directed):
    asked = letter(direct(directed, f"assistant {EVE}"), EVE)
    directed.reply(asked, "yes", sender=EVE)
    directed.write("Ann", "propose end")
    directed.write("Bob", "vote 1 yes")
    letters = directed.write("Cat", "vote 1 yes")
    assert [found.kind for found in letters if found.to == ORGANISER] == ["ended"]
    assert [found.kind for found in letters if found.to == EVE] == ["ended"]
    assert to(letters, "Ann") == ["ended"]
    again = direct(directed, "status")
    assert [found.kind for found in again] == ["receipt"], "it is told once"


@pytest.mark.long
def test_an_organiser_who_plays_has_one_letter_of_the_end(players):
    players.write("Ann", "propose end")
    players.write("Bob", "vote 1 yes")
    letters = players.write("Cat", "vote 1 yes")
    assert to(letters, "Ann") == ["ended"]


def test_a_game_that_is_given_up_takes_nothing_more(directed):
    why = "two have left"
    told = one(direct(directed, f"abandon because {why}"), "Bob", "ruling")
    assert says(told, planning.GIVES_UP, director=DIRECTOR, because=why)
    assert directed.table().row.status == "abandoned"
    letters = directed.write("Cat", "buy B&SLC")
    assert "NOT DONE" in one(letters, "Cat").subject
    told = answer(direct(directed, "pages private"))
    assert says(told, game_status.WAS_GIVEN_UP, game=GAME)
    assert directed.table().settings.shown == "unlisted"
    assert unsaid(told, game_status.WAS_CANCELED)
    told = answer(direct(directed, "status"))
    assert says(told, game_status.WAS_GIVEN_UP, game=GAME)


def test_a_game_that_is_given_up_waits_for_nobody_and_opens_what_was_sealed(directed):
    directed.write("Bob", "pass round", "diary: I trust nobody")
    [order] = directed.table().orders
    letters = direct(directed, "abandon because two have left")
    assert says(answer(letters), game_status.IS_GIVEN_UP, game=GAME, position=2, round="SR 1")
    assert unsaid(answer(letters), game_status.WAITS_FOR)
    told = flat(one(letters, "Ann", "ruling"))
    assert order.salt in told and order.text in told and "I trust nobody" in told
    asked = one(directed.write("Ann", "status", "history orders", "history diary"), "Ann")
    text = flat(asked)
    assert order.salt in text and "I trust nobody" in text
    assert unsaid(text, IS_TURN) and unsaid(text, AFTER)
    assert to(directed.write("Cat", "resend"), "Cat") == ["receipt"], "it is nobody's turn"


@pytest.mark.long
def test_questions_before_acts_are_answered(directed):
    letters = direct(directed, "status", "announce: hello")
    assert "CASH" in answer(letters).text.upper()
    assert [kind for kind, *_ in rulings(directed)] == ["announce"]
    letters = direct(directed, "help director", "announce: x")
    [rollback] = [entry for entry in ENTRIES if entry.name == "rollback"]
    assert rollback.syntax in answer(letters).text


# seats and clocks


@pytest.mark.long
def test_who_is_to_take_a_seat_is_asked_and_the_log_says_why(directed):
    why = "nobody can reach Cat"
    letters = direct(directed, f"replace Cat by {EVE} because {why}")
    assert letter(letters, EVE)
    assert rulings(directed) == [("replace", "organiser", "replace Cat", False)]
    history = one(directed.write("Bob", "history"), "Bob")
    assert says(history, directing.LOGGED_BECAUSE, ruling="replace Cat", because=why)


def test_a_replacement_by_a_player_of_the_same_game_is_refused(directed):
    letters = direct(directed, f"replace Cat by {address('Bob')} because x")
    assert "NOT DONE" in answer(letters).subject and to(letters, "Bob") == []
    assert directed.table().seat("Cat").address == address("Cat")
    assert rulings(directed) == []


@pytest.mark.long
def test_more_time_takes_a_clock(directed):
    letters = direct(directed, "clock Bob +24h because the server was not reached")
    assert refused(letters, settings_and_time.NO_CLOCK, game=GAME)


def timed(players, clock):
    """Let the game have a clock, by which Ann is asked."""
    settings = msgspec.structs.replace(players.table().settings, clock=clock)
    with players.store.transaction() as tx:
        tx.games.set_settings(players.table().row.id, msgspec.json.encode(settings))
    players.write("Cat", "buy B&SLC")


@pytest.mark.parametrize("word", ["clock", pytest.param("correct clock", marks=pytest.mark.long)])
def test_time_is_shown_before_it_is_given(directed, word):
    timed(directed, "each 48h")
    due = waiting(directed)
    why, later = "the server was not reached", brief(due + 86_400)
    [shown] = direct(directed, f"{word} Ann +24h because {why}")
    assert says(shown, desk.REPLY_GO)
    assert says(shown, planning.WOULD_GIVE, name="Ann", time="24 hours")
    would = settings_and_time.WOULD_HAVE_INSTEAD
    assert says(shown, would, name="Ann", until=later, before=brief(due))
    assert waiting(directed) == due and rulings(directed) == []
    letters = direct(directed, "go")
    assert waiting(directed) == due + 24 * 3600
    told = one(letters, "Ann", "ruling")
    gives = planning.GIVES
    assert says(told, gives, director=DIRECTOR, name="Ann", time="24 hours", because=why)
    assert says(told, settings_and_time.HAS_UNTIL, name="Ann", until=later)
    assert rulings(directed) == [("clock", "organiser", "clock Ann +24h", False)]
    assert refused(direct(directed, "go"), desk.NOTHING_WAITS)


@pytest.mark.long
def test_a_bank_is_shown_before_and_after(directed):
    timed(directed, "fischer 5d + 12h cap 5d")
    letters = direct(directed, "announce: hear me", "clock Bob +24h because x")
    assert says(answer(letters), planning.WOULD_GIVE, name="Bob", time="24 hours")
    bank = settings_and_time.BANK_INSTEAD
    assert says(answer(letters), bank, bank="6 d 00 h", before="5 d 00 h")
    assert to(letters, "Ann") == []
    letters = direct(directed, "go")
    assert says(one(letters, "Ann", "ruling"), planning.ANNOUNCES, because="hear me")
    assert directed.table().rulings[-1].kind == "clock"


@pytest.mark.long
def test_more_time_is_given_to_a_clock_and_a_held_game_s_stands_still(directed):
    timed(directed, "each 48h")
    due = waiting(directed)
    sure(directed, "clock Ann +24h because the server was not reached")
    assert waiting(directed) == due + 24 * 3600
    letters = direct(directed, "clock Ann -200h because it was given twice")
    assert refused(letters, settings_and_time.WOULD_BE_PAST, name="Ann", left="3 d 00 h")
    assert waiting(directed) == due + 24 * 3600
    sure(directed, "clock Ann +48h because x", "clock Ann -2d because it was given twice")
    assert waiting(directed) == due + 24 * 3600
    letters = direct(directed, "clock Bob +24h because x")
    assert refused(letters, settings_and_time.NEED_NOT_DECIDE, name="Bob")
    direct(directed, "hold because x")
    directed.now += 5 * 3600
    direct(directed, "resume because y")
    assert waiting(directed) == due + 29 * 3600


def sure(players, *lines):
    """What the organiser writes is shown, and done."""
    assert says(answer(direct(players, *lines)), desk.REPLY_GO)
    assert says(answer(direct(players, "go")), DONE)


def waiting(players):
    """Until when who must act has, in UTC seconds."""
    game = players.table().row.id
    with players.store.transaction() as tx:
        [row] = tx.games.waiting(game)
    return row.due
