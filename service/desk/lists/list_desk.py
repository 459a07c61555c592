"""What comes by the mailing lists of games: posts, our own letters back, and all that lists send.

A list gets one answer to a mail or none, and none to what no member has written for a game: digests
and notices, talk, posts of those who do not play.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import structlog

from engine.wording import cut
from service.audience import of_list, of_organiser, of_seat
from service.commands.command import SHOWN
from service.desk.letters.post import Desk, House, at_head
from service.desk.lists import list_letters, list_proof, list_words
from service.desk.lists.list_letters import greeting_id
from service.desk.lists.list_mail import Post, kept_talk, on_list, read_post
from service.desk.proving import held, proof
from service.desk.timing import summing_up
from service.games import digests
from service.games.games import GameTable, load
from service.mail import identity
from service.mail.copies import known_by
from service.mail.message import Mail
from service.reports import note_page
from service.reports.mailing import list_note_page
from service.store import InboxRow, Letter, ListRow, SeatRow, Store, Tx, rations
from service.store.occasions import by_mail

log = structlog.get_logger()

_LINE = re.compile(r"!\s*list\s+([a-z2-7]{16})\W*", re.IGNORECASE)
_OFF = re.compile(r"!\s*list\s+off\W*", re.IGNORECASE)
#: how list managers say that they send a mail back, in the subject (mlmmj's texts) or at the
#: beginning of the text (Mailman 3, which keeps the subject)
_DENIED = re.compile(r"\b(?:denied|rejected|refused|not (?:allowed|accepted|authorized))\b", re.I)
#: what a mail of our own says of itself when it comes back
_OURS = "a mail of our own"


@dataclass(frozen=True)
class _Brought:
    """A game and its list, by which a mail came."""

    table: GameTable
    row: ListRow


@dataclass(frozen=True)
class _Words:
    """What a player is told in private, and what to write."""

    headline: str
    lines: Sequence[str]
    commands: Sequence[str] = ()


@dataclass(frozen=True)
class ListDesk:
    """Handles what comes by lists; ``now`` in UTC seconds."""

    store: Store
    house: House
    now: int

    def takes(self, row: InboxRow, mail: Mail) -> bool:
        """Whether a mail came by the list of a game; if so it is settled.

        Raises Conflict if somebody was faster.
        """
        if mail.aside or (mail.automatic and not mail.automatic.startswith(_OURS)):
            return self._denied(row, mail)
        games = self._games(mail)
        if not games:
            return False
        if mail.automatic or self._is_ours(mail):
            self._came_back(row, mail, games)
            return True
        meant = self._meant(mail, games)
        why = _no_post(mail) or ("" if meant else "it is not clear which game of the list is meant")
        if why or meant is None:
            self._ignore(row, why)
        else:
            self._post(row, mail, meant)
        return True

    def _denied(self, row: InboxRow, mail: Mail) -> bool:
        """Whether a list says that it does not take a letter of ours, which it sends back.

        Anybody can write that, with a letter from the list's archive: the organiser is told.
        """
        local, _, host = mail.sender.partition("@")
        names = [f"{local[:at]}@{host}" for at, sign in enumerate(local) if sign in "+-"]
        why = _denial(mail)
        if not names or not why:
            return False
        with self.store.transaction() as tx:
            rows = tx.lists_named(names)
            called = {game.id: game.name for game in tx.games()} if rows else {}
            tables = [(load(tx, called[one.game_id]), one) for one in rows]
        for table, one in tables:
            mark = table and f"<{identity.slug(table.row.name)}.list.".encode()
            if table is not None and mark and mark in row.raw:
                desk = Desk(self.house, self.now, by_mail(row.id, table.row.name))
                with self.store.transaction() as tx:
                    list_letters.hearsay(tx, desk, table, one.address, why)
                    tx.finish(row.id, "done", f"{one.address} is said to refuse our letters")
                return True
        return False

    # which game

    def _games(self, mail: Mail) -> list[_Brought]:
        """The games by whose lists the mail came, or to whose lists it went."""
        shared = list_proof.shared(self.house, mail)
        names = (*mail.listing.addresses, *mail.listing.ids, *shared)
        found = []
        with self.store.transaction() as tx:
            rows = [r for r in tx.lists_named(names) if mail.listing.of(r.address, shared)]
            called = {row.id: row.name for row in tx.games()} if rows else {}
            for row in rows:
                table = load(tx, called[row.game_id])
                if table is not None:
                    found.append(_Brought(table, row))
        return found

    def _is_ours(self, mail: Mail) -> bool:
        """Whether a letter of ours came back from a list that has taken its mark away."""
        ours = (mail.sender, mail.listing.writer)
        if self.house.address.lower() in ours:
            return True
        # A player may have an address at our host, whose server makes their ids.
        at_home = mail.message_id.endswith(f"@{self.house.host}>")
        return at_home and bool(self.store.letters_named((mail.message_id,)))

    def _meant(self, mail: Mail, games: Sequence[_Brought]) -> _Brought | None:
        """The game that a post is about: by its thread, its subject, its writer's seat."""
        answered = list_letters.names(self.house, mail)
        for slug in answered:
            for one in games:
                if identity.slug(one.table.row.name) == slug:
                    return one
        named = [one for one in games if f"[{one.table.row.name}]" in mail.subject.lower()]
        lines = [one for one in games if _speaks(self.house, mail, one)]
        on = [one for one in games if one.table.row.status in ("open", "running")]
        plays = [one for one in on if self._seat(one.table, mail.listing.writer)]
        for found in (lines, named, games, on, plays):
            if len(found) == 1:
                return found[0]
        return None

    # letters of our own

    def _came_back(self, row: InboxRow, mail: Mail, games: Sequence[_Brought]) -> None:
        for one in games:
            if mail.message_id == greeting_id(self.house, one.table, one.row):
                self._wanted(row, one)
                return
        self._ignore(row, "our own letter, back from a list")

    def _wanted(self, row: InboxRow, one: _Brought) -> None:
        """The greeting came back, or was answered on the list: the game is played there."""
        desk = Desk(self.house, self.now, by_mail(row.id, one.table.row.name))
        table, name = one.table, one.table.row.name
        lines = (
            f"The list {one.row.address} has our letters, and we have those of the list: news and "
            "rounds go there from now on.",
            "Players get no news of their own any more, only their turn mails and answers. Who "
            "wants news writes `digest daily`, `digest round` or `digest each` to their seat.",
        )
        about = self.house.about(name, table.title)
        subject = f"[{name}] The game is played on {one.row.address}"
        page = note_page(of_organiser(name), subject, "The list is there.", lines, about=about)
        with self.store.transaction() as tx:
            told = table.state.number if table.head else 0
            if one.row.status == "greeted" and tx.change_list(one.row, status="on", told=told):
                list_words.turn_news(tx, table, self.house.digest, list_words.READS_THE_LIST)
                tx.queue(desk.to_organiser("list-on", table.row, page), self.now)
            tx.finish(row.id, "done", f"{one.row.address} is the list of {name}")

    # posts

    def _post(self, row: InboxRow, mail: Mail, one: _Brought) -> None:
        table, listed = one.table, one.row
        desk = Desk(self.house, self.now, by_mail(row.id, table.row.name))
        # Whoever is on the list has the headers of the post.
        proof.renew_shown(self.store, desk, mail)
        if any(_OFF.fullmatch(line.text.strip()) for line in mail.lines):
            if self._admit(row, mail, proved=True):
                self._stop(row, desk, mail, one)
        elif _speaks(self.house, mail, one):
            self._greet(row, desk, one)
        elif listed.status != "on":
            answered = {mail.in_reply_to, *mail.references}
            if listed.status == "greeted" and greeting_id(self.house, table, listed) in answered:
                self._wanted(row, one)
            else:
                self._ignore(row, "the list is not known to want us")
        elif (seat := self._seat(table, mail.listing.writer)) is None:
            self._ignore(row, f"a post of somebody who does not play in {table.row.name}")
        else:
            self._by_player(row, desk.about(table.row.name, seat.name), mail, one, seat)

    def _greet(self, row: InboxRow, desk: Desk, one: _Brought) -> None:
        """Somebody has written the line: one letter to the list, which must come back."""
        with self.store.transaction() as tx:
            note = "greeted already"
            if one.row.status == "named":
                note = "too many letters to that list"
                if tx.may_answer(one.row.address, "list", self.now):
                    tx.change_list(one.row, status="greeted")
                    tx.queue(list_letters.greeting(desk, one.table, one.row), self.now)
                    note = "greeted"
            tx.finish(row.id, "done", note)

    def _stop(self, row: InboxRow, desk: Desk, mail: Mail, one: _Brought) -> None:
        """Nobody needs a reason: it is the list of those who are on it."""
        table, name = one.table, one.table.row.name
        lines = (
            f"A member of {one.row.address} has written `!list off` there: {mail.sender}. "
            "Nothing goes to that list any more, and players get their news by mail.",
            "If the list is to have the game again, agree on it there, and write "
            f"`list {one.row.address}`.",
        )
        about = self.house.about(name, table.title)
        subject = f"[{name}] The game has left its list"
        page = note_page(of_organiser(name), subject, "The list is off.", lines, about=about)
        with self.store.transaction() as tx:
            if list_words.drop(tx, self.house, table) and one.row.status != "named":
                tx.queue(desk.to_organiser("list-off", table.row, page), self.now)
            tx.finish(row.id, "done", f"{one.row.address} wants {name} no more")

    def _by_player(
        self, row: InboxRow, desk: Desk, mail: Mail, one: _Brought, seat: SeatRow
    ) -> None:
        table = one.table
        post = read_post(mail, table, seat)
        # A copy sent to the seat itself goes before one that only talks.
        if not self._admit(row, mail, proved=post.commanded):
            return
        if post.secret:
            self._refuse(row, desk, mail, one, seat, post)
        elif not post.commands:
            self._talk(row, table, seat, post)
        elif table.head is None:
            lines = (f"{table.row.name} has not begun.",)
            self._answer(row, desk, mail, one, seat, lines)
        elif not list_proof.may_act(self.house, table):
            self._ask_in_private(row, desk, mail, one, seat, post)
        else:
            on_list(self.store, desk, mail, table, seat, post)

    def _admit(self, row: InboxRow, mail: Mail, *, proved: bool) -> bool:
        with self.store.transaction() as tx:
            new = tx.admit(row.id, *known_by(row.raw, mail), proved)
            if not new:
                tx.finish(row.id, "duplicate", "another copy of it was acted on")
        return new

    def _talk(self, row: InboxRow, table: GameTable, seat: SeatRow, post: Post) -> None:
        """What a player says on the list is said in the game; the list has told it already."""
        number = table.state.number if table.head else 0
        who = list_proof.talks(table.row.name, seat.name)
        with self.store.transaction() as tx:
            texts = kept_talk(post, self.house.talk)
            if table.head is not None and texts and tx.ration(who, self.now).left:
                tx.count_answer(who, self.now)
                tx.add_talk(table.row.id, seat.name, texts[0], number, self.now)
                digests.plan(tx, table.row.name, number, self.now)
            tx.finish(row.id, "done", f"talk of {seat.name}")

    # what is not done

    def _refuse(
        self,
        row: InboxRow,
        desk: Desk,
        mail: Mail,
        one: _Brought,
        seat: SeatRow,
        post: Post,
    ) -> None:
        """Lines that have no place on a list: nothing of the mail is done, all of it is refused."""
        open_ones = post.commands
        with self.store.transaction() as tx:
            secret = f"to {one.row.address}: a line that is for you alone, and that all can read"
            if post.secret and summing_up.now_or_later(
                tx, desk, ((rations.mailbox(seat.address), "error"),), seat.name, secret
            ):
                lines = (
                    f"You wrote to the list {one.row.address}: "
                    + "; ".join(f"“{line.text[:60]}”" for line in post.secret[:6]),
                    "That is for you and for the moderator alone, and now all who are on the list "
                    "can read it. Nothing of your mail was done.",
                    "Write it in a reply to this mail, if it is still of use: that goes to your "
                    "seat's own address. A pass phrase that others have read is to be replaced.",
                )
                words = _Words("That was not for the list.", lines)
                tx.queue(self._in_private(desk, one, seat, words), self.now)
            if open_ones and self._may(tx, desk, one, seat, mail, heard=bool(post.secret)):
                hidden = ["A line of this mail has no place on a list."] * bool(post.secret)
                every = (f"{seat.name}: nothing of this mail was done.", *hidden)
                self._on_list(tx, desk, mail, one, every)
            tx.finish(row.id, "done", f"private words of {seat.name} on the list")

    def _ask_in_private(
        self, row: InboxRow, desk: Desk, mail: Mail, one: _Brought, seat: SeatRow, post: Post
    ) -> None:
        """In this game more than a list can give is needed to prove who writes."""
        lines = (
            f"By the list {one.row.address} came a mail with your address as its sender. In this "
            "game commands are taken from your seat's own address only, for anybody can write a "
            "sender into a mail to a list. Nothing was done yet.",
        )
        asks = list_proof.standing(self.house, one.table, seat)
        wanted = held.ask(desk, replace(mail, lines=post.commands), asks)
        with self.store.transaction() as tx:
            if wanted is not None:
                says = " / ".join(wanted.lines)
                ask = f"It says: {says}. If it was you, reply to this mail with the line below, "
                ask += f"until {wanted.until}. Then it is done, once, and the list is told."
                yes = (f"yes {wanted.number}",)
                words = _Words("Was that you on the list?", (*lines, ask), yes)
                letter = self._in_private(desk, one, seat, words)
                held.hold(tx, desk, mail, asks, wanted, letter)
            tx.finish(row.id, "done", f"a list cannot prove {seat.name} here")

    def confirmed(self, desk: Desk, mail: Mail, asked: proof.Standing, received: int) -> str:
        """Carry out a post whose writer has said in private that it is theirs.

        "done", or why nothing is done; "" for a mail that did not come by the list.
        """
        table, seat = asked.table, asked.seat
        if seat is None or not list_proof.brought(self.house, mail, table.mailing):
            return ""
        if list_letters.on(table) is None:
            return "the game has left the list that it came by"
        post = replace(read_post(mail, table, seat), received=received)
        on_list(self.store, desk, mail, table, seat, post)
        return "done"

    def _in_private(self, desk: Desk, one: _Brought, seat: SeatRow, words: _Words) -> Letter:
        name, title = one.table.row.name, one.table.title
        to, about = of_seat(name, seat.name), self.house.about(name, title)
        subject = f"[{name}] {words.headline}"
        page = note_page(to, subject, words.headline, words.lines, words.commands, about=about)
        return desk.to_seat("list-private", at_head(one.table), seat, page)

    def _may(
        self, tx: Tx, desk: Desk, one: _Brought, seat: SeatRow, mail: Mail, *, heard: bool = False
    ) -> bool:
        """Whether an answer may go to the list; else its writer hears of it later, in private."""
        who = ((rations.mailbox(one.row.address), "list"),)
        text = mail.lines[0].text if mail.lines else mail.subject
        about = f"to {one.row.address}: {cut(text, SHOWN)}"
        return summing_up.now_or_later(tx, desk, who, seat.name, about, heard=heard)

    def _answer(
        self,
        row: InboxRow,
        desk: Desk,
        mail: Mail,
        one: _Brought,
        seat: SeatRow,
        lines: Sequence[str],
    ) -> None:
        with self.store.transaction() as tx:
            if self._may(tx, desk, one, seat, mail):
                self._on_list(tx, desk, mail, one, lines)
            tx.finish(row.id, "done", lines[0])

    def _on_list(self, tx: Tx, desk: Desk, mail: Mail, one: _Brought, lines: Sequence[str]) -> None:
        name = one.table.row.name
        about = self.house.about(name, one.table.title)
        page = list_note_page(of_list(name), mail.subject, lines, about)
        tx.queue(list_letters.receipt(desk, one.table, one.row, page, mail), self.now)

    def _seat(self, table: GameTable, writer: str) -> SeatRow | None:
        with self.store.transaction() as tx:
            return list_proof.seat_of(tx, table, writer)

    def _ignore(self, row: InboxRow, why: str) -> None:
        log.info("ignored", mail=row.id, why=why)
        with self.store.transaction() as tx:
            tx.finish(row.id, "ignored", why)


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
