"""Large mails: what of them is fetched, and that a photo keeps nobody from moving."""

import base64
import contextlib
import imaplib
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest

from service.mail.body import ONLY_ATTACHED
from service.mail.mailbox import ImapMailbox, MailboxDown
from service.mail.message import OVER_LIMIT, RAW_LIMIT, read
from service.mail.parts import skim
from service.reports.receipt import HOW_TO_WRITE
from tests.service.players import ADDRESS, GAME, address, one, says
from tests.service.test_mailbox import KINDS, _open, embedded, real, running_dovecot  # noqa: F401 - a fixture

PHOTO = bytes(range(256)) * 6000  # 1.5 MB, 2 MB as it travels


@pytest.fixture(params=[KINDS[0], KINDS[2]])
def server(request, tmp_path):
    with _open(request, tmp_path) as delivery:
        yield delivery
        delivery.close()


def written(text="buy TR\nbid S&NA 45\n", html="", photo=PHOTO, name="IMG_1.jpg", **how):
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "Bob <bob@x.test>", ADDRESS, "our table"
    mail["Message-ID"] = "<photo@x.test>"
    if text is not None:
        mail.set_content(text, **how)
        if html:
            mail.add_alternative(html, subtype="html")
    elif html:
        mail.set_content(html, subtype="html")
    if photo is not None:
        mail.add_attachment(photo, maintype="image", subtype="jpeg", filename=name)
    return mail


def apple(photo=PHOTO):
    """alternative of plain text, and of a mixed of HTML, photo, HTML."""
    outer = EmailMessage()
    outer["From"], outer["To"], outer["Subject"] = "Bob <bob@x.test>", ADDRESS, "our table"
    outer.set_content("buy TR\n")
    inner = EmailMessage()
    inner.set_content("<p>buy TR</p>", subtype="html")
    inner.make_mixed()
    inner.add_attachment(photo, maintype="image", subtype="jpeg", disposition="inline", cid="<a@b>")
    outer.make_alternative()
    outer.attach(inner)
    return outer


STYLES = {
    "plain": written,
    "both": lambda photo=PHOTO: written(html="<p>buy TR</p><p>bid S&amp;NA 45</p>", photo=photo),
    "HTML alone": lambda photo=PHOTO: written(
        text=None, html="<p>buy TR</p><p>bid S&amp;NA 45</p>", photo=photo
    ),
    "blank text": lambda photo=PHOTO: written("\xa0\r\n", "<p>buy TR</p>", photo),
    "blank text in base64": lambda photo=PHOTO: written(" \n\n", "<p>buy TR</p>", photo, cte="base64"),
    "base64": lambda photo=PHOTO: written("say: für Köln\nbuy TR\n", photo=photo, cte="base64"),
    "latin": lambda photo=PHOTO: written(
        "say: für Köln\nbuy TR\n", photo=photo, charset="iso-8859-1", cte="quoted-printable"
    ),
    "apple": apple,
}  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("style", STYLES.values(), ids=STYLES)
def test_a_photo_changes_nothing_in_what_is_read(server, style):
    server.put(style().as_bytes(policy=policy.SMTP))
    (fetched,) = server.open().fetch()
    found, small = read(fetched.raw), read(style(photo=b"small").as_bytes(policy=policy.SMTP))
    assert len(fetched.raw) < 8_000
    assert found.lines == small.lines != ()
    assert (found.trouble, found.subject, found.sender) == ("", "our table", "bob@x.test")
    assert found.message_id == small.message_id


@pytest.mark.long
def test_what_is_left_out_is_noted_with_type_name_and_size(server):
    server.put(written().as_bytes(policy=policy.SMTP))
    (fetched,) = server.open().fetch()
    mail = message_from_bytes(fetched.raw, policy=policy.default)
    assert [part.get_content_type() for part in mail.walk()] == [
        "multipart/mixed",
        "text/plain",
        "message/external-body",
        "image/jpeg",
    ]
    assert not any(part.defects for part in mail.walk())
    note = list(mail.walk())[2]
    size = int(note.get_param("size"))
    assert size >= len(base64.b64encode(PHOTO))
    assert note.get_param("section") == "2"
    assert note.get_payload()[0].get_param("name") == "IMG_1.jpg"


