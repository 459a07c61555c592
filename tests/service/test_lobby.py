"""Games before they begin: who may create, join and start them, and what strangers are told."""

import re
from dataclasses import replace

import pytest

from service import resources
from service.audience import ORGANISER
from service.commands import entry, helping, reading
from service.desk.answering import effects, game_email
from service.desk.lobby import before_start, expiry, lobby, requests
from service.desk.questions import queries
from service.desk.rationing import stranger_rations
from service.desk.strangers import by_letter, stranger_mail, wrong_address
from service.desk.vocabulary.table import TABLE
from service.games import game_status, naming
from service.reports import letters as letters_of
from service.said import DOES_NOT_PLAY, HAS_JOINED, SAYS
from tests.service.players import (
    ADDRESS,
    GAME,
    NAMES,
    OPERATOR,
    SECRET,
    address,
    flat,
    one,
    says,
    to,
    unsaid,
)

SAY = next(one for one in TABLE if one.name == "say")


def create(people, game=GAME):
    [created] = people.stranger(address("Ann"), f"create 18AL {game}")
    return created


def join(people, name, game=GAME):
    [asked] = people.stranger(address(name), f"join {game} as {name}")
    return asked


def test_a_game_is_created_joined_and_started_by_mails(newcomers):
    letters = newcomers.begin()
    assert to(letters, "Ann") == ["receipt", "turn"]
    assert to(letters, "Bob") == to(letters, "Cat") == ["welcome"]
    for told in (one(letters, "Ann", "turn"), one(letters, "Bob", "welcome")):
        assert says(told, "rules version 1.64")
        assert says(told, letters_of.seated(NAMES)) and "HOW TO PLAY" not in told.text
    assert says(one(letters, "Bob", "welcome"), letters_of.FIRST_TURN, name="Ann")
    assert says(one(letters, "Ann"), before_start.SEATS_BY_LOT, names="Ann, Bob, Cat")
    assert newcomers.table().row.status == "running"


@pytest.mark.parametrize("faster", [False, True])
def test_a_join_is_judged_again_only_if_another_was_faster(newcomers, monkeypatch, faster):
    create(newcomers)
    real, began = lobby.joined, []

    def joined(table, service, found, who, now):
        began.append(who)
        made = real(table, service, found, who, now)
        if faster and len(began) == 1:
            with newcomers.store.transaction() as tx:
                lobby.store_offer(tx, *real(table, service, found, address("Cat"), now))
        return made

    monkeypatch.setattr(lobby, "joined", joined)
    [told] = newcomers.stranger(address("Bob"), f"join {GAME} as Bob")
    assert began == [address("Bob")] * (2 if faster else 1)
    assert told.kind == ("answer" if faster else "confirm")
    [seat] = newcomers.table().seats
    assert (seat.name, seat.address) == ("Bob", address("Cat" if faster else "Bob"))


def test_a_name_that_becomes_a_tournaments_meanwhile_makes_no_game(newcomers, monkeypatch):
    real, began = lobby.proposed, []

    def proposed(tx, *args):
        began.append(args)
        made = real(tx, *args)
        if len(began) == 1:
            with newcomers.store.transaction() as other:
                other.tournaments.add(GAME, newcomers.now)
        return made

    monkeypatch.setattr(lobby, "proposed", proposed)
    [told] = newcomers.stranger(address("Ann"), f"create 18AL {GAME}")
    assert told.kind == "answer" and len(began) == 2
    with newcomers.store.reading() as reads:
        assert reads.games.named(GAME) is None


def test_a_seat_offered_twice_in_one_email_is_one_seat_of_the_new_game(newcomers):
    lines = (f"create 18AL {GAME}", f"join {GAME} as Anne", f"join {GAME} as Ann")
    assert len(newcomers.stranger(address("Ann"), *lines)) == 3
    [seat] = newcomers.table().seats
    assert (seat.name, seat.address) == ("Ann", address("Ann"))


@pytest.mark.parametrize(
    "line",
    ["join the game {game} as Cat", "Please let me join the game {game} as Cat.",
     "I'd like to join game {game} as Cat"],
)  # fmt: skip
def test_a_newcomer_joins_in_a_sentence(newcomers, line):
    create(newcomers)
    [asked] = newcomers.stranger(address("Cat"), line.format(game=GAME))
    newcomers.reply(asked, "yes")
    assert [seat.name for seat in newcomers.table().players] == ["Cat"]


@pytest.mark.parametrize(("words", "name"), [("Cat.", "Cat"), ("Cat!", "Cat")])
def test_the_stop_of_a_sentence_is_no_part_of_a_name(newcomers, words, name):
    create(newcomers)
    [asked] = newcomers.stranger(address("Cat"), f"Join {GAME} as {words}")
    newcomers.reply(asked, "yes")
    assert [seat.name for seat in newcomers.table().players] == [name]


@pytest.mark.long
def test_joining_takes_a_yes_from_the_address_that_joins(newcomers):
    create(newcomers)
    asked = join(newcomers, "Bob")
    assert asked.kind == "confirm"
    assert newcomers.table().players == ()
    letters = newcomers.reply(asked, "maybe later")
    assert says(letters[0], game_email.NOT_CONFIRMED)
    assert newcomers.table().players == ()
    letters = newcomers.reply(asked, "Yes, gladly!")
    assert [seat.name for seat in newcomers.table().players] == ["Bob"]
    assert to(letters, "Bob") == ["welcome"]
    assert says(one(letters, "Ann", "notice"), before_start.HAS_JOINED, name="Bob")


