"""Lists legal moves with debts, treasury shares and lent powers."""

from collections.abc import Iterator

from engine import Choice, Range, Seat
from engine.actions import (
    Action,
    ActivateFerry,
    BuyBack,
    BuyBond,
    ExtendTrain,
    IssueShares,
    MergeInto,
    OfferShare,
    OfferStation,
    PlaceMark,
    RedeemBonds,
    RepayLoans,
    SellBonds,
)
from engine.inquiry import ferry_price, mean_par, to_ask, top_cell
from engine.notation import write
from engine.proposals import Lent
from service.reports.scene import Listed, Scene, Sorted
from service.reports.tables import Row


def _bonds(scene: Scene, seat: Seat, found: Sorted) -> list[Row]:
    """Bonds that the player may buy or sell in a stock turn."""
    facts = scene.title.facts.bonds
    value = facts.value if facts else 0
    items = [f"`{_text(scene, o)}` {scene.money(value)}" for o in found.of(BuyBond)]
    sales = [o.action.count for o in found.of(SellBonds) if isinstance(o.action, SellBonds)]
    if sales:
        first = next(iter(found.of(SellBonds)))
        more = f", up to {max(sales)}" if len(sales) > 1 else ""
        items.append(f"`{_text(scene, first)}` {scene.money(value)} each{more}")
    return [Row("bonds", tuple(items), True)]


def _mergers(scene: Scene, seat: Seat, found: Sorted) -> list[Row]:
    """The corporations that a company without a train may merge with, and each result."""
    items: dict[str, str] = {}
    for option in found.of(MergeInto):
        action = option.action
        assert isinstance(action, MergeInto)
        merged, table = (action.company, action.partner), scene.table
        row, column = top_cell(table, merged)
        price, par = table.title.chart.rows[row][column].price, mean_par(table, merged)
        text = (
            f"`{_text(scene, option)}` (price {scene.money(price)}, "
            f"par {scene.money(par)}, no turn in this round)"
        )
        items.setdefault(action.partner, text)
    return [Row("merge", tuple(items.values()), True)]


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
        yield f"`{_text(scene, first)}`{more}{_price(scene, first.action)}"


def _price(scene: Scene, action: Action) -> str:
    """The dollars for one of them."""
    facts = scene.title.facts
    if isinstance(action, RepayLoans) and facts.loans:
        return f", {scene.money(facts.loans.value)} each"
    if isinstance(action, RedeemBonds) and facts.bonds:
        return f", {scene.money(facts.bonds.value)} each"
    if isinstance(action, IssueShares | BuyBack):
        return f", {scene.money(scene.table.price(action.company))} each"
    return ""


def _fire_sale(scene: Scene, seat: Seat, found: Sorted) -> list[Row]:
    """The things that a company may sell to pay for a train that it must buy."""
    items = [f"`{_text(scene, o)}` is auctioned among the others" for o in found.of(OfferShare)]
    for option in found.of(OfferStation):
        items.append(f"`{_text(scene, option)}`, or from another price on")
    return [Row("offer", tuple(items), True)]


def _powers(scene: Scene, seat: Seat, found: Sorted) -> list[Row]:
    """Powers to place a marker, lengthen a train or open a ferry, with the asked player."""
    marks = list(_marks(scene, found.of(PlaceMark)))
    longer = [f"`{_text(scene, o)}`{_asked(scene, o.action)}" for o in found.of(ExtendTrain)]
    by_ferry: dict[str, Choice | Range] = {}
    for option in found.of(ActivateFerry):
        assert isinstance(option.action, ActivateFerry)
        by_ferry.setdefault(option.action.ferry, option)
    ferries = [f"`{_text(scene, option)}`{_cost(scene, option)}" for option in by_ferry.values()]
    return [Row("use", tuple(marks + longer)), Row("ferry", tuple(ferries), True)]


def _marks(scene: Scene, options: list[Choice | Range]) -> Iterator[str]:
    """One command for each private company and asked player, with the places if several."""
    together: dict[tuple[str, str], list[Choice | Range]] = {}
    for option in options:
        assert isinstance(option.action, PlaceMark)
        key = option.action.private, _asked(scene, option.action)
        together.setdefault(key, []).append(option)
    for (private, asked), alike in together.items():
        places = [o.action.hex for o in alike if isinstance(o.action, PlaceMark)]
        if len(alike) == 1:
            yield f"`{_text(scene, alike[0])}`{asked}"
        else:
            yield f"`use {private}: mark HEX` on {', '.join(places)}{asked}"


def _cost(scene: Scene, option: Choice | Range) -> str:
    action = option.action
    assert isinstance(action, ActivateFerry)
    cost = ferry_price(scene.table, action.company, action.tiles)
    return f"{f' {scene.money(cost)}' if cost else ''}{_asked(scene, action)}"


def _asked(scene: Scene, action: Action) -> str:
    """The player who must give leave."""
    asked = to_ask(scene.table, action) if isinstance(action, Lent) else {}
    return f" ({' and '.join(asked)} {'is' if len(asked) == 1 else 'are'} asked)" if asked else ""


def _text(scene: Scene, option: Choice | Range) -> str:
    return write(scene.title, scene.state, option.action)


BONDS = Listed((BuyBond, SellBonds), _bonds)
FIRE_SALE = Listed((OfferShare, OfferStation), _fire_sale)
MERGERS = Listed((MergeInto,), _mergers)
DEBTS = Listed((RepayLoans, RedeemBonds, IssueShares, BuyBack), _debts)
POWERS = Listed((PlaceMark, ExtendTrain, ActivateFerry), _powers)
