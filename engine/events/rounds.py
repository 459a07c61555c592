"""Rounds, turns, phases and the end."""

from engine.events.base import Happening


class RoundBegan(Happening, frozen=True, tag="round began"):
    """A round began; written as players name it."""

    round: str


class RoundEnded(Happening, frozen=True, tag="round ended"):
    """A round is over; ``priority`` has the priority deal."""

    round: str
    priority: str


class Passed(Happening, frozen=True, tag="passed"):
    """A player passed in a stock round or an auction."""

    seat: str


class TurnEnded(Happening, frozen=True, tag="turn ended"):
    """A company has operated."""

    company: str


class PhaseBegan(Happening, frozen=True, tag="phase began"):
    """A new phase began."""

    phase: str


class WentBankrupt(Happening, frozen=True, tag="went bankrupt"):
    """A player could not pay for a forced train."""

    seat: str
    company: str


class EndForeseen(Happening, frozen=True, tag="end foreseen"):
    """The end of the game is certain: its cause."""

    cause: str


class ExtraRound(Happening, frozen=True, tag="extra round"):
    """A tie is broken by one more operating round."""

    seats: tuple[str, ...]


class GameEnded(Happening, frozen=True, tag="game ended"):
    """The game is over: final worth by seat, in order of places, eliminated players last."""

    cause: str
    worth: dict[str, int]


class Insisted(Happening, frozen=True, tag="insisted"):
    """A player does, or does not, insist on the best runs."""

    seat: str
    on: bool
