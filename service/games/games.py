"""Turns the rows of the store into the engine's values, and back."""

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Literal, TypeVar

import msgspec

import engine
from engine import FORMAT as FORMAT
from engine import Action, Correction, Event, State, Title
from engine.board.hexes import Hex
from engine.events import RoundBegan, TileLaid
from engine.telling.narration import sentences
from service.audience import ASSISTANT, ORGANISER
from service.clocks.accounts import Account
from service.clocks.leave import ALLOWANCE
from service.games import batches, offers
from service.games.offers import WaitingCommands
from service.games.playing import Played
from service.reports import Narrated, Said, Scene
from service.reports.words import moment
from service.store import (
    ActionRow,
    AheadRow,
    CausedAction,
    ForumRow,
    FurtherRow,
    GameRow,
    Jotting,
    ListRow,
    NewAction,
    OfferRow,
    OrderRow,
    RulingRow,
    SeatRow,
    Store,
    TalkRow,
    Tx,
    UncountedRow,
    VacancyRow,
    VolunteerRow,
    VoteRow,
    WaitingRow,
)

Got = TypeVar("Got")


def _reader(decode: Callable[..., Got]) -> Callable[[bytes, int], Got]:
    """A decoder that gets the format, if it takes one."""
    if "format" in inspect.signature(decode).parameters:
        return lambda data, number: decode(data, format=number)
    return lambda data, _: decode(data)


_state = _reader(engine.decode_state)
_action = _reader(engine.decode_action)
_events = _reader(engine.decode_events)
_title = _reader(engine.decode_title)


def title(row: GameRow) -> Title:
    """A game's title with the facts it began with."""
    return _title(row.title_data, row.format)


def state(row: ActionRow) -> State:
    """The position after a step. Raises LookupError if it is no longer stored."""
    if row.snapshot is None:
        raise LookupError(f"position #{row.number} is no longer kept")
    return _state(row.snapshot, row.format)


def action(row: ActionRow) -> Action | Correction:
    """The action of a step; the opening position has none."""
    return _action(row.action, row.format)


def events(row: ActionRow | CausedAction) -> tuple[Event, ...]:
    """The events of a step."""
    return _events(row.events, row.format)


def opening_step(title: Title, state: State, events: tuple[Event, ...]) -> NewAction:
    """The first row of a game; the store fills in the occasion."""
    return NewAction(
        parent=None,
        number=0,
        seat="",
        text="",
        action=b"",
        events=engine.encode(events),
        rules=title.facts.edition,
        digest=engine.digest(state),
        snapshot=engine.encode(state),
        occasion_id=0,
        line=0,
        format=FORMAT,
    )


def step(title: Title, played: Played, line: int) -> NewAction:
    """The row of an action; the store fills in parent and occasion."""
    return replace(
        opening_step(title, played.state, played.events),
        number=played.number,
        seat=played.seat,
        text=played.text,
        action=engine.encode(played.action) if played.action is not None else b"",
        line=line,
    )


def unsaved(game: int, title: Title, state: State) -> ActionRow:
    """A position that is not stored yet, as a row without an id."""
    step = replace(opening_step(title, state, ()), number=state.number)
    return ActionRow(id=0, game_id=game, at=0, **vars(step))


Shown = Literal["public", "unlisted", "private"]
"""The readers of a game's pages: everybody, people with the address, or nobody (no pages)."""


Undo = Literal["vote", "leave"]
"""The permission for an undo of others' moves: those players' vote, or the director's leave."""


