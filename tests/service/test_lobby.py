"""Games before they begin: who may create, join and start them, and what strangers are told."""

import pytest

from service.desk import lobby
from tests.service.house import ADDRESS, GAME, NAMES, SECRET, address, one, to


def create(people, game=GAME):
    [created] = people.stranger(address("Ann"), f"create 18AL {game}")
    return created


def join(people, name, game=GAME):
    [asked] = people.stranger(address(name), f"join {game} as {name}")
    return asked


def flat(letter):
    return " ".join(letter.text.split())


def test_a_game_is_created_joined_and_started_by_mails(newcomers):
    letters = newcomers.begin()
    assert to(letters, "Ann") == ["receipt", "welcome", "turn"]
    assert to(letters, "Bob") == to(letters, "Cat") == ["welcome"]
    assert "Seats by lot: Ann, Bob, Cat" in one(letters, "Ann").text
    assert newcomers.table().row.status == "running"


def test_joining_takes_a_yes_from_the_address_that_joins(newcomers):
    create(newcomers)
    asked = join(newcomers, "Bob")
    assert asked.kind == "confirm"
    assert newcomers.table().players == ()
    letters = newcomers.reply(asked, "maybe later")
    assert "Reply with the one word `yes`" in flat(letters[0])
    assert newcomers.table().players == ()
    letters = newcomers.reply(asked, "Yes, gladly!")
    assert [seat.name for seat in newcomers.table().players] == ["Bob"]
    assert to(letters, "Bob") == ["welcome"]
    assert "Bob has joined" in one(letters, "Ann", "notice").text


def test_somebody_else_s_yes_does_not_confirm_even_among_friends(newcomers):
    from dataclasses import replace

    create(newcomers)
    asked = join(newcomers, "Bob")
    newcomers.house = newcomers.office.house = replace(newcomers.house, strict=False)
    newcomers.reply(asked, "yes", sender="mallory@else.test")
    newcomers.send(newcomers.mail(address("Bob"), ADDRESS, "yes"))
    assert newcomers.table().players == ()


@pytest.mark.parametrize(
    "text", ["Si necesita ayuda llame a mi secretaria", "OK, ticket 4711 opened"]
)
def test_an_automatic_answer_to_the_question_is_no_yes(newcomers, text):
    create(newcomers)
    newcomers.reply(join(newcomers, "Bob"), text)
    assert newcomers.table().players == ()


@pytest.mark.parametrize("word", ["yes", "Ja!", "oui", "Sí.", "y", "ok"])
def test_yes_in_other_words(newcomers, word):
    create(newcomers)
    newcomers.reply(join(newcomers, "Bob"), word)
    assert [seat.name for seat in newcomers.table().players] == ["Bob"]


def test_a_second_yes_is_answered_and_changes_nothing(newcomers):
    create(newcomers)
    asked = join(newcomers, "Bob")
    newcomers.reply(asked, "yes")
    [again] = newcomers.reply(asked, "yes")
    assert "Joined so far: Bob" in flat(again)
    assert "NOT DONE" not in again.subject


@pytest.mark.parametrize(
    "name", ["bank", "L&N", "Tusc", "market", "pass", "two words", "7up", "x" * 17]
)
def test_names_that_mean_something_else_are_refused(newcomers, name):
    create(newcomers)
    [letter] = newcomers.stranger(address("Bob"), f"join {GAME} as {name}")
    assert letter.subject.endswith("NOT DONE")
    assert newcomers.table().seats == ()


def test_a_name_that_is_taken_is_refused_whatever_its_accents(newcomers):
    create(newcomers)
    join(newcomers, "Bob")
    [letter] = newcomers.stranger("other@x.test", f"join {GAME} as BÖB")
    assert "Somebody is called BÖB" in flat(letter)


def test_names_in_other_alphabets_are_told_apart(newcomers):
    create(newcomers)
    for name, who in (("Вера", "vera@x.test"), ("Жанна", "zhanna@x.test")):
        [asked] = newcomers.stranger(who, f"join {GAME} as {name}")
        newcomers.reply(asked, "yes")
    assert [seat.name for seat in newcomers.table().players] == ["Вера", "Жанна"]


