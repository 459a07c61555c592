"""Faults in well-formed facts, in plain words and with their place.

It compares the facts with each other. Only people can say whether they are the facts of the game.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from msgspec.structs import asdict

from engine.board.tiles import COLOURS
from engine.facts.facts import CompanyFacts
from engine.facts.powers import ExtendPower, MarkPower
from engine.facts.title import Title
from engine.notation import names
from engine.notation.words import key
from engine.play.rounds import TURN
from engine.play.shares import SHARE
from engine.position.rules import rules_of
from engine.steps.operating.turn_wide import TURN_WIDE
from engine.titles.checks.chart import chart
from engine.titles.checks.debt import debts, mergers
from engine.titles.checks.places import borders, ferries, hexes, locations, rivers
from engine.titles.checks.systems import connections, distress, systems
from engine.titles.checks.tiles import (
    exception_findings,
    rebuild_findings,
    reserved_findings,
    tile_findings,
    upgrade_findings,
)

_SEATS = range(2, 7)
_TRAIN_KEYS = ("removed_on", "obsolete_on", "settled_on")


def check(title: Title) -> tuple[str, ...]:
    """All findings as "place: what is wrong"; () if all is well."""
    return tuple(finding for part in PARTS for finding in part(title))


def players(title: Title) -> Iterator[str]:
    """Numbers of players, their money and certificates."""
    facts = title.facts
    numbers = sorted(int(n) for n in facts.players if n.isdigit())
    for text in facts.players:
        if not text.isdigit() or int(text) not in _SEATS:
            yield f"players.{text}: numbers from {_SEATS[0]} to {_SEATS[-1]} are expected"
    gaps = [n for n in range(numbers[0], numbers[-1]) if n not in numbers] if numbers else []
    yield from (f"players: {n} is missing between its neighbours" for n in gaps)
    for text, seats in facts.players.items():
        if seats.cash <= 0 or seats.certificates <= 0:
            yield f"players.{text}: cash and certificates must be more than 0"
        elif text.isdigit() and int(text) * seats.cash >= facts.bank:
            total = int(text) * seats.cash
            yield f"players.{text}: they begin with ${total}, the bank has ${facts.bank} in all"


def shares(title: Title) -> Iterator[str]:
    """Certificates and limits, in percent."""
    stock = title.facts.stock
    yield from _president("stock.president", stock.president)
    for name in ("float", "player_limit", "market_limit"):
        percent = getattr(stock, name)
        if not 0 < percent <= 100 or percent % SHARE:
            yield f"stock.{name}: {percent} is not a number of shares of {SHARE}%"
    for name in ("float", "player_limit"):
        if getattr(stock, name) < stock.president:
            yield f"stock.{name}: is less than the president's certificate"
    if stock.bid_step < 1:
        yield "stock.bid_step: a bid must be higher than the one before it"
    for par, tokens in stock.par_tokens.items():
        if par not in map(str, title.chart.pars) or tokens < 1:
            yield f"stock.par_tokens.{par}: a par value and the tokens that it brings, please"
    prices = stock.first_private
    if not prices or list(prices) != sorted(prices, reverse=True):
        yield "stock.first_private: prices that fall from round to round are expected"
    lots = [private for group in stock.drawn for private in group]
    for private in dict.fromkeys(lots):
        if private not in title.privates:
            yield f"stock.drawn: there is no private company {private}"
        if lots.count(private) > 1:
            yield f"stock.drawn: {private} stands there twice"
    if any(len(group) < 2 for group in stock.drawn):
        yield "stock.drawn: two private companies at least are expected where lot chooses"


def _president(place: str, percent: int) -> Iterator[str]:
    """Faults of a president's certificate of ``percent`` percent."""
    if not SHARE < percent < 100 or percent % SHARE:
        yield f"{place}: a certificate of {percent}% and others of {SHARE}% do not make 100%"


def operating(title: Title) -> Iterator[str]:
    """Figures of the operating round."""
    facts = title.facts.operating
    for name in ("lays", "first_lays"):
        lays = getattr(facts, name)
        if lays is not None and (lays.yellow < 1 or lays.upgrades < 0):
            yield f"operating.{name}: at least one yellow tile is expected"
    if not facts.station_costs or min(facts.station_costs) < 0:
        yield "operating.station_costs: a cost of the first further token is expected"
    elif facts.station_cost == "distance" and len(facts.station_costs) != 2:
        yield "operating.station_costs: a cost and that of each hex are expected"
    low, high = facts.private_price
    if not 0 <= low <= high:
        yield f"operating.private_price: {low}% to {high}% is not a range"
    for name in ("objective_bonus", "train_min_price", "station_trade"):
        if getattr(facts, name) < 0:
            yield f"operating.{name}: is negative"


