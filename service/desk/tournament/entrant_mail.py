"""A mail of somebody who has entered, to the address that speaks for them; further addresses."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import msgspec

from service.clocks import zones
from service.commands.answers import YES
from service.desk.letters import naming
from service.desk.letters.post import Desk, House
from service.desk.seats.tickets import Ticket
from service.desk.tournament import boards, entering, following, leaving, public, voting, words
from service.desk.tournament.acts import Entered, Renewed
from service.desk.tournament.known import (
    Doing,
    Known,
    Refused,
    holder_of,
    keep,
    know,
)
from service.desk.tournament.letters import NOT_DONE, Words, to_entry, to_ticket
from service.desk.tournament.plan import NOTHING, Plan, after_acts
from service.desk.tournament.plan import store as store_plan
from service.desk.tournament.records import on_time
from service.mail import identity
from service.mail.identity import Claim
from service.mail.message import Mail
from service.mail.proving import GRADES, Grade
from service.reports.subjects import answering
from service.store import Letter, Store, Tx
from service.tournaments.values import Entry

#: purposes of tickets to an address that is to be an entrant's: beside the first, or instead of it
FURTHER, MOVE = "further", "move"
_ADDRESS = re.compile(r"address\s+(?:(add|drop)\s+)?<?([^\s@<>]+@[^\s@<>]+)>?", re.IGNORECASE)


def letter(desk: Desk, known: Known, entry: Entry, said: Words, answers: Mail) -> Letter:
    """A letter to an entrant about a mail of theirs."""
    return to_entry(desk, known, entry, said, answers)


HAVE_WITHDRAWN = "You have withdrawn from {cup}."
ALL_ARE_ASKED = "All players are asked."
VOTE_COUNTED = "Your vote is counted."
IS_THIS_YOURS_REPLY = "Is this your address? Reply yes"
IS_THIS_YOURS = "Is this your address?"
MAIL_WENT = "A mail went to {address}: reply `yes` to it from there."
NOTHING_DONE_YET = "Nothing is done yet."
ADDRESS_DROPPED = "{address} is no address of yours any more."
YOUR_ZONE = "Your time zone is {zone}."
YES_TO_ENTER = "Nothing is done: reply with the one word `yes` to enter."
PLAYERS_PROPOSE = "Who plays may propose. {standing}"
HOW_OF_ADDRESSES = (
    "Write `address add YOU@EXAMPLE.ORG` for a further address, `address YOU@EXAMPLE.ORG` to be "
    "written to there, `address drop …`."
)
WRITTEN_TO_AT = "You are written to at {address} from now on."
WANTS_THIS_ADDRESS = (
    "{name}, who has entered the tournament “{cup}”, wants this to be an address of theirs."
)
IF_THAT_IS_YOU = (
    "If that is you, reply with the one word below. If not, do nothing: you will not hear of us "
    "again."
)
NO_FURTHER_ADDRESS = "{address} is no further address of yours."
HOW_OF_ZONES = "Write a time zone as in `zone Europe/Paris`."
WISH_FOR_NEAR = "You wish for tables in near time zones."
NO_WISH_FOR_NEAR = "You do not mind having no tables in near time zones."
HOW_OF_NEAR = "Write `near on` or `near off`."
NOT_UNDERSTOOD = (
    "This is not understood. You may write `withdraw`, `address …`, `zone …`, `near on`, `propose "
    "…`, `vote yes`, `standings`, `tournament`, `record NAME`."
)


class EntrantMail:
    """A mail of an entrant: yes, withdraw, addresses, wishes, questions."""

    def __init__(
        self, store: Store, desk: Desk, mail: Mail, known: Known, ticket: Ticket, good: bool
    ) -> None:
        """``good``: the mail proves its writer as well as moves must in the tournament."""
        self._good = good
        self._store = store
        self._desk = desk
        self._mail = mail
        self._known = known
        number = str(ticket.parts[0]).rpartition("-")[2]
        self._entry = next(e for e in known.cup.entries if str(e.number) == number)

    def handle(self) -> None:
        """Do what its first line asks, and answer. Raises Conflict."""
        text = " ".join(self._mail.lines[0].text.split()) if self._mail.lines else ""
        try:
            self._first(text)
        except Refused as why:
            self._answer(NOT_DONE, NOT_DONE, [str(why)])

    def _first(self, text: str) -> None:
        word = text.split(" ")[0].lower().rstrip(".!:") if text else ""
        if self._entry.state == "asked":
            self._invited(text)
        elif word in ("withdraw", "resign"):
            self._withdraw(text)
        elif word == "propose":
            self._propose(text)
        elif (ballot := voting.read(self._known.cup, text)) is not None:
            self._vote(ballot)
        elif word == "address":
            self._address(text)
        elif word == "zone":
            self._zone(text.partition(" ")[2])
        elif word == "near":
            self._near(text.partition(" ")[2].lower())
        elif YES.fullmatch(text):
            raise Refused(entering.standing(self._known, self._entry))
        else:
            self._question()

    def _invited(self, text: str) -> None:
        """The answer to whether they want to enter."""
        if not any(YES.fullmatch(line.text) for line in self._mail.lines):
            raise Refused(YES_TO_ENTER)
        with self._store.transaction() as tx:
            timely = on_time(tx, self._entry.addresses[0])
        acts, letters = entering.confirm(
            self._desk, self._known, self._entry, timely, signed=self._good
        )
        also = (partial(_stand_by, self._desk, self._known, self._entry.number, acts),)
        self._keep(Plan(acts, letters, also=also), "confirmed")

    # what they may change

    def _withdraw(self, text: str) -> None:
        plan, lines = leaving.withdraw(
            self._store, self._desk, self._known, self._entry, sure="yes" in text.lower()
        )
        if not plan.does:
            self._answer("asked", NOTHING_DONE_YET, lines, commands=("withdraw yes",))
            return
        self._answer("done", HAVE_WITHDRAWN.format(cup=self._known.name), lines, plan)

    # votes

    def _propose(self, text: str) -> None:
        """Ask all players whether the rules shall be others."""
        if self._entry.state != "entered":
            raise Refused(
                PLAYERS_PROPOSE.format(standing=entering.standing(self._known, self._entry))
            )
        first = re.sub(r"propose\b(?:\s+rules\b)?\s*:?", "", text, count=1, flags=re.IGNORECASE)
        said = "\n".join((first.strip(), *(line.text for line in self._mail.lines[1:])))
        plan, lines = voting.propose(
            self._desk, self._known, self._entry.name, said.strip(), self._no_stricter
        )
        self._answer("done", ALL_ARE_ASKED, lines, plan)

    def _no_stricter(self, grade: Grade) -> bool:
        """Whether mails need prove no more: nobody but the director knows what theirs prove."""
        return GRADES.index(grade) <= GRADES.index(self._known.cup.rules.grade)

    def _vote(self, ballot: tuple[int, bool]) -> None:
        plan, lines = voting.vote(self._desk, self._known, self._entry.name, ballot)
        self._answer("done", VOTE_COUNTED, lines, plan)

    def _address(self, text: str) -> None:
        found = _ADDRESS.fullmatch(text)
        if found is None:
            raise Refused(HOW_OF_ADDRESSES)
        how, address = (found[1] or "").lower(), found[2].lower()
        if how == "drop":
            self._drop(address)
            return
        if how != "add" and address in self._entry.addresses[1:]:
            acts = entering.moved(self._entry, address, self._entry.name)
            follow = (partial(_follow, self._desk, self._known, self._entry, address),)
            self._answer(
                "done",
                WRITTEN_TO_AT.format(address=address),
                plan=Plan(acts, also=follow),
            )
            return
        entering.with_address(self._known, self._entry, address)
        with self._store.transaction() as tx:
            if why := naming.refusal(tx, address, self._desk.now):
                raise Refused(why)
        purpose = FURTHER if how == "add" else MOVE
        said = Words(
            IS_THIS_YOURS_REPLY,
            IS_THIS_YOURS,
            (
                WANTS_THIS_ADDRESS.format(name=self._entry.name, cup=self._known.name),
                IF_THAT_IS_YOU,
            ),
            commands=("yes",),
            kind="confirm",
        )
        asks = to_ticket(self._desk, _ticket(self._known, self._entry, purpose, address), said)
        lines = (MAIL_WENT.format(address=address),)
        counts = (lambda tx: naming.counts(tx, address, self._desk.now),)
        plan = Plan(letters=[asks], also=counts)
        self._answer("asked", NOTHING_DONE_YET, lines, plan)

    def _drop(self, address: str) -> None:
        entry = self._entry
        if address not in entry.addresses[1:]:
            raise Refused(NO_FURTHER_ADDRESS.format(address=address))
        rest = tuple(one for one in entry.addresses if one != address)
        entry = msgspec.structs.replace(entry, addresses=rest)
        acts = [Doing(Entered("address", entry), entry.name)]
        self._answer("done", ADDRESS_DROPPED.format(address=address), plan=Plan(acts))

    def _zone(self, text: str) -> None:
        zone = zones.known(text.strip())
        if not zone:
            raise Refused(HOW_OF_ZONES)
        entry = msgspec.structs.replace(self._entry, zone=zone)
        self._answer(
            "done",
            YOUR_ZONE.format(zone=zone),
            plan=Plan([Doing(Entered("zone", entry), entry.name)]),
        )

    def _near(self, text: str) -> None:
        if text not in ("on", "off"):
            raise Refused(HOW_OF_NEAR)
        entry = msgspec.structs.replace(self._entry, near=text == "on")
        self._answer(
            "done",
            WISH_FOR_NEAR if text == "on" else NO_WISH_FOR_NEAR,
            plan=Plan([Doing(Entered("near", entry), entry.name)]),
        )

    def _question(self) -> None:
        asked = words.asked(self._mail.lines)
        if self._mail.lines and self._mail.lines[0].text.strip().lower() in ("help", "?"):
            asked = words.Asked("help", "", "", "help")
        if asked is None or asked.kind in ("new", "enter", "standby", "withdraw"):
            raise Refused(NOT_UNDERSTOOD)
        name = asked.name or (
            "" if asked.kind in ("record", "ratings", "list", "help") else self._known.name
        )
        made = public.answer(self._store, self._desk, replace(asked, name=name))
        said = Words(
            answering(self._mail.subject),
            made.headline,
            made.lines,
            made.blocks,
            made.commands,
            made.files,
        )
        with self._store.transaction() as tx:
            if tx.may_answer(self._mail.sender, "idle", self._desk.now):
                tx.queue(
                    letter(self._desk, self._known, self._entry, said, self._mail), self._desk.now
                )
            tx.finish(self._desk.mail, "done", "answered")

    # answers

    def _answer(
        self,
        ending: str,
        headline: str,
        lines: Sequence[str] = (),
        plan: Plan = NOTHING,
        commands: tuple[str, ...] = (),
    ) -> None:
        """Store what it comes to and answer; what changes nothing is answered now and then only."""
        subject = answering(self._mail.subject, ending)
        said = Words(subject, headline, lines, commands=commands, kind="answer")
        known = replace(self._known, cup=after_acts(self._known, self._desk, plan.acts))
        entry = next(e for e in known.cup.entries if e.number == self._entry.number)
        own = letter(self._desk, known, entry, said, self._mail)
        if plan.does or plan.letters:
            self._keep(replace(plan, letters=(own, *plan.letters)), headline)
            return
        with self._store.transaction() as tx:
            if tx.may_answer(self._mail.sender, "puzzled", self._desk.now):
                tx.queue(own, self._desk.now)
            tx.finish(self._desk.mail, "done", headline[:200])

    def _keep(self, plan: Plan, note: str) -> None:
        with self._store.transaction() as tx:
            store_plan(tx, self._desk, self._known, plan)
            tx.finish(self._desk.mail, "done", note[:200])


def _follow(desk: Desk, known: Known, entry: Entry, address: str, tx: Tx) -> None:
    following.seats_follow(tx, desk, known, entry, address)


def _stand_by(desk: Desk, known: Known, number: int, acts: Sequence[Doing], tx: Tx) -> None:
    """Who is a standby from now on is one of the boards that are played, too."""
    cup = after_acts(known, desk, acts)
    entry = next(e for e in cup.entries if e.number == number)
    for board in known.playing if entry.state == "standby" else ():
        boards.stand_by(tx, board.row.game_id, entry, desk.now)


# ------------------------------------------------------------------------- further addresses


def _ticket(known: Known, entry: Entry, purpose: str, address: str) -> Ticket:
    epoch = known.cup.epochs.get(holder_of(entry), 0)
    parts = (entry.number, known.row.id, epoch, len(entry.addresses))
    return Ticket(known.name, purpose, address, parts)


def further(
    house: House, known: Known, mail: Mail, claims: Sequence[Claim]
) -> tuple[Entry, str] | None:
    """Whose address the writer of a mail was asked to confirm as, and for what."""
    for claim in claims:
        if claim.seat not in (FURTHER, MOVE):
            continue
        for entry in known.cup.entries:
            ticket = _ticket(known, entry, claim.seat, mail.sender.lower())
            what, whose = ticket.purpose, ticket.address
            if identity.proves(house.secret, claim.token, what, whose, *ticket.parts):
                return entry, claim.seat
    return None


IS_FURTHER_ADDRESS = "{address} is a further address of {name} in {cup}."
MOVED_TO = "{name} is written to at {address} from now on."
YES_TO_ADDRESS = "Reply with the one word `yes` if this is to be your address."
FORMER_IS_VOID = "What was sent to the former address works no more."
MAY_WRITE_FROM_IT = "You may write from it, too."


def add_address(
    store: Store, desk: Desk, mail: Mail, known: Known, found: tuple[Entry, str]
) -> None:
    """The answer of somebody who was asked whether an address is theirs. Raises Conflict."""
    entry, purpose = found
    ticket = _ticket(known, entry, purpose, mail.sender.lower())
    acts: Sequence[Doing] = ()
    try:
        if not any(YES.fullmatch(line.text) for line in mail.lines):
            raise Refused(YES_TO_ADDRESS)
        with_it = entering.with_address(known, entry, mail.sender)
        acts = [Doing(Entered("address", with_it), entry.name)]
        text = IS_FURTHER_ADDRESS.format(address=mail.sender, name=entry.name, cup=known.name)
        if purpose == MOVE:
            acts = entering.moved(entry, mail.sender, entry.name)
            text = MOVED_TO.format(name=entry.name, address=mail.sender)
        said = Words(
            answering(mail.subject, "done"),
            text,
            (FORMER_IS_VOID if purpose == MOVE else MAY_WRITE_FROM_IT,),
        )
    except Refused as why:
        said = Words(answering(mail.subject, NOT_DONE), NOT_DONE, (str(why),))
    letters = [to_ticket(desk, ticket, said, mail)]
    if purpose == MOVE and acts:
        now = replace(known, cup=after_acts(known, desk, acts))
        letters = _readdressed(desk, now, entry, said, mail)
    with store.transaction() as tx:
        store_plan(tx, desk, known, Plan(acts, letters))
        if purpose == MOVE and acts:
            following.seats_follow(tx, desk, known, entry, mail.sender.lower())
        tx.finish(desk.mail, "done", said.headline[:200])


IF_NOT_YOU = "If that was not you, write to the director: {director}."


def _readdressed(desk: Desk, known: Known, before: Entry, said: Words, mail: Mail) -> list[Letter]:
    """To an entrant's new address, and to the former one; ``known`` is the tournament then."""
    entry = next(e for e in known.cup.entries if e.number == before.number)
    if_not = IF_NOT_YOU.format(director=known.cup.rules.director)
    told = Words(said.headline, said.headline, (if_not,), kind="readdressed")
    former = Ticket(known.name, "former", before.addresses[0], ("former", before.number))
    return [to_entry(desk, known, entry, said, mail), to_ticket(desk, former, told)]


TOKEN_WAS_SHOWN = "NOT DONE: others could read your address."
TOKEN_IS_RENEWED = (
    "Your mail went to others too, so everybody in it could have written in your name. Nothing of "
    "it was done, and your old address works no more. Reply to this mail, to nobody else."
)


def renew(store: Store, desk: Desk, mail: Mail, known: Known, ticket: Ticket) -> None:
    """A mail has shown its token to others: it is another from now on, and nothing was done."""
    holder = str(ticket.parts[0])
    with store.transaction() as tx:
        now = know(tx, known.name)
        assert now is not None
        now = keep(tx, desk, now, [Doing(Renewed(holder), holder)])
        said = Words(
            answering(mail.subject, NOT_DONE),
            TOKEN_WAS_SHOWN,
            (TOKEN_IS_RENEWED,),
            kind="renewed",
        )
        parts = (*ticket.parts[:2], now.cup.epochs[holder])
        fresh = Ticket(ticket.game, ticket.purpose, ticket.address, parts)
        tx.queue(to_ticket(desk, fresh, said), desk.now)
        tx.finish(desk.mail, "done", "its address was shown to others")
