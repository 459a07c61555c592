"""A signature proves the bytes that it covers and nothing else, whatever provider made it."""

import base64
import quopri
import re
from itertools import product

import pytest

from service.desk.proving import proof
from service.mail import identity
from service.mail.message import read
from service.mail.proving import vouching
from service.mail.signing import holding, may_sign
from tests.service.players import ADDRESS
from tests.service.providers import BY_NAME, PROVIDERS
from tests.service.signatures import COVERED, NAME, RECORD, dated, signed

RARELY = pytest.mark.long
SEAT = ADDRESS.replace("@", "+dixie7.ann.abcdefghijklmnop.7@")
OTHER = ADDRESS.replace("@", "+dixie8.ann.ponmlkjihgfedcba.2@")
LETTER = f"<dixie7.ann.abcdefghijklmnop.s7-turn@{ADDRESS.rpartition('@')[2]}>"
OTHERS_LETTER = LETTER.replace("dixie7", "dixie8")


class Service:
    """What is asked of a service here: its addresses."""

    addresses = (ADDRESS,)


# ------------------------------------------------------------------------ how people's emails look


def headed(*fields, body, to=SEAT, answers=True):
    head = ["From: Ann <ann@players.test>", f"To: Waybill <{to}>"]
    head += ["Subject: Re: [dixie7] YOUR TURN #7" if answers else "Subject: my move"]
    head += ["Message-ID: <1.a@players.test>", "MIME-Version: 1.0"]
    head += [f"In-Reply-To: {LETTER}", f"References: {LETTER}"] if answers else []
    return "\r\n".join([*head, *fields, "", body]).encode()


QUOTED = "\r\n\r\nOn Mon, Nov 23, 2026 at 10:00 AM Waybill <waybill@waybill.test>\r\nwrote:\r\n"
BODY = f"buy TR\r\nsay: hello{QUOTED}> LEGAL NOW\r\n> buy NDY\r\n"
HTML = '<div dir=3D"ltr">buy TR<br>say: hello</div><blockquote>buy NDY</blockquote>'
PARTS = (
    "--00000000000012ab\r\n"
    'Content-Type: text/plain; charset="UTF-8"\r\n\r\n'
    f"{BODY}\r\n"
    "--00000000000012ab\r\n"
    'Content-Type: text/html; charset="UTF-8"\r\n'
    "Content-Transfer-Encoding: quoted-printable\r\n\r\n"
    f"{HTML}\r\n"
    "--00000000000012ab--\r\n"
)
TYPED = 'Content-Type: multipart/alternative; boundary="00000000000012ab"'
PLAIN = "Content-Type: text/plain; charset=UTF-8"
FLOWED = "Content-Type: text/plain; charset=UTF-8; format=flowed"
CODED = "Content-Transfer-Encoding: "
LONG = "say: this goes on and on, in a line that is broken where it is too long, and \r\nbuy TR\r\n"
FORMS = {
    "plain": (BODY, PLAIN),
    "flowed": (BODY, FLOWED, CODED + "7bit"),
    "parts": (PARTS, TYPED),
    "preamble": (f"This is a multi-part message in MIME format.\r\n{PARTS}", TYPED),
    "html": ("<div>buy TR<br>\r\nsay: hello</div><!--\r\nbuy NDY\r\n-->", PLAIN.replace("plain", "html")),
    "quoted": (quopri.encodestring(BODY.replace("hello", "grüße").encode()).decode(), PLAIN, CODED + "quoted-printable"),
    "base64": (base64.encodebytes(BODY.encode()).decode(), PLAIN, CODED + "base64"),
    "broken": (LONG, FLOWED),
    "shifted": ("say: \x1b$B$3$s\x1b(B\r\nbuy TR\r\n", PLAIN.replace("UTF-8", "iso-2022-jp")),
    "file": (PARTS.replace("--00000000000012ab--", "--00000000000012ab\r\nContent-Type: image/png; name=a.png\r\n\r\nAAAA\r\n--00000000000012ab--"), TYPED),
    "empty": ("\r\n", PLAIN),
}  # fmt: skip


def written(form, **how):
    body, *fields = FORMS[form]
    return dated(headed(*fields, body=body, **how))


def proved(raw, keys=None):
    """What the email says as far as a signature proves it: commands, sender, and for which seat."""
    mail = read(raw)
    good = vouching(mail.evidence, mail.sender, 0)
    good = [one for one in good if not proof.not_covered(Service, mail, one)]
    held = holding(raw, keys or {NAME: RECORD}, tuple(one.place for one in good))
    return said(mail) if held else None


def said(mail):
    lines = tuple(" ".join(line.text.split()) for line in mail.lines)
    return mail.sender, lines, identity.claims(mail, ADDRESS), mail.phrase, mail.subject


#: all providers, of which one of each kind is tried in short runs, too
SHORT_RUNS = [
    pytest.param(
        one,
        id=one.name,
        marks=() if one.name in ("Gmail", "iCloud", "Fastmail", "GMX", "Microsoft") else RARELY,
    )
    for one in PROVIDERS
]

