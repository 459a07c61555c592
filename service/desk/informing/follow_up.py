"""Decides which email each player gets after a change of a game, and what the channels get."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from engine import Seat
from engine.actions import AsideAction
from engine.events import Corrected, GameEnded, RoundEnded
from engine.telling.narration import Sentence, sentences
from engine.wording import cut, listed
from service.audience import Audience, OnlyFor, of_organiser, of_seat
from service.clocks.alarm import entry
from service.clocks.deadlines import Deadline
from service.clocks.digests import OFF
from service.desk.ahead import awaited, orders_given
from service.desk.channels.of_game import begun
from service.desk.channels.public_channel import Happened
from service.desk.informing import offer_notes
from service.desk.informing.own_pages import Own, as_planned, look_for, own_of
from service.desk.letters.desk import AtPosition, Desk
from service.games import offers, orders, seals, timing, votes
from service.games.changes import MOST_AHEAD, Change
from service.games.choices import seat_settings
from service.games.commit import Jot
from service.games.games import NO_LOG, GameLog, GameTable, Past, in_round, open_decision
from service.games.orders import Book, GivenOrder
from service.reports import (
    DRAWN,
    Narrated,
    Page,
    PageLook,
    Said,
    Scene,
    Since,
    ended_page,
    news_page,
    note_page,
    opening_blocks,
    round_page,
    seated,
    turn_page,
    void_page,
    welcome_page,
)
from service.reports.rendering import LONGEST_SUBJECT
from service.reports.scene import Enclosed
from service.reports.tables import Block
from service.said import SAYS
from service.store import Letter, SeatRow, Telling, VoteRow

VOTE_SUBJECT = "[{game}] Vote {number}: {about}?"
PLEASE_VOTE = "Please vote."
GONE_ON = "the game has gone on"
DID_IT = "you {text}"
DONE_FOR_YOU = "{by} {text} for you"
MOVED_FOR_YOU = "the caretaker moved for you"
CARETAKER = "the caretaker"
TOOK_BACK = "took back: {what}"
HAS_TAKEN_BACK = "{by} took back: {what}"
HAS_BROUGHT_BACK = "{by} brought back: {what}"


STOPPED = "ORDERS STOPPED"
STOPPED_SUBJECT = "[{game}] Orders went on and on, and were stopped"
WENT_ON_AND_ON = (
    "Advance orders took {most} decisions in a row, up to position #{position}, and would have "
    "gone on."
)
ARE_SUSPENDED = (
    "Those orders are suspended, and their players get an email. The game goes on: the player "
    "whose turn it is has been asked. Nobody learns whose orders they were before the game is "
    "over."
)


IS_COMPLETE = "{rounds} is complete."
ARE_COMPLETE = "{rounds} are complete."


@dataclass(frozen=True)
class FollowUp:
    """The emails that follow from one change of a game, whatever caused it."""

    desk: Desk
    #: the change, with the game before it
    change: Change
    #: what happened before it, back to the oldest of the players' latest own emails; what was
    #: said; and what it says to those who have read it elsewhere
    log: GameLog = NO_LOG
    #: all orders after it
    book: Book = field(default_factory=Book)
    #: the sender, who has a receipt; "" if nobody has one
    sender: Seat = ""
    #: player → time by which they must answer after it
    clocks: Mapping[Seat, Deadline] = field(default_factory=dict)
    #: notes to single players about votes, or about a director's ruling
    told: Mapping[Seat, str] = field(default_factory=dict)
    spoken: Sequence[Said] = ()
    #: what the sender says to single players
    whispers: Mapping[Seat, str] = field(default_factory=dict)
    #: the number of the last action of the sender's own commands; 0 for none
    commanded: int = 0
    #: whether the sender gets a receipt; if not, they hear of their own moves as the others do
    receipted: bool = True
    #: whether the emails report an act of the director
    corrected: bool = False
    #: numbers of the actions that the caretaker did for a player who was out of time
    caretaken: frozenset[int] = frozenset()
    #: who did it if not the sender, as a sentence begins: a vote, the director; "" for the sender
    by: str = ""
    #: seats that a vote asks, with the vote
    new_votes: Mapping[Seat, VoteRow] = field(default_factory=dict)
    #: whether the email came by the game's list, where its receipt reports its effects
    by_list: bool = False
    #: how the game begins, for the player with the first turn
    opening: Sequence[Block] = ()
    #: the position after it, if the receipt shows it as well
    shown: Scene | None = None

    @property
    def table(self) -> GameTable:
        """The game before the change."""
        return self.change.table

    @cached_property
    def scene(self) -> Scene:
        """The position after it."""
        return self.shown or scene_after(self.desk, self.change)

    @cached_property
    def notes(self) -> Mapping[Seat, str]:
        """Notes to single players about their own offers, orders and votes.

        The sender reads them in the receipt.
        """
        if not self.change.between_players:
            return self._others(self.told, self._ordered)
        offered, waited = offer_notes.offer_notes(self.change), awaited.notes(self.change)
        return self._others(self.told, offered, waited, self._ordered)

    @cached_property
    def waiting(self) -> Mapping[Seat, str]:
        """The same for what waits in this position; no later email reports it."""
        if not self.change.between_players:
            return {}
        offered = offer_notes.offers_waiting(self.change)
        return self._others(offered, awaited.waiting_notes(self.change))

    def _others(self, *notes: Mapping[Seat, str]) -> dict[Seat, str]:
        """Notes of several kinds as one, for each seat but the sender's."""
        seats = dict.fromkeys(seat for one in notes for seat in one if seat != self.sender)
        return {seat: " ".join(filter(None, (n.get(seat, "") for n in notes))) for seat in seats}

    @cached_property
    def _ordered(self) -> Mapping[Seat, str]:
        return orders_given.notes(self.change, besides=self.sender)

    @cached_property
    def quiet(self) -> frozenset[Seat]:
        """The seats whose notes only say that everything went as they wanted."""
        went = frozenset(went.ahead.seat for went in self.change.went if went.done)
        wanted = went | offer_notes.consented_quietly(self.change)
        return wanted - set(self.told) - set(self._ordered)

    @property
    def _taken_back(self) -> Sequence[str]:
        """The notation of the actions that it takes back, or brings back."""
        return self.change.back.texts if self.change.back else ()

    @property
    def jots(self) -> list[Jot]:
        """News that waits for the next email to a player, by seat."""
        waits = (seat for seat in self.table.players if not self._over and self._waits(seat))
        found = ((seat.name, self.notes.get(seat.name, "")) for seat in waits)
        return [Jot(name, "news", text) for name, text in found if text]

    def letters(self, again: bool = False) -> list[Letter]:
        """The emails to the players, one or none for each, and to the game's channels.

        With ``again`` the sender wants their turn email once more.
        """
        if self._over:
            found = [self._ended(seat) for seat in self.table.players]
        else:
            found = [letter for seat in self.table.players for letter in self._to(seat, again)]
        return [*found, *self._to_channels(), *self._stopped()]

    def _to_channels(self) -> Iterator[Letter]:
        """The emails to the channels on which the game is played."""
        channels = begun(self.desk, self.table) if self.table.in_public else ()
        if not channels:
            return
        now, before = (open_decision(self.table.title, s.state) for s in (self.scene, self.table))
        happened = Happened(
            self._all(),
            self._new(),
            self._rounds,
            () if self.by_list else self.spoken,
            str(self._undone or ""),
            news=now != before or self._beside,
            over=self._over,
            by_list=self.by_list,
        )
        for channel in channels:
            yield from channel.tell(self.scene, happened)

    def _waits(self, seat: SeatRow) -> bool:
        """Whether the news for one player can wait for the next digest."""
        if not self._own(seat) or seat.name not in self.quiet or seat.name in self._acting:
            return False
        return seat_settings(seat).waits and not self._rounds

    def _stopped(self) -> list[Letter]:
        """To the organizer: orders went on without end.

        It hides whose orders they were, because the organizer may be a player.
        """
        if not self.change.runaway:
            return []
        row = self.table.row
        lines = (
            WENT_ON_AND_ON.format(most=MOST_AHEAD, position=self.change.state.number),
            ARE_SUSPENDED,
        )
        subject, about = STOPPED_SUBJECT.format(game=row.name), self.desk.service.about(row.name)
        page = note_page(of_organiser(row.name), subject, STOPPED, lines, about=about)
        return [self.desk.to_organiser("runaway", row, page)]

    def _to(self, seat: SeatRow, again: bool) -> Iterator[Letter]:
        """The one email to a player while the game goes on, or None."""
        title = self.table.title
        now, before = open_decision(title, self.scene.state), open_decision(title, self.table.state)
        rounds = self._rounds
        own, sends = self._own(seat), seat.name == self.sender
        acts, acted = seat.name in self._acting, seat.name in before[1]
        asked = now[0] != before[0] or not acted or bool(self._taken_back or own) or self._beside
        heard = sends and self.receipted
        if acts and (asked or (sends and (again or not heard))):
            yield self._turn(seat)
        elif acted and not acts and not sends:
            yield self._void(seat)
        elif self._sums_up(seat):
            yield self._round(seat, rounds)
        elif not sends and seat.name in self.new_votes:
            yield self._request(seat)
        elif not heard and self._hears(seat, now != before):
            yield self._news(seat, now != before or self._beside)

    def _sums_up(self, seat: SeatRow) -> bool:
        """Whether a player who need not act gets the round summary: no if the receipt has it all.

        Nobody gets two emails about one change.
        """
        if not self._rounds or not seat_settings(seat).news.rounds:
            return False
        told = seat.name == self.sender and self.receipted and not self.by_list
        return not (told and self.receipt_tells is not None)

    @property
    def _beside(self) -> bool:
        """Whether the sender, out of turn, did more than say what they insist on."""
        if self.sender in open_decision(self.table.title, self.table.state)[1]:
            return False
        own = (p.action for p in self.change.played if p.seat == self.sender)
        return any(not isinstance(action, AsideAction) for action in own)

    @property
    def _acting(self) -> tuple[Seat, ...]:
        return self.scene.view.to_act

    @property
    def _rounds(self) -> list[str]:
        """The rounds that ended."""
        return [e.round for p in self.change.played for e in p.events if isinstance(e, RoundEnded)]

    @property
    def _over(self) -> bool:
        return any(isinstance(e, GameEnded) for p in self.change.played for e in p.events)

    @property
    def beyond(self) -> tuple[Narrated, ...]:
        """The actions of orders after the sender's commands, if no email reports them."""
        acts = self.sender in self._acting
        if acts or self._over or self._sums_up(self.table.seat(self.sender)):
            return ()
        return self._told([p for p in self._new() if p.number > self.commanded])

    @property
    def receipt_tells(self) -> Telling | None:
        """The last action that the sender knows by the receipt, if they knew all before it."""
        seat, moved = self.table.seat(self.sender), bool(self.change.played or self._taken_back)
        if not moved or (seat.told != self.table.state.number and not self._taken_back):
            return None
        return Telling(seat.id, self.scene.state.number, talk=False)

    def _hears(self, seat: SeatRow, decided: bool) -> bool:
        """Whether a player who need not act gets an email about this one alone.

        If the sender alone decided and must act again, the players read it with the
        sender's last decision.
        """
        chosen = seat_settings(seat)
        if seat.name in self.whispers or (self._own(seat) and not self._waits(seat)):
            return True
        if chosen.waits or chosen.news is OFF:
            return False
        acted = {p.seat for p in self.change.played if p.seat}
        handed_over = decided and not acted == {*self._acting} == {self.sender}
        changed = handed_over or self._beside or bool(self._taken_back)
        return (chosen.news.each and changed) or bool(self.spoken)

    def turns(self) -> list[Letter]:
        """The turn emails to all who must act."""
        return [self._turn(seat) for seat in self.table.players if seat.name in self._acting]

    # what the emails say

    def _new(self) -> list[Past]:
        by = ((p, self.sender if p.number <= self.commanded else "") for p in self.change.played)
        late, discreet = self.caretaken, not self.table.settings.late
        return [
            Past(
                p.number,
                p.seat,
                p.events,
                by=who,
                caretaker=p.number in late,
                discreet=discreet,
                unreported=not self.receipted,
            )
            for p, who in by
        ]

    def _all(self) -> list[Past]:
        return [*self.log.past, *self._new()]

    def _since(self, seat: SeatRow) -> list[Past]:
        """What happened after a player's own latest email, and anything that no email reported.

        This includes the moves that their orders made meanwhile.
        """
        every = self._all()
        own = max((p.number for p in every if p.own and p.seat == seat.name), default=-1)
        return [p for p in every if p.number > min(own, max(seat.told, self._base(seat)))]

    def _base(self, seat: SeatRow) -> int:
        """The actions that the sender knows by the receipt of this email."""
        return self.commanded if seat.name == self.sender and self.receipted else 0

    def _told(self, past: Sequence[Past]) -> tuple[Narrated, ...]:
        """Past actions in words, without those that the notes of these emails report."""
        first = self.change.played[0].number if self.corrected and self.change.played else None
        told = (_uncorrected(p) if first is not None and p.number >= first else p for p in past)
        return tuple(p.narrated(self.table.title) for p in told)

    def _unheard(self, seat: SeatRow) -> tuple[Said, ...]:
        """Messages of others that no email to the player has reported yet."""
        others = (s for s in (*self.log.said, *self.spoken) if s.seat != seat.name)
        return tuple(s for s in others if not s.kept or s.kept > seat.heard)

    def _turn(self, seat: SeatRow) -> Letter:
        since = [] if self._taken_back else self._since(seat)
        clock = self.clocks.get(seat.name)
        page = turn_page(
            self._reader(seat),
            self.scene,
            replace(self._heard(since, seat, turn=True), clock=clock),
            self._look(seat, since),
            str(self._undone or "") or self._completed(seat),
            self._address(seat),
        )
        if clock is not None and clock.due is not None:
            data = entry(clock, page.subject, self.desk.service.host)
            page = replace(page, files=(Enclosed("deadline.ics", "text/calendar", data),))
        return self._letter("turn", seat, page, tells=self._now(seat))

    def _completed(self, seat: SeatRow) -> str:
        """The rounds that are over; a player who must act gets no separate email about them."""
        ended = " and ".join(self._rounds)
        text = ARE_COMPLETE if len(self._rounds) > 1 else IS_COMPLETE
        return text.format(rounds=ended) if ended and seat_settings(seat).news.rounds else ""

    def _own(self, seat: SeatRow) -> str:
        kinds = (self.waiting, self.notes)
        return " ".join(filter(None, (kind.get(seat.name, "") for kind in kinds)))

    @property
    def _undone(self) -> Sentence | None:
        """Who took back what, or brought it back; None if nobody did."""
        if not self._taken_back:
            return None
        back = self.change.back
        what = "; ".join(self._taken_back)
        if self.by:
            text = HAS_BROUGHT_BACK if back and back.redone else HAS_TAKEN_BACK
            return Sentence(text.format(by=self.by, what=what))
        return Sentence(TOOK_BACK.format(what=what), self.sender)

    def _void(self, seat: SeatRow) -> Letter:
        """Tells a player that their turn email is void, because of another player's action."""
        reason, moves = str(self._undone or self._first(seat)), self._moved_for(seat)
        if sum(len(one.sentences) for one in moves) > 1:
            reason = MOVED_FOR_YOU
        else:
            moves = ()
        if reason.startswith("The "):
            reason = f"the {reason.removeprefix('The ')}"
        since = Since(moves, self._unheard(seat), self._private(seat))
        tells = self._now(seat) if self._taken_back else Telling(seat.id, None)
        page = void_page(self._reader(seat), self.scene, reason, since)
        return self._letter("void", seat, page, tells=tells)

    def _moved_for(self, seat: SeatRow) -> tuple[Narrated, ...]:
        """The moves that the caretaker made for a player."""
        return self._told([p for p in self._new() if p.caretaker and p.seat == seat.name])

    def _first(self, seat: SeatRow) -> str:
        """The actions that came first, in words to a player whose orders may have made them."""
        told = [one for p in self.change.played for one in sentences(self.table.title, p.events)]
        if not told or told[0].doer != seat.name:
            return str(told[0]) if told else GONE_ON
        by = CARETAKER if self.caretaken else self.by.lower()
        return (DONE_FOR_YOU if by else DID_IT).format(by=by, text=told[0].text)

    def _request(self, seat: SeatRow) -> Letter:
        """The email to a player whom a vote asks, and who need not act."""
        reader, vote, private = self._reader(seat), self.new_votes[seat.name], self._private(seat)
        number = vote.number
        talk = (SAYS.format(name=one.seat, text=one.text) for one in self._unheard(seat))
        game = self.table.row.name
        # in a subject, a number after # is that of the position that a reply answers
        about = votes.in_words(vote).replace("#", "")
        room = LONGEST_SUBJECT - len(VOTE_SUBJECT.format(game=game, number=number, about=""))
        page = note_page(
            reader,
            VOTE_SUBJECT.format(game=game, number=number, about=cut(about, room)),
            PLEASE_VOTE,
            (private.open(reader) if private else "", *talk),
            (f"vote {number} yes",),
            about=self.desk.service.about(game, self.table.title),
        )
        return self._letter("request", seat, page, tells=Telling(seat.id, None))

    def _news(self, seat: SeatRow, handed_over: bool) -> Letter:
        """Everything new to a player, or only the messages while a turn goes on."""
        told: tuple[Narrated, ...] = ()
        if self._undone:
            told = (Narrated(self.scene.state.number, self._undone.doer, (self._undone,)),)
        elif handed_over and seat_settings(seat).news.each:
            news = (p for p in self._all() if p.number > seat.told)
            told = self._told([p for p in news if not p.known_to(seat.name)])
        since = Since(told, self._unheard(seat), self._private(seat))
        page = news_page(self._reader(seat), self.scene, since)
        tells = self._now(seat) if told or self._noted(seat) else Telling(seat.id, None)
        return self._letter("news", seat, page, thread=True, tells=tells)

    def _noted(self, seat: SeatRow) -> bool:
        """Whether the note has everything that is new to a player."""
        new = self._told(self._new())
        known = seat.told == self.table.state.number
        return self.corrected and known and not any(one.sentences for one in new)

    def _round(self, seat: SeatRow, ended: Sequence[str]) -> Letter:
        """The actions of a round; of two rounds if the second ended at once.

        The beginning of a round is reported with the end of the round before it.
        """
        since = in_round(self._all(), ended[0])
        heard = self._heard(since, seat)
        page = round_page(self._reader(seat), self.scene, ended[-1], heard, self._look(seat, since))
        return self._letter("round", seat, page, thread=True, tells=self._now(seat))

    def _ended(self, seat: SeatRow) -> Letter:
        since, pictures = self._heard(self._since(seat), seat), seat_settings(seat).images
        opened = seals.at_the_end(seals.kept(self.table, seat.name, over=True))
        since, shown = replace(since, blocks=None), pictures != "off"
        page = ended_page(self._reader(seat), self.scene, since, shown, opened)
        return self._letter("ended", seat, page, tells=self._now(seat))

    def _heard(self, past: Sequence[Past], seat: SeatRow, turn: bool = False) -> Since:
        book = replace(self.book, past=(*self.book.past, *self._new()))
        over = self._over_for(seat, past)
        sees = Own(self.table, book, over, self.scene.state, turn, bool(self._taken_back))
        own = OnlyFor(self._reader(seat), (*self.opening, *own_of(sees, seat.name)))
        return Since(self._told(past), self._unheard(seat), self._private(seat), own)

    def _over_for(self, seat: SeatRow, past: Sequence[Past]) -> list[GivenOrder]:
        """The orders of a player that ended in the ``past`` of an email, and that no note names.

        Those that ended as planned are left out: the email tells the moves that they made. Orders
        that the sender gave and that were done at once are in the receipt.
        """
        title, state = self.table.title, self.table.state
        first = min((p.number for p in past), default=state.number + 1)
        rows = (row for row in self.table.orders if (row.seat, row.status) == (seat.name, "done"))
        ended = [orders.read(title, state.seats, row) for row in rows if first <= row.since]
        now = {order.id: order for _, order in self.change.orders if order.seat == seat.name}
        acts, new = seat.name in self._acting, {order.id for order in self.change.given}
        told = {one.id for one in now.values() if acts and one.status == "done" and one.reason}
        every = {order.id: order for order in ended} | now
        over = (one for one in every.values() if one.status in ("done", "over"))
        return [one for one in over if one.id not in told | new and not as_planned(one)]

    def _private(self, seat: SeatRow) -> OnlyFor[str] | None:
        news = (j.text for j in self.table.jottings if (j.seat, j.kind) == (seat.name, "news"))
        said = self.whispers.get(seat.name, "")
        own = " ".join(filter(None, (*news, self._own(seat), said)))
        return OnlyFor(self._reader(seat), own) if own else None

    def _look(self, seat: SeatRow, since: Sequence[Past]) -> PageLook:
        untold = [p for p in self._all() if p.number > seat.told]
        return look_for(seat_settings(seat).images, since, untold, first=not seat.told)

    def _now(self, seat: SeatRow) -> Telling:
        return Telling(seat.id, self.scene.state.number)

    def _reader(self, seat: SeatRow) -> Audience:
        return of_seat(self.table.row.name, seat.name)

    def _address(self, seat: SeatRow) -> OnlyFor[str]:
        number = self.scene.state.number
        return self.desk.service.button_address(self._reader(seat), seat.epoch, number)

    def _letter(
        self,
        kind: str,
        seat: SeatRow,
        page: Page,
        *,
        tells: Telling | None = None,
        thread: bool = False,
    ) -> Letter:
        at = AtPosition(self.table.row.name, self.scene.state.number)
        topic = f"round-{str(self.scene.state.round).replace(' ', '')}" if thread else ""
        return replace(self.desk.to_seat(kind, at, seat, page, thread=topic), tells=tells)


