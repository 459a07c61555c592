"""What a player, a game or a tournament may be called: one place decides it.

A name may be no other's, nor look like it, nor mean anything to the program or to people who read
it. The words that mean something are those of the table of commands, in all their spellings, and of
the languages of moves and orders.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache

from engine import Title
from engine.notation.verbs import VERBS_BY_NAME
from engine.notation.words import key
from service.commands.entry import Entry
from service.games.lookalike import alike, mixed
from service.orders import grammar

_NAME = re.compile(r"(?=.{2,16}$)[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
#: a dot stands behind an initial or at the end: mail programs make links of names such as t.co
_SEAT = re.compile(r"(?!.*\.\w{2})[^\W\d_][\w.'-]{0,15}")
#: who has power over games, or speaks for the program; no name may have such a word in it
_OFFICES = (
    *("administrator", "assistant", "caretaker", "director", "moderator", "operator"),
    *("organiser", "organizer", "postmaster", "waybill"),
)
#: others of whom emails speak, and what stands where a command names a player or a company
_PEOPLE = (
    *("admin", "all", "anybody", "anyone", "bot", "deputy", "everybody", "everyone", "host"),
    *("me", "nobody", "noone", "none", "observer", "player", "players", "president"),
    *("somebody", "someone", "standby", "system", "table", "you", "us"),
    *("bank", "company", "for", "from", "ipo", "market", "offering", "pool", "private", "share"),
    *("shares", "to", "train", "trains", "treasury", "done", "pass", "yes", "no"),
)
#: words of the program that no table has
_OURS = ("bounce", "enter", "more", "order", "play")
#: what somebody may put before a word to be taken for it
_ARTICLES = ("the", "our", "your", "my")
#: letters of a word from which on what only looks like it is refused too
_LONG = 4


def _firsts(commands: Sequence[Entry]) -> frozenset[str]:
    """The first words of all commands, and their names."""
    return frozenset(word for one in commands for word in (*one.words, one.name, *one.also))


@cache
def _words(commands: Sequence[Entry]) -> frozenset[str]:
    """All that means something wherever a line is read, as `key` spells it."""
    every = [*_OFFICES, *_PEOPLE, *_OURS, *_firsts(commands), *grammar.words()]
    return frozenset(filter(None, map(key, every)))


@cache
def _to_games(commands: Sequence[Entry]) -> tuple[str, ...]:
    """What a game cannot be called: it stands before the names of games, or in their addresses."""
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
    """Why nobody can be called so in a title beside these others, "" where somebody can.

    ``where`` is the game or the tournament, ``commands`` are all that anybody may write.
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
    """Why no new game, or ``what`` else it is, can be called so beside these; "" where it can."""
    if not _NAME.fullmatch(name):
        return NO_GAMES_NAME.format(name=shown(name), what=what)
    return _why_looks(name, _to_games(tuple(commands)), live)


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
    """Why a name could pass for another that means something, or somebody; "" where it cannot."""
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
    """A name as people hear it: its letters and digits, without case and punctuation."""
    return key(name)


def _without_article(bare: str) -> str:
    found = next((one for one in _ARTICLES if bare.startswith(one)), "")
    return bare.removeprefix(found)


def _within(word: str, bare: str) -> bool:
    """Whether a part of a name looks like a word, in capitals if not in small letters.

    In capitals I, l and 1 are one, and a letter may look like two.
    """
    size = len(word)
    parts = [bare[at : at + n] for n in (size, size + 1) for at in range(len(bare) - n + 1)]
    return any(alike(part, (word,)) or alike(part.upper(), (word.upper(),)) for part in parts)


def shown(word: str) -> str:
    """A word as an answer repeats it: what is no name is not sent to whom a forged mail names."""
    return word if re.fullmatch(r"[\w-]{1,24}", word) else "That"
