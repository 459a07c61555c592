"""Offers between players: their outcomes, and the commands that wait for an answer.

The engine knows the open offer. Its number, and the outcomes of earlier ones, come from the actions
of a change. The module knows no email, no database and no clock.
"""

import operator
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import engine
from engine import Correction, Event, Question, Seat, State, Title
from engine.actions import Action, AnswerAction
from engine.events import Asked, Countered
from engine.notation import alternatives
from engine.position.table import Table
from engine.proposals import BarredLay, PowerUse, PrivateSale, StationSale, TrainSale
from engine.telling.narration import narrate_all
from engine.wording import cut
from service.commands.command import Command
from service.games.playing import Played
from service.orders import values as v
from service.store import AheadRow, GivenAhead, OfferRow

OfferRows = tuple[OfferRow, ...]

_NUMBERED = re.compile(
    r"(accept|agree|yes|okay|ok|decline|refuse|reject|no|withdraw)\s+"
    r"(?:to\s+)?(?:the\s+)?(?:offer\s+)?#?(\d{1,6})",
    re.IGNORECASE,
)
_COUNTERED = re.compile(
    r"counter\s+(?:the\s+)?(?:offer\s+)?#?(\d{1,6})\s+(?:for|with|at)\s+(.+)", re.IGNORECASE
)


def waiting(offers: Sequence[OfferRow]) -> OfferRow | None:
    """The open offer; None if there is none."""
    return next((row for row in offers if row.status == "open"), None)


def number(offers: Sequence[OfferRow]) -> int:
    """The number of the open offer; 0 if there is none."""
    found = waiting(offers)
    return found.number if found else 0


def after(
    title: Title, offers: OfferRows, back: int | None, played: Sequence[Played], state: State
) -> OfferRows:
    """The offers after a change: first a return to position ``back``, if any, then the actions.

    ``state`` is the position after it.
    """
    if back is not None:
        offers = tuple(_taken_back(row, back) for row in offers)
    for one in played:
        offers = _played(title, offers, one)
    if engine.question(state) is None:
        offers = tuple(_ended(row, "lapsed", 0) for row in offers)
    return offers


def _taken_back(row: OfferRow, back: int) -> OfferRow:
    """An offer after a return: gone if it was made later, open again if answered later."""
    if row.position > back:
        return replace(row, status="lapsed", closed=0)
    if row.status != "lapsed" and row.closed > back:
        return replace(row, status="open", closed=0)
    return row


def _ended(row: OfferRow, status: str, closed: int) -> OfferRow:
    return replace(row, status=status, closed=closed) if row.status == "open" else row


def _answered(offers: OfferRows, action: Action | Correction | None, at: int) -> OfferRows:
    """The offers after an action, which may answer the open one."""
    if not isinstance(action, AnswerAction):
        return offers
    return tuple(_ended(row, action.fate, at) for row in offers)


def _played(title: Title, offers: OfferRows, one: Played) -> OfferRows:
    """The offers after an action; a request to several players is an offer to each."""
    before = waiting(offers)
    offers = _answered(offers, one.action, one.number)
    for event in one.events:
        if isinstance(event, Asked | Countered):
            counters = before.number if before and isinstance(event, Countered) else 0
            [text] = narrate_all(title, (event,))
            last = max((row.number for row in offers), default=0)
            new = OfferRow(last + 1, one.number, event.by, event.asked, text, counters)
            offers = (*offers, new)
    return offers


@dataclass(frozen=True)
class Redone:
    """An action that was taken back and counts again; None for one that no rule knows."""

    number: int
    action: Action | Correction | None
    events: tuple[Event, ...]


def redone(offers: OfferRows, steps: Sequence[Redone], state: State) -> OfferRows:
    """The offers after steps that were taken back count again, with their old outcomes.

    ``state`` is the position after them.
    """
    for step in steps:
        offers = _answered(offers, step.action, step.number)
        offers = tuple(
            replace(row, status="open", closed=0) if row.position == step.number else row
            for row in offers
        )
    if engine.question(state) is None:
        offers = tuple(_ended(row, "lapsed", 0) for row in offers)
    return offers


# answers that name a number


@dataclass(frozen=True)
class NamedAnswers:
    """Commands in which numbered answers have become plain ones.

    ``numbered`` says whether one had a number. ``wrong`` is the reason why a number cannot be
    meant; then nothing is played.
    """

    commands: tuple[Command, ...]
    numbered: bool = False
    wrong: str = ""