def turn(title: Title) -> Iterator[str]:
    """The steps of a company's turn, and what is possible at any time of it."""
    facts = title.facts
    for name, known in (("turn", TURN), ("anytime", TURN_WIDE)):
        for entry in getattr(facts, name):
            if entry not in known:
                yield f"{name}: {entry} is none of {', '.join(known)}"
    if facts.operating.powers == "player":
        return
    for private in facts.private:
        for name, acts in TURN_WIDE.items():
            if acts.power and isinstance(private.power, acts.power) and name not in facts.anytime:
                yield f"anytime: {name} is missing, so nobody can use the power of {private.id}"


def phases(title: Title) -> Iterator[str]:
    """Phases begin with existing trains, in their order, and never allow fewer colors."""
    facts = title.facts
    order = [train.type for train in facts.train]
    reached = -1
    before: tuple[str, ...] = ()
    for index, phase in enumerate(facts.phase):
        place = f"phase {phase.id}"
        if not phase.on and index:
            yield f"{place}: no train begins it"
        elif phase.on and phase.on not in order:
            yield f"{place}: begins with a train {phase.on}, which there is not"
        elif phase.on:
            if order.index(phase.on) < reached:
                yield f"{place}: begins with a train {phase.on}, before the phase above it"
            reached = order.index(phase.on)
        if phase.on in title.trains and not 1 <= phase.nth <= (title.trains[phase.on].count or 1):
            yield f"{place}: there is no train {phase.on} of number {phase.nth}"
        if not phase.tiles or set(phase.tiles) - set(COLOURS):
            yield f"{place}: tiles of {', '.join(COLOURS)} are expected"
        if set(before) - set(phase.tiles):
            yield f"{place}: allows no more {', '.join(c for c in before if c not in phase.tiles)}"
        before = phase.tiles
        if phase.revenue and phase.revenue not in COLOURS:
            yield f"{place}: revenue {phase.revenue} is not a color of tiles"
        if min(phase.train_limit, phase.rounds) < 1 or phase.bank_trains < 0:
            yield f"{place}: train limit and rounds must be more than 0"
        for event in phase.events:
            if event not in rules_of(title).on_event:
                yield f"{place}: the rules know no event {event!r}"


def trains(title: Title) -> Iterator[str]:
    """Trains, and the phases that end them."""
    order = list(title.phases)
    first = {phase.on: order.index(phase.id) for phase in reversed(title.facts.phase)}
    for train in title.facts.train:
        place = f"train {train.type}"
        shortest = 0 if train.counts == "nothing" else 1
        if train.price < 0 or train.reach < shortest or train.count < 0:
            yield f"{place}: price, count and reach must not be negative, and reach not 0"
        for name in _TRAIN_KEYS:
            on = getattr(train, name)
            if not on:
                continue
            if on not in order:
                yield f"{place}: {name} names {on}, but there is no such phase"
            elif order.index(on) <= first.get(train.type, -1):
                yield f"{place}: {name} names {on}, which comes before it"
        for kind in train.doubles:
            if kind not in ("city", "town", "offboard"):
                yield f"{place}: doubles {kind}, which is not a kind of stop"
        if train.extends:
            plain = title.trains.get(train.extends)
            if plain is None or not train.gift or plain.removed_on != train.removed_on:
                yield f"{place}: extends {train.extends}: a train that goes with it is expected"


def privates(title: Title) -> Iterator[str]:
    """Private companies, and the names in their powers."""
    hexes = title.facts.hex
    known: dict[str, tuple[str, set[str]]] = {
        "hex": ("hex of the map", set(hexes)),
        "places": ("hex of the map", set(hexes)),
        "blocks": ("hex of the map", set(hexes)),
        "hexes": ("hex of the map", set(hexes)),
        "tiles": ("tile of the supply", set(title.supply)),
        "terrain": ("hex with the terrain", {t for h in hexes.values() for t in h.terrain}),
        "mark": ("hex with the icon", {icon for h in hexes.values() for icon in h.icons}),
        "company": ("company", set(title.companies)),
        "train": ("train", set(title.trains)),
        **dict.fromkeys(("lost_on", "removed_on", "until"), ("phase", {*title.phases, ""})),
    }
    for private in title.facts.private:
        place = f"private {private.id}"
        if private.par <= 0 or private.revenue < 0:
            yield f"{place}: par must be more than 0, and revenue not less"
        for phase, dollars in private.revenue_from.items():
            if phase not in title.phases or dollars < 0:
                yield f"{place}: revenue_from.{phase}: a phase and the revenue from then on, please"
        if isinstance(private.power, ExtendPower):
            for plain, longer in private.power.trains.items():
                if longer not in title.trains or title.trains[longer].extends != plain:
                    yield f"{place}: there is no train {longer} that extends {plain}"
        for name, value in _pointers(private):
            if name in known and value not in known[name][1]:
                yield f"{place}: {name} names {value}, but there is no such {known[name][0]}"


