"""What a player is asked to decide, in a few words for a subject and in a sentence for a page."""

from dataclasses import dataclass

from engine import Seat
from engine.frames import (
    Auction,
    CityChoice,
    Consent,
    Discard,
    DividendStep,
    Founding,
    Home,
    PrivateTurn,
    StockTurn,
    Trains,
)
from engine.narrate import listed
from engine.steps.forced import must_buy
from engine.steps.running import idles
from service.reports.scene import Scene


@dataclass(frozen=True, slots=True)
class Task:
    """A decision: for the subject, and as a sentence to the player."""

    subject: str
    sentence: str


def task(scene: Scene, seat: Seat) -> Task:
    """What the player must decide now; he is one of those who must."""
    top = scene.state.stack[-1]
    if isinstance(top, Consent):
        sale = offer(top)
        return Task(sale, f"{sale}. Do you agree? Answer `accept` or `decline`.")
    if isinstance(top, Discard):
        mine = [c for c in top.companies if scene.state.presidents[c] == seat]
        names = listed(tuple(mine))
        limit = scene.view.train_limit
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


def _operating(scene: Scene, seat: Seat) -> Task:
    company, top = scene.view.company, scene.state.stack[-1]
    if isinstance(top, Home):
        text = f"{company} operates for the first time and chooses the place of its home station."
        return Task(f"{company} places its home station", text)
    if isinstance(top, CityChoice):
        whose, place = top.stations[0], scene.table.place(top.hex)
        text = f"{company} laid a tile with several cities: choose one for the station of {whose}."
        return Task(f"{company} chooses a city of {place}", text)
    if isinstance(top, DividendStep):
        earned = scene.state.earned[company]
        text = f"{company} has earned ${earned}: pay it out or withhold it."
        return Task(f"{company} pays or withholds", text)
    if isinstance(top, Trains):
        if must_buy(scene.table, company):
            return Task(f"{company} must buy a train", f"{company} has no train and must buy one.")
        return Task(f"{company} may buy trains", f"{company} has run its trains and may buy more.")
    text = f"{company} operates and you are its president, {seat}."
    if idles(scene.table, company) and len(set(scene.state.trains.get(company, ()))) > 1:
        text += " One of its trains earns nothing in this turn: `idle` chooses which."
    return Task(f"{company} operates", text)


def offer(top: Consent) -> str:
    """A proposed sale in a sentence without a full stop."""
    what = f"private {top.id}" if top.thing == "private" else f"a {top.id} train"
    if top.by == top.buyer or top.by == top.seller:
        lead = f"{top.by} would {'buy' if top.by == top.buyer else 'sell'} {what}"
    elif top.asked != top.seller and top.asked == top.buyer:
        lead = f"{top.by} would sell {what} of {top.seller}"
    else:
        lead = f"{top.by} would have {top.buyer} buy {what}"
    if top.by == top.seller:
        return f"{lead} to {_you(top, top.buyer)} for ${top.price}"
    if top.asked == top.buyer:
        return f"{lead} to you for ${top.price}"
    return f"{lead} from {_you(top, top.seller)} for ${top.price}"


def _you(top: Consent, owner: str) -> str:
    return "you" if owner == top.asked else f"your {owner}"
