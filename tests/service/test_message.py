"""From bytes to a Mail: bodies, character sets, robots, limits, and mails made to do harm."""

import base64
import time

import pytest

from service.mail.message import MARK, Line, cut_short, read


def mail(body="pass\r\n", **headers):
    """A mail as bytes; ``_`` in a header's name stands for ``-``, None leaves it out."""
    fields = {"From": "Bob <Bob@X.test>", "To": "play@example.test", "Subject": "dixie7", **headers}
    head = "".join(
        f"{name.replace('_', '-')}: {value}\r\n"
        for name, value in fields.items()
        if value is not None
    )
    return head.encode() + b"\r\n" + (body if isinstance(body, bytes) else body.encode())


def typed(kind, body, **headers):
    return mail(body, MIME_Version="1.0", Content_Type=kind, **headers)


def parts(kind, *bodies):
    """A multipart of (headers, body) pairs."""
    text = "".join(f"--b\r\n{head}\r\n\r\n{body}\r\n" for head, body in bodies)
    return typed(f'multipart/{kind}; boundary="b"', text + "--b--\r\n")


def texts(raw):
    return [line.text for line in read(raw).lines]


def test_headers_and_lines_of_a_plain_mail():
    raw = mail(
        "lay 57 G4\r\n\r\npay\r\n",
        Delivered_To="play+dixie7.c.aaaabbbbccccdddd@Example.test",
        Cc="Ann <ann@x.test>, play@example.test",
        Message_ID="<A1@x.test>",
        In_Reply_To="<dixie7.s212@example.test> (your mail)",
        References="<r@example.test>\r\n <dixie7.s212@example.test>",
        Subject="=?utf-8?q?Re=3A_K=C3=B6ln?=\r\n =?iso-8859-1?q?=E9?= x",
    )
    found = read(raw)
    assert found.sender == "bob@x.test"
    assert found.sender_name == "Bob"
    assert found.recipients == (
        "play+dixie7.c.aaaabbbbccccdddd@example.test",
        "play@example.test",
        "ann@x.test",
    )
    assert found.subject == "Re: Kölné x"
    assert found.message_id == "<A1@x.test>"
    assert found.in_reply_to == "<dixie7.s212@example.test>"
    assert found.references == ("<r@example.test>", "<dixie7.s212@example.test>")
    assert found.lines == (Line(1, "lay 57 G4"), Line(3, "pay"))
    assert (found.automatic, found.trouble, found.quoted) == ("", "", False)


BODIES = {
    "quoted-printable": typed(
        "text/plain; charset=utf-8",
        "lay Montr=C3=A9al =\r\nnow\r\n",
        Content_Transfer_Encoding="quoted-printable",
    ),
    "base64, cp1252": typed(
        "text/plain; charset=windows-1252",
        base64.encodebytes("lay Montréal now".encode("cp1252")),
        Content_Transfer_Encoding="base64",
    ),
    "unknown charset": typed("text/plain; charset=x-klingon", "lay Montréal now"),
    "charset with a NUL": typed('text/plain; charset="a\0b"', "lay Montréal now"),
    "charset that is no text": typed("text/plain; charset=zlib", "lay Montréal now"),
    "says ASCII, is UTF-8": typed("text/plain; charset=us-ascii", "lay Montréal now"),
    "says UTF-8, is Latin-1": typed(
        "text/plain; charset=utf-8", "lay Montréal now".encode("latin-1")
    ),
    "no charset": typed("text/plain", "lay Montréal now"),
    "flowed": typed("text/plain; charset=utf-8; format=flowed", "lay Montréal \r\nnow\r\n"),
    "html": typed("text/html; charset=utf-8", "<p>lay&nbsp;<b>Montréal</b>\r\nnow</p>"),
    "alternative": parts(
        "alternative",
        ("Content-Type: text/plain; charset=utf-8", "lay Montréal now"),
        ("Content-Type: text/html", "<p>something else</p>"),
    ),
    "blank text beside html": parts(
        "alternative",
        ("Content-Type: text/plain", " \r\n"),
        ("Content-Type: text/html; charset=utf-8", "<p>lay Montréal now</p>"),
    ),
    "signed": parts(
        "signed",
        ("Content-Type: text/plain; charset=utf-8", "lay Montréal now"),
        ("Content-Type: application/pgp-signature", "xx"),
    ),
    "attachment first": parts(
        "mixed",
        ('Content-Type: text/plain; name="a.txt"', "buy 3"),
        ("Content-Type: text/plain; charset=utf-8", "lay Montréal now"),
    ),
    "list footer behind": parts(
        "mixed",
        ("Content-Type: text/plain; charset=utf-8", "lay Montréal now"),
        ("Content-Type: text/plain\r\nContent-Disposition: inline", "list footer"),
    ),
    "forwarded mail inside": parts(
        "mixed",
        ("Content-Type: message/rfc822", "Subject: x\r\n\r\nbuy 3"),
        ("Content-Type: text/plain; charset=utf-8", "lay Montréal now"),
    ),
}