def _pointers(struct: Any) -> Iterator[tuple[str, str]]:  # noqa: ANN401 - any table of a private
    """(field, text) for the texts of a private company's table and of the tables in it.

    The marker of another power than a mark power has no icon.
    """
    for name, value in asdict(struct).items():
        if name == "mark" and not isinstance(struct, MarkPower):
            continue
        for one in value if isinstance(value, tuple) else (value,):
            if isinstance(one, str):
                yield name, one
            elif hasattr(one, "__struct_fields__"):
                yield from _pointers(one)


def companies(title: Title) -> Iterator[str]:
    """Companies: tokens, homes, objectives and colors."""
    colours: dict[str, str] = {}
    for company in title.facts.company:
        place = f"company {company.id}"
        if company.tokens < 1 and not company.merger:
            yield f"{place}: needs a token for its home"
        if company.homes and company.home not in company.homes:
            yield f"{place}: its home {company.home} is not among its homes"
        yield from _own_shares(title, company)
        homes = (*(company.homes or (company.home,)), *company.more_homes)
        places = [("home", home) for home in homes]
        for what, hex_ in (*places, ("objective", company.objective)):
            if not hex_ and (what == "objective" or company.merger):
                continue
            if hex_ not in title.hexes:
                yield f"{place}: its {what} {hex_} is not a hex of the map"
            elif not any(stop.slots for stop in title.printed[hex_].stops):
                yield f"{place}: its {what} {hex_} has no circle for a token"
        for colour in (company.colour, company.text):
            if not _is_colour(colour):
                yield f"{place}: {colour!r} is not a color such as #1f4e9e"
        other = colours.setdefault(company.colour.lower(), company.id)
        if other != company.id:
            yield f"{place}: has the color of {other}"


def _own_shares(title: Title, company: CompanyFacts) -> Iterator[str]:
    """Faults of a company's own certificate sizes, if it has any."""
    place, stock = f"company {company.id}", title.facts.stock
    if company.president is not None:
        yield from _president(f"{place}, president", company.president)
    if company.president is None and company.float is None:
        return
    least = stock.president if company.president is None else company.president
    percent = stock.float if company.float is None else company.float
    if not least <= percent <= 100 or percent % SHARE:
        yield f"{place}, float: {percent}% are not {least}% to 100% in shares of {SHARE}%"


def _is_colour(text: str) -> bool:
    return len(text) == 7 and text[0] == "#" and not set(text[1:].lower()) - {*"0123456789abcdef"}


def spelling(title: Title) -> Iterator[str]:
    """Each word of players has one meaning: ids, short names, and names of each kind."""
    facts = title.facts
    for what, ids in (
        ("phase", [p.id for p in facts.phase]),
        ("train", [t.type for t in facts.train]),
        ("private", [p.id for p in facts.private]),
        ("company", [c.id for c in facts.company]),
    ):
        yield from (f"{what} {id_}: stands there twice" for id_ in _doubled(ids))
    short = [(f"company {c.id}", (c.id, *c.also)) for c in facts.company]
    short += [
        (f"private {p.id}", (p.id, *p.also, *exact))
        for p, exact in zip(facts.private, _exact(title), strict=True)
    ]
    full = [(f"company {c.id}", (c.name,)) for c in facts.company]
    yield from _alike(short)
    yield from _alike(full)
    yield from _alike([(f"private {p.id}", (p.name,)) for p in facts.private])
    places = {title.location.get(h, h): (f"hex {h}", f.name) for h, f in title.hexes.items()}
    yield from _alike([(place, (name,)) for place, name in places.values() if name])


def _exact(title: Title) -> list[tuple[str, ...]]:
    """The ids of each private company beside its name, in the order of the facts."""
    by_id = {name.id: name.exact for name in names.privates(title)}
    return [by_id[private.id] for private in title.facts.private]


def _doubled(ids: Sequence[str]) -> Iterator[str]:
    yield from dict.fromkeys(id_ for id_ in ids if ids.count(id_) > 1)


def _alike(things: Iterable[tuple[str, tuple[str, ...]]]) -> Iterator[str]:
    """Things whose names players cannot distinguish."""
    seen: dict[str, str] = {}
    for place, texts in things:
        for text in texts:
            if not key(text):
                yield f"{place}: {text!r} has no letter or digit to write it by"
                continue
            other = seen.setdefault(key(text), place)
            if other != place:
                yield f"{place}: {text} is written like {other}"


PARTS: tuple[Callable[[Title], Iterator[str]], ...] = (
    players,
    shares,
    operating,
    turn,
    chart,
    phases,
    trains,
    privates,
    companies,
    hexes,
    borders,
    rivers,
    locations,
    ferries,
    debts,
    mergers,
    systems,
    connections,
    distress,
    tile_findings,
    reserved_findings,
    exception_findings,
    rebuild_findings,
    upgrade_findings,
    spelling,
)
