"""A game at one terminal."""

import engine
from engine import flow
from engine.events import Passed, PrivateBought, RoundBegan
from engine.notation import NotationError
from engine.position.values import OFFERING
from engine.steps.stock import private_sale
from engine.telling.narration import narrate, narrate_all
from service.commands import helping
from service.commands.entry import NOT_AT_A_TERMINAL, NOT_BY_EMAIL, When, Where, Who, why_not
from service.commands.reading import ORDER, PLAY
from service.desk.ahead import orders_given
from service.desk.channels import terminal
from service.desk.questions import queries
from service.desk.vocabulary.table import TABLE
from service.orders import grammar
from service.reports import answers
from service.workshop.demo import hotorders
from service.workshop.demo.hotseat import HotSeat
from service.workshop.practice.script import read, run
from tests.engine.notation import positions
from tests.service.players import TITLE, says, unsaid


def sit(*entries):
    seat = HotSeat(TITLE, ["Ann", "Bob", "Cat"])
    return seat, ["\n".join(seat.enter(entry)) for entry in entries]


def test_commands_are_played_for_whoever_must_act():
    seat, said = sit("buy TR", "buy S&NA")
    bought = PrivateBought("TR", "Ann", OFFERING, 20), PrivateBought("S&NA", "Bob", OFFERING, 40)
    assert said == [f"  {line}" for line in narrate_all(TITLE, bought)]
    assert seat.actor == "Cat"


def test_a_name_before_a_colon_says_who_speaks():
    seat, said = sit("bob: buy TR", "Ann: buy TR")
    assert says(said[0], flow.NOT_THEIR_TURN, player="Bob", others="Ann")
    assert seat.line.texts == ["Ann: buy TR"]


def test_what_is_wrong_is_said_with_rule_or_caret_and_nothing_happens():
    seat, said = sit("buy NDY", "bye TR")
    assert "(18AL 3.1(a))" in said[0]
    assert f"{NotationError.lead}: yes, buy?" in said[1]
    assert seat.line.actions == []


def test_alternatives_are_tried_in_order():
    seat, _ = sit("bid TR 25 else buy TR")
    assert seat.line.texts == ["Ann: buy TR"]


def test_undo_takes_back_one_action_after_the_other():
    seat, said = sit("buy TR", "undo", "undo")
    taken_back = terminal.TAKEN_BACK.format(action="Ann: buy TR")
    assert said[1:] == [taken_back, terminal.NOTHING_TO_TAKE_BACK]
    assert seat.actor == "Ann"


def test_questions_are_answered_as_in_a_mail():
    _, said = sit("options", "status louisville", "tiles c4 for L&N", "history", "trains", "map")
    assert "buy TR" in said[0]
    assert "L&N" in said[1]
    assert narrate(TITLE, RoundBegan("SR 1")) in said[3]
    assert "TRAINS" in said[4]
    assert says(said[5], answers.NOTHING_BUILT)


def test_a_question_about_nothing_says_so():
    _, said = sit("status Zorro", "tiles Z99")
    assert says(said[0], queries.IS_NONE, text="Zorro", kind="company, private or player")
    assert says(said[1], queries.IS_NONE, text="Z99", kind="hex")


def test_words_of_the_mail_are_turned_down():
    _, said = sit("say: hello", "images off")
    assert said == [NOT_AT_A_TERMINAL.format(word=word) for word in ("say", "images")]


def test_help_lists_what_may_be_typed():
    seat, said = sit("help", "help lay", "help terminal", "help frobnicate")
    assert said[0] == seat.terminal.help().text
    here = [e.name for e in TABLE if not why_not(e, Who.PLAYER, Where.TERMINAL, When.RUNNING)]
    unlisted = {PLAY, ORDER}
    assert {"undo", "write", "quit", "status", "try"} <= set(here)
    for name in set(here) - unlisted:
        assert name in said[0]
    assert "more" not in here and says(said[0], helping.AT_A_TERMINAL)
    assert unsaid(said[0], helping.BY_EMAIL_ALL_OR_NONE) and unsaid(said[0], helping.OPENLY_ONLY)
    assert "lay" in said[1]
    assert "take the last action back" in said[2]
    assert says(said[3], helping.NO_COMMAND, word="frobnicate")


def test_write_prints_the_game_and_quit_ends_it():
    seat, said = sit("buy TR", "write", "Write to me, Bob")
    assert said[1] == seat.script()
    assert not seat.left and len(seat.line.actions) == 1
    assert list(seat.enter("quit; buy S&NA")) == [terminal.ENDED]
    assert seat.left and len(seat.line.actions) == 1
    assert sit("exit")[0].left


def test_what_only_a_terminal_has_is_refused_by_email():
    for name in ("write", "quit"):
        [entry] = [one for one in TABLE if one.name == name]
        assert why_not(entry, Who.PLAYER, Where.PRIVATE, When.RUNNING) == NOT_BY_EMAIL.format(
            word=name
        )


