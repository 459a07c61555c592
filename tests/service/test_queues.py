"""Mails are kept once, worked in each game's order by one worker at a time, and sent with patience."""

from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest
from sqlalchemy import update

from service.store import AlreadySettled, Arrived, Delivery, Letter, OutboxRow, Store
from service.store.database import session_of
from service.store.letters import BACKOFF, SEND_TRIES
from service.store.mails import MAIL_TRIES
from service.store.tables import InboxRow

pytest_plugins = ["tests.service.postgres"]

NOW = 3_000_000_000  # in 2065: times outgrow 32 bits
LEASE = 60

_uids = count(1)


def arrive(store: Store, game: str = "dixie7", **other) -> int | None:
    uid = other.get("uid", next(_uids))
    values = {"account": "a", "uidvalidity": 4_000_000_000, "uid": uid, "raw": b"mail %d" % uid}
    values |= {"received": NOW, "message_id": f"<{uid}@x>", "sender": "ann@x", "game": game}
    return store.mails.keep(Arrived(**values | other), now=NOW)


def test_the_newest_mail_of_a_mailbox_is_that_of_its_newest_folder(store):
    assert store.mails.newest("a") == (0, 0)
    arrive(store, uid=9, uidvalidity=7)
    arrive(store, uid=8, uidvalidity=7)
    arrive(store, uid=3, uidvalidity=8)
    arrive(store, uid=50, uidvalidity=9, account="b")
    assert store.mails.newest("a") == (8, 3)


def finish(store: Store, mail: int) -> None:
    with store.transaction() as tx:
        tx.mails.finish(mail, "done", "")


def send(store: Store, *keys: str) -> None:
    with store.transaction() as tx:
        for key in keys:
            tx.letters.queue(
                [Letter(key, "dixie7", "turn", "Ann@x", "b@x", b"mail", f"<{key}@x>")], NOW
            )


def outgoing(store: Store, now: int = NOW, limit: int = 10) -> list[OutboxRow]:
    return list(store.letters.claim("w", now, LEASE, limit))


def test_a_mail_is_kept_once_by_uid_and_once_by_its_bytes(store: Store) -> None:
    assert arrive(store, uid=7, raw=b"one") is not None
    assert arrive(store, uid=7, raw=b"another") is None
    assert arrive(store, uid=8, raw=b"one") is None
    assert arrive(store, uid=7, account="b", raw=b"yet another") is not None


def test_mails_without_message_id_are_not_taken_for_one_another(store: Store) -> None:
    assert arrive(store, message_id="") and arrive(store, message_id="")
    assert store.work.counts().inbox == {"new": 2}


def test_a_claim_hands_out_the_mail_as_it_came(store: Store) -> None:
    arrive(store, uid=4_294_967_295, raw=b"\x00\xffraw", sender="bob@x")
    mail = store.mails.claim("w", NOW, LEASE)
    assert (mail.raw, mail.uid, mail.sender) == (b"\x00\xffraw", 4_294_967_295, "bob@x")
    assert (mail.status, mail.worker, mail.lease, mail.tries) == ("working", "w", NOW + LEASE, 1)


def test_a_game_s_mails_come_one_after_the_other_and_games_side_by_side(store: Store) -> None:
    first, second, other = arrive(store, "g"), arrive(store, "g"), arrive(store, "h")
    assert store.mails.claim("w1", NOW, LEASE).id == first
    assert store.mails.claim("w2", NOW, LEASE).id == other
    assert store.mails.claim("w3", NOW, LEASE) is None
    finish(store, first)
    assert store.mails.claim("w3", NOW, LEASE).id == second


def test_mails_of_no_game_are_one_lane(store: Store) -> None:
    first, second = arrive(store, ""), arrive(store, "")
    assert store.mails.claim("w1", NOW, LEASE).id == first
    assert store.mails.claim("w2", NOW, LEASE) is None
    finish(store, first)
    assert store.mails.claim("w2", NOW, LEASE).id == second


def test_a_mail_is_claimed_again_when_the_lease_ran_out_and_not_before(store: Store) -> None:
    mail = arrive(store)
    store.mails.claim("w1", NOW, LEASE)
    assert store.mails.claim("w2", NOW + LEASE - 1, LEASE) is None
    again = store.mails.claim("w2", NOW + LEASE, LEASE)
    assert (again.id, again.worker, again.tries) == (mail, "w2", 2)


