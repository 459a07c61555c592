"""Lets hostile mails come to a service of its own, and looks after each what it has done.

What must hold after each mail stands in `Siege._broken`.
"""

import csv
import io
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
_CUP, _DIRECTOR = "spring", "dora@clubs.test"
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
    inbox outbox occasion task picture reply_guard work held meta put_by heartbeat unlisted
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
    """A promise that a mail broke; the seed and the mail's number make it again."""

    seed: int
    number: int
    name: str
    promise: str
    raw: bytes

    def __str__(self) -> str:
        return f"{self.name} (seed {self.seed}, mail {self.number}): {self.promise}"


@dataclass
class HostileTrial:
    """What the mails did so far; ``slow`` is the slowest one's name."""

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
        """The promises that were broken, as they are told."""
        return list(map(str, self.found))


class _Keys:
    """Keys that are known at once: those of players, of the forum and of attackers."""

    def known(self, names: Iterable[str], now: int) -> dict[str, str]:
        """The records of these names."""
        hosts = (hostile_signed.DOMAIN, FORUM, "evil.test")
        have = {f"s1._domainkey.{host}": hostile_signed.RECORD for host in hosts}
        return {name: have.get(name, "") for name in names}


class _Store(Store):
    """Counts its transactions, which tell how much work a mail makes on any machine."""

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
    """A service with games, a list, a forum, a tournament, a database of its own and no network."""

    def __init__(self, folder: Path, seed: int = 0) -> None:
        file = folder / "hostile.sqlite"
        self.store = _Store(f"sqlite:///{file}")
        self.store.upgrade()
        self.seed = seed
        self._now = 1_800_000_000
        self.service = Service(
            _ADDRESS,
            "Waybill",
            _SECRET,
            _OPERATOR,
            keys=_Keys(),
            render=lambda *_: b"\x89PNG",
            commands=VOCABULARY,
        )
        self.office = Office(self.store, self.service, _Basket(), Relays(), clock=lambda: self._now)
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
        self._open_cup()
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

    def _open_cup(self) -> None:
        asked = self._tell(_DIRECTOR, _ADDRESS, f"tournament new {_CUP}")
        told = self._tell(_DIRECTOR, _reply_to(asked), *_FORM)
        self._offices += [_reply_to(told)]
        for name in _PLAYERS:
            asked = self._tell(_sender(name), _ADDRESS, f"enter {_CUP} as {name}")
            told = self._tell(_sender(name), _reply_to(asked), "yes")
            self._offices += [_reply_to(told)]

    @staticmethod
    def _line(word: str, letters: Iterable[OutboxRow]) -> str:
        """The line that a letter asks its reader to write elsewhere."""
        for one in letters:
            if found := re.search(rf"{word} [a-z2-7]{{16}}", " ".join(_text(one.raw).split())):
                return found[0]
        raise LookupError(f"no letter has a line {word}")

    def _tell(self, sender: str, to: str, *lines: str) -> list[OutboxRow]:
        body = "\r\n" + "\r\n".join(lines) + "\r\n"
        return self._come(mail(sender, to, f"opening.{self._uid}", body.encode()))

    def seat(self, name: str, game: str = _GAME) -> str:
        """The address that speaks for a player's seat."""
        owner = owner_of(game, name)
        return self.service.seat_address(owner).open(owner)

    # the emails

    def mails(self, count: int) -> Iterator[Hostile]:
        """Known ones first, from a player and from a stranger; then random ones of all kinds."""
        known = list(self.known())
        yield from known[:count]
        yield from map(self.random, range(count - len(known)))

    def known(self) -> Iterator[Hostile]:
        """Those that are known to have done harm once."""
        for one in corpus(_sender("Ann"), self.seat("Ann")):
            yield replace(one, speaks=frozenset({"Ann"}))
        yield from corpus("eve@evil.test", _ADDRESS)

    def random(self, number: int) -> Hostile:
        """A random one; it may be made of what the service has sent or done so far."""
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
                return tournament_mail(dice, number, _ADDRESS, _CUP, (*self._offices, *wrong))

    def mine(self, *lines: str) -> Hostile:
        """What Ann writes who means no harm, though it names nobody whom it may speak for."""
        body = "\r\n" + "\r\n".join(lines) + "\r\n"
        key = f"mine.{self._uid}"
        return Hostile("mine", mail(_sender("Ann"), self.seat("Ann"), key, body.encode()))

    def suffer(self, hostile: Hostile) -> None:
        """Let a mail come and be handled, and look whether all promises are kept."""
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
        """A mail comes and is handled; the letters that follow."""
        self._now += 1
        self._uid += 1
        assert isinstance(self.office.mailbox, _Basket)
        self.office.mailbox.put(Fetched(1, self._uid, raw, datetime.fromtimestamp(self._now, UTC)))
        self.office.fetch()
        while self.office.moderate():
            pass
        return self._letters()

    def _letters(self) -> list[OutboxRow]:
        """The letters that are to go out, which nobody gets."""
        found: list[OutboxRow] = []
        while rows := self.store.letters.claim("bench", self._now, 60, 100):
            found += rows
            self.store.letters.settle([Delivery(row.id, "sent") for row in rows], self._now)
        self._sent = [*self._sent, *found][-_KEPT:]
        return found

    # the promises

    def _broken(self, hostile: Hostile, before: World, letters: list[OutboxRow]) -> Iterator[str]:
        """The promises that a mail broke."""
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
        """All that is stored, but for what every mail leaves on its way."""
        tables = self.store.everything(without=_TRAFFIC)
        return {
            name: frozenset(
                tuple((key, one) for key, one in row.items() if key not in _PASSING.get(name, ()))
                for row in rows
            )
            for name, rows in tables.items()
        }

    def _faults(self) -> Iterator[str]:
        """What is not done with, and what was put aside for another reason than its bounds."""
        counts = self.store.work.counts().inbox
        left = counts.get("new", 0) + counts.get("working", 0)
        if left:
            yield f"{left} mails are not done with"
        for row in self.store.mails.shunted() if counts.get("shunted") else ():
            if "breaks the bounds" not in row.note:
                yield f"fault: {row.note}"[:300]
            # so that the next email is not blamed
            with self.store.transaction() as tx:
                tx.mails.forget_aside(row.id)

    def _receipts(self, letters: list[OutboxRow]) -> Iterator[str]:
        """Whether the last mail has one receipt, or a reason why it has none."""
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
        """Whether somebody who is not known here gets more letters than strangers may."""
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
    """A mailbox into which mails are put by hand."""

    def __init__(self) -> None:
        self._mails: list[Fetched] = []

    @property
    def name(self) -> str:
        """Where it stands is all there is."""
        return "basket"

    @property
    def unreadable(self) -> dict[tuple[int, int], str]:
        """What lies there can be had."""
        return {}

    def put(self, fetched: Fetched) -> None:
        self._mails.append(fetched)

    def fetch(self, kept: tuple[int, int] = (0, 0)) -> Iterator[Fetched]:
        """What lies there."""
        yield from list(self._mails)

    def done(self, fetched: Fetched) -> None:
        """Take it out."""
        self._mails.remove(fetched)

    def wait(self, seconds: float) -> bool:
        """Nothing comes by itself."""
        return False

    def wake(self) -> None: ...

    def interrupt(self) -> None: ...

    def probe(self) -> str:
        """Always well."""
        return ""

    def close(self) -> None: ...


