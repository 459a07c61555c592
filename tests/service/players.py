"""Players who write to a moderator with its own database; no network, no pictures.

Python's own library makes and reads their emails. Letters are taken out of the outbox.
"""

import hashlib
import re
import shutil
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from html import unescape
from itertools import count
from pathlib import Path
from string import Formatter
from urllib.parse import unquote

from msgspec.structs import replace

import engine
from service.app.office import Office
from service.app.relays import Relays
from service.audience import owner_of
from service.desk.informing.follow_up import FollowUp
from service.desk.letters.desk import Desk
from service.desk.service import Service
from service.desk.vocabulary.table import VOCABULARY
from service.games.changes import Change
from service.games.games import load, open_decision, with_rulings
from service.logs import configure
from service.mail import identity
from service.mail.message import read_head
from service.store import Arrived, Delivery, NewAction, Occasion, Store
from service.workshop.demo.troupe import game_name, text_part
from tests.service.empty import with_tables

ADDRESS = "play@waybill.test"
SECRET = b"a secret for tests only"
OPERATOR = "operator@waybill.test"
NAMES = ("Ann", "Bob", "Cat")
GAME = game_name(SECRET, NAMES)
TITLE = engine.load_title("18AL")
NOW = 1_800_000_000
PIXEL = b"\x89PNG\r\n\x1a\n"


def address(name):
    return f"{name.lower()}@players.test"


@dataclass
class Letter:
    """What somebody got."""

    kind: str
    to: str
    mail: EmailMessage
    message_id: str

    @property
    def subject(self):
        return str(self.mail["Subject"])

    @property
    def text(self):
        return text_part(self.mail)

    @property
    def html(self):
        part = self.mail.get_body(("html",))
        return part.get_content() if part is not None else ""

    @property
    def pictures(self):
        return [p.get_filename() for p in self.mail.walk() if p.get_content_type() == "image/png"]

    @property
    def reply_to(self):
        return str(self.mail["Reply-To"])


