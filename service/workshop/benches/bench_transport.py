"""What moderation costs beside bare transport: a game by real servers, then its emails alone.

Both go through the same IMAP and SMTP servers in the same run. Before either is counted, another
game of the same title goes the same way, because a daemon runs for months: what a process does once
is then done. The CPU time of the servers and of the players is not counted. Bare transport is what
each mail program does: it fetches and parses each email, composes each answer from its text, HTML
and files, and sends it. Composing is measured twice: as Waybill does it, and as Python's library
does.
"""

import asyncio
import re
import resource
import smtplib
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import parsedate_to_datetime
from pathlib import Path
from statistics import median
from time import process_time

from engine import apply, load_title, new_game, to_act
from service.app.office import BATCH, Office
from service.base64_lines import base64_lines
from service.mail.compose import Attachment, Body, MailHead, Picture, compose
from service.mail.reader import reader
from service.mail.sender import Outgoing, Sent, SmtpSettings, send
from service.workshop.benches.bench_burst import open_office
from service.workshop.benches.bench_burst import players as gathered
from service.workshop.demo.embedded import PostOffice
from service.workshop.demo.troupe import PlayerLines, Troupe, mails_of, parse_mail, text_part
from service.workshop.practice.script import Script, read, recorded, write
from service.workshop.practice.sense import SensibleBot

#: rounds by the two letters in the subject of a turn email
_ROUNDS = {"SR": "stock round", "OR": "operating round"}
#: the seed of the bots whose game is not counted
_SEED = 1
#: more decisions than an email of theirs has on average
_DECISIONS = 3


