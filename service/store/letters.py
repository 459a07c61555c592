"""The outbox: how senders claim letters, and how letters are settled, resent, found and thinned.

It knows nothing of games but their names, has no clock and sends nothing.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import zip_longest
from typing import Any, Literal, TypeGuard

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Select,
    Update,
    and_,
    bindparam,
    case,
    delete,
    func,
    or_,
    select,
    update,
)
from sqlalchemy.sql.dml import ReturningUpdate

from service.store.claims import Queue, Wanted, claim, claiming, free
from service.store.columns import col, read, table_of
from service.store.database import Repository, Session, session_of
from service.store.enclosures import fold, unfold
from service.store.jottings import note_told
from service.store.occasions import record
from service.store.people import People, VolunteerRow, copies, seat_read
from service.store.tables import LATER, SOON, Letter, OutboxRow, OutboxStatus, PictureRow

SEND_TRIES = 8
"""The number of attempts after which a letter has failed."""
BACKOFF = (60, 300, 900, 3600, 14400)
"""Seconds until the next attempt after the first, second … failed one; the last value repeats."""
REST = 60
"""Seconds until the next attempt if our account was denied, or the connection broke, at most."""
SHORT_REST = 5
"""The least seconds until the next attempt if the connection broke."""
LONGEST_REST = 1800
"""Seconds until the next attempt if our account was denied again and again."""
UNKNOWN_BACKOFF = (1800, 7200, 14400, 28800)
"""Seconds until a letter is sent again if a server got its text and did not answer.

Each attempt may deliver it once more (RFC 1047), so the pause is longer than for a refused letter.
Half an hour is the minimum between two attempts (RFC 5321 §4.5.4.1).
"""
RETURNED = 5 * 86_400
"""The age up to which a letter is sent again if a limit of our account brought it back.

It is at least as long as a mail server tries (RFC 5321 §4.5.4.1).
"""
TELLS = ("trouble", "undelivered", "fault", "faults")
"""Kinds of letters that report failures to the operator.

