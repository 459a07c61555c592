"""How a game ends and who wins it (5, 5.1)."""

from collections.abc import Mapping, Sequence

from engine.events import EndForeseen, ExtraRound, GameEnded
from engine.play.rounds import begin_operating_round, begin_stock_round
from engine.position.draft import Draft
from engine.position.table import Table
from engine.position.values import CompanyId, Ending, Seat


def worth(table: Table, seat: Seat) -> int:
    """Dollars of a player at the end (5.1): cash, shares at market value, and more in some titles.

    Bonds count at face value, and private companies at par unless the title leaves them out. A
    bankrupt player's cash is lost. A player who went bankrupt while others played on has nothing.
    """
    if seat in table.at.out:
        return 0
    ending, facts = table.at.ending, table.title.facts
    total = 0 if ending is not None and ending.bankrupt == seat else table.at.cash[seat]
    for company in table.at.shares:
        held = table.percent(company, seat)
        total += table.part(company, final_price(table, company), held, up=True)
    if facts.bonds:
        total += table.at.bonds.get(seat, 0) * facts.bonds.value
    for private in table.privates_of(seat) if facts.privates_worth else ():
        total += table.title.privates[private].par
    return total


def final_price(table: Table, company: CompanyId) -> int:
    """Dollars of a share at the end: market value, less a part for loans and issued bonds.

    It may be negative (18GL 5).
    """
    facts, price = table.title.facts, table.price(company)
    if facts.loans:
        price -= table.at.loans.get(company, 0) * facts.loans.loss
    if facts.bonds and facts.bonds.company == company:
        issued = sum(n for owner, n in table.at.bonds.items() if owner != company)
        price -= issued * facts.bonds.loss
    return price


def end_if_alone(draft: Draft) -> bool:
    """End the game at once if only one player is left, who wins; returns whether it ended (18GL
    5)."""
    if len(draft.table.playing) > 1:
        return False
    draft.foresee(Ending("survivor"))
    draft.record(EndForeseen("survivor"))
    end_game(draft)
    return True


def after_round(draft: Draft) -> None:
    """After an operating round: the end, another operating round, or a stock round."""
    now, ending = draft.round, draft.ending
    in_set = now.part < now.parts
    if ending is not None and ending.full_set and in_set:
        begin_operating_round(draft, now.part + 1, now.parts)
    elif ending is not None and ending.rounds <= 0:
        end_or_break_tie(draft, ending)
    elif ending is not None:
        draft.foresee(Ending(ending.cause, ending.rounds - 1, ending.bankrupt, ending.extra))
        after_round(draft)
    elif in_set:
        begin_operating_round(draft, now.part + 1, now.parts)
    else:
        begin_stock_round(draft)


def end_or_break_tie(draft: Draft, ending: Ending) -> None:
    """End the game, or play the extra round of 5.1 if all players have agreed on it."""
    totals = {seat: worth(draft.table, seat) for seat in draft.seats}
    best = max(totals.values())
    first = tuple(seat for seat in draft.seats if totals[seat] == best)
    tied = len(first) > 1 and not ending.extra and not ending.bankrupt
    if tied and draft.title.facts.extra_round_on_tie:
        draft.record(ExtraRound(first))
        draft.foresee(Ending(ending.cause, 0, "", True))
        begin_operating_round(draft, draft.round.part + 1, draft.round.part + 1)
        return
    end_game(draft)


def rank(out: Sequence[Seat], seat: Seat, worth: int) -> tuple[bool, int]:
    """A sort key for places, least first: highest worth first, players who are ``out`` last."""
    return seat in out, -worth


def places(out: Sequence[Seat], worth: Mapping[Seat, int]) -> dict[Seat, int]:
    """Each seat's place at the end, 1 for the first; equal seats share the better place."""
    keys = {seat: rank(out, seat, own) for seat, own in worth.items()}
    return {seat: 1 + sum(other < own for other in keys.values()) for seat, own in keys.items()}


def end_game(draft: Draft) -> None:
    """End the game: nothing more is to be decided."""
    ending = draft.ending
    assert ending is not None
    draft.end()
    totals = {seat: worth(draft.table, seat) for seat in draft.seats}
    ranked = sorted(totals, key=lambda seat: rank(draft.out, seat, totals[seat]))
    draft.record(GameEnded(ending.cause, {seat: totals[seat] for seat in ranked}))
