"""Commands about who plays a seat: resign, away, back, deputy, replace."""

import re

from service.commands.entry import OFFICES, Below, Entry, Who
from service.desk.answering.effects import singly
from service.desk.seats import absences, leaving, vacancies

ENTRIES = (
    Entry(
        "deputy",
        "deputy eve@example.org",
        "ask somebody to act for you; `… until 2027-03-14`, `deputy off`",
        "deputy eve@example.org until 2027-03-14",
        singly(leaving.deputy),
        Who.PLAYER,
    ),
    Entry(
        "away",
        "away FROM to TO [deputy ADDRESS]",
        "take leave: your clock stands still, and all players see it",
        "away 3 Aug to 17 Aug",
        singly(absences.away),
        Who.PLAYER,
        first=True,
    ),
    Entry(
        "back",
        "back",
        "you play again: your leave is over, nobody acts for you or is to take your seat",
        "back",
        singly(leaving.back),
        Who.PLAYER,
        form=re.compile(r"back(?:\s+now)?[.!]*", re.IGNORECASE),
        first=True,
    ),
    Entry(
        "resign",
        "resign",
        "leave the game for good, once you have said that you are sure",
        "resign yes",
        singly(leaving.resign),
        Who.PLAYER,
    ),
    Entry(
        "replace",
        "replace Bob because …",
        "offer a seat to the standbys, or to an address: `replace Bob by "
        "eve@example.org because …`; `replace Bob off`",
        "replace Bob because nobody can reach Bob",
        singly(vacancies.replace_),
        OFFICES,
        line=True,
        below=Below.WORDS,
    ),
)
