"""Addresses of entrants: second and new ones; their seats follow, and tokens are renewed."""

import re
from collections.abc import Sequence
from dataclasses import replace

import msgspec

from engine.wording import counted
from service.commands.answers import YES
from service.commands.command import Command
from service.commands.results import asks
from service.desk.answering.effects import Effect, concluded
from service.desk.door import Done, Write, store_nothing
from service.desk.letters.post import Desk, at_head
from service.desk.letters.ticket import Ticket
from service.desk.proving.arrived import ArrivedEmail
from service.desk.rationing import named_addresses
from service.desk.seats import addresses
from service.desk.tournament.entries.entering import _is
from service.desk.tournament.keeping import effect, keep, know, of_row
from service.desk.tournament.tournament_context import TournamentEmail, agreed_entry
from service.desk.tournament.tournament_letters import (
    TournamentText,
    holder_of,
    to_entry,
    to_ticket,
)
from service.games.games import GameTable, load
from service.mail.message import Mail, is_address
from service.refusal import Refused
from service.reports.receipt import NOT_DONE, answering
from service.said import (
    IS_THIS_YOURS,
    NO_EMAIL_ADDRESS,
    REST_NOT_UNDERSTOOD,
    YES_TO_ADDRESS,
)
from service.store import Conflict, Letter, SeatRow, Tx
from service.tournaments.acts import EntryChanged, LoggedAct, TokenRenewed
from service.tournaments.tournament import Tournament, planned
from service.tournaments.values import Entrant

_ADDRESS = re.compile(r"(?:(add|drop)\s+)?<?([^\s@<>]+@[^\s@<>]+)>?", re.IGNORECASE)
HOW_OF_ADDRESSES = (
    "Write `address add YOU@EXAMPLE.ORG` for a further address, `address YOU@EXAMPLE.ORG` to be "
    "written to there, `address drop …`."
)
WRITTEN_TO_AT = "You are written to at {address} from now on."
NO_FURTHER_ADDRESS = "{address} is not one of your other addresses."
ADDRESS_ADD_ADDS_IT = "`address add {address}` adds it."
ADDRESS_DROPPED = "{address} is no longer one of your addresses."
MAIL_WENT = "An email went to {address}: reply `yes` to it from there."


def address(context: TournamentEmail, command: Command) -> Effect:
    """`address NEW`, `address add NEW`, `address drop OLD`."""
    entry = agreed_entry(context)
    desk, cup = context.desk, context.cup
    found = _ADDRESS.fullmatch(command.rest)
    if found is None:
        raise Refused(REST_NOT_UNDERSTOOD, hint=HOW_OF_ADDRESSES)
    how, new = (found[1] or "").lower(), found[2].lower()
    further = entry.addresses[1:]
    if how == "drop":
        if new not in further:
            raise Refused(
                NO_FURTHER_ADDRESS.format(address=new), hint=ADDRESS_ADD_ADDS_IT.format(address=new)
            )
        rest = tuple(one for one in entry.addresses if one != new)
        less = msgspec.structs.replace(entry, addresses=rest)
        return _is(context, command, "address", less, ADDRESS_DROPPED.format(address=new))
    if how != "add" and new in further:
        acts = moved(entry, new, entry.name)
        letters, seats = seats_follow(context.reads, desk, cup, entry, new)
        made = effect(desk, cup, acts, letters, also=seats)
        return context.did(command, made, WRITTEN_TO_AT.format(address=new))
    with_address(cup, entry, new)
    if why := named_addresses.why_not(context.reads, new, desk.now):
        raise Refused(why)
    letter = asks_for_address(desk, cup, entry, FURTHER if how == "add" else MOVE, new)
    made = effect(desk, cup, (), [letter], also=lambda tx: named_addresses.count(tx, new, desk.now))
    question = asks(command, MAIL_WENT.format(address=new))
    return replace(made, results=(question,))


