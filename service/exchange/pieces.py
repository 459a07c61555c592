"""Single certificates, trains and tiles of a game under the ids of 18xx.games.

It plays nothing. Its callers report each move, and it records the place of each piece.
"""

from collections.abc import Iterator, Mapping, Sequence

from engine.board.hexes import Hex
from engine.facts.powers import SharePower, TrainPower
from engine.facts.title import Title
from engine.play.shares import SHARE
from engine.position.values import (
    MARKET,
    OFFERING,
    CompanyId,
    Owner,
    PrivateId,
    Seat,
    State,
    TrainType,
)
from service.exchange.dialect import Dialect


class Pieces:
    """All the pieces of one game."""

    def __init__(self, title: Title, dialect: Dialect) -> None:
        names = {ours: theirs for theirs, ours in dialect.companies.items()}
        self.certificates = Certificates(title, names)
        self.trains = Fleet(title, dialect)
        self.tiles = Laid(title, dialect)
        #: private company → the certificate that it brings its owner
        self._shares_brought: dict[PrivateId, str] = {
            private.id: self.certificates.ordinary(private.power.company, OFFERING)[0]
            for private in title.facts.private
            if isinstance(private.power, SharePower)
        }
        self._trains_brought = {
            private.id: private.power.train
            for private in title.facts.private
            if isinstance(private.power, TrainPower)
        }

    def hold_back(self, private: PrivateId) -> None:
        """Sell a private company's certificate last, after all others of its place."""
        if private in self._shares_brought:
            self.certificates.last.add(self._shares_brought[private])

    def can_bring(self, private: PrivateId) -> bool:
        """Whether players may sell a private company to each other.

        They may sell one that brings a share only while that certificate is in the open market.
        """
        certificate = self._shares_brought.get(private)
        return certificate is None or self.certificates.owner(certificate) == MARKET

    def settle(self, before: State, now: State) -> None:
        """Move the pieces that no action names: gifts of private companies, rusted trains."""
        if before.privates is not now.privates:
            for private, certificate in self._shares_brought.items():
                self._bring_share(private, certificate, before, now)
        if before.trains is not now.trains:
            for private, train in self._trains_brought.items():
                self._bring_train(private, train, before, now)
            self.trains.retire(now)

    def _bring_share(self, private: PrivateId, certificate: str, before: State, now: State) -> None:
        """The first owner gets the share from the IPO, a later player from the open market."""
        old, new = before.privates[private], now.privates[private]
        if old != new and new in now.seats:
            self.certificates.give(certificate, new, before, now)

    def _bring_train(self, private: PrivateId, train: TrainType, before: State, now: State) -> None:
        if before.trains.get(private) and not now.trains.get(private):
            buyer = now.privates[private]
            if train in now.trains.get(buyer, ()):
                self.trains.move(self.trains.held(private, train)[0], buyer)


