"""Checks a tournament from its published JSON alone, as anybody can do."""

from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct

from service.tournaments.lots import digest_of
from service.tournaments.rules import AIMS, TournamentRules
from service.tournaments.seating import PROCEDURE, Draw, past_of, seat
from service.tournaments.values import Seating


class PublishedTournament(Struct, frozen=True):
    """The part of the published JSON that the check needs (`listing.tournament_json`)."""

    rules: TournamentRules
    digests: tuple[str, ...]
    seatings: tuple[Seating, ...]


AS_SEEDED = "Round {round}: all {tables} tables are as the seed has them."
CHANGED_BY_DIRECTOR = "Round {round}: changed by the director, because {why}. By the seed:"
NOT_AS_SEEDED = "Round {round}: it is NOT as the seed has it."


class Checked(Struct, frozen=True):
    """A round's seating, and its differences from digest and seed."""

    round: int
    tables: int
    faults: tuple[str, ...]
    why: str = ""

    def __str__(self) -> str:
        if not self.faults:
            return AS_SEEDED.format(round=self.round, tables=self.tables)
        if self.why:
            told = CHANGED_BY_DIRECTOR.format(round=self.round, why=self.why)
        else:
            told = NOT_AS_SEEDED.format(round=self.round)
        return "\n".join([told, *(f"  {fault}" for fault in self.faults)])


def check(data: bytes | str) -> tuple[Checked, ...]:
    """All seatings of a published tournament, computed again.

    Raises msgspec.DecodeError if the data is not such JSON.
    """
    try:
        said = msgspec.json.decode(data, type=PublishedTournament)
    except RecursionError as error:
        raise msgspec.DecodeError("lists within lists go too deep") from error
    return tuple(_checked(said))


def _checked(said: PublishedTournament) -> Iterator[Checked]:
    before: list[Seating] = []
    for seating in sorted(said.seatings, key=lambda one: one.round):
        faults = (
            *_digest_faults(said, seating),
            *faults_of(seating, draw_again(said, before, seating)),
        )
        yield Checked(seating.round, len(seating.tables), faults, seating.why)
        before.append(seating)


def draw_again(said: PublishedTournament, before: Sequence[Seating], seating: Seating) -> Draw:
    """The draw of a seating, rebuilt from all that was published."""
    rules = said.rules
    # the aims of this seating; later rounds may have others
    aims = tuple(aim for one in seating.aims for aim in AIMS if aim == one.aim)
    return Draw(
        rules.name, seating.round, seating.players, rules.round(seating.round), aims,
        past_of(before), seating.seed,
    )  # fmt: skip


PUBLISHED_ANOTHER = "Before entries closed {known} was published for it, not {digest}."


def _digest_faults(said: PublishedTournament, seating: Seating) -> Iterator[str]:
    """Differences between the digest in a seating and the one that was published first."""
    known = said.digests[seating.round - 1 : seating.round]
    if known and known[0] != seating.digest:
        yield PUBLISHED_ANOTHER.format(known=known[0], digest=seating.digest)


OTHER_DIGEST = "The seed's digest is {digest}, and {published} was published."
OTHER_PROCEDURE = "It was seated by procedure {theirs}; this Waybill has {ours}."


def faults_of(seating: Seating, draw: Draw) -> tuple[str, ...]:
    """The differences of a published seating from its opened seed; () if there are none.

    It repeats the check that anybody can make: first the digest, then the whole seating.
    """
    digest = digest_of(draw.tournament, draw.number, draw.seed)
    if digest != seating.digest:
        return (OTHER_DIGEST.format(digest=digest, published=seating.digest),)
    if seating.procedure != PROCEDURE:
        return (OTHER_PROCEDURE.format(theirs=seating.procedure, ours=PROCEDURE),)
    told = _other_tables(seating, seat(draw))
    # a solver that stopped on another machine may have left a result open that this one proves
    return tuple(told if told and _other_tables(seating, seat(draw, exact=False)) else ())


SHOULD_SIT_OUT = "{names} should sit out."
OTHER_NUMBER = "There should be {tables} tables, not {found}."
OTHER_TABLE = "Table {table} should be {title}: {names}."


def _other_tables(seating: Seating, again: Seating) -> list[str]:
    """The differences between two seatings of the same draw."""
    told = []
    if again.byes != seating.byes:
        told.append(SHOULD_SIT_OUT.format(names=", ".join(again.byes) or "Nobody"))
    for mine, published in zip(again.tables, seating.tables, strict=False):
        if (mine.seats, mine.title) != (published.seats, published.title):
            told.append(
                OTHER_TABLE.format(table=mine.number, title=mine.title, names=", ".join(mine.seats))
            )
    if len(again.tables) != len(seating.tables):
        told.append(OTHER_NUMBER.format(tables=len(again.tables), found=len(seating.tables)))
    return told
