"""Who is told what after a player's mail: the next to act, the others, all after a round."""

from collections.abc import Sequence
from dataclasses import dataclass

import engine
from engine.events import GameEnded, RoundBegan, RoundEnded, TileLaid
from service.games import Past, Table, seat_settings
from service.playing import Played
from service.post import Desk
from service.reports import (
    Page,
    Said,
    Scene,
    Told,
    ended_page,
    news_page,
    round_page,
    turn_page,
    welcome_page,
)
from service.store import Letter, SeatRow


@dataclass(frozen=True)
class FollowUp:
    """The letters that follow from what one mail changed."""

    desk: Desk
    table: Table
    #: what had happened before the mail, back to every player's latest action
    past: Sequence[Past]
    said: Sequence[Said]
    played: Sequence[Played]
    #: the position after it
    scene: Scene

    def letters(
        self, sender: str, *, spoke: bool, taken_back: int, again: bool = False
    ) -> list[Letter]:
        """To each player the one letter that he needs, or none.

        ``taken_back`` is the number of actions that the mail took back; with ``again`` its sender
        wants his turn mail once more.
        """
        if not self.played and not taken_back:
            return [*self._again(sender, again), *(self._spoken(sender) if spoke else [])]
        if any(isinstance(e, GameEnded) for p in self.played for e in p.events):
            return [self._ended(seat) for seat in self.table.players]
        found: list[Letter] = []
        rounds = [e.round for p in self.played for e in p.events if isinstance(e, RoundEnded)]
        actors = engine.to_act(self.table.title, self.scene.state)
        fresh = engine.decision(self.scene.state) != engine.decision(self.table.state)
        before = self.table.to_act()
        for seat in self.table.players:
            settings = seat_settings(seat)
            if rounds and settings.news != "off":
                found.append(self._round(seat, rounds[-1]))
            if seat.name in actors and (fresh or seat.name not in before or taken_back):
                found.append(self._turn(seat, taken_back))
            elif seat.name == sender or rounds or settings.news != "all":
                continue
            elif fresh or taken_back or spoke:
                found.append(self._news(seat, taken_back))
        return found

    def _again(self, sender: str, again: bool) -> list[Letter]:
        if not again or sender not in self.table.to_act():
            return []
        return [self._turn(self.table.seat(sender), 0)]

    def _spoken(self, sender: str) -> list[Letter]:
        others = (s for s in self.table.players if s.name != sender)
        return [self._news(s, 0) for s in others if seat_settings(s).news != "off"]

    def turns(self) -> list[Letter]:
        """Their turn mails to all who must act."""
        actors = engine.to_act(self.table.title, self.scene.state)
        return [self._turn(seat, 0) for seat in self.table.players if seat.name in actors]

    # what is told

    def _all(self) -> list[Past]:
        return [*self.past, *(Past(p.number, p.seat, p.events) for p in self.played)]

    def _since(self, seat: str) -> list[Past]:
        """What happened after a player's own latest action."""
        every = self._all()
        own = max((i for i, p in enumerate(every) if p.seat == seat), default=-1)
        return every[own + 1 :]

    def _told(self, past: Sequence[Past]) -> tuple[Told, ...]:
        return tuple(p.told(self.table.title) for p in past)

    def _said(self, past: Sequence[Past]) -> tuple[Said, ...]:
        """What was said since the first of these actions."""
        first = past[0].number if past else self.scene.state.number
        return tuple(s for s in self.said if s.number >= first - 1)

    def _turn(self, seat: SeatRow, taken_back: int) -> Letter:
        since = self._since(seat.name)
        if taken_back:
            note = f"{taken_back} actions were taken back; this is the position before them."
            since = []
        else:
            note = ""
        wants = seat_settings(seat).images
        page = turn_page(
            self.scene,
            seat.name,
            self._told(since),
            self._said(since),
            reply_to=self._address(seat),
            pictures=wants,
            new_tiles=_tiles_laid(since),
            note=note,
        )
        return self._letter("turn", seat, page)

    def _news(self, seat: SeatRow, taken_back: int) -> Letter:
        """What the turn that ended brought; back to the hand-over before it."""
        every = self._all()
        actor = every[-1].seat if every else ""
        start = max((i for i, p in enumerate(every) if p.seat != actor), default=-1)
        since = [] if taken_back else every[start + 1 :]
        told = self._told(since) if self.played or not self.said else ()
        if taken_back:
            told = (Told(self.scene.state.number, actor, (f"{actor} took his last mail back",)),)
        page = news_page(self.scene, told, self._said(since), seat.name)
        return self._letter("news", seat, page, thread=True)

    def _round(self, seat: SeatRow, ended: str) -> Letter:
        every = self._all()
        began = [
            i
            for i, p in enumerate(every)
            for e in p.events
            if isinstance(e, RoundBegan) and e.round == ended
        ]
        since = every[began[-1] :] if began else every
        page = round_page(
            self.scene,
            ended,
            self._told(since),
            self._said(since),
            seat.name,
            pictures=seat_settings(seat).images,
            new_tiles=_tiles_laid(since),
        )
        return self._letter("round", seat, page, thread=True)

    def _ended(self, seat: SeatRow) -> Letter:
        since = self._since(seat.name)
        page = ended_page(self.scene, self._told(since), self._said(since), seat.name)
        return self._letter("ended", seat, page)

    def _address(self, seat: SeatRow) -> str:
        return self.desk.house.seat_address(self.table.row.name, seat.name, seat.epoch)

    def _letter(self, kind: str, seat: SeatRow, page: Page, thread: bool = False) -> Letter:
        number = self.scene.state.number
        topic = str(self.scene.state.round).replace(" ", "") if thread else ""
        return self.desk.to_seat(
            kind,
            self.table.row.name,
            seat,
            number,
            page,
            thread=f"round-{topic}" if topic else "",
            pictures=seat_settings(seat).images,
        )


def _tiles_laid(past: Sequence[Past]) -> frozenset[str]:
    """Hexes on which tiles were laid."""
    return frozenset(e.hex for p in past for e in p.events if isinstance(e, TileLaid))


def opening_letters(desk: Desk, table: Table) -> list[Letter]:
    """To everybody when a game begins: who sits where and how to write; to the first his turn."""
    scene = Scene(table.row.name, table.title, table.state, templates=desk.house.templates)
    follow = FollowUp(desk, table, (), (), (), scene)
    found = []
    for seat in table.players:
        address = desk.house.seat_address(table.row.name, seat.name, seat.epoch)
        page = welcome_page(table.row.name, table.title, seat.name, address, table.state.seats)
        found.append(desk.to_seat("welcome", table.row.name, seat, 0, page))
    return [*found, *follow.turns()]