def test_a_dry_run_changes_nothing():
    seat, said = sit("try: buy TR")
    assert says(said[0], queries.TRIED)
    assert seat.line.actions == []


def test_the_script_that_is_written_can_be_read_again():
    seat, _ = sit("buy TR", "bid NDY 125")
    script = read(seat.script())
    assert (script.title, script.players) == ("18AL", ("Ann", "Bob", "Cat"))
    assert [(line.seat, line.text) for line in script.lines] == [
        ("Ann", "buy TR"),
        ("Bob", "bid NDY 125"),
    ]


def test_what_lot_decided_is_as_it_was_when_the_script_is_read_again():
    seat = HotSeat(engine.load_title("18GL"), ["Ann", "Bob", "Cat"], 3)
    plain = engine.new_game(seat.title, seat.line.state.seats).state
    assert seat.line.state.privates != plain.privates
    list(seat.enter("buy " + cheapest(seat)))
    assert run(read(seat.script())).states == seat.line.states


def cheapest(seat):
    """The private company that is sold first."""
    first = next(o for o in engine.options(seat.title, seat.line.state, seat.actor))
    return first.action.private


def test_an_empty_line_says_nothing():
    assert sit("", "  # a comment")[1] == ["", ""]


# orders given ahead


def test_orders_are_given_listed_explained_cleared_and_carried_out():
    seat, said = sit("Bob: pass until round ends", "Cat: next: buy NDY", "Bob: orders",
                     "Cat: explain", "Cat: clear 1", "buy TR")  # fmt: skip
    given = hotorders.GIVEN.format(number=1, seat="Bob", text="pass until round ends")
    assert said[0] == given
    assert "pass until round ends" in said[2] and "NDY" not in said[2]
    assert says(said[3], private_sale.ONLY_CHEAPEST)
    assert said[4] == hotorders.CLEARED.format(orders="next: buy NDY")
    assert narrate(TITLE, Passed("Bob")) in said[5]
    assert seat.line.texts == ["Ann: buy TR", "Bob: pass"]
    assert seat.actor == "Cat"


def test_an_order_that_cannot_be_carried_out_is_suspended_and_said():
    seat, said = sit("Bob: next: buy NDY", "buy TR", "Bob: resume 1", "Bob: clear 7")
    suspended = {"number": 1, "seat": "Bob", "text": "next: buy NDY"}
    assert says(said[1], hotorders.SUSPENDED, **suspended)
    assert says(said[1], f"buy NDY: {private_sale.ONLY_CHEAPEST}")
    assert says(said[2], hotorders.GOES_ON, orders="next: buy NDY")
    assert says(said[2], hotorders.SUSPENDED, **suspended)
    assert says(said[3], orders_given.NO_SUCH_ORDER, word="clear", numbers="1")
    assert seat.actor == "Bob"


def test_a_suspended_order_for_one_turn_is_over_when_that_turn_is_played():
    seat, said = sit("Bob: next: buy NDY", "buy TR", "pass", "Bob: orders", "undo", "Bob: orders")
    assert seat.line.texts == ["Ann: buy TR"]
    assert "buy NDY" not in said[3]
    assert "buy NDY" in said[5]


def test_an_order_in_one_s_own_turn_is_done_at_once_and_undo_takes_its_act_back():
    seat, said = sit("pass round", "undo", "orders")
    assert narrate(TITLE, Passed("Ann")) in said[0]
    assert said[1] == terminal.TAKEN_BACK.format(action="Ann: pass")
    assert "pass until alarm or round ends" in said[2]
    assert (seat.actor, seat.line.actions) == ("Ann", [])


def test_an_order_after_commands_waits_for_the_next_turn():
    seat, _ = sit("bid NDY 125; then pass round", "buy TR", "buy S&NA")
    assert seat.line.texts == ["Ann: bid NDY 125", "Bob: buy TR", "Cat: buy S&NA", "Ann: pass"]


def test_an_order_that_is_wrong_is_not_taken():
    seat, said = sit("Bob: next: frobnicate TR", "Bob: standing buy XYZ", "Bob: pass round",
                     "Bob: pass round", "Bob: orders")  # fmt: skip
    fault = grammar.NOT_UNDERSTOOD.format(word="frobnicate")
    assert says(said[0], grammar.ONE_OF_THESE, fault=fault)
    assert "XYZ" in said[1]
    assert says(said[3], orders_given.GIVEN_ALREADY)
    assert [order.text for order in seat.line.orders[-1]] == ["pass until alarm or round ends"]


def test_an_order_given_in_the_middle_of_a_turn_leaves_the_turn_open():
    seat, _ = sit()
    seat.line.states[-1] = positions.stock()
    list(seat.enter("sell 1 L&N"))
    list(seat.enter("next: pass"))
    assert (seat.line.texts, seat.actor) == (["Ann: sell 1 L&N"], "Ann")
    list(seat.enter("buy TAG market else done; then pass round"))
    assert (seat.line.texts, seat.actor) == (["Ann: sell 1 L&N", "Ann: pass"], "Bob")
