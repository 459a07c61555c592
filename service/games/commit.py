"""Stores a change of a game: actions, events, head, end, waiting seats and messages.

All of it is part of one transaction of the caller. The same transaction queues the letters about
the change and settles the email or task that caused it. Its first statement locks the game.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from msgspec import json, structs

from engine import Seat, State, Title
from service.clocks.accounts import Account
from service.games import batches, choices, games, timing
from service.games.changes import Change, nothing
from service.games.games import GameSettings, GameTable, open_decision, same_given
from service.games.offers import stored_form
from service.games.orders import sealed
from service.reports import Said
from service.store import (
    Conflict,
    GameRow,
    NewAction,
    Occasion,
    Progress,
    SeatRow,
    Task,
    Tx,
    VacancyRow,
    VoteRow,
)

OVER = "over"


def tell_over(tx: Tx, game: GameRow, head: int, now: int) -> None:
    """Plan the emails that report once to a game's offices that action ``head`` ended it.

    The offices of a tournament get the result of a table from the tournament.
    """
    tx.tasks.add(Task(OVER, f"{OVER}-{game.name}-{head}", now, game.name), now)


#: kinds of tasks: a tournament's game has ended; a director's command for one; one should end
ENDED, DIRECT, ADJUDICATE = "tournament-ended", "tournament-direct", "tournament-adjudicate"
#: the name of the actor if no person acts; no office, because a director may play
ITSELF = "tournament"


def in_set(state: State) -> bool:
    """Whether a set of operating rounds is in progress; an adjudicated game ends with the set."""
    return bool(state.stack) and state.round.kind == "OR"


def moved(tx: Tx, game: GameRow, state: State, now: int) -> None:
    """Plan what follows if a tournament's game is over, or should have ended by now."""
    place = tx.tournaments.place_of(game.id)
    if place is None:
        return
    if not state.stack:
        plan_end(tx, game, now)
    elif place.adjudicate and not in_set(state):
        key = f"{ADJUDICATE}-{game.name}-set-{place.adjudicate}"
        tx.tasks.add(Task(ADJUDICATE, key, now, game.name, ITSELF), now)


def plan_end(tx: Tx, game: GameRow, now: int) -> None:
    """Plan what follows when a game is over or given up."""
    if tx.tournaments.place_of(game.id) is not None:
        tx.tasks.add(Task(ENDED, f"{ENDED}-{game.name}", now, game.name), now)


#: the kind of the task that ends a vote
VOTE = "vote"
#: the reason why a vote gives a seat another player
AGREED = "all other players have agreed on it"


@dataclass(frozen=True)
class Jot:
    """A text to store for one player."""

    seat: Seat
    kind: Literal["note", "diary", "news"]
    text: str


@dataclass(frozen=True)
class Besides:
    """The data stored with a change: messages to all, and texts for single players.

    ``clocks`` are the clocks after it if the caller has reported them already; otherwise they are
    computed.
    """

    said: Sequence[Said] = ()
    jots: Sequence[Jot] = ()
    clocks: Sequence[Account] | None = None


def commit(
    tx: Tx,
    occasion: Occasion,
    change: Change,
    now: int,
    besides: Besides = Besides(),
    *,
    still: bool = False,
) -> int:
    """Store a change with everything that belongs to it, and return the id of its occasion.

    Raises Conflict and stores nothing in two cases: the game has changed since it was read, or an
    address in its letters was renewed. ``still`` says that the caller has already checked this in
    the same transaction.
    """
    table, game = change.table, change.table.row
    if not still:
        anew = change.waits_anew or change.orders_anew or change.votes is not None
        _still(tx, table, changes=change.moves or anew)
    number = tx.occasions.record(occasion, now)
    if change.moves:
        head = change.back.parent if change.back else game.head
        for line, played in enumerate(change.played):
            step = games.step(table.title, played, line)
            step = replace(step, parent=head, occasion_id=number)
            head = tx.log.add(game.id, step, now)
        assert head is not None
        _move(tx, game, head)
        anew = change.asks_anew(table.title)
        _stand(tx, game.id, table.title, change.state, now, anew=anew)
        if table.of_tournament:
            moved(tx, game, change.state, now)
        elif not change.state.stack:
            tell_over(tx, game, head, now)
        if change.offers != table.offers:
            tx.offers.keep(game.id, change.offers, number, now)
    _give(tx, change, number, now)
    _order(tx, change, number, now)
    _vote(tx, change, number, now)
    clocks = besides.clocks
    if clocks is None:
        clocks = timing.after(change, timing.ClockMoments(now, now))
    _keep_clocks(tx, change, clocks, now)
    for word in besides.said:
        tx.log.say(game.id, word.seat, word.text, word.number, now)
    if change.moves and occasion.kind == "mail":
        if any(jotting.seat == occasion.seat for jotting in table.jottings):
            tx.jottings.drop_notes(game.id, occasion.seat)
        if table.vacancy(occasion.seat) is not None:
            # the silent player has replied
            tx.people.close_vacancy(game.id, occasion.seat, "silent")
    for jot in besides.jots:
        tx.jottings.add(game.id, jot.seat, jot.kind, jot.text, change.state.number, now)
    if change.moves or besides.said or besides.jots:
        choices.plan(tx, game, table.seats, change.state.number, now)
    if change.moves and table.watched:
        choices.plan_observers(tx, game, f"{number}-{change.state.number}", now)
    return number


