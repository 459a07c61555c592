"""Tokens of seats and organisers: renewed on request, when they were shown, and never brought back."""

import re
import shutil
import threading
from dataclasses import replace

import pytest

from service.desk.identity import credentials
from service.desk.proving import owners
from service.desk.strangers import wrong_address
from service.desk.turns.turn import TurnEmail
from service.games import retreat
from service.games.games import at_new_address, with_new_token
from service.mail import identity
from service.reports import letters as letters_of
from service.said import RENEWED
from service.store import Conflict, Store
from tests.service.players import (
    ADDRESS,
    GAME,
    SECRET,
    address,
    buttons,
    flat,
    one,
    opened,
    says,
    to,
)

pytest_plugins = ["tests.service.postgres"]


def epoch(players, name):
    return players.table().seat(name).epoch


# the service moves


def moved(players, *former):
    """The service has another address from now on."""
    players.service = replace(players.service, address="waybill@new.test", former=former)
    players.office = players.new_office("worker")


@pytest.mark.parametrize("way", ["by the address", "by the thread"])
def test_a_reply_to_a_former_address_proves_its_seat(players, way):
    turn = players.latest("Ann")
    moved(players, "else@where.test", ADDRESS)
    to_ = turn.reply_to if way == "by the address" else ADDRESS
    letters = players.write("Ann", "buy TR", to=to_, answers=turn)
    assert players.texts() == ["buy TR"]
    assert one(letters, "Bob", "turn").reply_to.endswith("@new.test")


def test_a_reply_to_an_address_that_is_not_known_proves_no_seat(players):
    turn = players.latest("Ann")
    moved(players, "else@where.test")
    players.reply(turn, "buy TR")
    assert players.texts() == []


# on request


@pytest.mark.long
def test_new_token_brings_a_new_address_and_the_old_one_is_dead_at_once(players):
    turn = players.latest("Ann")
    letters = players.reply(turn, "new token")
    assert to(letters, "Ann") == ["receipt", "turn"], "the turn is answered from now on by this one"
    assert epoch(players, "Ann") == 1
    receipt, again = one(letters, "Ann"), one(letters, "Ann", "turn")
    assert says(receipt, RENEWED)
    for letter in (receipt, again):
        claim = identity.read_address(letter.reply_to, ADDRESS)
        assert identity.match(SECRET, claim, {"Ann": 1}) == "Ann"
        by_thread = identity.read_message_id(letter.message_id, ADDRESS)
        assert identity.match(SECRET, by_thread, {"Ann": 1}) == "Ann"
    old = players.reply(turn, "buy TR")
    assert players.texts() == []
    assert says(one(old, "Ann", "answer"), wrong_address.YOU_PLAY)
    players.reply(again, "buy TR")
    assert players.texts() == ["buy TR"]


@pytest.mark.long
def test_old_letters_prove_nothing_by_their_thread_once_the_token_is_renewed(players):
    turn = players.latest("Ann")
    players.write("Ann", "new token")
    players.send(players.mail(address("Ann"), ADDRESS, "buy TR", answers=turn))
    assert players.texts() == []


@pytest.mark.long
def test_among_friends_an_old_token_in_other_hands_is_dead(players):
    players.service = players.office.service = replace(players.service, grade="friendly")
    turn = players.latest("Ann")
    players.reply(turn, "new token")
    players.reply(turn, "buy TR", sender="mallory@else.test")
    players.press(replace_to(turn, "mallory@else.test"), "Pass")
    assert players.texts() == []


def replace_to(letter, reader):
    """The letter as somebody else has it."""
    return replace(letter, to=reader)


@pytest.mark.long
def test_new_token_goes_with_the_commands_of_the_mail(players):
    letters = players.reply(players.latest("Ann"), "buy TR", "new token")
    assert players.texts() == ["buy TR"]
    assert epoch(players, "Ann") == 1
    assert to(letters, "Bob") == ["turn"]


@pytest.mark.long
def test_new_without_token_is_marked(players):
    letters = players.write("Ann", "new address please")
    assert epoch(players, "Ann") == 0
    assert says(one(letters, "Ann"), credentials.HOW_TO_RENEW)