#: most addresses of one entrant
MOST_ADDRESSES = 3
WRITE_IT_AS_IN = "Write it as in `address add ann@example.org`."
OWN_ADDRESS = "{address} is yours already: one person has one entry."
ADDRESS_OF_ANOTHER = "{address} is {name}'s already: one person has one entry."
TOO_MANY_ADDRESSES = "You have {addresses} already."
ADDRESS_DROP_ONE_FIRST = "`address drop` one first."


def with_address(cup: Tournament, entry: Entrant, address: str) -> Entrant:
    """The entry with a second address, confirmed from there. Raises Refused."""
    new = address.strip("<>").lower()
    if not is_address(new):
        raise Refused(NO_EMAIL_ADDRESS, hint=WRITE_IT_AS_IN)
    if other := cup.confirmed_at(new):
        told = OWN_ADDRESS if other.number == entry.number else ADDRESS_OF_ANOTHER
        raise Refused(told.format(address=new, name=other.name))
    if len(entry.addresses) >= MOST_ADDRESSES:
        raise Refused(
            TOO_MANY_ADDRESSES.format(addresses=counted(MOST_ADDRESSES, "address")),
            hint=ADDRESS_DROP_ONE_FIRST,
        )
    return msgspec.structs.replace(entry, addresses=(*entry.addresses, new))


def moved(entry: Entrant, address: str, by: str) -> Sequence[LoggedAct]:
    """An entrant gets emails at another address from now on; the former one is void."""
    rest = tuple(one for one in entry.addresses[1:] if one != address.lower())
    entry = msgspec.structs.replace(entry, addresses=(address.lower(), *rest))
    return (
        LoggedAct(EntryChanged("address", entry), by),
        LoggedAct(TokenRenewed(holder_of(entry)), by),
    )


#: purposes of tickets to an address that an entrant gets: as a second one, or as the new one
FURTHER, MOVE = PURPOSES = ("further", "move")
IS_THIS_YOURS_REPLY = "Is this your address? Reply yes"
WANTS_THIS_ADDRESS = (
    "{name}, an entrant of the tournament “{cup}”, named this as one of their addresses."
)
IF_THAT_IS_YOU = (
    "If that is you, reply with the one word below. If not, ignore this email: Waybill will not "
    "write to you again."
)


def asks_for_address(
    desk: Desk, cup: Tournament, entry: Entrant, purpose: str, address: str
) -> Letter:
    """To an address that an entrant has named: is it theirs?"""
    said = TournamentText(
        IS_THIS_YOURS_REPLY,
        IS_THIS_YOURS,
        (WANTS_THIS_ADDRESS.format(name=entry.name, cup=cup.name), IF_THAT_IS_YOU),
        commands=("yes",),
        kind="confirm",
    )
    return to_ticket(desk, _ticket(cup, entry, purpose, address), said)


def _ticket(cup: Tournament, entry: Entrant, purpose: str, address: str) -> Ticket:
    epoch = cup.epochs.get(holder_of(entry), 0)
    parts = (entry.number, cup.id, epoch, len(entry.addresses))
    return Ticket(cup.name, purpose, address, parts)


def confirmed(came: ArrivedEmail) -> Done | None:
    """Handle an email that confirms an address of an entrant; None for others."""
    for name in came.tournaments:
        cup = know(came.reads, name)
        assert cup is not None  # tournaments are never deleted
        for entry in cup.entries:
            for purpose in PURPOSES:
                ticket = _ticket(cup, entry, purpose, came.mail.sender.lower())
                if any(ticket.proved_by(came.service.secret, claim) for claim in came.claims):
                    desk = came.desk.about(name)
                    done = add_address(came.reads, desk, came.mail, cup, (entry, purpose))
                    return came.once(done, proved=True)
    return None


FURTHER_ADDRESS_ADDED = "{address} is a further address of {name} in {cup}."
MOVED_TO = "{name} is written to at {address} from now on."
FORMER_IS_VOID = "Emails that went to the former address no longer work."
MAY_WRITE_FROM_IT = "You may write from it, too."


