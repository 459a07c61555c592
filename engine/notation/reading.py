"""Reads a command from left to right in a position: words, names, amounts; knows no verb."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from string import ascii_lowercase, digits
from typing import TYPE_CHECKING, NoReturn, TypeVar

from engine.notation import names
from engine.notation.errors import Ambiguous, Garbled, Incomplete, Malformed, Missing, UnknownName
from engine.notation.names import Name
from engine.notation.position import turn_company
from engine.notation.suggest import like
from engine.notation.words import CommandWord, dollars, key, words_of
from engine.notation.writing import write
from engine.position.table import Table
from engine.position.values import MARKET, OFFERING
from engine.wording import excerpt, one, whole

if TYPE_CHECKING:
    from engine.actions import Action
    from engine.facts.powers import Power
    from engine.facts.title import Title
    from engine.position.values import CompanyId, PrivateId, Seat, State

A = TypeVar("A", bound="Action")

IS_NOT = "“{text}” is not {what}"
ONE_TRAIN = "A company buys one train of the bank in a turn"
AND_MORE = "“and” joins two commands only if a command follows it: write the second on its own line"
OPEN_CHOICE = "“or” leaves a choice open: write one of the two"

_STOPS = frozenset(":,;()")
#: most words in a name
_LONGEST = 7
#: if a name is missing and there are no more than this, all are shown
_FEW = 7
_KINDS = {
    "private": "private",
    "company": "company",
    "corporation": "company",
    "railroad": "company",
    "player": "player",
}
#: words after the name of a company that have no meaning
_AFTER_NAMES = ("railroad company", "railroad", "railway company", "railway", "company", "rr")
#: words after an amount that have no meaning
_AFTER_MONEY = ("dollars", "dollar", "bucks", "$", "each", "apiece", "a share", "per share", ")")
COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
SOURCES = {
    "ipo": OFFERING,
    "offering": OFFERING,
    "initial offering": OFFERING,
    "open market": MARKET,
    "market": MARKET,
    "bank pool": MARKET,
    "stock market": MARKET,
    "pool": MARKET,
    "bank": "",
}


class CommandReader:
    """The words of one command, and how many of them have been taken."""

    def __init__(self, title: Title, state: State, seat: Seat, line: str) -> None:
        """``line`` must be normalized and free of comments."""
        self.title = title
        self.state = state
        self.seat = seat
        self.line = line
        self.table = Table(title, state)
        self.words = words_of(line)
        self.at = 0
        #: the company before a colon, and whether a verb has asked for it
        self.heading: CompanyId = ""
        self.heading_used = False
        #: the private company whose power is used
        self.power = ""

    # looking and taking

    @property
    def word(self) -> CommandWord | None:
        """The next word."""
        return self.words[self.at] if self.at < len(self.words) else None

    @property
    def low(self) -> str:
        """The next word in lower case, "" at the end."""
        return self.words[self.at].low if self.at < len(self.words) else ""

    def next(self) -> CommandWord:
        """Take the next word; there must be one."""
        self.at += 1
        return self.words[self.at - 1]

    def take(self, *options: str) -> str:
        """Take the next words if they are one of ``options``, and return it; otherwise ""."""
        for option in sorted(options, key=lambda o: -o.count(" ")):
            size = option.count(" ") + 1
            there = self.words[self.at : self.at + size]
            if " ".join(word.low for word in there) == option:
                self.at += size
                return option
        return ""

    def skip(self, *fillers: str) -> None:
        """Take words that have no meaning."""
        while self.take(*fillers):
            pass

    def left(self) -> str:
        """The words not taken yet, as written."""
        return self.line[self.words[self.at].column :] if self.word else ""

    # what goes wrong

    def column(self, at: int | None = None) -> int:
        """The column where a word begins; after the last word, where the next would begin."""
        index = self.at if at is None else at
        if index < len(self.words):
            return self.words[index].column
        return self.words[-1].end + 1 if self.words else 0

    def malformed(
        self, text: str, suggestions: Iterable[str] = (), at: int | None = None
    ) -> NoReturn:
        """Raise Malformed: the words are not a command."""
        raise Malformed(self.line, self.column(at), text, tuple(suggestions))

    def incomplete(self, text: str, examples: Iterable[str], at: int | None = None) -> NoReturn:
        """Raise Incomplete: something is missing; ``examples`` are whole commands."""
        raise Incomplete(self.line, self.column(at), text, tuple(examples))

    def missing(self, text: str, examples: Iterable[str]) -> NoReturn:
        """Raise Missing:

        something is missing that every such command has; ``examples`` are commands.
        """
        raise Missing(self.line, self.column(), text, tuple(examples))

    def unknown(
        self, text: str, suggestions: Iterable[str] = (), at: int | None = None
    ) -> NoReturn:
        """Raise UnknownName: nothing has that name."""
        raise UnknownName(self.line, self.column(at), text, tuple(suggestions))

    def ambiguous(self, text: str, choices: Iterable[str], at: int | None = None) -> NoReturn:
        """Raise Ambiguous: there are several meanings; ``choices`` write each in full."""
        raise Ambiguous(self.line, self.column(at), text, tuple(choices))

    def end(self, *expected: str) -> None:
        """Raise if words are left; ``expected`` are words that could have followed."""
        if not self.word:
            return
        word = self.word.text
        if self.low == "or":
            raise Garbled(self.line, self.column(), OPEN_CHOICE, (self.line[: self.column() - 1],))
        near = like(word, expected) or expected
        if self.low == "and" and self.at + 1 < len(self.words):
            raise Garbled(self.line, self.column(), AND_MORE)
        if word in ",;" and self.at + 1 < len(self.words):
            raise Garbled(self.line, self.column(self.at + 1), f"no command follows the “{word}”")
        raise Garbled(self.line, self.column(), f"“{word}” is not understood here", near)

    # names

    def name(self, choices: Sequence[Name], what: str) -> Name:
        """Take the longest name among ``choices``; ``what`` says in words what they are."""
        found = self.maybe_name(choices)
        if found:
            return found
        short = [n.id for n in choices] if len(choices) <= _FEW else []
        if len(self.words) > self.at + 1:
            self.skip("the")
        if not self.word or self.word.text in _STOPS:
            so_far = self.line[: self.column()].rstrip()
            self.missing(f"{what} is missing", (f"{so_far} {id_}" for id_ in short))
        near = names.nearest(choices, self.word.text) or short
        other = names.match(names.privates(self.title), self.word.text)
        text = IS_NOT.format(text=self.word.text, what=one(what.removeprefix("the ")))
        if len(other) == 1 and other[0] not in choices:
            text = f"{text}; it is the private company {other[0].full}"
        self.unknown(text, near)

    def maybe_name(self, choices: Sequence[Name]) -> Name | None:
        """Take a name if there is one; raises Ambiguous if it names several things.

        "the" or "my" may come before it: ``bid the Rock Island 120``.
        """
        start = self.at
        found = self._named(choices)
        if found is None and self.take("the", "my", "our"):
            found = self._named(choices)
            self.at = self.at if found else start
        if found and found.kind in ("company", "private"):
            self.skip(*_AFTER_NAMES)
        return found

    def _named(self, choices: Sequence[Name]) -> Name | None:
        start = self.at
        kind = _KINDS.get(self.low, "")
        if kind and self.at + 1 < len(self.words):
            narrowed = [name for name in choices if name.kind == kind]
            if narrowed:
                self.at += 1
                if kind == "private":
                    self.skip("company")
                found = self._longest(narrowed)
                if found:
                    return found
                self.at = start
        return self._longest(choices)

    def _longest(self, choices: Sequence[Name]) -> Name | None:
        most = 0
        for word in self.words[self.at : self.at + _LONGEST]:
            # a name may have a comma: "Elgin, Joliet and Eastern"
            if word.text in _STOPS and (word.text != "," or not most):
                break
            most += 1
        for size in range(most, 0, -1):
            there = self.words[self.at : self.at + size]
            if there[-1].low == "and" or there[-1].text == ",":
                continue
            text = self.line[there[0].column : there[-1].end]
            found = names.match(choices, text)
            if len(found) > 1:
                self._several(text, found, there)
            if found:
                self.at += size
                return found[0]
        return None

    def _several(self, text: str, found: Sequence[Name], there: Sequence[CommandWord]) -> NoReturn:
        same = len({key(n.id) for n in found}) < len(found)
        before, after = self.line[: there[0].column], self.line[there[-1].end :]
        spelled = [f"{before}{n if same else n.id}{after}" for n in found]
        full = ", ".join(f"{n.full} ({n.id})" if n.full not in ("", n.id) else n.id for n in found)
        self.ambiguous(names.MAY_BE.format(text=text, names=full), spelled)

    # numbers

    def money(self, missing: str, *examples: str) -> int:
        """Take an amount in whole dollars; ``missing`` is the message if there is none."""
        word = self.word
        if not word:
            self.missing(missing, examples)
        amount = dollars(word.text)
        if amount is None:
            text = f"“{excerpt(word.text)}” is not a sum of whole dollars"
            raise Garbled(self.line, self.column(), text)
        self.at += 1
        self.skip(*_AFTER_MONEY)
        return amount

    def number(self) -> int | None:
        """Take a number in digits, or as a word up to ten, if there is one."""
        word = self.word
        if not word:
            return None
        if word.text.isdecimal():
            amount = self._whole(word.text)
        elif word.low in COUNTS[1:]:
            amount = COUNTS.index(word.low)
        else:
            return None
        self.at += 1
        return amount

    def _whole(self, text: str, at: int | None = None) -> int:
        """The number in decimal digits; raises Malformed if it is far too long."""
        found = whole(text)
        if found is None:
            self.malformed(f"“{excerpt(text)}” is too large a number", at=at)
        return found

    def percentage(self) -> int | None:
        """Take a percentage if there is one; returns the index of its word."""
        if not (self.low.endswith("%") and self.low[:-1].isdecimal()):
            return None
        self.at += 1
        return self.at - 1

    def shares_in(self, at: int, company: CompanyId) -> int:
        """The percentage at an index as shares of a company."""
        percent, share = self._whole(self.words[at].text[:-1], at), self.table.share(company)
        if percent % share or not percent:
            parts = "tenths" if share == 10 else f"parts of {share}%"
            text = f"Shares are {parts} of a company"
            self.malformed(text, (f"{share}%", f"{2 * share}%"), at=at)
        return percent // share

    # trains

    def train_type(self) -> str:
        """The type of train that the next word names, "" if none: "3", "3T", "3-train", "D".

        The number alone is enough if only one type has it: "4" for "4H".
        """
        if self.word is None:
            return ""
        low = key(self.word.text)
        kinds = {key(kind): kind for kind in self.title.trains}
        # "DT" is more likely a company than a D train
        endings = ("trains", "train", *("t" * low[:1].isdecimal()), "")
        shorts = [low.removesuffix(ending) for ending in endings]
        for short in shorts:
            if short in kinds:
                return kinds[short]
        found = [kind for name, kind in kinds.items() if name.lstrip(digits) == low]
        if low[:1].isdecimal():
            found = [k for name, k in kinds.items() if name.rstrip(ascii_lowercase) in shorts]
        return found[0] if len(found) == 1 else ""

    def train(self, what: str = "the type of train") -> str:
        """Take a type of train."""
        self.skip("the", "a", "one", "new", "train", "of type", "type")
        kind = self.train_type()
        kinds = tuple(self.title.trains)
        if not self.word:
            self.malformed(f"{what} is missing", kinds)
        if not kind:
            self.unknown(f"“{self.word.text}” is not a type of train", kinds)
        if self.low.endswith("trains") or self._plural():
            offered = self.table.next_train()
            other = offered.type if offered else kind
            verb = self.line[: self.column()].rstrip()
            if verb == "buy" and self.table.phase.bank_trains == 1:
                self.ambiguous(ONE_TRAIN, (f"{verb} {kind}",))
            self.ambiguous(
                f"One train of type {kind}, or several trains",
                (f"{verb} {kind}", f"{verb} {other}, {other}"),
            )
        self.at += 1
        self.skip("train")
        return kind

    def _plural(self) -> bool:
        following = self.words[self.at + 1 : self.at + 2]
        return bool(following) and following[0].low == "trains"

    def source(self, company: CompanyId = "") -> str | None:
        """Take a place that sells: IPO, open market, "" for "the bank", None if no place is named.

        It may be the treasury of ``company``; then the company itself is the place.
        """
        start = self.at
        self.skip("out of", "from", "in", "the", "at", "its", "own")
        treasuries = self.title.facts.stock.treasuries
        if company and treasuries and self.take("treasury"):
            return company
        if self.low == "treasury":
            name = self.title.name
            text = "Treasuries sell no trains" if treasuries else f"There is no treasury in {name}"
            before = self.line[: self.column(start)].rstrip()
            self.unknown(text, (f"{before} {place}" for place in ("ipo", "market")))
        found = self.take(*SOURCES)
        if not found:
            self.at = start
            return None
        return SOURCES[found]

    # the position

    def with_power(self, *kinds: type[Power]) -> PrivateId:
        """Take a private company whose power is of one of these kinds."""
        privates = self.title.privates
        able = [p.id for p in privates.values() if isinstance(p.power, kinds)]
        start = self.at
        private = self.name(names.privates(self.title), "the private company").id
        if private not in able:
            self.unknown(f"{private} has no power for this", able, at=start)
        return private

    def company(self) -> CompanyId:
        """The company of a command: the one before the colon, or the one whose turn it is."""
        self.heading_used = True
        company = self.heading or turn_company(self.state)
        if company:
            return company
        operators = {**self.state.presidents, **self.state.receivers}
        mine = [c for c, seat in operators.items() if seat == self.seat]
        self.incomplete("No company is operating now", (f"{c}: {self.line}" for c in mine), at=0)

    def legal(self, actions: Iterable[A]) -> list[A]:
        """The actions that are legal now."""
        from engine.flow import why_not

        return [a for a in actions if why_not(self.title, self.state, a) is None]

    def one_of(self, actions: Sequence[A], text: str) -> A:
        """The only action, or the only legal one; raises Ambiguous with the choices written out.

        If several are possible and none is legal, an action with the most frequent refusal is
        taken, so that the rules can say why.
        """
        if len(actions) == 1:
            return actions[0]
        allowed = self.legal(actions)
        if len(allowed) == 1:
            return allowed[0]
        if not allowed:
            return self._typical(actions)
        choices = (write(self.title, self.state, action) for action in allowed)
        self.ambiguous(text, choices, at=len(self.words))

    def _typical(self, actions: Sequence[A]) -> A:
        from engine.flow import why_not

        reasons = [str(why_not(self.title, self.state, action)) for action in actions]
        return max(zip(actions, reasons, strict=True), key=lambda pair: reasons.count(pair[1]))[0]
