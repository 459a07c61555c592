"""Mails about tournaments: from everybody, from who has entered, from who directs.

A mail to an address of a tournament speaks for whom that was sent to, if it comes from there. All
others may ask, announce and enter, and are asked by a letter whether they did.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from service.desk.letters.post import Desk, House
from service.desk.lobby.lobby import Denied
from service.desk.proving import proof, strangers
from service.desk.tournament import announcing, entering, entrant_mail, public, records, words
from service.desk.tournament.acts import ASSISTANT, DIRECTOR
from service.desk.tournament.director_mail import CupDirectorMail
from service.desk.tournament.known import Doing, Known, Refused, keep, know, proved
from service.desk.tournament.letters import NOT_DONE, Words, page
from service.mail import identity
from service.mail.copies import known_by
from service.mail.identity import Claim
from service.mail.message import Mail
from service.reports import Page
from service.reports.fitting import noted, plain
from service.reports.subjects import UNPROVED, answering
from service.reports.words import moment
from service.store import InboxRow, Letter, Store, Tx

_LISTED = ("on", "off")
#: tournaments of which a mail may claim to be
_MOST = 3


class TournamentDesk:
    """Settles mails that concern tournaments, and leaves all others alone."""

    def __init__(self, store: Store, house: House, now: int) -> None:
        self._store = store
        self._house = house
        self._now = now

    def takes(self, row: InboxRow, mail: Mail, desk: Desk) -> bool:
        """Whether the mail was one of a tournament's; then it is settled. Raises Conflict."""
        claims = identity.claims(mail, self._house.address)
        for name in list(dict.fromkeys(claim.game for claim in claims))[:_MOST]:
            mine = [claim for claim in claims if claim.game == name]
            with self._store.transaction() as tx:
                known = know(tx, name)
            if known is not None:
                self._to_tournament(row, mail, desk, known, mine)
                return True
            if announcing.proved(self._house, name, mail, mine):
                self._announce(row, mail, desk, name)
                return True
        asked = words.asked(mail.lines)
        if asked is None or not self._concerns(asked, mail, claims):
            return False
        if self._admit(row, mail, good=False):
            _Stranger(self._store, desk, mail, self._vouched(row, mail)).handle(asked)
        return True

    def _vouched(self, row: InboxRow, mail: Mail) -> Callable[[], bool]:
        return partial(proof.signed, self._house, row, mail, self._now)

    def _concerns(self, asked: words.Asked, mail: Mail, claims: Sequence[Claim]) -> bool:
        """Whether words that games have too are meant for a tournament, or for a board of one.

        Nobody stands by for one board alone: who has no entry has no name in the standings, and
        who is excluded would come back by it.
        """
        if asked.kind in ("withdraw", "standby"):
            with self._store.transaction() as tx:
                board = public.of_board(tx, asked.name) if asked.kind == "standby" else None
                return board is not None or tx.tournament(asked.name) is not None
        # a mail from a seat is for its game, unless it asks for this alone
        return not claims or len(mail.lines) == 1

    def _admit(self, row: InboxRow, mail: Mail, *, good: bool) -> bool:
        with self._store.transaction() as tx:
            new = tx.admit(row.id, *known_by(row.raw, mail), good)
            if not new:
                tx.finish(row.id, "duplicate", "another copy of it was acted on")
        return new

    def _to_tournament(
        self, row: InboxRow, mail: Mail, desk: Desk, known: Known, claims: Sequence[Claim]
    ) -> None:
        """A mail to an address of a tournament."""
        ticket = proved(self._house, known, mail.sender, claims)
        desk = desk.about(known.name)
        further = None if ticket else entrant_mail.further(self._house, known, mail, claims)
        if not self._admit(row, mail, good=bool(ticket or further)):
            return
        if further is not None:
            entrant_mail.add_address(self._store, desk, mail, known, further)
        elif ticket is None:
            _Stranger(self._store, desk, mail, self._vouched(row, mail)).unproved(known)
        elif proof.others(self._house, mail, mail.sender):
            entrant_mail.renew(self._store, desk, mail, known, ticket)
        elif ticket.purpose in (DIRECTOR, ASSISTANT):
            proves = partial(proof.vouched, self._house, self._now, row, mail)
            CupDirectorMail(self._store, desk, mail, known, ticket, proves).handle()
        else:
            good = proof.vouched(self._house, self._now, row, mail, known.cup.rules.grade)
            entrant_mail.EntrantMail(self._store, desk, mail, known, ticket, good).handle()

    def _announce(self, row: InboxRow, mail: Mail, desk: Desk, name: str) -> None:
        """A form that has come back filled in."""
        if self._admit(row, mail, good=True):
            proves = partial(proof.vouched, self._house, self._now, row, mail)
            announcing.announce(self._store, desk.about(name), mail, name, proves)


NOT_YOURS = (
    "Your mail came to an address of {cup} that is not yours, or not any more, so nothing was "
    "done. Reply to the latest letter that you have of it, from the address that it came to."
)
WITHDRAW_SUBJECT = "Do you want to withdraw?"
WANT_TO_WITHDRAW = "Do you want to withdraw from {cup}?"
BY_WHICH_NAME = "By which name? Write `{word} {cup} as YOU`."
IS_A_BOARD = (
    "{board} is a board of {cup}: people stand by for all of them. Write `{word} {cup} as YOU`."
)
NO_ENTRY = "You have no entry in {cup}."
ANYBODY_COULD = (
    "Anybody could have written this mail in your name. If it was you, reply to this one with the "
    "word below."
)
LAST_ANSWER = "This is the last answer until {until}."