@pytest.mark.parametrize("raw", BODIES.values(), ids=BODIES.keys())
def test_the_body_is_found_and_decoded(raw):
    assert texts(raw) == ["lay Montréal now"]
    assert read(raw).trouble == ""


def test_latin_1_is_read_as_windows_1252_for_its_curly_quotes():
    assert texts(typed("text/plain; charset=iso-8859-1", b"say: it\x92s")) == ["say: it's"]


def test_the_writers_name_closes_a_mail():
    assert texts(mail("pay\r\n\r\nBob\r\n")) == ["pay"]
    assert texts(mail("pay\r\n\r\nbob\r\n", From="bob@x.test")) == ["pay"]
    assert texts(mail("pay\r\n\r\nAnn\r\n")) == ["pay", "Ann"]


ROBOTS = {
    "RFC 3834": {"Auto_Submitted": "auto-replied"},
    "generated": {"Auto_Submitted": "Auto-Generated; x=y"},
    "bounce": {"Return_Path": "<>"},
    "report": {"Content_Type": "multipart/report; report-type=delivery-status; boundary=b"},
    "bulk": {"Precedence": "bulk"},
    "junk": {"Precedence": "Junk"},
    "auto_reply": {"Precedence": "auto_reply"},
    "autoreply": {"X_Autoreply": "yes"},
    "autorespond": {"X_Autorespond": "turn"},
    "gmail bounce": {"X_Failed_Recipients": "a@b.test"},
    "mailer-daemon": {"From": "Mail Delivery <MAILER-DAEMON@mx.test>"},
    "no-reply": {"From": "no-reply@x.test"},
    "out of office": {"Subject": "Out of Office: Re: turn"},
    "exchange": {"Subject": "Automatic reply: turn"},
    "german absence": {"Subject": "Abwesenheitsnotiz: turn"},
    "french absence": {"Subject": "=?utf-8?q?R=C3=A9ponse_automatique?= : turn"},
    "ourselves": {MARK.replace("-", "_"): "1"},
    "second header": {"Auto_Submitted": "no\r\nAuto-Submitted: auto-replied"},
    "no is a whole word": {"Auto_Submitted": "no-one"},
    "second precedence": {"Precedence": "first-class\r\nPrecedence: bulk"},
    "behind a gateway": {"Subject": "[EXTERNAL] Automatic reply: turn"},
    "behind two": {"Subject": "[Ext] ***SPAM*** RE: AW: Automatische Antwort: Zug"},
    "behind a word": {"Subject": "EXTERNAL: Out of the office"},
    "spanish": {"Subject": "=?utf-8?q?Respuesta_autom=C3=A1tica=3A?= x"},
    "portuguese": {"Subject": "=?utf-8?q?[EXTERNO]_Resposta_autom=C3=A1tica?="},
    "polish": {"Subject": "=?utf-8?q?Odpowied=C5=BA_automatyczna?="},
    "russian": {"Subject": "=?utf-8?b?0JDQstGC0L7QvtGC0LLQtdGC?="},
    "japanese": {"Subject": "=?utf-8?b?6Ieq5YuV5b+c562U?="},
    "list owner": {"From": "owner-trains@lists.test"},
    "list request": {"From": "Trains-Request@lists.test"},
    "list bounces": {"From": "trains-bounces@lists.test"},
    "sympa": {"From": "sympa@lists.test"},
    "list server": {"From": "LISTSERV@lists.test"},
    "read receipt": {"Content_Type": "message/disposition-notification"},
    "nobody": {"From": None},
    "two senders": {"From": "a@x.test, b@x.test"},
    "spoofed display": {"From": "bob@x.test <eve@evil.test>"},
    "group": {"From": "undisclosed-recipients:;"},
}


