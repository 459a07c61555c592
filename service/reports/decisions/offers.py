"""Describes an offer in a sentence, and its consequences for the asked player."""

from collections.abc import Iterator

import engine
from engine import Illegal, Seat, State
from engine.inquiry import train_limit
from engine.notation import write
from engine.position.frames import Question
from engine.proposals import BarredLay, PowerUse, PrivateSale, StationSale, TrainSale
from engine.wording import one
from service.reports.scene import Scene


def offer(scene: Scene, asked: Question, reader: Seat) -> str:
    """An offered sale, or use of a private company, in a sentence without a full stop."""
    what, mine = asked.proposal, reader == asked.asked
    if isinstance(what, PrivateSale | TrainSale):
        return _sale(scene, asked, what, mine)
    if isinstance(what, StationSale):
        price = scene.title.facts.operating.station_trade
        whose = f"your {what.seller}" if mine else what.seller
        text = f"{asked.by} wants {what.buyer} to replace the token of {whose}"
        return (
            f"{text} in {scene.table.place(what.hex)}, and pay {what.seller} {scene.money(price)}"
        )
    words = write(scene.title, scene.state, what.action)
    its = "your" if mine else f"{asked.asked}'s"
    used = isinstance(what, PowerUse)
    why = f"by {its} {what.private}" if used else f"on a hex that {its} {what.private} bars"
    return f"{asked.by} asks {its} leave for {what.company}, {why}: `{words}`"


OFFERS_THING = "{who} offers {what} to {other} for {price}"
OFFERS_MONEY = "{who} offers {other} {price} for {what}"
IN_BRIEF_THING = "{who} offers {what} for {price}"
IN_BRIEF_MONEY = "{who} offers {price} for {what}"


def _sale(scene: Scene, asked: Question, sale: PrivateSale | TrainSale, mine: bool) -> str:
    what = f"private {sale.private}" if isinstance(sale, PrivateSale) else _thing(sale)
    sells = _sells(scene, asked, sale)
    own, other = (sale.seller, sale.buyer) if sells else (sale.buyer, sale.seller)
    who = asked.by if own == asked.by else f"{asked.by} (for {own})"
    price = scene.money(sale.price)
    told = OFFERS_THING if sells else OFFERS_MONEY
    return told.format(who=who, what=what, other=_you(asked, other, mine), price=price)


def in_brief(scene: Scene, asked: Question, sale: PrivateSale | TrainSale) -> str:
    """An offered sale as short as the subject of the asked player's email must be."""
    what, price = _thing(sale), scene.money(sale.price)
    told = IN_BRIEF_THING if _sells(scene, asked, sale) else IN_BRIEF_MONEY
    return told.format(who=asked.by, what=what, price=price)


def in_short(scene: Scene, sale: PrivateSale | TrainSale) -> str:
    """Only the thing and its price, for a subject with a deadline."""
    return f"{_thing(sale)} for {scene.money(sale.price)}"


def _sells(scene: Scene, asked: Question, sale: PrivateSale | TrainSale) -> bool:
    """Whether the player who asks would sell, for themselves or for a company; if not, they buy."""
    return scene.state.presidents.get(sale.seller, sale.seller) == asked.by


def _thing(sale: PrivateSale | TrainSale) -> str:
    return sale.private if isinstance(sale, PrivateSale) else f"{one(sale.train)} train"


def _you(asked: Question, owner: str, mine: bool) -> str:
    if not mine:
        return owner
    return "you" if owner == asked.asked else f"your {owner}"


def meaning(scene: Scene, asked: Question) -> Iterator[str]:
    """The consequences of a yes for each side: money, trains, limits; the asked player first."""
    try:
        then = engine.accepted(scene.title, scene.state)
    except Illegal:
        return
    after, me = scene.later(then), asked.asked
    yield f"your cash {_money(scene, then, me)}"
    for company in _companies(scene, asked):
        yield f"{company} {_money(scene, then, company)}"
    yield from _goods(after, asked)
    certificates = after.table.certificates(me)
    if certificates != scene.table.certificates(me):
        limit = after.table.certificate_limit()
        yield f"you hold {certificates} of {limit} certificates then"


def _money(before: Scene, after: State, owner: str) -> str:
    old, new = before.state.cash.get(owner, 0), after.cash.get(owner, 0)
    shown = before.money(old)
    return shown if old == new else f"{shown} → {before.money(new)}"


def _companies(scene: Scene, asked: Question) -> tuple[str, ...]:
    """The companies in an offer."""
    what = asked.proposal
    if isinstance(what, PowerUse | BarredLay):
        return (what.company,)
    return tuple(owner for owner in (what.seller, what.buyer) if owner in scene.companies)


HAS_PAR = "{private} has par {par} and pays {revenue}"


def _goods(after: Scene, asked: Question) -> Iterator[str]:
    """The sold thing, as far as prices can be compared, and each company's trains after it."""
    what = asked.proposal
    if isinstance(what, TrainSale):
        yield (
            f"a new {what.train} train costs {after.money(after.title.trains[what.train].price)}"
        )
        for company in (what.seller, what.buyer):
            trains = " ".join(after.state.trains.get(company, ())) or "none"
            limit = train_limit(after.table, company)
            yield f"{company} then has (limit {limit}): {trains}"
    elif isinstance(what, PrivateSale):
        par = after.money(after.title.privates[what.private].par)
        revenue = after.money(after.table.revenue(what.private))
        yield HAS_PAR.format(private=what.private, par=par, revenue=revenue)
    elif isinstance(what, StationSale):
        left = after.companies[what.seller].tokens_left
        yield f"{what.seller} has {left} tokens left to place then"
