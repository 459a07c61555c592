"""Words of steps about a company's money: interest, loans, bonds, its own shares; what is legal."""

from collections.abc import Iterator

from engine import Action, Choice, Range, Seat
from engine.actions import (
    BuyBack,
    BuyBond,
    GoBankrupt,
    IssueShares,
    RedeemBonds,
    RepayLoans,
    SellBonds,
)
from engine.notation import write
from engine.position.frames import Interest, OwnShares, Redeem, Repay
from service.reports.decisions.base import Chances, DecisionTask
from service.reports.decisions.operating import CompanyWords
from service.reports.scene import Listed, Scene, Sorted
from service.reports.tables import Row


class InterestWords(CompanyWords[Interest]):
    """Interest that the company cannot pay."""

    frame = Interest

    def task(self, scene: Scene, frame: Interest, seat: Seat, reader: Seat) -> DecisionTask:
        """Raise the money."""
        text = "must pay interest and cannot: you must sell shares for it."
        return DecisionTask(f"{frame.company} must pay interest", f"{frame.company} {text}")

    def example(self, chances: Chances) -> Action | None:
        """A sale, or the last way out."""
        return chances.owed or chances.ending


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


# what is legal


def _bonds(scene: Scene, seat: Seat, found: Sorted) -> list[Row]:
    """Bonds that the player may buy or sell in a stock turn."""
    facts = scene.title.facts.bonds
    value = facts.value if facts else 0
    items = [
        f"`{write(scene.title, scene.state, o.action)}` {scene.money(value)}"
        for o in found.of(BuyBond)
    ]
    sales = [o.action.count for o in found.of(SellBonds) if isinstance(o.action, SellBonds)]
    if sales:
        first = next(iter(found.of(SellBonds)))
        more = f", up to {max(sales)}" if len(sales) > 1 else ""
        items.append(
            f"`{write(scene.title, scene.state, first.action)}` {scene.money(value)} each{more}"
        )
    return [Row("bonds", tuple(items), True)]


def _debts(scene: Scene, seat: Seat, found: Sorted) -> list[Row]:
    """Loans to repay, bonds to redeem, and the company's own shares."""
    rows = []
    for label, kind, field in (
        ("repay", RepayLoans, "count"),
        ("redeem", RedeemBonds, "count"),
        ("issue", IssueShares, "shares"),
        ("buy back", BuyBack, "shares"),
    ):
        rows.append(Row(label, tuple(_counted(scene, found.of(kind), field))))
    return rows


def _counted(scene: Scene, options: list[Choice | Range], field: str) -> Iterator[str]:
    """For each owner the command for the smallest number, and the largest number."""
    most: dict[str, tuple[int, Choice | Range]] = {}
    for option in options:
        owner = getattr(option.action, "source", "")
        count = getattr(option.action, field)
        first = most.get(owner, (0, option))[1]
        most[owner] = max(count, most.get(owner, (0, option))[0]), first
    for count, first in most.values():
        more = f" or up to {count}" if count > getattr(first.action, field) else ""
        text = write(scene.title, scene.state, first.action)
        yield f"`{text}`{more}{_price(scene, first.action)}"


PAYS = ": {company} pays {price} each"


def _price(scene: Scene, action: Action) -> str:
    """The dollars for one of them."""
    facts = scene.title.facts
    if isinstance(action, RepayLoans) and facts.loans:
        return f", {scene.money(facts.loans.value)} each"
    if isinstance(action, RedeemBonds) and facts.bonds:
        return f", {scene.money(facts.bonds.value)} each"
    if isinstance(action, BuyBack):
        return PAYS.format(
            company=action.company, price=scene.money(scene.table.price(action.company))
        )
    if isinstance(action, IssueShares):
        return f", {scene.money(scene.table.price(action.company))} each"
    return ""


def _bankrupt(scene: Scene, seat: Seat, found: Sorted) -> list[Row]:
    ends = "you leave the game" if scene.title.facts.plays_on else "this ends the game"
    owed = "interest" if isinstance(scene.state.stack[-1], Interest) else "train"
    return [Row("bankrupt", (f"you cannot pay for the {owed}; {ends}",))]


BONDS = Listed((BuyBond, SellBonds), _bonds)
DEBTS = Listed((RepayLoans, RedeemBonds, IssueShares, BuyBack), _debts)
BANKRUPT = Listed((GoBankrupt,), _bankrupt)