@pytest.mark.long
def test_before_the_start_players_and_organiser_renew_their_addresses(newcomers):
    [created] = newcomers.stranger(address("Ann"), f"create 18AL {GAME}")
    welcome = {}
    for name in ("Ann", "Bob", "Cat"):
        [asked] = newcomers.stranger(address(name), f"join {GAME} as {name}")
        welcome[name] = one(newcomers.reply(asked, "yes"), name, "welcome")
    [new] = newcomers.reply(welcome["Bob"], "new token")
    assert epoch(newcomers, "Bob") == 1
    assert says(new, RENEWED)
    assert says(newcomers.reply(welcome["Bob"], "hello")[0], wrong_address.YOU_PLAY)
    [new] = newcomers.reply(created, "new token")
    assert newcomers.table().row.epoch == 1
    newcomers.reply(created, "start")
    assert newcomers.table().row.status == "open", "the organizer's old address is void"
    newcomers.reply(new, "start")
    assert newcomers.table().row.status == "running"
    assert newcomers.table().row.epoch == 1, "the start of the game keeps it"


# shown to others


@pytest.mark.long
@pytest.mark.parametrize("header", ["Cc", "To"])
def test_a_token_that_a_mail_shows_to_others_is_renewed_and_the_mail_is_done(players, header):
    seat = players.seat_address(GAME, "Ann")
    headers = {"Cc": "Zoe <zoe@else.test>"} if header == "Cc" else {}
    to_all = seat if header == "Cc" else f"{seat}, zoe@else.test"
    letters = players.write("Ann", "buy TR", to=to_all, **headers)
    assert players.texts() == ["buy TR"]
    assert epoch(players, "Ann") == 1
    told = one(letters, "Ann", "renewed")
    assert "zoe@else.test" in flat(told)
    assert to(letters, "Ann") == ["renewed", "receipt"]
    for letter in (told, one(letters, "Ann")):
        claim = identity.read_address(letter.reply_to, ADDRESS)
        assert identity.match(SECRET, claim, {"Ann": 1}) == "Ann"
    assert "zoe@else.test" not in {letter.to for letter in letters}


@pytest.mark.long
def test_a_token_shown_by_the_mail_that_is_answered_is_renewed_too(players):
    turn = players.latest("Ann")
    players.send(players.mail(address("Ann"), ADDRESS, "buy TR", answers=turn, Cc="zoe@else.test"))
    assert players.texts() == ["buy TR"]
    assert epoch(players, "Ann") == 1


@pytest.mark.long
@pytest.mark.parametrize(
    "cc",
    [
        "jörg@else.test",
        *(
            pytest.param(one, marks=pytest.mark.long)
            for one in ('"Zoe Doe"@else.test', "zoe@[192.0.2.1]", "zoe@else.test.", "a@b@c.test")
        ),
        ", ".join([*(f"play+{n}@waybill.test" for n in range(200)), "zoe@else.test"]),
    ],
)
def test_a_token_is_shown_to_those_too_whose_address_we_would_not_write_to(players, cc):
    raw = players.mail(address("Ann"), players.seat_address(GAME, "Ann"), "buy TR")
    letters = players.send(raw.replace(b"Subject:", b"Cc: %s\nSubject:" % cc.encode(), 1))
    assert to(letters, "Ann") == ["renewed", "receipt"]
    assert epoch(players, "Ann") == 1


@pytest.mark.parametrize("cc", ["undisclosed-recipients:;", "Waybill <>", ""])
def test_a_field_without_an_address_shows_a_token_to_nobody(players, cc):
    raw = players.mail(address("Ann"), players.seat_address(GAME, "Ann"), "buy TR")
    letters = players.send(raw.replace(b"Subject:", b"Cc: %s\nSubject:" % cc.encode(), 1))
    assert to(letters, "Ann") == ["receipt"]


def test_copies_to_oneself_and_to_the_moderator_share_nothing(players):
    seat = players.seat_address(GAME, "Ann")
    players.write("Ann", "buy TR", to=f"{seat}, {ADDRESS}", Cc=f"Ann <{address('Ann').upper()}>")
    assert players.texts() == ["buy TR"]
    assert epoch(players, "Ann") == 0