@pytest.mark.long
def test_the_same_mail_is_kept_as_the_same_bytes(server):
    for _ in range(2):
        server.put(written().as_bytes(policy=policy.SMTP))
    first, second = (message_from_bytes(one.raw) for one in server.open().fetch())
    assert first.get_payload()[1].as_bytes() == second.get_payload()[1].as_bytes()


@pytest.mark.long
@pytest.mark.parametrize(
    "mail", [written(text=None), written("\n\n")], ids=["alone", "with blanks"]
)
def test_a_photo_without_words_is_told_as_such(server, mail):
    server.put(mail.as_bytes(policy=policy.SMTP))
    (fetched,) = server.open().fetch()
    found = read(fetched.raw)
    assert found.lines == ()
    assert found.trouble.startswith("no text in this email, only an attachment (image/jpeg")


@pytest.mark.long
def test_a_photo_that_is_the_whole_mail_is_told_as_such(server):
    mail = EmailMessage()
    mail["From"], mail["To"] = "bob@x.test", ADDRESS
    mail.set_content(PHOTO, maintype="image", subtype="jpeg")
    server.put(mail.as_bytes(policy=policy.SMTP))
    (fetched,) = server.open().fetch()
    assert len(fetched.raw) < 2_000
    assert "only an attachment (image/jpeg" in read(fetched.raw).trouble


@pytest.mark.long
@pytest.mark.parametrize(
    "mail",
    [
        written("pass\n" * 250_000, photo=None),
        written("pass\n" * 60_000),
        written(text=None, html="<p>pass</p>" * 100_000),
    ],
    ids=["text", "text beside a photo", "HTML beside a photo"],
)
def test_too_much_text_is_refused_as_before(server, mail):
    server.put(mail.as_bytes(policy=policy.SMTP))
    (fetched,) = server.open().fetch()
    assert len(fetched.raw) < 2_000
    found = read(fetched.raw)
    assert says(found.trouble, OVER_LIMIT)
    assert found.sender == "bob@x.test"


def nested(depth):
    """A mail of multiparts within each other, with a photo beside."""
    body = "Content-Type: text/plain\r\n\r\npass\r\n"
    for level in range(depth):
        body = (
            f'Content-Type: multipart/mixed; boundary="b{level}"\r\n\r\n--b{level}\r\n{body}\r\n'
            f"--b{level}--\r\n"
        )
    photo = "\r\n".join(["x" * 70] * 20_000)
    return (
        f"From: bob@x.test\r\nTo: {ADDRESS}\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; "
        f'boundary="top"\r\n\r\n--top\r\n{body}\r\n--top\r\nContent-Type: image/jpeg\r\n\r\n{photo}'
        "\r\n--top--\r\n"
    ).encode()


HARMFUL = {
    "deep": nested(90),
    "many parts": (
        f"From: bob@x.test\r\nTo: {ADDRESS}\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/mixed; boundary="top"\r\n\r\n'
        + "--top\r\nContent-Type: image/gif\r\n\r\nx\r\n" * 30_000
        + "--top--\r\n"
    ).encode(),
    "no boundary": written().as_bytes(policy=policy.SMTP).replace(b"boundary=", b"boundery="),
    "no end": written().as_bytes(policy=policy.SMTP)[:-60],
    "headers without end": b"From: bob@x.test\r\n" + b"X-A: b\r\n" * 200_000,
    "a part's headers": written().as_bytes(policy=policy.SMTP).replace(
        b'filename="IMG_1.jpg"', b"filename=x" + b"; a=b" * 40_000
    ),
}  # fmt: skip


@pytest.mark.long
@pytest.mark.dovecot
@pytest.mark.parametrize("raw", HARMFUL.values(), ids=HARMFUL)
def test_a_harmful_large_mail_is_fetched_and_the_next_one_too(running_dovecot, raw):  # noqa: F811
    with real(running_dovecot) as server, contextlib.closing(server.open()) as box:
        server.put(raw)
        server.put(written(photo=None).as_bytes(policy=policy.SMTP))
        first, second = box.fetch()
    assert len(first.raw) <= RAW_LIMIT
    assert read(first.raw).sender == "bob@x.test"
    assert [line.text for line in read(second.raw).lines] == ["buy TR", "bid S&NA 45"]