class GameSettings(msgspec.Struct, frozen=True):
    """The organizer's choices; ``seed`` draws the seats when the game starts.

    ``batch`` has the times of the day, in UTC, at which emails are handled; () means at once.
    ``grade`` is the security level: how well emails must prove their sender; "" takes the
    service's. ``epoch`` is that of the next new seat. It grows when a player gives up a seat, so
    that a new seat never has the address of a former one. ``caretaker`` says whether the caretaker
    moves when a player's time is over. ``excused`` is how often that may happen before somebody
    else is asked to take the seat. ``clock`` is a clock in its canonical form. ``late`` says
    whether all players learn whose time is over. ``leave`` is the number of days of leave a year.
    ``undo`` says who permits an undo of moves after which others have acted.

    ``assistant`` rules if the organizer plays; ``invited`` is asked to. Both are addresses.
    ``assistant_epoch`` is the epoch of the assistant's token. ``assistant_renewed_by`` is the email
    that showed it to others, 0 for none. ``dispute_holds``: a dispute puts the game on hold. It is
    on hold since ``paused`` (UTC seconds, 0 if not), because of ``paused_because``.

    ``shown`` says who may see the game's pages. A new number ``page`` gives the pages of an
    unlisted game another address.
    """

    variants: tuple[str, ...] = ()
    seed: int = 0
    epoch: int = 0
    batch: tuple[str, ...] = ()
    assistant: str = ""
    invited: str = ""
    assistant_epoch: int = 0
    assistant_renewed_by: int = 0
    dispute_holds: bool = False
    paused: int = 0
    paused_because: str = ""
    caretaker: bool = False
    excused: int = 3
    grade: str = ""
    clock: str = ""
    holidays: str = ""
    late: bool = True
    leave: int = ALLOWANCE
    undo: Undo = "vote"
    shown: Shown = "unlisted"
    page: int = 0

    def with_assistant(self, address: str, *, asked: bool = False) -> "GameSettings":
        """With another assistant, "" for none; if only ``asked``, there is none until their yes.

        A token of a former assistant no longer counts.
        """
        return msgspec.structs.replace(
            self,
            assistant="" if asked else address,
            invited=address if asked else "",
            assistant_epoch=self.assistant_epoch + 1,
        )

    def stored(self) -> bytes:
        """The form in which the store keeps them."""
        return msgspec.json.encode(self)


#: the kinds of letters that ask a player for a decision
ASKING = ("turn", "briefing")


