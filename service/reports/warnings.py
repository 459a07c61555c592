"""Warnings for a player, each computed from the position."""

from collections.abc import Iterator

from engine import Choice, Seat
from engine.actions import GoBankrupt
from engine.facts.facts import Phase
from engine.inquiry import (
    cheapest,
    credit,
    forced_offer,
    funds,
    has_route,
    holdings,
    must_buy,
    presidency_after,
    shortfall,
)
from engine.position.frames import Trains
from engine.position.values import CLOSED, MARKET, OFFERING
from engine.wording import halves, listed
from service.reports.decisions import words_of
from service.reports.decisions.operating import closes_with_train
from service.reports.scene import Scene

#: a type with so few trains left gets a warning
_FEW = 2
#: the percentage of the bank's first money below which a warning comes
_LOW = 10
#: the events of phases, in the words of players
_EVENTS = {
    "close privates": "private companies close",
    "merger": "perhaps a merger of companies without trains",
    "civil war": "the Civil War, in which one train of each company that runs earns nothing",
}


def warnings(scene: Scene, seat: Seat) -> tuple[str, ...]:
    """All warnings for a player, the most urgent first."""
    if not scene.state.stack:
        return ()
    return (
        *_ending(scene),
        *_certificates(scene, seat),
        *words_of(scene.state).warnings(scene, scene.state.stack[-1], seat),
        *_forced(scene, seat),
        *_trainless(scene, seat),
        *_trains(scene, seat),
        *_founders(scene, seat),
        *_presidencies(scene, seat),
    )


def _ending(scene: Scene) -> Iterator[str]:
    ending, bank = scene.state.ending, scene.view.bank
    if ending is not None:
        more = f" and {ending.rounds} more" if ending.rounds else ""
        what = "after this set of operating rounds" if ending.full_set else "after this round"
        if ending.full_set and scene.state.round.kind == "SR":
            what = "after the next set of operating rounds"
        yield f"The game ends {what}{more}."
    elif bank * 100 < scene.title.facts.bank * _LOW:
        yield f"The bank has {scene.money(bank)} left; the game ends when it has none."


def _certificates(scene: Scene, seat: Seat) -> Iterator[str]:
    player = scene.players[seat]
    when = "in your next stock turn" if scene.view.company else "before your turn can end"
    for company, own in player.shares.items():
        most = scene.table.holding_limit(company, seat)
        if own > most:
            yield f"You hold {own}% of {company}, the limit is {most}%: you must sell {when}."
    if player.certificates > player.limit:
        text = f"You hold {halves(player.certificates)} certificates, the limit is {player.limit}"
        yield f"{text}: you must sell {when}."


def _forced(scene: Scene, seat: Seat) -> Iterator[str]:
    company = scene.view.company
    if scene.state.presidents.get(company) != seat or not must_buy(scene.table, company):
        return
    frame = scene.state.stack[-1]
    smallest = frame.smallest if isinstance(frame, Trains) else 0
    offer, cash = cheapest(scene.table, company), scene.state.cash[company]
    every = scene.title.facts.operating.must_own == "all"
    text = f"{company} has {'' if every else 'a route and '}no train: it must buy one this turn. "
    text += (
        f"The cheapest, {offer.words}, costs "
        f"{scene.money(offer.price)}; {company} has {scene.money(cash)}"
    )
    missing = shortfall(scene.table, company, smallest)
    lent = credit(scene.table, company)
    bonds = funds(scene.table, company) - cash
    if bonds and cash < offer.price <= cash + bonds:
        text += f" and bonds of {scene.money(bonds)} that are as good as cash for it"
        cash += bonds
    elif offer.price > cash and lent:
        offer = forced_offer(scene.table, company)
        text += (
            f" and can borrow {scene.money(lent)} for {offer.words} at {scene.money(offer.price)}"
        )
        cash += lent
    if missing > 0:
        text += f", you have {scene.money(scene.state.cash[seat])}: "
        if _ruined(scene, seat):
            text += f"you are {scene.money(missing)} short, and can sell no shares"
        else:
            text += f"{scene.money(missing)} must come from selling shares"
    elif offer.price > cash:
        text += f", you add {scene.money(offer.price - cash)}"
    yield f"{text}."


def _ruined(scene: Scene, seat: Seat) -> bool:
    """Whether the player has nothing left to sell, and goes bankrupt."""
    choices = (one for one in scene.options(seat) if isinstance(one, Choice))
    return any(isinstance(one.action, GoBankrupt) for one in choices)


