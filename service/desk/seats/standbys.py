"""Standbys, who take a seat that becomes free: how they join the list, and get offers.

The first who says yes has the seat. Nothing is done for an address that has not agreed itself.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine import Seat
from service.audience import EVERYBODY, ORGANISER, of_organiser, of_table
from service.commands.command import Command
from service.desk.answering.effects import Effect
from service.desk.informing.everybody import informed, to_all
from service.desk.letters.desk import Desk
from service.desk.letters.ticket import Ticket
from service.desk.strangers.by_letter import SeparateAnswer, by_letter
from service.desk.strangers.stranger_mail import GamesSeen, StrangerContext
from service.games.games import GameTable, stored_id, with_vacancy
from service.games.naming import shown
from service.mail.message import Mail
from service.refusal import Refused
from service.reports import Answer, Scene, answer_page, note_page
from service.reports.position import tables
from service.reports.tables import Block, Lines
from service.said import (
    BY_WHICH_NAME,
    GAME_IS_MISSING,
    HOW_TO_STAND_BY,
    IF_NOT,
    IS_A_TABLE,
    MISSING_AFTER,
    NO_GAME,
)
from service.store import Letter, NewVolunteer, SeatRow, Tx, VacancyRow, VolunteerRow

#: most standbys of a game; more would get emails for nothing
MOST = 12
STANDBY, TAKE = "standby", "take"


WRITE_STANDBY_NAME = "Write `standby NAME`. `games` lists those there are."
GAME_IS_OVER = "{game} is over: it needs no standbys."
HAS_A_SEAT = "You play in {game} yourself, and nobody takes a second seat."
SEE_OTHER_GAMES = "`games` lists other games."
STANDS_BY_ALREADY = "You stand by for {game} already."
ENOUGH_STAND_BY = "{most} people stand by for {game} already."
ASK_SUBJECT = "[{game}] Do you want to stand by? Reply yes"
ASK = "Do you want to stand by for {game}?"
OFFERS_TO = (
    "You (or somebody using your address) offered to take a seat in “{game}”, a game of {title} "
    "by email, if one becomes free."
)
IF_RIGHT = (
    "If that is right, reply with the one word below. Then you are on the list, and get an email "
    "when a seat is free. You may still say no to it."
)


def standby(context: StrangerContext, command: Command) -> Effect:
    """`standby dixie7`: they must confirm it from their address."""
    if command.parts["more"]:
        raise Refused(MISSING_AFTER, hint=HOW_TO_STAND_BY)
    name = command.parts["name"].lower()
    return by_letter(context, command, lambda seen: ask(seen, context.desk, name, context.mail))


def ask(seen: GamesSeen, desk: Desk, name: str, mail: Mail) -> SeparateAnswer:
    """Ask somebody who wants to be a standby of a game, at their own address. Raises Refused.

    Nobody is a standby for only one game of a tournament.
    """
    if not name:
        raise Refused(GAME_IS_MISSING, hint=WRITE_STANDBY_NAME)
    reads, table = seen.reads, seen.find(name)
    if table is not None and (tournament := _tournament(reads, table)):
        raise Refused(IS_A_TABLE.format(table=name, tournament=tournament, word=STANDBY))
    if table is None and reads.tournaments.named(name) is not None:
        raise Refused(BY_WHICH_NAME.format(tournament=name, word=STANDBY))
    if table is None:
        raise Refused(NO_GAME.format(name=shown(name)))
    game, address = table.row.name, mail.sender.lower()
    if table.row.status not in ("open", "running"):
        raise Refused(GAME_IS_OVER.format(game=game))
    if any(seat.address == address and seat.status == "joined" for seat in table.seats):
        raise Refused(HAS_A_SEAT.format(game=game), hint=SEE_OTHER_GAMES)
    known = [v for v in table.volunteers if v.kind == STANDBY]
    if any(v.address == address and v.agreed is not None for v in known):
        raise Refused(
            STANDS_BY_ALREADY.format(game=game), hint="You get an email when a seat becomes free."
        )
    if sum(v.agreed is not None for v in known) >= MOST:
        raise Refused(ENOUGH_STAND_BY.format(most=MOST, game=game), hint=SEE_OTHER_GAMES)
    lines = (OFFERS_TO.format(game=game, title=table.title.name), IF_RIGHT, IF_NOT)
    subject, headline = ASK_SUBJECT.format(game=game), ASK.format(game=game)
    page = note_page(
        EVERYBODY, subject, headline, lines, ("yes",), about=desk.service.about(game, table.title)
    )

    def write(tx: Tx) -> Iterable[Letter]:
        made = tx.people.ask(stored_id(tx, table), NewVolunteer("standby", address), desk.now)
        ticket = Ticket(game, STANDBY, address, (made, desk.now))
        return (desk.about(game).to_ticket("confirm", ticket, page, mail),)

    checks = seen.unchanged(table)
    return SeparateAnswer(("standby", game), write=write, asks=True, checks=checks)


def _tournament(tx: Tx, table: GameTable) -> str:
    """The name of the tournament that a game belongs to while it goes on, "" for none."""
    place = tx.tournaments.place_of(table.row.id)
    tournament = None if place is None else tx.tournaments.get(place.tournament_id)
    return tournament.name if tournament is not None and not tournament.ended else ""


def listed(table: GameTable) -> tuple[VolunteerRow, ...]:
    """The standbys of a game, in the order of their requests."""
    ready = (v for v in table.volunteers if v.kind == STANDBY and v.agreed is not None)
    return tuple(ready)


def offer_ticket(seat: SeatRow, game: str, address: str) -> Ticket:
    """The proof that an address was asked to take a seat, until somebody else has it."""
    return Ticket(game, TAKE, address, (seat.id, seat.epoch))


@dataclass(frozen=True)
class Offer:
    """A seat that needs another player, with the reason as a clause.

    ``to`` are the addresses that are asked, None for all standbys. ``quiet`` says that the
    players know of it.
    """

    vacancy: VacancyRow
    to: tuple[str, ...] | None = None
    quiet: bool = False

    @property
    def seat(self) -> Seat:
        """The seat."""
        return self.vacancy.seat

    @property
    def why(self) -> str:
        """The reason that all players read."""
        return self.vacancy.why


CALL_SUBJECT = "[{game}] The seat of {name} needs another player"
CALLED = "The seat of {name} in {game} needs another player: {why}."
SEAT_STAYS = "Until then the seat is still {name}'s, and {name}'s orders go on."
MAY_NAME = "You may name somebody: `replace {name} by ADDRESS because …`."


def called(desk: Desk, table: GameTable, offered: Offer) -> dict[Seat, str]:
    """The sentence for the other players, in an email about something else."""
    name, seat = table.row.name, offered.seat
    message = CALLED.format(name=seat, game=name, why=offered.why)
    text = " ".join((message, _who_is_asked(desk, table, offered), SEAT_STAYS.format(name=seat)))
    return dict.fromkeys(_players(table, seat), text)


def _players(table: GameTable, seat: Seat) -> list[Seat]:
    """The other players, without the organizer, who is asked in an email of their own."""
    return [one for one in informed(table, seat, asks_organiser=True) if one != ORGANISER]


def call(desk: Desk, table: GameTable, offered: Offer) -> list[Letter]:
    """The emails to everybody concerned when a seat needs another player.

    They go to the organizer, the people who are asked to take it, and the other players.
    """
    name, seat = table.row.name, offered.seat
    subject = CALL_SUBJECT.format(game=name, name=seat)
    text = CALLED.format(name=seat, game=name, why=offered.why)
    ask = _who_is_asked(desk, table, offered)
    until = SEAT_STAYS.format(name=seat)
    about = desk.service.about(name, table.title)
    page = note_page(of_table(name), subject, text, (ask, until), about=about)
    players = [] if offered.quiet else _players(table, seat)
    letters = to_all(desk, table, players, "vacant", page)
    asked = offered.to
    if asked is None:
        asked = tuple(one.address for one in listed(table))
        lines = (ask, until, MAY_NAME.format(name=seat))
        page = note_page(of_organiser(name), subject, text, lines, about=about)
        letters.append(desk.to_organiser("vacant", table.row, page))
    agreed = {one.address for one in listed(table)}
    offers = (
        offer_letter(desk, table, seat, one, offered.why if one in agreed else "") for one in asked
    )
    return [*letters, *offers]


@dataclass(frozen=True)
class Vacated:
    """What follows when a seat waits for another player: the game then, the emails, the row."""

    table: GameTable
    letters: Sequence[Letter]
    write: Callable[[Tx], None]


def vacate(desk: Desk, table: GameTable, offered: Offer) -> Vacated:
    """Let a seat wait for another player, and ask others to take it.

    An earlier wait of that seat is over. Only a vote opens it elsewhere, in `commit.voted_out`.
    """

    def write(tx: Tx) -> None:
        tx.people.open_vacancy(table.row.id, offered.vacancy)

    return Vacated(with_vacancy(table, offered.vacancy), call(desk, table, offered), write)


SOMEBODY_ASKED = "The organizer has asked somebody, who has the seat as soon as they say yes."
NOBODY_STANDS_BY = (
    "Nobody stands by for this game. To stand by, write `standby {game}` to {address}."
)
ONE_STANDS_BY = "One person stands by and is asked; the first to say yes gets the seat."
SOME_STAND_BY = "{count} people stand by and are asked; the first to say yes gets the seat."


def _who_is_asked(desk: Desk, table: GameTable, offered: Offer) -> str:
    if offered.to is not None:
        return SOMEBODY_ASKED
    count = len(listed(table))
    if not count:
        return NOBODY_STANDS_BY.format(game=table.row.name, address=desk.service.address)
    return ONE_STANDS_BY if count == 1 else SOME_STAND_BY.format(count=count)


OFFER_SUBJECT = "[{game}] A seat is free: {name}. Reply yes to take it"
OFFER = "A seat is free in {game}: do you want to play as {name}?"


def offer_letter(desk: Desk, table: GameTable, seat: Seat, address: str, why: str) -> Letter:
    """The email to somebody who is asked: the seat, the position, and what to write.

    ``why`` is "" for a person who has agreed to nothing yet: they get no words chosen by
    another person.
    """
    name = table.row.name
    page = answer_page(
        EVERYBODY,
        OFFER_SUBJECT.format(game=name, name=seat),
        OFFER.format(game=name, name=seat),
        Answer(tuple(_offered(desk, table, why))),
        desk.service.about(name, table.title),
    )
    return desk.to_ticket("offered", offer_ticket(table.seat(seat), name, address), page)


WHY_ASKED = (
    "This is a game of {title} played by email. You are asked because you stand by "
    "for it, or because its organizer has named you."
)
WHY_FREE = "The seat is free because {why}."
TO_TAKE_IT = (
    "Reply `yes` to take it. The first who says yes gets the seat, and an email with everything "
    "needed to play on. Reply `no` to leave the list, or do nothing to stay on it."
)


def _offered(desk: Desk, table: GameTable, why: str) -> Iterator[Block]:
    asked = WHY_ASKED.format(title=table.title.name)
    if why:
        asked = f"{asked} {WHY_FREE.format(why=why)}"
    yield Lines("", (asked, TO_TAKE_IT))
    if table.head is not None:
        scene = Scene(table.row.name, table.title, table.state, templates=desk.service.templates)
        yield from tables(scene)
