"""Hostile mails, known ones and random ones: none stops the service, holds it up or gets through."""

import gc
import json
import os
from dataclasses import replace

import pytest

from service.logs import configure
from service.store.mails import Mails
from service.workshop.benches.bench_hostile import NO_RECEIPT, Siege, bench_hostile
from service.workshop.practice.hostile import corpus, random_mail

ANN, BOB = frozenset({"Ann"}), frozenset({"Bob"})
#: random mails in this test; the benchmark takes up to 100,000
RANDOM = int(os.environ.get("WAYBILL_HOSTILE_MAILS", "150"))


@pytest.fixture
def siege(tmp_path):
    configure("critical")
    # What other tests have left to be looked at by the collector is not the mails' work.
    gc.freeze()
    made = Siege(tmp_path)
    yield made
    made.close()
    gc.unfreeze()
    configure("error")


@pytest.mark.long
def test_no_mail_known_to_have_done_harm_does_any(siege):
    known = list(siege.known())
    for hostile in known:
        siege.suffer(hostile)
    assert siege.trial.escaped == []
    counts = siege.store.work.counts().inbox
    assert sum(counts.values()) >= len(known) - 10, "some are the same bytes from both"
    assert counts["done"] > 50


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2])
def test_random_mails_of_all_kinds_break_no_promise(tmp_path, seed):
    siege = Siege(tmp_path, seed)
    for number in range(RANDOM):
        siege.suffer(siege.random(number))
    siege.close()
    assert siege.trial.escaped == []
    assert set(siege.trial.kinds) == {"random", "orders", "signed", "posts", "tournaments"}


@pytest.mark.long
def test_the_same_seed_makes_the_same_mails(tmp_path):
    made = []
    for name in "ab":
        (tmp_path / name).mkdir()
        siege = Siege(tmp_path / name, 5)
        made.append([])
        for number in range(12):
            made[-1].append(siege.random(number).raw)
            siege.suffer(siege.random(number))
        siege.seed = 6
        others = [siege.random(number).raw for number in range(12)]
        siege.close()
    assert made[0] == made[1]
    assert sum(one != two for one, two in zip(made[0], others, strict=True)) > 9


@pytest.mark.long
@pytest.mark.parametrize(
    "hostile, promise",
    [
        # each is done, as it has the proof that it is said not to have
        (lambda s: s.mine("next: pass"), "acted without proof: "),
        (lambda s: replace(s.mine("note: x"), speaks=BOB), "changed what others have: jotting"),
        (
            lambda s: replace(s.mine("next: pass"), speaks=BOB),
            "changed what others have: standing_order",
        ),
        (lambda s: replace(s.mine("images off"), speaks=BOB), "changed what others have: seat"),
        (
            lambda s: replace(s.mine("next: pass"), speaks=ANN, order="next: buy TR"),
            "gave another order",
        ),
        (
            lambda s: replace(s.mine("next: pass", "next: ask"), speaks=ANN, order="next: pass"),
            "did more than its one order",
        ),
    ],
)
def test_a_broken_promise_is_found_with_its_mail(siege, hostile, promise):
    sent = hostile(siege)
    siege.suffer(sent)
    assert any(promise in found.promise for found in siege.trial.found), siege.trial.escaped
    assert {(one.seed, one.number, one.raw) for one in siege.trial.found} == {(0, 0, sent.raw)}


@pytest.mark.long
def test_what_is_meant_breaks_no_promise(siege):
    for line in ("buy TR", "next: pass", "note: x", "status", "map"):
        siege.suffer(replace(siege.mine(line), speaks=ANN))
    assert siege.trial.escaped == []
    assert siege.trial.silent == {}


@pytest.mark.long
def test_silence_without_a_reason_and_two_receipts_are_found(siege, monkeypatch):
    monkeypatch.setattr(siege, "_letters", lambda: [])
    with siege.store.transaction() as tx:
        kept = tx.mails.get(1)
    sent = replace(kept, id=siege._settled + 1, note="", sender="ann@players.test")
    monkeypatch.setattr(Mails, "get", lambda self, number: sent if number == sent.id else None)
    siege._uid = sent.id
    assert list(siege._receipts([])) == [NO_RECEIPT]
    [letter] = siege._sent[-1:]
    twice = [replace(letter, recipient=sent.sender, kind="receipt")] * 2
    siege._settled -= 1
    assert list(siege._receipts(twice)) == ["2 receipts: ['receipt', 'receipt']"]


def test_the_same_number_makes_the_same_mail():
    made = random_mail(7, "a@x.test", "b@x.test")
    assert made == random_mail(7, "a@x.test", "b@x.test") != random_mail(8, "a@x.test", "b@x.test")
    assert len({hostile.name for hostile in corpus("a@x.test", "b@x.test")}) > 60


@pytest.mark.long
def test_the_benchmark_tells_what_escaped_how_slow_and_how_large(monkeypatch):
    told = []
    figures = bench_hostile(6, told.append, 3)
    assert told == [1, 2, 3, 4, 5, 6]
    assert (figures["mails"], figures["escaped"], figures["seed"]) == (6, 0, 3)
    assert figures["slowest_s"] > 0 and 20 < figures["most_mb"] < 1500
    json.dumps(figures)


@pytest.mark.long
def test_a_fault_of_ours_and_a_strange_header_count_as_escaped(siege, monkeypatch):
    def fails(*args):
        raise RuntimeError("a fault")

    monkeypatch.setattr("service.desk.moderator.finish", fails)
    siege.suffer(random_mail(1, "ann@players.test", siege.seat("Ann")))
    assert any("a fault" in what for what in siege.trial.escaped)
    [found] = [one for one in siege.trial.found if "a fault" in one.promise]
    assert (found.seed, found.number) == (0, 0)
