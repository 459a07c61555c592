"""Gives a seat to another person, after a vote, a standby's yes, or an act of a director or
operator.

The old token is void at once and the former player's advance orders end. The new player gets
everything needed to play on. This module knows no clock: ``now`` is the desk's.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from engine import Event, Seat
from engine.wording import cut
from service.audience import EVERYBODY, ORGANISER, OnlyFor, of_organiser, of_seat, of_table
from service.clocks.deadlines import YOUR_BANK
from service.clocks.rules import left, words
from service.desk.ahead import orders_given
from service.desk.door import NOTHING, Done, call_off, finish
from service.desk.informing.everybody import informed, to_all
from service.desk.informing.follow_up import FollowUp
from service.desk.letters.desk import Desk, at_head
from service.desk.rationing import named_addresses
from service.desk.service import Service
from service.games import batches, directing, games, offers, timing, votes
from service.games.changes import Change
from service.games.choices import SeatSettings, seat_settings
from service.games.games import GameLog, GameTable, load
from service.games.naming import player_meant
from service.games.orders import alive
from service.refusal import Refused
from service.reports import About, Brief, Page, Scene, briefing_page, note_page
from service.said import HAS_CHANGED, NAME_A_NON_PLAYER, THANKS, YOU_PLAY, YOU_PLAY_NO_MORE
from service.store import (
    BY_HAND,
    Conflict,
    Letter,
    Occasion,
    OrderRow,
    Progress,
    SeatRow,
    Store,
    Telling,
    Tx,
)

#: most characters of the former player's orders that the new player reads
SHOWN = 1_000
#: seconds that a new player has for the first decision in addition to the usual ones
REFLECTION = 48 * 3600
#: director's acts in the briefing, besides corrections, which are actions of the game
_RULED = ("rule", "rollback", "redo", "dispute", "set")
#: most characters of a ruling or a passed vote in the briefing
_RULING = 240


@dataclass(frozen=True)
class Handover:
    """A seat that is given to an address; ``why`` is a sentence about the reason, for everybody."""

    seat: Seat
    address: str
    why: str


@dataclass(frozen=True)
class _HandedOver:
    """A game as it was read, with everything for the briefing."""

    table: GameTable
    old: SeatRow
    new: SeatRow
    log: GameLog
    #: whether the game is a table of a tournament
    of_tournament: bool


@dataclass(frozen=True)
class Move:
    """A seat that gets another player: its new row, the emails, and the function that stores it.

    ``page`` is for the new player, and ``letter`` makes the email of it. ``write`` raises
    Conflict if the game or its seats have changed meanwhile.
    """

    seat: SeatRow
    page: Page
    letter: Callable[[Page], Letter]
    others: Sequence[Letter]
    write: Callable[[Tx], None]


def moved(reads: Tx, desk: Desk, game: str, handover: Handover) -> Move:
    """The move of a seat of a game to another address, not stored yet. Raises Refused.

    Everybody gets an email: the new player a briefing, the former player that the seat is no
    longer theirs.
    """
    known = _know(reads, game, handover, desk.service)
    why = " ".join((handover.why, *_unnamed(reads, desk.service, known)))
    desk = desk.about(known.table.row.name, known.new.name)

    def write(tx: Tx) -> None:
        now = tx.games.named(known.table.row.name)
        same = now is not None and (now.head, now.status) == (
            known.table.row.head,
            known.table.row.status,
        )
        if not same or tx.seats.of(known.table.row.id) != known.table.seats:
            raise Conflict(HAS_CHANGED.format(game=game))
        _store(tx, desk, known)

    page = _briefing(known, why, desk) if known.table.head else _welcome(known, why, desk.service)
    return Move(known.new, page, partial(_to_new, desk, known), _others(desk, known, why), write)


GIVEN = "The operator has given the seat to another address."


def move(store: Store, service: Service, game: str, seat: str, address: str, now: int) -> SeatRow:
    """Move a seat to another address, with a new token; gives the new row.

    Raises Refused, and Conflict if the game or its seats have changed meanwhile.
    """
    with store.reading() as reads:
        table, old = find_seat(reads, game, seat)
        # the epoch grows with each change of address and token, so each occasion is unique
        key = f"moved-{old.id}-{old.epoch}"
        desk = Desk(service, now, Occasion("operator", key, table.row.name, old.name))
        found = moved(reads, desk, table.row.name, Handover(old.name, address, GIVEN))
    letters = (found.letter(found.page), *found.others)
    finish(store, now, NOTHING, Done(letters=letters, also=found.write))
    return found.seat


def _to_new(desk: Desk, known: _HandedOver, page: Page) -> Letter:
    """To the new player: everything they need to play on."""
    letter = desk.to_seat("briefing", at_head(known.table), known.new, page)
    if known.table.head is None:
        return letter
    return replace(letter, tells=Telling(known.new.id, known.table.state.number))


NO_SUCH_GAME = "There is no game called {game}; `waybill games` lists them."


def find_seat(tx: Tx, game: str, seat: str) -> tuple[GameTable, SeatRow]:
    """A game and one of its seats. Raises Refused."""
    table = load(tx, game.lower())
    if table is None:
        raise Refused(NO_SUCH_GAME.format(game=game))
    return table, table.seat(player_meant([one.name for one in table.seats], seat))


IS_OVER = "{game} is over, nobody needs a seat in it"


def _know(tx: Tx, game: str, handover: Handover, service: Service) -> _HandedOver:
    table, old = find_seat(tx, game, handover.seat)
    if table.row.status not in ("open", "running"):
        raise Refused(IS_OVER.format(game=table.row.name))
    address = named_addresses.read(handover.address, NAME_A_NON_PLAYER, outside=table)
    fresh = SeatSettings(digest=service.digest).stored()
    new = replace(games.at_new_address(old, address), settings=fresh)
    of_tournament = tx.tournaments.place_of(table.row.id) is not None
    if table.head is None:
        return _HandedOver(table, old, new, games.NO_LOG, of_tournament)
    table = games.with_rulings(tx, table)
    log = games.log_of(tx, table, whole=True)
    return _HandedOver(table, old, new, log, of_tournament)


SCORES_AS = (
    "In the standings of {tournament} the score is that of “standby for {name}”. The player who "
    "has the seat now can change that: `standby {tournament} as NAME` to {address}, before the "
    "table is over."
)


def _unnamed(tx: Tx, service: Service, known: _HandedOver) -> tuple[str, ...]:
    """A sentence for a tournament game if its new player has no entry in the tournament.

    The standings then have only the name of the seat for them.
    """
    place = tx.tournaments.place_of(known.table.row.id)
    if place is None or tx.tournaments.same_entrant(place.tournament_id, known.new.address):
        return ()
    tournament, seat = tx.tournaments.get(place.tournament_id).name, known.new.name
    return (SCORES_AS.format(tournament=tournament, name=seat, address=service.address),)


# the emails


ANOTHER_PLAYS_SUBJECT = "{name} has another player"
ANOTHER_PLAYS = "Somebody else plays as {name} in {game} from now on."
ALL_IS_AS_IT_WAS = (
    "The position, shares, companies and the order of play are unchanged. The former player's "
    "advance orders have ended."
)
IS_PLAYED_FROM = "{name} is played from {address} now."
VOID_NOW = "Emails that went to the former address, {address}, no longer work."


def _others(desk: Desk, known: _HandedOver, why: str) -> list[Letter]:
    """To the former player, the other players and the organizer; the turn email to the new one."""
    table, new, old = known.table, known.new, known.old
    row, about = table.row, desk.service.about(table.row.name, table.title)
    found = _turn(desk, known) if table.head else []
    subject = f"[{row.name}] {ANOTHER_PLAYS_SUBJECT.format(name=new.name)}"
    headline = ANOTHER_PLAYS.format(name=new.name, game=row.name)
    page = note_page(of_table(row.name), subject, headline, (why, ALL_IS_AS_IT_WAS), about=about)
    told = informed(table, new.name, asks_organiser=True)
    found += to_all(desk, table, [one for one in told if one != ORGANISER], "notice", page)
    # an organizer who played there is the former player, and one may be the new player
    if table.organisers_seat != new.name and not table.is_organiser(new.address):
        played = IS_PLAYED_FROM.format(name=new.name, address=new.address)
        moved = f"{played} {VOID_NOW.format(address=old.address)}"
        page = note_page(of_organiser(row.name), subject, headline, (why, moved), about=about)
        found.append(desk.to_organiser("moved", row, page))
    return [
        *found,
        desk.to_stranger("moved", old.address, _goodbye(known, why, about), reader="former"),
    ]


YOU_CAN_DO_NOTHING = (
    "You get no more emails of this game. If that is not right, write to the organizer of the game."
)
STANDBY_AGAIN = (
    "`standby {game}` to Waybill's main address puts you on the list for seats that become free."
)


def _goodbye(known: _HandedOver, why: str, about: About) -> Page:
    """To the former player, who may not know of it yet.

    Nobody stands by for a single table of a tournament.
    """
    name, game = known.new.name, known.table.row.name
    again = "" if known.of_tournament else STANDBY_AGAIN.format(game=game)
    lines = (why, YOU_CAN_DO_NOTHING, f"{THANKS} {again}".rstrip())
    headline = YOU_PLAY_NO_MORE.format(name=name, game=game)
    return note_page(EVERYBODY, f"[{game}] {headline}", headline, lines, about=about)


NOT_BEGUN = (
    "The game has not begun; you will get an email when it does. Reply to this email with `status` "
    "to see who has joined, or `leave` to give the seat up."
)


def _welcome(known: _HandedOver, why: str, service: Service) -> Page:
    """To the new player of a game that has not begun."""
    name, game = known.new.name, known.table.row.name
    headline = YOU_PLAY.format(name=name, game=game)
    to, about = of_seat(game, name), service.about(game, known.table.title)
    return note_page(to, f"[{game}] {headline}", headline, (why, NOT_BEGUN), about=about)


EXTRA_TIME = "You have {time} more for this first decision, to find your way."


def _clock(known: _HandedOver, now: int) -> Iterator[str]:
    """The new player's deadline, with their extra time, and the clock of the game."""
    table = games.with_seat(known.table, known.new)
    rule, account = timing.rule_of(table), timing.handed(table, known.new.name, REFLECTION, now)
    if rule is None or account is None:
        return
    if account.runs:
        yield from timing.deadlines_of(table, (account,), now)[account.seat].lines
        yield EXTRA_TIME.format(time=words(account.extra))
    elif rule.kind == "fischer":
        yield YOUR_BANK.format(bank=left(account.bank))
    yield rule.in_words()


