"""Builds orders from parsed trees, with the names of a title and a game's players."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from lark import Token, Tree
from msgspec.structs import replace

from engine import Title
from engine.inquiry import SHARE
from engine.notation import Malformed, UnknownName, names, split
from engine.notation.words import dollars, normalise
from engine.wording import one
from service.orders import special
from service.orders import values as v
from service.orders.answers import AnswerBuilder, write_answer


@dataclass(frozen=True)
class Names:
    """The names that an order may use: those of a title, and of a game's players."""

    title: Title
    seats: tuple[str, ...]


NO_NUMBER_OF_SHARES = "This is not a whole number of shares: write how many shares"


class Builder:
    """Builds values from a tree, and looks up the names in it."""

    def __init__(self, known: Names, line: str) -> None:
        self.title = known.title
        self.line = line
        self.companies = names.companies(known.title)
        self.privates = names.privates(known.title)
        self.places = names.places(known.title)
        self.seats = names.seats(known.seats)
        self.answers = AnswerBuilder(known.title, self.seats, line)
        #: the company last named by a command, for `until float`
        self.meant = ""
        #: the word of that command at the place of a company's name
        self.unknown: tuple[str, int] = ("", 0)
        #: a company of the title, for examples
        self.example = self.companies[0].id

    # the order

    def order(self, tree: Tree[Any]) -> v.Order:
        """The whole order."""
        head: v.Head = "next"
        company, life, steps = "", None, []
        explicit = False
        for child in tree.children:
            if isinstance(child, Token) and child.type == "LIFE":
                life = _life(str(child))
            elif isinstance(child, Tree) and child.data == "head":
                token = cast("Token", child.children[0])
                explicit = True
                head = cast("v.Head", str(token.type).lower())
                if token.type in ("OPERATE", "HEADING"):
                    head = "operate"
                    company = self._headed(token)
                    self.meant = company
            else:
                steps.append(self._step(child))
        several = len(steps) > 1 or any(step.until is not None for step in steps)
        if not explicit and (several or any(step.limited for step in steps)):
            head = "each"
        life = life or v.natural_life(head, tuple(steps))
        if head != "always" and any(act.ahead for act in _acts(steps)):
            text = "an answer that is given ahead begins with `always`"
            raise Malformed(self.line, 0, text, (f"always {self.line}",))
        return v.Order(head=head, steps=tuple(steps), company=company, life=life)

    def _headed(self, token: Token) -> str:
        text = re.sub(r"^(?:operate|as)\s+", "", str(token).rstrip(": "), flags=re.IGNORECASE)
        if names.match(self.seats, text) and not names.match(self.companies, text):
            said = f"“{text}” is a player: orders are given for one's own seat"
            raise UnknownName(self.line, token.start_pos or 0, said)
        return self._one(self.companies, text, token, "company")

    def _step(self, tree: Tree[Any]) -> v.Turn:
        until: v.Test | None = None
        actions: list[v.Alternatives] = []
        for child in tree.children:
            if isinstance(child, Token):
                continue
            if child.data == "until":
                until = self._cond(child.children[-1])
            else:
                actions += _listed(self._action(child), leads=_leads(child))
        return v.Turn(tuple(actions), until)

    def _action(self, tree: Tree[Any]) -> v.Alternatives:
        acts = [self._alternative(c) for c in tree.children if isinstance(c, Tree)]
        return v.Alternatives(tuple(acts))

    def _alternative(self, tree: Tree[Any]) -> v.Act:
        guards, command, ahead = [], "", None
        # the command first, because `until float` and guards refer to its company
        for child in tree.children:
            if child.data in ("command", "skip", "ask"):
                command = self._command(child)
            elif child.data in ("consent", "ballot"):
                ahead = self.answers.read(child)
                command = write_answer(ahead)
        for child in tree.children:
            if child.data in ("if_", "unless_"):
                test = self._cond(child.children[-1])
                guards.append(v.Guard(test, child.data == "unless_"))
        return v.Act(command, tuple(guards), ahead)

    def _command(self, tree: Tree[Any]) -> str:
        if tree.data != "command":
            return str(tree.data)
        tokens = [t for t in tree.scan_values(lambda value: isinstance(value, Token))]
        start, end = tokens[0].start_pos, tokens[-1].end_pos
        assert start is not None and end is not None
        text = self.line[start:end].strip(" ,")
        for place, word in enumerate(re.split(r"[\s,:]+", text)[1:]):
            found = names.match(self.companies, word)
            if len(found) == 1:
                self.meant = found[0].id
                break
            if not place:
                self.unknown = word, start + text.find(word, len(text.split()[0]))
        return special.lowered(text, len(tokens[0]))

    # conditions

    def _cond(self, tree: Tree[Any]) -> v.Test:
        if tree.data in ("cond", "conj"):
            parts = tuple(self._cond(c) for c in tree.children if isinstance(c, Tree))
            if len(parts) == 1:
                return parts[0]
            return v.Any(parts) if tree.data == "cond" else v.All(parts)
        return cast("v.Test", getattr(self, f"_{tree.data}")(tree))

    def _not_(self, tree: Tree[Any]) -> v.Test:
        return v.Not(self._cond(tree.children[-1]))

    def _trades(self, tree: Tree[Any]) -> v.Test:
        who, verb, *company = cast("list[Any]", tree.children)
        named = self._named(self.companies, company[0], "company") if company else ""
        return v.Trades(self._who(who), verb.type == "SELLS", named)

    def _bids(self, tree: Tree[Any]) -> v.Test:
        who, _, *private = tree.children
        named = self._named(self.privates, private[0], "private company") if private else ""
        return v.Bids(self._who(who), named)

    def _outbid(self, tree: Tree[Any]) -> v.Test:
        return v.Outbid()

    def _starts(self, tree: Tree[Any]) -> v.Test:
        return v.Starts(self._company(tree))

    def _floats(self, tree: Tree[Any]) -> v.Test:
        return v.Floats(self._company(tree))

    def _float_(self, tree: Tree[Any]) -> v.Test:
        return v.IsFloated(self._meant("float"))

    def _president_changes(self, tree: Tree[Any]) -> v.Test:
        return v.PresidentChanges(self._company(tree))

    def _train_bought(self, tree: Tree[Any]) -> v.Test:
        return v.TrainPurchase(self._train(_names_of(tree)[0]))

    def _phase_changes(self, tree: Tree[Any]) -> v.Test:
        return v.PhaseChanges()

    def _round_ends(self, tree: Tree[Any]) -> v.Test:
        return v.RoundEnds()

    def _alarm(self, tree: Tree[Any]) -> v.Test:
        return v.Alarm()

    def _has_train(self, tree: Tree[Any]) -> v.Test:
        return v.HasTrain(self._company(tree))

    def _is_floated(self, tree: Tree[Any]) -> v.Test:
        return v.IsFloated(self._company(tree))

    def _is_free(self, tree: Tree[Any]) -> v.Test:
        return v.IsFree(self._named(self.places, _names_of(tree)[0], "place"))

    def _has_tile(self, tree: Tree[Any]) -> v.Test:
        place, tile = _names_of(tree)
        text = _text(tile)
        if text not in self.title.tiles:
            raise UnknownName(
                self.line, _column(tile), f"“{text}” is not a tile of {self.title.name}"
            )
        return v.HasTile(self._named(self.places, place, "place"), text)

    def _presides(self, tree: Tree[Any]) -> v.Test:
        who, company = _names_of(tree)
        return v.Presides(self._player(who), self._named(self.companies, company, "company"))

    def _own_shares(self, tree: Tree[Any]) -> v.Test:
        number = re.match(r"\d+", str(tree.children[0]))
        assert number
        own = v.Sum("shares", v.ME, self._meant("shares"))
        if str(tree.children[0]).endswith("%"):
            return v.Compare(own, ">=", self._shares_in(number[0], own.of, tree))
        return v.Compare(own, ">=", number[0])

    def _shares_in(self, percent: str, company: str, tree: Tree[Any]) -> str:
        """A percentage of a company as a number of shares."""
        shares, rest = divmod(int(percent), SHARE)
        if rest or self.title.companies[company].merger:
            raise Malformed(self.line, _column(tree), NO_NUMBER_OF_SHARES, ("5 shares",))
        return str(shares)

    def _compare(self, tree: Tree[Any]) -> v.Test:
        left, rel, right = tree.children
        relation = v.RELATIONS.get(" ".join(str(rel).lower().split()), str(rel))
        figure = self._figure(left)
        other: v.Sum | str
        if right.data == "figure":
            other = self._figure(right)
        elif figure.what == "next train":
            other = self._train(right)
        elif figure.what == "phase":
            other = self._phase(right)
        else:
            text = _text(right)
            percent, sign, _ = text.partition("%")
            if sign and percent.isdecimal() and figure.what in ("shares", "ipo", "pool"):
                text = self._shares_in(percent, figure.of, right)
            amount = dollars(text.rstrip("%"))
            if amount is None:
                said = f"“{_text(right)}” is not a number"
                raise Malformed(self.line, _column(right), said)
            other = str(amount)
        return v.Compare(figure, cast("v.Relation", relation), other)

    def _figure(self, tree: Tree[Any]) -> v.Sum:
        token, *named = cast("list[Any]", tree.children)
        word = " ".join(str(token).lower().split())
        what: v.FigureName = cast(
            "v.FigureName", {"offering": "ipo", "market": "pool"}.get(word, word)
        )
        if what in ("phase", "next train"):
            if named:
                raise Malformed(self.line, _column(named[0]), f"{what} stands alone")
            return v.Sum(what)
        if not named:
            last = next(reversed(self.title.trains))
            examples = {
                "cash": "cash me",
                "shares": f"shares me {self.example}",
                "trains left": f"trains left {last}",
                "high bid": f"high bid {self.privates[-1].id}",
            }
            example = examples.get(what, f"{what} {self.example}")
            raise Malformed(self.line, _end(token), f"“{word}” of what?", (example,))
        return self._sum(what, named[0])

    def _sum(self, what: v.FigureName, name: Tree[Any]) -> v.Sum:
        if what == "trains left":
            return v.Sum(what, of=self._train(name))
        if what == "high bid":
            return v.Sum(what, of=self._named(self.privates, name, "private company"))
        if what == "cash":
            both = names.match((*self.companies, *self.seats), _text(name))
            if [found.kind for found in both] == ["company"]:
                return v.Sum(what, of=both[0].id)
            seat = self._maybe_player(_text(name))
            return v.Sum(what, seat=seat) if seat else v.Sum(what, of=self._any(name))
        if what == "shares":
            return self._shares(name)
        return v.Sum(what, of=self._named(self.companies, name, "company"))

    def _shares(self, name: Tree[Any]) -> v.Sum:
        """``shares me TC``: the words for a player, then those for a company."""
        words = [str(token) for token in name.children]
        for at in range(len(words) - 1, 0, -1):
            seat = self._maybe_player(" ".join(words[:at]))
            company = names.match(self.companies, " ".join(words[at:]))
            if seat and len(company) == 1:
                return v.Sum("shares", seat=seat, of=company[0].id)
        text = f"“{_text(name)}” is not a player and a company"
        raise Malformed(self.line, _column(name), text, (f"shares me {self.example} >= 3",))

    # names

    def _who(self, tree: Tree[Any]) -> str:
        low = _text(tree).casefold()
        return (
            v.ANYONE if low in (v.ANYONE, "anybody", "someone", "somebody") else self._player(tree)
        )

    def _maybe_player(self, text: str) -> str:
        if text.casefold() in (v.ME, "i", "my"):
            return v.ME
        found = names.match(self.seats, text)
        return found[0].id if len(found) == 1 else ""

    def _player(self, tree: Tree[Any]) -> str:
        found = self._maybe_player(_text(tree))
        if not found:
            all_ = (v.ANYONE, v.ME, *(name.id for name in self.seats))
            raise UnknownName(self.line, _column(tree), f"“{_text(tree)}” is not a player", all_)
        return found

    def _any(self, tree: Tree[Any]) -> str:
        return self._named(self.companies, tree, "player or company")

    def _company(self, tree: Tree[Any]) -> str:
        return self._named(self.companies, _names_of(tree)[0], "company")

    def _named(self, choices: Sequence[names.Name], tree: Tree[Any], what: str) -> str:
        return self._one(choices, _text(tree), cast("Token", tree.children[0]), what)

    def _one(self, choices: Sequence[names.Name], text: str, at: Token, what: str) -> str:
        found = names.match(choices, text)
        if len(found) == 1:
            return found[0].id
        column = at.start_pos or 0
        if found:
            both = ", ".join(f"{n.id} ({n.full})" for n in found)
            raise UnknownName(self.line, column, names.MAY_BE.format(text=text, names=both))
        near = names.nearest(choices, text)
        raise UnknownName(self.line, column, f"“{text}” is not {one(what)}", near)

    def _train(self, tree: Tree[Any]) -> str:
        text = _text(tree)
        kinds = {kind.casefold(): kind for kind in self.title.trains}
        found = kinds.get(text.casefold()) or kinds.get(text.casefold().rstrip("t"))
        if not found:
            all_ = tuple(self.title.trains)
            raise UnknownName(self.line, _column(tree), f"“{text}” is not a type of train", all_)
        return found

    def _phase(self, tree: Tree[Any]) -> str:
        phases = {normalise(phase.id): phase.id for phase in self.title.facts.phase}
        text = _text(tree)
        if text not in phases:
            known = tuple(phases.values())
            raise UnknownName(self.line, _column(tree), f"“{text}” is not a phase", known)
        return phases[text]

    def _meant(self, word: str) -> str:
        if self.meant:
            return self.meant
        text, column = self.unknown
        if text:
            near = names.nearest(self.companies, text)
            raise UnknownName(self.line, column, f"“{text}” is not a company", near)
        at = self.line.casefold().find(word)
        examples = {
            "float": f"{self.example} is floated",
            "shares": f"shares me {self.example} >= 5",
        }
        raise Malformed(self.line, max(at, 0), f"which company's {word}?", (examples[word],))


