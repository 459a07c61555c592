"""Claims about a position, as a game script writes them after "=": judges and writes them.

A claim begins with its subject: a player, a company, "acts" or one of ``ABOUT``. Commas separate
several claims: ``Ann 580, L&N price 105 cash 240 trains 2 3, phase 3, acts Bob``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine import State, Title, to_act
from engine.notation import orientation
from engine.play.ending import worth
from engine.position.table import Table
from engine.position.values import BANK, MARKET, OFFERING


class Wrong(ValueError):
    """A claim that does not hold, or that says nothing."""


class Senseless(Wrong):
    """A claim that is impossible in every position of the game."""


def _one(words: Sequence[str]) -> str:
    return " ".join(words)


def _over(table: Table, words: Sequence[str]) -> str:
    """ "over", or "over bank"; returns the claim as far as it is true."""
    ending = table.at.ending
    if table.at.stack or ending is None:
        return "not over"
    return ending.cause if words else ""


def _tile(table: Table, words: Sequence[str]) -> str:
    hex_ = words[0] if words else ""
    if hex_ not in table.at.tiles:
        return f"{hex_} without a tile"
    tile, rotation = table.at.tiles[hex_]
    way = [orientation(table.title, tile, rotation)] if len(words) > 2 else []
    return _one([hex_, tile, *way])


def _private(table: Table, words: Sequence[str]) -> str:
    private = words[0] if words else ""
    return f"{private} {table.at.privates.get(private, 'unknown')}"


def _ferry(table: Table, words: Sequence[str]) -> str:
    """ "ferry NAME WHOSE": the company with its token, "closed", or "nobody"."""
    name = _one(words[:-1])
    owner = table.at.ferries.get(name, "closed")
    return _one([name, "nobody" if owner == BANK else owner])


#: claims about the whole position: (position, words of the claim) → the true value
ABOUT: dict[str, Callable[[Table, Sequence[str]], str]] = {
    "phase": lambda table, _: table.at.phase,
    "round": lambda table, _: str(table.at.round),
    "bank": lambda table, _: str(table.at.cash[BANK]),
    "priority": lambda table, _: table.at.priority,
    "over": _over,
    "tile": _tile,
    "private": _private,
    "ferry": _ferry,
    "out": lambda table, _: _one(table.at.out) or "nobody",
    "gone": lambda table, _: _one(table.at.gone) or "none",
}

#: claims about a company: (position, company) → the true value
COMPANY: dict[str, Callable[[Table, str], str]] = {
    "price": lambda table, company: str(table.price(company)),
    "par": lambda table, company: str(table.at.pars.get(company, 0)),
    "cash": lambda table, company: str(table.at.cash[company]),
    "president": lambda table, company: table.at.presidents.get(company, "none"),
    "trains": lambda table, company: _one(table.at.trains.get(company, ())) or "none",
    "earned": lambda table, company: str(table.at.earned.get(company, 0)),
    "tokens": lambda table, company: str(table.at.charters[company]),
    "market": lambda table, company: str(table.percent(company, MARKET)),
    "ipo": lambda table, company: str(table.percent(company, OFFERING)),
    "treasury": lambda table, company: str(table.percent(company, company)),
    "loans": lambda table, company: str(table.at.loans.get(company, 0)),
    "bonds": lambda table, company: str(table.at.bonds.get(company, 0)),
    "stations": lambda table, company: (
        _one(sorted(hex_ for hex_, _ in table.stations_of(company))) or "none"
    ),
}

#: claims about a player except shares: (position, seat) → the true value
PLAYER: dict[str, Callable[[Table, str], str]] = {
    "cash": lambda table, seat: str(table.at.cash[seat]),
    "worth": lambda table, seat: str(worth(table, seat)),
    "certificates": lambda table, seat: str(table.certificates(seat)),
    "bonds": lambda table, seat: str(table.at.bonds.get(seat, 0)),
}


def judge(title: Title, state: State, text: str) -> None:
    """Raise Wrong for the first claim in ``text`` that does not hold, with the true value.

    Raises Senseless if it could not hold in any position.
    """
    table = Table(title, state)
    for claim in text.split(","):
        words = claim.split()
        if not words:
            raise Senseless("a claim is missing")
        subject, *rest = words
        if subject == "acts":
            _compare(subject, _one(rest), _one(to_act(title, state)))
        elif subject in ABOUT:
            _compare(subject, _one(rest), ABOUT[subject](table, rest))
        elif subject in table.at.seats:
            shares = {company: _percent(company) for company in table.title.companies}
            first = ["cash"] if rest and rest[0].isdecimal() else []
            _details(table, subject, [*first, *rest], {**PLAYER, **shares})
        elif subject in table.title.companies:
            _details(table, subject, rest, COMPANY)
        else:
            known = ", ".join(ABOUT)
            raise Senseless(f"{subject} is not a player or company, nor one of acts, {known}")


def _percent(company: str) -> Callable[[Table, str], str]:
    return lambda table, seat: str(table.percent(company, seat))


def _details(
    table: Table, subject: str, words: list[str], known: dict[str, Callable[[Table, str], str]]
) -> None:
    """Judge claims about one player or company: pairs of a key and a value."""
    if not words or words[0] not in known:
        raise Senseless(f"of {subject} one can say {', '.join(known)}")
    while words:
        key = words.pop(0)
        said: list[str] = []
        while words and (words[0] not in known or not said):
            said.append(words.pop(0))
        _compare(f"{subject} {key}", _one(said), known[key](table, subject))


def _compare(what: str, said: str, true: str) -> None:
    if said != true:
        raise Wrong(f"{what} is {true}, not {said}")


def describe(title: Title, state: State) -> list[str]:
    """The claims that describe a game at the beginning of a round or at its end."""
    table = Table(title, state)
    money = [f"{seat} {state.cash[seat]}" for seat in state.seats]
    if not state.stack and state.ending is not None:
        worths = [f"{seat} worth {worth(table, seat)}" for seat in state.seats]
        return [f"over {state.ending.cause}", ", ".join(worths)]
    lines = [f"round {state.round}, phase {state.phase}, bank {state.cash[BANK]}"]
    lines.append(", ".join(money))
    for company in table.priced():
        president = COMPANY["president"](table, company)
        details = f"president {president} price {table.price(company)}"
        if company in state.floated:
            trains = COMPANY["trains"](table, company)
            details += f" cash {state.cash[company]} trains {trains}"
            if state.loans.get(company):
                details += f" loans {state.loans[company]}"
        lines.append(f"{company} {details}")
    return lines