def test_a_mail_that_ended_three_workers_says_so_and_put_aside_lets_its_game_go_on(
    store: Store,
) -> None:
    bad, good = arrive(store), arrive(store)
    claimed = [store.mails.claim("w", NOW + n * LEASE, LEASE) for n in range(MAIL_TRIES + 1)]
    assert [row.id for row in claimed] == [bad] * (MAIL_TRIES + 1)
    assert [row.tries > MAIL_TRIES for row in claimed] == [False] * MAIL_TRIES + [True]
    assert store.work.put_aside(claimed[-1], "ended its worker too often")
    assert store.mails.claim("w", NOW + MAIL_TRIES * LEASE, LEASE).id == good
    [aside] = store.mails.aside()
    assert (aside.id, aside.note) == (bad, "ended its worker too often")


def test_a_mail_put_aside_can_be_retried_but_not_beside_its_successor(store: Store) -> None:
    bad, good = arrive(store), arrive(store)
    assert store.work.put_aside(store.mails.claim("w", NOW, LEASE), "ValueError: no such hex")
    assert store.mails.aside()[0].note == "ValueError: no such hex"
    assert store.mails.claim("w", NOW, LEASE).id == good
    assert store.mails.retry(bad)
    assert not store.mails.retry(bad)
    assert store.mails.claim("w2", NOW, LEASE) is None, "its successor is being worked"
    finish(store, good)
    again = store.mails.claim("w2", NOW, LEASE)
    assert (again.id, again.tries, again.note) == (bad, 1, "")


def test_a_mail_given_back_is_free_at_once(store: Store) -> None:
    mail = arrive(store)
    assert store.work.release(store.mails.claim("w1", NOW, LEASE))
    again = store.mails.claim("w2", NOW, LEASE)
    assert (again.id, again.tries) == (mail, 2)


@pytest.mark.parametrize(("status", "left"), [("done", b"less"), ("shunted", b"whole")])
def test_a_settled_mail_has_other_bytes_unless_it_is_put_aside(
    store: Store, status: str, left: bytes
) -> None:
    mail = arrive(store, raw=b"whole")
    store.mails.claim("w", NOW, LEASE)
    with store.transaction() as tx:
        tx.mails.finish(mail, status, "", b"less")
    with store.reading() as tx:
        assert tx.mails.get(mail).raw == left


def test_a_worker_whose_claim_ran_out_cannot_put_the_mail_aside_or_settle_it_twice(
    store: Store,
) -> None:
    mail = arrive(store)
    slow = store.mails.claim("w", NOW, LEASE)
    store.mails.claim("w", NOW + LEASE, LEASE)
    assert not store.work.put_aside(slow, "too late")
    assert not store.work.release(slow)
    finish(store, mail)
    with pytest.raises(AlreadySettled):
        finish(store, mail)


def test_concurrent_workers_never_get_the_same_mail_and_keep_each_game_s_order(
    store: Store, database: str
) -> None:
    games = ("", "g", "h", "i")
    mails = [(arrive(store, games[n % 4]), games[n % 4]) for n in range(48)]
    seen: list[tuple[int, str]] = []

    def work(worker: str) -> None:
        mine = Store(database)
        while store.work.counts().inbox != {"done": len(mails)}:
            if mail := mine.mails.claim(worker, NOW, LEASE):
                seen.append((mail.id, mail.game))
                finish(mine, mail.id)
        mine.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, "abcd"))
    assert sorted(seen) == sorted(mails), "each once"
    by_game = defaultdict(list)
    for mail, game in seen:
        by_game[game].append(mail)
    assert all(order == sorted(order) for order in by_game.values())


def test_concurrent_senders_never_get_the_same_mail(store: Store, database: str) -> None:
    send(store, *(f"k{n}" for n in range(60)))

    def work(worker: str) -> list[int]:
        mine, got = Store(database), []
        while rows := mine.letters.claim(worker, NOW, LEASE, 4):
            got += [row.id for row in rows]
        mine.close()
        return got

    with ThreadPoolExecutor(4) as pool:
        sent = [row for rows in pool.map(work, "abcd") for row in rows]
    assert len(sent) == len(set(sent)) == 60


