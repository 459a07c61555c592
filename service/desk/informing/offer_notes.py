"""Notes to both sides about offers that begin, are answered, or expire."""

from collections.abc import Iterator

from engine import Seat
from service.games.changes import Change
from service.games.offers import by_consent
from service.store import OfferRow


def offer_notes(change: Change) -> dict[Seat, str]:
    """The notes to each side about offers that a change answers or lets expire."""
    found: dict[Seat, list[str]] = {}
    for seat, text in _told(change):
        found.setdefault(seat, []).append(text)
    return {seat: " ".join(texts) for seat, texts in found.items()}


def consented_quietly(change: Change) -> frozenset[Seat]:
    """The seats for which an advance answer replied, as they wanted."""
    return frozenset(row.asked for row in _consented(change))


OFFER_WAITS = "Offer {number} waits for {name}'s answer; `withdraw` takes it back."


def offers_waiting(change: Change) -> dict[Seat, str]:
    """The notes that are due at once about an offer, which is valid until it is answered."""
    known = {row.number for row in change.table.offers}
    return {
        row.by: OFFER_WAITS.format(number=row.number, name=row.asked)
        for row in change.offers
        if row.number not in known and row.status == "open"
    }


CONSENT_ACCEPTED = "Offer {number} was accepted by standing consent of {name}."
CONSENT_DECLINED = "Offer {number} was declined by standing consent of {name}."


def _told(change: Change) -> Iterator[tuple[Seat, str]]:
    stood = {row.number: row for row in change.table.offers}
    for row in change.offers:
        old = stood.get(row.number)
        if old is not None and old.status == "open":
            yield from _closed(row)
    for row in _consented(change):
        consented = CONSENT_ACCEPTED if row.status == "accepted" else CONSENT_DECLINED
        text = consented.format(number=row.number, name=row.asked)
        yield from ((row.by, text), (row.asked, text))


OFFER_LAPSED = "Offer {number} has expired."
OFFER_WITHDRAWN = "Offer {number} was withdrawn by {name}."


def _closed(row: OfferRow) -> Iterator[tuple[Seat, str]]:
    """The note about an offer that nobody has answered."""
    if row.status == "lapsed":
        text = OFFER_LAPSED.format(number=row.number)
        yield from ((row.by, text), (row.asked, text))
    elif row.status == "withdrawn":
        yield row.asked, OFFER_WITHDRAWN.format(number=row.number, name=row.by)


def _consented(change: Change) -> Iterator[OfferRow]:
    mails = (*change.outcomes, *(went.outcome for went in change.went if went.outcome))
    written = frozenset(p.number for outcome in mails for p in outcome.played)
    return by_consent(change.table.offers, change.offers, written)
