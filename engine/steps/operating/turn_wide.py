"""A company's actions at any time of its turn: private companies, markers, names, lent powers."""

from collections.abc import Iterator
from typing import Any

from engine.actions import Action, NameTrain, TradePrivate
from engine.events import TrainNamed
from engine.facts.facts import FirstRoundSale
from engine.facts.powers import NamesPower
from engine.facts.title import Title
from engine.options import Choice, Open, Option, Range
from engine.position.draft import Draft
from engine.position.frames import Home, OperatingRound, Running, Stations, Track, Trains
from engine.position.table import Table
from engine.position.values import Mark, PrivateId
from engine.proposals import PrivateSale
from engine.refusal import Refusal
from engine.steps.base import Acts, not_its_turn
from engine.steps.judging.forced import must_buy, shortfall
from engine.steps.operating.fire_sale import FireSaleOffers
from engine.steps.operating.mergers import Mergers
from engine.steps.powers.extend import Extensions
from engine.steps.powers.ferry import Ferries
from engine.steps.powers.marks import BonusMarks, Marks, TerrainMarks
from engine.steps.powers.spare import SpareStations
from engine.steps.questions.asking import propose
from engine.steps.stock.private_trade import why_not_between_players


class CompanyPrivates(Acts):
    """A company buys private companies from players (4.2.6)."""

    verbs = (TradePrivate,)

    def candidates(self, table: Table, frame: Any) -> Iterator[Option]:  # noqa: ANN401
        """Every private company of a player, at any price allowed."""
        company = frame.company
        by = table.operator(company)
        for private, owner in table.at.privates.items():
            wanted = may_buy_privates(table) and table.title.privates[private].for_companies
            if wanted and table.is_player(owner):
                low, high = price_range(table, private)
                action = TradePrivate(
                    by=by, private=private, seller=owner, buyer=company, price=low
                )
                yield Range(action, "price", low, min(high, table.at.cash[company]))
        if may_sell_for_aid(table, frame) and table.privates_of(by):
            yield Open("private", "`sell private NAME to PLAYER for PRICE`")

    def why_not(self, table: Table, frame: Any, action: TradePrivate) -> Refusal | None:  # noqa: ANN401
        """Refuse by phase or first operating round, by owner and by price."""
        players = table.is_player(action.buyer) and table.is_player(action.seller)
        if players and aid_by_privates(table):
            return _why_not_for_aid(table, frame, action)
        if refusal := not_its_turn(table, frame, action.buyer):
            return refusal
        key, private, company = "company buys private", action.private, action.buyer
        if company in table.at.receivers:
            text = f"{company} is in receivership and buys no private company"
            return table.refuse("receivership", "presidency", text)
        if not may_buy_privates(table):
            text = f"Companies cannot buy private companies in phase {table.at.phase}"
            return table.refuse(key, "phase", text)
        if not table.title.privates[private].for_companies:
            return table.refuse(key, "place", f"{private} is never sold to a company")
        owner = table.at.privates[private]
        if owner != action.seller or not table.is_player(owner):
            return table.refuse(key, "place", f"{private} belongs to {owner}, not to a player")
        if refusal := _why_not_first_round(table, action) or _why_not_instead(table, frame, action):
            return refusal
        low, high = price_range(table, private)
        if not low <= action.price <= high:
            span = (
                f"{table.money(low)} to {table.money(high)}"
                if low < high
                else f"exactly {table.money(low)}"
            )
            text = f"A company pays {span} for {private}"
            return table.refuse(key, "money", text)
        if action.price > table.at.cash[company]:
            text = (
                f"{company} has {table.money(table.at.cash[company])}, "
                f"not {table.money(action.price)}"
            )
            return table.refuse(key, "money", text)
        return None

    def play(self, draft: Draft, frame: Any, action: Action) -> None:  # noqa: ANN401
        """Buy at once from its own president; otherwise ask the owner."""
        assert isinstance(action, TradePrivate)
        sale = PrivateSale(action.private, action.seller, action.buyer, action.price)
        propose(draft, action.by, sale)


def first_round_sale(table: Table) -> FirstRoundSale | None:
    """What the first operating round allows, while the phase allows nothing yet (4.2.6)."""
    now = table.at.round
    first = (now.kind, now.number, now.part) == ("OR", 1, 1)
    allowed = first and not table.phase.company_privates
    return table.title.facts.operating.first_round_sale if allowed else None


def may_buy_privates(table: Table) -> bool:
    """Whether companies may buy private companies now (4.2.6)."""
    return table.phase.company_privates or first_round_sale(table) is not None


def _why_not_first_round(table: Table, action: TradePrivate) -> Refusal | None:
    """Allow a number of sales in the first operating round, per company and player (4.2.6)."""
    sale = first_round_sale(table)
    if sale is None:
        return None
    key = "company buys private"
    done = next(f.private_sales for f in table.at.stack if isinstance(f, OperatingRound))
    if sum(buyer == action.buyer for _, buyer in done) >= sale.per_company:
        text = f"{action.buyer} has bought its private company of the first operating round"
        return table.refuse(key, "limit", text)
    if sum(seller == action.seller for seller, _ in done) >= sale.per_player:
        text = f"{action.seller} has sold the one private company of the first operating round"
        return table.refuse(key, "limit", text)
    return None