@pytest.mark.parametrize("word", ("quickstart", "quick start"))
def test_a_new_player_reads_the_quick_start_by_email_and_then_joins(newcomers, word):
    create(newcomers)
    asked = join(newcomers, "Bob")
    assert says(asked, letters_of.NEW_HERE)
    page = (resources.folder("docs") / "quickstart.md").read_text()
    answer = one(newcomers.reply(asked, f"help {word}"), "Bob")
    headings = re.findall(r"^#+ +(.*)$", page, re.MULTILINE)
    shown = answer.text.splitlines()
    assert [line for line in shown if line in headings] == headings
    assert not re.search(r"<!--|\]\(|\*\*|^\|", answer.text, re.MULTILINE)
    newcomers.reply(asked, "yes")
    assert [seat.name for seat in newcomers.table().players] == ["Bob"]


@pytest.mark.long
def test_somebody_else_s_yes_does_not_confirm_even_among_friends(newcomers):
    create(newcomers)
    asked = join(newcomers, "Bob")
    newcomers.service = newcomers.office.service = replace(newcomers.service, grade="friendly")
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


@pytest.mark.long
@pytest.mark.parametrize("word", ["yes", "Ja!", "oui", "Sí.", "y", "ok"])
def test_yes_in_other_words(newcomers, word):
    create(newcomers)
    newcomers.reply(join(newcomers, "Bob"), word)
    assert [seat.name for seat in newcomers.table().players] == ["Bob"]


@pytest.mark.long
def test_a_second_yes_is_answered_and_changes_nothing(newcomers):
    create(newcomers)
    asked = join(newcomers, "Bob")
    newcomers.reply(asked, "yes")
    [again] = newcomers.reply(asked, "yes")
    assert says(again, game_status.HAS_JOINED, names="Bob")
    assert "NOT DONE" not in again.subject


@pytest.mark.long
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
    assert says(letter, naming.IS_TAKEN, name="BÖB", game=GAME)


@pytest.mark.long
def test_names_in_other_alphabets_are_told_apart(newcomers):
    create(newcomers)
    for name, who in (("Вера", "vera@x.test"), ("Жанна", "zhanna@x.test")):
        [asked] = newcomers.stranger(who, f"join {GAME} as {name}")
        newcomers.reply(asked, "yes")
    assert [seat.name for seat in newcomers.table().players] == ["Вера", "Жанна"]


@pytest.mark.long
def test_joining_again_under_another_name_before_the_yes_renames_the_seat(newcomers):
    create(newcomers)
    [first] = newcomers.stranger(address("Bob"), f"join {GAME} as Rob")
    [asked] = newcomers.stranger(address("Bob"), f"join {GAME} as Bob")
    newcomers.reply(first, "yes")
    assert newcomers.table().players == ()
    newcomers.reply(asked, "yes")
    assert [seat.name for seat in newcomers.table().seats] == ["Bob"]
    [letter] = newcomers.stranger(address("Bob"), f"join {GAME} as Rob")
    assert says(letter, lobby.JOINED_ALREADY, game=GAME, name="Bob")


@pytest.mark.long
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
    assert says(letters[0], lobby.IS_FULL, game=GAME, count=5)
    assert len(newcomers.table().players) == 5


@pytest.mark.long
def test_a_yes_after_the_start_comes_too_late(newcomers):
    asked = {}
    created = create(newcomers)
    for name in (*NAMES, "Dan"):
        asked[name] = join(newcomers, name)
    for name in NAMES:
        newcomers.reply(asked[name], "yes")
    newcomers.reply(created, "start")
    [letter] = newcomers.reply(asked["Dan"], "yes")
    assert says(letter, lobby.BEGUN_WITHOUT_YOU, game=GAME)
    assert [seat.name for seat in newcomers.table().players] == list(NAMES)


@pytest.mark.long
def test_nobody_joins_a_game_that_has_begun_or_does_not_exist(players):
    [letter] = players.stranger("dan@x.test", f"join {GAME} as Dan")
    assert says(letter, lobby.HAS_BEGUN, game=GAME)
    [letter] = players.stranger("dan@x.test", "join nowhere as Dan")
    assert says(letter, lobby.NO_GAME, name="nowhere")


def test_too_few_players_cannot_start(newcomers):
    created = create(newcomers)
    newcomers.reply(join(newcomers, "Bob"), "yes")
    [letter] = newcomers.reply(created, "start")
    numbers = {"title": "18AL", "fewest": 3, "most": 5, "count": 1, "game": GAME}
    assert says(letter, lobby.WRONG_NUMBER, **numbers)
    assert newcomers.table().row.status == "open"


def everybody(people):
    created = create(people)
    welcome = {}
    for name in NAMES:
        welcome[name] = one(people.reply(join(people, name), "yes"), name, "welcome")
    return created, welcome


@pytest.mark.long
def test_only_the_organiser_starts_a_game(newcomers):
    created, welcome = everybody(newcomers)
    [letter] = newcomers.reply(welcome["Bob"], "start")
    assert says(letter, game_status.STARTER)
    letters = newcomers.reply(created, "start", sender="mallory@else.test")
    assert to(letters, "Ann") == ["foreign"]
    [letter] = newcomers.stranger(address("Ann"), f"start {GAME}")
    assert says(letter, requests.REPLY_START)
    assert newcomers.table().row.status == "open"
    newcomers.reply(welcome["Ann"], "start")
    assert newcomers.table().row.status == "running"