def named(commands: Sequence[Command], offers: Sequence[OfferRow], seat: Seat) -> NamedAnswers:
    """Turn `accept 17` into `accept`, if offer 17 waits for the seat's answer."""
    found, numbered = [], False
    for command in commands:
        texts = []
        for text in alternatives(command.rest) or [command.rest]:
            wanted, plain, takes_back = _read(text)
            texts.append(plain)
            if wanted is None:
                continue
            numbered = True
            if wrong := fault(offers, wanted, seat, takes_back=takes_back):
                return NamedAnswers(tuple(commands), numbered, wrong)
        found.append(replace(command, rest=" else ".join(texts)))
    return NamedAnswers(tuple(found), numbered)


def _read(text: str) -> tuple[int | None, str, bool]:
    """An answer's number or None, the answer without it, and whether it withdraws an offer."""
    if match := _COUNTERED.fullmatch(text.strip()):
        return int(match[1]), f"counter for {match[2]}", False
    if match := _NUMBERED.fullmatch(text.strip()):
        return int(match[2]), match[1], match[1].lower() == "withdraw"
    return None, text, False


NO_SUCH_OFFER = "There is no offer {number}."
OFFER_WAITS = "Offer {number} waits for {name}'s answer."
MADE_BY = "Offer {number} was made by {name}, who alone can withdraw it."
FOR_ANOTHER = "Offer {number} is for {asked} to answer, not for {name}."


def fault(offers: Sequence[OfferRow], wanted: int, seat: Seat, *, takes_back: bool = False) -> str:
    """The reason why a seat cannot answer or withdraw the offer with this number; "" if it can."""
    row = next((row for row in offers if row.number == wanted), None)
    if row is None:
        waits = waiting(offers)
        none = NO_SUCH_OFFER.format(number=wanted)
        if waits is None:
            return none
        return f"{none} {OFFER_WAITS.format(number=waits.number, name=waits.asked)}"
    if row.status != "open":
        return fate(row)
    whose = row.by if takes_back else row.asked
    if whose == seat:
        return ""
    if takes_back:
        return MADE_BY.format(number=wanted, name=row.by)
    return FOR_ANOTHER.format(number=wanted, asked=row.asked, name=seat)


STILL_WAITS = "Offer {number} ({offer}) waits for {name}'s answer."
HAS_LAPSED = (
    "Offer {number} ({offer}) has expired: the turn in which {name} made it was taken back or "
    "ended."
)
WAS_ACCEPTED = "Offer {number} ({offer}) was accepted at #{position}."
WAS_DECLINED = "Offer {number} ({offer}) was declined at #{position}."
WAS_COUNTERED = "Offer {number} ({offer}) was countered at #{position}."
WAS_WITHDRAWN = "Offer {number} ({offer}) was withdrawn at #{position}."
_FATES = {
    "accepted": WAS_ACCEPTED,
    "declined": WAS_DECLINED,
    "countered": WAS_COUNTERED,
    "withdrawn": WAS_WITHDRAWN,
}


def fate(row: OfferRow) -> str:
    """The outcome of an offer, in a sentence."""
    if row.status == "open":
        return STILL_WAITS.format(number=row.number, offer=row.text, name=row.asked)
    if row.status == "lapsed":
        return HAS_LAPSED.format(number=row.number, offer=row.text, name=row.by)
    return _FATES[row.status].format(number=row.number, offer=row.text, position=row.closed)


_RELATIONS: dict[v.Relation, Callable[[int, int], bool]] = {
    "=": operator.eq, "<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge,
}  # fmt: skip


def answer(title: Title, state: State, seat: Seat, act: v.Act) -> str:
    """The command that an advance answer plays in a position: `accept`, `decline` or "".

    A consent to something that is no longer legal plays nothing; Waybill asks the player.
    """
    asked = engine.question(state)
    if not isinstance(act.ahead, v.Terms) or asked is None or asked.asked != seat:
        return ""
    if not fits(Table(title, state), asked, act.ahead):
        return ""
    if not act.ahead.agrees:
        return "decline"
    return "" if engine.why_not_accepted(title, state) else "accept"


def fits(table: Table, asked: Question, terms: v.Terms) -> bool:
    """Whether the terms cover an offer."""
    what = asked.proposal
    if terms.what == "offers":
        return terms.other in ("", *_others(table, asked))
    if terms.what == "use":
        lent = isinstance(what, PowerUse | BarredLay) and what.private == terms.thing
        return lent and terms.other in ("", *_others(table, asked))
    if terms.other not in ("", *_others(table, asked)):
        return False
    if isinstance(what, StationSale):
        same = (terms.what, terms.company) == ("station", what.seller)
        return same and _within(terms, table.title.facts.operating.station_trade)
    if isinstance(what, TrainSale):
        same = (terms.what, terms.thing, terms.company) == ("train", what.train, what.seller)
    elif isinstance(what, PrivateSale):
        sells = table.agent(what.seller) == asked.asked
        same = (terms.what, terms.thing, terms.sells) == ("private", what.private, sells)
    else:
        return False
    return same and _within(terms, what.price)