def test_outgoing_mails_are_claimed_oldest_first_and_no_more_than_asked_for(store: Store) -> None:
    send(store, "a", "b", "c")
    assert [row.key for row in outgoing(store, limit=2)] == ["a", "b"]
    assert [row.key for row in outgoing(store)] == ["c"]
    assert outgoing(store) == []


def test_a_sent_mail_is_dated_and_not_sent_again(store: Store) -> None:
    send(store, "a")
    [row] = outgoing(store)
    store.letters.settle([Delivery(row.id, "sent", "250 queued")], NOW + 3)
    [kept] = store.letters.recent("ann@X", "dixie7")
    assert (kept.status, kept.sent, kept.note) == ("sent", NOW + 3, "250 queued")
    assert outgoing(store, NOW + 10 * LEASE) == []


def test_a_put_off_mail_waits_longer_each_time_and_fails_in_the_end(store: Store) -> None:
    send(store, "a")
    now, waits = NOW, []
    for _ in range(SEND_TRIES):
        [row] = outgoing(store, now)
        store.letters.settle([Delivery(row.id, "later", "451 busy")], now)
        [row] = store.letters.recent("ann@x", "dixie7")
        if row.status == "failed":
            break
        assert outgoing(store, row.next_try - 1) == []
        waits.append(row.next_try - now)
        now = row.next_try
    assert waits == [*BACKOFF, BACKOFF[-1], BACKOFF[-1]]
    assert (row.status, row.tries, row.note) == ("failed", SEND_TRIES, "451 busy")


def test_a_refused_mail_fails_at_once_and_an_unclaimed_one_is_left_alone(store: Store) -> None:
    send(store, "a", "b")
    [row] = outgoing(store, limit=1)
    store.letters.settle([Delivery(row.id + 1, "sent"), Delivery(row.id, "refused")], NOW)
    assert store.work.counts().outbox == {"failed": 1, "new": 1}


def test_a_mail_whose_sender_died_is_sent_again_but_not_for_ever(store: Store) -> None:
    send(store, "a")
    times = [NOW + n * LEASE for n in range(SEND_TRIES + 2)]
    assert [len(outgoing(store, now)) for now in times] == [1] * SEND_TRIES + [0, 0]
    assert store.work.counts().outbox == {"failed": 1}


def test_recent_mails_are_those_to_one_player_about_one_game_newest_first(store: Store) -> None:
    send(store, "a", "b", "c")
    with store.transaction() as tx:
        tx.letters.queue([Letter("d", "other", "turn", "ann@x", "b@x", b"", "<d@x>")], NOW)
        tx.letters.queue([Letter("e", "dixie7", "turn", "bob@x", "b@x", b"", "<e@x>")], NOW)
    assert [row.key for row in store.letters.recent("ANN@x", "dixie7", limit=2)] == ["c", "b"]


def test_a_clock_that_is_set_back_leaves_nothing_waiting(store: Store) -> None:
    mail = arrive(store)
    send(store, "a", "b")
    far = NOW + 10 * 365 * 86_400
    assert store.mails.claim("w", far, LEASE).id == mail
    first, _ = outgoing(store, far)
    store.letters.settle([Delivery(first.id, "later", "451 busy")], far)
    assert store.mails.claim("w2", NOW, LEASE).id == mail, "its lease lies too far ahead"
    assert len(outgoing(store, NOW)) == 2


def test_clocks_that_differ_a_little_take_nothing_from_each_other(store: Store) -> None:
    arrive(store)
    send(store, "a")
    store.mails.claim("w", NOW + 30, LEASE)
    outgoing(store, NOW + 30)
    assert store.mails.claim("w2", NOW, LEASE) is None
    assert outgoing(store, NOW) == []


def test_trouble_of_the_connection_uses_up_no_try(store: Store) -> None:
    send(store, "a")
    for n in range(3 * SEND_TRIES):
        [row] = outgoing(store, NOW + n)
        store.letters.settle([Delivery(row.id, "trouble", "down")], NOW + n)
    [row] = store.letters.recent("ann@x", "dixie7")
    assert (row.status, row.tries, row.next_try, row.note) == ("new", 0, 0, "down")


