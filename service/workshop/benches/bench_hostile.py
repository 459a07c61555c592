"""Sends hostile emails to a test service, and checks the effect of each.

`Siege._broken` has the promises that must hold after each email.
"""

import re
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email import message_from_bytes, policy
from pathlib import Path
from random import Random

import engine
from service.app.office import Office
from service.app.relays import Relays
from service.audience import ORGANISER, owner_of
from service.desk.service import Service
from service.desk.vocabulary.table import VOCABULARY
from service.mail.mailbox import Fetched
from service.mail.reader import reader
from service.rations import DAY, HOUR, mailbox
from service.store import Delivery, OutboxRow, Store, Tx
from service.workshop.practice import hostile_signed
from service.workshop.practice.hostile import Hostile, corpus, mail, random_mail
from service.workshop.practice.hostile_orders import order_mail
from service.workshop.practice.hostile_posts import FORUM, LIST, notice, post, post_mail
from service.workshop.practice.hostile_tournaments import tournament_mail

_ADDRESS = "play@waybill.test"
_SECRET = b"a secret for benchmarks only"
#: a game by email, and one on a list and on a forum
_GAME, _OPEN = "dixie7", "dixie8"
_TOURNAMENT, _DIRECTOR = "spring", "dora@clubs.test"
_FORM = ("round 1 titles: 18AL", "grade: standard", "clock: none", "announcement: All are welcome.")
#: the players of each; Ann plays only one game, so her signature alone shows which one she means
_PLAYERS, _OTHERS = ("Ann", "Bob", "Cat"), ("Dan", "Fay", "Gus")
_OPERATOR = "operator@waybill.test"
#: headers that an email from Waybill may have
_HEADERS = {
    "from", "to", "subject", "date", "message-id", "in-reply-to", "references", "reply-to",
    "list-id", "auto-submitted", "x-auto-response-suppress", "x-waybill", "content-type",
    "content-transfer-encoding", "mime-version",
}  # fmt: skip
#: seconds between two emails by the service's clock, so that rate limits do not matter
_APART = 900


#: the most transactions for one email, and the most emails that it may cause
_TRANSACTIONS, _LETTERS = 80, 40
#: the number of latest emails that forgeries imitate
_KEPT = 40
#: tables that any email may write to, whoever sent it: its own way through the service
_TRAFFIC = frozenset(
    """
    inbox outbox occasion task picture reply_guard work unanswered meta held heartbeat
    returned former waiting clock game_list
    """.split()  # noqa: SIM905 - it is read as a sentence is
)
#: tables about a stranger that are allowed before they say yes
_ASKED = frozenset({"observer", "volunteer"})
#: tables of things that belong to a seat, and the column that names the seat
_OWN = {
    **dict.fromkeys(("talk", "standing_order", "ahead", "pass_phrase", "forum_name"), "seat"),
    **dict.fromkeys(("partial", "ballot", "jotting"), "seat"),
    "seat": "name",
}
#: columns that record who has read something, or when
_PASSING = {
    # Waybill renews an address that somebody has shown to others, whoever it was
    "seat": ("told", "heard", "offered", "epoch", "renewed_by"),
    "jotting": ("shown",),
    "forum": ("number", "reply_to", "at"),
    "observer": ("told", "page"),
}
#: kinds of emails that report what happened to an email
_RECEIPTS = ("receipt", "answer", "away", "foreign", "list-private")

Row = tuple[tuple[str, object], ...]
World = Mapping[str, frozenset[Row]]


@dataclass(frozen=True)
class BrokenPromise:
    """A promise that an email broke; the seed and the email's number make it again."""

    seed: int
    number: int
    name: str
    promise: str
    raw: bytes

    def __str__(self) -> str:
        return f"{self.name} (seed {self.seed}, mail {self.number}): {self.promise}"


@dataclass
class HostileTrial:
    """The results so far; ``slow`` is the name of the slowest email."""

    mails: int = 0
    found: list[BrokenPromise] = field(default_factory=list)
    slowest: float = 0.0
    #: seconds of work in this process, without waiting, so that a busy machine makes no difference
    worked: float = 0.0
    slow: str = ""
    #: the most transactions, and the most outgoing emails, of one email
    transactions: int = 0
    letters: int = 0
    #: emails by kind, and those without an answer by reason
    kinds: Counter[str] = field(default_factory=Counter)
    silent: Counter[str] = field(default_factory=Counter)

    @property
    def escaped(self) -> list[str]:
        """Lines that name the broken promises."""
        return list(map(str, self.found))


