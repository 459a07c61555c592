"""Players take other addresses with them: asked for from the old one, confirmed from the new."""

from dataclasses import replace

import pytest

from service import said
from service.commands.entry import NOT_YOU
from service.desk.identity import addresses, confirming
from service.desk.identity.addresses import STANDS
from service.desk.options import game_options
from service.desk.strangers import wrong_address
from service.mail.grades import ASKS
from tests.service.players import ADDRESS, GAME, NAMES, address, one, says, to
from tests.service.test_seats import EVE, deputised

NEW = "ann@new.test"


def asked(letters, new=NEW):
    [found] = [letter for letter in letters if letter.to == new]
    return found


def held_by(players, name="Ann"):
    return players.table().seat(name).address


def test_a_seat_moves_when_the_new_address_says_yes(players):
    turn = players.latest("Ann")
    players.write("Ann", "bid NDY 125")
    letters = players.write("Ann", f"address {NEW}")
    assert says(one(letters, "Ann"), addresses.MAIL_WENT_MOVE, address=NEW)
    assert held_by(players) == address("Ann"), "not before it is confirmed"
    question = asked(letters)
    assert says(question, addresses.WANTS_TO_MOVE, name="Ann", game=GAME, title="18AL")
    letters = players.reply(question, "yes")
    assert held_by(players) == NEW
    assert [(letter.to, letter.kind) for letter in letters] == [
        (NEW, "readdressed"),
        (address("Ann"), "readdressed"),
    ]
    here, there = letters
    assert says(here, said.PLAY_FROM_HERE, name="Ann", game=GAME)
    assert says(there, confirming.SEAT_HAS_MOVED, game=GAME)
    assert "play+" not in str(there.mail), "the old address gets no token"
    before = players.texts()
    players.reply(turn, "buy TR")
    players.reply(here, "say: hello", sender=address("Ann"))
    assert players.texts() == before, "the old address and its token are dead"
    assert to(players.reply(here, "say: hello", sender=NEW), "Bob") == ["news"]


def test_what_was_ordered_stands_for_it_is_the_same_person(players):
    players.reply(players.latest("Ann"), "buy TR")
    players.write("Ann", "pass round")
    orders = [order.id for order in players.table().orders]
    assert orders
    players.reply(asked(players.write("Ann", f"address {NEW}")), "yes")
    assert [order.id for order in players.table().orders if order.status == "open"] == orders


@pytest.mark.parametrize(
    "how",
    [
        {"sender": "eve@else.test", "why": confirming.ONLY_FROM},
        {"lines": ("what is this?",), "why": confirming.YES_TO_ADDRESS},
        {"after": STANDS + 1, "why": confirming.LAPSED},
    ],
)
def test_nobody_else_confirms_and_nothing_but_yes_does_and_not_for_ever(players, how):
    question = asked(players.write("Ann", f"address {NEW}"))
    players.now += how.get("after", 60)
    sender = how.get("sender", NEW)
    [told] = players.reply(question, *how.get("lines", ("yes",)), sender=sender)
    assert (told.to, held_by(players)) == (sender, address("Ann"))
    assert says(told, how["why"])


def test_who_says_no_is_not_asked_any_more(players):
    question = asked(players.write("Ann", f"address {NEW}"))
    players.reply(question, "no", sender="eve@else.test")
    with players.store.transaction() as tx:
        assert len(tx.seats.further(players.table().seat("Ann").id)) == 1, "nobody says no for them"
    [told] = players.reply(question, "no")
    assert says(told, confirming.NOT_YOURS, name="Ann", game=GAME)
    players.reply(question, "yes")
    assert held_by(players) == address("Ann")


def test_a_question_that_was_replaced_confirms_nothing(players):
    first = asked(players.write("Ann", f"address {NEW}"))
    players.now += 60
    other = asked(players.write("Ann", "address ann@other.test"), "ann@other.test")
    players.reply(first, "yes")
    assert held_by(players) == address("Ann")
    players.reply(other, "yes")
    assert held_by(players) == "ann@other.test"
    players.reply(other, "yes")
    assert players.table().seat("Ann").epoch == 1, "once"


def test_what_was_asked_before_a_new_token_is_void(players):
    question = asked(players.write("Ann", f"address {NEW}"))
    players.write("Ann", "new token")
    players.reply(question, "yes")
    assert held_by(players) == address("Ann")


def test_a_stolen_token_moves_no_seat(players):
    letters = players.write("Ann", f"address {NEW}", sender="mallory@else.test")
    assert not [letter for letter in letters if letter.to == NEW]
    assert to(letters, "Ann") == ["foreign"]


@pytest.mark.parametrize(
    "new", ["nonsense", address("Ann"), address("Bob"), ADDRESS, "play+x@waybill.test", "a b c"]
)
def test_what_is_no_address_of_one_s_own_is_refused(players, new):
    letters = players.write("Ann", f"address {new}")
    assert "NOT DONE" in one(letters, "Ann").subject
    assert {letter.to for letter in letters} == {address("Ann")}


