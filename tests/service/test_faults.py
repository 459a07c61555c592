"""Mails put aside: kept, told to sender and operator, and summed up where there are many."""

import pytest

from service.app.office import SUM_UP
from service.desk import put_aside
from service.workshop.practice.hostile import mail
from tests.service.players import GAME, OPERATOR, address, says, to

DEEP = b"Content-Type: text/html\r\n\r\n" + b"<div>" * 100_000
NESTED = b"".join(
    b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n) for n in range(40)
)


def broken(players, number, body=NESTED, name="Ann"):
    seat = players.seat_address(GAME, name)
    return mail(address(name), seat, f"broken.{number}", body)


@pytest.mark.long
@pytest.mark.parametrize("body", [DEEP, NESTED])
def test_a_mail_that_breaks_the_bounds_is_kept_put_aside_and_told(players, body):
    raw = broken(players, 1, body)
    letters = players.send(raw)
    [row] = players.store.mails.aside()
    assert row.raw == raw and row.tries == 1
    assert to(letters, "Ann") == ["sorry"]
    assert says(letters[0], put_aside.UNREADABLE) and says(letters[0], put_aside.WRITE_PLAINLY)
    assert [letter.to for letter in letters if letter.kind == "fault"] == [OPERATOR]
    assert to(players.write("Ann", "buy TR"), "Ann") == ["receipt"]


@pytest.mark.long
def test_an_automatic_mail_that_breaks_the_bounds_is_answered_to_nobody(players):
    raw = broken(players, 1).replace(b"Subject:", b"Auto-Submitted: auto-replied\r\nSubject:")
    assert players.send(raw) == []
    assert players.store.work.counts().inbox["ignored"] == 1


@pytest.mark.long
def test_it_is_kept_before_it_is_read(players, monkeypatch):
    from service.desk import moderator

    def dies(raw):
        raise SystemExit

    monkeypatch.setattr(moderator, "reader", lambda: dies)
    players.arrive(broken(players, 1, DEEP))
    with pytest.raises(SystemExit):
        players.office.moderate()
    assert players.store.work.counts().inbox["working"] == 1


def test_letters_to_the_operator_are_rationed_and_the_rest_is_summed_up(players):
    def told():
        return [letter for letter in players.letters if letter.to == OPERATOR]

    for number in range(9):
        players.send(broken(players, number))
    assert len(told()) == 3
    players.now += SUM_UP
    players.work()
    assert len(told()) == 4
    last = told()[-1]
    assert last.subject == "9 emails are put aside"
    assert all(f"mail {row.id}" in last.text for row in players.store.mails.aside())
    for number in range(9, 12):
        players.send(broken(players, number))
    players.now += SUM_UP
    players.work()
    assert len(told()) == 4, "the next sum is due in an hour"
    players.now += 3600
    players.work()
    assert told()[-1].subject == "12 emails are put aside"
    players.now += 7200
    players.work()
    assert len(told()) == 5, "nothing new"


@pytest.mark.long
def test_a_mail_that_fails_again_when_tried_again_is_told_again_once_a_try(players):
    def told():
        return [letter for letter in players.letters if letter.to == OPERATOR]

    players.send(broken(players, 1))
    assert len(told()) == 1
    [row] = players.store.mails.aside()
    for tries in (2, 3):
        assert players.store.mails.retry(row.id)
        players.now += 1
        players.work()
        assert [one.id for one in players.store.mails.aside()] == [row.id]
        assert len(told()) == tries, "once a try, and not again"
        players.work()
        assert len(told()) == tries
    assert len({letter.message_id for letter in told()}) == 3
    assert {letter.kind for letter in told()} == {"fault"}


@pytest.mark.long
def test_a_flood_in_somebody_s_name_does_not_silence_what_became_of_their_own(players):
    told = [letter for n in range(40) for letter in players.send(broken(players, n))]
    assert to(told, "Ann") == ["sorry"]
    for _ in range(3):
        players.now += 3600
        told = players.work()
        if to(told, "Ann"):
            break
    assert to(told, "Ann") == ["late-answer"], "what came beyond is told in one email"
    [again] = [one for one in players.send(broken(players, 41)) if one.to == address("Ann")]
    assert again.kind in ("sorry", "late-answer")
