"""Letters keep their words, pictures are kept once, and both are forgotten in the end."""

import base64
import random
from email import message_from_bytes, policy

import pytest

from service.store import Delivery, Letter, Store, Task
from service.store.enclosures import digest, fold, unfold
from service.store.letters import NOT_KEPT
from service.store.occasions import by_mail
from tests.service.players import address

pytestmark = pytest.mark.long

pytest_plugins = ["tests.service.postgres"]

NOW = 3_000_000_000
DAY = 86_400


def png(seed, size=40_000):
    return b"\x89PNG\r\n\x1a\n" + random.Random(seed).randbytes(size)


def body(*pictures):
    parts = [
        b"Content-Type: image/png\r\nContent-ID: <x>\r\n\r\n"
        + base64.encodebytes(p).replace(b"\n", b"\r\n")
        for p in pictures
    ]
    return (
        b"Subject: x\r\n\r\n--a\r\n"
        + b"\r\n--a\r\n".join([b"\r\nwords", *parts])
        + b"\r\n--a--\r\n"
    )


def letter(key, *pictures):
    return Letter(key, "dixie7", "turn", "ann@x", "b@x", body(*pictures), f"<{key}@x>", pictures)


def queue(store, now, *letters):
    with store.transaction() as tx:
        for one in letters:
            tx.letters.queue([one], now)


def send_all(store, now):
    rows = store.letters.claim("w", now, 60, 100)
    store.letters.settle([Delivery(row.id, "sent") for row in rows], now)
    return rows


def kept(store):
    with store._engine.connect() as connection:
        found = connection.exec_driver_sql("SELECT sha256 FROM picture")
        return {row[0] for row in found}


def test_a_mail_without_its_pictures_is_whole_again_byte_for_byte():
    one, two = png(1), png(2, 1)
    raw = body(one, two, one)
    words, pictures = fold(raw, (one, two))
    assert len(words) < 500 and pictures == {digest(one): one, digest(two): two}
    assert unfold(words, pictures) == raw
    assert fold(raw, (png(3), b"")) == (raw, {})
    with pytest.raises(KeyError):
        unfold(words, {})


def test_real_letters_are_sent_as_they_were_composed(players):
    letters = players.write("Ann", "buy TR")
    [turn] = [one for one in letters if one.kind == "turn"]
    row = players.store.letters.recent(address("Bob"), "dixie9")[0]
    assert row.pictures and b"\0picture " in row.raw
    [picture] = {
        p.get_payload(decode=True) for p in turn.mail.walk() if p.get_content_type() == "image/png"
    }
    assert digest(picture) in row.pictures
    whole = players.store.letters.get(row.id).raw
    assert message_from_bytes(whole, policy=policy.default).as_bytes() == turn.mail.as_bytes()


def test_a_picture_in_many_letters_is_stored_once(store: Store) -> None:
    queue(store, NOW, *(letter(f"k{n}", png(1), png(n)) for n in range(2, 7)))
    assert len(kept(store)) == 6
    rows = send_all(store, NOW)
    assert [row.raw for row in rows] == [body(png(1), png(n)) for n in range(2, 7)]


def test_pictures_go_first_and_words_later_and_open_letters_keep_all(store: Store) -> None:
    queue(store, NOW, letter("sent", png(1)), letter("shared", png(2)))
    send_all(store, NOW)
    queue(store, NOW, letter("refused", png(3)))
    [row] = store.letters.claim("w", NOW, 60, 9)
    store.letters.settle([Delivery(row.id, "refused", "550")], NOW)
    queue(store, NOW, letter("waiting", png(2), png(4)))
    gone = store.letters.thin(NOW + 1, NOW - DAY)
    assert (gone.pictures, gone.letters) == (1, 0)
    assert kept(store) == {digest(png(n)) for n in (2, 3, 4)}
    assert store.letters.resend(row.id) == ""
    assert {one.raw for one in store.letters.claim("w", NOW, 60, 9)} == {
        body(png(3)), body(png(2), png(4))
    }  # fmt: skip
    sent = store.letters.all(["sent"])
    assert all(b"words" in one.raw for one in sent), "words stay"
    assert store.letters.thin(NOW - DAY, NOW + 1).letters == 2
    assert store.letters.all(["sent"]) == (), "an old letter goes whole"
    assert store.letters.thin(NOW - DAY, NOW + 1).letters == 0