def _within(terms: v.Terms, price: int) -> bool:
    """Whether the terms allow a price; terms without a price allow all."""
    return terms.price is None or _RELATIONS[terms.relation](price, terms.price)


def _others(table: Table, asked: Question) -> Iterator[str]:
    """The player who makes the offer, and the companies on that side."""
    yield asked.by
    what = asked.proposal
    parties = (
        (what.company,) if isinstance(what, PowerUse | BarredLay) else (what.seller, what.buyer)
    )
    yield from (party for party in parties if table.agent(party) == asked.by)


def by_consent(
    before: tuple[OfferRow, ...], after: tuple[OfferRow, ...], written: frozenset[int]
) -> Iterator[OfferRow]:
    """The offers that were answered without an email; ``written`` are actions from emails."""
    stood = {row.number: row for row in before}
    for row in after:
        old = stood.get(row.number, replace(row, status="open"))
        answered = row.status in ("accepted", "declined") and old.status == "open"
        if answered and row.closed not in written:
            yield row


#: the most characters of waiting commands that an answer repeats
_SHOWN = 400
#: whether their time is still to come, is now, or can no longer come
WaitingState = Literal["waits", "due", "gone"]


IF_NO = "{command} (if the answer is no)"


@dataclass(frozen=True)
class WaitingCommands:
    """A seat's further commands, which wait until its question is answered.

    ``keep_open`` says whether its turn stays open after them.
    """

    seat: Seat
    commands: tuple[Command, ...]
    keep_open: bool
    #: the name of the decision that they wait for: the question
    question: str
    #: the name of the decision that the question interrupted, which is theirs
    turn: str
    #: the number of the position that they followed
    number: int
    #: commands that come before them if the answer is no
    instead: tuple[Command, ...] = ()

    @property
    def shown(self) -> str:
        """The commands as an answer repeats them."""
        after = [IF_NO.format(command=command.shown) for command in self.instead]
        return cut("; ".join([*after, *(command.shown for command in self.commands)]), _SHOWN)

    @property
    def ends(self) -> bool:
        """Whether only the end of the turn waits."""
        return not self.instead and [command.rest for command in self.commands] == ["done"]

    def then(self, *, agreed: bool) -> tuple[Command, ...]:
        """The commands to carry out after an answer."""
        return self.commands if agreed else _numbered((*self.instead, *self.commands))

    def standing(self, state: State) -> WaitingState:
        """Whether they can be carried out in a position; they may wait for a second question."""
        if waits_for(self.seat, state):
            return "waits" if engine.interrupted(state) == self.turn else "gone"
        return "due" if engine.decision(state) == self.turn else "gone"

    def at(self, state: State) -> "WaitingCommands":
        """The same commands, waiting in a position."""
        return replace(self, question=engine.decision(state))


def given(
    seat: Seat, state: State, commands: Sequence[Command], keep_open: bool, instead: str = ""
) -> WaitingCommands:
    """Commands that wait from now on for the answer to their seat's open question."""
    asked, turn = engine.decision(state), engine.interrupted(state)
    no = _commands(instead)
    return WaitingCommands(seat, _numbered(commands), keep_open, asked, turn, state.number, no)


def _commands(text: str) -> tuple[Command, ...]:
    """The commands of a text that has one a line."""
    return _numbered([Command(0, "play", line, line) for line in text.split("\n") if line])


def _numbered(commands: Sequence[Command]) -> tuple[Command, ...]:
    return tuple(replace(command, number=line) for line, command in enumerate(commands, 1))


def waits_for(seat: Seat, state: State) -> Seat:
    """The seat that must answer the question in the seat's turn, perhaps itself; "" if none."""
    question = engine.question(state)
    return question.asked if question is not None and question.proposer == seat else ""


def of(aheads: Sequence[WaitingCommands], seat: Seat) -> WaitingCommands | None:
    """The waiting commands of a seat, or None."""
    return next((ahead for ahead in aheads if ahead.seat == seat), None)


def read(row: AheadRow) -> WaitingCommands:
    """Commands from their stored text, one per line."""
    known = (row.keep_open, row.question, row.turn, row.number)
    return WaitingCommands(row.seat, _commands(row.commands), *known, _commands(row.instead))


def stored_form(ahead: WaitingCommands) -> GivenAhead:
    """Commands in the form that is stored; no command contains a line break."""
    return GivenAhead(
        seat=ahead.seat,
        commands="\n".join(command.rest for command in ahead.commands),
        keep_open=ahead.keep_open,
        question=ahead.question,
        turn=ahead.turn,
        number=ahead.number,
        instead="\n".join(command.rest for command in ahead.instead),
    )