@dataclass
class _Clock:
    """CPU seconds of this process without those of the servers in it."""

    post: PostOffice
    spent: float = 0.0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Count what is done meanwhile."""
        began = process_time() - self.post.cpu
        try:
            yield
        finally:
            self.spent += process_time() - self.post.cpu - began


@dataclass
class _MeasuredEmail:
    """One email of a player: CPU seconds of its stages, and the letters that answered it."""

    round: str = ""
    moderated: float = 0.0
    moved: float = 0.0
    letters: list[Outgoing] = field(default_factory=list)


def bench_transport(
    title: str, emails: int, progress: Callable[[int], None]
) -> dict[str, float | int | str]:
    """CPU milliseconds per email: with moderation, by kind of round, and of transport alone.

    Plays the first ``emails`` of the game that comes with the program, after as many of a game of
    bots, which are not counted; ``progress`` is told how many of both are done. The process that
    reads emails is counted with moderation, without its start, which happens once in the life of a
    daemon.
    """
    with tempfile.TemporaryDirectory() as name, PostOffice(keep=Path(name) / "kept") as post:
        started = _of_children()
        reader()(b"")
        reader().close()
        started = _of_children() - started
        children = _of_children()
        with open_office(post, Path(name)) as office, closing(office):
            script = read(recorded(title.lower()))
            first, counted = gathered(title, post, office, 2, lambda _: None)
            prepared = _play(_of_bots(script, emails), post, office, first, progress)
            lines = mails_of(script)[:emails]
            played = _play(lines, post, office, counted, lambda n: progress(len(prepared) + n))
            reader().close()
            came = [path.read_bytes() for path in sorted((Path(name) / "kept" / "in").iterdir())]
            read_by = max(_of_children() - children - started, 0.0) / len(came)
            both = [*prepared, *played]
            _carry(came[-len(both) : -len(played)], prepared, post, office)
            bare, by_library = _carry(came[-len(played) :], played, post, office)
    whole = sum(one.moderated + one.moved for one in played) / len(played) + read_by
    kinds: defaultdict[str, list[float]] = defaultdict(list)
    for one in filter(lambda one: one.round, played):
        kinds[one.round].append(one.moderated + read_by)
    return {
        "title": title,
        "emails": len(played),
        "answers": sum(len(one.letters) for one in played),
        **{f"{kind.replace(' ', '_')}_ms": _ms(median(spent)) for kind, spent in kinds.items()},
        "service_ms": _ms(whole),
        "transport_ms": _ms(bare / len(played)),
        "ratio": round(whole / (bare / len(played)), 1),
        "library_ms": _ms(by_library / len(played)),
        "library_ratio": round(whole / (by_library / len(played)), 1),
    }


def _of_bots(script: Script, emails: int) -> list[PlayerLines]:
    """The first emails of another game with the same title and players, the same in each run."""
    title = load_title(script.title, frozenset(script.variants))
    bot, states, actions = SensibleBot(_SEED), [new_game(title, script.players).state], []
    for _ in range(_DECISIONS * emails):
        actions.append(bot.choose(title, states[-1], to_act(title, states[-1])[0]))
        states.append(apply(title, states[-1], actions[-1]).state)
    return mails_of(read(write(title, states, actions)))[:emails]


def _play(
    mails: Sequence[PlayerLines],
    post: PostOffice,
    office: Office,
    troupe: Troupe,
    progress: Callable[[int], None],
) -> list[_MeasuredEmail]:
    """Play the emails, and note what each cost."""
    played: list[_MeasuredEmail] = []

    async def deliver(smtp: SmtpSettings, batch: Sequence[Outgoing]) -> list[Sent]:
        played[-1].letters += batch
        return await send(smtp, batch)

    async def leave() -> None:
        # as the daemon does: it looks again only if more may wait
        while await office.send() == BATCH:
            pass

    def work() -> None:
        moderated, moved = _Clock(post), _Clock(post)
        played.append(_MeasuredEmail())
        with moved.running():
            office.fetch()
        with moderated.running():
            while office.moderate():
                pass
        with moved.running():
            loop.run(leave())
        played[-1] = replace(played[-1], moderated=moderated.spent, moved=moved.spent)

    office.deliver = deliver
    troupe.rest = work
    # one for all emails, as in the daemon
    with asyncio.Runner() as loop:
        for lines in mails:
            troupe.play(lines)
            player = troupe.players[lines.seat]
            found = re.search(r"\b(SR|OR)\b", str(player.mails[player.answered]["Subject"]))
            # a question to somebody whose turn it is not names no round
            played[-1].round = _ROUNDS[found[1]] if found else ""
            progress(len(played))
    return played


def _carry(
    came: Sequence[bytes], played: Sequence[_MeasuredEmail], post: PostOffice, office: Office
) -> tuple[float, float]:
    """CPU seconds to only fetch and parse the same emails, and compose and send the same answers.

    Python's library parses. The first figure is with answers that Waybill composes, the second with
    answers that the library composes.
    """
    [mailbox], smtp = office.mailboxes, office.relays.all[0].smtp
    spent, composing, by_library = _Clock(post), _Clock(post), _Clock(post)
    assert smtp is not None
    base64_lines.cache_clear()
    with asyncio.Runner() as loop:
        for raw, one in zip(came, played, strict=True):
            with smtplib.SMTP("127.0.0.1", post.smtp_port) as server:
                server.sendmail("player@players.test", post.mailbox, raw)
            parts = [_parts_of(letter.raw) for letter in one.letters]
            with spent.running():
                for fetched in mailbox.fetch():
                    text_part(parse_mail(fetched.raw))
                    mailbox.done(fetched)
                with composing.running():
                    composed = [compose(head, body) for head, body in parts]
                letters = zip(one.letters, composed, strict=True)
                loop.run(_send(smtp, [replace(letter, raw=raw) for letter, raw in letters]))
            assert composed == [letter.raw for letter in one.letters], "the same emails are sent"
            with by_library.running():
                alike = [_by_library(head, body) for head, body in parts]
            texts = [[text_part(parse_mail(mail)) for mail in some] for some in (composed, alike)]
            assert texts[0] == texts[1], "the same texts are composed"
    return spent.spent, spent.spent - composing.spent + by_library.spent


def _by_library(head: MailHead, body: Body) -> bytes:
    """The same email as Python's library composes it (`email.message`)."""
    mail = EmailMessage(SMTP)
    mail["From"], mail["To"], mail["Subject"] = head.from_, ", ".join(head.to), head.subject
    mail["Date"], mail["Message-ID"] = head.date, head.message_id
    for name, value in (
        ("In-Reply-To", head.in_reply_to),
        ("References", " ".join(head.references)),
        ("Reply-To", head.reply_to),
        ("List-Id", head.list_id),
        ("Auto-Submitted", head.auto_submitted),
    ):
        if value:
            mail[name] = value
    mail.set_content(body.text)
    if body.html is not None:
        mail.add_alternative(body.html, subtype="html")
        for one in body.pictures:
            shown = mail.get_body(("html",))
            assert isinstance(shown, EmailMessage)
            shown.add_related(one.png, "image", "png", cid=f"<{one.cid}>", filename=one.filename)
    for file in body.attachments:
        mail.add_attachment(file.data, *file.kind.split("/"), filename=file.filename)
    return mail.as_bytes()


async def _send(smtp: SmtpSettings, letters: Sequence[Outgoing]) -> None:
    sent = await send(smtp, letters)
    assert all(one.status == "sent" for one in sent)


def _parts_of(raw: bytes) -> tuple[MailHead, Body]:
    """What Waybill composed an email of."""
    mail = parse_mail(raw)
    header = {name: str(value) for name, value in mail.items()}
    head = MailHead(
        header["From"],
        header["To"].split(", "),
        header["Subject"],
        parsedate_to_datetime(header["Date"]),
        header["Message-ID"],
        header.get("In-Reply-To", ""),
        header.get("References", "").split(),
        header.get("Reply-To", ""),
        header.get("List-Id", ""),
        header.get("Auto-Submitted", ""),
    )
    shown = mail.get_body(("html",))
    files = [part for part in mail.walk() if part.get_filename()]
    return head, Body(
        text_part(mail),
        None if shown is None else shown.get_content(),
        [
            Picture(str(part["Content-ID"])[1:-1], str(part.get_filename()), _bytes(part))
            for part in files
            if part.get_content_disposition() == "inline"
        ],
        [
            Attachment(str(part.get_filename()), part.get_content_type(), _bytes(part))
            for part in files
            if part.get_content_disposition() == "attachment"
        ],
    )


def _bytes(part: EmailMessage) -> bytes:
    data = part.get_payload(decode=True)
    assert isinstance(data, bytes)
    return data


def _of_children() -> float:
    """CPU seconds of the processes that this one began and that have ended."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 1)
