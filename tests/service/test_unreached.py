"""Letters that come back by their envelope; seats that are not reached; second addresses."""

import asyncio

import pytest
from msgspec import json, structs

from service.app.relays import Relays
from service.desk.bounces import undelivered, unreached
from service.mail import identity, refusals
from service.mail.sender import Sent
from tests.service.players import ADDRESS, GAME, SECRET, address, one, says, to
from tests.service.test_undelivered import post, report, sending, sent, whole

SECOND = "bob@other.test"


def spans(players, name="Bob"):
    table = players.table()
    with players.store.transaction() as tx:
        found = tx.clocks.spans(table.row.id)
    return [
        (one.begins, one.ends) for one in found if (one.kind, one.seat) == ("undelivered", name)
    ]


def fail(players, kind="turn", status="5.1.1", said="550 no such user", name="Bob"):
    """A report about the latest letter of a kind; the letters that follow."""
    players.send(report(whole(players, name, kind), status=status, said=said))
    asyncio_tell(players)
    return players.collect()


def asyncio_tell(players):
    from service.desk.bounces.undelivered import Undelivered

    Undelivered(players.service, players.now).tell(players.store)


def second_address(players):
    players.write("Bob", f"address add {SECOND}")
    asked = [letter for letter in players.letters if letter.to == SECOND][-1]
    players.reply(asked, "yes")


# the envelope


def test_each_letter_has_an_envelope_sender_of_its_own(players):
    with sending(players) as server:
        senders = []
        handle = server.handle_DATA

        async def data(server_, session, envelope):
            senders.append(envelope.mail_from)
            return await handle(server_, session, envelope)

        server.handle_DATA = data
        players.arrive(players.mail(address("Ann"), players.seat_address(GAME, "Ann"), "buy TR"))
        while players.office.moderate():
            pass
        post(players)
    assert len(senders) == len(set(senders)) > 1
    numbers = [identity.read_bounce(one, SECRET, ADDRESS) for one in senders]
    letters = [players.store.letters.get(number) for number in numbers]
    assert all(letter is not None and letter.status == "sent" for letter in letters)


@pytest.mark.long
def test_a_provider_that_lets_us_send_from_our_own_address_only_gets_that(players):
    tried = []

    async def deliver(smtp, batch):
        tried.append({mail.mail_from for mail in batch})
        plain = all(mail.mail_from == ADDRESS for mail in batch)
        return [Sent(m.id, "sent" if plain else "denied", "550 5.7.1 not yours") for m in batch]

    players.office.deliver, players.office.relays = deliver, Relays.of(object())
    for name in ("Ann", "Bob"):
        players.arrive(players.mail(address(name), players.seat_address(GAME, name), "status"))
        while players.office.moderate():
            pass
        assert asyncio.run(players.office.send()) > 0
        assert not players.store.letters.all(["failed", "new"])
    assert len(tried) == 3, "it is tried once"


@pytest.mark.long
def test_a_report_is_known_by_the_address_that_it_comes_to(players):
    players.write("Ann", "buy TR")
    letter = sent(players, "Bob")
    raw = report(letter, original="", final="bob.private@far.test")
    envelope = players.service.envelope(letter.id)
    players.send(raw.replace(f"To: {ADDRESS}".encode(), f"To: {envelope}".encode()))
    [row] = players.store.letters.all(["failed"])
    assert row.id == letter.id


@pytest.mark.parametrize("wrong", ["bounce-{next}.", "bounce-{own}.aa"])
def test_an_envelope_address_cannot_be_made_up(players, wrong):
    players.write("Ann", "buy TR")
    letter = sent(players, "Bob")
    old = f"bounce-{letter.id}."
    new = wrong.format(next=letter.id + 1, own=letter.id)
    envelope = players.service.envelope(letter.id).replace(old, new)
    raw = report(letter, original="").replace(f"To: {ADDRESS}".encode(), f"To: {envelope}".encode())
    players.send(raw)
    assert players.store.letters.all(["failed"]) == ()


@pytest.mark.long
def test_an_absence_note_to_the_envelope_is_no_failure(players):
    players.write("Ann", "buy TR")
    envelope = players.service.envelope(sent(players, "Bob").id)
    raw = players.mail(address("Bob"), envelope, "I am away", Auto_Submitted="auto-replied")
    assert players.send(raw) == []
    assert players.store.letters.all(["failed"]) == ()


# what counts


@pytest.mark.long
@pytest.mark.parametrize(
    "note, gone",
    [
        ("came back: 5.1.1 smtp; 550 no such user", True),
        ("bob@x.test: 550 5.1.1 unknown", True),
        ("bob@x.test: 550 no", True),
        ("came back: 5.7.1 smtp; 550 not wanted", True),
        ("came back: 5.2.2 smtp; 552 mailbox full", False),
        ("came back: 4.2.2 smtp; 452 over quota", False),
        ("bob@x.test: 552 mailbox full", False),
        ("bob@x.test: 550 the mailbox is over its quota", False),
        ("came back: 5.3.4 smtp; 552 too big", False),
        ("came back: 4.4.1 smtp; no answer from host", False),
        ("bob@x.test: 450 try again", False),
        ("begun too often without an end", False),
        ("", False),
    ],
)
def test_only_what_a_server_refuses_for_good_is_hard(note, gone):
    assert refusals.gone(note) is gone