def scene_after(desk: Desk, change: Change) -> Scene:
    """The position after a change."""
    scene = change.table.scene(desk.service.templates).later(change.state)
    return replace(scene, offer=offers.number(change.offers))


def _uncorrected(past: Past) -> Past:
    events = tuple(event for event in past.events if not isinstance(event, Corrected))
    return replace(past, events=events)


def opening_letters(
    desk: Desk, table: GameTable, drawn: str = DRAWN, *, known: bool = False
) -> list[Letter]:
    """The first email to each player: the seats, and how to write.

    The first player's is a turn email. ``drawn`` says how the seats were assigned. ``known``
    says whether the players read how to write when they joined.
    """
    change = Change(table, table.state)
    clocks = timing.after(change, timing.ClockMoments(desk.now, desk.now))
    due, rule = timing.deadlines_of(table, clocks, desk.now), timing.rule_of(table)
    order = seated(table.state.seats, drawn)
    opening = opening_blocks(table.title, order, rule.in_words() if rule else "", known=known)
    follow = FollowUp(desk, change, clocks=due, opening=opening)
    acting = open_decision(table.title, table.state)[1]
    found = []
    for seat in table.players:
        if seat.name in acting:
            continue
        to = of_seat(table.row.name, seat.name)
        address = desk.service.button_address(to, seat.epoch, 0)
        first, templates = listed(acting), desk.service.templates
        page = welcome_page(to, table.title, address, opening, first, templates=templates)
        found.append(desk.to_seat("welcome", AtPosition(table.row.name), seat, page))
    there = (one for channel in begun(desk, table) for one in channel.opening(follow.scene))
    return [*found, *follow.turns(), *there]
