"""What a player is asked to decide, in a few words for a subject and in a sentence for a page."""

from dataclasses import dataclass

from engine import Seat
from engine.notation import write
from engine.position.frames import (
    Auction,
    CityChoice,
    Discard,
    DividendStep,
    Founding,
    Home,
    Interest,
    MergerStations,
    OwnShares,
    PrivateTurn,
    Question,
    Redeem,
    Repay,
    StockTurn,
    Trains,
)
from engine.proposals import BarredLay, PowerUse, PrivateSale, TrainSale
from engine.steps.judging.forced import must_buy
from engine.steps.operating.running import idles
from engine.steps.questions.discard import train_limit
from engine.telling.wording import listed
from service.reports.scene import Scene


@dataclass(frozen=True, slots=True)
class Task:
    """A decision: for the subject, and as a sentence to the player."""

    subject: str
    sentence: str


def task(scene: Scene, seat: Seat) -> Task:
    """What the player must decide now; he is one of those who must."""
    top = scene.state.stack[-1]
    if isinstance(top, Question):
        sale = offer(scene, top)
        text = f"{sale}. Do you agree? Answer `accept` or `decline`."
        return Task(sale.replace("`", ""), text)
    if isinstance(top, Discard):
        mine = [c for c in top.companies if scene.state.presidents[c] == seat]
        names = listed(tuple(mine))
        limit = max(train_limit(scene.table, company) for company in mine)
        text = f"{names} has more trains than the limit of {limit}: choose which to give up."
        return Task(f"{names} must discard a train", text)
    if isinstance(top, PrivateTurn):
        text = "The bank still sells private companies: buy the cheapest, bid on another, or pass."
        return Task("buy or bid on a private company", text)
    if isinstance(top, Auction):
        text = f"{top.high} bids ${top.amount} for {top.private}: raise the bid, or pass."
        return Task(f"auction of {top.private}, {top.amount} bid by {top.high}", text)
    if isinstance(top, Founding):
        text = f"{top.private} brings you the president's certificate of {top.founds}: set its par."
        return Task(f"set the par of {top.founds}", text)
    if isinstance(top, StockTurn):
        return _stock(top)
    return _operating(scene, seat)


def _stock(top: StockTurn) -> Task:
    if not top.bought and not top.sold:
        text = "It is your turn to buy one certificate, to sell shares, or to pass."
        return Task("buy, sell or pass", text)
    done = listed(("bought",) * top.bought + ("sold",) * top.sold)
    return Task("your stock turn goes on", f"You have {done}; your stock turn is still open.")


#: steps about a company's money: for the subject, and as a sentence
_OF_MONEY: dict[type, tuple[str, str]] = {
    Interest: ("must pay interest", "must pay interest and cannot: you must sell shares for it."),
    Repay: ("may repay loans", "has run and bought its trains; it may repay loans now."),
    Redeem: ("may redeem bonds", "has run and bought its trains; it may redeem bonds now."),
    OwnShares: (
        "may trade its own shares",
        "has run and bought its trains; it may sell shares of its treasury, or buy its own back.",
    ),
}


def _operating(scene: Scene, seat: Seat) -> Task:
    company, top = scene.view.company, scene.state.stack[-1]
    if isinstance(top, Home):
        floats = scene.title.facts.operating.home == "float"
        when = "has floated" if floats else "operates for the first time"
        text = f"{top.company} {when} and chooses the place of its home station."
        return Task(f"{top.company} places its home station", text)
    if isinstance(top, MergerStations):
        text = f"Companies have merged into {top.company}: choose which of their other stations "
        text += "it keeps; their home stations stay."
        return Task(f"{top.company} keeps stations", text)
    if type(top) in _OF_MONEY:
        subject, text = _OF_MONEY[type(top)]
        return Task(f"{company} {subject}", f"{company} {text}")
    if isinstance(top, CityChoice):
        whose, place = top.stations[0], scene.table.place(top.hex)
        text = f"{company} laid a tile with several cities: choose one for the station of {whose}."
        return Task(f"{company} chooses a city of {place}", text)
    if isinstance(top, DividendStep):
        earned = scene.state.earned[company]
        half = ", pay half," if "half" in scene.title.facts.operating.dividends else ""
        text = f"{company} has earned ${earned}: pay it out{half} or withhold it."
        return Task(f"{company} pays or withholds", text)
    if isinstance(top, Trains):
        if must_buy(scene.table, company):
            return Task(f"{company} must buy a train", f"{company} has no train and must buy one.")
        return Task(f"{company} may buy trains", f"{company} has run its trains and may buy more.")
    text = f"{company} operates and you are its president, {seat}."
    if idles(scene.table, company) and len(set(scene.state.trains.get(company, ()))) > 1:
        text += " One of its trains earns nothing in this turn: `idle` chooses which."
    return Task(f"{company} operates", text)


def offer(scene: Scene, top: Question) -> str:
    """A proposed sale, or use of a private, in a sentence without a full stop."""
    what = top.proposal
    if isinstance(what, PowerUse | BarredLay):
        words = write(scene.title, scene.state, what.action)
        used = isinstance(what, PowerUse)
        why = f"by your {what.private}" if used else f"on a hex that your {what.private} bars"
        return f"{top.by} asks your leave for {what.company}, {why}: `{words}`"
    return _sale(top, what)


def _sale(top: Question, sale: PrivateSale | TrainSale) -> str:
    what = f"private {sale.private}" if isinstance(sale, PrivateSale) else f"a {sale.train} train"
    if top.by in (sale.buyer, sale.seller):
        lead = f"{top.by} would {'buy' if top.by == sale.buyer else 'sell'} {what}"
    elif top.asked != sale.seller and top.asked == sale.buyer:
        lead = f"{top.by} would sell {what} of {sale.seller}"
    else:
        lead = f"{top.by} would have {sale.buyer} buy {what}"
    if top.by == sale.seller:
        return f"{lead} to {_you(top, sale.buyer)} for ${sale.price}"
    if top.asked == sale.buyer:
        return f"{lead} to you for ${sale.price}"
    return f"{lead} from {_you(top, sale.seller)} for ${sale.price}"


def _you(top: Question, owner: str) -> str:
    return "you" if owner == top.asked else f"your {owner}"