class _Stranger:
    """A mail that proves nothing: one answer, rationed, for From can be forged."""

    def __init__(self, store: Store, desk: Desk, mail: Mail, vouched: Callable[[], bool]) -> None:
        """``vouched`` tells whether the sender's domain vouches for the mail."""
        self._store = store
        self._desk = desk
        self._mail = mail
        self._answers = strangers.rationed(store, desk, mail.sender, vouched)

    def handle(self, asked: words.Asked) -> None:
        """Do what was asked, if an answer to it may be given."""
        ways: dict[str, Callable[[Tx, words.Asked], None]] = {
            "new": self._new,
            "enter": self._enter,
            "standby": self._enter,
            "withdraw": self._withdraw,
            "record": self._listed,
        }
        if self._silent():
            return
        if asked.kind not in ways or (asked.kind == "record" and asked.name.lower() not in _LISTED):
            self._public(asked)
            return
        try:
            with self._store.transaction() as tx:
                ways[asked.kind](tx, asked)
        except (Refused, Denied) as why:
            with self._store.transaction() as tx:
                self._refuse(tx, str(why))

    def unproved(self, known: Known) -> None:
        """To an address of a tournament, from somebody whom it does not belong to."""
        why = NOT_YOURS.format(cup=known.name)
        if self._silent():
            return
        with self._store.transaction() as tx:
            self._refuse(tx, why, known.name)

    def _silent(self) -> bool:
        """Whether no answer may be given; then the mail is settled."""
        if not self._answers.possible:
            with self._store.transaction() as tx:
                self._answers.too_many(tx)
        return not self._answers.possible

    def _public(self, asked: words.Asked) -> None:
        made = public.answer(self._store, self._desk, asked, proved=False)
        said = Words(
            answering(UNPROVED),
            made.headline,
            made.lines,
            made.blocks,
            made.commands,
            made.files,
        )
        with self._store.transaction() as tx:
            # only the name of a tournament that there is: any other is a stranger's own words
            about = know(tx, asked.name) if asked.kind in ("info", "standings") else None
        letter = self._to_sender(page(self._desk, about.name if about else "", said))
        with self._store.transaction() as tx:
            self._settle(tx, [letter], "answered")

    def _new(self, tx: Tx, asked: words.Asked) -> None:
        letter = announcing.ask(tx, self._desk, self._mail, asked.name)
        self._settle(tx, [letter], "sent the form of a tournament")

    def _enter(self, tx: Tx, asked: words.Asked) -> None:
        board = public.of_board(tx, asked.name)
        known = board or self._known(tx, asked)
        if not asked.rest:
            told = BY_WHICH_NAME if board is None else IS_A_BOARD
            raise Refused(told.format(board=asked.name, cup=known.name, word=asked.kind))
        wish = entering.read_wish(asked.rest)
        standby = asked.kind == "standby"
        acts, letters = entering.ask(self._desk, known, self._mail.sender, wish, standby)
        self._keep(tx, known, acts, letters, "asked whether to enter")

    def _withdraw(self, tx: Tx, asked: words.Asked) -> None:
        known = self._known(tx, asked)
        entry = known.cup.at_address(self._mail.sender)
        if entry is None or entry.state in ("asked", "refused", "excluded", "withdrawn"):
            raise Refused(NO_ENTRY.format(cup=known.name))
        said = Words(
            WITHDRAW_SUBJECT,
            WANT_TO_WITHDRAW.format(cup=known.name),
            (ANYBODY_COULD,),
            commands=("withdraw",),
            kind="confirm",
        )
        self._keep(
            tx,
            known,
            (),
            [entrant_mail.letter(self._desk, known, entry, said, self._mail)],
            "asked whether to withdraw",
        )

    def _listed(self, tx: Tx, asked: words.Asked) -> None:
        """`record off` and `record on`: whether they are in ratings and records."""
        out = asked.name.lower() == "off"
        made = records.leave_out(tx, self._mail.sender, out, self._desk.now)
        said = replace(made, subject=answering(UNPROVED, "done"))
        self._settle(tx, [self._to_sender(page(self._desk, "", said))], made.headline)

    def _known(self, tx: Tx, asked: words.Asked) -> Known:
        return public.find(tx, asked.name)

    def _keep(
        self, tx: Tx, known: Known, acts: Sequence[Doing], letters: Sequence[Letter], note: str
    ) -> None:
        if acts:
            keep(tx, self._desk.about(known.name), known, acts)
        self._settle(tx, letters, note)

    def _refuse(self, tx: Tx, why: str, name: str = "") -> None:
        said = Words(answering(UNPROVED, NOT_DONE), NOT_DONE, (why,))
        self._settle(tx, [self._to_sender(page(self._desk, name, said))], why[:200])

    def _to_sender(self, made: Page) -> Letter:
        if self._answers.left.last:
            made = noted(made, LAST_ANSWER.format(until=moment(self._answers.left.until)))
        return self._desk.to_stranger("answer", self._mail.sender, plain(made), self._mail)

    def _settle(self, tx: Tx, letters: Sequence[Letter], note: str) -> None:
        """Queue the answer and count it; raises Conflict if another was given meanwhile."""
        self._answers.count(tx)
        for one in letters:
            tx.queue(one, self._desk.now)
        tx.finish(self._desk.mail, "done", note)