class _KnownKeys:
    """A DNS of known keys: those of players, of the forum and of attackers."""

    def known(self, names: Iterable[str], now: int) -> dict[str, str]:
        """The records of these names."""
        hosts = (hostile_signed.DOMAIN, FORUM, "evil.test")
        have = {f"s1._domainkey.{host}": hostile_signed.RECORD for host in hosts}
        return {name: have.get(name, "") for name in names}


class _CountingStore(Store):
    """A store that counts its transactions, a measure of work on any machine."""

    count = 0

    @contextmanager
    def transaction(self) -> Iterator[Tx]:
        """As the store's own."""
        self.count += 1
        with super().transaction() as tx:
            yield tx

    @contextmanager
    def reading(self) -> Iterator[Tx]:
        """As the store's own."""
        self.count += 1
        with super().reading() as tx:
            yield tx


NO_RECEIPT = "no receipt, and no reason for silence"


class Siege:
    """A service with games, a list, a forum, a tournament, a temporary database and no network."""

    def __init__(self, folder: Path, seed: int = 0) -> None:
        file = folder / "hostile.sqlite"
        self.store = _CountingStore(f"sqlite:///{file}")
        self.store.upgrade()
        self.seed = seed
        self._now = 1_800_000_000
        self.service = Service(
            _ADDRESS,
            "Waybill",
            _SECRET,
            _OPERATOR,
            keys=_KnownKeys(),
            render=lambda *_: b"\x89PNG",
            commands=VOCABULARY,
        )
        self.office = Office(
            self.store, self.service, (_Basket(),), Relays(), clock=lambda: self._now
        )
        self.trial = HostileTrial()
        self._title = engine.load_title("18AL")
        self._uid = 0
        #: outgoing emails, newest last: recipient and octets
        self._sent: list[OutboxRow] = []
        #: signed emails that Waybill carried out unchanged
        self._done: list[bytes] = []
        #: unregistered mailbox → the times of its answers
        self._settled = 0
        self._answered: dict[str, list[int]] = {}
        #: addresses that speak for entrants and the tournament's director
        self._offices: list[str] = []
        self._begin()

    # the state before the siege

    def _begin(self) -> None:
        for game, names in ((_GAME, _PLAYERS), (_OPEN, _OTHERS)):
            self._tell(_sender(names[0]), _ADDRESS, f"create 18AL {game}")
            for name in names:
                self._tell(_sender(name), _ADDRESS, f"join {game} as {name}")
                self._tell(_sender(name), self.seat(name, game), "yes")
            self._tell(_sender(names[0]), self.seat(ORGANISER, game), "start")
        self._open_list()
        self._open_forum()
        self._open_tournament()
        self._settled = self._uid

    def _open_list(self) -> None:
        told = self._tell(_sender("Dan"), self.seat("Dan", _OPEN), f"list {LIST}")
        line = self._line("!list", told)
        greeting = self._come(post(_sender("Dan"), "Dan", [line], "line"))
        back = b"List-Id: <dixie.lists.players.test>\r\nDelivered-To: play@waybill.test\r\n"
        self._come(back + next(one.raw for one in greeting if one.recipient == LIST))

    def _open_forum(self) -> None:
        for number, (what, writer) in enumerate((("thread", "zoe"), ("name", "dan18"))):
            told = self._tell(_sender("Dan"), self.seat("Dan", _OPEN), f"forum {what}")
            raw = notice(writer, ["Let us play here.", self._line("!forum", told)], str(number + 1))
            self._come(hostile_signed.signed(raw, FORUM))

    def _open_tournament(self) -> None:
        asked = self._tell(_DIRECTOR, _ADDRESS, f"tournament new {_TOURNAMENT}")
        told = self._tell(_DIRECTOR, _reply_to(asked), *_FORM)
        self._offices += [_reply_to(told)]
        for name in _PLAYERS:
            asked = self._tell(_sender(name), _ADDRESS, f"enter {_TOURNAMENT} as {name}")
            told = self._tell(_sender(name), _reply_to(asked), "yes")
            self._offices += [_reply_to(told)]

    @staticmethod
    def _line(word: str, letters: Iterable[OutboxRow]) -> str:
        """The line that an email asks its reader to write elsewhere."""
        for one in letters:
            if found := re.search(rf"{word} [a-z2-7]{{16}}", " ".join(_text(one.raw).split())):
                return found[0]
        raise LookupError(f"no email has a line {word}")

    def _tell(self, sender: str, to: str, *lines: str) -> list[OutboxRow]:
        body = "\r\n" + "\r\n".join(lines) + "\r\n"
        return self._come(mail(sender, to, f"opening.{self._uid}", body.encode()))

    def seat(self, name: str, game: str = _GAME) -> str:
        """The address of a player's seat."""
        owner = owner_of(game, name)
        return self.service.seat_address(owner).open(owner)

    # the emails

    def mails(self, count: int) -> Iterator[Hostile]:
        """Known emails first, from a player and from a stranger; then random ones of all kinds."""
        known = list(self.known())
        yield from known[:count]
        yield from map(self.random, range(count - len(known)))

    def known(self) -> Iterator[Hostile]:
        """Those that are known to have done harm once."""
        for one in corpus(_sender("Ann"), self.seat("Ann")):
            yield replace(one, speaks=frozenset({"Ann"}))
        yield from corpus("eve@evil.test", _ADDRESS)

    def random(self, number: int) -> Hostile:
        """A random email, perhaps of things that the service has sent or done."""
        dice = Random(f"{self.seed}/{number}")
        match number % 8:
            case 0 | 1:
                name = dice.choice(_PLAYERS)
                to = dice.choice((self.seat(name), self.seat("Bob"), _ADDRESS))
                sender = dice.choice((_sender(name), _sender(name), f"eve@evil{number % 97}.test"))
                made = random_mail(number, sender, to, self.seed)
                proved = sender == _sender(name) and to == self.seat(name)
                return replace(made, speaks=frozenset({name} if proved else ()))
            case 2:
                name = dice.choice(_PLAYERS)
                made = order_mail(dice, self._title, _PLAYERS, _sender(name), self.seat(name))
                return replace(made, speaks=frozenset({name}))
            case 3 | 4:
                return hostile_signed.signed_mail(dice, number, _sender("Ann"), _ADDRESS, _GAME)
            case 5 if self._done:
                return hostile_signed.again(dice, number, dice.choice(self._done))
            case 5 | 6:
                return post_mail(dice, number, _ADDRESS, [one.raw for one in self._sent])
            case _:
                # and with a token that is almost right
                wrong = [re.sub(r"[a-z2-7]{2}@", "zz@", one) for one in self._offices]
                return tournament_mail(
                    dice, number, _ADDRESS, _TOURNAMENT, (*self._offices, *wrong)
                )

    def mine(self, *lines: str) -> Hostile:
        """An honest email of Ann, which does not name the player for whom it speaks."""
        body = "\r\n" + "\r\n".join(lines) + "\r\n"
        key = f"mine.{self._uid}"
        return Hostile("mine", mail(_sender("Ann"), self.seat("Ann"), key, body.encode()))

    def suffer(self, hostile: Hostile) -> None:
        """Send an email, let the service handle it, and check all promises."""
        number = self.trial.mails
        # emails sometimes come in bursts, so that rate limits are tested, too
        self._now += 2 if number // 20 % 5 == 4 else _APART
        while self.office.moderate():
            pass
        self._letters()
        before, self.store.count = self._look(), 0
        began, working = time.perf_counter(), time.process_time()
        broken: list[str] = []
        letters: list[OutboxRow] = []
        try:
            letters = self._come(hostile.raw)
        except Exception as error:
            broken.append(f"{type(error).__name__}: {error}"[:300])
        seconds = time.perf_counter() - began
        trial = self.trial
        trial.worked = max(trial.worked, time.process_time() - working)
        trial.transactions = max(trial.transactions, self.store.count)
        trial.letters = max(trial.letters, len(letters))
        if seconds > trial.slowest:
            trial.slowest, trial.slow = seconds, hostile.name
        trial.mails += 1
        trial.kinds[hostile.kind or "known"] += 1
        broken += self._broken(hostile, before, letters)
        trial.found += [
            BrokenPromise(self.seed, number, hostile.name, b, hostile.raw) for b in broken
        ]

    def _come(self, raw: bytes) -> list[OutboxRow]:
        """Deliver an email and let the service handle it; return the emails that follow."""
        self._now += 1
        self._uid += 1
        [basket] = self.office.mailboxes
        assert isinstance(basket, _Basket)
        basket.put(Fetched(1, self._uid, raw, datetime.fromtimestamp(self._now, UTC)))
        self.office.fetch()
        while self.office.moderate():
            pass
        return self._letters()

    def _letters(self) -> list[OutboxRow]:
        """Take the outgoing emails, which nobody gets."""
        found: list[OutboxRow] = []
        while rows := self.store.letters.claim("bench", self._now, 60, 100):
            found += rows
            self.store.letters.settle([Delivery(row.id, "sent") for row in rows], self._now)
        self._sent = [*self._sent, *found][-_KEPT:]
        return found

    # the promises

    def _broken(self, hostile: Hostile, before: World, letters: list[OutboxRow]) -> Iterator[str]:
        """The promises that an email broke."""
        yield from self._faults()
        if self.store.count > _TRANSACTIONS or len(letters) > _LETTERS:
            yield f"{self.store.count} transactions, {len(letters)} letters"
        after = self._look()
        yield from _acted(hostile, before, after)
        if hostile.order and _orders(after) != _orders(before):
            self._done.append(hostile.raw)
        yield from self._receipts(letters)
        for one in letters:
            yield from _letter(one.raw)
            yield from self._unasked(one.recipient)

    def _look(self) -> World:
        """All stored rows, without those that every email leaves."""
        tables = self.store.everything(without=_TRAFFIC)
        return {
            name: frozenset(
                tuple((key, one) for key, one in row.items() if key not in _PASSING.get(name, ()))
                for row in rows
            )
            for name, rows in tables.items()
        }

    def _faults(self) -> Iterator[str]:
        """Emails that are not settled, or that failed for another reason than their limits."""
        counts = self.store.work.counts().inbox
        left = counts.get("new", 0) + counts.get("working", 0)
        if left:
            yield f"{left} emails are not settled"
        for row in self.store.mails.aside() if counts.get("shunted") else ():
            if "breaks the bounds" not in row.note:
                yield f"fault: {row.note}"[:300]
            # so that the next email is not blamed
            with self.store.transaction() as tx:
                tx.mails.forget_aside(row.id)

    def _receipts(self, letters: list[OutboxRow]) -> Iterator[str]:
        """Whether the last email has one receipt, or a reason why it has none."""
        with self.store.transaction() as tx:
            new = [
                mail for mail in map(tx.mails.get, range(self._settled + 1, self._uid + 1)) if mail
            ]
        self._settled = max((mail.id for mail in new), default=self._settled)
        for last in new:
            own = [one.kind for one in letters if one.recipient == last.sender]
            receipts = [kind for kind in own if kind in _RECEIPTS]
            if len(receipts) > 1:
                yield f"{len(receipts)} receipts: {receipts}"
            if not own and not last.note:
                yield NO_RECEIPT
            if not receipts:
                self.trial.silent[re.sub(r"[0-9]+", "#", last.note)[:60]] += 1

    def _unasked(self, to: str) -> Iterator[str]:
        """Whether a stranger gets more emails than allowed."""
        known = {*map(_sender, (*_PLAYERS, *_OTHERS)), _DIRECTOR, _OPERATOR, LIST}
        if to in known or to.endswith(f"@{FORUM}"):
            return
        times = self._answered.setdefault(mailbox(to), [])
        times.append(self._now)
        # Waybill also tells the writer which commands in their name it did not do
        for most, seconds in ((12, HOUR), (40, DAY)):
            count = sum(at > self._now - seconds for at in times)
            if count > most:
                yield f"{count} letters within {seconds} seconds to {to}, who is nobody here"

    def close(self) -> None:
        """Give the database back."""
        self.store.close()


