"""Another address of an entrant: asked for at the old one, confirmed from the new one.

Their seats follow, and their token is renewed.
"""

from collections.abc import Sequence
from dataclasses import replace

import msgspec

from service.commands.answers import YES
from service.commands.command import Command
from service.commands.results import asks_back
from service.desk.answering.effects import Effect, concluded
from service.desk.door import Done, Write
from service.desk.identity import addresses
from service.desk.letters.desk import Desk, at_head
from service.desk.letters.ticket import Ticket
from service.desk.proving.arrived import ArrivedEmail
from service.desk.rationing import named_addresses
from service.desk.tournament.answering.tournament_context import TournamentEmail, agreed_entry
from service.desk.tournament.letters.tournament_letters import (
    TournamentText,
    holder_of,
    to_entry,
    to_ticket,
)
from service.desk.tournament.stored.keeping import change_of, keep_acts, of_row, tournament_called
from service.games.games import GameTable, at_new_address, load
from service.refusal import Refused
from service.reports.receipt import NOT_DONE, answering
from service.said import IS_THIS_YOURS, YES_TO_ADDRESS
from service.store import Conflict, Letter, SeatRow, Tx
from service.tournaments.acts import EntryChanged, LoggedAct, TokenRenewed
from service.tournaments.tournament import Tournament, planned
from service.tournaments.values import Entrant

MAIL_WENT = "An email went to {address}: reply `yes` to it from there."
OWN_ADDRESS = "{address} is yours already: one person has one entry."
ADDRESS_OF_ANOTHER = "{address} is {name}'s already: one person has one entry."


def address(context: TournamentEmail, command: Command) -> Effect:
    """`address NEW`: ask there whether it is theirs."""
    entry, desk = agreed_entry(context), context.desk
    new = named_addresses.read(command.rest, addresses.WRITE_IT_AS_IN)
    _check(context.tournament, entry, new)
    named_addresses.check(context.reads, desk, new)

    def count(tx: Tx) -> None:
        named_addresses.count(tx, new, desk.now)

    letters = [_asks(desk, context.tournament, entry, new)]
    made = change_of(desk, context.tournament, (), letters, also=count)
    return replace(made, results=(asks_back(command, MAIL_WENT.format(address=new)),))


def _check(tournament: Tournament, entry: Entrant, new: str) -> None:
    """Raises Refused for an address that is somebody's already."""
    if new == entry.addresses[0]:
        raise Refused(OWN_ADDRESS.format(address=new))
    other = tournament.confirmed_at(new)
    if other is not None and other.number != entry.number:
        raise Refused(ADDRESS_OF_ANOTHER.format(address=new, name=other.name))


#: the purpose of the ticket to an address that an entrant wants
MOVE = "move"
WANTS_THIS_ADDRESS = (
    "{name}, an entrant of the tournament “{tournament}”, wants Waybill to write to this address."
)
IF_THAT_IS_YOU = (
    "If that is you, reply with the one word below. If not, ignore this email: Waybill will not "
    "write to you again."
)


def _asks(desk: Desk, tournament: Tournament, entry: Entrant, new: str) -> Letter:
    """To an address that an entrant has named: is it theirs?"""
    wants = WANTS_THIS_ADDRESS.format(name=entry.name, tournament=tournament.name)
    lines = wants, IF_THAT_IS_YOU
    said = TournamentText(IS_THIS_YOURS, lines, commands=("yes",), kind="confirm")
    return to_ticket(desk, _ticket(tournament, entry, new), said)


def _ticket(tournament: Tournament, entry: Entrant, address: str) -> Ticket:
    epoch = tournament.epochs.get(holder_of(entry), 0)
    parts = (entry.number, tournament.id, epoch, len(entry.addresses))
    return Ticket(tournament.name, MOVE, address, parts)


def confirmed(came: ArrivedEmail) -> Done | None:
    """Handle an email that confirms an address of an entrant; None for others."""
    for name in came.tournaments:
        tournament = tournament_called(came.reads, name)
        assert tournament is not None  # tournaments are never deleted
        for entry in tournament.entries:
            ticket = _ticket(tournament, entry, came.mail.sender.lower())
            if any(came.answers_question(ticket, claim) for claim in came.claims):
                return came.once(_answered(came, tournament, entry, ticket), proved=True)
    return None