class WatchedStore(Store):
    """Knows whether a transaction that writes is open."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.open = 0

    @contextmanager
    def transaction(self):
        self.open += 1
        try:
            with super().transaction() as tx:
                yield tx
        finally:
            self.open -= 1


@dataclass
class Players:
    """The service and everybody's mailbox."""

    store: Store
    #: how well mails must prove their sender where a game says nothing else
    grade: str = "standard"
    now: int = NOW
    pictures: int = 0
    #: what players have who choose nothing
    digest: str = "each"
    #: the operator's folder of own templates
    templates: Path | None = None
    #: number in the Message-ID of the first mail written
    first: int = 1
    letters: list[Letter] = field(default_factory=list)

    def __post_init__(self):
        self.service = Service(
            ADDRESS,
            "Waybill",
            SECRET,
            OPERATOR,
            self.grade,
            digest=self.digest,
            templates=self.templates,
            render=self._render,
            commands=VOCABULARY,
        )
        self.office = self.new_office("worker")
        self._numbers = count(self.first)

    def new_office(self, worker, store=None):
        clock = lambda: self.now  # noqa: E731
        return Office(store or self.store, self.service, (), Relays(), clock=clock, worker=worker)

    def _render(self, svg, width):
        assert not getattr(self.store, "open", 0), (
            "a picture was drawn while nobody else could write"
        )
        self.pictures += 1
        return PIXEL

    # writing

    def seat_address(self, game, name, epoch=0, number=None):
        """The address that speaks for a seat, or for a game's ORGANISER."""
        owner = owner_of(game, name)
        return self.service.seat_address(owner, epoch, number).open(owner)

    def message_id(self, game, name, epoch, key):
        """The Message-ID of a letter to a seat."""
        owner = owner_of(game, name)
        return self.service.message_id(owner, epoch, key).open(owner)

    def mail(
        self, sender, to, *lines, subject="moves", answers=None, html="", message_id="", **headers
    ):
        """A mail as a mail program sends it, over the one that it answers."""
        mail = EmailMessage()
        mail["From"] = f"{sender.partition('@')[0].title()} <{sender}>"
        mail["To"] = to
        mail["Subject"] = subject
        number = next(self._numbers)
        mail["Message-ID"] = message_id or f"<{number}.{sender}>"
        body = "\n".join(lines) + "\n"
        if answers is not None:
            mail["In-Reply-To"] = answers.message_id
            mail["References"] = answers.message_id
            quoted = "\n".join(f"> {line}" for line in answers.text.splitlines())
            body += f"\nOn Sat, 21 Nov 2026 at 10:00, Waybill <{ADDRESS}> wrote:\n{quoted}\n"
        for name, value in headers.items():
            mail[name.replace("_", "-")] = value
        if html:
            mail.set_content(html, subtype="html")
        else:
            # what is quoted may have long lines, and a program that wraps them is another test
            mail.set_content(body, cte="8bit")
        return mail.as_bytes()

    def arrive(self, raw):
        """Keep a mail as the fetch job does; its row's id, None for the very same bytes."""
        mail = read_head(raw)
        claims = identity.claims(mail, ADDRESS)
        lane = claims[0].game if claims else ""
        uid = int.from_bytes(hashlib.sha256(raw + str(self.now).encode()).digest()[:4], "big")
        return self.store.mails.keep(
            Arrived("inbox", 1, uid, raw, self.now, mail.message_id, mail.sender, lane), self.now
        )

    def work(self):
        """Let the office work; the letters it wrote."""
        while self.office.moderate():
            pass
        return self.collect()

    def remind(self):
        """Let happen what time alone brings about; the letters that follow."""
        while self.office.moderate():
            pass
        self.office.remind()
        return self.collect()

    def collect(self):
        """Take the letters out of the outbox."""
        found = []
        while rows := self.store.letters.claim("post", self.now, 60, 100):
            for row in rows:
                mail = message_from_bytes(row.raw, policy=policy.default)
                found.append(Letter(row.kind, row.recipient, mail, row.message_id))
            sent = [Delivery(row.id, "sent") for row in rows]
            self.store.letters.settle(sent, self.now)
        self.letters += found
        return found

    def send(self, raw):
        """A mail comes and is handled; the letters that follow."""
        assert self.arrive(raw) is not None
        return self.work()

    def write(self, name, *lines, game=GAME, **how):
        """A player writes to his seat; the letters that follow."""
        to = how.pop("to", "") or self.seat_address(game, name)
        return self.send(self.mail(how.pop("sender", address(name)), to, *lines, **how))

    def reply(self, letter, *lines, **how):
        """Somebody answers a letter; the letters that follow."""
        how.setdefault("subject", f"Re: {letter.subject}")
        sender = how.pop("sender", letter.to)
        return self.send(self.mail(sender, letter.reply_to, *lines, answers=letter, **how))

    def press(self, letter, label):
        """A player presses a button of a letter and sends what it opens; the letters that follow.

        A mail program that follows a mailto link knows nothing of the letter that it stood in.
        """
        to, subject, lines = buttons(letter)[label]
        return self.send(self.mail(letter.to, to, *lines, subject=subject))

    def stranger(self, sender, *lines, **how):
        """A mail to the moderator's own address; the letters that follow."""
        return self.send(self.mail(sender, ADDRESS, *lines, **how))

    # games

    def begin(self, names=NAMES, game=GAME, title="18AL"):
        """A game whose players sit in this order, begun by mails."""
        letters = self.reply(self.gather(names, game, title), "start")
        assert self.table(game).state.seats == tuple(names)
        return letters

    def gather(self, names=NAMES, game=GAME, title="18AL", organiser=""):
        """A game that these have joined and that has not begun; the letter to its organiser."""
        organiser = organiser or address(names[0])
        [created] = self.stranger(organiser, f"create {title} {game}")
        for name in names:
            [asked] = self.stranger(address(name), f"join {game} as {name}")
            self.reply(asked, "yes")
        return created

    def table(self, game=GAME):
        with self.store.transaction() as tx:
            found = load(tx, game)
            return found and with_rulings(tx, found)

    @property
    def state(self):
        return self.table().state

    def texts(self, game=GAME):
        """The actions of the game's line as written."""
        with self.store.transaction() as tx:
            return [row.text for row in tx.log.actions(self.table(game).row.id, 0)]

    def place(self, state, seat="", mail=None):
        """Let another position stand, as if ``seat`` had led to it."""
        table = self.table()
        number = table.next_number
        state = replace(state, number=number, seats=table.state.seats)
        occasion = Occasion("mail", f"placed-{number}", GAME, seat, mail)
        with self.store.transaction() as tx:
            step = NewAction(
                table.row.head, number, seat, "placed", b"", engine.encode(()), 1,
                engine.digest(state), engine.encode(state), tx.occasions.record(occasion, self.now), 0,
            )  # fmt: skip
            new = tx.log.add(table.row.id, step, self.now)
            assert tx.log.move_head(table.row.id, table.row.head, new)
            tx.games.wait_for(table.row.id, *open_decision(table.title, state), self.now)

    def turn(self, name):
        """A turn mail to a player as the position stands, as if it had just been sent."""
        table = self.table()
        desk = Desk(self.service, self.now, Occasion("test", f"test-{next(self._numbers)}", GAME))
        follow = FollowUp(desk, Change(table, table.state))
        [letter] = [one for one in follow.turns() if one.recipient == address(name)]
        mail = message_from_bytes(letter.raw, policy=policy.default)
        return Letter(letter.kind, letter.recipient, mail, letter.message_id)

    def latest(self, name, kind="turn"):
        """The player's latest letter of a kind."""
        return [one for one in self.letters if (one.to, one.kind) == (address(name), kind)][-1]


