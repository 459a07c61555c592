"""What comes by the mailing lists of games: posts, our own letters back, and all that lists send.

A list gets one answer to a mail or none, and none to what no member has written for a game: digests
and notices, talk, posts of those who do not play.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.wording import cut
from service import rations
from service.audience import of_list, of_organiser, of_seat
from service.commands.command import SHOWN
from service.desk.answers import summing_up
from service.desk.channels import list_words
from service.desk.door import Conclusion, Done
from service.desk.letters import list_letters
from service.desk.letters.list_letters import greeting_id
from service.desk.letters.post import Desk, House, at_head
from service.desk.posts.public_mail import Confirmed, Post, kept_talk, on_list, read_post
from service.desk.proving import held, list_proof, proof
from service.desk.proving.arrived import Arrived
from service.desk.proving.proof import Standing
from service.games import digests
from service.games.games import GameTable, load
from service.mail import identity
from service.mail.message import Mail
from service.reports import note_page
from service.reports.mailing import list_note_page
from service.said import HAS_NOT_BEGUN, LIST_IS_OFF
from service.store import Letter, ListRow, SeatRow, Tx

_LINE = re.compile(r"!\s*list\s+([a-z2-7]{16})\W*", re.IGNORECASE)
_OFF = re.compile(r"!\s*list\s+off\W*", re.IGNORECASE)
#: how list managers say that they send a mail back, in the subject (mlmmj's texts) or at the
#: beginning of the text (Mailman 3, which keeps the subject)
_DENIED = re.compile(r"\b(?:denied|rejected|refused|not (?:allowed|accepted|authorized))\b", re.I)
#: what a mail of our own says of itself when it comes back
_OURS = "an email of our own"


@dataclass(frozen=True)
class _Brought:
    """A game and its list, by which a mail came."""

    table: GameTable
    row: ListRow


def post(came: Arrived) -> Conclusion | None:
    """What comes of an email that came by the list of a game; None for any other."""
    mail = came.mail
    if mail.aside or (mail.automatic and not mail.automatic.startswith(_OURS)):
        return _denied(came)
    games = _games(came)
    if not games:
        return None
    if mail.automatic or _is_ours(came):
        return _came_back(came, games)
    meant = _meant(came, games)
    why = _no_post(mail) or ("" if meant else "it is not clear which game of the list is meant")
    return came.ignored(why) if why or meant is None else _post(came, meant)


def confirmed(came: Arrived, desk: Desk, mail: Mail, asked: Standing, received: int) -> Confirmed:
    """What comes of a post whose writer has said in private that it is theirs.

    Why nothing is done; None for an email that did not come by the list.
    """
    table, seat = asked.table, asked.seat
    if seat is None or not list_proof.brought(came.house, mail, table.mailing):
        return None
    if list_letters.on(table) is None:
        return "the game has left the list that it came by"
    said = replace(read_post(mail, table, seat), received=received)
    return on_list(came.store, desk, mail, table, seat, said)


def _denied(came: Arrived) -> Conclusion | None:
    """A list says that it does not take a letter of ours, which it sends back.

    Anybody can write that, with a letter from the list's archive: the organizer is told.
    """
    local, _, host = came.mail.sender.partition("@")
    names = [f"{local[:at]}@{host}" for at, sign in enumerate(local) if sign in "+-"]
    why = _denial(came.mail)
    if not names or not why:
        return None
    with came.store.transaction() as tx:
        rows = tx.lists.named(names)
        called = {game.id: game.name for game in tx.games.all()} if rows else {}
        tables = [(load(tx, called[one.game_id]), one) for one in rows]
    for table, one in tables:
        mark = table and f"<{identity.slug(table.row.name)}.list.".encode()
        if table is not None and mark and mark in came.row.raw:
            return _hearsay(came.desk.about(table.row.name), table, one.address, why)
    return None


def _hearsay(desk: Desk, table: GameTable, address: str, why: str) -> Conclusion:
    note = f"{address} is said to refuse our emails"
    return lambda tx: Done(note, list_letters.hearsay(tx, desk, table, address, why))


# which game


def _games(came: Arrived) -> list[_Brought]:
    """The games by whose lists the email came, or to whose lists it went."""
    mail, found = came.mail, []
    shared = list_proof.shared(came.house, mail)
    names = {*mail.listing.addresses, *mail.listing.ids, *shared} - {came.house.address}
    if not names:
        return []
    with came.store.transaction() as tx:
        rows = [r for r in tx.lists.named(names) if mail.listing.of(r.address, shared)]
        called = {row.id: row.name for row in tx.games.all()} if rows else {}
        for row in rows:
            table = load(tx, called[row.game_id])
            if table is not None:
                found.append(_Brought(table, row))
    return found


def _is_ours(came: Arrived) -> bool:
    """Whether a letter of ours came back from a list that has taken its mark away."""
    mail = came.mail
    if came.house.address.lower() in (mail.sender, mail.listing.writer):
        return True
    # A player may have an address at our host, whose server makes their ids.
    at_home = mail.message_id.endswith(f"@{came.house.host}>")
    return at_home and bool(came.store.letters.named((mail.message_id,)))


def _meant(came: Arrived, games: Sequence[_Brought]) -> _Brought | None:
    """The game that a post is about: by its thread, its subject, its writer's seat."""
    mail = came.mail
    for slug in list_letters.names(came.house, mail):
        for one in games:
            if identity.slug(one.table.row.name) == slug:
                return one
    named = [one for one in games if f"[{one.table.row.name}]" in mail.subject.lower()]
    lines = [one for one in games if _speaks(came.house, mail, one)]
    on = [one for one in games if one.table.row.status in ("open", "running")]
    plays = [one for one in on if _seat(came, one.table)]
    for found in (lines, named, games, on, plays):
        if len(found) == 1:
            return found[0]
    return None