def add_address(
    reads: Tx, desk: Desk, mail: Mail, cup: Tournament, found: tuple[Entrant, str]
) -> Done:
    """The answer of somebody whom Waybill asked whether an address is theirs."""
    entry, purpose = found
    ticket = _ticket(cup, entry, purpose, mail.sender.lower())
    acts: Sequence[LoggedAct] = ()
    also: Write = store_nothing
    try:
        if not any(YES.fullmatch(line.text) for line in mail.lines):
            raise Refused(YES_TO_ADDRESS)
        with_it = with_address(cup, entry, mail.sender)
        acts = [LoggedAct(EntryChanged("address", with_it), entry.name)]
        text = FURTHER_ADDRESS_ADDED.format(address=mail.sender, name=entry.name, cup=cup.name)
        if purpose == MOVE:
            acts = moved(entry, mail.sender, entry.name)
            text = MOVED_TO.format(name=entry.name, address=mail.sender)
        said = TournamentText(
            answering(mail.subject, "done"),
            text,
            (FORMER_IS_VOID if purpose == MOVE else MAY_WRITE_FROM_IT,),
        )
    except Refused as why:
        said = TournamentText(answering(mail.subject, NOT_DONE), NOT_DONE, (str(why),))
    letters = [to_ticket(desk, ticket, said, mail)]
    if purpose == MOVE and acts:
        letters = _readdressed(desk, planned(cup, acts, desk.now), entry, said, mail)
        boards, also = seats_follow(reads, desk, cup, entry, mail.sender.lower())
        letters += boards
    return concluded(effect(desk, cup, acts, letters, also=also), note=said.headline[:200])


IF_NOT_YOU = "If that was not you, write to the director: {director}."


def _readdressed(
    desk: Desk, cup: Tournament, before: Entrant, said: TournamentText, mail: Mail
) -> list[Letter]:
    """To an entrant's new address, and to the former one; ``cup`` is the tournament then."""
    entry = next(e for e in cup.entries if e.number == before.number)
    if_not = IF_NOT_YOU.format(director=cup.rules.director)
    told = TournamentText(said.headline, said.headline, (if_not,), kind="readdressed")
    former = Ticket(cup.name, "former", before.addresses[0], ("former", before.number))
    return [to_entry(desk, cup, entry, said, mail), to_ticket(desk, former, told)]


def seats_follow(
    reads: Tx, desk: Desk, cup: Tournament, entry: Entrant, address: str
) -> tuple[list[Letter], Write]:
    """The seats of an entrant move to another address: the emails to them, and what stores it."""
    moved: list[tuple[GameTable, list[SeatRow]]] = []
    letters: list[Letter] = []
    for board in cup.playing:
        table = load(reads, board.game)
        assert table is not None
        if any(seat.address == address for seat in table.seats):
            continue
        seats = [seat for seat in table.seats if seat.address in entry.addresses]
        moved.append((table, seats))
        for seat in seats:
            page = addresses.play_from_here(desk, table, seat.name)
            new = replace(seat, address=address, epoch=seat.epoch + 1)
            letters.append(desk.to_seat("readdressed", at_head(table), new, page))

    def write(tx: Tx) -> None:
        for table, seats in moved:
            addresses.check_unchanged(tx, table)
            for seat in seats:
                addresses.renew(tx, table, seat, address)

    return letters, write


ADDRESS_IS_ANOTHERS = "{address} is {name}'s in {cup}"


def entrant_follows(tx: Tx, desk: Desk, before: GameTable) -> None:
    """A seat of a game has another address of the same person: change their entry, too."""
    board = tx.tournaments.board_of(before.row.id)
    if board is None:
        return
    now = {seat.id: seat.address for seat in tx.seats.of(before.row.id)}
    cup = of_row(tx, tx.tournaments.get(board.tournament_id))
    for seat in before.seats:
        new = now.get(seat.id, seat.address)
        entry = cup.confirmed_at(seat.address)
        if new == seat.address or entry is None or entry.addresses[0] == new:
            continue
        other = cup.confirmed_at(new)
        if other is not None and other.number != entry.number:
            raise Conflict(ADDRESS_IS_ANOTHERS.format(address=new, name=other.name, cup=cup.name))
        cup = keep(tx, desk.about(cup.name), cup, moved(entry, new, entry.name))