def price_range(table: Table, private: PrivateId) -> tuple[int, int]:
    """The lowest and highest price a company may pay, in whole dollars (4.2.6)."""
    par = table.title.privates[private].par
    sale = first_round_sale(table)
    usual = table.phase.private_price or table.title.facts.operating.private_price
    low, high = sale.price if sale else usual
    return max(1, -(-par * low // 100)), par * high // 100


def aid_by_privates(table: Table) -> bool:
    """Whether a president may sell private companies to players for a forced train (4.2.5.2(d))."""
    return table.title.facts.operating.aid_privates and table.title.facts.stock.player_sales


def may_sell_for_aid(table: Table, frame: Any) -> bool:  # noqa: ANN401
    """Whether a president may do so now, because money is missing for a forced train."""
    forced = isinstance(frame, Trains) and must_buy(table, frame.company)
    if not (forced and aid_by_privates(table)):
        return False
    return shortfall(table, frame.company, frame.smallest) > 0


def _why_not_for_aid(table: Table, frame: Any, action: TradePrivate) -> Refusal | None:  # noqa: ANN401
    """Allow an own private company, to another player, up to what a sale of shares may leave."""
    key, by = "aid sale", action.by
    if not may_sell_for_aid(table, frame):
        text = "In an operating round players buy private companies only where a president lacks"
        return table.refuse(key, "order", f"{text} the money for a train that must be bought")
    if action.seller != by or action.buyer == by:
        return table.refuse(
            key, "turn", f"Only private companies of {by} are sold here, to other players"
        )
    if refusal := why_not_between_players(table, action):
        return refusal
    need = shortfall(table, frame.company, frame.smallest)
    if frame.smallest and action.price - need >= frame.smallest:
        text = (
            f"Only {table.money(need)} is missing, the sale "
            f"would leave {table.money(action.price - need)}"
        )
        hint = f"Ask for at most {table.money(need + frame.smallest - 1)}."
        return table.refuse(key, "amount", text, hint)
    return None


def _why_not_instead(table: Table, frame: Any, action: TradePrivate) -> Refusal | None:  # noqa: ANN401
    """Refuse a private company that brings a train, after a sale for the bank's train."""
    if not (isinstance(frame, Trains) and frame.smallest and table.at.trains.get(action.private)):
        return None
    text = f"{action.by} sold for the bank's cheapest train, which must be bought"
    return table.refuse("cheapest train", "order", text)


class TrainNames(Acts):
    """A company names its trains; unused names go where they earn most (Table III)."""

    verbs = (NameTrain,)

    def candidates(self, table: Table, frame: Any) -> Iterator[Option]:  # noqa: ANN401
        """Before the trains run: each name on each other train, and taking it off its train."""
        if not isinstance(frame, Home | Track | Stations | Running):
            return
        company = frame.company
        by = table.operator(company)
        for mark in table.at.marks:
            if mark.company == company and _is_name(table, mark):
                trains = dict.fromkeys(("", *table.at.trains.get(company, ())))
                for train in trains:
                    if train != mark.train:
                        yield Choice(NameTrain(by=by, company=company, name=mark.kind, train=train))

    def why_not(self, table: Table, frame: Any, action: NameTrain) -> Refusal | None:  # noqa: ANN401
        """Require an own name and an own train, and one name for each train."""
        if refusal := not_its_turn(table, frame, action.company):
            return refusal
        mine = [m for m in table.at.marks if m.company == action.company and _is_name(table, m)]
        if action.name not in [m.kind for m in mine]:
            text = f"{action.company} has no name chit {action.name}"
            return table.refuse("train name", "name", text)
        if not action.train:
            return None
        owned = table.at.trains.get(action.company, ())
        if action.train not in owned:
            text = f"{action.company} has no {action.train} train"
            return table.refuse("train name", "place", text)
        others = sum(m.train == action.train for m in mine if m.kind != action.name)
        if others >= owned.count(action.train):
            text = f"The {action.train} train has a name, one train bears one name"
            return table.refuse("train name", "limit", text)
        return None

    def play(self, draft: Draft, frame: Any, action: Action) -> None:  # noqa: ANN401
        """Record the name."""
        assert isinstance(action, NameTrain)
        company, name = action.company, action.name
        draft.set_marks(
            tuple(
                Mark(m.kind, m.company, m.private, "", action.train)
                if (m.company, m.kind) == (company, name)
                else m
                for m in draft.marks
            )
        )
        draft.record(TrainNamed(company, name, action.train))


def _is_name(table: Table, mark: Mark) -> bool:
    return isinstance(table.title.privates[mark.private].power, NamesPower)


TURN_WIDE: dict[str, Acts] = {
    "company privates": CompanyPrivates(),
    "marks": Marks(),
    "train names": TrainNames(),
    "spare stations": SpareStations(),
}


def turn_wide(title: Title) -> list[Acts]:
    """What the title allows at any time of a company's turn."""
    return [TURN_WIDE[name] for name in title.facts.anytime]


#: a step of a turn → actions in it by powers that players lend to companies (18GL 4.3, 4.6)
_LENT: dict[type[Any], tuple[Acts, ...]] = {
    Track: (TerrainMarks(), Ferries()),
    Stations: (BonusMarks(),),
    Running: (Extensions(),),
}


_MERGERS = (Mergers(),)
_FIRE_SALES = (FireSaleOffers(),)


def beside(title: Title, step: type[Any]) -> tuple[Acts, ...]:
    """What the title allows in one step of a company's turn beside what belongs to the step."""
    if step is Trains:
        mergers = _MERGERS if title.facts.systems else ()
        return (*mergers, *(_FIRE_SALES if title.facts.fire_sale else ()))
    return _LENT.get(step, ()) if title.facts.operating.powers == "player" else ()


#: all rules that are not those of a step: each title has some of them
NOT_OF_A_STEP: tuple[Acts, ...] = (
    *TURN_WIDE.values(),
    *(acts for lent in _LENT.values() for acts in lent),
    *_MERGERS,
    *_FIRE_SALES,
)