def _briefing(known: _HandedOver, why: str, desk: Desk) -> Page:
    table, new, service = known.table, known.new, desk.service
    scene = Scene(table.row.name, table.title, table.state, templates=service.templates)
    to = of_seat(table.row.name, new.name)
    rest = offers.of(table.ahead, new.name)
    dropped = [rest.shown] if rest else []
    dropped += [order.text for order in orders_given.open_orders(table, new.name)]
    told = tuple(_clock(known, desk.now))
    brief = Brief(why, _story(known), _released(known), cut("; ".join(dropped), SHOWN), told)
    own = service.button_address(to, new.epoch, table.state.number)
    return briefing_page(to, scene, OnlyFor(to, brief), own)


def _story(known: _HandedOver) -> list[Event | str]:
    """What happened since the start, with rulings and passed votes in their places."""
    table = known.table
    agreed = [(v.closed, votes.result(v)) for v in table.votes if v.status == "passed"]
    rulings = [r for r in table.rulings if r.kind in _RULED and not r.struck]
    ruled = [(r.position, directing.logged(replace(r, lost=""))) for r in rulings]
    words = sorted((*agreed, *ruled), key=lambda one: one[0])
    found: list[Event | str] = []
    for past in known.log.past:
        while words and words[0][0] < past.number:
            found.append(cut(words.pop(0)[1].rstrip("."), _RULING))
        found += past.events
    return [*found, *(cut(text.rstrip("."), _RULING) for _, text in words)]