@dataclass(frozen=True)
class GameTable:
    """A game with its players and its present position."""

    row: GameRow
    seats: tuple[SeatRow, ...]
    head: ActionRow | None
    next_number: int
    #: the waiting commands of its seats, as stored
    given: tuple[AheadRow, ...] = ()
    #: the orders of its seats with their progress, as stored
    orders: tuple[OrderRow, ...] = ()
    #: private notes, each for one player only
    jottings: tuple[Jotting, ...] = ()
    #: offers between its players, and open votes
    offers: tuple[OfferRow, ...] = ()
    votes: tuple[VoteRow, ...] = ()
    #: standbys and deputies, invited ones among them, and seats that wait for one
    volunteers: tuple[VolunteerRow, ...] = ()
    vacancies: tuple[VacancyRow, ...] = ()
    #: the clocks of its seats, and the spans that do not count on them
    clocks: tuple[Account, ...] = ()
    spans: tuple[UncountedRow, ...] = ()
    #: the seats whose clocks start only when a server takes the letter that asks them
    unsent: frozenset[str] = frozenset()
    #: its director's rulings and its players' disputes
    rulings: tuple[RulingRow, ...] = ()
    #: the other addresses that its players have or ask for
    others: tuple[FurtherRow, ...] = ()
    #: in a tournament's game, all addresses of the entrants who play → their seats
    entrants: Mapping[str, str] = field(default_factory=dict)
    #: its mailing list, or None; nothing goes to it unless its status is "on"
    mailing: ListRow | None = None
    #: its forum thread, or None; nothing goes there unless its status is "on"
    forum: ForumRow | None = None
    #: whether somebody watches it or has asked to; whether it is a tournament's game
    watched: bool = False
    of_tournament: bool = False

    @cached_property
    def ahead(self) -> tuple[WaitingCommands, ...]:
        """The waiting commands of its seats."""
        return tuple(map(offers.read, self.given))

    @cached_property
    def title(self) -> Title:
        """The title with the facts from the start of the game."""
        return title(self.row)

    @cached_property
    def state(self) -> State:
        """The present position; only a game that has begun has one."""
        assert self.head is not None
        return state(self.head)

    @property
    def given_up(self) -> bool:
        """Whether its director has given it up: nobody decides, and all secrets are open."""
        return self.row.status == "abandoned" and self.head is not None

    @property
    def canceled(self) -> bool:
        """Whether it was canceled before it began."""
        return self.row.status == "abandoned" and self.head is None

    def scene(self, templates: Path | None = None) -> Scene:
        """Its position in the form that reports use."""
        title, state = self.title, self.state
        return Scene(self.row.name, title, state, templates=templates, given_up=self.given_up)

    @property
    def in_public(self) -> bool:
        """Whether it has a list or a forum, perhaps one where it has not begun."""
        return self.forum is not None or self.mailing is not None

    @property
    def on_hold(self) -> str:
        """Sentences that say why it is on hold and takes no move; "" if it is not."""
        settings = self.settings
        if not settings.paused:
            return ""
        since, why = moment(settings.paused), settings.paused_because
        return (
            f"{self.row.name} has been on hold since {since}, because {why}. The game takes no "
            "move until it goes on; send yours again then."
        )

    @cached_property
    def settings(self) -> GameSettings:
        """The organizer's choices."""
        return msgspec.json.decode(self.row.settings, type=GameSettings)

    def with_settings(self, settings: GameSettings) -> "GameTable":
        """The same game with other settings."""
        return replace(self, row=replace(self.row, settings=settings.stored()))

    def seat_at(self, address: str) -> str:
        """The seat of the player who has an address; "" if there is none."""
        wanted = address.lower()
        for seat in self.players:
            second = (one.address.lower() for one in self.others_of(seat) if one.stands)
            if wanted in (seat.address.lower(), *second):
                return seat.name
        return self.entrants.get(wanted, "")

    def is_organiser(self, address: str) -> bool:
        """Whether an address is the one from which the game is organized; case does not count."""
        return address.lower() == self.row.organiser.lower()

    @property
    def organisers_seat(self) -> str:
        """The seat of an organizer who plays, from any address; "" if none."""
        return self.seat_at(self.row.organiser)

    @property
    def ruling(self) -> str:
        """The office that rules on the position: ORGANISER or ASSISTANT."""
        return ASSISTANT if self.settings.assistant and self.organisers_seat else ORGANISER

    def deputy(self, seat: str, now: int) -> VolunteerRow | None:
        """The person who acts for a seat now besides its player; None if nobody does."""
        return next((v for v in self.volunteers if v.seat == seat and v.acts(now)), None)

    def vacancy(self, seat: str) -> VacancyRow | None:
        """Why a seat waits for another player; None if it does not."""
        return next((one for one in self.vacancies if one.seat == seat), None)

    def seat(self, name: str) -> SeatRow:
        """The row of a seat."""
        return next(seat for seat in self.seats if seat.name == name)

    def others_of(self, seat: SeatRow) -> tuple[FurtherRow, ...]:
        """The other addresses that a seat's player has or asks for."""
        return tuple(one for one in self.others if one.seat_id == seat.id)

    @property
    def asks_addresses(self) -> bool:
        """Whether a further address of a player waits for a yes from there."""
        return any(not one.stands for one in self.others)

    @property
    def players(self) -> tuple[SeatRow, ...]:
        """The seats that play; in seating order after the game has begun."""
        joined = (seat for seat in self.seats if seat.status == "joined")
        return tuple(sorted(joined, key=lambda seat: seat.position))

    @property
    def names(self) -> list[str]:
        """The names of the seats that play, in the same order."""
        return [seat.name for seat in self.players]


def with_seat(table: GameTable, seat: SeatRow) -> GameTable:
    """The table with another row for a seat of the same id."""
    return replace(table, seats=tuple(seat if s.id == seat.id else s for s in table.seats))