If they are about no game, they never fail for want of an answer. Otherwise nobody would hear of a
failure if no letter gets an answer.
"""
FIRST = ("trouble", "turn", "request", "briefing")
"""Kinds of letters that go first, because a game or the service waits for their readers."""

NO_PICTURES = "its pictures are no longer kept"
"""Why a letter cannot be sent whole."""


LetterOutcome = Literal["sent", "later", "refused", "unknown", "trouble", "broke", "denied"]


@dataclass(frozen=True, slots=True)
class Delivery:
    """The result of one attempt.

    A server accepted the letter, refused it for now (4xx) or for good (5xx), or got it and did not
    answer (``unknown``). Three results do not count as attempts: no server could be asked
    (``trouble``), the connection ended meanwhile (``broke``), or our account was ``denied``.
    """

    id: int
    outcome: LetterOutcome
    note: str = ""


@dataclass(frozen=True, slots=True)
class Pace:
    """How many letters may be sent per minute and per 24 hours; 0 is no limit."""

    a_minute: int = 0
    a_day: int = 0

    @property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """Pairs (seconds, number of letters that may be sent in them)."""
        both = ((60, self.a_minute), (86_400, self.a_day))
        return tuple((seconds, most) for seconds, most in both if most)


@dataclass(frozen=True, slots=True)
class Thinned:
    """The numbers of deleted pictures and of deleted letters."""

    pictures: int
    letters: int


_ANY_PACE = Pace()


def put(session: Session, letters: Iterable[Letter], now: int) -> frozenset[str]:
    """Queue letters within a transaction. Returns the keys of those that were not queued before."""
    whole: dict[str, Letter] = {}
    for letter in letters:
        for one in _with_copies(letter):
            whole.setdefault(one.key, one)
    folded = {key: fold(one.raw, one.pictures) for key, one in whole.items()}
    rows = [_row(one, *folded[key], now) for key, one in whole.items()]
    made = session.insert_all_new(OutboxRow, rows)
    new = [one for key, one in whole.items() if key in made]
    for letter in new:
        if letter.occasion is not None:
            record(session, letter.occasion, now)
    note_told(session, [(one.tells, one.kind) for one in new if one.tells is not None])
    shown = {name: png for one in new for name, png in folded[one.key][1].items()}
    # In the order of their digests, so that two transactions cannot block each other.
    pictures = [{"sha256": name, "png": shown[name], "used": now} for name in sorted(shown)]
    session.insert_or_change(PictureRow, ["sha256"], pictures, ["used"])
    return made


NO_SUCH_EMAIL = "there is no such email"
NOT_FAILED = "it has not failed: it is {status}"
NOT_KEPT = "its words or pictures are no longer kept; the player may write `resend`"


def _with_copies(letter: Letter) -> Iterator[Letter]:
    """A letter after the copies that are queued with it."""
    if letter.copy is not None:
        yield from _with_copies(letter.copy)
    yield letter


def _row(letter: Letter, raw: bytes, pictures: Iterable[str], now: int) -> dict[str, object]:
    """A letter without its pictures, as a row of the outbox."""
    return {
        "key": letter.key,
        "game": letter.game,
        "kind": letter.kind,
        "recipient": letter.recipient,
        "mail_from": letter.mail_from,
        "raw": raw,
        "message_id": letter.message_id,
        "created": now,
        "pictures": " ".join(sorted(pictures)),
        "rank": SOON if letter.kind in FIRST else LATER,
    }


class LetterQueue(Queue):
    """The outbox of one database. Every method is its own transaction."""

    def claim(
        self, worker: str, now: int, lease: int, limit: int, pace: Pace = _ANY_PACE
    ) -> tuple[OutboxRow, ...]:
        """Claim up to ``limit`` whole letters that are due, for ``lease`` seconds; oldest first.

        If there are more, or ``pace`` allows fewer, those in FIRST go before all others. If a
        worker died while it sent a letter, the letter may have been sent. It is sent again with the
        same Message-ID, so mail programs show it once.
        """
        with session_of(self._engine) as session:
            limit = min([limit, *(most - _gone_out(session, now, s) for s, most in pace.spans)])
            if limit <= 0:
                return ()
            claimed = claim(session, _next(), worker, now, lease, limit)
            rows = [mail for mail in claimed if mail.status == "working"]
            rows.sort(key=_order)
            whole = [_whole(session, mail) for mail in rows]
        return tuple(row for row in whole if row is not None)

    def paced(self, pace: Pace, now: int) -> bool:
        """Whether letters that are due wait because of the daily limit."""
        if not pace.a_day:
            return False
        due = select(col(OutboxRow.id)).where(free(table_of(OutboxRow), _longest())).limit(1)
        with session_of(self._engine) as session:
            if _gone_out(session, now, 86_400) < pace.a_day:
                return False
            return session.scalar(due, {"at": now, "seconds": 0}) is not None

    def settle(self, results: Sequence[Delivery], now: int) -> tuple[OutboxRow, ...]:
        """Record the results of claimed letters. Returns their rows as they are now, no pictures.

        A letter that is tried again waits longer each time.
        """
        with session_of(self._engine) as session:
            # Rows are locked in the order of their ids, so two workers cannot block each other.
            how = {result.id: result for result in results}
            claimed = session.rows(_claimed(), these=tuple(how))
            settled = [replace(one, **_settled(one, how[one.id], now)) for one in claimed]
            given = [{"of": one.id, **{n: getattr(one, n) for n in _SETTLES}} for one in settled]
            if given:
                session.execute(_settling(), given)
        return tuple(settled)

    # looking at letters

    def recent(self, recipient: str, game: str, limit: int = 20) -> tuple[OutboxRow, ...]:
        """The latest letters to ``recipient`` about ``game``, newest first, in any status."""
        with session_of(self._engine) as session:
            return Letters(session).recent(recipient, game, limit)

    def any_sent(self, since: int) -> bool:
        """Whether a letter has been sent since then."""
        found = select(col(OutboxRow.id)).where(col(OutboxRow.sent) >= since).limit(1)
        with session_of(self._engine) as session:
            return session.scalar(found) is not None

    def all(
        self, statuses: Iterable[OutboxStatus], game: str = "", recipient: str = "", limit: int = 0
    ) -> tuple[OutboxRow, ...]:
        """Letters with these statuses without their pictures, newest first;

        ``limit`` 0 means all.
        """
        wanted: list[Wanted] = [col(OutboxRow.status).in_(tuple(statuses))]
        if game:
            wanted.append(col(OutboxRow.game) == game.lower())
        if recipient:
            wanted.append(_to(recipient))
        with session_of(self._engine) as session:
            return _found(session, *wanted, limit=limit)

    def named(self, message_ids: Iterable[str]) -> tuple[OutboxRow, ...]:
        """Letters with one of these Message-IDs, newest first."""
        with session_of(self._engine) as session:
            return Letters(session).named(message_ids)

    def get(self, number: int) -> OutboxRow | None:
        """One letter, whole if its pictures are still kept; None if there is none."""
        with session_of(self._engine) as session:
            mail = _get(session, number)
            return None if mail is None else _whole(session, mail) or mail

    # failure

    def untold(self, limit: int = 100) -> tuple[OutboxRow, ...]:
        """Failed letters that nobody has been told about, oldest first, without pictures."""
        wanted = (
            read(OutboxRow)
            .where(col(OutboxRow.status) == "failed", col(OutboxRow.told).is_(None))
            .order_by(col(OutboxRow.id))
            .limit(limit)
        )
        with session_of(self._engine) as session:
            return session.rows(wanted)

    def resend(self, number: int) -> str:
        """Send a failed letter again with all its attempts.

        Returns why that is impossible, or ''.
        """
        with session_of(self._engine) as session:
            mail = _get(session, number, lock=True)
            if mail is None:
                return NO_SUCH_EMAIL
            if mail.status != "failed":
                return NOT_FAILED.format(status=mail.status)
            if not mail.raw or not _kept(session, mail):
                return NOT_KEPT
            again = {"status": "new", "tries": 0, "next_try": 0, "told": None}
            _change(session, mail, {**again, "worker": "", "lease": 0})
        return ""

    # growth

    def thin(self, pictures_before: int, letters_before: int) -> Thinned:
        """Delete pictures last used, and letters queued, before these times.

        Unsent letters and failures that nobody was told about stay. Failed letters keep their
        pictures as long as their texts.
        """
        open_ = col(OutboxRow.status).in_(("new", "working"))
        failed = col(OutboxRow.status) == "failed"
        # said of the others, so that SQLite reads only old letters and not all that were sent
        told = or_(col(OutboxRow.status) != "failed", col(OutboxRow.told).is_not(None))
        sent = col(OutboxRow.status).not_in(("new", "working"))
        old = and_(sent, told, col(OutboxRow.created) < letters_before)
        with session_of(self._engine) as session:
            letters = session.execute(delete(OutboxRow).where(old)).rowcount
            needed = {
                name
                for which in (open_, failed)
                for names in session.scalars(select(col(OutboxRow.pictures)).where(which))
                for name in names.split()
            }
            idle = session.scalars(
                select(col(PictureRow.sha256)).where(col(PictureRow.used) < pictures_before)
            )
            gone = sorted(set(idle) - needed)
            for start in range(0, len(gone), 500):
                batch = col(PictureRow.sha256).in_(gone[start : start + 500])
                # The condition is checked again, because another letter may have queued the picture
                # meanwhile.
                session.execute(
                    delete(PictureRow).where(batch, col(PictureRow.used) < pictures_before)
                )
        return Thinned(len(gone), letters)


def _gone_out(session: Session, now: int, seconds: int) -> int:
    """The number of letters sent within so many seconds, or being sent now."""
    sent = col(OutboxRow.sent).between(now - seconds + 1, now)
    way = and_(col(OutboxRow.status) == "working", col(OutboxRow.lease) > now)
    return session.scalar(select(func.count()).where(or_(sent, way))) or 0


def _order(mail: OutboxRow) -> tuple[bool, int]:
    """Letters that met trouble go last, so that one that breaks each connection stops no other."""
    return mail.next_try > 0, mail.id


def _settled(mail: OutboxRow, result: Delivery, now: int) -> dict[str, Any]:
    """What changes in a letter after an attempt."""
    changed = {"note": result.note, "worker": "", "lease": 0, "status": "new"}
    if result.outcome == "sent":
        return {**changed, "status": "sent", "sent": now}
    if result.outcome in ("trouble", "broke", "denied"):
        changed["tries"] = max(mail.tries - 1, 0)
        if result.outcome == "trouble":
            # It goes as soon as a server answers; the sender waits for that, not the letter.
            return changed
        # Other letters pass meanwhile, so this one is tried less and less often.
        bounds = (REST, LONGEST_REST) if result.outcome == "denied" else (SHORT_REST, REST)
        wait = min(max((now - mail.created) // 4, bounds[0]), bounds[1])
        return {**changed, "next_try": now + wait}
    if result.outcome == "unknown":
        given_up = mail.tries > len(UNKNOWN_BACKOFF)
        if given_up and (mail.kind not in TELLS or mail.game):
            return {**changed, "status": "failed"}
        tries = min(mail.tries, len(UNKNOWN_BACKOFF))
        return {**changed, "tries": tries, "next_try": now + UNKNOWN_BACKOFF[tries - 1]}
    if result.outcome == "refused" or mail.tries >= SEND_TRIES:
        return {**changed, "status": "failed"}
    return {**changed, "next_try": now + BACKOFF[min(mail.tries, len(BACKOFF)) - 1]}


#: what an attempt may change in a letter
_SETTLES = ("status", "worker", "lease", "tries", "next_try", "note", "sent")


@cache
def _claimed() -> Select[OutboxRow]:
    these = col(OutboxRow.id).in_(bindparam("these", expanding=True))
    wanted = read(OutboxRow).where(these, col(OutboxRow.status) == "working")
    return wanted.order_by(col(OutboxRow.id)).with_for_update()


@cache
def _settling() -> Update:
    """Stores the results of attempts, one for each letter ``of``."""
    table = table_of(OutboxRow)
    return update(table).where(table.c.id == bindparam("of", type_=BigInteger))


def _get(session: Session, number: int, *, lock: bool = False) -> OutboxRow | None:
    """A letter without its pictures; with ``lock``, nobody else may change it meanwhile."""
    wanted = read(OutboxRow).where(col(OutboxRow.id) == number)
    return session.row(wanted.with_for_update() if lock else wanted)


def _change(session: Session, mail: OutboxRow, changed: dict[str, Any]) -> OutboxRow:
    """Change a letter. Returns it as it is now."""
    session.execute(update(OutboxRow).where(col(OutboxRow.id) == mail.id).values(**changed))
    return replace(mail, **changed)


@cache
def _next() -> ReturningUpdate[OutboxRow]:
    """A letter whose worker died too often while sending has failed, and is not claimed again."""
    worn_out = col(OutboxRow.tries) >= SEND_TRIES
    return claiming(
        OutboxRow,
        free(table_of(OutboxRow), _longest()),
        (
            # as the index has them, so that it reads the first rows, however many wait
            col(OutboxRow.rank),
            col(OutboxRow.next_try),
            col(OutboxRow.id),
        ),
        status=case((worn_out, "failed"), else_="working"),
        tries=case((worn_out, col(OutboxRow.tries)), else_=col(OutboxRow.tries) + 1),
        note=case((worn_out, "begun too often without an end"), else_=col(OutboxRow.note)),
    )


def _longest() -> ColumnElement[int]:
    """The longest pause that a letter may have after its last attempt."""
    after = zip_longest((REST, *BACKOFF), (REST, *UNKNOWN_BACKOFF), fillvalue=0)
    waits = {tries: max(*both, LONGEST_REST) for tries, both in enumerate(after)}
    return case(waits, value=col(OutboxRow.tries), else_=BACKOFF[-1])


def _found(session: Session, *wanted: Wanted, limit: int = 0) -> tuple[OutboxRow, ...]:
    found = read(OutboxRow).where(*wanted).order_by(col(OutboxRow.id).desc())
    return session.rows(found.limit(limit) if limit else found)


def _to(recipient: str) -> Wanted:
    return func.lower(col(OutboxRow.recipient)) == recipient.lower()


def _pictures(session: Session, mail: OutboxRow) -> dict[str, bytes]:
    names = mail.pictures.split()
    if not names:
        return {}
    return {row.sha256: row.png for row in session.rows(_named_pictures(), these=names)}


@cache
def _named_pictures() -> Select[PictureRow]:
    return read(PictureRow).where(col(PictureRow.sha256).in_(bindparam("these", expanding=True)))


def _kept(session: Session, mail: OutboxRow) -> bool:
    names = set(mail.pictures.split())
    have = session.scalars(select(col(PictureRow.sha256)).where(col(PictureRow.sha256).in_(names)))
    return set(have) == names


def _whole(session: Session, mail: OutboxRow) -> OutboxRow | None:
    """The letter with its pictures. If one is missing, the letter has failed, and this is None."""
    try:
        return replace(mail, raw=unfold(mail.raw, _pictures(session, mail)))
    except KeyError:
        if mail.status == "working":
            _change(session, mail, {"status": "failed", "note": NO_PICTURES})
        return None


class Letters(Repository):
    """Letters, as a transaction queues and reads them."""

    def queue(self, letters: Iterable[Letter], now: int) -> frozenset[str]:
        """Queue letters. Returns the keys of those that were not queued before.

        A deputy who acts for a letter's seat gets it as well.
        """
        in_place: dict[str, tuple[VolunteerRow, ...]] = {}
        every: list[Letter] = []
        for letter in letters:
            game, seat = seat_read(letter)
            if seat and game not in in_place:
                in_place[game] = People(self._session).in_place(game)
            every += copies(letter, in_place[game] if seat else (), now)
            every.append(letter)
        return put(self._session, every, now)

    def get(self, number: int) -> OutboxRow | None:
        """One letter without its pictures; None if there is none."""
        return _get(self._session, number)

    def named(self, message_ids: Iterable[str]) -> tuple[OutboxRow, ...]:
        """Letters with one of these Message-IDs, newest first."""
        return _found(self._session, col(OutboxRow.message_id).in_(tuple(message_ids)))

    def recent(self, recipient: str, game: str, limit: int = 20) -> tuple[OutboxRow, ...]:
        """The latest letters to ``recipient`` about ``game``, newest first, in any status."""
        return _found(self._session, _to(recipient), col(OutboxRow.game) == game, limit=limit)

    def bounce(self, number: int, note: str) -> bool:
        """Record that a sent letter came back; False unless its status was sent."""
        sent = and_(col(OutboxRow.id) == number, col(OutboxRow.status) == "sent")
        failed = update(OutboxRow).where(sent).values(status="failed", note=note, told=None)
        return self._session.execute(failed).rowcount == 1

    def report(self, number: int, now: int) -> bool:
        """Record that a failure was reported; False if it already was, or if it is no failure."""
        failed = and_(col(OutboxRow.id) == number, col(OutboxRow.status) == "failed")
        reported = update(OutboxRow).where(failed, col(OutboxRow.told).is_(None)).values(told=now)
        return self._session.execute(reported).rowcount == 1

    def last_told(self, game: str, recipient: str = "") -> int | None:
        """When the latest failure about a game, to one address or any, was reported;

        None for never.
        """
        wanted = [col(OutboxRow.game) == game, *([_to(recipient)] if recipient else ())]
        return self._session.scalar(select(func.max(col(OutboxRow.told))).where(*wanted))

    def send_elsewhere(self, letter: int, recipient: str, now: int) -> int | None:
        """Queue a letter again for another address. Returns its id, or None if that is impossible.

        It has another Message-ID, so a server's answer to the first is not an answer to the second.
        """
        mail = _get(self._session, letter)
        if mail is None or not mail.raw:
            return None
        name, _, host = mail.message_id.rpartition("@")
        identifier = f"{name}-2@{host}"
        head, end, body = mail.raw.partition(b"\r\n\r\n")
        head = head.replace(mail.message_id.encode(), identifier.encode())
        head = re.sub(rb"(?m)^To: .*?(?=\r$)", b"To: " + recipient.encode("ascii"), head)
        return self._session.insert_new(
            OutboxRow,
            key=f"{mail.key}:second",
            game=mail.game,
            kind=mail.kind,
            recipient=recipient,
            mail_from=mail.mail_from,
            raw=head + end + body,
            message_id=identifier,
            created=now,
            pictures=mail.pictures,
            rank=mail.rank,
        )

    def may_go_again(self, letter: int, heard: int, now: int) -> bool:
        """Whether `send_again` is possible."""
        return self._goes_again(_get(self._session, letter), heard, now)

    def _goes_again(self, mail: OutboxRow | None, heard: int, now: int) -> TypeGuard[OutboxRow]:
        if mail is None or mail.status != "sent" or heard < (mail.sent or 0) <= now:
            return False
        return mail.created > now - RETURNED and bool(mail.raw) and _kept(self._session, mail)

    def send_again(self, letter: int, heard: int, note: str, now: int) -> bool:
        """Let a returned letter wait to be sent again; it does not count as an attempt.

        False if it is not sent, was sent after ``heard`` (when the report came), is RETURNED
        seconds old, or is no longer whole.
        """
        mail = _get(self._session, letter, lock=True)
        if not self._goes_again(mail, heard, now):
            return False
        wait = {"tries": max(mail.tries - 1, 0), "next_try": now + LONGEST_REST}
        _change(self._session, mail, {**wait, "status": "new", "note": note, "sent": None})
        return True

    def accepted(
        self, game: str, kinds: Sequence[str], since: Mapping[str, int]
    ) -> Mapping[str, int]:
        """When a server first accepted a letter of these kinds to each seat, queued since then.

        Seats without such a letter are left out. A letter that came back counts. The caller decides
        what that means.
        """
        first: dict[str, int] = {}
        taken = col(OutboxRow.sent).is_not(None)
        for seat, sent in self._letters(game, kinds, since, taken):
            assert sent is not None
            first.setdefault(seat, sent)
        return first

    def unsent(self, game: str, kinds: Sequence[str], since: Mapping[str, int]) -> frozenset[str]:
        """The seats with an unsent letter of these kinds that was queued at that time or later."""
        waits = col(OutboxRow.status).in_(("new", "working"))
        return frozenset(seat for seat, _ in self._letters(game, kinds, since, waits))

    def _letters(
        self, game: str, kinds: Sequence[str], since: Mapping[str, int], which: ColumnElement[bool]
    ) -> Iterator[tuple[str, int | None]]:
        """Letters to seats, queued at ``since`` or later: pairs of seat and time of acceptance."""
        if not since:
            return
        ends = {f":{game}/{seat}": seat for seat in since}
        key, queued = col(OutboxRow.key), col(OutboxRow.created)
        to = [
            and_(key.endswith(end, autoescape=True), queued >= since[seat])
            for end, seat in ends.items()
        ]
        asking = (
            col(OutboxRow.game) == game,
            col(OutboxRow.kind).in_(kinds),
            queued >= min(since.values()),
            which,
        )
        wanted = (
            select(col(OutboxRow.key), col(OutboxRow.sent))
            .where(*asking, or_(*to))
            .order_by(col(OutboxRow.sent))
        )
        for named, sent in self._session.execute(wanted):
            yield next(ends[end] for end in ends if named.endswith(end)), sent