@pytest.mark.long
def test_among_friends_the_organiser_may_start_from_his_address_alone(newcomers):
    everybody(newcomers)
    newcomers.service = newcomers.office.service = replace(newcomers.service, grade="friendly")
    newcomers.stranger(address("Bob"), f"start {GAME}")
    assert newcomers.table().row.status == "open"
    newcomers.stranger(address("Ann"), f"start {GAME}")
    assert newcomers.table().row.status == "running"


def test_a_game_starts_once(newcomers):
    created, _ = everybody(newcomers)
    newcomers.reply(created, "start")
    before = newcomers.table().row
    [letter] = newcomers.reply(created, "start")
    assert says(letter, game_status.HAS_BEGUN, game=GAME)
    assert newcomers.table().row == before


@pytest.mark.long
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


@pytest.mark.long
def test_a_title_or_variant_that_does_not_exist_is_told(newcomers):
    [letter] = newcomers.stranger(address("Ann"), "create 18XX dixie")
    assert "18AL" in letter.text
    [letter] = newcomers.stranger(address("Ann"), "create 18AL dixie with nonsense")
    assert "nonsense" in letter.text
    [letter] = newcomers.stranger(address("Ann"), "create")
    assert says(letter, requests.HOW_TO_CREATE)


def test_a_game_s_name_is_given_once(players):
    [letter] = players.stranger("eve@x.test", f"create 18AL {GAME}")
    assert says(letter, lobby.GAME_IS_THERE, name=GAME)


@pytest.mark.long
def test_the_lot_depends_on_the_secret_and_not_on_the_order_of_joining():
    names = ["Ann", "Bob", "Cat", "Dan"]
    assert lobby.seed_of(SECRET, "g", names) == lobby.seed_of(SECRET, "g", names[::-1])
    assert lobby.seed_of(SECRET, "g", names) != lobby.seed_of(
        b"another secret, quite long", "g", names
    )
    assert lobby.seed_of(SECRET, "g", names) != lobby.seed_of(SECRET, "h", names)


@pytest.mark.long
def test_a_stranger_gets_some_answers_and_the_last_says_so(newcomers):
    letters = [newcomers.stranger("who@x.test", f"what is this? {n}") for n in range(8)]
    assert [len(found) for found in letters] == [1] * 6 + [0] * 2
    assert all(unsaid(found[0], stranger_mail.LAST_ANSWER) for found in letters[:5])
    assert says(letters[5][0], stranger_mail.LAST_ANSWER, until="15 January 2027, 09:00 UTC")
    newcomers.now += 3600
    assert len(newcomers.stranger("who@x.test", "and now?")) == 1


def test_a_newcomer_who_mistypes_can_join_at_once_and_have_the_offer_sent_again(newcomers):
    create(newcomers)
    newcomers.stranger(address("Bob"), "I would like to join, please")
    first = join(newcomers, "Bob")
    again = join(newcomers, "Bob")
    assert again.kind == "confirm" and again.message_id != first.message_id
    newcomers.reply(again, "yes")
    assert [seat.name for seat in newcomers.table().players] == ["Bob"]


@pytest.mark.long
def test_a_spectator_may_ask_more_than_once(players):
    for question in (f"status {GAME}", f"map {GAME}", f"history {GAME}"):
        assert len(players.stranger("eve@x.test", question)) == 1


def test_a_game_of_18ga_is_created_with_charleston_on_its_map(newcomers):
    newcomers.stranger(address("Ann"), "create 18GA north with cotton-port, 18xx.games")
    table = newcomers.table("north")
    assert table.title.variants == {"cotton-port", "18xx.games"}
    assert table.title.companies["GA"].more_homes == ("E15",)
    assert table.title.hexes["E15"].name == "Charleston"


@pytest.mark.long
def test_variants_of_one_address_share_its_answers(newcomers):
    answers = [newcomers.stranger(f"victim+{n}@x.test", "hello") for n in range(300)]
    assert sum(map(len, answers)) == 6


@pytest.mark.long
def test_addresses_of_one_domain_share_its_answers_and_the_operator_is_told_once(newcomers):
    found = []
    for number in range(70):
        found += newcomers.stranger(f"u{number}@x.test", "hello")
    told = [letter for letter in found if letter.to == OPERATOR]
    assert len(found) - len(told) == 60
    assert len(told) == 1 and says(told[0].subject, stranger_rations.TOO_MANY_SUBJECT)


@pytest.mark.long
def test_strangers_get_small_letters_without_pictures_and_without_their_own_words(players):
    spam = "BuyPills" * 4000
    said = [
        spam, f"join {spam} as {spam}", f"join {GAME} as {spam}", f"create 18AL {spam}",
        f"create {spam} dixie8", f"create 18AL dixie8 with {spam}",
        f"create 18AL dixie8 with price-end-{'9' * 5000}",
        f"create 18AL dixie8 overlay {spam}", f"start {spam}", f"help {spam}",
        f"help say {spam[:90]}", f"status {GAME} {spam}", f"map {GAME} {spam}", f"status {GAME}", f"map {GAME}", "create",
    ]  # fmt: skip
    before = players.pictures
    for number, text in enumerate(said):
        raw = players.mail(
            f"eve{number}@d{number}.test", ADDRESS, text, subject=f"Re: {spam[:900]}"
        )
        [letter] = players.send(raw)
        assert len(letter.mail.as_bytes()) < 9_000
        assert len(letter.text.encode()) <= 6_000
        assert "BuyPills" not in letter.mail.as_string() and "9999" not in letter.text
        assert not letter.html and not letter.pictures
    assert players.pictures == before
    assert players.store.mails.aside() == ()


