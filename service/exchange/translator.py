"""A game's players, companies and pieces by our names and by those of 18xx.games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.facts.title import Title
from engine.position.values import CompanyId, PrivateId, Seat, State
from service.exchange.dialect import Dialect, NeighbourError
from service.exchange.history import Deed
from service.exchange.pieces import Pieces

#: types that name a player in a file: a number or a text, but not true or false
_NAMING = (int, str)

#: an action as in the file, without its id
Writing = dict[str, Any]


class Translator:
    """The names and pieces of one game. Every error names the action and the reason."""

    def __init__(
        self, title: Title, dialect: Dialect, players: Sequence[Mapping[str, Any]]
    ) -> None:
        self.title = title
        self.dialect = dialect
        self.pieces = Pieces(title, dialect)
        #: player → id
        self.ids: dict[Seat, Any] = {player["name"]: player.get("id") for player in players}
        self._seats = seats_of(players)
        self._companies = _theirs(title.companies, dialect.companies)
        self._privates = _theirs(title.privates, dialect.privates)
        self._their_companies = {ours: theirs for theirs, ours in dialect.companies.items()}
        self._their_privates = {ours: theirs for theirs, ours in dialect.privates.items()}
        self._their_tiles = {ours: theirs for theirs, ours in dialect.tiles.items()}

    # a deed's owner and the names in it

    def actor(self, state: State, deed: Deed) -> Seat | CompanyId:
        """The acting player or company; for a private company, its owner."""
        kind, who = deed.raw.get("entity_type"), field_of(deed, "entity")
        if type(who) not in _NAMING:
            raise NeighbourError(deed.id, f"{who} is not a player or company")
        if kind in ("player", None) and (seat := self._seats.get(who)):
            return seat
        entity = str(who)
        if kind in ("corporation", None) and (company := self._companies.get(entity)):
            return company
        if private := self._privates.get(entity):
            return state.privates[private]
        raise NeighbourError(deed.id, f"{entity} is not a player or company of this game")

    def seat(self, state: State, deed: Deed) -> Seat:
        """The acting player, who is also the president of an acting company."""
        actor = self.actor(state, deed)
        return state.presidents.get(actor, actor)

    def company(self, state: State, deed: Deed) -> CompanyId:
        """The acting company, of a deed that only companies do."""
        actor = self.actor(state, deed)
        if actor not in self.title.companies:
            raise NeighbourError(deed.id, f"a {deed.type} is the act of a company, not of {actor}")
        return actor

    def president(self, state: State, deed: Deed, company: CompanyId) -> Seat:
        """The president of a company."""
        if company not in state.presidents:
            raise NeighbourError(deed.id, f"{company} has no president")
        return state.presidents[company]

    def power(self, deed: Deed) -> PrivateId:
        """The private company whose power a deed uses, "" for none."""
        return self._privates.get(str(field_of(deed, "entity")), "")

    def named(self, deed: Deed, text: str) -> CompanyId:
        """The company with their name."""
        if text not in self._companies:
            raise NeighbourError(deed.id, f"there is no company {text}")
        return self._companies[text]

    def private(self, deed: Deed) -> PrivateId:
        """The private company that a deed is about."""
        text = str(field_of(deed, "company"))
        if text not in self._privates:
            raise NeighbourError(deed.id, f"there is no private company {text}")
        return self._privates[text]

    # their names

    def their_company(self, company: CompanyId) -> str:
        """Their name for a company."""
        return self._their_companies.get(company, company)

    def their_private(self, private: PrivateId) -> str:
        """Their name for a private company."""
        return self._their_privates.get(private, private)

    def their_tile(self, tile: str) -> str:
        """Their name for a tile."""
        return self._their_tiles.get(tile, tile)

    # their actions

    def by_player(self, type_: str, seat: Seat, /, **fields: object) -> Writing:
        """An action of a player."""
        return {"type": type_, "entity": self.ids[seat], "entity_type": "player", **fields}

    def by_company(
        self, type_: str, company: CompanyId, power: PrivateId = "", /, **fields: object
    ) -> Writing:
        """An action of a company, or of a private company whose power it uses."""
        if power:
            name, kind = self.their_private(power), "company"
        else:
            name, kind = self.their_company(company), "corporation"
        return {"type": type_, "entity": name, "entity_type": kind, **fields}

    def by_owner(self, type_: str, owner: Seat | CompanyId, /, **fields: object) -> Writing:
        """An action of a player or a company."""
        if owner in self.ids:
            return self.by_player(type_, owner, **fields)
        return self.by_company(type_, owner, **fields)


def players_of(seats: Sequence[Seat]) -> list[dict[str, Any]]:
    """Players as in a file, with ids from 1."""
    return [{"id": number, "name": seat} for number, seat in enumerate(seats, 1)]


def seats_of(players: Sequence[Mapping[str, Any]]) -> dict[int | str, Seat]:
    """Seats by name, and by id as a number and as text; if a name equals an id, the name counts."""
    ids: dict[int | str, Seat] = {}
    for player in players:
        if type(player.get("id")) in _NAMING:
            ids[player["id"]] = ids[str(player["id"])] = player["name"]
    return ids | {player["name"]: player["name"] for player in players}


def _theirs(ours: Iterable[str], names: Mapping[str, str]) -> dict[str, str]:
    """Their name → ours; ``names`` has the names that differ."""
    found = {name: name for name in ours if name not in names.values()}
    return found | dict(names)


def field_of(deed: Deed, name: str) -> Any:  # noqa: ANN401 - whatever the file has
    """A field that a deed needs."""
    value = deed.raw.get(name)
    if value is None:
        raise NeighbourError(deed.id, f"the {deed.type} has no {name}")
    return value
