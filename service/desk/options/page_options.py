"""Who may see a game's page: the organizer's choice, and the answers that tell about it."""

from collections.abc import Mapping

from msgspec import structs

from service.games.games import GameSettings, Shown
from service.refusal import Refused

_SHOWN: tuple[Shown, ...] = ("public", "unlisted", "private")


HOW_TO_PAGE = "Write `pages public`, `pages unlisted`, `pages private`. It is {shown} now."
HOW_TO_PAGE_NEW = (
    "Write `pages public`, `pages unlisted`, `pages private` or, for another address, `pages new`. "
    "It is unlisted now."
)
WHERE_IT_IS = "`page` tells where it is."


def paged(settings: GameSettings, text: str) -> tuple[GameSettings, str]:
    """The settings with another choice of who may see the page, in words too. Raises Refused."""
    word = text.strip().lower()
    if word == "new" and settings.shown == "unlisted":
        after = structs.replace(settings, page=settings.page + 1)
    elif word in _SHOWN:
        after = structs.replace(settings, shown=word)
    else:
        how = HOW_TO_PAGE_NEW if settings.shown == "unlisted" else HOW_TO_PAGE
        raise Refused(how.format(shown=settings.shown))
    return after, f"{in_words(after)} {WHERE_IT_IS}"


PUBLIC = (
    "The page of the game is public: everybody may see it, and it is listed with the other public "
    "games."
)
UNLISTED = (
    "The page of the game is unlisted: anybody who has its address can see it, and no list names "
    "the game once it has begun."
)
PRIVATE = (
    "The page of the game is private: it is on no web page; players get it by email, in answer to "
    "`page`."
)
_MEANING: Mapping[Shown, str] = {"public": PUBLIC, "unlisted": UNLISTED, "private": PRIVATE}


def in_words(settings: GameSettings) -> str:
    """Who may see the page of a game."""
    return _MEANING[settings.shown]