def test_the_offer_of_a_seat_is_small_and_tells_how_long_it_holds(newcomers):
    [created] = newcomers.stranger(address("Ann"), f"create 18AL {GAME}")
    assert says(created, letters_of.IS_CANCELED)
    asked = join(newcomers, "Bob")
    assert says(asked, letters_of.KEPT_FOR_YOU, until="22 January 2027, 08:00 UTC")
    assert not asked.html and not created.html


# words before the start


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "mark"),
    [
        *(("strat", "NO"), ("kcik Bob", "NO"), ("buy TR", "NO"), ("tell Bob: x", "NO")),
        ("I leave you now", "not"),
    ],
)
def test_what_is_no_command_before_the_start_is_marked_and_nothing_is_done(newcomers, text, mark):
    created, welcome = everybody(newcomers)
    before = newcomers.table()
    for letter in (created, welcome["Ann"], welcome["Bob"]):
        [answer] = newcomers.reply(letter, text)
        assert answer.subject.endswith("NOT DONE")
        assert mark in answer.text.split()
        assert says(answer, game_status.HAS_JOINED, names="Ann, Bob, Cat")
    assert newcomers.table().seats == before.seats


@pytest.mark.long
def test_a_near_word_is_named(newcomers):
    created, _ = everybody(newcomers)
    [answer] = newcomers.reply(created, "strat")
    assert says(answer, reading.DID_YOU_MEAN, near="`start`")


@pytest.mark.long
def test_thousands_of_lines_get_one_small_answer(newcomers):
    created, _ = everybody(newcomers)
    letters = newcomers.reply(created, "kick Bob", *["z"] * 9000)
    answer = one(letters, "Ann")
    assert len(newcomers.table().players) == 2
    assert len(answer.mail.as_bytes()) < 80_000


@pytest.mark.long
def test_each_line_before_the_start_stands_for_itself(newcomers):
    created, _ = everybody(newcomers)
    lines = ("Hello Waybill,", "say: hello", "clock each 48x", "kick Bob", "That is all for now")
    letters = newcomers.reply(created, *lines)
    assert [seat.name for seat in newcomers.table().players] == ["Ann", "Cat"]
    assert newcomers.table().settings.clock == ""
    assert sorted(to(letters, "Bob")) == ["notice", "said"]
    assert to(letters, "Cat") == ["said"]
    receipt = one(letters, "Ann")
    marks = [line.split()[0] for line in receipt.text.splitlines() if line.startswith("  ")]
    marks = [mark for mark in marks if mark in ("ok", "NO", "not")]
    assert marks == ["ok", "NO", "ok", "not"]


def test_a_game_begins_as_the_rest_of_the_email_has_set_it(newcomers):
    created, _ = everybody(newcomers)
    letters = newcomers.reply(created, "start", "clock each 48h", "say: have fun", "status")
    table = newcomers.table()
    assert (table.row.status, table.settings.clock) == ("running", "each 48h")
    assert [clock.decision for clock in table.clocks] == ["SR 1, turn 1", "", ""]
    assert to(letters, "Ann") == ["receipt", "turn"]
    assert sorted(to(letters, "Bob")) == ["said", "welcome"]
    assert says(one(letters, "Ann"), before_start.SEATS_BY_LOT, names="Ann, Bob, Cat")


@pytest.mark.long
@pytest.mark.parametrize("line", ["clock each 48x", "history", "clokc each 48h", "kick Zoe"])
def test_a_game_does_not_begin_where_something_else_of_the_email_was_not_done(newcomers, line):
    created, _ = everybody(newcomers)
    [answer] = newcomers.reply(created, line, "start")
    assert newcomers.table().row.status == "open"
    assert says(answer, effects.NOT_ALL_DONE, word="start")


def test_a_seat_that_was_freed_beside_other_commands_leaves_its_address_to_nobody(newcomers):
    created, welcome = everybody(newcomers)
    newcomers.reply(created, "kick Bob", "clock each 48h", "kick Cat")
    assert newcomers.table().settings.clock == "each 48h"
    [asked] = newcomers.stranger("robert@x.test", f"join {GAME} as Bob")
    assert asked.reply_to.partition("@")[0] not in welcome["Bob"].reply_to
    newcomers.reply(asked, "yes")
    newcomers.reply(welcome["Bob"], "leave", sender="robert@x.test")
    assert [seat.name for seat in newcomers.table().players] == ["Ann", "Bob"]


def test_a_yes_beside_other_lines_takes_the_seat_and_tells_what_was_not_done(newcomers):
    create(newcomers)
    letters = newcomers.reply(join(newcomers, "Bob"), "Hello,", "yes", "say: hi all")
    assert [seat.name for seat in newcomers.table().players] == ["Bob"]
    welcome = one(letters, "Bob", "welcome")
    why = entry.NOT_YOU.format(word="say", who=entry.called(SAY.who))
    assert says(welcome, before_start.LINE_NOT_DONE, text="say: hi all", why=why)


def test_a_clock_that_a_player_chooses_before_the_start_is_refused(newcomers):
    _, welcome = everybody(newcomers)
    [answer] = newcomers.reply(welcome["Bob"], "clock each 48h")
    assert answer.subject.endswith("NOT DONE")
    assert newcomers.table().settings.clock == ""