class _Basket:
    """A mailbox into which the bench puts emails."""

    def __init__(self) -> None:
        self._mails: list[Fetched] = []

    @property
    def name(self) -> str:
        """The name of the only mailbox."""
        return "basket"

    @property
    def unreadable(self) -> dict[tuple[int, int], str]:
        """No email: all can be read."""
        return {}

    def put(self, fetched: Fetched) -> None:
        self._mails.append(fetched)

    def fetch(self, kept: tuple[int, int] = (0, 0)) -> Iterator[Fetched]:
        """The emails in it."""
        yield from list(self._mails)

    def done(self, fetched: Fetched) -> None:
        """Remove an email."""
        self._mails.remove(fetched)

    def moved(self, since: int) -> Iterator[Fetched]:
        """No email: nobody else takes one."""
        return iter(())

    def wait(self, seconds: float) -> bool:
        """Return at once: no email comes by itself."""
        return False

    def wake(self) -> None: ...

    def interrupt(self) -> None: ...

    def probe(self) -> str:
        """Nothing is wrong, ever."""
        return ""

    def close(self) -> None: ...


def _sender(name: str) -> str:
    return f"{name.lower()}@players.test"


def _text(raw: bytes) -> str:
    """The text of an email."""
    part = message_from_bytes(raw, policy=policy.default).get_body(("plain",))
    return str(part.get_content()) if part else ""


