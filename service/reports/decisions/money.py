"""Words of steps about a company's money: interest, loans, bonds, its own shares."""

from engine import Action, Seat
from engine.actions import GoBankrupt, Pass, SellShares
from engine.position.frames import Interest, OwnShares, Redeem, Repay
from service.reports.decisions.base import Chances, DecisionTask
from service.reports.decisions.operating import CompanyWords
from service.reports.scene import Scene


class InterestWords(CompanyWords[Interest]):
    """Interest that the company cannot pay."""

    frame = Interest
    owed = "interest"

    def task(self, scene: Scene, frame: Interest, seat: Seat, reader: Seat) -> DecisionTask:
        """Raise the money."""
        text = "must pay interest and cannot: you must sell shares for it."
        return DecisionTask(f"{frame.company} must pay interest", f"{frame.company} {text}")

    def example(self, chances: Chances) -> Action | None:
        """A sale, or the last way out."""
        return chances.earliest(SellShares, GoBankrupt, Pass)


class RepayWords(CompanyWords[Repay]):
    """The company may repay loans."""

    frame = Repay

    def task(self, scene: Scene, frame: Repay, seat: Seat, reader: Seat) -> DecisionTask:
        """Repay or not."""
        text = f"{frame.company} has run and bought its trains; it may repay loans now."
        return DecisionTask(f"{frame.company} may repay loans", text)


class RedeemWords(CompanyWords[Redeem]):
    """The company may redeem bonds."""

    frame = Redeem

    def task(self, scene: Scene, frame: Redeem, seat: Seat, reader: Seat) -> DecisionTask:
        """Redeem or not."""
        text = f"{frame.company} has run and bought its trains; it may redeem bonds now."
        return DecisionTask(f"{frame.company} may redeem bonds", text)


class OwnSharesWords(CompanyWords[OwnShares]):
    """The company may sell its own shares or buy them back."""

    frame = OwnShares

    def task(self, scene: Scene, frame: OwnShares, seat: Seat, reader: Seat) -> DecisionTask:
        """Sell, buy back, or neither."""
        text = "has run and bought its trains; it may sell shares of its treasury, or buy its own"
        return DecisionTask(
            f"{frame.company} may trade its own shares", f"{frame.company} {text} back."
        )