def _seat(came: Arrived, table: GameTable) -> SeatRow | None:
    """Who has written a post, if they play."""
    with came.store.transaction() as tx:
        return list_proof.seat_of(tx, table, came.mail.listing.writer)


# letters of our own


def _came_back(came: Arrived, games: Sequence[_Brought]) -> Conclusion:
    for one in games:
        if came.mail.message_id == greeting_id(came.house, one.table, one.row):
            return _wanted(came, one)
    return came.ignored("our own email, back from a list")


LIST_SUBJECT = "[{game}] The game is played on {list}"
LIST_IS_THERE = "The list is there."
GO_THERE = (
    "The list {list} gets Waybill's emails, and Waybill gets those of the list: news and rounds "
    "go there from now on."
)
NO_NEWS = (
    "Players now get only their turn emails and answers, and read the news on the list. For news "
    "by email write `digest daily`, `digest round` or `digest each` to your seat address."
)


def _wanted(came: Arrived, one: _Brought) -> Conclusion:
    """The greeting came back, or was answered on the list: the game is played there."""
    table, address = one.table, one.row.address
    desk = came.desk.about(table.row.name)
    subject = LIST_SUBJECT.format(game=table.row.name, list=address)
    lines = (GO_THERE.format(list=address), NO_NEWS)
    letter = _to_organiser(desk, table, "list-on", subject, LIST_IS_THERE, lines)

    def wanted(tx: Tx) -> Done:
        note, told = f"{address} is the list of {table.row.name}", 0
        if table.head:
            told = table.state.number
        if one.row.status != "greeted" or not tx.lists.change(one.row, status="on", told=told):
            return Done(note)
        list_words.turn_news(tx, table, came.house.digest, list_words.READS_THE_LIST)
        return Done(note, [letter])

    return wanted


def _to_organiser(
    desk: Desk, table: GameTable, kind: str, subject: str, headline: str, lines: Sequence[str]
) -> Letter:
    about = desk.house.about(table.row.name, table.title)
    page = note_page(of_organiser(table.row.name), subject, headline, lines, about=about)
    return desk.to_organiser(kind, table.row, page)


# posts


def _post(came: Arrived, one: _Brought) -> Conclusion:
    table, listed, mail = one.table, one.row, came.mail
    desk = came.desk.about(table.row.name)
    # Whoever is on the list has the headers of the post.
    proof.renew_shown(came.store, desk, mail)
    if any(_OFF.fullmatch(line.text.strip()) for line in mail.lines):
        return came.once(_stop(desk, mail, one), proved=True)
    if _speaks(came.house, mail, one):
        return _greet(desk, one)
    if listed.status != "on":
        answered = {mail.in_reply_to, *mail.references}
        if listed.status == "greeted" and greeting_id(came.house, table, listed) in answered:
            return _wanted(came, one)
        return came.ignored("the list is not known to want us")
    seat = _seat(came, table)
    if seat is None:
        return came.ignored(f"a post of somebody who does not play in {table.row.name}")
    said = read_post(mail, table, seat)
    desk = desk.about(table.row.name, seat.name)
    # A copy sent to the seat itself goes before one that only talks.
    return came.once(_by_player(came, desk, one, seat, said), proved=said.commanded)