def commit_opening(tx: Tx, occasion: Occasion, begun: GameTable, step: NewAction, now: int) -> None:
    """Store the first position of a game that has ``begun``, with settings and seating.

    Raises Conflict if the game has already begun.
    """
    game = begun.row
    locked = tx.games.named(game.name)
    if locked is None or locked.head is not None or locked.status != "open":
        raise Conflict(f"{game.name} has begun")
    for seat in begun.seats:
        tx.seats.change(seat.id, position=seat.position)
    number = tx.occasions.record(occasion, now)
    head = tx.log.add(game.id, replace(step, occasion_id=number), now)
    _move(tx, replace(game, head=None), head)
    tx.games.set_settings(game.id, game.settings)
    tx.games.set_status(game.id, "running", now)
    _stand(tx, game.id, begun.title, begun.state, now, anew=True)
    timing.keep(tx, begun, timing.after(nothing(begun), timing.ClockMoments(now, now)), now)
    choices.plan_observers(tx, game, str(number), now)


def _still(tx: Tx, table: GameTable, *, changes: bool) -> None:
    """Lock the game. Raises Conflict if the game or a seat has changed since it was read."""
    game, there = tx.games.contents(table.row.name) or (None, frozenset())
    here = None if game is None else (game.head, game.status, game.settings)
    if changes and here != (table.row.head, table.row.status, table.row.settings):
        raise Conflict(f"{table.row.name} has gone on")
    if changes and not same_given(tx, table, there):
        raise Conflict(f"others have written in {table.row.name}")
    if _addresses(tx.seats.of(table.row.id)) != _addresses(table.seats):
        raise Conflict(f"an address of {table.row.name} was renewed")


def _addresses(seats: Sequence[SeatRow]) -> dict[int, tuple[int, str]]:
    return {seat.id: (seat.epoch, seat.address) for seat in seats}


def _give(tx: Tx, change: Change, occasion: int, now: int) -> None:
    """Store the waiting commands; those that waited before keep their occasion."""
    game, before = change.table.row.id, change.table.ahead
    for ahead in before:
        if ahead not in change.ahead:
            tx.ahead.drop(game, ahead.seat)
    for ahead in change.ahead:
        if ahead not in before:
            tx.ahead.give(game, stored_form(ahead), occasion, now)


def _order(tx: Tx, change: Change, occasion: int, now: int) -> None:
    """Store new orders, and the changes of the others."""
    game = change.table.row
    if change.back:
        tx.orders.strike(game.id, change.back.parent_number)
        tx.rulings.strike(game.id, change.back.parent_number)
        if change.back.redone:
            tx.rulings.bring_back(game.id, [step.number for step in change.back.redone])
    ids = {o.id: tx.orders.add(game.id, sealed(game.name, o), occasion, now) for o in change.given}
    for number, order in (*change.midst, *change.orders):
        part = order.part.stored() if order.part else ""
        progress = Progress(number, order.at, order.status, order.reason, part)
        tx.orders.note(ids.get(order.id, order.id), progress, occasion)


def _vote(tx: Tx, change: Change, occasion: int, now: int) -> None:
    """Store the votes, plan tasks for their ends, and grant time that players agreed on."""
    game, before = change.table.row, {row.number for row in change.table.votes}
    for row in change.votes or ():
        if row.number not in before:
            key, since = f"{VOTE}-{game.name}-{row.number}", str(now).encode()
            tx.tasks.add(Task(VOTE, key, row.due, game.name, payload=since), now)
    for row in passed(change):
        if row.kind == "extend" and timing.rule_of(change.table) is None:
            tx.clocks.put_off(game.id, int(row.about))
        if row.kind == "batch":
            handle_at(tx, change.table, batches.read_times(row.about) or (), now)
    for vacancy in voted_out(change, now):
        tx.people.open_vacancy(game.id, vacancy)
    if change.votes is not None:
        tx.votes.keep(game.id, change.votes, occasion, now)


def passed(change: Change) -> list[VoteRow]:
    """The votes that passed with a change."""
    before = {row.number: row.status for row in change.table.votes}
    return [v for v in change.votes or () if v.status == "passed" != before.get(v.number)]


def voted_out(change: Change, now: int) -> list[VacancyRow]:
    """The seats that wait for another player from now on, by the votes that passed."""
    seats = [row.about for row in passed(change) if row.kind == "replace"]
    waits = change.table.vacancy
    return [VacancyRow(one, "vote", AGREED, now) for one in seats if waits(one) is None]


def _keep_clocks(tx: Tx, change: Change, clocks: Sequence[Account], now: int) -> None:
    """Store the clocks; begin all of them again if a vote has set another rule."""
    game, table = change.table.row, timing.agreed(change)
    if table is not change.table:
        stands = tx.games.named(game.name) or game
        settings = json.decode(stands.settings, type=GameSettings)
        settings = structs.replace(settings, clock=table.settings.clock)
        tx.games.set_settings(game.id, json.encode(settings))
        tx.clocks.drop(game.id)
        table = replace(table, clocks=())
    timing.keep(tx, table, clocks, now)


def handle_at(tx: Tx, table: GameTable, times: Sequence[str], now: int) -> None:
    """Handle a game's emails at other times from now on, also those that already wait."""
    settings = structs.replace(table.settings, batch=tuple(times))
    tx.games.set_settings(table.row.id, json.encode(settings))
    due = batches.next_time(times, now) if times else now
    tx.tasks.date(batches.KIND, table.row.name, due)


def _move(tx: Tx, game: GameRow, head: int) -> None:
    if not tx.log.move_head(game.id, game.head, head):
        raise Conflict(f"{game.name} has gone on")


def _stand(tx: Tx, game: int, title: Title, state: State, now: int, *, anew: bool) -> None:
    """Store the game's status and the seats it waits for, from its new position."""
    if not state.stack:
        tx.games.set_status(game, "ended", now)
    decision, seats = open_decision(title, state)
    tx.games.wait_for(game, decision, seats if state.stack else (), now, anew=anew)