def test_a_picture_queued_again_is_kept_from_then(store: Store) -> None:
    queue(store, NOW, letter("a", png(1)))
    queue(store, NOW + 5 * DAY, letter("b", png(1)))
    send_all(store, NOW + 5 * DAY)
    assert store.letters.thin(NOW + 4 * DAY, NOW).pictures == 0
    assert store.letters.thin(NOW + 6 * DAY, NOW).pictures == 1


def test_a_letter_whose_pictures_are_gone_is_not_sent_in_pieces(store: Store) -> None:
    queue(store, NOW, letter("a", png(1)))
    [row] = send_all(store, NOW)
    with store.transaction() as tx:
        assert tx.letters.bounce(row.id, "came back")
    with store._engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM picture")
    assert store.letters.resend(row.id) == NOT_KEPT


def test_the_tidying_follows_the_settings(players):
    players.write("Ann", "buy TR")
    mails = sum(players.store.work.counts().inbox.values())
    players.now += 15 * DAY
    players.office.tidy(14, 365, 400)
    assert kept(players.store) == set()
    assert all(row.raw for row in players.store.letters.all(["sent"]))
    players.now += 365 * DAY
    players.office.tidy(14, 365, 400)
    assert players.store.letters.all(["sent"]) == ()
    assert all(row["raw"] for row in players.store.everything()["inbox"])
    players.office.tidy(14, 365, 379)
    assert not any(row["raw"] for row in players.store.everything()["inbox"])
    assert sum(players.store.work.counts().inbox.values()) == mails
    assert players.texts() == ["buy TR"]


def test_what_was_forgotten_is_given_back_to_the_disk(tmp_path):
    file = tmp_path / "waybill.sqlite"
    store = Store(f"sqlite:///{file}")
    store.upgrade()
    queue(store, NOW, *(letter(f"k{n}", png(n, 400_000)) for n in range(30)))
    send_all(store, NOW)
    assert not store.shrink()
    store.letters.thin(NOW + DAY, NOW)
    assert store.shrink()
    store.close()
    assert file.stat().st_size < 1_000_000


def test_only_games_that_ended_since_the_last_tidying_are_looked_at(players, monkeypatch):
    players.write("Ann", "buy TR")
    thinned, real = [], players.store.thin
    monkeypatch.setattr(players.store, "thin", lambda game: (thinned.append(game), real(game))[1])
    game = players.table().row.id
    players.office.tidy(14, 365, 365)
    with players.store.transaction() as tx:
        tx.games.set_status(game, "ended", players.now + 60)
    players.now += 2 * DAY
    players.office.tidy(14, 365, 365)
    assert thinned == [game]
    players.now += 3 * DAY
    players.office.tidy(14, 365, 365)
    assert thinned == [game], "it was done"


def test_a_settled_task_is_forgotten_after_a_month(players):
    with players.store.transaction() as tx:
        for key, due in (("done", players.now), ("later", players.now + 40 * DAY)):
            tx.tasks.add(Task("odd", key, due), players.now)
    row = players.store.tasks.claim("w", players.now, 60, ["odd"])
    with players.store.transaction() as tx:
        tx.tasks.finish(row.id)

    def known(key):
        with players.store.transaction() as tx:
            return tx.tasks.add(Task("odd", key, 0), players.now) is None

    players.now += 29 * DAY
    players.office.tidy(14, 365, 365)
    assert known("done")
    players.now += 2 * DAY
    players.office.tidy(14, 365, 365)
    assert not known("done") and known("later")


def test_an_occasion_that_left_no_trace_is_forgotten_after_a_month(players):
    players.write("Ann", "buy TR")
    players.write("Bob", "status")
    moved, asked = (row["id"] for row in players.store.everything()["inbox"][-2:])

    def known():
        return {row["mail"] for row in players.store.everything()["occasion"]} & {moved, asked}

    with players.store.transaction() as tx:
        tx.occasions.record(by_mail(asked), players.now)
    for days in (29, 3):
        before = known()
        players.now += days * DAY
        players.office.tidy(14, 365, 365)
    assert (before, known()) == ({moved, asked}, {moved})
    assert players.texts() == ["buy TR"]


def test_a_failed_letter_stays_until_somebody_was_told(store: Store) -> None:
    queue(store, NOW, letter("a"), letter("b"))
    rows = store.letters.claim("w", NOW, 60, 9)
    store.letters.settle([Delivery(row.id, "refused", "550") for row in rows], NOW)
    with store.transaction() as tx:
        assert tx.letters.report(rows[0].id, NOW)
    assert store.letters.thin(NOW, NOW + DAY).letters == 1
    assert [one.id for one in store.letters.untold()] == [rows[1].id]
