"""Faults of systems, of connection bonuses, and of the rules for companies in distress."""

from collections import Counter
from collections.abc import Iterator

from engine.facts.title import Title
from engine.play.shares import SHARE


def systems(title: Title) -> Iterator[str]:
    """Systems, which two companies form: their charters, their phase, their certificates."""
    facts = title.facts.systems
    if facts is None:
        return
    for company in facts.companies:
        if company not in title.companies or not title.companies[company].merger:
            yield f"systems.companies: {company} is not a company with merger = true"
    if facts.phase not in title.phases:
        yield f"systems.phase: there is no phase {facts.phase}"
    half = SHARE // 2
    if sum(facts.certificates) != 100 or facts.certificates[:1] != (SHARE,):
        yield f"systems.certificates: a president's certificate of {SHARE}% and others, 100% in all"
    elif not set(facts.certificates) <= {SHARE, half} or half not in facts.certificates:
        yield f"systems.certificates: certificates of {SHARE}% and {half}% are expected"
    if facts.certificates_less < 0:
        yield "systems.certificates_less: is negative"


def connections(title: Title) -> Iterator[str]:
    """Connections join two places, and one of these has a circle for the token."""
    named = Counter(connection.id for connection in title.facts.connections)
    yield from (f"connection {id_}: stands there twice" for id_, n in named.items() if n > 1)
    for connection in title.facts.connections:
        place = f"connection {connection.id}"
        for hex_ in connection.places:
            if hex_ not in title.hexes or not title.printed[hex_].stops:
                yield f"{place}: {hex_} is not a place of the map"
        if min(connection.treasury, connection.route) < 0:
            yield f"{place}: its bonus is negative"
        if connection.token not in connection.places:
            yield f"{place}: its token goes to one of its two places, not to {connection.token}"
        elif connection.token in title.hexes:
            yield from (f"{place}: {text}" for text in _circles(title, connection.token))


def _circles(title: Title, hex_: str) -> Iterator[str]:
    """A fault if a place has no circle for a token beside its homes."""
    circles = sum(stop.slots for stop in title.printed[hex_].stops)
    kept = len(title.homes.get(hex_, ()))
    if circles <= kept:
        yield f"{hex_} has {circles} circles, {kept} of them homes, and none for its token"


def distress(title: Title) -> Iterator[str]:
    """Fire sales and receivership."""
    sale, receivership = title.facts.fire_sale, title.facts.receivership
    if sale is not None and not 0 < sale.least <= 100:
        yield f"fire_sale.least: {sale.least}% is not a part of the market value"
    if sale is not None and sale.step < 1:
        yield "fire_sale.step: a bid must be higher than the one before it"
    if receivership is None:
        return
    train = title.trains.get(receivership.train)
    if train is None or train.count:
        yield f"receivership.train: {receivership.train} is not a train without limit"