def _released(known: _HandedOver) -> tuple[str, ...]:
    """The former player's notes, if they wanted to hand them on."""
    if not seat_settings(known.old).release:
        return ()
    kept = (j for j in known.table.jottings if j.seat == known.new.name and j.kind == "note")
    return tuple(jotting.text for jotting in kept)


def _turn(desk: Desk, known: _HandedOver) -> list[Letter]:
    """The turn email, if it is the seat's turn."""
    table, new = known.table, known.new
    others = tuple(order for order in table.orders if order.seat != new.name)
    kept = tuple(j for j in table.jottings if j.seat != new.name)
    table = replace(games.with_seat(table, new), orders=others, jottings=kept)
    clock = timing.handed(table, new.name, REFLECTION, desk.now)
    due = timing.deadlines_of(table, (clock,) if clock else (), desk.now)
    follow = FollowUp(desk, Change(table, table.state), known.log, clocks=due)
    return [letter for letter in follow.turns() if letter.recipient == new.address]


# storing it


def _store(tx: Tx, desk: Desk, known: _HandedOver) -> None:
    """Store the new player; requests that the former one left open are not done for the new one."""
    table, old, now = known.table, known.old, desk.now
    row, name = table.row, known.new.name
    number = tx.occasions.record(desk.occasion, now)
    _clear_orders(tx, number, [order for order in table.orders if order.seat == name])
    tx.seats.move(old.id, known.new.address)
    tx.seats.change(old.id, settings=known.new.settings, status="joined")
    tx.people.add_former(row.id, name, old.address, old.epoch, now)
    if offers.of(table.ahead, name) is not None:
        tx.ahead.drop(row.id, name)
    tx.jottings.drop_notes(row.id, name, shown=False)
    tx.ahead.drop_partial(row.id, name)
    tx.answers.forget_unanswered(tx.answers.unanswered(row.name, name))
    waiting = tx.tasks.of(batches.KIND, row.name, name)
    call_off(tx, waiting, "the seat has another player")
    _void_votes(tx, table, name, number, now)
    tx.people.close_vacancy(row.id, name)
    for volunteer in tx.people.volunteers(row.id):
        if volunteer.seat == name or volunteer.address == known.new.address:
            tx.people.drop(volunteer.id)
    clock = timing.handed(games.with_seat(table, known.new), name, REFLECTION, now)
    timing.keep(tx, table, (clock,) if clock else (), now)


PLAYER_HAS_LEFT = "its player has left the seat"


def _clear_orders(tx: Tx, occasion: int, orders: Sequence[OrderRow]) -> None:
    """End a former player's orders; texts and seals stay, and are opened at the end.

    This is noted before all positions, so that no `undo` brings an order back, even one that
    was done or cleared.
    """
    for order in orders:
        status = "cleared" if alive(order) else order.status
        tx.orders.note(order.id, Progress(BY_HAND, order.step, status, PLAYER_HAS_LEFT), occasion)


def _void_votes(tx: Tx, table: GameTable, seat: Seat, occasion: int, now: int) -> None:
    """Void the former player's open votes, and end votes about replacing them."""
    tx.votes.drop_ballots(table.row.id, seat)
    number = table.state.number if table.head else 0
    lapsed = [
        replace(vote, status="lapsed", closed=number)
        for vote in tx.votes.of(table.row.id)
        if (vote.kind, vote.about, vote.status) == ("replace", seat, "open")
    ]
    tx.votes.keep(table.row.id, lapsed, occasion, now)
