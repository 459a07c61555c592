"""What a player, a game or a tournament may be called: one place decides it.

A name may be no other's, nor look like it, nor mean anything to the program or to people who read
it. The words that mean something are those of the table of commands, in all their spellings, and of
the languages of moves and orders.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from confusable_homoglyphs.categories import unique_aliases
from confusable_homoglyphs.confusables import confusables_data

from engine import Title
from engine.notation.verbs import VERBS_BY_NAME
from engine.notation.words import key
from service.commands.entry import Entry
from service.orders import grammar

#: UTS #39 5.2, "highly restrictive": scripts that are written together
_TOGETHER = (
    {"LATIN", "HAN", "HIRAGANA", "KATAKANA"},
    {"LATIN", "HAN", "BOPOMOFO"},
    {"LATIN", "HAN", "HANGUL"},
)
_ANY = {"COMMON", "INHERITED"}


def mixed(name: str) -> tuple[str, ...]:
    """The scripts of a name that mixes some that are not written together, else ()."""
    scripts = set(unique_aliases(name)) - _ANY
    if len(scripts) < 2 or any(scripts <= together for together in _TOGETHER):
        return ()
    return tuple(sorted(script.replace("_", " ").title() for script in scripts))


def alike(name: str, others: Iterable[str]) -> str:
    """The first of the others that the name can be taken for, "" if there is none."""
    own = skeletons(name)
    return next((other for other in others if own & skeletons(other)), "")


@lru_cache(maxsize=4096)
def skeletons(name: str) -> frozenset[str]:
    """What a name looks like, as written and in small letters; alike if two have one in common."""
    forms = (_skeleton(form).lower() for form in (name, name.casefold()))
    # the data likens rn to m, but not two v to a w
    return frozenset(form.replace("vv", "w") for form in forms)


def _skeleton(name: str) -> str:
    """UTS #39 4, with marks left out: two names with one skeleton look the same."""
    return _plain("".join(_looks(sign) for sign in _plain(name)))


def _plain(text: str) -> str:
    """The text without marks; the data parts strokes from their letters as marks, too."""
    every = unicodedata.normalize("NFKD", text)
    return "".join(sign for sign in every if not unicodedata.combining(sign))


@cache
def _looks(sign: str) -> str:
    """What a character looks like: itself, or its other case where only that has a likeness.

    The data likens Ƅ to b, but says nothing of ƅ that would lead to a letter that people know.
    """
    every = (_prototype(form) for form in (sign, sign.lower(), sign.upper()) if len(form) == 1)
    found = list(every)
    return next((one for one in found if _plain(one).isascii()), found[0])


@cache
def _prototype(sign: str) -> str:
    """The character, or several, that stand for all that look like one."""
    near = _alike(sign)
    if len(near) != 1:
        # Several look like it: it is their prototype, or it has none.
        return sign
    [other] = near
    if len(other) > 1 or len(_alike(other)) > 1:
        return other
    return min(sign, other)


def _alike(sign: str) -> set[str]:
    """What the data calls alike, without its marks of direction."""
    every = (str(one["c"]).strip("\u200e\u200f") for one in confusables_data.get(sign, ()))
    return {one for one in every if one and one != sign}


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