def _reply_to(letters: Iterable[OutboxRow]) -> str:
    """The reply address of the first of some emails."""
    raw = next(one.raw for one in letters)
    found = re.search(r"<([^<>]+)>|(\S+@\S+)", str(message_from_bytes(raw)["Reply-To"]))
    assert found is not None
    return found[1] or found[2]


def _orders(world: World) -> frozenset[Row]:
    return world["standing_order"]


def _acted(hostile: Hostile, before: World, after: World) -> Iterator[str]:
    """The changes by an email for players whom it does not prove."""
    unproved: list[str] = []
    others: list[str] = []
    for name in before:
        gone, new = before[name] - after[name], after[name] - before[name]
        if not (gone or new) or (name == "talk" and hostile.talks):
            continue
        if not hostile.speaks:
            if gone or not all(_asked(name, dict(row)) for row in new):
                unproved.append(f"{name}: {_told(gone)} became {_told(new)}")
        elif name in _OWN:
            # a note that a digest keeps for a player is not the player's own work
            rows = [row for row in (*gone, *new) if dict(row).get("kind") != "news"]
            theirs = [row for row in rows if dict(row)[_OWN[name]] not in hostile.speaks]
            others += [f"{name}: {_told(theirs)}"] if theirs else []
    if unproved:
        yield f"acted without proof: {'; '.join(unproved)}"
    if others:
        yield f"changed what others have: {'; '.join(others)}"
    if hostile.order:
        given = [dict(row) for row in _orders(after) - _orders(before)]
        if any(row["text"] != hostile.order or row["seat"] not in hostile.speaks for row in given):
            yield f"gave another order: {[row['text'] for row in given]}"
        if after["action"] != before["action"] or len(given) > 1:
            yield "did more than its one order"


