"""Names for the occurrences of a game, for counting; read from events, without titles' names."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.actions import Action, AnswerAction, CompanyAction
from engine.events import (
    ActingPresident,
    Asked,
    AuctionBegan,
    BidMade,
    BondBought,
    BondsIssued,
    BondsRedeemed,
    BondsSold,
    BonusPaid,
    BridgePaid,
    CompanyClosed,
    Declined,
    DividendPaid,
    EndForeseen,
    Event,
    ExtraRound,
    FerryActivated,
    FerryPaid,
    Floated,
    GameEnded,
    IdleForeseen,
    Insisted,
    InterestPaid,
    LoansRepaid,
    LoanTaken,
    LotBid,
    LotOffered,
    LotSold,
    LotUnsold,
    MarkPlaced,
    MarksGiven,
    MarksGone,
    Merged,
    MergerCapital,
    MergerExchanged,
    MergerNotFormed,
    ParSet,
    PassagesPaid,
    Passed,
    PhaseBegan,
    PlayerOut,
    PresidentChanged,
    PresidentPaid,
    PriceMoved,
    PrivateBought,
    PrivateClosed,
    PrivateDrawn,
    PrivatePaid,
    PrivateSwapped,
    RoundBegan,
    RoundEnded,
    SalvagePaid,
    ShareBought,
    ShareGiven,
    SharesBoughtBack,
    SharesIssued,
    SharesSold,
    StationMoved,
    StationPlaced,
    StationsReplaced,
    TileLaid,
    TrainBought,
    TrainDiscarded,
    TrainExtended,
    TrainGiven,
    TrainIdled,
    TrainNamed,
    TrainsGone,
    TrainsObsolete,
    TrainsRan,
    TrainsWithdrawn,
    TurnEnded,
    WentBankrupt,
    Withheld,
)
from engine.facts.facts import Facts
from engine.facts.powers import DoublePower, FerryPower, NamesPower, Power
from engine.facts.title import Title
from engine.flow import Outcome
from engine.position.frames import Founding, MergerStations, Question
from engine.position.table import Table
from engine.position.values import MARKET, State
from engine.proposals import BarredLay, PowerUse
from engine.runs.connections import keeper
from service.workshop.practice import rarities

#: events that count under another name than their tag
_NAMES: dict[type[Event], str] = {
    ActingPresident: "acting president",
    BondBought: "bond bought",
    BondsIssued: "bonds issued",
    BondsRedeemed: "bonds redeemed",
    BondsSold: "bonds sold",
    CompanyClosed: "company closed",
    FerryActivated: "ferry opened",
    FerryPaid: "foreign ferry used",
    InterestPaid: "interest paid",
    LoanTaken: "loan taken",
    LoansRepaid: "loan repaid",
    LotUnsold: "fire sale without a bid",
    SalvagePaid: "salvage paid",
    SharesBoughtBack: "treasury shares bought back",
    SharesIssued: "treasury shares sold",
    TrainExtended: "train extended",
    TrainIdled: "idle train",
    TrainNamed: "train named",
    TrainsWithdrawn: "trains withdrawn",
    WentBankrupt: "bankruptcy",
}


#: events that happen in every game
_USUAL: tuple[type[Event], ...] = (
    AuctionBegan,
    BidMade,
    BonusPaid,
    EndForeseen,
    ExtraRound,
    Floated,
    IdleForeseen,
    Insisted,
    LotBid,
    LotOffered,
    MarksGone,
    MergerCapital,
    MergerNotFormed,
    ParSet,
    Passed,
    PhaseBegan,
    PresidentChanged,
    PriceMoved,
    PrivateBought,
    PrivateClosed,
    PrivateDrawn,
    PrivatePaid,
    RoundBegan,
    RoundEnded,
    ShareBought,
    SharesSold,
    StationMoved,
    StationsReplaced,
    TrainDiscarded,
    TrainsGone,
    TrainsObsolete,
    TrainsRan,
    TurnEnded,
    Withheld,
)
#: events that `_by_details` counts in part, or whose powers `privates_used` counts
_DETAILED: tuple[type[Event], ...] = (
    Asked,
    BridgePaid,
    Declined,
    DividendPaid,
    GameEnded,
    LotSold,
    MarkPlaced,
    MarksGiven,
    Merged,
    MergerExchanged,
    PassagesPaid,
    PlayerOut,
    PresidentPaid,
    PrivateSwapped,
    ShareGiven,
    StationPlaced,
    TileLaid,
    TrainBought,
    TrainGiven,
)


def happened(title: Title, before: State, action: Action, outcome: Outcome) -> Iterator[str]:
    """The occurrences of one action, a name for each time."""
    frame = before.stack[-1]
    if isinstance(frame, MergerStations) and isinstance(action, CompanyAction):
        yield "merger station chosen"
    lent = isinstance(frame, Question) and isinstance(frame.proposal, PowerUse | BarredLay)
    if lent and _agrees(action):
        yield "leave given"
    for event in outcome.events:
        if not isinstance(event, _USUAL + _DETAILED + rarities.TOLD):
            yield _NAMES.get(type(event), str(event.__struct_config__.tag))
        if isinstance(event, TileLaid):
            old = Table(title, before).face(event.hex)
            yield from ["small city rebuilt"] if title.rebuilds(old, event.tile) else []
        yield from _by_details(title, outcome.state, event)
    yield from rarities.rarities(title, before, action, outcome)


def _agrees(action: Action) -> bool:
    return isinstance(action, AnswerAction) and action.fate == "accepted"


def _by_details(title: Title, after: State, event: Event) -> Iterator[str]:
    """Events with several names, or with one rare form."""
    if isinstance(event, Merged):
        yield f"merger at {after.phase}"
        yield f"merger of {len(event.merged)}"
    elif isinstance(event, MergerExchanged) and event.bonds:
        yield "bonds exchanged"
    elif isinstance(event, DividendPaid) and event.retained:
        yield "half dividend"
    elif isinstance(event, Declined) and isinstance(event.proposal, PowerUse | BarredLay):
        yield "leave refused"
    elif isinstance(event, PlayerOut) and after.stack:
        yield "bankruptcy, others play on"
    elif isinstance(event, PresidentPaid) or (isinstance(event, TrainBought) and event.aid):
        yield "president's aid"
    elif isinstance(event, LotSold):
        taker = "the bank" if event.buyer == MARKET else "a player"
        yield f"fire sale of a share to {taker}"
    elif isinstance(event, GameEnded):
        if event.cause == "survivor":
            yield "last survivor"
        if _unmerged(title.facts, after):
            yield "no merger"


def _unmerged(facts: Facts, state: State) -> bool:
    """Whether a company that could have formed by a merger has not."""
    if facts.merger is None:
        return False
    return facts.merger.company not in (*state.pars, *state.gone)


def worth_counting(title: Title) -> list[str]:
    """The occurrences that a title's games should show, so that a zero is seen."""
    facts = title.facts
    found: list[str] = []
    if facts.plays_on:
        found += ["bankruptcy, others play on", "last survivor", "company closed"]
    if facts.loans:
        found += ["loan taken", "loan repaid"]
    if facts.bonds:
        found += ["bonds issued", "bonds redeemed", "bonds exchanged"]
    if facts.ferries:
        found += ["ferry opened", "foreign ferry used"]
    if "half" in facts.operating.dividends:
        found += ["half dividend"]
    if "own shares" in facts.turn:
        found += ["treasury shares sold", "treasury shares bought back"]
    if facts.merger:
        found += [f"merger at {phase}" for phase in facts.merger.phases]
        found += ["no merger", "acting president", "merger station chosen"]
    if facts.operating.powers == "player":
        found += ["leave given"]
    if facts.small_cities:
        found += ["small city rebuilt"]
    return found + rarities.worth_seeing(title)


