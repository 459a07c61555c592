"""Mails we send: the same bytes each time, threads intact, and readable again."""

import re
from datetime import UTC, datetime
from email import message_from_bytes
from email.policy import compat32, default

import pytest

from service.mail.automatic import OUR_OWN
from service.mail.compose import Attachment, Body, MailHead, Picture, compose, named
from service.mail.message import MARK, read

LONG_ID = "<" + "A1b2" * 60 + "@eurprd01.prod.outlook.test>"
PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4


TEXT = "Zürich – pay?\n.\nFrom here\n" + "x" * 1500 + "\n"


def letter(**changes):
    fields = {
        "from_": named("Waybill, dixie7", "play@example.test"),
        "to": "bob@x.test",
        "subject": "[dixie7] YOUR TURN – Köln",
        "text": TEXT,
        "date": datetime(2026, 3, 14, 18, 0, tzinfo=UTC),
        "message_id": "<dixie7.s212@example.test>",
        "html": "<p>Zürich <img src='cid:map'></p>",
        "pictures": [Picture("map", "map.png", PNG)],
        "attachments": [Attachment("state.json", "application/json", b'{"a": 1}')],
        "in_reply_to": LONG_ID,
        "references": ["<root@example.test>"],
        "reply_to": "play+dixie7.c.aaaabbbbccccdddd@example.test",
        "list_id": "<dixie7.example.test>",
    }
    found = {**fields, **changes}
    body = {name: found.pop(name) for name in ("text", "html", "pictures", "attachments")}
    return compose(MailHead(**found), Body(**body))


def test_the_same_arguments_make_the_same_bytes():
    assert letter() == letter()
    assert letter() != letter(message_id="<dixie7.s213@example.test>")


def test_every_line_may_travel_and_ends_in_crlf():
    raw = letter()
    assert b"\n" not in raw.replace(b"\r\n", b"")
    assert raw.isascii()
    head, _, body = raw.partition(b"\r\n\r\n")
    assert max(map(len, head.split(b"\r\n"))) <= 998
    assert max(map(len, body.split(b"\r\n"))) <= 78


def test_ids_are_never_written_as_encoded_words():
    raw = letter()
    assert f"\r\nIn-Reply-To: {LONG_ID}\r\n".encode() in raw
    assert f"\r\nReferences: <root@example.test> {LONG_ID}\r\n".encode() in raw


def test_reading_gives_back_what_was_composed():
    found = read(letter(text="lay 57 G4\n\npay\n", html=None, pictures=[]))
    assert found.sender == "play@example.test"
    assert found.sender_name == "Waybill, dixie7"
    assert found.recipients == ("bob@x.test",)
    assert found.subject == "[dixie7] YOUR TURN – Köln"
    assert found.message_id == "<dixie7.s212@example.test>"
    assert found.in_reply_to == LONG_ID
    assert found.references == ("<root@example.test>", LONG_ID)
    assert [line.text for line in found.lines] == ["lay 57 G4", "pay"]
    assert found.trouble == ""


def test_our_mails_are_never_answered_by_us_or_by_robots():
    parsed = message_from_bytes(letter(auto_submitted="auto-replied"), policy=default)
    assert parsed["Auto-Submitted"] == "auto-replied"
    assert parsed["X-Auto-Response-Suppress"] == "All"
    assert parsed[MARK] == "1"
    assert read(letter()).automatic == OUR_OWN


def test_text_html_picture_and_attachment_come_out_whole():
    parsed = message_from_bytes(letter(), policy=default)
    text = parsed.get_body(("plain",)).get_content()
    assert text.replace("\r\n", "\n") == TEXT and text.count("\r\n") == TEXT.count("\n")
    assert "cid:map" in parsed.get_body(("html",)).get_content()
    pictures = [part for part in parsed.walk() if part.get_content_type() == "image/png"]
    assert [(part["Content-ID"], part.get_content()) for part in pictures] == [("<map>", PNG)]
    attached = list(parsed.iter_attachments())
    assert [(part.get_filename(), part.get_content()) for part in attached] == [
        ("state.json", b'{"a": 1}')
    ]


def test_a_header_cannot_be_smuggled_in():
    parsed = message_from_bytes(
        letter(subject="x\r\nBcc: eve@evil.test", list_id="<a>\nX-Evil: 1"), policy=default
    )
    assert parsed["Bcc"] is None and parsed["X-Evil"] is None
    assert parsed["Subject"] == "x Bcc: eve@evil.test"


SMUGGLED = (
    "=?utf-8?q?x=0d=0aReply-To:_eve@evil.test?=",
    "=?utf-8?q?=0d=0a=0d=0aANOTHER_BODY?=",
    "=?utf-8?b?DQpSZXBseS1UbzogZXZlQGV2aWwudGVzdA==?=",
    "=?utf-7?q?+AA0ACg-Reply-To:_eve@evil.test?=",
    "=?utf-8?q?=3D=3Futf-8=3Fq=3F=3D0d=3D0aReply-To=3A_eve=40evil.test=3F=3D?=",
    "=?x?=?utf-8?q?=0aReply-To:_eve@evil.test?=",
    "x\r\n\tReply-To: eve@evil.test",
    "x\u2028Reply-To: eve@evil.test\x85\x0b\x0c\x1c",
    "x" * 5000 + " =?utf-8?q?=0d=0aReply-To:_eve@evil.test?=",
    "é" * 3000,
    "\ud800 half a character",
)


