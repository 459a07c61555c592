"""Emails of a tournament that did not arrive: its director gets an email about them."""

import re

from service.desk.letters.desk import Desk
from service.desk.tournament.letters.tournament_letters import (
    CONCERNED,
    ENTRY,
    TournamentText,
    to_director,
)
from service.desk.tournament.stored.keeping import tournament_called
from service.store import Letter, OutboxRow, Tx
from service.tournaments.acts import ASSISTANT, DIRECTOR

#: the reader's name in the key of an email; see `Desk.to_ticket`
_READER = re.compile(rf".*:([a-z0-9-]+)/({ENTRY}|{DIRECTOR}|{ASSISTANT})-(?:{ENTRY}-)?(\w+)-\w+")
UNREACHED = "{name} cannot be reached at {address}: {why}."
YOUR_ASSISTANT = "Your assistant"
DID_NOT_ARRIVE = (
    "An email of the tournament did not arrive. If more fail within a day, you get no email about "
    "each."
)
ANOTHER_WAY = (
    "If you can reach them another way, ask them to send `address …` with a new address in reply "
    "to any email of the tournament. Or withdraw them: `withdraw NAME because …`."
)


def to_its_director(reads: Tx, desk: Desk, letter: OutboxRow, why: str) -> list[Letter]:
    """To the director of the tournament whose email failed; () for all other emails.

    ``why`` is the reason of the reader's server, in a clause.
    """
    found = _READER.fullmatch(letter.key)
    if found is None or found[2] == DIRECTOR:
        return []
    tournament = tournament_called(reads, found[1])
    if tournament is None or tournament.over:
        return []
    name = YOUR_ASSISTANT
    if found[2] == ENTRY:
        entry = next((e for e in tournament.entries if str(e.number) == found[3]), None)
        if entry is None or entry.state not in CONCERNED:
            return []
        name = entry.name
    text = UNREACHED.format(name=name, address=letter.recipient, why=why)
    said = TournamentText(text, (DID_NOT_ARRIVE, ANOTHER_WAY), kind="undelivered")
    return [to_director(desk, tournament, said)]
