"""Addresses of an entrant: further ones and new ones, confirmed from there; one that was shown."""

from collections.abc import Sequence
from dataclasses import replace

from service.commands.answers import YES
from service.commands.refusal import Refused
from service.desk.door import Conclusion, Done
from service.desk.letters.post import Desk, House
from service.desk.letters.tickets import Ticket
from service.desk.tournament import entering, following
from service.desk.tournament.acts import Entered, Renewed
from service.desk.tournament.known import Doing, Known, holder_of, keep, know
from service.desk.tournament.letters import NOT_DONE, Words, to_entry, to_ticket
from service.desk.tournament.plan import Plan, after_acts
from service.desk.tournament.plan import store as store_plan
from service.mail import identity
from service.mail.identity import Claim
from service.mail.message import Mail
from service.reports.receipt import answering
from service.said import IS_THIS_YOURS, TOKEN_WAS_SHOWN, YES_TO_ADDRESS
from service.store import Letter, Tx
from service.tournaments.values import Entry

#: purposes of tickets to an address that is to be an entrant's: beside the first, or instead of it
FURTHER, MOVE = "further", "move"


IS_THIS_YOURS_REPLY = "Is this your address? Reply yes"
WANTS_THIS_ADDRESS = (
    "{name}, an entrant of the tournament “{cup}”, named this as one of their addresses."
)
IF_THAT_IS_YOU = (
    "If that is you, reply with the one word below. If not, ignore this email: Waybill will not "
    "write to you again."
)


def asks_for_address(desk: Desk, known: Known, entry: Entry, purpose: str, address: str) -> Letter:
    """To an address that an entrant has named: is it theirs?"""
    said = Words(
        IS_THIS_YOURS_REPLY,
        IS_THIS_YOURS,
        (WANTS_THIS_ADDRESS.format(name=entry.name, cup=known.name), IF_THAT_IS_YOU),
        commands=("yes",),
        kind="confirm",
    )
    return to_ticket(desk, _ticket(known, entry, purpose, address), said)


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
FORMER_IS_VOID = "Emails that went to the former address no longer work."
MAY_WRITE_FROM_IT = "You may write from it, too."


def add_address(desk: Desk, mail: Mail, known: Known, found: tuple[Entry, str]) -> Conclusion:
    """The answer of somebody who was asked whether an address is theirs."""
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

    def added(tx: Tx) -> Done:
        told = [*store_plan(tx, desk, known, Plan(acts, letters))]
        if purpose == MOVE and acts:
            told += following.seats_follow(tx, desk, known, entry, mail.sender.lower())
        return Done(said.headline[:200], told)

    return added


IF_NOT_YOU = "If that was not you, write to the director: {director}."


def _readdressed(desk: Desk, known: Known, before: Entry, said: Words, mail: Mail) -> list[Letter]:
    """To an entrant's new address, and to the former one; ``known`` is the tournament then."""
    entry = next(e for e in known.cup.entries if e.number == before.number)
    if_not = IF_NOT_YOU.format(director=known.cup.rules.director)
    told = Words(said.headline, said.headline, (if_not,), kind="readdressed")
    former = Ticket(known.name, "former", before.addresses[0], ("former", before.number))
    return [to_entry(desk, known, entry, said, mail), to_ticket(desk, former, told)]


TOKEN_IS_RENEWED = (
    "Your email went to others too, so everybody in it could have written in your name. Nothing "
    "of it was done, and your old reply address no longer works. Reply to this email, and to "
    "nobody else."
)


def renew(desk: Desk, mail: Mail, known: Known, ticket: Ticket) -> Conclusion:
    """A mail has shown its token to others: it is another from now on, and nothing was done."""
    holder = str(ticket.parts[0])

    def renewed(tx: Tx) -> Done:
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
        return Done("its address was shown to others", [to_ticket(desk, fresh, said)])

    return renewed
