"""What headers say about a sender is read as the standards say, in bounds, and never believed."""

import time
from itertools import product

import pytest

from service.mail.evidence import MOST, ServerFinding, evidence_of
from service.mail.grades import GRADES
from service.mail.proving import Proof, aligned


def results(*fields):
    text = "".join(f"Authentication-Results: {field}\r\n" for field in fields)
    return evidence_of(f"{text}From: ann@x.test\r\n\r\nhi\r\n".encode()).results


@pytest.mark.parametrize(
    "field, server, verdicts",
    [
        ("mx.test; none", "mx.test", []),
        ("mx.test 1; dmarc=pass header.from=x.test", "mx.test", [("dmarc", "pass", "x.test")]),
        ("MX.Test;dkim=pass header.d=X.test", "mx.test", [("dkim", "pass", "x.test")]),
        (
            "mx.test; dkim=pass header.i=@x.test",
            "mx.test",
            [("dkim", "pass", "x.test", "", "", True)],
        ),
        (
            '"mx.test"; dkim/1 = fail (bad; key) header.d = x.test',
            "mx.test",
            [("dkim", "fail", "x.test")],
        ),
        (
            "mx.test (a (nested\\) one)); spf=pass smtp.mailfrom=ann@x.test",
            "mx.test",
            [("spf", "pass", "x.test")],
        ),
        ('mx.test; dkim=fail reason="; dmarc=pass"', "mx.test", [("dkim", "fail", "")]),
        ("mx.test (; dmarc=pass header.from=x.test)", "mx.test", []),
        ("", "", []),
    ],
)
def test_results_are_read(field, server, verdicts):
    [found] = results(field)
    assert found.server == server
    assert found.verdicts == tuple(ServerFinding(*one) for one in verdicts)


def test_only_the_topmost_fields_are_looked_at():
    assert len(results(*[f"mx{n}.test; none" for n in range(50)])) == MOST


def test_who_got_a_mail_after_a_field_was_written():
    raw = (
        b"Received: from by by a.test (x [1.2.3.4]) with ESMTP; Sat\r\n"
        b"Authentication-Results: mx.test; none\r\n"
        b"Received: by b.test; Sat\r\n"
        b"Authentication-Results: mx.test; none\r\n\r\nhi"
    )
    assert [one.above for one in evidence_of(raw).results] == [("a.test",), ("a.test", "b.test")]
    raw = b"Received: by c.test; Sat\r\n" + b"Received: by a.test; Sat\r\n" * 20 + raw
    assert evidence_of(raw).results[0].above == ("c.test", "a.test")


@pytest.mark.parametrize(
    "domain, good",
    [
        ("x.test", True),
        ("X.Test.", True),
        ("mail.x.test", False),
        ("y.test", False),
        ("test", False),
        ("", False),
        ("ax.test", False),
    ],
)
def test_a_domain_vouches_for_itself_and_what_lies_below(domain, good):
    assert aligned("ann@x.test", domain) is good
    assert aligned("ann@mail.x.test", domain) is (good or domain == "mail.x.test")


def test_what_is_enough_for_a_grade_is_enough_for_a_lower_one():
    """With the sender alone a lower grade asks for the token or for a signature."""
    for proof in (Proof(*one) for one in product((False, True), repeat=4)):
        found = [proof.enough(grade) for grade in GRADES]
        assert found == sorted(found, reverse=True), proof
    assert not any(Proof(signed=True, phrase=True).enough(grade) for grade in GRADES)


@pytest.mark.parametrize(
    "raw",
    [
        b"Authentication-Results: mx; " + b"(" * 60_000,
        b"Authentication-Results: mx; " + b'"\\' * 30_000,
        b"Authentication-Results: mx; dkim=pass " + b"a . b " * 10_000,
        b"DKIM-Signature: " + b"a=b; " * 12_000,
        b"DKIM-Signature: v=1; a=rsa-sha256; d=x.test; s=s; b=A; bh=A; h=" + b"from:" * 12_000,
        b"DKIM-Signature: " + b"\r\n " * 20_000,
        b"Received: by x\r\n" * 4_000,
        b"DKIM-Signature: v=1; a=rsa-sha256; d=x.test; s=s; c=relaxed/relaxed; l=3; h=from; b=A\r\n"
        * 500
        + b"\r\n"
        + b"hi \t" * 200_000,
    ],
    ids=["comments", "quotes", "properties", "tags", "names", "folds", "traces", "lengths"],
)
def test_hostile_headers_are_read_in_no_time(raw):
    began = time.process_time()
    evidence_of(b"From: a@x.test\r\n" + raw + b"\r\n\r\nhi\r\n")
    assert time.process_time() - began < 0.5