def _sender(name: str) -> str:
    return f"{name.lower()}@players.test"


def _text(raw: bytes) -> str:
    """The text of a letter."""
    part = message_from_bytes(raw, policy=policy.default).get_body(("plain",))
    return str(part.get_content()) if part else ""


def _reply_to(letters: Iterable[OutboxRow]) -> str:
    """The address that the first of some letters wants its answer at."""
    raw = next(one.raw for one in letters)
    found = re.search(r"<([^<>]+)>|(\S+@\S+)", str(message_from_bytes(raw)["Reply-To"]))
    assert found is not None
    return found[1] or found[2]


def _orders(world: World) -> frozenset[Row]:
    return world["standing_order"]


def _acted(hostile: Hostile, before: World, after: World) -> Iterator[str]:
    """What a mail did that proves nobody, or to others than those whom it proves."""
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
    """Whether a row says that somebody was asked, which anybody may be once, and nothing more."""
    if table == "tournament_act":
        payload = row["payload"]
        return isinstance(payload, bytes) and b'"what":"asked"' in payload
    return table in _ASKED and row["agreed"] is None


def _told(rows: Iterable[Row]) -> str:
    return str([{key: one for key, one in row if one} for row in rows])[:200]


def _letter(raw: bytes) -> Iterator[str]:
    """What a letter has that is not ours, as it goes over the wire, or that would act by itself."""
    head = raw.partition(b"\r\n\r\n")[0]
    lines = re.sub(rb"\r\n[ \t]", b" ", head).decode("latin-1").split("\r\n")
    names = [line.partition(":")[0].lower() for line in lines]
    if not set(names) <= _HEADERS or len(set(names)) < len(names):
        yield f"a letter with the headers {names}"
    if re.search(r"[^ -~\t]", "".join(lines)):
        yield "a letter with control characters in its headers"
    for part in message_from_bytes(raw, policy=policy.default).walk():
        if part.get_content_type() == "text/csv":
            for row in csv.reader(io.StringIO(str(part.get_content()))):
                if formulas := [cell for cell in row if re.match(r"[=+@\t\r]|-\D", cell)]:
                    yield f"a table with formulas: {formulas}"
        elif part.get_content_type() == "text/html":
            html = str(part.get_content()).lower()
            if "<script" in html or re.search(r"<img[^>]+src=.?http", html):
                yield "a letter with a script or a picture from elsewhere"


def bench_hostile(
    mails: int, progress: Callable[[int], None], seed: int = 0, keep: Path | None = None
) -> dict[str, object]:
    """Let so many mails come: those that are known to have done harm, and random ones of a seed.

    ``escaped`` counts promises that were broken, as `Siege` checks them after each mail;
    ``slowest_s`` is how long one mail held others up, and ``most_mb`` what this process or that
    which reads mails had of memory. Mails that broke one are written into the folder ``keep``.
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
    """Bytes of memory that this process, or one that it started and that ended, had at most."""
    most = max(
        resource.getrusage(who).ru_maxrss
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return most if sys.platform == "darwin" else most << 10
