"""Rows of orders given ahead: what was given, and what became of it, position by position."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Sealed:
    """An order to be kept: its text, when it was given, and what seals it.

    ``given`` is the number of a position, the round that of its kind ("SR", "OR") and part.
    """

    seat: str
    number: int
    text: str
    given: int
    round_kind: str
    round_number: int
    round_part: int
    salt: str
    seal: str


@dataclass(frozen=True, slots=True)
class Progress:
    """What has become of an order at position ``number``; ``part`` is how far within a turn."""

    number: int
    step: int
    status: str
    reason: str
    part: str = ""
    #: whether it was taken back with its position
    struck: bool = False


#: the position of what its player, and nothing in the game, has made of an order: none, so that
#: no taking back brings an order back that was cleared
BY_HAND = -1


@dataclass(frozen=True, slots=True)
class OrderRow(Sealed):
    """An order and what has become of it by now; ``noted`` is all that ever did, oldest first."""

    id: int
    game_id: int
    at: int
    step: int
    status: str
    reason: str
    part: str = ""
    noted: tuple[Progress, ...] = ()

    @property
    def since(self) -> int:
        """The position at which it came to stand as it does."""
        return latest(self.noted).number

    def stood_at(self, number: int, redone: Collection[int] = ()) -> "OrderRow":
        """As it stood at a position that the game goes back to, with those that stand again."""
        noted = tuple(replace(one, struck=_struck(one, number, redone)) for one in self.noted)
        now = latest(noted)
        became = replace(self, step=now.step, status=now.status, reason=now.reason, part=now.part)
        return replace(became, noted=noted)


def _struck(one: Progress, number: int, redone: Collection[int]) -> bool:
    return one.number not in redone and (one.struck or one.number > number)


def latest(noted: Iterable[Progress]) -> Progress:
    """What holds now: what was done by hand for good, else what is noted of the last position."""
    stand = [(place, one) for place, one in enumerate(noted) if not one.struck]
    _, found = max(stand, key=lambda at: (_for_good(at[1]), at[1].number, at[0]))
    return found


def _for_good(one: Progress) -> bool:
    return one.number == BY_HAND and one.status != "open"