def sent(raw):
    """Names and values of the headers as they go over the wire, and what stands below them."""
    head, _, body = raw.partition(b"\r\n\r\n")
    lines = re.sub(rb"\r\n[ \t]", b" ", head).split(b"\r\n")
    return [tuple(line.split(b": ", 1)) for line in lines], body


@pytest.mark.parametrize("value", SMUGGLED)
def test_what_a_sender_chose_makes_no_header_and_no_line(value):
    honest = letter(subject="x")
    attacks = [
        {"subject": value},
        {"subject": f"Re: {value}"},
        {"in_reply_to": f"<{value}@x.test>"},
        {"in_reply_to": f"<a@{value}>"},
        {"references": [f"<{value}@x.test>", "<good@x.test>"]},
        {"from_": named(value, "play@example.test")},
        {"list_id": f"{value} <dixie7.example.test>"},
        {"auto_submitted": value},
    ]
    for attack in attacks:
        raw = letter(**{"subject": "x", **attack})
        headers, body = sent(raw)
        expected, unchanged = sent(honest)
        assert body == unchanged
        names = [header[0] for header in headers]
        known = {name for name, *_ in expected}
        assert set(names) <= known and len(names) == len(set(names))
        assert dict(headers)[b"Reply-To"] == b"play+dixie7.c.aaaabbbbccccdddd@example.test"
        assert re.fullmatch(rb"(?:[ -~\t]*\r\n)*", raw.partition(b"\r\n\r\n")[0] + b"\r\n")
        for policy in (default, compat32):
            parsed = message_from_bytes(raw, policy=policy)
            assert [v.strip() for v in parsed.get_all("Reply-To")] == [
                "play+dixie7.c.aaaabbbbccccdddd@example.test"
            ]
        assert not [v for v in parsed.values() if "\n" in re.sub(r"\n[ \t]", " ", v)]


def test_no_library_decodes_twice_what_a_subject_says():
    subject = "=?utf-8?q?x=0d=0aReply-To:_eve@evil.test?="
    assert message_from_bytes(letter(subject=subject), policy=default)["Subject"] == subject
    assert read(letter(subject=subject)).subject == subject


@pytest.mark.parametrize(
    "address",
    [
        '"a,eve@evil.test,b"@x.test',
        "bob@x.test, eve@evil.test",
        "bob@x.test\r\nBcc: eve@evil.test",
        "=?utf-8?q?=0d=0aBcc:_eve@evil.test?=@x.test",
        '"%b.:]@x.test"',
        "",
    ],
)
def test_an_address_that_might_be_read_as_another_is_refused(address):
    for header in ("to", "reply_to"):
        if address or header == "to":
            with pytest.raises(ValueError, match="not an email address"):
                letter(**{header: address})
    with pytest.raises(ValueError, match="not an email address"):
        named("Bob", address)


def test_long_ids_leave_the_body_alone_and_very_long_ones_are_left_out():
    for size in (300, 380, 5000):
        raw = letter(in_reply_to=f"<{'a' * size}@x.test>", references=[f"<{'b' * size}@x.test>"])
        assert max(map(len, raw.partition(b"\r\n\r\n")[0].split(b"\r\n"))) <= 998
        text = message_from_bytes(raw, policy=default).get_body(("plain",)).get_content()
        assert text.startswith("Zürich – pay?")
        assert (b"In-Reply-To" in raw) == (size < 400)


def test_names_are_quoted_or_encoded_where_they_must_be():
    assert named("Waybill dixie7", "a@x.test") == "Waybill dixie7 <a@x.test>"
    assert named("", "a@x.test") == "a@x.test"
    for name in ('Bob "the" B\\ob, <eve@evil.test>', "Köln " * 5, "=?utf-8?q?x?="):
        parsed = message_from_bytes(letter(from_=named(name, "a@x.test")), policy=default)
        [found] = parsed["From"].addresses
        assert (found.addr_spec, found.display_name) == ("a@x.test", " ".join(name.split()))


def test_ill_formed_ids_of_others_are_left_out():
    parsed = message_from_bytes(
        letter(
            in_reply_to="<[]", references=["oops", "<é@x>", "<a@b@c>", "<a..b@c>", "<>", "<a@[x[>"]
        ),
        policy=default,
    )
    assert parsed["In-Reply-To"] is None
    assert parsed["References"] is None


def test_a_long_thread_keeps_its_root_and_its_latest():
    many = [f"<{number:03}{'x' * 50}@example.test>" for number in range(60)]
    found = read(letter(references=many, in_reply_to=many[-1]))
    assert found.references[0] == many[0]
    assert found.references[-1] == many[-1]
    assert 2 < len(found.references) < 60


def test_several_receivers_stand_in_one_line():
    assert read(letter(to=["a@x.test", "b@x.test"])).recipients == ("a@x.test", "b@x.test")


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"date": datetime(2026, 3, 14)}, "time zone"),
        ({"html": None}, "HTML part only"),
        ({"message_id": "dixie7"}, "not a Message-ID"),
    ],
)
def test_what_cannot_be_a_mail_is_refused(changes, complaint):
    with pytest.raises(ValueError, match=complaint):
        letter(**changes)
