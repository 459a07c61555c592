"""The acts of a tournament's log, as they are stored; no act ever changes.

If a published fact is wrong, another act follows that says so.
"""

from dataclasses import dataclass

import msgspec
from msgspec import Struct

from service.tournaments import older
from service.tournaments.rules import TournamentRules
from service.tournaments.values import Entrant, Seating, ToldResult
from service.tournaments.votes import Vote

#: offices of a tournament; OPERATOR writes at the command line
DIRECTOR, ASSISTANT, OPERATOR = "director", "assistant", "operator"


class TournamentAnnounced(Struct, frozen=True, tag="announced"):
    """The tournament exists; ``digests`` are those of the rounds' seeds."""

    rules: TournamentRules
    digests: tuple[str, ...]


class EntryChanged(Struct, frozen=True, tag="entry"):
    """An entry as it is from now on; ``what`` happened: "asked", "confirmed", "withdrawn" …"""

    what: str
    entry: Entrant


class EntriesClosed(Struct, frozen=True, tag="closed"):
    """Entries are closed."""


class EntriesReopened(Struct, frozen=True, tag="reopened"):
    """Entries are open again."""


class RoundSeated(Struct, frozen=True, tag="seated"):
    """The published seating of a round."""

    seating: Seating


class RoundBegun(Struct, frozen=True, tag="begun"):
    """All games of a round have begun."""

    round: int
    games: tuple[str, ...]


class TableEnded(Struct, frozen=True, tag="result"):
    """A game is over, or has another result: the former report of it is struck out."""

    told: ToldResult


class DirectorDecided(Struct, frozen=True, tag="decided"):
    """A decision of the director: "announce", "rule", "hold", "resume", "adjudicate" …

    ``about`` is its subject, such as "2.1" for a game, "" for all.
    """

    what: str
    text: str
    about: str = ""


class RulesChanged(Struct, frozen=True, tag="rules"):
    """New rules, by a ruling; ``digests`` are those of further rounds."""

    rules: TournamentRules
    text: str
    digests: tuple[str, ...] = ()


class VoteProposed(Struct, frozen=True, tag="proposed"):
    """A question to all players."""

    vote: Vote


class BallotCast(Struct, frozen=True, tag="ballot"):
    """The answer of an entrant in a vote; the latest counts."""

    vote: int
    name: str
    yes: bool


class VoteEnded(Struct, frozen=True, tag="voted"):
    """A vote is over."""

    vote: Vote


class OfficeGiven(Struct, frozen=True, tag="office"):
    """The holder of an office: "" for nobody. An ``asked`` person has not agreed yet."""

    office: str
    address: str
    asked: bool = False


class TokenRenewed(Struct, frozen=True, tag="renewed"):
    """An entrant or office has another token; the former addresses are void."""

    holder: str


class StandingsPublished(Struct, frozen=True, tag="standings"):
    """The standings as everybody got them after a round."""

    round: int
    text: str


class TournamentOver(Struct, frozen=True, tag="over"):
    """The tournament is over, or was abandoned; ``text`` is the message about it."""

    abandoned: bool
    text: str


TournamentAct = (
    TournamentAnnounced
    | EntryChanged
    | EntriesClosed
    | EntriesReopened
    | RoundSeated
    | RoundBegun
    | TableEnded
    | DirectorDecided
    | RulesChanged
    | VoteProposed
    | BallotCast
    | VoteEnded
    | OfficeGiven
    | TokenRenewed
    | StandingsPublished
    | TournamentOver
)
_decoder: msgspec.json.Decoder[TournamentAct] = msgspec.json.Decoder(TournamentAct)


@dataclass(frozen=True)
class LoggedAct:
    """An act of an office or entrant, and its reason.

    ``number`` is its place in the log, and ``at`` its time in UTC seconds, once it is stored.
    """

    act: TournamentAct
    by: str
    because: str = ""
    number: int = 0
    at: int = 0


def encode(act: TournamentAct) -> bytes:
    """An act in its stored form."""
    return msgspec.json.encode(act)


def decode(data: bytes, ended: bool = False) -> TournamentAct:
    """A stored act. Raises OldTournament for a removed rule of a tournament that has not ended."""
    if any(mark in data for mark in older.MARKS):
        data = older.brought_up(data, ended)
    return _decoder.decode(data)