def _greet(desk: Desk, one: _Brought) -> Conclusion:
    """Somebody has written the line: one letter to the list, which must come back."""

    def greeted(tx: Tx) -> Done:
        if one.row.status != "named":
            return Done("greeted already")
        if not tx.answers.may(one.row.address, "list", desk.now):
            return Done("too many emails to that list")
        tx.lists.change(one.row, status="greeted")
        return Done("greeted", [list_letters.greeting(desk, one.table, one.row)])

    return greeted


OFF_SUBJECT = "[{game}] The game has left its list"
OFF_WRITTEN = (
    "A member of {list} has written `!list off` there: {writer}. Nothing more goes to that list, "
    "and players get their news by email."
)
AGREE_THERE = "If the list is to have the game again, agree on it there, and write `list {list}`."


def _stop(desk: Desk, mail: Mail, one: _Brought) -> Conclusion:
    """Nobody needs a reason: it is the list of those who are on it."""
    table, address = one.table, one.row.address
    lines = (OFF_WRITTEN.format(list=address, writer=mail.sender), AGREE_THERE.format(list=address))
    subject = OFF_SUBJECT.format(game=table.row.name)
    letter = _to_organiser(desk, table, "list-off", subject, LIST_IS_OFF, lines)

    def stopped(tx: Tx) -> Done:
        left = list_words.drop(tx, desk.house, table) and one.row.status != "named"
        return Done(f"{address} wants {table.row.name} no more", [letter] if left else [])

    return stopped


def _by_player(came: Arrived, desk: Desk, one: _Brought, seat: SeatRow, said: Post) -> Conclusion:
    table, mail = one.table, came.mail
    if said.secret:
        return _refused(desk, mail, one, seat, said)
    if not said.commands:
        return lambda tx: _talk(tx, desk, table, seat, said)
    if table.head is None:
        return lambda tx: _not_begun(tx, desk, mail, one, seat)
    if not list_proof.may_act(came.house, table):
        return _ask_in_private(desk, mail, one, seat, said)
    return on_list(came.store, desk, mail, table, seat, said)


def _talk(tx: Tx, desk: Desk, table: GameTable, seat: SeatRow, said: Post) -> Done:
    """What a player says on the list is said in the game; the list has told it already."""
    number = table.state.number if table.head else 0
    who = list_proof.talks(table.row.name, seat.name)
    texts = kept_talk(said, desk.house.talk)
    if table.head is not None and texts and tx.answers.ration(who, desk.now).left:
        tx.answers.count(who, desk.now)
        tx.log.say(table.row.id, seat.name, texts[0], number, desk.now)
        digests.plan(tx, table.row, number, desk.now)
    return Done(f"talk of {seat.name}")


# what is not done

SECRET = "to {list}: a line that is for you alone, and that all can read"
NOT_FOR_THE_LIST = "That was not for the list."
YOU_WROTE = "You wrote to the list {list}: {lines}"
FOR_YOU_ALONE = (
    "That is for you and for the moderator alone, and now all who are on the list "
    "can read it. Nothing of your email was done."
)
WRITE_IN_PRIVATE = (
    "Write it in a reply to this email, if it is still of use: that goes to your "
    "seat's own address. A pass phrase that others have read is to be replaced."
)
NOTHING_DONE = "{name}: nothing of this email was done."
NO_PLACE = "A line of this email has no place on a list."


def _refused(desk: Desk, mail: Mail, one: _Brought, seat: SeatRow, said: Post) -> Conclusion:
    """Lines that have no place on a list: nothing of the email is done, all of it is refused."""
    address = one.row.address
    shown = "; ".join(f"“{line.text[:60]}”" for line in said.secret[:6])
    lines = (YOU_WROTE.format(list=address, lines=shown), FOR_YOU_ALONE, WRITE_IN_PRIVATE)
    hidden = [NO_PLACE] * bool(said.secret)

    def refused(tx: Tx) -> Done:
        found: list[Letter] = []
        box, about = ((rations.mailbox(seat.address), "error"),), SECRET.format(list=address)
        if said.secret and summing_up.now_or_later(tx, desk, box, seat.name, about):
            found.append(_in_private(desk, one, seat, NOT_FOR_THE_LIST, lines))
        if said.commands and _may(tx, desk, one, seat, mail, heard=bool(said.secret)):
            every = (NOTHING_DONE.format(name=seat.name), *hidden)
            found.append(_on_list(desk, mail, one, every))
        return Done(f"private words of {seat.name} on the list", found)

    return refused


