"""What anybody can check of a tournament who has its published JSON, and nothing else of it."""

from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct

from service.tournaments.lots import digest_of
from service.tournaments.rules import AIMS, TournamentRules
from service.tournaments.seating import PROCEDURE, Draw, past_of, seat
from service.tournaments.values import Seating


class PublishedCup(Struct, frozen=True):
    """What of the published JSON is needed (`listing.cup_json`)."""

    rules: TournamentRules
    digests: tuple[str, ...]
    seatings: tuple[Seating, ...]


AS_SEEDED = "Round {round}: all {tables} tables are as the seed has them."
CHANGED_BY_DIRECTOR = "Round {round}: changed by the director, because {why}. By the seed:"
NOT_AS_SEEDED = "Round {round}: it is NOT as the seed has it."


class Checked(Struct, frozen=True):
    """A round's seating, and what of it is not as digest and seed have it."""

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
    """All seatings of a published tournament, worked out again.

    Raises msgspec.DecodeError for what is no such JSON.
    """
    try:
        said = msgspec.json.decode(data, type=PublishedCup)
    except RecursionError as error:
        raise msgspec.DecodeError("lists within lists go too deep") from error
    return tuple(_checked(said))


def _checked(said: PublishedCup) -> Iterator[Checked]:
    before: list[Seating] = []
    for seating in sorted(said.seatings, key=lambda one: one.round):
        faults = (
            *_digest_faults(said, seating),
            *faults_of(seating, draw_again(said, before, seating)),
        )
        yield Checked(seating.round, len(seating.tables), faults, seating.why)
        before.append(seating)


def draw_again(said: PublishedCup, before: Sequence[Seating], seating: Seating) -> Draw:
    """What a seating was drawn from, by all that was published."""
    rules = said.rules
    # the aims that it was seated by: those of later rounds may be others
    aims = tuple(aim for one in seating.aims for aim in AIMS if aim == one.aim)
    return Draw(
        rules.name, seating.round, seating.players, rules.round(seating.round), aims,
        past_of(before), seating.seed,
    )  # fmt: skip


PUBLISHED_ANOTHER = "Before entries closed {known} was published for it, not {digest}."


def _digest_faults(said: PublishedCup, seating: Seating) -> Iterator[str]:
    """The digest that stands with a seating must be the one that was published first."""
    known = said.digests[seating.round - 1 : seating.round]
    if known and known[0] != seating.digest:
        yield PUBLISHED_ANOTHER.format(known=known[0], digest=seating.digest)


OTHER_DIGEST = "The seed's digest is {digest}, and {published} was published."
OTHER_PROCEDURE = "It was seated by procedure {theirs}; this Waybill has {ours}."


def faults_of(seating: Seating, draw: Draw) -> tuple[str, ...]:
    """What of a published seating is not as the opened seed has it; () if all is.

    This is what anybody does who checks it: the digest first, then the whole seating again.
    """
    digest = digest_of(draw.tournament, draw.number, draw.seed)
    if digest != seating.digest:
        return (OTHER_DIGEST.format(digest=digest, published=seating.digest),)
    if seating.procedure != PROCEDURE:
        return (OTHER_PROCEDURE.format(theirs=seating.procedure, ours=PROCEDURE),)
    told = _other_tables(seating, seat(draw))
    # a solver that was stopped, on another machine, may have left open what is proved here
    return tuple(told if told and _other_tables(seating, seat(draw, exact=False)) else ())


SHOULD_SIT_OUT = "{names} should sit out."
OTHER_NUMBER = "There should be {tables} tables, not {found}."
OTHER_TABLE = "Table {table} should be {title}: {names}."


def _other_tables(seating: Seating, again: Seating) -> list[str]:
    """Where two seatings of the same draw differ."""
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