def with_new_token(seat: SeatRow, mail: int | None = None) -> SeatRow:
    """The seat with its next token; ``mail`` is the incoming email that causes this, if one does.

    `Seats.renew` stores it.
    """
    return replace(seat, epoch=seat.epoch + 1, renewed_by=mail)


def at_new_address(seat: SeatRow, address: str) -> SeatRow:
    """The seat at another address, with its next token. `Seats.readdress` stores it."""
    return replace(with_new_token(seat), address=address, address_key=address.lower())


def without_vacancy(table: GameTable, seat: str) -> GameTable:
    """The table when a seat no longer waits for another player."""
    return replace(table, vacancies=tuple(one for one in table.vacancies if one.seat != seat))


def with_vacancy(table: GameTable, new: VacancyRow) -> GameTable:
    """The table when a seat waits for another player; an earlier wait of that seat is over."""
    table = without_vacancy(table, new.seat)
    return replace(table, vacancies=(*table.vacancies, new))


def load(tx: Tx, name: str) -> GameTable | None:
    """The game of that name, or None."""
    found = tx.games.contents(name)
    if found is None:
        return None
    row, there = found
    head, next_number = tx.log.present(row.id) if row.head is not None else (None, 0)
    clocks, unsent = _clocks(tx, row) if "clock" in there else ((), frozenset[str]())
    return GameTable(
        row,
        tx.seats.of(row.id),
        head,
        next_number,
        given=tx.ahead.of(row.id) if "ahead" in there else (),
        orders=tx.orders.of(row.id) if "standing_order" in there else (),
        jottings=tx.jottings.of(row.id) if "jotting" in there else (),
        offers=tx.offers.of(row.id) if "offer" in there else (),
        votes=tx.votes.of(row.id) if "vote" in there else (),
        volunteers=tx.people.volunteers(row.id) if "volunteer" in there else (),
        vacancies=tx.people.vacancies(row.id) if "vacancy" in there else (),
        clocks=clocks,
        spans=tx.clocks.spans(row.id) if "uncounted" in there else (),
        unsent=unsent,
        others=tx.seats.further_of(row.id) if "further_address" in there else (),
        mailing=tx.channels.list_of(row.id) if "game_list" in there else None,
        forum=tx.channels.forum_of(row.id) if "forum" in there else None,
        watched=beside(there)[0],
        of_tournament=beside(there)[1],
        entrants=tx.tournaments.addresses_on(row.id) if beside(there)[1] else {},
    )


def stored_id(tx: Tx, table: GameTable) -> int:
    """The id of a game; one that the same email has created got it when that was stored."""
    if table.row.id:
        return table.row.id
    row = tx.games.named(table.row.name)
    assert row is not None
    return row.id


def is_as_read(tx: Tx, table: GameTable) -> bool:
    """Whether a game and what players left for later are as read; the transaction keeps it so."""
    found = tx.games.contents(table.row.name)
    if found is None:
        return False
    game, there = found
    if game != table.row or tx.seats.of(game.id) != table.seats:
        return False
    volunteers = tx.people.volunteers(game.id) if "volunteer" in there else ()
    vacancies = tx.people.vacancies(game.id) if "vacancy" in there else ()
    known = (table.volunteers, table.vacancies)
    return (volunteers, vacancies) == known and same_given(tx, table, there)


def beside(there: Collection[str]) -> tuple[bool, bool]:
    """Whether a game is watched and is a tournament's game, by the tables that have its rows."""
    return "observer" in there, "tournament_board" in there


def same_given(tx: Tx, table: GameTable, there: Collection[str]) -> bool:
    """Whether what seats have left for later is as read: commands, orders, votes.

    ``there`` are the tables in which the game has rows.
    """
    ahead = tx.ahead.of(table.row.id) if "ahead" in there else ()
    orders = tx.orders.of(table.row.id) if "standing_order" in there else ()
    votes = tx.votes.of(table.row.id) if "vote" in there else ()
    if beside(there) != (table.watched, table.of_tournament):
        return False
    return (ahead, orders, votes) == (table.given, table.orders, table.votes)


