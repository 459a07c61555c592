"""Decides which names a player, a game or a tournament may have, and which player a name means.

A name must differ from all others, also in its look. It must mean nothing to the program or to
readers. Words with a meaning are those of the table of commands, in all spellings, and those of
moves and orders.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from confusable_homoglyphs.categories import unique_aliases
from confusable_homoglyphs.confusables import confusables_data

from engine import Title
from engine.notation.names import match, seats
from engine.notation.verbs import VERBS_BY_NAME
from engine.notation.words import key
from engine.wording import cut, listed
from service.commands.command import SHOWN
from service.commands.entry import Entry
from service.orders import grammar
from service.refusal import Refused
from service.said import DOES_NOT_PLAY

#: UTS #39 5.2, "highly restrictive": scripts that may be mixed
_TOGETHER = (
    {"LATIN", "HAN", "HIRAGANA", "KATAKANA"},
    {"LATIN", "HAN", "BOPOMOFO"},
    {"LATIN", "HAN", "HANGUL"},
)
_ANY = {"COMMON", "INHERITED"}


def mixed(name: str) -> tuple[str, ...]:
    """The scripts of a name that mixes scripts which do not go together; otherwise ()."""
    scripts = set(unique_aliases(name)) - _ANY
    if len(scripts) < 2 or any(scripts <= together for together in _TOGETHER):
        return ()
    return tuple(sorted(script.replace("_", " ").title() for script in scripts))


def alike(name: str, others: Iterable[str]) -> str:
    """The first of the other names that looks like this one; "" if none does."""
    own = skeletons(name)
    return next((other for other in others if own & skeletons(other)), "")


@lru_cache(maxsize=4096)
def skeletons(name: str) -> frozenset[str]:
    """The looks of a name, as written and in lower case. Two names with a common one look alike."""
    forms = (_skeleton(form).lower() for form in (name, name.casefold()))
    # the data has rn for m, but not two v for w
    return frozenset(form.replace("w", "vv") for form in forms)


def look(name: str) -> str:
    """The look of a game's name; games whose names look alike have the same."""
    return min(skeletons(_bare(name)))


def _skeleton(name: str) -> str:
    """The skeleton of UTS #39 4 without marks; two names with the same skeleton look the same."""
    return _plain("".join(_looks(sign) for sign in _plain(name)))


def _plain(text: str) -> str:
    """The text without marks; the data also separates strokes from their letters as marks."""
    every = unicodedata.normalize("NFKD", text)
    return "".join(sign for sign in every if not unicodedata.combining(sign))


@cache
def _looks(sign: str) -> str:
    """The prototype of a character; that of its other case, if only that has one.

    The data gives b for Ƅ, but for ƅ nothing that leads to a letter which people know.
    """
    every = (_prototype(form) for form in (sign, sign.lower(), sign.upper()) if len(form) == 1)
    found = list(every)
    return next((one for one in found if _plain(one).isascii()), found[0])


@cache
def _prototype(sign: str) -> str:
    """The character or characters that represent all that look like this one."""
    near = _alike(sign)
    if len(near) != 1:
        # Several characters look like it, so it is their prototype, or it has none.
        return sign
    [other] = near
    if len(other) > 1 or len(_alike(other)) > 1:
        return other
    return min(sign, other)


def _alike(sign: str) -> set[str]:
    """The characters that the data calls similar, without its direction marks."""
    every = (str(one["c"]).strip("\u200e\u200f") for one in confusables_data.get(sign, ()))
    return {one for one in every if one and one != sign}