@pytest.mark.parametrize("headers", ROBOTS.values(), ids=ROBOTS.keys())
def test_a_robot_is_never_answered(headers):
    assert read(mail(**headers)).automatic != ""


PEOPLE = {
    "no with a comment": {"Auto_Submitted": "No (by hand)"},
    "about being away": {"Subject": "[EXTERNAL] I shall be away"},
    "gateway": {"Subject": "[EXTERNAL] Re: [dixie7] YOUR TURN"},
    "an owner": {"Return_Path": "<bob@x.test>", "Sender": "bob@x.test"},
    "explicit no": {"Auto_Submitted": "no"},
    "exchange user": {"X_Auto_Response_Suppress": "DR, OOF", "Subject": "Re: turn"},
    "return path": {"Return_Path": "<bob@x.test>"},
    "quoted display": {"From": '"eve@evil.test" <bob@x.test>'},
    "comma in name": {"From": '"Smith, Bob" <bob@x.test>'},
    "bare comma in name": {"From": "Smith, Bob <bob@x.test>"},
}


@pytest.mark.parametrize("headers", PEOPLE.values(), ids=PEOPLE.keys())
def test_a_person_may_be_answered(headers):
    found = read(mail(**headers))
    assert (found.automatic, found.listed, found.hushed, found.spam) == ("", "", "", "")
    assert found.sender == "bob@x.test"


@pytest.mark.parametrize(
    ("sign", "headers"),
    [
        ("listed", {"List_Id": "Trains <trains.lists.test>"}),
        ("listed", {"Precedence": "list"}),
        ("listed", {"X_BeenThere": "trains@lists.test"}),
        ("listed", {"Return_Path": "<owner-trains@lists.test>"}),
        ("listed", {"Return_Path": "<trains-bounces+bob=x.test@lists.test>"}),
        ("listed", {"Sender": '"Trains" <trains-request@lists.test>'}),
        ("hushed", {"X_Auto_Response_Suppress": "All"}),
        ("hushed", {"X_Auto_Response_Suppress": "OOF, AutoReply"}),
        ("hushed", {"List_Unsubscribe": "<https://firm.test/u>"}),
        ("spam", {"X_Spam_Flag": "YES"}),
        ("spam", {"X_Spam_Status": "Yes, score=9.1 required=5.0"}),
    ],
)
def test_weaker_signs_against_a_mail_are_told_apart(sign, headers):
    found = read(mail(**headers))
    told = {"automatic", "listed", "hushed", "spam"}
    assert {name for name in told if getattr(found, name)} == {sign}
    # Only its sender and what is on top tell more: the text is read as ever.
    assert found.lines == (Line(1, "pass"),)


def test_signs_are_found_in_time_in_headers_made_to_take_long():
    started = time.monotonic()
    for name in ("Return_Path", "Sender", "Precedence", "Auto_Submitted", "Subject"):
        for text in ("-request" * 7000, "[re]: " * 10_000, "re:" * 20_000, "a-owner=" * 7000):
            read(mail(**{name: text}))
    assert time.monotonic() - started < 5


@pytest.mark.parametrize(
    ("subject", "lines"),
    [
        ("pass", [Line(0, "pass")]),
        ("dixie7: pass", [Line(0, "pass")]),
        ("Re: [dixie7] YOUR TURN: TC operates, OR 4.2, by Sat 14 Mar 18:00", []),
        ("[dixie7] 24 h left: TC operates", []),
        ("AW: dixie7: pass", []),
        ("Re: [dixie7] YOUR TURN: TC operates !pass", [Line(0, "pass")]),
        ("", []),
    ],
)
def test_an_empty_body_lets_the_subject_speak_unless_it_is_taken_over(subject, lines):
    found = read(mail("\r\n", Subject=subject))
    assert list(found.lines) == lines
    assert found.trouble == ("" if lines else "empty")


def test_a_subject_never_speaks_for_a_mail_that_answers_another_or_has_lines():
    assert read(mail("", Subject="pass", In_Reply_To="<a@b.test>")).trouble == "empty"
    assert texts(mail("pay", Subject="pass")) == ["pay"]


