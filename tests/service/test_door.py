"""How emails and tasks end: what they did is stored whole, once, and only of the game as read."""

from dataclasses import replace

import pytest

from service import rations
from service.audience import OPERATOR
from service.desk.bounces import unreached
from service.desk.door import NOTHING, Cause, Done, finish
from service.desk.letters.desk import Desk
from service.desk.moderator import Moderator
from service.desk.rationing.answer_rations import Answering, within_ration
from service.reports import note_page
from service.store import AlreadySettled, Conflict, Occasion, Task
from service.store.mails import Mails
from tests.service.discoursed import HOST, REPLY, notification
from tests.service.players import GAME, address
from tests.service.signatures import COVERED, signed
from tests.service.test_forged import number_in
from tests.service.test_forum import known_keys, open_thread
from tests.service.test_seats import EVE
from tests.service.test_undelivered import report, whole

MALLORY = "mallory@else.test"


def test_a_task_whose_game_has_gone_on_is_begun_again_and_tells_nothing(players):
    """Its letters would tell of a game as it is no more."""
    store, now = players.store, players.now
    with store.transaction() as tx:
        tx.tasks.add(Task("tells", "tells-1", now, GAME, "Ann"), now)
    row = store.tasks.claim("w", now, 60, ("tells",))
    desk = Desk(players.service, now, Occasion("clock", row.key, GAME))
    page = note_page(OPERATOR, "It is over", "It is over.", (), about=players.service.about())
    stored, letters = [], [desk.to_operator("fault", page)]
    done = Done("told", letters, read=players.table(), also=stored.append)
    players.place(players.state)
    with pytest.raises(Conflict):
        finish(store, now, Cause(task=row.id), done)
    assert (players.collect(), stored) == ([], [])
    again = replace(done, read=players.table())
    finish(store, now, Cause(task=row.id), again)
    assert [letter.kind for letter in players.collect()] == ["fault"]
    assert len(stored) == 1
    with pytest.raises(AlreadySettled):
        finish(store, now, Cause(task=row.id), again)
    assert players.collect() == [], "it was told once"


def test_nothing_is_stored_of_a_game_in_which_a_token_was_renewed_meanwhile(players):
    """Its emails would have the old address for replies."""
    store, now, read, stored = players.store, players.now, players.table(), []
    ann = read.seat("Ann")
    with store.transaction() as tx:
        assert tx.seats.renew(ann.id, ann.epoch)
    with pytest.raises(Conflict):
        finish(store, now, NOTHING, Done(read=read, also=stored.append))
    assert stored == []
    finish(store, now, NOTHING, Done(read=players.table(), also=stored.append))
    assert len(stored) == 1


def test_all_is_checked_before_anything_is_stored(players):
    """Two answers may count in one ration: the first must not look like another email's answer."""
    desk = Desk(players.service, players.now, Occasion("fault", "fault-1", GAME))
    with players.store.reading() as reads:
        first, second = (
            Answering(reads, desk, rations.address("op@example.org", "fault")) for _ in range(2)
        )
    finish(
        players.store,
        players.now,
        NOTHING,
        within_ration(first, ()).beside(within_ration(second, ())),
    )
    with players.store.reading() as reads:
        assert (
            Answering(reads, desk, rations.address("op@example.org", "fault")).seen.left
            == first.seen.left - 2
        )
    with pytest.raises(Conflict):
        finish(players.store, players.now, NOTHING, within_ration(first, ()))


# --------------------------------------------------- what an email changes before its commands


class Crash(Exception):
    """The end of a worker, at the last statement of all."""


def seat_shown(players):
    turn = players.latest("Ann")
    return players.mail(address("Ann"), turn.reply_to, "buy TR", answers=turn, Cc=MALLORY)


def ticket_shown(players):
    [asked] = players.stranger(EVE, f"standby {GAME}")
    return players.mail(MALLORY, asked.reply_to, "no", Cc="x@else.test")


def wrong_phrase(players):
    players.write("Ann", "pass-phrase set correct horse battery staple")
    to, phrase = players.seat_address(GAME, "Ann"), "pass-phrase: wrong horse battery"
    return players.mail("ann@hotel.test", to, phrase, "buy TR")


def right_phrase(players):
    players.write("Ann", "pass-phrase set correct horse battery staple")
    to, phrase = players.seat_address(GAME, "Ann"), "pass-phrase: correct horse battery staple"
    return players.mail("ann@hotel.test", to, phrase, "status")


def heard_again(players):
    with players.store.transaction() as tx:
        tx.clocks.add_span(players.table().row.id, "Ann", unreached.UNREACHED, players.now - 600)
    return players.mail(address("Ann"), players.seat_address(GAME, "Ann"), "status")


def wrong_number(players):
    return players.mail(address("Ann"), players.seat_address(GAME, "Ann"), "yes 12345678")


def held_before(players):
    letters = players.write("Ann", "buy TR", sender=MALLORY)
    told = next(letter for letter in letters if letter.to == address("Ann"))
    answer = f"yes {number_in(told)}"
    return players.mail(address("Ann"), players.seat_address(GAME, "Ann"), answer)


def bounced(players):
    return report(whole(players, "Ann"), said="550 no such user")


def thread_moved(players):
    players.service = players.office.service = replace(players.service, keys=known_keys())
    open_thread(players)
    raw = notification("zoe", "hello there, all", number=12, reply_to=REPLY.replace("+", "+7"))
    return signed(raw, domain=HOST, covered=COVERED)


@pytest.mark.parametrize(
    "arrives, changes",
    [
        (seat_shown, {"seat", "action", "outbox"}),
        (ticket_shown, {"volunteer", "outbox"}),
        (wrong_phrase, {"reply_guard"}),
        (right_phrase, {"inbox"}),
        (heard_again, {"uncounted", "outbox"}),
        (wrong_number, {"reply_guard", "outbox"}),
        (held_before, {"held", "action"}),
        (bounced, {"outbox"}),
        (thread_moved, {"forum"}),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_a_crash_neither_loses_nor_repeats_what_an_email_changes_first(
    players, arrives, changes, monkeypatch
):
    """Tokens, phrases and numbers that it uses up, spans that it ends, emails that came back."""
    store, now = players.store, players.now
    assert players.arrive(arrives(players)) is not None
    row = store.mails.claim("w", now, 600)
    before = store.everything()

    def handle():
        Moderator(store, players.service, now).handle(row)

    real = Mails.finish
    with monkeypatch.context() as patch:

        def crashes(*settled):
            real(*settled)
            raise Crash

        patch.setattr(Mails, "finish", crashes)
        with pytest.raises(Crash):
            handle()
    assert store.everything() == before, "all or nothing"
    handle()
    after = store.everything()
    assert {table for table in after if after[table] != before[table]} >= changes
    assert store.mails.claim("w", now + 700, 600) is None, "it is settled"