@pytest.mark.long
@pytest.mark.parametrize("line", ["undo", "tell Bob: x", "pages public", "propose end"])
def test_nothing_can_be_done_in_a_game_that_was_called_off(newcomers, line):
    created, welcome = everybody(newcomers)
    newcomers.reply(created, f"cancel {GAME}")
    [answer] = newcomers.reply(welcome["Ann"], line)
    assert answer.subject.endswith("NOT DONE")
    assert says(answer, game_status.WAS_CANCELED, game=GAME)


def test_a_player_leaves_and_the_seat_can_be_taken_again_by_somebody_else(newcomers):
    _, welcome = everybody(newcomers)
    letters = newcomers.reply(welcome["Bob"], "leave")
    assert says(one(letters, "Bob"), before_start.FREE_AGAIN, name="Bob")
    assert says(one(letters, "Ann", "notice"), lobby.HAS_LEFT, name="Bob", game=GAME)
    assert [seat.name for seat in newcomers.table().players] == ["Ann", "Cat"]
    [asked] = newcomers.stranger("robert@x.test", f"join {GAME} as Bob")
    newcomers.reply(asked, "yes")
    assert [seat.address for seat in newcomers.table().players][-1] == "robert@x.test"
    # the former player's address is no address of the new one's seat
    assert asked.reply_to != welcome["Bob"].reply_to
    [letter] = newcomers.reply(welcome["Bob"], "leave")
    assert says(letter, entry.NOT_YOU, word="leave", who="a player or the organizer")
    assert says(letter, letters_of.FROM_A_SEAT)
    assert len(newcomers.table().players) == 3


@pytest.mark.long
def test_the_organiser_kicks_a_player_who_is_told(newcomers):
    created, welcome = everybody(newcomers)
    [refused] = newcomers.reply(welcome["Cat"], "kick Bob")
    assert refused.subject.endswith("NOT DONE") and len(newcomers.table().players) == 3
    [unknown] = newcomers.reply(created, "kick Zoe")
    assert says(unknown, DOES_NOT_PLAY, name="Zoe", names="Ann, Bob and Cat")
    letters = newcomers.reply(created, "kick bob")
    assert says(one(letters, "Bob", "notice"), lobby.SEAT_GIVEN, game=GAME)
    assert to(letters, "Ann") == ["receipt"] and to(letters, "Cat") == []
    assert [seat.name for seat in newcomers.table().players] == ["Ann", "Cat"]
    # a copy of that mail, or a second one, changes nothing
    [again] = newcomers.reply(created, "kick bob")
    assert again.subject.endswith("NOT DONE")


@pytest.mark.long
def test_the_organiser_calls_a_game_off(newcomers):
    created, welcome = everybody(newcomers)
    [asked] = newcomers.reply(created, "cancel")
    assert says(asked, lobby.ARE_YOU_SURE, game=GAME)
    assert newcomers.table().row.status == "open"
    letters = newcomers.reply(asked, f"cancel {GAME}")
    assert newcomers.table().row.status == "abandoned"
    for name in ("Bob", "Cat"):
        assert says(one(letters, name, "notice"), lobby.CANCELED_HEADLINE, game=GAME)
    for letter in (created, welcome["Ann"], welcome["Bob"]):
        for word in ("start", "cancel", "say: hello", "pay", "status"):
            [answer] = newcomers.reply(letter, word)
            assert says(answer, game_status.WAS_CANCELED, game=GAME)
    assert newcomers.table().row.status == "abandoned"
    assert newcomers.store.mails.aside() == ()
    [letter] = newcomers.stranger("dan@x.test", f"join {GAME} as Dan")
    assert says(letter, game_status.WAS_CANCELED, game=GAME)


def test_all_who_have_joined_hear_what_is_said_before_the_start(newcomers):
    _, welcome = everybody(newcomers)
    letters = newcomers.reply(welcome["Bob"], "say: shall we play on Sundays?")
    assert to(letters, "Bob") == ["receipt"]
    for name in ("Ann", "Cat"):
        sunday = {"name": "Bob", "text": "shall we play on Sundays?"}
        assert says(one(letters, name, "said"), SAYS, **sunday)


@pytest.mark.long
def test_an_organiser_who_does_not_play_speaks_and_asks_when_the_game_has_begun(newcomers):
    [created] = newcomers.stranger("olga@x.test", f"create 18AL {GAME}")
    for name in NAMES:
        newcomers.reply(join(newcomers, name), "yes")
    newcomers.reply(created, "start")
    letters = newcomers.reply(created, "say: have fun", "status", "buy TR")
    receipt = next(letter for letter in letters if letter.to == "olga@x.test")
    assert "It is Ann's turn" in flat(receipt) and "NO" in receipt.text.split()
    assert says(one(letters, "Cat", "said"), SAYS, text="have fun")
    assert newcomers.texts() == []


@pytest.mark.long
def test_the_map_can_be_seen_and_pictures_be_declined_before_the_start(newcomers):
    _, welcome = everybody(newcomers)
    [letter] = newcomers.reply(welcome["Bob"], "map")
    assert letter.pictures and "MAP" in letter.text
    [letter] = newcomers.reply(welcome["Bob"], "images off", "market")
    assert not letter.pictures and letter.subject.endswith("done")
    [letter] = newcomers.reply(welcome["Bob"], "history")
    assert says(letter, entry.NOT_BEFORE, word="history")


# what lapses