def _not_begun(tx: Tx, desk: Desk, mail: Mail, one: _Brought, seat: SeatRow) -> Done:
    told = HAS_NOT_BEGUN.format(game=one.table.row.name)
    may = _may(tx, desk, one, seat, mail)
    return Done(told, [_on_list(desk, mail, one, (told,))] if may else [])


WAS_THAT_YOU = "Was that you on the list?"
BY_THE_LIST = (
    "By the list {list} came an email with your address as its sender. In this "
    "game commands are taken from your seat's own address only, for anybody can write a "
    "sender into an email to a list. Nothing was done yet."
)
IT_SAYS = (
    "It says: {lines}. If it was you, reply to this email with the line below, until {until}. "
    "Then it is done once, and the list reads it."
)


def _ask_in_private(desk: Desk, mail: Mail, one: _Brought, seat: SeatRow, said: Post) -> Conclusion:
    """In this game more than a list can give is needed to prove who writes."""
    asks = list_proof.standing(desk.house, one.table, seat)
    wanted = held.ask(desk, replace(mail, lines=said.commands), asks)
    note = f"a list cannot prove {seat.name} here"
    if wanted is None:
        return Done(note)
    says = IT_SAYS.format(lines=" / ".join(wanted.lines), until=wanted.until)
    lines, yes = (BY_THE_LIST.format(list=one.row.address), says), (f"yes {wanted.number}",)
    letter = _in_private(desk, one, seat, WAS_THAT_YOU, lines, yes)
    return lambda tx: Done(note, held.hold(tx, desk, mail, asks, wanted, letter))


def _in_private(
    desk: Desk,
    one: _Brought,
    seat: SeatRow,
    headline: str,
    lines: Sequence[str],
    commands: Sequence[str] = (),
) -> Letter:
    """What a player is told in private, and what to write."""
    name, title = one.table.row.name, one.table.title
    to, about = of_seat(name, seat.name), desk.house.about(name, title)
    page = note_page(to, f"[{name}] {headline}", headline, lines, commands, about=about)
    return desk.to_seat("list-private", at_head(one.table), seat, page)


def _may(
    tx: Tx, desk: Desk, one: _Brought, seat: SeatRow, mail: Mail, *, heard: bool = False
) -> bool:
    """Whether an answer may go to the list; else its writer hears of it later, in private."""
    who = ((rations.mailbox(one.row.address), "list"),)
    text = mail.lines[0].text if mail.lines else mail.subject
    about = f"to {one.row.address}: {cut(text, SHOWN)}"
    return summing_up.now_or_later(tx, desk, who, seat.name, about, heard=heard)


def _on_list(desk: Desk, mail: Mail, one: _Brought, lines: Sequence[str]) -> Letter:
    name = one.table.row.name
    about = desk.house.about(name, one.table.title)
    page = list_note_page(of_list(name), mail.subject, lines, about)
    return list_letters.receipt(desk, one.table, one.row, page, mail)


def _denial(mail: Mail) -> str:
    """In which words a list sends a mail back; '' for any other mail."""
    if _DENIED.search(mail.subject):
        return mail.subject
    first = [line.text.strip() for line in mail.lines if line.text.strip()][:3]
    return " ".join(first)[:300] if _DENIED.search(" ".join(first[:2])) else ""


def _no_post(mail: Mail) -> str:
    """Why a mail that came by a list is no post of a member, "" if it is one."""
    if mail.listing.office:
        return mail.listing.office
    if mail.trouble and not mail.lines:
        return f"a post that says nothing: {mail.trouble}"
    return mail.spam or ("" if mail.listing.writer else "a list has hidden its writer")


def _speaks(house: House, mail: Mail, one: _Brought) -> bool:
    """Whether a post has the line by which a list is greeted for a game."""
    name, row = one.table.row.name, one.row
    return any(
        identity.proves(house.secret, found[1], list_letters.LINE, row.address, name, row.number)
        for line in mail.lines
        if (found := _LINE.fullmatch(line.text.strip()))
    )