@pytest.mark.long
def test_traces_of_delivery_are_nobody_else(players):
    players.write("Ann", "buy TR", X_Original_To="box@provider.test", Delivered_To="box@x.test")
    assert epoch(players, "Ann") == 0


def test_a_shown_token_proves_nothing_in_other_hands_even_among_friends(players):
    players.service = players.office.service = replace(players.service, grade="friendly")
    letters = players.write("Ann", "buy TR", sender="mallory@else.test", Cc="zoe@else.test")
    assert players.texts() == []
    assert epoch(players, "Ann") == 1
    assert to(letters, "Ann") == ["renewed", "foreign"]


@pytest.mark.long
def test_an_organiser_s_shown_token_is_renewed_and_the_start_is_done(newcomers):
    [created] = newcomers.stranger(address("Ann"), f"create 18AL {GAME}")
    for name in ("Ann", "Bob", "Cat"):
        [asked] = newcomers.stranger(address(name), f"join {GAME} as {name}")
        newcomers.reply(asked, "yes")
    letters = newcomers.reply(created, "start", Cc="zoe@else.test")
    assert newcomers.table().row.status == "running"
    assert newcomers.table().row.epoch == 1
    assert "renewed" in to(letters, "Ann")


@pytest.mark.long
def test_a_stranger_cannot_have_a_token_renewed(players):
    forged = f"play+{GAME}.ann.aaaaaaaaaaaaaaaa.0@waybill.test"
    players.write("Ann", "pass", to=forged, sender="mallory@else.test", Cc="zoe@else.test")
    assert epoch(players, "Ann") == 0


def test_a_mail_that_is_begun_again_after_renewing_its_token_is_still_proved(players, monkeypatch):

    real, died = TurnEmail.effect, []

    def once(self):
        if not died:
            died.append(1)
            raise Conflict("the power failed after the renewal")
        return real(self)

    monkeypatch.setattr(TurnEmail, "effect", once)
    letters = players.write("Ann", "buy TR", Cc="zoe@else.test")
    assert players.texts() == ["buy TR"]
    assert epoch(players, "Ann") == 1, "one email renews once"
    assert to(letters, "Ann") == ["renewed", "receipt"]


# from another address of the player's


@pytest.mark.long
def test_a_mail_from_elsewhere_waits_for_the_owner_s_yes(players):
    letters = players.write("Ann", "buy TR", sender="ann@work.test")
    assert players.texts() == []
    told, away = one(letters, "Ann", "foreign"), [x for x in letters if x.to == "ann@work.test"]
    assert "buy TR" in told.text
    assert len(away) == 1
    assert GAME in away[0].text
    assert "play+" not in str(away[0].mail), "the other address gets no token"
    letters = players.press(told, "Yes, it was me")
    assert players.texts() == ["buy TR"]
    assert to(letters, "Ann") == ["receipt"]
    assert to(letters, "Bob") == ["turn"]


@pytest.mark.long
def test_a_yes_counts_once(players):
    told = one(players.write("Ann", "say: hi", sender="ann@work.test"), "Ann", "foreign")
    assert to(players.press(told, "Yes, it was me"), "Bob") == ["news"]
    letters = players.press(told, "Yes, it was me")
    assert to(letters, "Bob") == []
    assert says(one(letters, "Ann"), letters_of.NO_EMAIL_WAITS, name="Ann")


@pytest.mark.long
def test_a_yes_to_a_mail_of_a_position_that_is_gone_does_nothing(players):
    told = one(players.write("Ann", "buy TR", sender="ann@work.test"), "Ann", "foreign")
    players.now += 60
    players.reply(players.latest("Ann"), "bid M&C 110")
    players.reply(players.latest("Bob"), "bid NDY 125")
    players.reply(players.latest("Cat"), "pass")
    before = players.texts()
    letters = players.press(told, "Yes, it was me")
    assert players.texts() == before
    assert says(one(letters, "Ann"), retreat.ANSWERS_EARLIER, answered=0)