def test_offers_that_nobody_takes_lapse_and_the_organiser_is_told_once(newcomers):
    create(newcomers)
    bob, ghost = join(newcomers, "Bob"), join(newcomers, "Ghost")
    newcomers.reply(bob, "yes")
    newcomers.now += 7 * 86_400 - 1
    assert newcomers.remind() == []
    newcomers.now += 1
    [letter] = newcomers.remind()
    assert (letter.kind, letter.to) == ("unclaimed", address("Ann"))
    assert says(letter, expiry.FREE_AGAIN, days="7 days", names="Ghost")
    assert says(letter, expiry.JOINED, names="Bob")
    assert newcomers.remind() == []
    assert [seat.name for seat in newcomers.table().seats] == ["Bob"]
    [letter] = newcomers.reply(ghost, "yes")
    assert says(letter, entry.NOT_YOU, word="yes", who="somebody who was invited")
    assert says(letter, letters_of.FROM_A_SEAT)
    newcomers.reply(join(newcomers, "Ghost"), "yes")
    assert len(newcomers.table().players) == 2


@pytest.mark.long
def test_an_offer_of_before_offers_were_dated_counts_from_the_first_look(newcomers):
    create(newcomers)
    join(newcomers, "Bob")
    [seat] = newcomers.table().seats
    with newcomers.store.transaction() as tx:
        tx.seats.offer_anew(seat.id, seat.name, seat.epoch, 0)
    newcomers.now += 30 * 86_400
    assert newcomers.remind() == []
    newcomers.now += 7 * 86_400
    assert [letter.kind for letter in newcomers.remind()] == ["unclaimed"]


@pytest.mark.long
def test_what_is_due_is_done_once_though_two_workers_look(newcomers):
    create(newcomers)
    join(newcomers, "Ghost")
    newcomers.now += 7 * 86_400
    other = newcomers.new_office("other")
    assert newcomers.office.remind() + other.remind() == 1


@pytest.mark.long
def test_join_in_reply_to_a_game_s_letter_is_told_where_it_belongs(newcomers):
    _, welcome = everybody(newcomers)
    [letter] = newcomers.reply(welcome["Bob"], f"join {GAME} as Rob")
    assert says(letter, entry.TO_WAYBILL, word="join")


def test_a_game_that_does_not_begin_lapses_and_all_are_told_once(newcomers):
    _, welcome = everybody(newcomers)
    newcomers.now += 60 * 86_400
    letters = newcomers.remind()
    assert sorted(letter.to for letter in letters) == sorted(map(address, NAMES))
    assert all(says(letter, expiry.LAPSED, game=GAME, days="60 days") for letter in letters)
    assert newcomers.remind() == []
    assert newcomers.table().row.status == "abandoned"
    [letter] = newcomers.reply(welcome["Ann"], "start")
    assert says(letter, game_status.WAS_CANCELED, game=GAME)


@pytest.mark.long
def test_a_game_that_runs_does_not_lapse(players):
    players.now += 400 * 86_400
    assert players.remind() == []
    assert players.table().row.status == "running"


# names


@pytest.mark.long
@pytest.mark.parametrize(
    "name", ["Аnn", "Moderаtor", "Оrganiser", "Wаybill", "Annа", "Orɡaniser", "0rganiser", "Tusс"]
)
def test_names_that_only_look_like_others_are_refused_and_told_why(newcomers, name):
    create(newcomers)
    newcomers.reply(join(newcomers, "Ann"), "yes")
    [letter] = newcomers.stranger("mallory@x.test", f"join {GAME} as {name}")
    assert letter.subject.endswith("NOT DONE")
    assert [seat.name for seat in newcomers.table().seats] == ["Ann"]


@pytest.mark.long
@pytest.mark.parametrize(("first", "second"), [("Bill", "BiIl"), ("Tom", "Torn"), ("Ace", "Асе")])
def test_two_players_names_do_not_look_the_same(newcomers, first, second):
    create(newcomers)
    newcomers.stranger("first@x.test", f"join {GAME} as {first}")
    [letter] = newcomers.stranger("second@x.test", f"join {GAME} as {second}")
    assert says(letter, naming.LOOKS_LIKE_ANOTHER, name=second, other=first)


def test_a_game_s_name_does_not_look_like_another_s(newcomers):
    newcomers.stranger(address("Ann"), "create 18AL modern1")
    for name in ("modernl", "rnodern1", "m0dern1"):
        [letter] = newcomers.stranger(f"{name}@x.test", f"create 18AL {name}")
        assert says(letter, naming.LOOKS_LIKE_ANOTHER, name=name, other="modern1")
    for name in ("waybi11", "m0derator"):
        [letter] = newcomers.stranger(f"{name}@x.test", f"create 18AL {name}")
        assert says(letter, naming.LOOKS_LIKE_A_WORD, name=name)


@pytest.mark.long
def test_a_seat_that_is_renamed_leaves_its_old_address_to_nobody(newcomers):
    create(newcomers)
    [first] = newcomers.stranger("a@x.test", f"join {GAME} as Rob")
    newcomers.stranger("a@x.test", f"join {GAME} as Bob")
    [other] = newcomers.stranger("b@x.test", f"join {GAME} as Rob")
    assert first.reply_to != other.reply_to


