"""The report of a run through real servers finds what was lost and what was doubled."""

from contextlib import closing

from service.store import Arrived, Delivery, Letter, Store
from tests.endurance import Games, Post, _judged
from tests.service.empty import with_tables
from tests.service.players import NOW


def mail(name, answers):
    head = f"Message-ID: {name}\nIn-Reply-To: {answers}\nDelivered-To: ann@g0.test\n"
    return f"{head}\nwords\n".encode()


def test_what_was_lost_doubled_and_sent_again_is_told_apart(tmp_path, monkeypatch):
    monkeypatch.setattr("tests.endurance._REST", 0)
    with_tables(url := f"sqlite:///{tmp_path}/waybill.sqlite")
    (tmp_path / "new").mkdir()
    with closing(Store(url)) as store:
        for number, name in enumerate(("<a@g0>", "<b@g0>")):
            raw = b"%d" % number
            arrived = Arrived("box", 1, number + 1, raw, NOW, name, "ann@g0.test", "")
            assert store.mails.keep(arrived, NOW)
        assert store.work.put_aside(store.mails.claim("w", NOW, 60), "a bug")
        letters = [
            Letter(key, "", "receipt", "ann@g0.test", "play@x", key.encode(), f"<{key}@x>")
            for key in ("one", "two", "gone", "unsent")
        ]
        with store.transaction() as tx:
            tx.letters.queue(letters, NOW)
        sent = store.letters.claim("w", NOW, 60, 3)
        store.letters.settle([Delivery(row.id, "sent") for row in sent], NOW)
    post = Post(0, 0, tmp_path, sent={"<a@g0>": 1.0, "<b@g0>": 1.0, "<c@g0>": 1.0})
    for file, raw in enumerate(
        (mail("<one@x>", "<a@g0>"), mail("<one@x>", "<a@g0>"), mail("<two@x>", "<a@g0>"))
    ):
        (tmp_path / "new" / str(file)).write_bytes(raw)
    found = _judged(post, Games(post, actions={"dixie1": 2}), url)
    assert found["lost"] == {
        "emails without an answer": ["<b@g0>", "<c@g0>"],
        "emails not fetched": ["<c@g0>"],
        "emails put aside": ["<a@g0>"],
        "letters": ["<gone@x>"],
        "letters not sent": ["<unsent@x>"],
    }
    assert found["doubled"] == {"moves": {"dixie1": (0, 2)}, "answers": ["<a@g0>"]}
    assert found["sent_again_under_one_message_id"] == 1
    assert found["late"] == 1
