"""Who is told what after a player's mail: the next to act, the others, all after a round."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from engine import Seat
from engine.events import GameEnded, RoundBegan, RoundEnded, TileLaid
from engine.telling.narration import narrate_all
from service.audience import Audience, OnlyFor, of_seat
from service.desk.post import At, Desk
from service.games.games import GameTable, Past, asks, seat_settings, untold
from service.games.playing import Played
from service.reports import (
    Page,
    PageLook,
    Said,
    Scene,
    Since,
    Told,
    ended_page,
    news_page,
    round_page,
    turn_page,
    void_page,
    welcome_page,
)
from service.store import Letter, SeatRow


@dataclass(frozen=True)
class FollowUp:
    """The letters that follow from what one mail changed."""

    desk: Desk
    #: the game before the mail
    table: GameTable
    #: what had happened before it, back to every player's latest action
    past: Sequence[Past]
    #: what had been said before it
    said: Sequence[Said]
    played: Sequence[Played]
    #: the position after it
    scene: Scene
    sender: str
    spoken: Sequence[Said] = ()
    #: how the mail's actions that an `undo` took back were written
    taken_back: Sequence[str] = ()
    #: what is to be told to single players of what they had given ahead, by seat
    notes: Mapping[Seat, str] = field(default_factory=dict)

    def letters(self, again: bool = False) -> list[Letter]:
        """To each player the letters that they need, perhaps none.

        With ``again`` the sender wants their turn mail once more.
        """
        if self._over:
            return [self._ended(seat) for seat in self.table.players]
        return [letter for seat in self.table.players for letter in self._to(seat, again)]

    def _to(self, seat: SeatRow, again: bool) -> Iterator[Letter]:
        """The letters to one player while the game goes on."""
        title = self.table.title
        now, before = asks(title, self.scene.state), asks(title, self.table.state)
        rounds = self._rounds
        told = bool(rounds) and seat_settings(seat).news != "off"
        acts = seat.name in now[1]
        if told:
            yield self._round(seat, rounds, acts)
        own, sends = self._own(seat), seat.name == self.sender
        asked = now[0] != before[0] or seat.name not in before[1] or bool(self.taken_back or own)
        if acts and (asked or (again and sends)):
            yield self._turn(seat)
        elif seat.name in before[1] and not acts and not sends:
            yield self._void(seat)
        elif not sends and ((own and not told) or self._hears(seat, now != before, bool(rounds))):
            yield self._news(seat, now != before)

    @property
    def _rounds(self) -> list[str]:
        """The rounds that ended."""
        return [e.round for p in self.played for e in p.events if isinstance(e, RoundEnded)]

    @property
    def _over(self) -> bool:
        return any(isinstance(e, GameEnded) for p in self.played for e in p.events)

    @property
    def beyond(self) -> tuple[Told, ...]:
        """What others had given ahead that followed the sender's acts, if no letter tells it."""
        news = seat_settings(self.table.seat(self.sender)).news
        acts = self.sender in asks(self.table.title, self.scene.state)[1]
        if acts or self._over or (self._rounds and news != "off"):
            return ()
        others = [p for p in self._all()[len(self.past) :] if p.seat != self.sender]
        return self._told(others)

    def _hears(self, seat: SeatRow, handed_over: bool, round_ended: bool) -> bool:
        """Whether somebody who need not act is told of the mail by itself."""
        news = seat_settings(seat).news
        if round_ended:
            return False
        changed = handed_over or bool(self.taken_back)
        return (news == "all" and changed) or (news != "off" and bool(self.spoken))

    def turns(self) -> list[Letter]:
        """Their turn mails to all who must act."""
        actors = asks(self.table.title, self.scene.state)[1]
        return [self._turn(seat) for seat in self.table.players if seat.name in actors]

    # what is told

    def _all(self) -> list[Past]:
        return [*self.past, *(Past(p.number, p.seat, p.events) for p in self.played)]

    def _since(self, seat: str) -> list[Past]:
        """What happened after a player's own latest action."""
        every = self._all()
        # what was done of what they had given ahead is news to them
        known = len(self.past) if seat in self.notes else len(every)
        own = max((i for i, p in enumerate(every[:known]) if p.seat == seat), default=-1)
        return every[own + 1 :]

    def _told(self, past: Sequence[Past]) -> tuple[Told, ...]:
        return tuple(p.told(self.table.title) for p in past)

    def _said(self, past: Sequence[Past]) -> tuple[Said, ...]:
        """What was said since the first of these actions."""
        first = past[0].number if past else self.scene.state.number
        return tuple(s for s in (*self.said, *self.spoken) if s.number >= first - 1)

    def _turn(self, seat: SeatRow) -> Letter:
        since = [] if self.taken_back else self._since(seat.name)
        page = turn_page(
            self._reader(seat),
            self.scene,
            self._heard(since, seat),
            _look(seat, since),
            self._undone() if self.taken_back else "",
            self._address(seat),
        )
        return self._letter("turn", seat, page)

    def _own(self, seat: SeatRow) -> str:
        return self.notes.get(seat.name, "")

    def _undone(self) -> str:
        if not self.taken_back:
            return ""
        return f"{self.sender} took back: {'; '.join(self.taken_back)}"

    def _void(self, seat: SeatRow) -> Letter:
        """The turn mail that somebody has holds no more, by what another has done."""
        title = self.table.title
        told = [text for p in self.played for text in narrate_all(title, p.events)]
        reason = self._undone() if self.taken_back else told[0] if told else "the game has gone on"
        since = Since((), self.spoken, self._private(seat))
        return self._letter("void", seat, void_page(self._reader(seat), self.scene, reason, since))

    def _news(self, seat: SeatRow, handed_over: bool) -> Letter:
        """What the turn that ended brought, or only what was said while it goes on."""
        told: tuple[Told, ...] = ()
        if self.taken_back:
            told = (Told(self.scene.state.number, self.sender, (self._undone(),)),)
        elif handed_over:
            told = self._told([*untold(self.table, self.past), *self._all()[len(self.past) :]])
        page = news_page(
            self._reader(seat), self.scene, Since(told, self.spoken, self._private(seat))
        )
        return self._letter("news", seat, page, thread=True)

    def _round(self, seat: SeatRow, ended: Sequence[str], acts: bool) -> Letter:
        """All that was done and said in a round; in two, where the second ended at once.

        Who ``acts`` has a turn mail as well.
        """
        every = self._all()
        began = [
            i
            for i, p in enumerate(every)
            for e in p.events
            if isinstance(e, RoundBegan) and e.round == ended[0]
        ]
        since = every[began[-1] :] if began else every
        page = round_page(
            self._reader(seat),
            self.scene,
            ended[-1],
            replace(self._heard(since, seat), note=None if acts else self._private(seat)),
            _look(seat, since),
        )
        return self._letter("round", seat, page, thread=True)

    def _ended(self, seat: SeatRow) -> Letter:
        since, pictures = self._heard(self._since(seat.name), seat), seat_settings(seat).images
        page = ended_page(self._reader(seat), self.scene, since, pictures)
        return self._letter("ended", seat, page)

    def _heard(self, past: Sequence[Past], seat: SeatRow) -> Since:
        return Since(self._told(past), self._said(past), self._private(seat))

    def _private(self, seat: SeatRow) -> OnlyFor[str] | None:
        own = self._own(seat)
        return OnlyFor(self._reader(seat), own) if own else None

    def _reader(self, seat: SeatRow) -> Audience:
        return of_seat(self.table.row.name, seat.name)

    def _address(self, seat: SeatRow) -> OnlyFor[str]:
        number = self.scene.state.number
        return self.desk.house.seat_address(self._reader(seat), seat.epoch, number)

    def _letter(self, kind: str, seat: SeatRow, page: Page, thread: bool = False) -> Letter:
        at = At(self.table.row.name, self.scene.state.number)
        topic = str(self.scene.state.round).replace(" ", "") if thread else ""
        return self.desk.to_seat(kind, at, seat, page, thread=f"round-{topic}" if topic else "")


def _look(seat: SeatRow, past: Sequence[Past]) -> PageLook:
    """The pictures that a player wants, with the tiles that were laid marked as new."""
    return PageLook(seat_settings(seat).images, _tiles_laid(past))


def _tiles_laid(past: Sequence[Past]) -> frozenset[str]:
    """Hexes on which tiles were laid."""
    return frozenset(e.hex for p in past for e in p.events if isinstance(e, TileLaid))


def opening_letters(desk: Desk, table: GameTable) -> list[Letter]:
    """To all when a game begins: who sits where and how to write; a turn mail to the first."""
    scene = Scene(table.row.name, table.title, table.state, templates=desk.house.templates)
    follow = FollowUp(desk, table, (), (), (), scene, "")
    found = []
    for seat in table.players:
        to = of_seat(table.row.name, seat.name)
        address = desk.house.seat_address(to, seat.epoch, 0)
        page = welcome_page(to, table.title, address, table.state.seats)
        found.append(desk.to_seat("welcome", At(table.row.name), seat, page))
    return [*found, *follow.turns()]