def opened(url, **how):
    """Players over an empty database."""
    configure("error")
    with_tables(url)
    return Players(WatchedStore(url), **how)


@dataclass(frozen=True)
class Kept:
    """A database as some mails have left it; each test that begins there has a copy."""

    file: Path
    letters: tuple[Letter, ...]
    now: int

    @classmethod
    def after(cls, file, play):
        """What ``play`` leaves, which is given players over an empty database in a new file."""
        made = opened(f"sqlite:///{file}")
        play(made)
        made.store.close()
        return cls(file, tuple(made.letters), made.now)

    @contextmanager
    def copy(self, folder, **how):
        """Players over a copy in a folder, who have the letters until then."""
        shutil.copy(self.file, folder / "waybill.sqlite")
        found = opened(f"sqlite:///{folder}/waybill.sqlite", first=1000, now=self.now, **how)
        found.letters = list(self.letters)
        yield found
        found.store.close()


def flat(letter):
    """What a letter says, as one line."""
    return " ".join(letter.text.split())


def says(said, message, **values):
    """True where a letter, or a text, says a message; else an AssertionError shows what it says.

    ``message`` is the constant that the service fills in. ``values`` are what must stand in its
    placeholders; one without a value matches anything. White space counts as one space.
    """
    text, wanted = _said(said), _pattern(message, values)
    assert re.search(wanted, text), f"{_told(message, values)} is not said in:\n{text}"
    return True


def unsaid(said, message, **values):
    """True where a letter, or a text, does not say a message; the opposite of `says`."""
    text, wanted = _said(said), _pattern(message, values)
    assert not re.search(wanted, text), f"{_told(message, values)} is said in:\n{text}"
    return True


def _said(said):
    return " ".join((said.text if isinstance(said, Letter) else str(said)).split())


def _pattern(message, values):
    """A regular expression of a message with these values."""
    parts = list(Formatter().parse(" ".join(message.split())))
    strange = values.keys() - {name for _, name, *_ in parts}
    assert not strange, f"{message!r} has no {sorted(strange)}"
    found = ""
    for words, name, *_ in parts:
        found += re.escape(words)
        if name is not None:
            found += re.escape(re.sub(r"\s+", " ", str(values[name]))) if name in values else ".*?"
    return found


def _told(message, values):
    given = ", ".join(f"{name}={value!r}" for name, value in values.items())
    return f"{message!r}{f' with {given}' if given else ''}"


def to(letters, name):
    """Kinds of the letters to a player."""
    return [letter.kind for letter in letters if letter.to == address(name)]


def one(letters, name, kind="receipt"):
    """The only letter of a kind to a player."""
    [found] = [one for one in letters if (one.to, one.kind) == (address(name), kind)]
    return found


def buttons(letter):
    """What each button of a letter opens: address, subject and body of a new mail, by its label."""
    found = {}
    for link, label in re.findall(r'<a\b[^>]*href="mailto:([^"]*)"[^>]*>([^<]*)</a>', letter.html):
        to, _, query = unescape(link).partition("?")
        parts = dict(part.split("=", 1) for part in query.split("&"))
        found[unescape(label).strip()] = (
            unquote(to),
            unquote(parts.get("subject", "")),
            unquote(parts["body"]).split("\r\n"),
        )
    return found