def with_rulings(tx: Tx, table: GameTable) -> GameTable:
    """The table with its rulings; only the history and the director's commands need them."""
    return replace(table, rulings=tx.rulings.of(table.row.id))


def _clocks(tx: Tx, row: GameRow) -> tuple[tuple[Account, ...], frozenset[str]]:
    """The clocks of a game, and the seats whose letter is still in the outbox.

    A clock begins to run when a server has taken the letter that asks its player.
    """
    clocks = tx.clocks.of(row.id)
    asked = {one.seat: one.asked for one in clocks if one.decision and not one.started}
    taken = tx.letters.accepted(row.name, ASKING, asked)
    found = tuple(replace(one, started=taken.get(one.seat, one.started)) for one in clocks)
    lies = {seat: since for seat, since in asked.items() if seat not in taken}
    return found, tx.letters.unsent(row.name, ASKING, lies)


#: the beginning of the keys of occasions in which the caretaker moves after a timeout
SILENCE = "silence"


@dataclass(frozen=True)
class Past:
    """A past action as it was stored."""

    number: int
    seat: str
    events: tuple[Event, ...]
    #: the action as a command; "" if nobody wrote it
    command: str = ""
    #: the seat whose email caused it; "" if none did
    by: str = ""
    #: when it was stored, and the id of its occasion; 0 if it is not stored yet
    at: int = 0
    occasion: int = 0
    #: whether the caretaker moved for the player
    caretaker: bool = False
    #: whether the game hides the caretaker's move from others, as it hides who is late
    discreet: bool = False
    #: whether its player has no receipt that reports it, because it waited for its time
    unreported: bool = False

    @property
    def own(self) -> bool:
        """Whether its player wrote it at that moment, so that they know it already."""
        return bool(self.seat) and self.by == self.seat

    def known_to(self, seat: str) -> bool:
        """Whether a receipt or a letter about the caretaker's move already informed a player."""
        return self.seat == seat and ((self.own and not self.unreported) or self.caretaker)

    def narrated(self, title: Title) -> Narrated:
        """The action in words."""
        told = tuple(sentences(title, self.events))
        return Narrated(self.number, self.seat, told, self.caretaker and not self.discreet)


def new_tiles(past: Iterable[Past]) -> frozenset[Hex]:
    """The hexes on which tiles were laid."""
    return frozenset(e.hex for p in past for e in p.events if isinstance(e, TileLaid))


def former(tx: Tx, table: GameTable, number: int) -> State:
    """The position after an earlier action. Raises LookupError if it is not, or no longer, kept."""
    row = tx.log.numbered(table.row.id, number)
    if row is None:
        raise LookupError(f"no action #{number} led to the present position")
    return state(row)


def recent(tx: Tx, table: GameTable, enough: Callable[[Sequence[Past]], bool]) -> list[Past]:
    """The latest actions of the game's line, as far back as ``enough`` requires."""
    count = 40
    while True:
        since = max(table.next_number - count, -1)
        past = _past(table, tx.log.caused(table.row.id, since))
        if since == -1 or enough(past):
            return past
        count *= 4


def _past(table: GameTable, rows: Iterable[CausedAction]) -> list[Past]:
    """Stored actions with the seats that caused them; none, if the player's time was over."""
    found, discreet = [], not table.settings.late
    for row in rows:
        late = row.key.startswith(f"{SILENCE}-")
        found.append(
            Past(
                row.number,
                row.seat,
                events(row),
                row.text,
                "" if late else row.by,
                row.at,
                row.occasion,
                caretaker=late and row.seat == row.by,
                discreet=discreet,
                unreported=row.key.startswith(f"{batches.KIND}-"),
            )
        )
    return found