@pytest.mark.long
def test_only_the_registered_address_of_that_seat_confirms(players):
    told = one(players.write("Ann", "buy TR", sender="ann@work.test"), "Ann", "foreign")
    number = flat(told).split("`yes ")[1].split("`")[0]
    players.reply(told, f"yes {number}", sender="ann@work.test")
    players.write("Bob", f"yes {number}")
    players.stranger(address("Ann"), f"yes {number}")
    assert players.texts() == []
    players.write("Ann", f"Yes {number}.")
    assert players.texts() == ["buy TR"]


@pytest.mark.long
def test_a_yes_without_a_mail_that_waits_is_refused(players):
    letters = players.write("Ann", "yes 999")
    assert says(one(letters, "Ann"), letters_of.NO_EMAIL_WAITS, number=999)
    players.reply(players.latest("Ann"), "buy TR")
    letters = players.write("Ann", "yes 1")
    assert says(one(letters, "Ann"), letters_of.NO_EMAIL_WAITS, number=1)


# buttons


def pressed(players, letter, label, *lines, **how):
    """What somebody sends who has the link of a button, with lines of their own."""
    receiver, subject, commands = buttons(letter)[label]
    sender = how.pop("sender", letter.to)
    return players.send(players.mail(sender, receiver, *(lines or commands), subject=subject))


def test_no_button_has_the_token_of_the_seat(players):
    turn = players.latest("Ann")
    own = identity.read_address(turn.reply_to, ADDRESS)
    shots = [identity.read_address(to_, ADDRESS) for to_, _, _ in buttons(turn).values()]
    assert shots
    assert all(shot.shot and shot.token != own.token for shot in shots)
    assert own.token not in turn.html
    again = shots[0]
    assert identity.match(SECRET, again, {"Ann": 0}) == "Ann"
    assert identity.match(SECRET, replace(again, shot=False), {"Ann": 0}) is None
    assert identity.match(SECRET, replace(again, number=again.number + 1), {"Ann": 0}) is None


@pytest.mark.long
def test_a_button_s_token_dies_with_its_decision(players):
    turn = players.latest("Ann")
    assert to(pressed(players, turn, "Pass", "say: hello"), "Bob") == ["news"], "while it stands"
    players.reply(turn, "buy TR")
    before = players.texts()
    letters = pressed(players, turn, "Pass", "say: hello again")
    assert to(letters, "Bob") == []
    assert says(one(letters, "Ann", "foreign"), owners.DECISION_IS_OVER)
    for lines in (("new token",), ("pass round",), ("accept 1",), ("undo",), ("pass", "say: x")):
        pressed(players, turn, "Pass", *lines)
    assert players.texts() == before
    assert epoch(players, "Ann") == 0
    assert not players.table().orders


@pytest.mark.long
def test_among_friends_a_dead_button_in_other_hands_does_nothing(players):
    players.service = players.office.service = replace(players.service, grade="friendly")
    turn = players.latest("Ann")
    players.reply(turn, "buy TR")
    before = players.texts()
    pressed(players, turn, "Pass", "new token", sender="mallory@else.test")
    assert (players.texts(), epoch(players, "Ann")) == (before, 0)


@pytest.mark.long
def test_a_yes_is_taken_by_a_dead_button_for_its_number_is_the_proof(players):
    told = one(players.write("Ann", "say: late", sender="ann@work.test"), "Ann", "foreign")
    players.reply(players.latest("Ann"), "buy TR")
    assert to(players.press(told, "Yes, it was me"), "Bob") == ["news"]


# two writers


@pytest.fixture
def writers(database, begun_game):
    """As in other tests, on each of the databases."""
    if database.startswith("sqlite"):
        shutil.copy(begun_game.file, database.removeprefix("sqlite:///"))
    found = opened(database, first=1000)
    found.letters = list(begun_game.letters)
    if not database.startswith("sqlite"):
        found.begin()
    yield found
    found.store.close()