def _asked(table: str, row: dict[str, object]) -> bool:
    """Whether a row only says that somebody was asked, which is allowed once."""
    if table == "tournament_act":
        payload = row["payload"]
        return isinstance(payload, bytes) and b'"what":"asked"' in payload
    return table in _ASKED and row["agreed"] is None


def _told(rows: Iterable[Row]) -> str:
    return str([{key: one for key, one in row if one} for row in rows])[:200]


def _letter(raw: bytes) -> Iterator[str]:
    """The parts of an outgoing email that are foreign or active."""
    head = raw.partition(b"\r\n\r\n")[0]
    lines = re.sub(rb"\r\n[ \t]", b" ", head).decode("latin-1").split("\r\n")
    names = [line.partition(":")[0].lower() for line in lines]
    if not set(names) <= _HEADERS or len(set(names)) < len(names):
        yield f"an email with the headers {names}"
    if re.search(r"[^ -~\t]", "".join(lines)):
        yield "an email with control characters in its headers"
    for part in message_from_bytes(raw, policy=policy.default).walk():
        if part.get_content_type() == "text/html":
            html = str(part.get_content()).lower()
            if "<script" in html or re.search(r"<img[^>]+src=.?http", html):
                yield "an email with a script or a picture from elsewhere"


def bench_hostile(
    mails: int, progress: Callable[[int], None], seed: int = 0, keep: Path | None = None
) -> dict[str, object]:
    """Send a number of emails: those that are known to have done harm, and random ones of a seed.

    ``escaped`` counts broken promises, as `Siege` checks them after each email. ``slowest_s`` is
    the longest time of one email, ``most_mb`` the memory of this process or of the email reader.
    Emails that broke a promise are written into the folder ``keep``.
    """
    with tempfile.TemporaryDirectory() as folder:
        siege = Siege(Path(folder), seed)
        for number, hostile in enumerate(siege.mails(mails), 1):
            siege.suffer(hostile)
            progress(number)
        siege.close()
    trial = siege.trial
    for one in trial.found if keep else ():
        assert keep is not None
        (keep / f"{one.seed}-{one.number}.eml").write_bytes(one.raw)
    return {
        "seed": seed,
        "mails": trial.mails,
        "kinds": dict(sorted(trial.kinds.items())),
        "escaped": len(trial.found),
        "slowest_s": round(trial.slowest, 3),
        "slowest": trial.slow,
        "most_transactions": trial.transactions,
        "most_letters": trial.letters,
        "most_mb": round(max(reader().peak, _peak()) / (1 << 20)),
        "silent": dict(trial.silent.most_common()),
        "examples": trial.escaped[:10],
        "mail": trial.found[0].raw.decode("latin-1") if trial.found else "",
    }


def _peak() -> int:
    """The most bytes of memory of this process, or of one that it started and that has ended."""
    most = max(
        resource.getrusage(who).ru_maxrss
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return most if sys.platform == "darwin" else most << 10