@pytest.mark.long
def test_anybody_may_ask_for_games_help_and_public_positions(players):
    players.send(
        players.mail(address("Ann"), players.seat_address(GAME, "organiser"), "pages public")
    )
    for number, (question, answer) in enumerate(
        [
            ("games", f"{GAME} (18AL): running"),
            ("help", "status"),
            (f"status {GAME}", "buy or bid"),
            (f"history {GAME}", "SR 1 began"),
            (f"map {GAME}", "MAP"),
            (f"status {GAME} nothing", "Waybill did not understand"),
        ]
    ):
        [letter] = players.stranger(f"eve{number}@x.test", question)
        assert answer in letter.text
        assert letter.reply_to == ADDRESS
        assert "dixie9.ann" not in letter.mail.as_string()


def test_a_stranger_s_email_with_three_questions_gets_three_answers_in_one_email(players):
    players.send(
        players.mail(address("Ann"), players.seat_address(GAME, "organiser"), "pages public")
    )
    [letter] = players.stranger("eve@x.test", f"status {GAME}", "help lay", "games")
    assert (letter.kind, letter.reply_to) == ("answer", ADDRESS)
    lines = [line.strip() for line in letter.text.splitlines()]
    places = [lines.index(f"> {asked}") for asked in (f"status {GAME}", "help lay", "games")]
    assert places == sorted(places)
    assert "buy or bid" in letter.text and f"{GAME} (18AL): running" in letter.text


@pytest.mark.parametrize(
    "lines", [("I would like to play 18xx",), ("How do I play?",), ("Question: who runs this?",),
              ("play pass", "order something")],
)  # fmt: skip
def test_a_stranger_who_asks_in_their_own_words_is_told_how_waybill_works(newcomers, lines):
    [letter] = newcomers.stranger("zed@elsewhere.test", "Hello there,", *lines)
    assert (letter.kind, letter.to) == ("answer", "zed@elsewhere.test")
    assert "create 18AL" in letter.text


def test_all_lines_of_a_stranger_that_were_not_read_are_named(newcomers):
    asked = ("games", "How do I play?", "It is late", "Is it for me?")
    [letter] = newcomers.stranger("zed@elsewhere.test", *asked)
    assert says(letter, stranger_mail.LINES, numbers="2, 3 and 4")


def test_a_stranger_creates_a_game_and_joins_it_in_one_email(newcomers):
    letters = newcomers.stranger(
        address("Ann"), "Hello,", f"create 18AL {GAME}", f"join {GAME} as Ann", "Cheers, Ann"
    )
    assert to(letters, "Ann") == ["created", "confirm"]
    newcomers.reply(one(letters, "Ann", "confirm"), "yes")
    assert [seat.name for seat in newcomers.table().players] == ["Ann"]
    letters = newcomers.stranger(address("Bob"), f"join {GAME} as Bob; standby {GAME}; games")
    assert to(letters, "Bob") == ["confirm", "confirm", "answer"]
    assert says(one(letters, "Bob", "answer"), stranger_mail.ANOTHER_LETTER)
    assert f"{GAME} (18AL)" in one(letters, "Bob", "answer").text


def test_what_a_stranger_may_not_do_is_told_beside_what_is_done(newcomers):
    letters = newcomers.stranger(
        address("Ann"), f"create 18AL {GAME}", "join nowhere as Ann", "buy TR", "jion it"
    )
    assert to(letters, "Ann") == ["created", "answer"]
    told = one(letters, "Ann", "answer")
    assert says(told, lobby.NO_GAME, name="nowhere")
    assert says(told, reading.DID_YOU_MEAN, near="`join`")
    assert "buy" not in told.text and "jion" not in told.text
    assert newcomers.table().row.status == "open"


def test_an_email_of_a_stranger_causes_few_letters(newcomers):
    names = [f"game{n}" for n in range(9)]
    letters = newcomers.stranger("eve@x.test", *(f"create 18AL {name}" for name in names))
    assert [letter.kind for letter in letters] == [*["created"] * stranger_mail.MOST, "answer"]
    assert says(letters[-1], stranger_mail.ENOUGH, most=stranger_mail.MOST)
    with newcomers.store.transaction() as tx:
        assert [row.name for row in tx.games.lines()] == names[: stranger_mail.MOST]
    # all six answers of this hour are used up, so nothing more is done
    assert newcomers.stranger("eve@x.test", "create 18AL another") == []
    assert newcomers.table("another") is None


def test_nothing_is_done_for_a_stranger_that_nobody_would_be_told_of(newcomers):
    for number in range(4):
        newcomers.stranger("eve@x.test", f"games {number}")
    names = ("lone", "second", "third")
    letters = newcomers.stranger("eve@x.test", *(f"create 18AL {name}" for name in names))
    assert [letter.kind for letter in letters] == ["created", "answer"]
    assert says(letters[-1], stranger_mail.NO_ANSWERS_LEFT)
    assert newcomers.table("lone") is not None and newcomers.table("second") is None


def test_a_second_line_of_the_same_is_refused(newcomers):
    create(newcomers)
    letters = newcomers.stranger(address("Bob"), *[f"join {GAME} as Bob"] * 2)
    assert to(letters, "Bob") == ["confirm", "answer"]
    assert says(one(letters, "Bob", "answer"), by_letter.TWICE)
    newcomers.reply(one(letters, "Bob", "confirm"), "yes")
    assert [seat.name for seat in newcomers.table().players] == ["Bob"]


def test_a_stranger_cannot_see_options_or_try(players):
    [letter] = players.stranger("eve@x.test", f"try {GAME}: buy TR")
    assert says(letter, entry.NOT_YOU, word="try", who="a player or a deputy")