MOVED_TO = "Waybill writes to {name} at {address} from now on."
FORMER_IS_VOID = "Emails that went to the former address no longer work."
IF_NOT_YOU = "If that was not you, write to the director: {director}."


def _answered(came: ArrivedEmail, tournament: Tournament, entry: Entrant, ticket: Ticket) -> Done:
    """The answer of somebody whom Waybill asked whether an address is theirs."""
    desk, mail, new = came.desk.about(tournament.name), came.mail, ticket.address
    try:
        if not any(YES.fullmatch(line.text) for line in mail.lines):
            raise Refused(YES_TO_ADDRESS)
        _check(tournament, entry, new)
    except Refused as why:
        said = TournamentText(NOT_DONE, why.lines, subject=answering(mail.subject, NOT_DONE))
        return concluded(change_of(desk, tournament, (), [to_ticket(desk, ticket, said, mail)]))
    acts = moved(entry, new, entry.name)
    after = planned(tournament, acts, desk.now)
    now = next(one for one in after.entries if one.number == entry.number)
    text = MOVED_TO.format(name=entry.name, address=new)
    said = TournamentText(text, (FORMER_IS_VOID,), subject=answering(mail.subject, "done"))
    if_not = IF_NOT_YOU.format(director=tournament.rules.director)
    told = TournamentText(text, (if_not,), kind="readdressed")
    former = Ticket(tournament.name, "former", entry.addresses[0], ("former", entry.number))
    moves, also = seats_follow(came.reads, desk, tournament, entry, new)
    letters = [to_entry(desk, after, now, said, mail), to_ticket(desk, former, told), *moves]
    return concluded(change_of(desk, tournament, acts, letters, also=also), note=text[:200])


def moved(entry: Entrant, address: str, by: str) -> Sequence[LoggedAct]:
    """An entrant gets emails at another address from now on; the former one is void."""
    rest = tuple(one for one in entry.addresses[1:] if one != address.lower())
    entry = msgspec.structs.replace(entry, addresses=(address.lower(), *rest))
    return (
        LoggedAct(EntryChanged("address", entry), by),
        LoggedAct(TokenRenewed(holder_of(entry)), by),
    )


def seats_follow(
    reads: Tx, desk: Desk, tournament: Tournament, entry: Entrant, address: str
) -> tuple[list[Letter], Write]:
    """The seats of an entrant move to another address: the emails to them, and what stores it."""
    moved: list[tuple[GameTable, list[SeatRow]]] = []
    letters: list[Letter] = []
    for table in tournament.playing:
        game = load(reads, table.game)
        assert game is not None
        if any(seat.address == address for seat in game.seats):
            continue
        seats = [seat for seat in game.seats if seat.address in entry.addresses]
        moved.append((game, seats))
        for seat in seats:
            page = addresses.play_from_here(desk, game, seat.name)
            new = at_new_address(seat, address)
            letters.append(desk.to_seat("readdressed", at_head(game), new, page))

    def write(tx: Tx) -> None:
        for game, seats in moved:
            addresses.check_unchanged(tx, game)
            for seat in seats:
                addresses.move(tx, game, seat, address)

    return letters, write


ADDRESS_IS_ANOTHERS = "{address} is {name}'s in {tournament}"


def entrant_follows(tx: Tx, desk: Desk, before: GameTable) -> None:
    """A seat of a game has another address of the same person: change their entry, too."""
    place = tx.tournaments.place_of(before.row.id)
    if place is None:
        return
    now = {seat.id: seat.address for seat in tx.seats.of(before.row.id)}
    tournament = of_row(tx, tx.tournaments.get(place.tournament_id))
    for seat in before.seats:
        new = now.get(seat.id, seat.address)
        entry = tournament.confirmed_at(seat.address)
        if new == seat.address or entry is None or entry.addresses[0] == new:
            continue
        other = tournament.confirmed_at(new)
        name = tournament.name
        if other is not None and other.number != entry.number:
            told = ADDRESS_IS_ANOTHERS.format(address=new, name=other.name, tournament=name)
            raise Conflict(told)
        acts = moved(entry, new, entry.name)
        tournament = keep_acts(tx, desk.about(name), tournament, acts)
