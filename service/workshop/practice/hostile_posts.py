"""Emails that pretend to be of a list, a forum or a mail server, or return Waybill's own."""

import re
from collections.abc import Sequence
from random import Random

from service.workshop.practice.hostile import Hostile, mail
from service.workshop.practice.hostile_signed import signed

LIST = "dixie@lists.players.test"
FORUM = "forum.trains.test"
TOPIC = 41

#: without `!list off` and `!forum off`, which any reader there may write
_COMMANDS = (
    "!pass", "!buy TR", "!bid NDY 125", "!next: pass", "pass", "!say: hello", "! undo",
    "!list aaaaaaaaaaaaaaaa", "!forum aaaaaaaaaaaaaaaa", "yes", "!yes 12345678",
    "!address add eve@evil.test", "!new token", "!pass-phrase set open sesame now", "!resign",
)  # fmt: skip
_ODD = (
    "--b\r\nContent-Type: text/plain\r\n\r\n!pass\r\n--b--", "From bob@players.test",
    "-- \r\n!pass", "---\r\n!pass", "> !pass", "```\r\n!pass\r\n```", "[quote]!pass[/quote]",
    "_" * 47, "Begin forwarded message:", "On Mon, Bob <bob@players.test> wrote:",
    "Content-Type: text/html", "To unsubscribe send an email to dixie-leave@lists.players.test",
    ".", "\x00", "=3D", "!",
)  # fmt: skip


def post(sender: str, name: str, lines: Sequence[str], key: str, *more: str) -> bytes:
    """An email as a list forwards it, with the From of its writer."""
    headers = (
        f"Return-Path: <dixie+bounces-{key}@lists.players.test>",
        "Delivered-To: play@waybill.test", f"From: {name} <{sender}>", f"To: {LIST}",
        "List-Id: <dixie.lists.players.test>", "Precedence: list", f"List-Post: <mailto:{LIST}>",
        "Content-Type: text/plain; charset=utf-8", *more,
    )  # fmt: skip
    body = "\r\n" + "\r\n".join(lines) + "\r\n"
    return mail(sender, LIST, key, body.encode(), *headers, subject="Re: [dixie8] SR 1")


def notice(writer: str, lines: Sequence[str], key: str, sender: str = f"noreply@{FORUM}") -> bytes:
    """The email of a Discourse forum about a post, like its templates, in plain text."""
    place = f"https://{FORUM}/t/dixie8-a-game/{TOPIC}"
    headers = (
        f"From: {writer} via Trains <{sender}>", f"Reply-To: Trains <incoming+4f2b8c@{FORUM}>",
        f"Message-ID: <discourse/post/{key}@{FORUM}>", "Precedence: list",
        f"List-ID: Trains | Games <games.{FORUM}>", f"List-Archive: {place}",
        f"X-Discourse-Post-Id: {key}", f"X-Discourse-Topic-Id: {TOPIC}",
        "X-Auto-Response-Suppress: All", "Auto-Submitted: auto-generated",
    )  # fmt: skip
    said = "\r\n".join(lines)
    own = (
        f"<table><tbody><tr><td><a href='https://{FORUM}/u/{writer}'>{writer}</a></td></tr>"
        f"<tr><td><p>{'</p><p>'.join(lines)}</p></td></tr></tbody></table>"
    )
    told = f"---\r\n[Visit Topic]({place}/7) or reply to this email to respond."
    body = (
        'Content-Type: multipart/alternative; boundary="=_p"\r\n\r\n--=_p\r\n'
        f"Content-Type: text/plain; charset=utf-8\r\n\r\n\r\n{said}\r\n\r\n{told}\r\n--=_p\r\n"
        f"Content-Type: text/html; charset=utf-8\r\n\r\n<div>{own}<hr>"
        f"<a href='{place}/7'>Visit Topic</a></div>\r\n--=_p--\r\n"
    )
    return mail(
        sender, "play@waybill.test", key, body.encode(), *headers, subject="[Trains] dixie8"
    )


