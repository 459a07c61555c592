"""Tournaments and records for the public pages, with rulings and struck-out standings."""

from collections.abc import Iterator, Sequence

from service.desk.tournament.cup_known import of_row
from service.desk.tournament.cup_letters import one_line, standing_lines
from service.desk.tournament.cup_log import (
    BoardEnded,
    Cup,
    CupRoundBegun,
    DirectorDecided,
    LoggedAct,
    RulesChanged,
    StandingsPublished,
    VoteEnded,
    VoteProposed,
)
from service.desk.tournament.cup_records import listed
from service.publish.tournament.page_data import CupView
from service.store import Store
from service.tournaments import votes as ballots
from service.tournaments.ratings import PlayerRecord


def view_of(cup: Cup) -> CupView:
    """A tournament for everybody: its state and its rulings."""
    over = cup.status in ("ended", "abandoned")
    stands = " ".join(standing_lines(cup))
    begun = next((one.at for one in cup.log if isinstance(one.act, CupRoundBegun)), 0)
    played_ = (begun, cup.log[-1].at if over else 0)
    return CupView(cup.value, stands, {}, tuple(rulings(cup)), over, tuple(struck(cup)), played_)


class FromStore:
    """The publisher's data beside games; see `publish.tournament.shelf.Beside`."""

    def __init__(self, store: Store) -> None:
        self._store = store
        #: tournaments as they were read, by the number of their last act
        self._read: dict[int, tuple[int, CupView]] = {}
        self._records: tuple[object, tuple[PlayerRecord, ...]] = ((), ())

    def tournaments(self) -> Sequence[CupView]:
        """All tournaments, running ones first, the latest of them first."""
        found = []
        with self._store.transaction() as tx:
            for row in tx.tournaments.all():
                last = tx.tournaments.last_act(row.id)
                if self._read.get(row.id, (0,))[0] != last:
                    self._read[row.id] = (last, view_of(of_row(tx, row).cup))
                found.append((bool(row.ended), -row.created, self._read[row.id][1]))
        return [view for _, _, view in sorted(found, key=lambda one: one[:2])]

    def records(self) -> Sequence[PlayerRecord]:
        """The records of all who want to be in lists, computed when a game has begun or ended."""
        with self._store.transaction() as tx:
            known = (tx.tournaments.unlisted(), tx.games.tally())
            if known != self._records[0]:
                self._records = (known, listed(tx))
        return self._records[1]


#: the clause for a reason: `{why}` of the messages below
WHY = ", because {because}"
RULING = "Ruling: {text}"
RULING_ON = "Ruling on board {board}: {text}"
TO_ALL = "To all: {text}"
RULES_CHANGED = "The rules have changed: {changes}{why}"
VOTE_PROPOSED = "Vote {vote}, proposed by {by}: {text}{why}"
IS_CORRECTED = "The result of board {board} is corrected{why}"


def _why(one: LoggedAct) -> str:
    return WHY.format(because=one.because) if one.because else ""


def rulings(cup: Cup) -> Iterator[tuple[int, str]]:
    """Rulings, votes and corrections, in their public form; times in UTC seconds."""
    for one in cup.log:
        act, why = one.act, _why(one)
        if isinstance(act, DirectorDecided):
            ruling = RULING_ON if act.about else RULING
            told = {"rule": ruling, "announce": TO_ALL}.get(act.what, "{text}")
            yield one.at, told.format(board=act.about, text=_reasoned(one, act))
        elif isinstance(act, RulesChanged):
            yield one.at, RULES_CHANGED.format(changes=one_line(act.text), why=why)
        elif isinstance(act, VoteProposed):
            vote, text = act.vote, one_line(act.vote.text)
            told = VOTE_PROPOSED.format(vote=vote.number, by=vote.by, text=text, why=why)
            yield one.at, told
        elif isinstance(act, VoteEnded):
            yield one.at, " ".join(ballots.result(act.vote))
        elif isinstance(act, BoardEnded) and act.told.reason:
            place = f"{act.told.result.round}.{act.told.result.table}"
            yield one.at, IS_CORRECTED.format(board=place, why=why)


def _reasoned(one: LoggedAct, act: DirectorDecided) -> str:
    """The decision, and its reason unless the text has it."""
    if not one.because or one.because in act.text:
        return act.text
    return f"{act.text.rstrip('.')}{_why(one)}"


AFTER_ROUND = "after round {round}"


def struck(cup: Cup) -> Iterator[tuple[int, str, str]]:
    """Published standings that are no longer valid: their time, their round, their text."""
    told = [(one.at, one.act) for one in cup.log if isinstance(one.act, StandingsPublished)]
    for number, (at, act) in enumerate(told):
        if any(later.round == act.round for _, later in told[number + 1 :]):
            yield at, AFTER_ROUND.format(round=act.round), act.text