def before_own_email(past: Sequence[Past], seat: str) -> int | None:
    """The number of the position before the seat's own latest email; None if that is not known.

    Moves by its advance orders and by the caretaker are no emails of its own.
    """
    own = next((one for one in reversed(past) if one.own and one.seat == seat), None)
    if own is None:
        return None
    earlier = [one.number for one in past if one.occasion < own.occasion]
    return earlier[-1] if earlier else None


def since_round(past: Sequence[Past], name: str) -> list[Past]:
    """The events since the latest round of that name began; all, if none did.

    Of the action that ended the round before, it has only the events after that end.
    """
    at = _began(past, name)
    if at < 0:
        return list(past)
    events = past[at].events
    first = next(n for n, e in enumerate(events) if _begins(e, name))
    return [replace(past[at], events=events[first:]), *past[at + 1 :]]


def in_round(past: Sequence[Past], name: str) -> list[Past]:
    """The actions of the latest round of that name, without the one that ended the round before."""
    return list(past[_began(past, name) + 1 :])


def _began(past: Sequence[Past], name: str) -> int:
    """The place of the action that began the latest round of that name; -1 if none did."""
    every = (
        at for at in range(len(past) - 1, -1, -1) if any(_begins(e, name) for e in past[at].events)
    )
    return next(every, -1)


def _begins(event: Event, name: str) -> bool:
    return isinstance(event, RoundBegan) and event.round == name


@dataclass(frozen=True)
class GameLog:
    """A game's past actions and messages, as far back as letters report them."""

    past: Sequence[Past] = ()
    said: Sequence[Said] = ()


NO_LOG = GameLog()


def log_of(tx: Tx, table: GameTable, whole: bool = False) -> GameLog:
    """The log since every player's latest own email and the round's beginning, or the whole log.

    It also goes back to the last letter to each player, and to everything that no letter reported.
    """

    def enough(past: Sequence[Past]) -> bool:
        seats = {p.seat for p in past if p.own}
        untold = min((seat.told for seat in table.players), default=0)
        rounds = sum(isinstance(e, RoundBegan) for p in past for e in p.events)
        known = all(seat.name in seats for seat in table.players) and past[0].number <= untold
        return rounds > 1 and known

    past = recent(tx, table, (lambda _: False) if whole else enough)
    first = 0 if whole else past[0].number
    heard = min((seat.heard for seat in table.players), default=0)
    return GameLog(tuple(past), said(tx.log.talks(table.row.id, first, heard)))


def open_decision(title: Title, state: State) -> tuple[str, tuple[str, ...]]:
    """The open decision and its seats; while both stay the same, nobody else needs an email."""
    return engine.decision(state), engine.to_act(title, state)


def said(rows: Sequence[TalkRow]) -> tuple[Said, ...]:
    """Messages to all players."""
    return tuple(Said(row.seat, row.text, row.number, row.id) for row in rows)


def round_of(row: WaitingRow) -> str:
    """The round in which a game waits; the name of a decision begins with its round."""
    return row.decision.partition(", ")[0]


def watch(store: Store) -> int:
    """Note since when games wait for whom; return how many had no note. Safe to repeat."""
    with store.reading() as reads:
        names = reads.games.unwatched()
    for name in names:
        with store.transaction() as tx:
            table = load(tx, name)
            if table is not None and table.row.status == "running" and name in tx.games.unwatched():
                decision, seats = open_decision(table.title, table.state)
                tx.games.wait_for(table.row.id, decision, seats, _since(tx, table, decision))
    return len(names)


def _since(tx: Tx, table: GameTable, decision: str) -> int:
    """When the open decision was first asked, in UTC seconds."""
    assert table.head is not None
    since, count = table.head.at, 40
    while True:
        start = max(table.head.number - count, -1)
        for row in reversed(tx.log.actions(table.row.id, start)):
            if row.snapshot is None or engine.decision(state(row)) != decision:
                return since
            since = row.at
        if start == -1:
            return since
        count *= 4