def test_a_reply_of_nothing_but_quotation_is_empty():
    found = read(
        mail("On 1 Jan 2026 10:00 Waybill wrote:\r\n> pass\r\n", Subject="Re: [dixie7] x: pass")
    )
    assert (found.lines, found.trouble, found.quoted) == ((), "empty", True)


ONLY = "no text in this email, only an attachment ({}), and attachments are not read"


def test_an_attachment_alone_is_told_as_such():
    picture = ("Content-Type: image/jpeg\r\nContent-Transfer-Encoding: base64", "AAAA")
    assert read(parts("mixed", picture)).trouble == ONLY.format("image/jpeg")
    assert read(typed("application/pdf", "x")).trouble == ONLY.format("application/pdf")


def test_too_large_a_mail_still_says_from_whom_it_is():
    raw = mail("pass\r\n" * 350_000)
    started = time.perf_counter()
    found = read(raw)
    assert time.perf_counter() - started < 1
    assert found.trouble.startswith("too large: 2.0 MiB")
    assert (found.sender, found.lines) == ("bob@x.test", ())


def test_a_mail_whose_body_was_not_fetched_is_too_large():
    found = read(cut_short(mail("pass\r\n" * 9), 5 << 20))
    assert found.trouble.startswith("too large: 5.0 MiB")
    assert (found.sender, found.lines) == ("bob@x.test", ())


def test_too_much_text_or_html_or_header_is_refused():
    assert read(mail("x" * 70_000)).trouble.startswith("too large: 68 KiB of text")
    assert "of HTML" in read(typed("text/html", "<p>x" * 200_000)).trouble
    found = read(mail(X_Long="y " * 40_000))
    assert found.trouble.startswith("too large: ") and "headers" in found.trouble
    assert found.sender == "bob@x.test"


NEST = b"".join(
    b'Content-Type: multipart/mixed; boundary="b%d"\r\n\r\n--b%d\r\n' % (i, i) for i in range(2000)
)
HOSTILE = {
    "2000 parts deep": b"From: bob@x.test\r\n" + NEST,
    "nothing": b"",
    "no header": b"\r\n\r\npass",
    "binary": bytes(range(256)) * 50,
    "comments in From": b"From: " + b"(" * 60_000 + b"\r\n\r\npass",
    "From without end": b'From: "\r\n\r\npass',
    "From of brackets": b"From: <<>@,,;\r\n\r\npass",
    "Message-ID of brackets": b"Message-ID: <[]>\r\nFrom: bob@x.test\r\n\r\npass",
    "bad encoded word": b"Subject: =?utf-8?b?!!?=\r\nFrom: bob@x.test\r\n\r\npass",
    "unknown encoded word": b"Subject: =?x-no?q?a?=\r\nFrom: bob@x.test\r\n\r\npass",
    "bad content type": b"Content-Type: ;;;\r\nFrom: bob@x.test\r\n\r\npass",
    "bad file name": b"Content-Disposition: attachment; filename*=bogus''%ZZ\r\n\r\npass",
    "bad base64": b"Content-Transfer-Encoding: base64\r\nFrom: bob@x.test\r\n\r\ncGFzc",
    "boundary never comes": b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n',
    "many encoded words": b"Subject: " + b"=?utf-8?q?a?= " * 4000 + b"\r\n\r\npass",
    "many addresses": b"To: " + b"a@b.c, " * 9000 + b"x@y.z\r\n\r\npass",
}


@pytest.mark.parametrize("raw", HOSTILE.values(), ids=HOSTILE.keys())
def test_reading_never_raises_and_never_takes_long(raw):
    started = time.perf_counter()
    found = read(raw)
    assert time.perf_counter() - started < 2
    assert "\n" not in found.subject
    assert not (found.lines and found.trouble)


def test_a_mail_too_deep_to_parse_is_told_as_unreadable():
    found = read(HOSTILE["2000 parts deep"])
    assert found.trouble.startswith("cannot be read: ")
    assert found.sender == "bob@x.test"


def test_a_subject_cannot_smuggle_a_header():
    assert read(mail(Subject="=?utf-8?q?a=0D=0ABcc:_x?=")).subject == "a Bcc: x"
