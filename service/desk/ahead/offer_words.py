"""What is told to both sides of proposals: their numbers, and what became of them."""

from collections.abc import Iterator

from engine import Seat
from service.games.changes import Change
from service.games.consents import by_consent
from service.store import OfferRow


def notes(change: Change) -> dict[Seat, str]:
    """What each side is told of the proposals that a change makes, answers or lets lapse."""
    found: dict[Seat, list[str]] = {}
    for seat, text in _told(change):
        found.setdefault(seat, []).append(text)
    return {seat: " ".join(texts) for seat, texts in found.items()}


def quiet(change: Change) -> frozenset[Seat]:
    """The seats for which their own standing consent has answered, as they wanted."""
    return frozenset(row.asked for row in _consented(change))


def _told(change: Change) -> Iterator[tuple[Seat, str]]:
    stood = {row.number: row for row in change.table.offers}
    for row in change.offers:
        old = stood.get(row.number)
        if old is None and row.status == "open":
            text = f"Offer {row.number} waits for {row.asked}'s answer; `withdraw` takes it back."
            yield row.by, text
        elif old is not None and old.status == "open":
            yield from _closed(row)
    for row in _consented(change):
        text = f"Offer {row.number} was {row.status} by standing consent of {row.asked}."
        yield from ((row.by, text), (row.asked, text))


def _closed(row: OfferRow) -> Iterator[tuple[Seat, str]]:
    """What is told of one that nobody has answered."""
    if row.status == "lapsed":
        text = f"Offer {row.number} has lapsed."
        yield from ((row.by, text), (row.asked, text))
    elif row.status == "withdrawn":
        yield row.asked, f"Offer {row.number} was withdrawn by {row.by}."


def _consented(change: Change) -> Iterator[OfferRow]:
    mails = (*change.outcomes, *(went.outcome for went in change.went if went.outcome))
    written = frozenset(p.number for outcome in mails for p in outcome.played)
    return by_consent(change.table.offers, change.offers, written)
