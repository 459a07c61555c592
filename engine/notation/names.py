"""Finds companies, private companies, players, places and other things by their names."""

import re
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import NamedTuple

from engine.facts.title import Title
from engine.notation.words import key
from engine.position.values import CompanyId, PrivateId

#: shorter beginnings of a place would look like a coordinate that is not on the map
_SHORTEST_PLACE = 3
#: in a word of so few letters, one mistake leaves too little
_SHORT = 3


class Name(NamedTuple):
    """A thing with its id and the keys that match it."""

    kind: str
    id: str
    #: must be written in full
    exact: tuple[str, ...]
    #: may be shortened to any beginning
    open: tuple[str, ...] = ()
    #: the later words of a name, tried last
    inner: tuple[str, ...] = ()
    #: least number of letters in a beginning
    least: int = 1
    full: str = ""

    def __str__(self) -> str:
        """The form that a player can write without ambiguity."""
        return f"{self.kind} {self.id}" if self.kind else self.id


def _inner(name: str) -> tuple[str, ...]:
    words = name.replace("/", " ").split()
    return tuple(k for i in range(1, len(words)) if (k := key(" ".join(words[i:]))))


def _long(kind: str, id_: str, name: str, also: Iterable[str], exact: tuple[str, ...]) -> Name:
    keys = tuple(dict.fromkeys(key(text) for text in (id_, *also, name)))
    return Name(kind, id_, exact, keys, _inner(name), full=name)


@lru_cache(maxsize=16)
def companies(title: Title) -> tuple[Name, ...]:
    """The corporations."""
    return tuple(_long("company", c.id, c.name, c.also, ()) for c in title.facts.company)


@lru_cache(maxsize=16)
def privates(title: Title) -> tuple[Name, ...]:
    """The private companies, also P1, P2 … by par value."""
    ranked = sorted(title.facts.private, key=lambda p: p.par)
    return tuple(
        _long("private", p.id, p.name, p.also, (f"p{number}",))
        for number, p in enumerate(ranked, start=1)
    )


@lru_cache(maxsize=16)
def places(title: Title) -> tuple[Name, ...]:
    """The hexes, by coordinate, by the name of their city, or by both."""
    found = []
    for hex_, facts in title.hexes.items():
        own, city = key(hex_), key(facts.name)
        if city:
            name = Name(
                "",
                hex_,
                (own, own + city),
                (city,),
                _inner(facts.name),
                _SHORTEST_PLACE,
                facts.name,
            )
        else:
            name = Name("", hex_, (own,))
        found.append(name)
    return tuple(found)


@lru_cache(maxsize=16)
def ferries(title: Title) -> tuple[Name, ...]:
    """The ferries, by name, by one of the places they join, or by one of these hexes."""
    found = []
    for name, ferry in title.ferries.items():
        places = re.split("[-–]", name)
        also = (key(" to ".join(places)), *map(key, places))
        hexes = tuple(map(key, ferry.ends))
        found.append(Name("", name, hexes, (key(name), *also), _inner(" ".join(places)), full=name))
    return tuple(found)


def seats(names: Iterable[str]) -> tuple[Name, ...]:
    """The players."""
    return tuple(Name("player", name, (), (key(name),)) for name in names)


def plain(kind: str, ids: Iterable[str]) -> tuple[Name, ...]:
    """Things whose only name is their id, of any number of words."""
    return tuple(Name(kind, id_, (), (key(id_),), _inner(id_), full=id_) for id_ in ids)


MAY_BE = "“{text}” may be {names}"


def match(names: Sequence[Name], text: str) -> list[Name]:
    """The things that ``text`` may mean: all with the best kind of match, [] if there are none.

    A whole key is better than the beginning of a key. That is better than the beginning of a later
    word of a name. Among several of the same kind, an exact spelling wins.
    """
    wanted = key(text)
    if not wanted:
        return []
    tests: tuple[Callable[[Name], bool], ...] = (
        lambda n: wanted in n.exact or wanted in n.open,
        lambda n: len(wanted) >= n.least and any(k.startswith(wanted) for k in n.open),
        lambda n: len(wanted) >= max(3, n.least) and any(k.startswith(wanted) for k in n.inner),
    )
    for test in tests:
        found = [name for name in names if test(name)]
        if found:
            just_so = [name for name in found if name.id == text]
            return just_so if just_so and len({n.kind for n in found}) == 1 else found
    return []


def spell(names: Sequence[Name], id_: str, kind: str) -> str:
    """The id, with its kind before it if something else in ``names`` has the same name."""
    found = match(names, id_)
    return id_ if [n.kind for n in found] == [kind] else f"{kind} {id_}"


def company_word(title: Title, company: CompanyId) -> str:
    """A company's name for a command; it differs from a private company of the same name."""
    return spell((*companies(title), *privates(title)), company, "company")


def private_word(title: Title, private: PrivateId) -> str:
    """A private company's name for a command; it differs from a company of the same name."""
    return spell((*companies(title), *privates(title)), private, "private")


def nearest(names: Sequence[Name], text: str) -> tuple[str, ...]:
    """Ids of the things whose names look most like ``text``, at most three.

    A short word looks like many others. So only names with the same first letter, or that contain
    the whole word, count.
    """
    wanted = key(text)
    keys = {k: name.id for name in names for k in (*name.inner, *name.open, *name.exact)}
    if len(wanted) <= _SHORT:
        keys = {k: id_ for k, id_ in keys.items() if k[:1] == wanted[:1] or wanted in k}
    close = get_close_matches(wanted, keys, n=6, cutoff=0.6)
    return tuple(dict.fromkeys(keys[k] for k in close))[:3]
