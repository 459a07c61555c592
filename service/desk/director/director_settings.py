"""What a director sets about a game that runs: its clock, and what follows when a time is over.

It knows no mail and no clock of its own. The words, and what they may be, are those that an
organiser chooses by before the game begins.
"""

from dataclasses import dataclass

from service.desk.director.director_words import HOW
from service.desk.lobby.lobby import Denied
from service.desk.lobby.lobby_options import OPTIONS, with_settings
from service.games.directing import Barred
from service.games.games import GameSettings, GameTable

#: settings that bear on the clocks that run
_ANEW = "Banks are full, and who must answer has the whole time from now on: `clock` tells it."


@dataclass(frozen=True)
class Setting:
    """Settings as they are then; ``text`` is what was set, ``told`` what that means."""

    settings: GameSettings
    text: str
    told: str


def chosen(table: GameTable, settings: GameSettings, text: str) -> Setting:
    """What a line such as `clock each 72h` makes of a game's settings. Raises Barred."""
    word, _, rest = text.strip().partition(" ")
    word = word.lower()
    try:
        after, told = OPTIONS[word](with_settings(table, settings), rest)
    except Denied as wrong:
        raise Barred(str(wrong)) from wrong
    if after.settings == settings:
        raise Barred(f"It is so already: {told} As in {HOW['set']}.")
    if word == "clock" and after.settings.clock:
        told = f"{told} {_ANEW}"
    return Setting(after.settings, f"{word} {' '.join(rest.split())}", told)