#: which emails each provider's signature proves: all others wait for a yes, or a pass phrase
ALWAYS = {"plain", "flowed", "parts", "preamble", "file"}
PROVES = {
    **{name: ALWAYS for name in ("Gmail", "Yahoo", "AOL", "GMX", "web.de", "Proton", "Yandex")},
    "iCloud": ALWAYS | {"html", "shifted"},
    "Microsoft": set(),
    "Yahoo web": set(),
    "T-Online": ALWAYS,
    **{
        name: ALWAYS | {"html", "quoted", "base64", "shifted"}
        for name in ("Fastmail", "Zoho", "Mail.ru")
    },
}


@pytest.mark.parametrize("provider", SHORT_RUNS)
def test_what_the_signatures_of_a_provider_prove(provider):
    found = {form: proved(provider.sign(written(form))) for form in FORMS}
    assert {form for form, what in found.items() if what and what[1]} == PROVES[provider.name]
    for form in PROVES[provider.name] - {"quoted", "shifted"}:
        assert found[form][:2] == ("ann@players.test", ("buy TR", "say: hello"))


# ---------------------------------------------------------------------------- anything else in it

EVIL = "mallory@else.test"
LINES = [
    b"From: Eve <mallory@else.test>",
    b"From: Ann <ann@players.test>",
    b"To: Waybill <%s>" % OTHER.encode(),
    b"To: bob@else.test",
    b"Cc: %s" % OTHER.encode(),
    b"Delivered-To: %s" % OTHER.encode(),
    b"X-Original-To: %s" % OTHER.encode(),
    b"Delivered-To: %s" % ADDRESS.encode(),
    b"Subject: now: pass",
    b"Subject: [dixie8] #2",
    b"Subject : now: pass",
    b"Message-ID: <2@else.test>",
    b"Date: Mon, 30 Nov 2026 10:00:00 +0000",
    b"In-Reply-To: %s" % OTHERS_LETTER.encode(),
    b"References: %s" % OTHERS_LETTER.encode(),
    b"Content-Type: multipart/mixed; boundary=nope",
    b"Content-Type: multipart/digest; boundary=00000000000012ab",
    b"Content-Type: text/html",
    b"Content-Type: text/plain; format=flowed; delsp=yes",
    b"Content-Type: text/plain; charset=utf-7",
    b"Content-Type: text/plain; charset=iso-2022-jp",
    b"Content-Type: message/rfc822",
    b"Content-Type: application/octet-stream; name=a.bin",
    b"Content-Type:",
    b"Content-Transfer-Encoding: base64",
    b"Content-Transfer-Encoding: quoted-printable",
    b"Content-Disposition: attachment; filename=a.txt",
    b"MIME-Version: 7",
    b"Reply-To: mallory@else.test",
    b"Sender: mallory@else.test",
    b"List-Id: <a.else.test>",
    b"List-Post: <mailto:ann@players.test>",
    b"X-Original-From: bob@players.test",
    b"X-One: a\rFrom: mallory@else.test",
    b"X-One: a\r\rTo: %s" % OTHER.encode(),
    b"Fr\0om: mallory@else.test",
    b"X-One: a\0\r\n Subject: pass",
    b"X-One: a\x0bSubject: now: pass",
    b"X-One: a\x85Subject: now: pass",
    b"X-One: a\r\n \r\nSubject: now: pass",
    b" a line that goes on",
    b"a line that is no field",
    b"\xc3\xbc: now",
    b": now",
    b"DKIM-Signature: v=1; a=rsa-sha256; d=players.test; s=s1; h=from:to:date:subject; bh=AA==; b=AA==",
    b"Authentication-Results: mx.waybill.test; dkim=pass header.d=players.test",
]  # fmt: skip


def altered(raw):
    """The email with any line of its headers taken out, and with any of these put in or instead."""
    head, _, body = raw.partition(b"\r\n\r\n")
    fields = re.split(rb"\r\n(?![ \t])", head)
    for at in range(len(fields) + 1):
        before, here, after = fields[:at], fields[at : at + 1], fields[at + 1 :]
        if here:
            yield b"\r\n".join([*before, *after]) + b"\r\n\r\n" + body
        for line in LINES:
            yield b"\r\n".join([*before, line, *here, *after]) + b"\r\n\r\n" + body
            if here:
                yield b"\r\n".join([*before, line, *after]) + b"\r\n\r\n" + body


def checked(raw, step=1, start=0):
    """Whatever is done to the headers: the same is proved, or nothing; how often the same was."""
    honest = said(read(raw))
    same = 0
    for other in list(altered(raw))[start::step]:
        found = proved(other)
        assert found in (None, honest), other.partition(b"\r\n\r\n")[0].decode("latin-1")
        same += found is not None
    return same