@pytest.mark.long
def test_a_mail_whose_description_is_too_long_for_a_line_ends_the_fetching_twice_at_most(
    monkeypatch,
):
    """imaplib gives up lines of a million bytes: such a mail must not be in the way for ever."""
    mail = written()
    for number in range(20):
        mail.add_attachment(b"small", maintype="image", subtype="gif", filename=f"{number}.gif")
    with embedded() as server, contextlib.closing(server.open()) as box:
        server.put(mail.as_bytes(policy=policy.SMTP))
        server.put(written(photo=None).as_bytes(policy=policy.SMTP))
        monkeypatch.setattr(imaplib, "_MAXLINE", 1000)
        for _ in range(2):
            with pytest.raises(MailboxDown):
                list(box.fetch())
        first, second = box.fetch()
    assert says(read(first.raw).trouble, OVER_LIMIT, size="2.0 MiB")
    assert [line.text for line in read(second.raw).lines] == ["buy TR", "bid S&NA 45"]


# ---------------------------------------------------------------------------- without a server


def structure(*parts, boundary=b"b"):
    return (list(parts), b"mixed", (b"boundary", boundary), None, None, None)


def leaf(kind=b"plain", octets=6, major=b"text", disposition=None, parameters=None):
    lines = (1,) if major == b"text" else ()
    return (major, kind, parameters, None, None, b"7bit", octets, *lines, None, disposition, None)


def skimmed(
    found, pieces, head=b"From: a@b.test\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"
):
    def piece(section, octets):
        if section.endswith(".MIME"):
            return b"Content-Type: text/plain\r\n\r\n"
        return pieces[section][:octets]

    return skim(found, head, piece)


@pytest.mark.long
def test_a_name_cannot_write_headers():
    evil = b'a"\r\nX-Evil: yes\r\n\r\n--b\r\n\r\nsell all'
    photo = leaf(b"jpeg\r\nX: y", 9_000_000, b"image", (b"attachment", (b"filename", evil)))
    raw = skimmed(structure(leaf(), photo), {"1": b"pass\r\n"})
    assert [line.text for line in read(raw).lines] == ["pass"]
    assert b"\r\nX-Evil" not in raw
    assert b"\r\nX: y" not in raw
    assert raw.count(b"\r\n--b") == 3


@pytest.mark.long
def test_text_that_holds_a_boundary_makes_no_other_mail():
    assert skimmed(structure(leaf(octets=60)), {"1": b"pass\r\n--b\r\n\r\nsell all\r\n"}) is None


def test_both_ways_to_write_a_disposition_make_an_attachment():
    for told in ((b"attachment", None), b"attachment; filename=x"):
        first = leaf(disposition=told)
        raw = skimmed(structure(first, leaf()), {"1": b"never\r\n", "2": b"pass\r\n"})
        assert [line.text for line in read(raw).lines] == ["pass"]


@pytest.mark.long
@pytest.mark.parametrize("boundary", [b"", b"a" * 71, b"a\r\nb", b'a"b', b"a "])
def test_a_boundary_that_cannot_be_makes_no_mail(boundary):
    assert skimmed(structure(leaf(), boundary=boundary), {"1": b"pass\r\n"}) is None


# ---------------------------------------------------------------------------- from end to end


@pytest.mark.long
def test_a_move_beside_a_photo_is_played_and_what_is_kept_has_no_photo(players, server):
    seat = players.seat_address(GAME, "Ann")
    mail = written("buy TR\n")
    mail.replace_header("From", address("Ann"))
    mail.replace_header("To", seat)
    server.put(mail.as_bytes(policy=policy.SMTP))
    with contextlib.closing(server.open()) as box:
        assert isinstance(box, ImapMailbox)
        players.office.mailboxes = (box,)
        assert players.office.fetch() == 1
        receipt = one(players.work(), "Ann")
        assert players.office.fetch() == 0
    assert "NOT DONE" not in receipt.subject
    assert players.texts() == ["buy TR"]
    row = players.store.mails.claim("a look", players.now, 60)
    assert row is None


@pytest.mark.long
def test_a_photo_alone_is_answered_with_what_to_do(players, server):
    mail = written(text=None)
    mail.replace_header("From", address("Ann"))
    mail.replace_header("To", players.seat_address(GAME, "Ann"))
    server.put(mail.as_bytes(policy=policy.SMTP))
    players.office.mailboxes = (server.open(),)
    players.office.fetch()
    receipt = one(players.work(), "Ann")
    assert says(receipt, ONLY_ATTACHED) and "(image/jpeg" in receipt.text
    assert says(receipt, HOW_TO_WRITE)