@pytest.mark.long
def test_before_the_start_a_player_gets_help_and_how_it_stands(newcomers):
    _, welcome = everybody(newcomers)
    [letter] = newcomers.reply(welcome["Bob"], "help")
    assert says(letter, helping.COMMANDS)
    [letter] = newcomers.reply(welcome["Bob"], "when do we start?")
    assert says(letter, game_status.HAS_JOINED, names="Ann, Bob, Cat")


@pytest.mark.long
def test_a_player_who_writes_to_the_plain_address_is_told_where_to_write(players):
    [letter] = players.stranger(address("Bob"), "say: hello")
    assert says(letter, wrong_address.YOU_PLAY, seats=f"Bob in {GAME}")
    assert letter.reply_to == players.seat_address(GAME, "Bob", number=0)


def test_a_stranger_reads_which_games_wait_and_which_go_on(players):
    players.send(
        players.mail(address("Ann"), players.seat_address(GAME, "organiser"), "pages public")
    )
    players.stranger(address("Dan"), "create 18GA peaches")
    [told] = players.stranger("eve@else.test", "hello there")
    assert says(told, letters_of.PUBLIC_GAMES, games=f"{GAME}, peaches")


@pytest.mark.long
def test_a_start_written_to_the_moderator_is_asked_back_and_begins_with_the_reply(newcomers):
    newcomers.stranger(address("Ann"), f"create 18AL {GAME}")
    for name in NAMES:
        [asked] = newcomers.stranger(address(name), f"join {GAME} as {name}")
        newcomers.reply(asked, "yes")
    [back] = newcomers.stranger(address("Ann"), f"start {GAME}")
    assert back.to == address("Ann")
    assert "NOT DONE" not in back.subject + back.text
    assert says(back, requests.REPLY_START)
    assert back.reply_to == newcomers.seat_address(GAME, ORGANISER)
    assert newcomers.table().row.status == "open"
    newcomers.reply(back, "start")
    assert newcomers.table().row.status == "running"


@pytest.mark.long
@pytest.mark.parametrize("text", ["start", f"start {GAME}"])
def test_a_friendly_moderator_starts_at_once(newcomers, text):
    newcomers.grade = "friendly"
    newcomers.__post_init__()
    newcomers.stranger(address("Ann"), f"create 18AL {GAME}")
    for name in NAMES:
        [asked] = newcomers.stranger(address(name), f"join {GAME} as {name}")
        newcomers.reply(asked, "yes")
    newcomers.stranger(address("Ann"), text)
    assert newcomers.table().row.status == "running"


@pytest.mark.long
@pytest.mark.parametrize("grade", ["standard", "friendly"])
def test_a_start_that_cannot_be_says_why(newcomers, grade):
    newcomers.grade = grade
    newcomers.__post_init__()
    newcomers.stranger(address("Ann"), f"create 18AL {GAME}")
    [eve] = newcomers.stranger("eve@elsewhere.test", f"start {GAME}")
    assert says(eve, requests.ORGANISER_STARTS)
    assert address("Ann") not in eve.text
    [none] = newcomers.stranger(address("Ann"), "start nowhere")
    assert says(none, lobby.NO_GAME, name="nowhere")
    assert newcomers.table().row.status == "open"


def test_a_started_game_s_organiser_is_told_that_it_has_begun(players):
    [told] = players.stranger(address("Ann"), f"start {GAME}")
    assert says(told, lobby.HAS_BEGUN_ALREADY, game=GAME)


@pytest.mark.long
@pytest.mark.parametrize("grade", ["standard", "friendly"])
def test_a_player_s_question_to_the_moderator_is_answered(players, grade):
    players.grade = grade
    players.__post_init__()
    for word in ("status", "market", "history"):
        [told] = players.stranger(address("Bob"), f"{word} {GAME}")
        assert told.to == address("Bob")
        assert "NOT DONE" not in told.subject
        assert "$600" in told.text or word != "status"


@pytest.mark.long
def test_a_player_may_name_the_game_at_the_seat_too(players):
    receipt = one(players.write("Bob", f"status {GAME}", f"history {GAME} SR 1"), "Bob")
    assert "NOT DONE" not in receipt.subject
    assert "PLAYERS" in receipt.text
    receipt = one(players.write("Bob", f"status {GAME} L&N"), "Bob")
    assert "L&N" in receipt.text and unsaid(receipt, queries.IS_NONE)


@pytest.mark.long
def test_a_friendly_mail_that_asks_and_acts_is_done_whole(players):
    players.grade = "friendly"
    players.__post_init__()
    players.stranger(address("Ann"), f"status {GAME}", "buy TR")
    assert players.texts() == ["buy TR"]


def test_a_game_that_waits_tells_anybody_how_it_stands(newcomers):
    newcomers.stranger(address("Ann"), f"create 18AL {GAME}")
    [told] = newcomers.stranger("dora@elsewhere.test", f"status {GAME}")
    assert says(told, HAS_JOINED, game=GAME, names="nobody")
    assert says(told, letters_of.JOIN_AS, game=GAME)


@pytest.mark.long
def test_what_an_organiser_chooses_stands_in_one_mail(newcomers):
    """A clock is no time that is given to a player, as it would be in a game that has begun."""
    created = create(newcomers)
    letters = newcomers.reply(
        created, "clock fischer 20d + 12h cap 20d", "caretaker on", "grade standard", "late hidden"
    )
    assert "NO" not in one(letters, "Ann").text
    settings = newcomers.table().settings
    assert (settings.clock, settings.caretaker) == ("fischer 20d + 12h cap 20d", True)
    assert (settings.grade, settings.late) == ("standard", False)