def report(
    recipient: str, letter: bytes, to: str, action: str = "failed", status: str = "5.1.1"
) -> bytes:
    """A delivery report (RFC 3464) about an undelivered email of Waybill."""
    head = letter.partition(b"\r\n\r\n")[0]
    body = (
        b'Content-Type: multipart/report; report-type=delivery-status; boundary="=_r"\r\n\r\n'
        b"--=_r\r\nContent-Type: text/plain\r\n\r\nIt did not arrive.\r\n--=_r\r\n"
        b"Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.players.test\r\n\r\n"
        b"Final-Recipient: rfc822; " + recipient.encode("ascii", "replace") + b"\r\nAction: "
        + action.encode() + b"\r\nStatus: " + status.encode() + b"\r\n\r\n--=_r\r\n"
        b"Content-Type: text/rfc822-headers\r\n\r\n" + head + b"\r\n--=_r--\r\n"
    )  # fmt: skip
    headers = (
        "From: MAILER-DAEMON@mx.players.test",
        "Return-Path: <>",
        "Auto-Submitted: auto-replied",
    )
    return mail("", to, f"report.{hash_of(letter)}", body, *headers, subject="Undelivered Mail")


def hash_of(octets: bytes) -> int:
    """A number for some octets, the same in every process."""
    return sum((at % 65_521) * byte for at, byte in enumerate(octets[:4000]))


def post_mail(dice: Random, number: int, service: str, sent: Sequence[bytes]) -> Hostile:
    """A random one; ``sent`` are emails of Waybill that others may have."""
    lines = dice.choices((*_COMMANDS, *_COMMANDS, *_ODD), k=dice.choice((1, 1, 2, 3, 8)))
    name = dice.choice(("Dan", "Fay", "Gus", "Ann", "eve"))
    writer = f"{name.lower()}@players.test"
    letter = dice.choice(sent) if sent else b"From: play@waybill.test\r\n\r\nx"
    key = f"post-{number}"
    match dice.randrange(7):
        case 0 | 1:
            also = (f"Sender: {LIST}", f"X-Original-From: {writer}", f"Reply-To: {writer}")
            more = dice.choices(also, k=dice.randrange(3))
            raw = post(writer, name, lines, key, *more)
            # all members of a list have read everything on it, whoever wrote it
            return Hostile("a forged post", raw, "posts", talks=True)
        case 2:
            raw = notice(dice.choice(("dan18", name, "zoe")), lines, str(1000 + number))
            raw = dice.choice((raw, signed(raw, "evil.test"), signed(raw, "players.test")))
            return Hostile("a forged notice of a forum", raw, "posts")
        case 3:
            back = b"List-Id: <dixie.lists.players.test>\r\nDelivered-To: play@waybill.test\r\n"
            extra = ("\r\n".join(lines) + "\r\n").encode()
            return Hostile("our own letter", dice.choice((b"", back)) + letter + extra, "posts")
        case 4:
            raw = re.sub(rb"(?im)^From:[^\r]*", f"From: {writer}".encode(), letter, count=1)
            return Hostile("our own letter from another", raw + b"\r\n!pass\r\n", "posts")
        case 5:
            to = dice.choice((service, service.replace("@", "+bounce-1.aaaaaaaaaaaaaaaa@")))
            action, status = dice.choice((("failed", "5.1.1"), ("delayed", "4.4.1"), ("x", "9")))
            found = re.search(rb"(?im)^To:[^\r]*?([^\s<>]+@[^\s<>\r]+)", letter)
            about = found[1].decode("ascii", "replace") if found else writer
            about = dice.choice((about, writer, LIST))
            forged = dice.choice((letter, letter.replace(b"Message-ID: <", b"Message-ID: <x")))
            return Hostile("a forged report", report(about, forged, to, action, status), "posts")
        case _:
            inner = mail(writer, LIST, key, "\r\n".join(["", *lines]).encode())
            body = b"Content-Type: message/rfc822\r\n\r\n" + inner
            raw = mail(f"eve@evil{number % 97}.test", service, f"{key}.outer", body)
            return Hostile("a post within a mail", raw, "posts")
