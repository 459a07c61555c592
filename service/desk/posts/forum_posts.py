"""What forums send: posts in the threads of games, as their notification mails tell of them.

A mail counts only if the forum has signed it, to us, and once (DKIM): then what its body says of
thread and writer is the forum's own word (`service/mail/forums.py`). A thread gets one answer to a
post or none: none to talk, to who does not play, and to whatever else a forum sends.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from engine.wording import cut
from service import rations
from service.audience import of_list, of_organiser, of_seat
from service.commands.command import SHOWN
from service.desk.answers import summing_up
from service.desk.channels import forum_words
from service.desk.door import Conclusion, Done
from service.desk.letters import forum_letters
from service.desk.letters.post import Desk, House, at_head
from service.desk.posts.public_mail import Confirmed, Post, on_forum, read_post
from service.desk.proving import held
from service.desk.proving.arrived import Arrived
from service.desk.proving.proof import Standing, grade_of
from service.games.games import GameTable, load
from service.mail.message import Mail
from service.mail.proving import Proof, aligned
from service.reports import Page, note_page
from service.reports.paste import fenced
from service.said import HAS_NOT_BEGUN
from service.store import Letter, SeatRow, Tx

_LINE = re.compile(r"!\s*forum\s+([a-z2-7]{16})\W*", re.IGNORECASE)
_OFF = re.compile(r"!\s*forum\s+off\W*", re.IGNORECASE)
#: how Discourse begins when it does not take a mail: its texts `system_messages.email_reject_…`
_REJECTED = re.compile(r"\bemail issue\b", re.IGNORECASE)
#: what a post proves whose name is known: as much as a mail from the address that its server signed
_KNOWN = Proof(sender=True, token=False, signed=True)


def post(came: Arrived) -> Conclusion | None:
    """What comes of a forum's email; None for any other.

    Raises `proof.Waits` while a key is looked up.
    """
    told = came.mail.forum
    if not told.told:
        return _rejected(came)
    tokens = [found[1].lower() for line in told.lines if (found := _LINE.fullmatch(line.text))]
    with came.store.transaction() as tx:
        rows = tx.forums.at(told.host, told.topic)
        waiting = tx.forums.waiting() if tokens else ()
        called = {game.id: game.name for game in tx.games.all()} if rows or waiting else {}
        tables = [load(tx, called[one.game_id]) for one in (*waiting, *rows)]
    wanted = _wanted(came.house, [one for one in tables if one is not None], tokens)
    here = [one for one in tables if one is not None and forum_letters.on(one) in rows]
    table = wanted or _meant(came, here)
    if table is None:
        return came.ignored("a forum's mail about no game")
    desk = came.desk.about(table.row.name)
    if not came.vouched():
        return _unsigned(came, desk, table)
    done = _open(desk, came.mail, table) if wanted else _post(came, desk, table, tokens)
    return came.once(done, proved=True)


def confirmed(came: Arrived, desk: Desk, mail: Mail, asked: Standing, received: int) -> Confirmed:
    """What comes of a post whose writer has said in private that it is theirs.

    Why nothing is done; None for an email that tells of no post.
    """
    table, seat = asked.table, asked.seat
    if seat is None or not mail.forum.told:
        return None
    if forum_letters.on(table) is None:
        return "the game has left the forum that it came from"
    said = replace(_read(mail, table, seat), received=received)
    return on_forum(came.store, desk, mail, table, seat, said)


# which game


def _wanted(house: House, tables: Sequence[GameTable], tokens: Sequence[str]) -> GameTable | None:
    """The game for which a post has the line."""
    return next(
        (
            table
            for table in tables
            for token in tokens
            if table.forum is not None
            and table.forum.status == "named"
            and forum_words.proves_thread(house, token, table.row.name, table.forum)
        ),
        None,
    )


def _meant(came: Arrived, tables: Sequence[GameTable]) -> GameTable | None:
    """The game of the thread that a post is about: the only one, or the one of its writer."""
    mail = came.mail
    known = [t for t in tables if t.forum is not None and t.forum.sender == mail.sender]
    if len(known) > 1:
        with came.store.transaction() as tx:
            known = [t for t in known if _seat(tx, t, mail.forum.writer) is not None]
    return known[0] if len(known) == 1 else None


# the thread itself

NOT_SIGNED = "The forum's emails are not signed."
NO_SIGNATURE = (
    "An email says that it comes from the forum {host}, and has lines that begin with `!`. It has "
    "no signature of the forum's mail server (DKIM) that Waybill could check. Anybody could have "
    "written it, so nothing of it was done."
)
LET_IT_SIGN = (
    "The forum's admin can let its mail server sign. Until then players write their "
    "commands by email."
)


def _unsigned(came: Arrived, desk: Desk, table: GameTable) -> Conclusion:
    """Nobody knows whose email it is; the organizer is told if something was wanted."""
    forum = came.mail.forum
    asks = any(line.text.startswith("!") for line in forum.lines)
    lines = (NO_SIGNATURE.format(host=forum.host), LET_IT_SIGN)
    letter = _to_organiser(desk, table, "forum-unsigned", NOT_SIGNED, lines)

    def told(tx: Tx) -> Done:
        tells = asks and tx.answers.may(table.row.organiser, "error", desk.now)
        note = "a forum's mail without its signature"
        return Done(note, [letter] if tells else [], "ignored")

    return told


TAKES_NO_MAILS = "The forum takes no emails."
NO_ADDRESS = (
    "The line for {game} is in a thread on {host}, but emails of that forum have no address for "
    "replies. Ask its admin to turn “reply by email” on, and write the line again."
)
THREAD_IS_THERE = "The thread is there."
ROUNDS_GO_THERE = "Rounds of {game} go to its thread on {host} from now on."
WRITE_FORUM_NAME = (
    "A player who wants to write commands there writes `forum name` in an email to Waybill."
)


def _open(desk: Desk, mail: Mail, table: GameTable) -> Conclusion:
    """Somebody has written the line in a thread: the game is told there from now on."""
    found, named, game = mail.forum, table.forum, table.row.name
    assert named is not None
    at = replace(named, sender=mail.sender, host=found.host, topic=found.topic)
    at = replace(at, reply_to=found.reply_to, status="on")
    if not _its_own(mail, found.reply_to):
        missing = (NO_ADDRESS.format(game=game, host=found.host),)
        letter = _to_organiser(desk, table, "forum-no-reply", TAKES_NO_MAILS, missing)

        def refused(tx: Tx) -> Done:
            may = tx.answers.may(table.row.organiser, "error", desk.now)
            return Done("a forum that takes no answers", [letter] if may else [])

        return refused
    begins = (ROUNDS_GO_THERE.format(game=game, host=found.host), WRITE_FORUM_NAME)
    told = _to_organiser(desk, table, "forum-on", THREAD_IS_THERE, begins)
    first = forum_letters.opening(desk, replace(table, forum=at))

    def opened(tx: Tx) -> Done:
        note = f"the thread of {game}"
        return Done(note, [told, first] if tx.forums.open(named, at) and first is not None else [])

    return opened


def _rejected(came: Arrived) -> Conclusion | None:
    """A forum says that it does not take a post of ours: the game leaves it."""
    mail = came.mail
    if not _REJECTED.search(mail.subject):
        return None
    with came.store.transaction() as tx:
        rows = tx.forums.by_sender(mail.sender) if mail.sender else ()
        called = {game.id: game.name for game in tx.games.all()} if rows else {}
        named = [called[one.game_id] for one in rows]
        # one of several games: the one that its subject, which is ours, names
        mine = [name for name in named if f"[{name}]" in mail.subject.lower()]
        table = load(tx, (mine or named)[0]) if len(mine or named) == 1 else None
    if table is None or table.forum is None:
        return None
    if not came.vouched():
        return came.ignored("a forum's refusal without its signature, or of somebody else's mail")
    desk = came.desk.about(table.row.name)
    letter = forum_letters.left(desk, table, f"“{mail.subject}”", table.forum.host)
    return came.once(_leaves(table, letter, "a forum does not take our posts"), proved=True)


def _leaves(table: GameTable, letter: Letter, note: str) -> Conclusion:
    """The game leaves its thread; the organizer is told, once."""
    return lambda tx: Done(note, [letter] if tx.forums.drop(table.row.id) else [])


# posts


def _post(came: Arrived, desk: Desk, table: GameTable, tokens: Sequence[str]) -> Conclusion:
    mail, found, at = came.mail, came.mail.forum, table.forum
    assert at is not None
    if found.reply_to != at.reply_to and _its_own(mail, found.reply_to):
        with came.store.transaction() as tx:
            tx.forums.post_to(at, found.reply_to)
    if any(_OFF.fullmatch(line.text) for line in found.lines):
        # Nobody needs a reason: it is the thread of those who read it.
        letter = forum_letters.left(desk, table, OFF_WRITTEN.format(writer=found.writer), at.host)
        return _leaves(table, letter, f"the thread wants {table.row.name} no more")
    if tokens and (named := _named(came, desk, table, tokens)) is not None:
        return named
    with came.store.transaction() as tx:
        seat = _seat(tx, table, found.writer)
    if seat is None:
        return came.ignored(f"a post of somebody who does not play in {table.row.name}")
    said = _read(mail, table, seat)
    if not said.commanded:
        return came.ignored(f"talk of {seat.name} on the forum")
    desk = desk.about(table.row.name, seat.name)
    if said.secret or table.head is None:
        return _refused(desk, table, seat, said)
    if not _KNOWN.enough(grade_of(came.house, table)):
        return _ask_in_private(desk, mail, table, seat, said)
    return on_forum(came.store, desk, mail, table, seat, said)


OFF_WRITTEN = "{writer} has written `!forum off` there."
NAME_IS_KNOWN = "Your name on the forum is known."
YOU_ARE = (
    "On {host} you are {writer}: your commands there count from now "
    "on, lines that begin with `!`. `forum name` asks again."
)


def _named(came: Arrived, desk: Desk, table: GameTable, tokens: Sequence[str]) -> Conclusion | None:
    """A post that says whose the name is that wrote it: that is kept, and told."""
    game, forum = table.row.name, came.mail.forum
    with came.store.transaction() as tx:
        asked = [one for one in tx.forums.names(table.row.id) if not one.name]
    mine = next(
        (a for a in asked for t in tokens if forum_words.proves_name(came.house, t, game, a)), None
    )
    seat = next((s for s in table.players if mine and s.name == mine.seat), None)
    if mine is None or seat is None or seat.address != mine.address:
        return None
    lines = (YOU_ARE.format(host=forum.host, writer=forum.writer),)
    letter = _in_private(desk, table, seat, NAME_IS_KNOWN, lines)
    note = f"{seat.name} is {forum.writer} on the forum"
    return lambda tx: Done(note, [letter] if tx.forums.know_name(mine, forum.writer) else [])


# what is not done

NO_PLACE = "A line of this post has no place on a forum."
NOTHING_DONE = "{name}: nothing of this post was done."
NOT_FOR_THE_FORUM = "That was not for the forum."
YOU_WROTE = "You wrote in the game's thread: {lines}"
FOR_YOU_ALONE = (
    "That is for you and for the moderator alone, and now all who read the forum can read "
    "it: take it away there. Nothing of your post was done. Write it in a reply to this "
    "mail, if it is still of use."
)


def _refused(desk: Desk, table: GameTable, seat: SeatRow, said: Post) -> Conclusion:
    """Lines that have no place on a forum: nothing of the post is done."""
    told = [HAS_NOT_BEGUN.format(game=table.row.name)] * (table.head is None)
    told += [NO_PLACE] * bool(said.secret)
    shown = "; ".join(f"“{line.text[:60]}”" for line in said.secret[:6])
    secret = (YOU_WROTE.format(lines=shown), FOR_YOU_ALONE)

    def refused(tx: Tx) -> Done:
        found: list[Letter] = []
        hidden = "in the thread: a line that is for you alone, and that all can read"
        box = ((rations.mailbox(seat.address), "error"),)
        if said.secret and summing_up.now_or_later(tx, desk, box, seat.name, hidden):
            found.append(_in_private(desk, table, seat, NOT_FOR_THE_FORUM, secret))
        first = next((line.text for line in said.commands), "")
        thread = ((rations.mailbox(f"forum {table.row.name}"), "list"),)
        about = f"in the thread: {cut(first, SHOWN)}"
        if first and summing_up.now_or_later(
            tx, desk, thread, seat.name, about, heard=bool(said.secret)
        ):
            lines = (NOTHING_DONE.format(name=seat.name), *told)
            found.append(_note(desk, table, lines))
        return Done(f"not done: words of {seat.name} on the forum", found)

    return refused


WAS_THAT_YOU = "Was that you on the forum?"
WROTE_THERE = "{writer} wrote in the thread on {host}: {lines}"
SIGNED_ONLY = (
    "In this game commands are taken by signed email only, so nothing was done yet. "
    "If it was you, reply to this email with the line below, until "
    "{until}. Then it is done, once, and told in the thread."
)


def _ask_in_private(
    desk: Desk, mail: Mail, table: GameTable, seat: SeatRow, said: Post
) -> Conclusion:
    """In this game more than a forum can give is needed to prove who writes."""
    asks = Standing(table, seat, _KNOWN, grade_of(desk.house, table), enough=False)
    wanted = held.ask(desk, replace(mail, lines=said.commands), asks)
    note = f"a forum cannot prove {seat.name} here"
    if wanted is None:
        return Done(note)
    forum, shown = mail.forum, " / ".join(wanted.lines)
    lines = (
        WROTE_THERE.format(writer=forum.writer, host=forum.host, lines=shown),
        SIGNED_ONLY.format(until=wanted.until),
        f"yes {wanted.number}",
    )
    letter = _in_private(desk, table, seat, WAS_THAT_YOU, lines)
    return lambda tx: Done(note, held.hold(tx, desk, mail, asks, wanted, letter))


# letters


def _note(desk: Desk, table: GameTable, lines: Sequence[str]) -> Letter:
    row = forum_letters.on(table)
    assert row is not None
    text = fenced("NOT DONE\n\n" + "\n".join(lines))
    page = Page(of_list(table.row.name), f"[{table.row.name}] NOT DONE", text, "")
    return forum_letters.post(desk, table, row, "forum-note", page)


def _in_private(
    desk: Desk, table: GameTable, seat: SeatRow, headline: str, lines: Sequence[str]
) -> Letter:
    name = table.row.name
    commands = tuple(line for line in lines if line.startswith("yes "))
    said = tuple(line for line in lines if line not in commands)
    about = desk.house.about(name, table.title)
    to, subject = of_seat(name, seat.name), f"[{name}] {headline}"
    page = note_page(to, subject, headline, said, commands, about=about)
    return desk.to_seat("forum-private", at_head(table), seat, page)


def _to_organiser(
    desk: Desk, table: GameTable, kind: str, headline: str, lines: Sequence[str]
) -> Letter:
    name = table.row.name
    about = desk.house.about(name, table.title)
    to, subject = of_organiser(name), f"[{name}] {headline}"
    page = note_page(to, subject, headline, tuple(lines), about=about)
    return desk.to_organiser(kind, table.row, page)


def _read(mail: Mail, table: GameTable, seat: SeatRow) -> Post:
    return read_post(replace(mail, lines=mail.forum.lines), table, seat)


def _seat(tx: Tx, table: GameTable, writer: str) -> SeatRow | None:
    """Whose the name is; nobody's where the seat has another player since."""
    known = {one.seat: one.address for one in tx.forums.names(table.row.id) if one.name == writer}
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
