"""Advance answers to offers and votes: builds them from parsed trees, and writes them.

`service.games.offers` and `service.games.votes` decide whether one fits a question.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, cast

from lark import Token, Tree

from engine import Title
from engine.notation import Malformed, UnknownName, names
from engine.notation.words import dollars
from engine.wording import one
from service.orders import values as v

#: the kinds of votes, in the words of players
KINDS = {
    "undo": "undo",
    "undos": "undo",
    "end": "end",
    "extend": "extend",
    "extension": "extend",
    "extensions": "extend",
    "replace": "replace",
    "replacement": "replace",
    "runs": "runs",
    "settings": "runs",
    "batch": "batch",
    "clock": "clock",
    "everything": "",
    "all": "",
}
_STATIONS = ("station", "stations", "token", "tokens")


class AnswerBuilder:
    """Builds answers from trees, and looks up the names in them."""

    def __init__(self, title: Title, seats: Sequence[names.Name], line: str) -> None:
        self._title, self._seats, self._line = title, seats, line
        self._companies = names.companies(title)
        self._privates = names.privates(title)

    def read(self, tree: Tree[Any]) -> v.Terms | v.Ballot:
        """The terms of `consent: …` and `refuse …`, or a vote."""
        if tree.data == "ballot":
            return self._ballot(tree)
        verb, terms = tree.children
        agrees = cast("Token", verb).type == "CONSENT"
        if terms.data == "offers":
            [*_, last] = terms.children
            by = self._other(last) if isinstance(last, Tree) else ""
            return v.Terms(agrees, "offers", other=by)
        if terms.data == "use":
            _, private, *rest = terms.children
            company = self._named(self._companies, rest[-1], "company") if rest else ""
            thing = self._named(self._privates, private, "private company")
            return v.Terms(agrees, "use", thing, other=company)
        return self._deal(agrees, terms)

    def _deal(self, agrees: bool, tree: Tree[Any]) -> v.Terms:
        verb, thing, *rest = tree.children
        sells = cast("Token", verb).type == "SELL"
        parties: dict[str, Tree[Any]] = {}
        relation: v.Relation = "="
        price, before = None, ""
        for child in rest:
            if isinstance(child, Token):
                before = child.type
            elif child.data == "price":
                relation, price = self._price(child)
            else:
                parties[before] = child
        source, target = parties.get("FROM"), parties.get("TO")
        text = re.sub(r"^private\s+", "", _text(thing), flags=re.IGNORECASE)
        station, train = text.casefold() in _STATIONS, self._train(text)
        if station or (train and sells and source is not None):
            if source is None or not sells:
                example = ("always consent: sell station from IC",)
                raise Malformed(self._line, _column(thing), "of which of your companies?", example)
            what = cast("Any", "station" if station else "train")
            company = self._named(self._companies, source, "company")
            other = self._other(target) if target is not None else ""
            return v.Terms(agrees, what, train, True, company, other, relation, price)
        found = self._find(self._privates, text, thing, "train or private company")
        if sells and source is not None:
            said = "what you sell of private companies is your own: leave this out"
            raise Malformed(self._line, _column(source), said)
        side = target if sells else source
        other = self._other(side) if side is not None else ""
        return v.Terms(agrees, "private", found, sells, "", other, relation, price)

    def _price(self, tree: Tree[Any]) -> tuple[v.Relation, int]:
        relation = next((str(t) for t in tree.children if getattr(t, "type", "") == "REL"), "=")
        relation = v.RELATIONS.get(" ".join(relation.lower().split()), relation)
        name = tree.children[-1]
        amount = dollars(_text(name))
        if amount is None:
            raise Malformed(self._line, _column(name), f"“{_text(name)}” is not a price")
        return cast("v.Relation", relation), amount

    def _ballot(self, tree: Tree[Any]) -> v.Ballot:
        said, *rest = (c for c in tree.children if isinstance(c, Tree))
        parties: dict[str, Tree[Any]] = {}
        before = ""
        for child in tree.children[2:]:
            if isinstance(child, Token):
                before = child.type
            elif child in rest:
                parties[before] = child
        yes = _text(said).casefold()
        if yes not in ("yes", "no"):
            example = ("always vote yes on undo",)
            raise Malformed(self._line, _column(said), "yes or no?", example)
        kind = ""
        if on := parties.get("ON"):
            word = _text(on).casefold()
            if word not in KINDS:
                known = tuple(dict.fromkeys(KINDS.values()))
                text = f"“{word}” is nothing that is voted on"
                raise UnknownName(self._line, _column(on), text, tuple(filter(None, known)))
            kind = KINDS[word]
        by = (
            self._find(self._seats, _text(parties["BY"]), parties["BY"], "player")
            if ("BY" in parties)
            else ""
        )
        return v.Ballot(yes == "yes", kind, by)

    def _train(self, text: str) -> str:
        kinds = {kind.casefold(): kind for kind in self._title.trains}
        return kinds.get(text.casefold()) or kinds.get(text.casefold().rstrip("t")) or ""

    def _other(self, tree: Tree[Any]) -> str:
        """A player or a company."""
        both = (*self._seats, *self._companies)
        return self._find(both, _text(tree), tree, "player or company")

    def _named(self, choices: Sequence[names.Name], tree: Tree[Any], what: str) -> str:
        return self._find(choices, _text(tree), tree, what)

    def _find(self, choices: Sequence[names.Name], text: str, tree: Tree[Any], what: str) -> str:
        found = names.match(choices, text)
        if len(found) == 1:
            return found[0].id
        if found:
            both = ", ".join(f"{n.id} ({n.full})" for n in found)
            may_be = names.MAY_BE.format(text=text, names=both)
            raise UnknownName(self._line, _column(tree), may_be)
        near = names.nearest(choices, text)
        raise UnknownName(self._line, _column(tree), f"“{text}” is not {one(what)}", near)


def write_answer(answer: v.Terms | v.Ballot) -> str:
    """The canonical text; reading it gives the same answer."""
    if isinstance(answer, v.Ballot):
        on = f" on {answer.kind}" if answer.kind else ""
        by = f" by {answer.by}" if answer.by else ""
        return f"vote {'yes' if answer.yes else 'no'}{on}{by}"
    return f"{'consent:' if answer.agrees else 'refuse'} {_terms(answer)}"


def _terms(terms: v.Terms) -> str:
    if terms.what == "offers":
        return f"offers from {terms.other}" if terms.other else "offers"
    if terms.what == "use":
        return f"use {terms.thing}" + (f" for {terms.other}" if terms.other else "")
    thing = {"train": terms.thing, "station": "station"}.get(terms.what, f"private {terms.thing}")
    parts = [f"{'sell' if terms.sells else 'buy'} {thing}"]
    if terms.company:
        parts.append(f"from {terms.company}")
    if terms.other:
        parts.append(f"{'to' if terms.sells else 'from'} {terms.other}")
    if terms.price is not None:
        relation = "" if terms.relation == "=" else f"{terms.relation} "
        parts.append(f"for {relation}{terms.price}")
    return " ".join(parts)


def _text(tree: Tree[Any]) -> str:
    return " ".join(str(token) for token in tree.children)


def _column(tree: Tree[Any]) -> int:
    return cast("Token", tree.children[0]).start_pos or 0