CASES = [
    *((provider, form, True, SEAT) for provider, form in product(PROVIDERS, FORMS)),
    *((provider, "plain", False, to) for provider, to in product(PROVIDERS, (SEAT, ADDRESS))),
    *((provider, "empty", False, ADDRESS) for provider in PROVIDERS),
]


@pytest.mark.long
@pytest.mark.parametrize(
    "case", CASES, ids=lambda c: f"{c[0].name} {c[1]} {c[2]:d}{c[3] == SEAT:d}"
)
def test_whatever_is_done_to_headers_says_the_same_or_proves_nothing(case):
    provider, form, answers, to = case
    checked(provider.sign(written(form, answers=answers, to=to)), 5, CASES.index(case) % 5)


@pytest.mark.long
@pytest.mark.parametrize("provider", SHORT_RUNS)
def test_a_sample_of_what_is_done_to_headers(provider):
    """As the test of all of it, with a few of each kind of email."""
    for start, form in enumerate(FORMS):
        raw = provider.sign(written(form))
        assert not checked(raw, 97, start) or proved(raw) is not None


# ---------------------------------------------------------------------------- where spaces count


def test_spaces_that_are_not_signed_join_no_lines():
    """Without `format=flowed` a reader might take two lines, with it one; the body is the same."""
    body = "say: I wonder what\r\nbuy TR\r\n"
    honest = BY_NAME["Fastmail"].sign(dated(headed(FLOWED, body=body)))
    assert proved(honest)[1] == ("say: I wonder what", "buy TR")
    joined = honest.replace(b"what\r\n", b"what \r\n")
    assert holding(joined, {NAME: RECORD}, (0,)) == (0,), "its signature holds"
    assert read(joined).lines[0].text == "say: I wonder what buy TR"
    assert proved(joined) is None


def test_a_multipart_that_another_boundary_takes_apart_is_read_as_signed():
    inner = "--nope\r\nContent-Type: text/plain\r\n\r\nbuy TR\r\n--nope--"
    body = PARTS.replace(BODY, f"say: look at this\r\n{inner}\r\n")
    honest = BY_NAME["Gmail"].sign(dated(headed(TYPED, body=body)))
    assert proved(honest)[1][0] == "say: look at this"
    forged = honest.replace(b'"00000000000012ab"', b"nope", 1)
    assert [line.text for line in read(forged).lines] == ["buy TR"]
    assert holding(forged, {NAME: RECORD}, (0,)) == (0,)
    assert proved(forged) is None


# ---------------------------------------------------------------------------- From, keys, signatures


@pytest.mark.parametrize(
    "sender",
    [
        b"Ann <ann@players.test>, Bob <bob@players.test>",
        b"All: ann@players.test;",
        b"Ann <ann@players.test>, mallory@@else.test",
        b"mallory@else.test <ann@players.test>, ",
        b"Ann\xfc <ann@players.test>",
    ],
)
def test_a_signed_from_of_more_than_one_plain_address_proves_nobody(sender):
    raw = written("plain").replace(b"Ann <ann@players.test>", sender)
    assert proved(signed(raw)) is None


@pytest.mark.parametrize(
    ("record", "good"),
    [
        ("", True),
        ("; t=s", True),
        ("; s=email; h=sha1:sha256", True),
        ("; t=y", False),
        ("; t=s:y", False),
        ("; h=sha1", False),
        ("; s=tlsrpt", False),
        ("; k=ed25519", False),
        ("; p=", False),
        ("; n=;;", False),
    ],
)
def test_a_key_counts_for_what_it_is_there_for(record, good):
    base = RECORD.replace("k=rsa; ", "") if "k=" in record else RECORD
    raw = signed(written("plain"))
    assert (proved(raw, {NAME: base + record}) is not None) is good


def test_a_revoked_key_signs_nothing():
    revoked = "v=DKIM1; k=rsa; p="
    assert proved(signed(written("plain")), {NAME: revoked}) is None
    assert not may_sign(revoked.encode(), {b"d": b"players.test"})


def test_a_key_for_the_domain_itself_does_not_sign_for_those_below():
    own = {b"d": b"players.test", b"i": b"@mail.players.test"}
    assert may_sign(RECORD.encode(), own)
    assert not may_sign(f"{RECORD}; t=s".encode(), own)


def test_many_signatures_prove_nothing():
    raw = signed(written("plain"))
    line = raw.partition(b"\r\nDate:")[0]
    assert proved((line.replace(b"s=s1", b"s=s2") + b"\r\n") * 7 + raw) is None, "of one domain"
    assert proved((line.replace(b"players", b"else") + b"\r\n") * 7 + raw) is not None
    assert proved((line.replace(b"players", b"else") + b"\r\n") * 8 + raw) is None, "too many"


@pytest.mark.parametrize("name", [b"to", b"date", b"subject", b"content-type"])
def test_what_must_be_covered(name):
    covered = tuple(one for one in COVERED if one != name)
    raw = written("html" if name == b"content-type" else "plain")
    assert proved(signed(raw)) is not None
    assert proved(signed(raw, covered=covered)) is None