_NAME = re.compile(r"(?=.{2,16}$)[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
#: a dot may come after an initial or at the end; email programs make links of names such as t.co
_SEAT = re.compile(r"(?!.*\.\w{2})[^\W\d_][\w.'-]{0,15}")
#: words for people with power over games or who speak for the program; no name may contain one
_OFFICES = (
    *("administrator", "assistant", "caretaker", "director", "moderator", "operator"),
    *("organiser", "organizer", "postmaster", "waybill"),
)
#: other people in emails, and words that replace the name of a player or a company in commands
_PEOPLE = (
    *("admin", "all", "anybody", "anyone", "bot", "deputy", "everybody", "everyone", "host"),
    *("me", "nobody", "noone", "none", "observer", "player", "players", "president"),
    *("somebody", "someone", "standby", "system", "table", "you", "us"),
    *("bank", "company", "for", "from", "ipo", "market", "offering", "pool", "private", "share"),
    *("shares", "to", "train", "trains", "treasury", "done", "pass", "yes", "no"),
)
#: words of the program that are in no table
_OURS = ("bounce", "enter", "more", "order", "play")
#: words before a name that could make it pass for another word
_ARTICLES = ("the", "our", "your", "my")
#: the length from which on a word is also refused if it only looks like another
_LONG = 4


def _firsts(commands: Sequence[Entry]) -> frozenset[str]:
    """The first words of all commands, and their names."""
    return frozenset(word for one in commands for word in (*one.words, one.name, *one.also))


@cache
def _words(commands: Sequence[Entry]) -> frozenset[str]:
    """All words that have a meaning in some line, in the spelling of `key`."""
    every = [*_OFFICES, *_PEOPLE, *_OURS, *_firsts(commands), *grammar.words()]
    return frozenset(filter(None, map(key, every)))


@cache
def _to_games(commands: Sequence[Entry]) -> tuple[str, ...]:
    """Names that a game cannot have: words before games' names, or in their addresses."""
    return tuple(sorted({*_OFFICES, *_OURS, *_firsts(commands)}))


NO_PLAYERS_NAME = (
    "{name} cannot be a player's name: one word of up to 16 letters, please. A dot can follow an "
    "initial, as in J.R."
)
MEANS_SOMETHING = "{name} means something else in {title}. Take another name."
IS_TAKEN = "Somebody is called {name} in {game} already: choose another name."


def why_no_player(
    title: Title, where: str, name: str, others: Sequence[str], commands: Sequence[Entry]
) -> str:
    """The reason why a player in a title cannot have this name; "" if they can.

    ``others`` are the other players' names. ``where`` is the game or the tournament, ``commands``
    are all that anybody may write.
    """
    if not _SEAT.fullmatch(name):
        return NO_PLAYERS_NAME.format(name=shown(name))
    things = {a for p in title.facts.private for a in p.also}
    things |= {a for c in title.facts.company for a in c.also}
    things |= {*title.companies, *title.privates}
    things |= {name for name, verb in VERBS_BY_NAME.items() if verb.known(title)}
    bare, words = _bare(name), _words(tuple(commands))
    if {bare, _without_article(bare)} & (words | {key(thing) for thing in things}):
        return MEANS_SOMETHING.format(name=name, title=title.name)
    if bare in {_bare(other) for other in others}:
        return IS_TAKEN.format(name=name, game=where)
    reserved = sorted(word for word in words if len(word) >= _LONG)
    return _why_looks(name, (*reserved, *sorted(things)), others)


NO_GAMES_NAME = (
    "{name} cannot be a {what}'s name. Take 2 to 16 letters, digits and hyphens, a letter first."
)


def why_no_game(name: str, what: str, live: Sequence[str], commands: Sequence[Entry]) -> str:
    """The reason why no new game (or other ``what``) can have this name; "" if it can."""
    if not _NAME.fullmatch(name):
        return NO_GAMES_NAME.format(name=shown(name), what=what)
    return _why_looks(name, _to_games(tuple(commands)), live)


NOBODY_PLAYS = "Nobody plays here."


def player_meant(names: Sequence[str], written: str, *, begins: bool = False) -> str:
    """The one of these players that somebody has named. Raises Refused with the names there are.

    Case and punctuation do not count. ``begins`` also accepts the beginning of one name, for
    commands whose effect can be taken back if somebody else was meant.
    """
    every = (one.id for one in match(seats(names), written))
    found = [name for name in every if begins or key(name) == key(written)]
    if len(found) != 1:
        there = DOES_NOT_PLAY.format(name=cut(written, SHOWN), names=listed(names))
        raise Refused(there if names else NOBODY_PLAYS)
    return found[0]


MIXES = (
    "{name} mixes {alphabets} letters, and some look alike, so that it could pass for another "
    "name. Write it in letters of one alphabet."
)
LOOKS_LIKE_ANOTHER = (
    "{name} looks like {other}, which is the name of another here: some letters and digits look "
    "the same. Take a name that nobody can mistake."
)
LOOKS_LIKE_A_WORD = "{name} looks like a word that means something else here. Take another."
HAS_AN_OFFICE = (
    "{name} has “{office}” in it, and others could take you for somebody who has power over the "
    "game. Take another name."
)


def _why_looks(name: str, reserved: Iterable[str], others: Sequence[str]) -> str:
    """The reason why a name looks like a word with a meaning or another name; "" if none."""
    scripts = mixed(name)
    if scripts:
        return MIXES.format(name=name, alphabets=" and ".join(scripts))
    spelled = {other: other for other in others} | {_bare(other): other for other in others}
    other = alike(name, others) or alike(_bare(name), spelled)
    if other:
        return LOOKS_LIKE_ANOTHER.format(name=name, other=spelled[other])
    bare = _bare(name)
    if any(alike(form, reserved) for form in (name, bare, _without_article(bare))):
        return LOOKS_LIKE_A_WORD.format(name=name)
    office = next((one for one in _OFFICES if _within(one, bare)), "")
    if office:
        return HAS_AN_OFFICE.format(name=name, office=office)
    return ""


def _bare(name: str) -> str:
    """A name as people hear it: only its letters and digits, in one case."""
    return key(name)


def _without_article(bare: str) -> str:
    found = next((one for one in _ARTICLES if bare.startswith(one)), "")
    return bare.removeprefix(found)


def _within(word: str, bare: str) -> bool:
    """Whether a part of a name looks like a word, in lower case or in capitals.

    In capitals I, l and 1 are equal, and a letter may look like two.
    """
    size = len(word)
    parts = [bare[at : at + n] for n in (size, size + 1) for at in range(len(bare) - n + 1)]
    return any(alike(part, (word,)) or alike(part.upper(), (word.upper(),)) for part in parts)


def shown(word: str) -> str:
    """A word as an answer repeats it, if it is a name.

    A forged email names a victim, and Waybill must not send that person the forger's text.
    """
    return word if re.fullmatch(r"[\w-]{1,24}", word) else "That"
