"""Single certificates, trains and tiles of a game under the ids that 18xx.games gives them.

Plays nothing: it is told what was done and keeps count of which piece lies where.
"""

from collections.abc import Mapping

from engine.board.hexes import Hex
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


class Certificates:
    """Which certificate lies where; `L&N_0` is the president's, the others count from 1.

    Of several that would do, the one that came first to its place is taken, as there.
    """

    def __init__(self, title: Title, names: Mapping[CompanyId, str]) -> None:
        """``names``: our company → theirs, where they differ."""
        #: percent of the president's certificate
        self._president = {
            company: facts.president or title.facts.stock.president
            for company, facts in title.companies.items()
        }
        self._at: dict[CompanyId, dict[Owner, list[str]]] = {
            company: {
                OFFERING: [
                    f"{names.get(company, company)}_{n}"
                    for n in range((100 - percent) // SHARE + 1)
                ]
            }
            for company, percent in self._president.items()
        }

    def held(self, company: CompanyId, owner: Owner) -> tuple[str, ...]:
        """The certificates of a company in one place."""
        return tuple(self._at[company].get(owner, ()))

    def found(self, company: CompanyId, seat: Seat) -> None:
        """The president's certificate is bought."""
        self._move(company, self._at[company][OFFERING][0], OFFERING, seat)

    def give(self, company: CompanyId, seat: Seat) -> None:
        """A private company brings its first owner an ordinary certificate."""
        self._move(company, self.to_buy(company, OFFERING), OFFERING, seat)

    def to_buy(self, company: CompanyId, source: Owner) -> str:
        """The ordinary certificate that is bought next from a place."""
        return self._ordinary(company, source)[0]

    def buy(self, company: CompanyId, source: Owner, seat: Seat, before: State, now: State) -> None:
        """An ordinary certificate is bought, and perhaps the presidency changes."""
        self._move(company, self.to_buy(company, source), source, seat)
        self._hand_over(company, before, now)

    def to_sell(self, company: CompanyId, seat: Seat, shares: int) -> list[str]:
        """A block of so many shares: ordinary certificates, the president's where it must be."""
        ordinary = self._ordinary(company, seat)
        if shares <= len(ordinary):
            return ordinary[:shares]
        return [*ordinary, *(c for c in self.held(company, seat) if _presides(c))]

    def sell(self, company: CompanyId, seat: Seat, shares: int, before: State, now: State) -> None:
        """A block goes to the open market; what was too much of a certificate comes back."""
        block = self.to_sell(company, seat, shares)
        for certificate in block:
            self._move(company, certificate, seat, MARKET)
        self._hand_over(company, before, now)
        percent = sum(self._president[company] if _presides(c) else SHARE for c in block)
        for _ in range(percent // SHARE - shares):
            self._move(company, self._at[company][MARKET][0], MARKET, seat)

    def _ordinary(self, company: CompanyId, owner: Owner) -> list[str]:
        return [c for c in self.held(company, owner) if not _presides(c)]

    def _hand_over(self, company: CompanyId, before: State, now: State) -> None:
        """The new president's first certificates go where the president's one lay."""
        old, new = before.presidents[company], now.presidents[company]
        if old == new:
            return
        there = next(o for o, lie in self._at[company].items() if any(map(_presides, lie)))
        for certificate in self._ordinary(company, new)[: self._president[company] // SHARE]:
            self._move(company, certificate, new, there)
        chief = next(c for c in self._at[company][there] if _presides(c))
        self._move(company, chief, there, new)

    def _move(self, company: CompanyId, certificate: str, source: Owner, to: Owner) -> None:
        self._at[company][source].remove(certificate)
        self._at[company].setdefault(to, []).append(certificate)


def _presides(certificate: str) -> bool:
    return certificate.endswith("_0")


class Rolling:
    """Which train is whose; trains of a type are counted from 0 in the order of their sale."""

    def __init__(self, given: Mapping[PrivateId, TrainType]) -> None:
        """``given``: the train that a private company brings, which is never the bank's."""
        self._sold: dict[TrainType, int] = {}
        self._at: dict[tuple[Owner, TrainType], list[int]] = {
            (private, train): [0] for private, train in given.items()
        }

    def copies(self, owner: Owner, train: TrainType) -> tuple[int, ...]:
        """The numbers of an owner's trains of a type; of the bank's that of the next new one."""
        if owner == OFFERING:
            return (self._sold.get(train, 0),)
        return tuple(self._at.get((owner, train), ()))

    def move(self, train: TrainType, source: Owner, to: Owner) -> None:
        """A train goes from one owner to another."""
        copy = self.copies(source, train)[0]
        if source == OFFERING:
            self._sold[train] = copy + 1
        else:
            self._at[source, train].remove(copy)
        self._at.setdefault((to, train), []).append(copy)

    def give_up(self, train: TrainType, company: Owner) -> None:
        """A company gives up a train; those of several companies come to the market in an order."""
        self.move(train, company, f"given up by {company}")

    def to_market(self, train: TrainType, company: Owner) -> None:
        """The train that a company gave up first comes to the open market."""
        self.move(train, f"given up by {company}", MARKET)

    def retire(self, now: State) -> None:
        """Forget the trains that nobody has any more."""
        for (owner, train), copies in self._at.items():
            if not owner.startswith("given up"):
                del copies[now.trains.get(owner, ()).count(train) :]


class Laid:
    """Which copy of a tile lies where."""

    def __init__(self) -> None:
        self._at: dict[Hex, tuple[str, int]] = {}

    def on(self, hex_: Hex) -> str | None:
        """The id of the tile on a hex, None where none was laid."""
        there = self._at.get(hex_)
        return f"{there[0]}-{there[1]}" if there else None

    def lay(self, hex_: Hex, tile: str) -> str:
        """The id of the first copy that does not lie on the map, which is laid now."""
        used = {copy for name, copy in self._at.values() if name == tile}
        copy = next(n for n in range(len(used) + 1) if n not in used)
        self._at[hex_] = (tile, copy)
        return f"{tile}-{copy}"