def test_no_one_is_flooded_with_questions(players):
    count = 0
    for _ in range(10):
        players.now += 60
        count += any(letter.to == NEW for letter in players.write("Ann", f"address {NEW}"))
    assert count == 6, "the ration of strangers"


def test_a_second_address_may_write_too(players):
    players.write("Ann", "buy TR", sender=NEW)
    assert players.texts() == []
    letters = players.reply(asked(players.write("Ann", f"address add {NEW}")), "yes")
    assert to(letters, "Ann") == ["second"]
    assert all(says(x, confirming.IS_SECOND, address=NEW, game=GAME) for x in letters)
    assert held_by(players) == address("Ann")
    players.write("Ann", "buy TR", sender=NEW)
    assert players.texts() == ["buy TR"]
    [told] = players.stranger(NEW, "hello?")
    assert says(told, wrong_address.YOU_PLAY, seats=f"Ann in {GAME}")
    players.write("Ann", "address drop")
    before = to(players.write("Ann", "say: hi", sender=NEW), "Bob")
    assert before == []


def test_a_dead_address_is_replaced_by_the_organiser_and_confirmed_from_the_new_one(players):
    new = "bob@new.test"
    letters = players.write("Ann", f"address Bob {new}")
    assert held_by(players, "Bob") == address("Bob")
    letters = players.reply(asked(letters, new), "yes")
    assert held_by(players, "Bob") == new
    assert (address("Bob"), "readdressed") in [(one.to, one.kind) for one in letters]


def test_nobody_but_the_organiser_names_another_s_seat(players):
    letters = players.write("Bob", "address Cat eve@else.test")
    assert "NOT DONE" in one(letters, "Bob").subject
    assert held_by(players, "Cat") == address("Cat")


def test_an_organiser_who_moves_stays_the_organiser(players):
    players.reply(asked(players.write("Ann", f"address {NEW}")), "yes")
    row = players.table().row
    assert (row.organiser, row.epoch) == (NEW, 1)


@pytest.mark.parametrize(
    "word",
    [f"address {NEW}", "address drop", "pass-phrase set four words of theirs", "grade friendly"],
)
def test_a_deputy_changes_nothing_of_what_proves_a_player(players, word):
    deputised(players)
    letters = players.reply(players.latest("Ann"), word, sender=EVE)
    assert letters and all("NOT DONE" in letter.subject for letter in letters)
    assert not [letter for letter in letters if letter.to == NEW]
    seat = players.table().seat("Ann")
    with players.store.transaction() as tx:
        assert tx.proofs.phrase(seat.game_id, "Ann") == ""
    assert players.table().settings.grade == ""


def test_another_address_is_asked_for_beside_a_move(players):
    letters = players.write("Ann", f"address {NEW}", "buy TR")
    assert players.texts() == ["buy TR"]
    assert held_by(players) == address("Ann")
    assert [letter.kind for letter in letters if letter.to == NEW] == ["confirm"]


# what a game asks for


def test_an_organiser_chooses_the_grade_when_the_game_is_created(newcomers):
    newcomers.stranger(address("Ann"), "create 18AL north with two-yellow, grade tournament")
    assert newcomers.table("north").settings.grade == "tournament"
    assert newcomers.table("north").settings.variants == ("two-yellow",)
    newcomers.stranger(address("Ann"), "create 18AL south grade friendly")
    assert newcomers.table("south").settings.grade == "friendly"
    [letter] = newcomers.stranger(address("Ann"), "create 18AL west grade secret")
    assert says(letter, game_options.HOW_TO_GRADE, grades="friendly, standard, tournament")


def test_and_later_and_all_are_told(players):
    letters = players.write("Ann", "grade tournament")
    assert players.table().settings.grade == "tournament"
    graded = game_options.GRADED.format(asks=ASKS["tournament"])
    assert says(one(letters, "Bob", "option-grade"), graded)
    assert to(letters, "Ann") == ["receipt"]
    players.write("Ann", "grade friendly")
    assert players.table().settings.grade == "tournament", "it must be proved as the game asks"


def test_nobody_else_chooses_it(players):
    letters = players.write("Bob", "grade friendly")
    assert players.table().settings.grade == ""
    assert says(one(letters, "Bob"), NOT_YOU, word="grade", who="the organizer")


def test_a_grade_stands_beside_an_address(players):
    letters = players.write(
        "Ann", "grade friendly", f"address {NEW}", "grade tournament", "list off"
    )
    assert players.table().settings.grade == "tournament"
    assert to(letters, "Bob") == ["option-grade"] and asked(letters)
    assert says(one(letters, "Ann"), game_options.LAST_COUNTS)


def test_before_the_start_too(newcomers):
    newcomers.service = newcomers.office.service = replace(newcomers.service)
    [created] = newcomers.stranger(address("Ann"), f"create 18AL {GAME}")
    for name in NAMES:
        [question] = newcomers.stranger(address(name), f"join {GAME} as {name}")
        newcomers.reply(question, "yes")
    letters = newcomers.reply(created, "grade friendly")
    assert newcomers.table().settings.grade == "friendly"
    assert to(letters, "Bob") == ["option-grade"]
    assert to(newcomers.reply(created, "grade friendly"), "Bob") == [], "nothing has changed"