def test_a_letter_that_breaks_the_connection_rests_a_little_and_goes_behind_the_others(
    store: Store,
) -> None:
    send(store, "a")
    now, waits = NOW, []
    for _ in range(3 * SEND_TRIES):
        [row] = outgoing(store, now)
        [row] = store.letters.settle([Delivery(row.id, "broke", "421 closing")], now)
        assert (row.status, row.tries) == ("new", 0)
        assert not outgoing(store, row.next_try - 1)
        waits.append(row.next_try - now)
        now = row.next_try
    assert waits == sorted(waits)
    assert (waits[0], waits[-1]) == (5, 60)
    send(store, "b")
    assert [one.key for one in outgoing(store, now)] == ["b", "a"]


def test_a_letter_denied_to_our_account_uses_up_no_try_and_is_asked_less_and_less_often(
    store: Store,
) -> None:
    send(store, "a")
    now, waits = NOW, []
    for _ in range(3 * SEND_TRIES):
        [row] = outgoing(store, now)
        [row] = store.letters.settle([Delivery(row.id, "denied", "554 relay denied")], now)
        assert (row.status, row.tries) == ("new", 0)
        assert not outgoing(store, row.next_try - 1)
        waits.append(row.next_try - now)
        now = row.next_try
    assert waits == sorted(waits)
    assert (waits[0], waits[-1]) == (60, 1800)


@pytest.mark.long
def test_a_mail_put_off_counts_no_try_waits_longer_each_time_and_its_game_with_it(
    store: Store,
) -> None:
    mail, behind, other = arrive(store), arrive(store), arrive(store, "other")
    now, waits = NOW, []
    for _ in range(6):
        row = store.mails.claim("w", now, LEASE)
        assert (row.id, row.tries) == (mail, 1)
        assert store.work.put_off(row, now, "the disk is full")
        if not waits:
            assert store.mails.claim("w", now, LEASE).id == other, "other games go on"
            finish(store, other)
        assert store.mails.claim("w", now, LEASE) is None, "its own waits"
        before, now = now, now + 1
        while (row := store.mails.claim("w2", now, LEASE)) is None:
            now += 1
        store.work.release(row)
        waits.append(now - before)
        with session_of(store._engine) as session:
            own = InboxRow.id == row.id
            session.execute(update(InboxRow).where(own).values(tries=0))
    assert waits == [30, 60, 120, 300, 600, 600]
    finish(store, store.mails.claim("w", now, LEASE).id)
    assert store.mails.claim("w", now, LEASE).id == behind


def test_what_a_worker_held_can_be_given_back(store: Store) -> None:
    arrive(store), arrive(store, "other")
    send(store, "a")
    store.mails.claim("dead", NOW, LEASE)
    store.mails.claim("alive", NOW, LEASE)
    store.letters.claim("dead", NOW, LEASE, 5)
    assert store.work.give_back("dead", NOW) == 2
    assert store.work.counts().inbox == {"new": 1, "working": 1}
    assert len(outgoing(store)) == 1


def test_processes_killed_from_outside_put_no_mail_aside(store: Store) -> None:
    """Ten kills within a minute, each while the mail is in work: it is begun again, with pauses."""
    mail, now, begun = arrive(store), NOW, 0
    for number in range(10):
        row = store.mails.claim(f"w{number}", now, LEASE)
        if row is not None:
            begun += 1
            assert row.tries <= MAIL_TRIES
            assert store.work.give_back(f"w{number}", now) == 1
        now += 6
    assert begun == 3, "at once, at once again, and after the first pause"
    assert store.mails.claim("last", now + 600, LEASE).id == mail


def test_a_mail_that_kills_each_process_again_and_again_is_handed_out_to_be_put_aside(
    store: Store,
) -> None:
    arrive(store)
    now, pauses = NOW, []
    for _ in range(MAIL_TRIES):
        row = store.mails.claim("w", now, LEASE)
        assert row is not None and row.tries <= MAIL_TRIES
        store.work.give_back("w", now)
        began = now
        while (due := store.work.due().mail) is not None and due > now:
            now = due
        pauses.append(now - began)
    assert pauses == sorted(pauses) and sum(pauses) >= 1000
    assert store.mails.claim("w", now, LEASE).tries == MAIL_TRIES + 1