@pytest.mark.long
def test_a_mail_in_flight_brings_no_old_token_back(writers, database, monkeypatch):
    """While a mail is worked on its seat is renewed and moved by another process."""

    real, raced = TurnEmail._receipt, []
    seat = writers.table().seat("Ann")

    def elsewhere():
        other = Store(database)
        with other.transaction() as tx:
            assert tx.seats.renew(seat.id, seat.epoch)
            tx.seats.move(seat.id, "ann@new.test")
        other.close()

    def race(self, *args):
        if not raced:
            raced.append(1)
            thread = threading.Thread(target=elsewhere)
            thread.start()
            thread.join()
        return real(self, *args)

    monkeypatch.setattr(TurnEmail, "_receipt", race)
    letters = writers.write("Ann", "images off", "buy TR")
    now = writers.table().seat("Ann")
    assert (now.epoch, now.address) == (seat.epoch + 2, "ann@new.test")
    assert writers.texts() == [], "by the time it is begun again its token is void"
    assert not [x for x in letters if x.to == "ann@new.test"]


@pytest.mark.long
def test_two_workers_who_change_a_seat_keep_both_changes(writers, database):
    seat, other = writers.table().seat("Ann"), Store(database)
    with writers.store.transaction() as tx:
        read = tx.seats.of(seat.game_id)[seat.position]
    with other.transaction() as tx:
        assert tx.seats.renew(read.id, read.epoch)
        assert not tx.seats.renew(read.id, read.epoch), "one token is made void once"
    with writers.store.transaction() as tx:
        tx.seats.change(read.id, settings=b'{"images": false}', status="joined")
    other.close()
    now = writers.table().seat("Ann")
    assert (now.epoch, now.settings) == (1, b'{"images": false}')


def test_a_seat_that_moves_to_another_address_has_a_new_token(writers):
    seat = writers.table().seat("Ann")
    turn = writers.latest("Ann")
    with writers.store.transaction() as tx:
        tx.seats.move(seat.id, "Zoe@new.test")
    letters = writers.reply(turn, "buy TR")
    assert writers.texts() == []
    assert to(letters, "Ann") == ["answer"]
    assert says(letters[0], letters_of.NO_SEAT_YET)


# the whole house


@pytest.mark.long
def test_the_default_asks_for_both_token_and_address(tmp_path, monkeypatch):
    from service.app.wiring import service_of
    from service.settings import DataSection, MailSection, Settings

    mail = MailSection(address=ADDRESS)
    service = service_of(Settings(mail=mail, data=DataSection(dir=str(tmp_path))))
    assert service.grade == "standard"


@pytest.mark.long
def test_no_letter_has_the_token_of_anybody_but_its_reader(players):
    players.reply(players.latest("Ann"), "bid NDY 125", "say: hello", "status")
    players.write("Bob", "buy TR", sender="bob@work.test", Cc="zoe@else.test")
    players.reply(players.latest("Bob"), "pass")
    players.write("Cat", "new token", "nonsense", "history")
    players.stranger("eve@else.test", f"status {GAME}")
    players.stranger(address("Cat"), "where do I write?")
    seen = set()
    for letter in players.letters:
        raw = letter.mail.as_string() + letter.text + letter.html
        for token in re.findall(
            r"\+[\w-]+\.([\w-]+)\.[a-z2-7]{16}|<[\w-]+\.([\w-]+)\.[a-z2-7]{16}", raw
        ):
            whose = token[0] or token[1]
            seen.add(whose)
            owner = "ann" if whose == "organiser" else whose
            assert letter.to == address(owner.title()), (letter.kind, letter.to, whose)
        assert not re.search(r"\.[a-z2-7]{16}\b", letter.text), letter.kind
    assert seen == {"ann", "bob", "cat", "organiser"}


def test_a_seat_with_another_token_is_in_memory_as_it_is_stored(players):
    before = players.table().seat("Ann")
    with players.store.transaction() as tx:
        tx.seats.renew(before.id, before.epoch, 7)
    renewed = players.table().seat("Ann")
    assert renewed == with_new_token(before, 7) and renewed.epoch == before.epoch + 1
    with players.store.transaction() as tx:
        tx.seats.readdress(renewed.id, "Ann@Elsewhere.test")
    assert players.table().seat("Ann") == at_new_address(renewed, "Ann@Elsewhere.test")
