"""What forums send: posts in the threads of games, as their notification mails tell of them.

A mail counts only if the forum has signed it, to us, and once (DKIM): then what its body says of
thread and writer is the forum's own word (`service/mail/forums.py`). A thread gets one answer to a
post or none: none to talk, to who does not play, and to whatever else a forum sends.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import structlog

from engine.wording import cut
from service.audience import of_list, of_organiser, of_seat
from service.commands.command import SHOWN
from service.desk.forum import letters, words
from service.desk.letters.post import Desk, House, at_head
from service.desk.lists.list_mail import Post, on_forum, read_post
from service.desk.proving import held, proof
from service.desk.proving.proof import Standing, grade_of
from service.desk.timing import summing_up
from service.games.games import GameTable, load
from service.mail.copies import known_by
from service.mail.message import Mail
from service.mail.proving import Proof, aligned
from service.reports import Page, note_page
from service.reports.paste import fenced
from service.store import ForumRow, InboxRow, Letter, SeatRow, Store, Tx, rations
from service.store.occasions import by_mail

log = structlog.get_logger()

_LINE = re.compile(r"!\s*forum\s+([a-z2-7]{16})\W*", re.IGNORECASE)
_OFF = re.compile(r"!\s*forum\s+off\W*", re.IGNORECASE)
#: how Discourse begins when it does not take a mail: its texts `system_messages.email_reject_…`
_REJECTED = re.compile(r"\bemail issue\b", re.IGNORECASE)
#: what a post proves whose name is known: as much as a mail from the address that its server signed
_KNOWN = Proof(sender=True, token=False, signed=True)


@dataclass(frozen=True)
class ForumDesk:
    """Handles what comes from forums; ``now`` in UTC seconds."""

    store: Store
    house: House
    now: int

    def takes(self, row: InboxRow, mail: Mail) -> bool:
        """Whether a mail is a forum's; if so it is settled.

        Raises Conflict if somebody was faster, and `proof.Waits` while a key is looked up.
        """
        told = mail.forum
        if not told.told:
            return self._rejected(row, mail)
        tokens = [found[1].lower() for line in told.lines if (found := _LINE.fullmatch(line.text))]
        with self.store.transaction() as tx:
            rows = tx.forums_at(told.host, told.topic)
            waiting = tx.forums_waiting() if tokens else ()
            called = {game.id: game.name for game in tx.games()} if rows or waiting else {}
            tables = [load(tx, called[one.game_id]) for one in (*waiting, *rows)]
        wanted = self._wanted([one for one in tables if one is not None], tokens)
        here = [one for one in tables if one is not None and letters.on(one) in rows]
        table = wanted or self._meant(here, mail)
        if table is None:
            self._ignore(row, "a forum's mail about no game")
            return True
        desk = Desk(self.house, self.now, by_mail(row.id, table.row.name))
        if not proof.signed(self.house, row, mail, self.now):
            self._unsigned(row, desk, mail, table)
        elif not self._new(row, mail):
            pass
        elif wanted is not None:
            self._open(row, desk, mail, wanted)
        else:
            self._post(row, desk, mail, table, tokens)
        return True

    def _new(self, row: InboxRow, mail: Mail) -> bool:
        """Whether no copy of a mail that the forum signed was acted on; else it is settled."""
        with self.store.transaction() as tx:
            new = tx.admit(row.id, *known_by(row.raw, mail), True)
            if not new:
                tx.finish(row.id, "duplicate", "another copy of it was acted on")
        return new

    def confirmed(self, desk: Desk, mail: Mail, asked: Standing, received: int) -> str:
        """Carry out a post whose writer has said in private that it is theirs.

        "done", or why nothing is done; "" for a mail that tells of no post.
        """
        table, seat = asked.table, asked.seat
        if seat is None or not mail.forum.told:
            return ""
        if letters.on(table) is None:
            return "the game has left the forum that it came from"
        post = replace(_read(mail, table, seat), received=received)
        on_forum(self.store, desk, mail, table, seat, post)
        return "done"

    # which game

    def _wanted(self, tables: Sequence[GameTable], tokens: Sequence[str]) -> GameTable | None:
        """The game for which a post has the line."""
        return next(
            (
                table
                for table in tables
                for token in tokens
                if table.forum is not None
                and table.forum.status == "named"
                and words.proves_thread(self.house, token, table.row.name, table.forum)
            ),
            None,
        )

    def _meant(self, tables: Sequence[GameTable], mail: Mail) -> GameTable | None:
        """The game of the thread that a post is about: the only one, or the one of its writer."""
        known = [t for t in tables if t.forum is not None and t.forum.sender == mail.sender]
        if len(known) > 1:
            with self.store.transaction() as tx:
                known = [t for t in known if _seat(tx, t, mail.forum.writer) is not None]
        return known[0] if len(known) == 1 else None

    # the thread itself

    def _unsigned(self, row: InboxRow, desk: Desk, mail: Mail, table: GameTable) -> None:
        """Nobody knows whose mail it is; the organiser is told if something was wanted."""
        asks = any(line.text.startswith("!") for line in mail.forum.lines)
        lines = (
            f"A mail says that it comes from the forum {mail.forum.host}, and has lines that begin "
            "with `!`; but it has no signature of the forum's mail server (DKIM) that we could "
            "check. Anybody could have written it, so nothing of it was done.",
            "The forum's admin can let its mail server sign. Until then players write their "
            "commands by mail.",
        )
        with self.store.transaction() as tx:
            if asks and tx.may_answer(table.row.organiser, "error", self.now):
                headline = "The forum's mails are not signed."
                tx.queue(
                    self._to_organiser(desk, table, "forum-unsigned", headline, lines), self.now
                )
            tx.finish(row.id, "ignored", "a forum's mail without its signature")

    def _open(self, row: InboxRow, desk: Desk, mail: Mail, table: GameTable) -> None:
        """Somebody has written the line in a thread: the game is told there from now on."""
        found, named = mail.forum, table.forum
        assert named is not None
        at = replace(named, sender=mail.sender, host=found.host, topic=found.topic)
        at = replace(at, reply_to=found.reply_to, status="on")
        if not _its_own(mail, found.reply_to):
            missing = (
                f"The line for {table.row.name} stands in a thread on {found.host}, but mails of "
                "that forum have no address that posts there. Let its admin turn “reply by email” "
                "on, and write the line once more.",
            )
            letter = self._to_organiser(
                desk, table, "forum-no-reply", "The forum takes no mails.", missing
            )
            with self.store.transaction() as tx:
                if tx.may_answer(table.row.organiser, "error", self.now):
                    tx.queue(letter, self.now)
                tx.finish(row.id, "done", "a forum that takes no answers")
            return
        begins = (
            f"Rounds of {table.row.name} go to its thread on {found.host} from now on.",
            "Who plays, and wants to write commands there, writes `forum name` to their seat.",
        )
        told = self._to_organiser(desk, table, "forum-on", "The thread is there.", begins)
        first = letters.opening(desk, replace(table, forum=at))
        with self.store.transaction() as tx:
            if tx.open_forum(named, at) and first is not None:
                tx.queue(told, self.now)
                tx.queue(first, self.now)
            tx.finish(row.id, "done", f"the thread of {table.row.name}")

    def _rejected(self, row: InboxRow, mail: Mail) -> bool:
        """Whether a forum says that it does not take a post of ours; the game leaves it."""
        if not _REJECTED.search(mail.subject):
            return False
        with self.store.transaction() as tx:
            rows = tx.forums_of(mail.sender) if mail.sender else ()
            called = {game.id: game.name for game in tx.games()} if rows else {}
            named = [called[one.game_id] for one in rows]
            # one of several games: the one that its subject, which is ours, names
            mine = [name for name in named if f"[{name}]" in mail.subject.lower()]
            table = load(tx, (mine or named)[0]) if len(mine or named) == 1 else None
        if table is None or table.forum is None:
            return False
        if not proof.signed(self.house, row, mail, self.now):
            self._ignore(row, "a forum's refusal without its signature, or of somebody else's mail")
            return True
        if not self._new(row, mail):
            return True
        desk = Desk(self.house, self.now, by_mail(row.id, table.row.name))
        letter = letters.left(desk, table, f"“{mail.subject}”", table.forum.host)
        with self.store.transaction() as tx:
            if tx.drop_forum(table.row.id):
                tx.queue(letter, self.now)
            tx.finish(row.id, "done", "a forum does not take our posts")
        return True

    # posts

    def _post(
        self, row: InboxRow, desk: Desk, mail: Mail, table: GameTable, tokens: Sequence[str]
    ) -> None:
        found, at = mail.forum, table.forum
        assert at is not None
        if found.reply_to != at.reply_to and _its_own(mail, found.reply_to):
            with self.store.transaction() as tx:
                tx.post_forum_to(at, found.reply_to)
        if any(_OFF.fullmatch(line.text) for line in found.lines):
            self._stop(row, desk, mail, table, at)
            return
        if tokens and self._named(row, desk, mail, table, tokens):
            return
        with self.store.transaction() as tx:
            seat = _seat(tx, table, found.writer)
        if seat is None:
            self._ignore(row, f"a post of somebody who does not play in {table.row.name}")
            return
        post = _read(mail, table, seat)
        if not post.commanded:
            self._ignore(row, f"talk of {seat.name} on the forum")
            return
        self._commands(row, desk.about(table.row.name, seat.name), mail, (table, seat), post)

    def _commands(
        self, row: InboxRow, desk: Desk, mail: Mail, who: tuple[GameTable, SeatRow], post: Post
    ) -> None:
        table, seat = who
        if post.secret or table.head is None:
            self._refuse(row, desk, who, post)
        elif not _KNOWN.enough(grade_of(self.house, table)):
            self._ask_in_private(row, desk, mail, who, post)
        else:
            on_forum(self.store, desk, mail, table, seat, post)

    def _stop(self, row: InboxRow, desk: Desk, mail: Mail, table: GameTable, at: ForumRow) -> None:
        """Nobody needs a reason: it is the thread of those who read it."""
        why = f"{mail.forum.writer} has written `!forum off` there."
        letter = letters.left(desk, table, why, at.host)
        with self.store.transaction() as tx:
            if tx.drop_forum(table.row.id):
                tx.queue(letter, self.now)
            tx.finish(row.id, "done", f"the thread wants {table.row.name} no more")

    def _named(
        self, row: InboxRow, desk: Desk, mail: Mail, table: GameTable, tokens: Sequence[str]
    ) -> bool:
        """Whether a post says whose the name is that wrote it; then that is kept, and told."""
        game, writer = table.row.name, mail.forum.writer
        with self.store.transaction() as tx:
            asked = [one for one in tx.forum_names(table.row.id) if not one.name]
            mine = next(
                (a for a in asked for t in tokens if words.proves_name(self.house, t, game, a)),
                None,
            )
            seat = next((s for s in table.players if mine and s.name == mine.seat), None)
            if mine is None or seat is None or seat.address != mine.address:
                return False
            if tx.know_forum_name(mine, writer):
                lines = (
                    f"On {mail.forum.host} you are {writer}: your commands there count from now "
                    "on, lines that begin with `!`. `forum name` asks anew.",
                )
                headline = "Your name on the forum is known."
                tx.queue(self._in_private(desk, table, seat, headline, lines), self.now)
            tx.finish(row.id, "done", f"{seat.name} is {writer} on the forum")
        return True

    # what is not done

    def _refuse(
        self, row: InboxRow, desk: Desk, who: tuple[GameTable, SeatRow], post: Post
    ) -> None:
        """Lines that have no place on a forum: nothing of the post is done."""
        table, seat = who
        told = [f"{table.row.name} has not begun."] * (table.head is None)
        told += ["A line of this post has no place on a forum."] * bool(post.secret)
        secret = (
            "You wrote in the game's thread: "
            + "; ".join(f"“{line.text[:60]}”" for line in post.secret[:6]),
            "That is for you and for the moderator alone, and now all who read the forum can read "
            "it: take it away there. Nothing of your post was done. Write it in a reply to this "
            "mail, if it is still of use.",
        )
        with self.store.transaction() as tx:
            hidden = "in the thread: a line that is for you alone, and that all can read"
            box = ((rations.mailbox(seat.address), "error"),)
            if post.secret and summing_up.now_or_later(tx, desk, box, seat.name, hidden):
                headline = "That was not for the forum."
                tx.queue(self._in_private(desk, table, seat, headline, secret), self.now)
            first = next((line.text for line in post.commands), "")
            thread = ((rations.mailbox(f"forum {table.row.name}"), "list"),)
            about = f"in the thread: {cut(first, SHOWN)}"
            if first and summing_up.now_or_later(
                tx, desk, thread, seat.name, about, heard=bool(post.secret)
            ):
                lines = (f"{seat.name}: nothing of this post was done.", *told)
                tx.queue(self._note(desk, table, lines), self.now)
            tx.finish(row.id, "done", f"not done: words of {seat.name} on the forum")

    def _ask_in_private(
        self, row: InboxRow, desk: Desk, mail: Mail, who: tuple[GameTable, SeatRow], post: Post
    ) -> None:
        """In this game more than a forum can give is needed to prove who writes."""
        table, seat = who
        asks = Standing(table, seat, _KNOWN, grade_of(self.house, table), enough=False)
        wanted = held.ask(desk, replace(mail, lines=post.commands), asks)
        with self.store.transaction() as tx:
            if wanted is not None:
                lines = (
                    f"{mail.forum.writer} wrote in the thread on {mail.forum.host}: "
                    f"{' / '.join(wanted.lines)}",
                    "In this game commands are taken by signed mail only, so nothing was done yet. "
                    "If it was you, reply to this mail with the line below, until "
                    f"{wanted.until}. Then it is done, once, and told in the thread.",
                    f"yes {wanted.number}",
                )
                headline = "Was that you on the forum?"
                letter = self._in_private(desk, table, seat, headline, lines)
                held.hold(tx, desk, mail, asks, wanted, letter)
            tx.finish(row.id, "done", f"a forum cannot prove {seat.name} here")

    # letters

    def _note(self, desk: Desk, table: GameTable, lines: Sequence[str]) -> Letter:
        row = letters.on(table)
        assert row is not None
        text = fenced("NOT DONE\n\n" + "\n".join(lines))
        page = Page(of_list(table.row.name), f"[{table.row.name}] NOT DONE", text, "")
        return letters.post(desk, table, row, "forum-note", page)

    def _in_private(
        self, desk: Desk, table: GameTable, seat: SeatRow, headline: str, lines: Sequence[str]
    ) -> Letter:
        name = table.row.name
        commands = tuple(line for line in lines if line.startswith("yes "))
        said = tuple(line for line in lines if line not in commands)
        about = self.house.about(name, table.title)
        to, subject = of_seat(name, seat.name), f"[{name}] {headline}"
        page = note_page(to, subject, headline, said, commands, about=about)
        return desk.to_seat("forum-private", at_head(table), seat, page)

    def _to_organiser(
        self, desk: Desk, table: GameTable, kind: str, headline: str, lines: Sequence[str]
    ) -> Letter:
        name = table.row.name
        about = self.house.about(name, table.title)
        to, subject = of_organiser(name), f"[{name}] {headline}"
        page = note_page(to, subject, headline, tuple(lines), about=about)
        return desk.to_organiser(kind, table.row, page)

    def _ignore(self, row: InboxRow, why: str) -> None:
        log.info("ignored", mail=row.id, why=why)
        with self.store.transaction() as tx:
            tx.finish(row.id, "ignored", why)


def _read(mail: Mail, table: GameTable, seat: SeatRow) -> Post:
    return read_post(replace(mail, lines=mail.forum.lines), table, seat)


def _seat(tx: Tx, table: GameTable, writer: str) -> SeatRow | None:
    """Whose the name is; nobody's where the seat has another player since."""
    known = {one.seat: one.address for one in tx.forum_names(table.row.id) if one.name == writer}
    found = [seat for seat in table.players if known.get(seat.name) == seat.address]
    return found[0] if len(found) == 1 else None


def _its_own(mail: Mail, address: str) -> bool:
    """Whether an address is of the forum that sends: nobody else's is written to.

    Where a forum takes no answers, Reply-To is its From.
    """
    ours, theirs = address.rpartition("@")[2], mail.sender.rpartition("@")[2]
    return address not in ("", mail.sender) and (
        aligned(mail.sender, ours) or aligned(address, theirs) or ours == mail.forum.host
    )