def _acts(steps: Sequence[v.Turn]) -> Iterator[v.Act]:
    return (act for step in steps for action in step.actions for act in action.acts)


def _names_of(tree: Tree[Any]) -> list[Tree[Any]]:
    return [c for c in tree.children if isinstance(c, Tree) and c.data == "name"]


def _text(tree: Tree[Any]) -> str:
    return " ".join(str(token) for token in tree.children)


def _column(tree: Tree[Any]) -> int:
    return cast("Token", tree.children[0]).start_pos or 0


def _end(token: Token) -> int:
    return (token.end_pos or 0) + 1


def _leads(action: Tree[Any]) -> bool:
    """Whether a condition begins an action: ``if alarm sell 1 L&N``."""
    first = action.children[0]
    return isinstance(first, Tree) and first.children[0].data in ("if_", "unless_")


def _listed(action: v.Alternatives, *, leads: bool) -> Sequence[v.Alternatives]:
    """Several actions that an email also separates by commas: ``sell 2 L&N, 1 M&O``.

    A condition after a list is for all of it. After commands with a verb each, it is for the last.
    ``leads`` says that the condition is before them; then it is for all.
    """
    act, *others = action.acts
    if others or act.ahead or act.command in (v.SKIP, v.ASK):
        return (action,)
    *before, last = split(act.command)
    own = not leads and before and last != before[-1] and f" {last}" in act.command
    guards = () if own else act.guards
    acts = (
        *(replace(act, command=one, guards=guards) for one in before),
        replace(act, command=last),
    )
    return [v.Alternatives((one,)) for one in acts]


def _life(text: str) -> v.Life:
    *_, before, last = text.casefold().split()
    return v.Life("rounds", int(before)) if before.isdecimal() else v.Life(cast("Any", last))