def _trainless(scene: Scene, seat: Seat) -> Iterator[str]:
    """The player's companies without a train, except the operating one."""
    for company in scene.view.companies:
        mine = company.president == seat and company.floated and company.id != scene.view.company
        if not mine or company.trains or not company.turns:
            continue
        every = scene.title.facts.operating.must_own == "all"
        if every or has_route(scene.table, company.id):
            yield f"{company.id} has no train and must buy one by the end of its next turn."


def _trains(scene: Scene, seat: Seat) -> Iterator[str]:
    """The next change of phase by a train, if it is near."""
    offered = scene.state.trains[OFFERING]
    phase = next((p for p in scene.title.facts.phase if not scene.table.begun(p.id)), None)
    if phase is None or phase.on not in offered:
        return
    brings = _brings(scene, seat, phase)
    first, before = offered[0], _before(scene, phase)
    if brings and not before:
        yield f"The player who buys the next train, a {first}, begins {brings}."
    elif brings and before <= _FEW:
        trains = f"{first} train{'s' * (before > 1)} {'more' if phase.on == first else 'left'}"
        lead = f"{'One' if before == 1 else 'Two'} {trains}"
        yield f"{lead}; the {phase.on} after that begins {brings}."


def _before(scene: Scene, phase: Phase) -> int:
    """The bank's new trains that are sold before the one that starts the phase."""
    offered, kind = scene.state.trains[OFFERING], scene.title.trains[phase.on]
    sold = kind.count - offered.count(phase.on)
    return offered.index(phase.on) + max(0, phase.nth - 1 - sold)


def _brings(scene: Scene, seat: Seat, phase: Phase) -> str:
    """The changes by a phase, and the player's assets that suffer."""
    title, now = scene.title, scene.table.phase
    effects = list(_phase(scene, seat, now, phase))
    owned = {train for company in scene.view.companies for train in company.trains}
    for kind in title.facts.train:
        if kind.extends and kind.type not in owned:
            continue
        if kind.removed_on == phase.id:
            effects.append(f"all {kind.type} trains rust{_lost(scene, seat, kind.type)}")
        elif kind.obsolete_on == phase.id:
            text = f"{kind.type} trains run once more{_lost(scene, seat, kind.type)}"
            effects.append(text)
    return f"phase {phase.id}: {', '.join(effects)}" if effects else ""


def _phase(scene: Scene, seat: Seat, now: Phase, phase: Phase) -> Iterator[str]:
    for colour in phase.tiles:
        if colour not in now.tiles:
            yield f"{colour} tiles"
    if phase.train_limit != now.train_limit:
        yield f"train limit {phase.train_limit}"
    if phase.company_privates and not now.company_privates:
        yield "companies may buy private companies"
    open_ = any(owner != CLOSED for owner in scene.state.privates.values())
    for event in phase.events:
        if event == "close privates" and open_:
            mine = _privates(scene, seat)
            yield f"{_EVENTS[event]}{f' (your {listed(mine)})' if mine else ''}"
        elif event != "close privates":
            yield _EVENTS.get(event, event)


def _privates(scene: Scene, seat: Seat) -> list[str]:
    """Open private companies of a player and of the companies whose president they are."""
    presidents = scene.state.presidents
    owners = scene.state.privates.items()
    return [p for p, owner in owners if owner == seat or presidents.get(owner) == seat]


def _founders(scene: Scene, seat: Seat) -> Iterator[str]:
    """The player's private companies that close when their company buys its first train."""
    for company in scene.title.founders:
        private = closes_with_train(scene, company)
        if private and scene.state.privates[private] == seat:
            yield f"Your {private} closes when {company} buys its first train."


def _lost(scene: Scene, seat: Seat, train: str) -> str:
    hit = [
        f"{c.id} has {c.trains.count(train)}"
        for c in scene.view.companies
        if c.president == seat and train in c.trains
    ]
    return f" (your {', '.join(hit)})" if hit else ""


def _presidencies(scene: Scene, seat: Seat) -> Iterator[str]:
    """Presidencies that one purchase would change, from or to the player."""
    table = scene.table
    for company, president in scene.state.presidents.items():
        share = table.share(company)
        if not any(table.percent(company, owner) for owner in (OFFERING, MARKET, company)):
            continue
        for buyer in scene.state.seats:
            if buyer == president or seat not in (buyer, president):
                continue
            held = holdings(table, company)
            held[buyer] += share
            takes = presidency_after(table, company, held) == buyer
            if not takes or held[buyer] > table.player_limit(company):
                continue
            if buyer == seat:
                yield f"One more share of {company} makes you its president."
            else:
                own = table.percent(company, seat)
                text = f"{buyer} holds {held[buyer] - share}% of your {company}, you {own}%"
                yield f"{text}: one more share makes {buyer} its president."