@pytest.fixture
def timed(players):
    """The game has a clock; Ann has moved."""
    table = players.table()
    settings = structs.replace(table.settings, clock="each 48h")
    with players.store.transaction() as tx:
        tx.games.set_settings(table.row.id, json.encode(settings))
    players.write("Ann", "buy TR")
    return players


def due(players, name="Bob"):
    with players.store.transaction() as tx:
        [row] = [row for row in tx.games.waiting(players.table().row.id) if row.seat == name]
    return row.due


@pytest.mark.long
def test_two_hard_failures_within_three_days_stop_the_clock_and_all_are_told_once(timed):
    players, began = timed, timed.now
    assert due(players) == began + 48 * 3600
    fail(players)
    assert spans(players) == []
    players.now += 3600
    players.write("Cat", "say: hello")
    letters = fail(players, "news")
    assert spans(players) == [(began, None)], "from when the first was sent"
    assert due(players) is None, "no time runs"
    told = one(letters, "Cat", "undelivered")
    assert says(told, unreached.UNTIL_THEY_WRITE)
    assert says(told, undelivered.IF_NOBODY_CAN, name="Bob")
    assert address("Bob") not in told.text
    assert to(letters, "Ann") == ["undelivered"]
    players.write("Cat", "say: hello again")
    assert fail(players, "news") == [], "once"
    players.now += 3600
    players.write("Bob", "status")
    assert spans(players) == [(began, players.now)], "whoever writes can be reached"
    assert due(players) == players.now + 48 * 3600


def test_a_turn_mail_that_came_back_is_sent_once_more_and_a_dead_mailbox_has_no_time(timed):
    """Nothing else is written to them in days; a reminder would come too late."""
    players, began = timed, timed.now
    players.write("Bob", "remind off")
    fail(players)
    assert due(players) == began + 48 * 3600
    players.now += 3 * 3600
    [again] = players.work()
    assert (again.kind, again.to) == ("turn", address("Bob"))
    assert due(players) == began + 51 * 3600, "what lies between does not count"
    letters = fail(players)
    assert spans(players) == [(began, None)] and due(players) is None
    assert says(one(letters, "Cat", "undelivered"), unreached.UNTIL_THEY_WRITE)


@pytest.mark.long
def test_it_is_not_sent_again_to_who_has_answered(timed):
    fail(timed)
    timed.write("Bob", "pass")
    timed.now += 3 * 3600
    assert timed.work() == []


@pytest.mark.long
def test_a_game_without_a_clock_is_told_nothing_of_one(players):
    players.write("Ann", "buy TR")
    fail(players)
    players.write("Cat", "say: hello")
    assert fail(players, "news") == []


@pytest.mark.long
def test_failures_far_apart_and_full_mailboxes_stop_nothing(players):
    players.write("Ann", "buy TR")
    fail(players)
    players.now += 3 * 86_400 + 1
    players.write("Cat", "say: hello")
    fail(players, "news")
    for _ in range(3):
        players.write("Cat", "say: hello")
        fail(players, "news", status="5.2.2", said="552 mailbox full")
    assert spans(players) == []


@pytest.mark.long
def test_one_report_twice_is_one_failure(players):
    players.write("Ann", "buy TR")
    letter = whole(players, "Bob")
    players.send(report(letter))
    asyncio_tell(players)
    players.store.letters.resend(letter.id)
    players.collect()
    players.send(report(letter, said="550 once more"))
    asyncio_tell(players)
    assert spans(players) == []


@pytest.mark.long
def test_a_second_address_is_tried_with_the_letter_that_came_back(players):
    second_address(players)
    players.write("Ann", "buy TR")
    fail(players)
    players.write("Cat", "say: hello")
    letters = fail(players, "news")
    assert players.table().seat("Bob").address == SECOND
    again = [letter for letter in letters if letter.to == SECOND]
    assert [letter.kind for letter in again] == ["news"]
    assert str(again[0].mail["To"]) == SECOND
    assert says(one(letters, "Cat", "undelivered"), unreached.SECOND_ADDRESS)
    [(_, ends)] = spans(players)
    assert ends == players.now, "the clock goes on: the email is on its way"
    players.reply(again[0], "pass")
    assert len(players.texts()) == 2, "an answer from there counts"


@pytest.mark.long
def test_if_the_second_address_fails_too_the_clock_stops(players):
    second_address(players)
    players.write("Ann", "buy TR")
    fail(players)
    players.write("Cat", "say: hello")
    fail(players, "news")
    for text in ("one", "two"):
        players.write("Cat", f"say: {text}")
        rows = players.store.letters.recent(SECOND, GAME)
        letter = players.store.letters.get(next(r.id for r in rows if r.kind == "news"))
        players.send(report(letter))
        asyncio_tell(players)
        players.collect()
    assert [ends for _, ends in spans(players)][-1] is None
    assert players.table().seat("Bob").address == SECOND, "no going to and fro"