def test_joining_again_under_another_name_before_the_yes_renames_the_seat(newcomers):
    create(newcomers)
    [first] = newcomers.stranger(address("Bob"), f"join {GAME} as Rob")
    [asked] = newcomers.stranger(address("Bob"), f"join {GAME} as Bob")
    newcomers.reply(first, "yes")
    assert newcomers.table().players == ()
    newcomers.reply(asked, "yes")
    assert [seat.name for seat in newcomers.table().seats] == ["Bob"]
    [letter] = newcomers.stranger(address("Bob"), f"join {GAME} as Rob")
    assert "You have joined" in flat(letter)


def test_seats_that_nobody_confirms_do_not_block_a_game(newcomers):
    create(newcomers)
    for number in range(6):
        newcomers.stranger(f"ghost{number}@x.test", f"join {GAME} as Ghost{number}")
    newcomers.reply(join(newcomers, "Bob"), "yes")
    assert [seat.name for seat in newcomers.table().players] == ["Bob"]


def test_a_full_game_takes_nobody_more(newcomers):
    create(newcomers)
    asked = [join(newcomers, name) for name in ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay")]
    for letter in asked:
        letters = newcomers.reply(letter, "yes")
    assert "is full: 5 players" in flat(letters[0])
    assert len(newcomers.table().players) == 5


def test_a_yes_after_the_start_comes_too_late(newcomers):
    asked = {}
    created = create(newcomers)
    for name in (*NAMES, "Dan"):
        asked[name] = join(newcomers, name)
    for name in NAMES:
        newcomers.reply(asked[name], "yes")
    newcomers.reply(created, "start")
    [letter] = newcomers.reply(asked["Dan"], "yes")
    assert "has begun without you" in flat(letter)
    assert [seat.name for seat in newcomers.table().players] == list(NAMES)


def test_nobody_joins_a_game_that_has_begun_or_does_not_exist(players):
    [letter] = players.stranger("dan@x.test", f"join {GAME} as Dan")
    assert "has begun; nobody can join" in flat(letter)
    [letter] = players.stranger("dan@x.test", "join nowhere as Dan")
    assert "no game called nowhere" in flat(letter)


def test_too_few_players_cannot_start(newcomers):
    created = create(newcomers)
    newcomers.reply(join(newcomers, "Bob"), "yes")
    [letter] = newcomers.reply(created, "start")
    assert "18AL is for 3 to 5 players; 1 have joined" in flat(letter)
    assert newcomers.table().row.status == "open"


def everybody(people):
    created = create(people)
    welcome = {}
    for name in NAMES:
        welcome[name] = one(people.reply(join(people, name), "yes"), name, "welcome")
    return created, welcome


def test_only_the_organiser_starts_a_game(newcomers):
    created, welcome = everybody(newcomers)
    [letter] = newcomers.reply(welcome["Bob"], "start")
    assert "The organiser starts it" in flat(letter)
    [letter] = newcomers.reply(created, "start", sender="mallory@else.test")
    assert (letter.kind, letter.to) == ("foreign", address("Ann"))
    [letter] = newcomers.stranger(address("Ann"), f"start {GAME}")
    assert "in reply to the mail" in flat(letter)
    assert newcomers.table().row.status == "open"
    newcomers.reply(welcome["Ann"], "start")
    assert newcomers.table().row.status == "running"


def test_among_friends_the_organiser_may_start_from_his_address_alone(newcomers):
    from dataclasses import replace

    everybody(newcomers)
    newcomers.house = newcomers.office.house = replace(newcomers.house, strict=False)
    newcomers.stranger(address("Bob"), f"start {GAME}")
    assert newcomers.table().row.status == "open"
    newcomers.stranger(address("Ann"), f"start {GAME}")
    assert newcomers.table().row.status == "running"


def test_a_game_starts_once(newcomers):
    created, _ = everybody(newcomers)
    newcomers.reply(created, "start")
    before = newcomers.table().row
    [letter] = newcomers.reply(created, "start")
    assert "has begun" in flat(letter)
    assert newcomers.table().row == before


def test_talk_that_begins_like_start_starts_nothing(newcomers):
    created, _ = everybody(newcomers)
    for text in ("starting on Monday would suit me", "start when you like", "start elsewhere"):
        newcomers.reply(created, text)
    assert newcomers.table().row.status == "open"


@pytest.mark.parametrize("name", ["x", "7up", "a--b", "ends-", "Ümlaut", "far-too-long-for-a-name"])
def test_names_that_no_address_can_carry_are_refused(newcomers, name):
    [letter] = newcomers.stranger(address("Ann"), f"create 18AL {name}")
    assert letter.subject.endswith("NOT DONE")
    assert newcomers.table(name.lower()) is None


def test_a_title_or_variant_that_does_not_exist_is_told(newcomers):
    [letter] = newcomers.stranger(address("Ann"), "create 18XX dixie")
    assert "18AL" in letter.text
    [letter] = newcomers.stranger(address("Ann"), "create 18AL dixie with nonsense")
    assert "nonsense" in letter.text
    [letter] = newcomers.stranger(address("Ann"), "create")
    assert "create TITLE NAME" in letter.text


def test_a_game_s_name_is_given_once(players):
    [letter] = players.stranger("eve@x.test", f"create 18AL {GAME}")
    assert "already" in letter.text


def test_the_lot_depends_on_the_secret_and_not_on_the_order_of_joining():
    names = ["Ann", "Bob", "Cat", "Dan"]
    assert lobby.lot(SECRET, "g", names) == lobby.lot(SECRET, "g", names[::-1])
    assert lobby.lot(SECRET, "g", names) != lobby.lot(b"another secret, quite long", "g", names)
    assert lobby.lot(SECRET, "g", names) != lobby.lot(SECRET, "h", names)


def test_strangers_get_one_help_mail_a_week(newcomers):
    letters = [newcomers.stranger("who@x.test", f"what is this? {n}") for n in range(3)]
    assert [len(found) for found in letters] == [1, 0, 0]
    newcomers.now += 7 * 86_400
    assert len(newcomers.stranger("who@x.test", "and now?")) == 1


def test_somebody_who_creates_games_without_end_is_stopped(newcomers):
    answers = [newcomers.stranger("eve@x.test", f"create 18AL game{n}") for n in range(15)]
    assert sum(map(len, answers)) == 12
    assert newcomers.store.counts().games == {"open": 12}


def test_anybody_may_ask_for_games_help_and_public_positions(players):
    for number, (question, answer) in enumerate(
        [
            ("games", f"{GAME} (18AL): running"),
            ("help", "status"),
            (f"status {GAME}", "buy or bid"),
            (f"history {GAME}", "SR 1 begins"),
            (f"map {GAME}", "MAP"),
            (f"status {GAME} nothing", "“nothing” is no company"),
        ]
    ):
        [letter] = players.stranger(f"eve{number}@x.test", question)
        assert answer in letter.text
        assert letter.reply_to == ADDRESS
        assert "dixie9.ann" not in letter.mail.as_string()


def test_a_stranger_cannot_see_options_or_try(players):
    [letter] = players.stranger("eve@x.test", f"try {GAME}: buy TR")
    assert "no seat" in letter.text


def test_before_the_start_a_player_gets_help_and_how_it_stands(newcomers):
    _, welcome = everybody(newcomers)
    [letter] = newcomers.reply(welcome["Bob"], "help")
    assert "AT ANY TIME" in letter.text
    [letter] = newcomers.reply(welcome["Bob"], "when do we start?")
    assert "Joined so far: Ann, Bob, Cat" in flat(letter)


def test_a_player_who_writes_to_the_plain_address_is_told_where_to_write(players):
    [letter] = players.stranger(address("Bob"), "say: hello")
    assert "You play as Bob" in flat(letter)
    assert letter.reply_to == players.house.seat_address(GAME, "Bob")
