"""What anybody can check of a tournament who has its published JSON, and nothing else of it."""

from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct

from service.tournaments.rules import AIMS, TournamentRules
from service.tournaments.seating import Draw, faults_of, past_of
from service.tournaments.values import Seating


class Published(Struct, frozen=True):
    """What of the published JSON is needed (`listing.cup_json`)."""

    rules: TournamentRules
    digests: tuple[str, ...]
    seatings: tuple[Seating, ...]


AS_SEEDED = "Round {round}: all {tables} tables are as the seed has them."
CHANGED = "Round {round}: changed by the director, because {why}. By the seed:"
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
            told = CHANGED.format(round=self.round, why=self.why)
        else:
            told = NOT_AS_SEEDED.format(round=self.round)
        return "\n".join([told, *(f"  {fault}" for fault in self.faults)])


def check(data: bytes | str) -> tuple[Checked, ...]:
    """All seatings of a published tournament, worked out again.

    Raises msgspec.DecodeError for what is no such JSON.
    """
    try:
        said = msgspec.json.decode(data, type=Published)
    except RecursionError as error:
        raise msgspec.DecodeError("lists within lists go too deep") from error
    return tuple(_checked(said))


def _checked(said: Published) -> Iterator[Checked]:
    before: list[Seating] = []
    for seating in sorted(said.seatings, key=lambda one: one.round):
        faults = (
            *_digest_faults(said, seating),
            *faults_of(seating, draw_again(said, before, seating)),
        )
        yield Checked(seating.round, len(seating.tables), faults, seating.why)
        before.append(seating)


def draw_again(said: Published, before: Sequence[Seating], seating: Seating) -> Draw:
    """What a seating was drawn from, by all that was published."""
    rules = said.rules
    # the aims that it was seated by: those of later rounds may be others
    aims = tuple(aim for one in seating.aims for aim in AIMS if aim == one.aim)
    return Draw(
        rules.name, seating.round, seating.players, rules.round(seating.round), aims,
        past_of(before), seating.seed,
    )  # fmt: skip


OTHER_DIGEST = "Before entries closed {known} was published for it, not {digest}."


def _digest_faults(said: Published, seating: Seating) -> Iterator[str]:
    """The digest that stands with a seating must be the one that was published first."""
    known = said.digests[seating.round - 1 : seating.round]
    if known and known[0] != seating.digest:
        yield OTHER_DIGEST.format(known=known[0], digest=seating.digest)