def privates_used(
    title: Title, before: State, action: Action, outcome: Outcome
) -> Iterator[tuple[str, str]]:
    """(private, kind of power) for each power that is used; a "leave" is that of its owner."""
    frame = before.stack[-1]
    if isinstance(frame, Founding):
        yield frame.private, _kind(title, frame.private)
    proposal = frame.proposal if isinstance(frame, Question) else None
    if isinstance(proposal, BarredLay) and _agrees(action):
        yield proposal.private, "leave"
    for event in outcome.events:
        for private in (*_used(title, event), *_doubling(Table(title, before), event)):
            yield private, _kind(title, private)


def _used(title: Title, event: Event) -> Iterator[str]:
    """The private companies whose power an event uses."""
    if isinstance(event, TileLaid | StationPlaced | TrainBought):
        if event.power:
            yield event.power
    elif isinstance(
        event,
        TrainGiven | ShareGiven | TrainExtended | PassagesPaid | BridgePaid | PrivateSwapped,
    ):
        yield event.private
    elif isinstance(event, MarkPlaced):
        yield from _with(title, lambda power: getattr(power, "mark", "") == event.mark)
    elif isinstance(event, MarksGiven):
        yield from _with(title, lambda power: getattr(power, "mark", "") in event.marks)
    elif isinstance(event, FerryActivated):
        yield from _with(title, lambda power: isinstance(power, FerryPower))
    elif isinstance(event, TrainNamed):
        yield from _with(title, lambda power: isinstance(power, NamesPower))


def _doubling(table: Table, event: Event) -> Iterator[str]:
    """The private companies that doubled a stop of a company's run."""
    if isinstance(event, TrainsRan):
        path = {hex_ for run in event.runs for hex_ in run.path}
        for private, facts in table.title.privates.items():
            power = facts.power
            lasts = isinstance(power, DoublePower) and not table.begun(power.until)
            runs_there = isinstance(power, DoublePower) and power.hex in path
            if lasts and runs_there and keeper(table, private) == event.company:
                yield private


def _with(title: Title, fits: Callable[[Power | None], bool]) -> Iterator[str]:
    """Privates by their power."""
    return (private for private, facts in title.privates.items() if fits(facts.power))


def _kind(title: Title, private: str) -> str:
    """The kind of a private's power as the title's file names it."""
    power = title.privates[private].power
    return str(power.__struct_config__.tag) if power else ""
