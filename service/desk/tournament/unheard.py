"""Letters of a tournament that do not arrive: its director is told who cannot be reached."""

import re

from service.desk.letters.post import Desk
from service.desk.tournament.acts import ASSISTANT, DIRECTOR
from service.desk.tournament.known import ENTRY, know
from service.desk.tournament.letters import Words, to_director
from service.store import Letter, OutboxRow, Store

#: how the reader of a letter is named in its key; see `Desk.to_ticket`
_READER = re.compile(rf".*:([a-z0-9-]+)/({ENTRY}|{DIRECTOR}|{ASSISTANT})-(?:{ENTRY}-)?(\w+)-\w+")


UNREACHED = "{name} at {address} cannot be reached: {why}."
UNREACHED_SUBJECT = "{name} cannot be reached"
ASSISTANT_UNREACHED = "Your assistant at {address} cannot be reached: {why}."
ASSISTANT_UNREACHED_SUBJECT = "Your assistant cannot be reached"
DID_NOT_ARRIVE = (
    "An email of the tournament did not arrive. More that fail within a day are not told one by "
    "one."
)
ANOTHER_WAY = (
    "If you have another way to write to them: they may enter a new address in a "
    "reply to any email they have, `address …`, or you take them out, `withdraw "
    "NAME because …`."
)


def letters(store: Store, desk: Desk, letter: OutboxRow, why: str) -> list[Letter]:
    """To the director of the tournament that a failed letter was of; () for all other letters.

    ``why`` says in a clause what their server had against it.
    """
    found = _READER.fullmatch(letter.key)
    if found is None or found[2] == DIRECTOR:
        return []
    with store.transaction() as tx:
        known = know(tx, found[1])
    if known is None or known.cup.status in ("ended", "abandoned"):
        return []
    name, text = "", ASSISTANT_UNREACHED.format(address=letter.recipient, why=why)
    if found[2] == ENTRY:
        entry = next((e for e in known.cup.entries if str(e.number) == found[3]), None)
        if entry is None or entry.state not in ("entered", "waiting", "leave", "standby"):
            return []
        name = entry.name
        text = UNREACHED.format(name=name, address=letter.recipient, why=why)
    lines = (
        DID_NOT_ARRIVE,
        ANOTHER_WAY,
    )
    subject = UNREACHED_SUBJECT.format(name=name) if name else ASSISTANT_UNREACHED_SUBJECT
    said = Words(subject, text, lines, kind="undelivered")
    return [to_director(desk, known, said)]