class Certificates:
    """The place of each certificate; `L&N_0` is the president's, the others count from 1.

    Certificates in one place are in the order of their arrival.
    """

    def __init__(self, title: Title, names: Mapping[CompanyId, str]) -> None:
        """``names``: our company → theirs, where they differ."""
        #: percent of the president's certificate
        self._president = {
            company: facts.president or title.facts.stock.president
            for company, facts in title.companies.items()
        }
        self._company: dict[str, CompanyId] = {}
        self._owner: dict[str, Owner] = {}
        #: certificates that are sold after all others of their place
        self.last: set[str] = set()
        self._at: dict[CompanyId, dict[Owner, list[str]]] = {}
        for company, percent in self._president.items():
            name = names.get(company, company)
            every = [f"{name}_{n}" for n in range((100 - percent) // SHARE + 1)]
            self._at[company] = {OFFERING: every}
            self._company.update(dict.fromkeys(every, company))
            self._owner.update(dict.fromkeys(every, OFFERING))

    def company(self, certificate: str) -> CompanyId | None:
        """The company of a certificate, None if there is no such certificate."""
        return self._company.get(certificate)

    def owner(self, certificate: str) -> Owner | None:
        """The place of a certificate, None if there is no such certificate."""
        return self._owner.get(certificate)

    def held(self, company: CompanyId, owner: Owner) -> tuple[str, ...]:
        """The certificates of a company in one place."""
        return tuple(self._at[company].get(owner, ()))

    def ordinary(self, company: CompanyId, owner: Owner) -> list[str]:
        """The certificates of a company in one place, without the president's."""
        return [c for c in self.held(company, owner) if not presides(c)]

    def to_buy(self, company: CompanyId, source: Owner) -> str:
        """The ordinary certificate that a buyer gets from a place: the first that arrived."""
        return min(self.ordinary(company, source), key=lambda each: each in self.last)

    def found(self, company: CompanyId, seat: Seat) -> None:
        """A player buys the president's certificate."""
        self._move(self._at[company][OFFERING][0], seat)

    def give(self, certificate: str, seat: Seat, before: State, now: State) -> None:
        """Give a certificate to a player, and perhaps the presidency to another one."""
        self._move(certificate, seat)
        self._hand_over(self._company[certificate], before, now)

    def to_sell(self, company: CompanyId, seat: Seat, shares: int) -> list[str]:
        """A block of so many shares: ordinary certificates, the president's only if necessary."""
        ordinary = self.ordinary(company, seat)
        if shares <= len(ordinary):
            return ordinary[:shares]
        return [*ordinary, *(c for c in self.held(company, seat) if presides(c))]

    def percent(self, block: Sequence[str]) -> int:
        """The percentage of a block's certificates."""
        return sum(self._president[self._company[c]] if presides(c) else SHARE for c in block)

    def sell(
        self, block: Sequence[str], seat: Seat, shares: int, before: State, now: State
    ) -> None:
        """Move a block to the open market, and return the surplus of a larger certificate."""
        company = self._company[block[0]]
        for certificate in block:
            self._move(certificate, MARKET)
        self._hand_over(company, before, now)
        for _ in range(self.percent(block) // SHARE - shares):
            self._move(self._at[company][MARKET][0], seat)

    def _hand_over(self, company: CompanyId, before: State, now: State) -> None:
        """Exchange the president's certificate for the new president's first certificates."""
        old, new = before.presidents.get(company), now.presidents.get(company)
        if old is None or new is None or old == new:
            return
        chief = next(c for c, of in self._company.items() if of == company and presides(c))
        there = self._owner[chief]
        for certificate in self.ordinary(company, new)[: self._president[company] // SHARE]:
            self._move(certificate, there)
        self._move(chief, new)

    def _move(self, certificate: str, to: Owner) -> None:
        places = self._at[self._company[certificate]]
        places[self._owner[certificate]].remove(certificate)
        places.setdefault(to, []).append(certificate)
        self._owner[certificate] = to


def presides(certificate: str) -> bool:
    """Whether a certificate is a president's certificate."""
    return certificate.endswith("_0")


class Fleet:
    """The owner of each train; the bank sells new trains in a fixed order."""

    def __init__(self, title: Title, dialect: Dialect) -> None:
        self._type: dict[str, TrainType] = {}
        self._at: dict[Owner, list[str]] = {OFFERING: []}
        self._owner: dict[str, Owner] = {}
        gifts = {
            private.power.train: private.id
            for private in title.facts.private
            if isinstance(private.power, TrainPower)
        }
        for train, facts in title.trains.items():
            for id_ in dialect.train_ids(train, facts.count):
                self._type[id_] = train
                self._put(id_, gifts.get(train, OFFERING))

    def type(self, id_: str) -> TrainType:
        """Our type of a train; KeyError if there is no such train."""
        return self._type[id_]

    def owner(self, id_: str) -> Owner | None:
        """The owner of a train, None if it does not exist or has left the game."""
        return self._owner.get(id_)

    def held(self, owner: Owner, train: TrainType) -> list[str]:
        """An owner's trains of a type, in the order of their arrival."""
        return [id_ for id_ in self._at.get(owner, ()) if self._type[id_] == train]

    def is_for_sale(self, id_: str) -> bool:
        """Whether a train is the next of its kind that its place sells.

        That is the first new train, or the first train of that name in the market.
        """
        owner = self._owner.get(id_)
        if owner == OFFERING:
            return self._at[OFFERING][0] == id_
        if owner == MARKET:
            return next(t for t in self._at[MARKET] if _name(t) == _name(id_)) == id_
        return owner is not None

    def move(self, id_: str, to: Owner) -> None:
        """Give a train to an owner."""
        self._at[self._owner[id_]].remove(id_)
        self._put(id_, to)

    def give_up(self, id_: str) -> None:
        """Put a discarded train aside; trains of several companies enter the market in order."""
        self.move(id_, f"{_GIVEN_UP}{self._owner[id_]}")

    def retire(self, now: State) -> None:
        """Forget the trains that nobody owns any longer."""
        for owner, held in self._at.items():
            if owner != OFFERING and not owner.startswith(_GIVEN_UP):
                for id_ in list(self._gone(held, now.trains.get(owner, ()))):
                    held.remove(id_)
                    del self._owner[id_]

    def _gone(self, held: Sequence[str], left: Sequence[TrainType]) -> Iterator[str]:
        """The trains of an owner that are no longer in the position."""
        kept: dict[TrainType, int] = {}
        for id_ in held:
            train = self._type[id_]
            kept[train] = kept.get(train, 0) + 1
            if kept[train] > left.count(train):
                yield id_

    def _put(self, id_: str, owner: Owner) -> None:
        self._at.setdefault(owner, []).append(id_)
        self._owner[id_] = owner


#: the place of discarded trains until all surplus trains are discarded
_GIVEN_UP = "given up by "


def _name(id_: str) -> str:
    """Their name for the type of a train."""
    return id_.rpartition("-")[0]


class Laid:
    """The place of each copy of a tile; an id is their name for the tile and a number."""

    def __init__(self, title: Title, dialect: Dialect) -> None:
        names = {ours: theirs for theirs, ours in dialect.tiles.items()}
        self._copies = {
            names.get(tile, tile): count
            for supply in title.facts.supply.values()
            for tile, count in supply.items()
        }
        self._at: dict[Hex, str] = {}
        self._hex: dict[str, Hex] = {}

    def on(self, hex_: Hex) -> str | None:
        """The id of the tile on a hex, None if none was laid."""
        return self._at.get(hex_)

    def hex(self, id_: str) -> Hex | None:
        """The hex of a laid tile, None for a tile that is not laid."""
        return self._hex.get(id_)

    def first(self, tile: str) -> str:
        """The id of the first copy of a tile that is not on the map."""
        copies = (f"{tile}-{n}" for n in range(len(self._at) + 1))
        return next(id_ for id_ in copies if id_ not in self._hex)

    def is_free(self, id_: str) -> bool:
        """Whether there is such a tile, and it is not on the map."""
        tile, _, copy = id_.rpartition("-")
        known = copy.isdecimal() and str(int(copy)) == copy
        return known and int(copy) < self._copies.get(tile, 0) and id_ not in self._hex

    def lay(self, hex_: Hex, id_: str) -> None:
        """Lay a tile, which may replace another."""
        old = self._at.get(hex_)
        if old is not None:
            del self._hex[old]
        self._at[hex_], self._hex[id_] = id_, hex_
