"""Other rules for a tournament: what they may change, and what follows for what was published."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from service.commands.refusal import Refused
from service.desk.letters.post import Desk
from service.desk.tournament import figures
from service.desk.tournament.acts import Cup, Ruled
from service.desk.tournament.known import Doing, Known, digests_of
from service.desk.tournament.letters import BECAUSE, Words, to_all
from service.desk.tournament.plan import Plan, after_acts
from service.mail.grades import ASKS, Grade
from service.reports.tables import Block
from service.tournaments import form
from service.tournaments.rules import TournamentRules

BOARDS_KEEP = "Boards that have begun keep the clock, grade and caretaker that they began with."
#: rows of the standings that a letter has
_SHOWN = 40


def parted(text: str, because: str = "") -> tuple[str, str]:
    """Lines of the form, and the reason that stands behind them or as their last line."""
    lines = [line for line in text.splitlines() if line.strip()]
    if lines and lines[-1].strip().lower().startswith("because "):
        because, lines = lines[-1].strip()[len("because ") :].strip(" ."), lines[:-1]
    return "\n".join(lines), because


DIRECTOR_COULD_NOT = (
    "The director could no longer direct by email: in `grade: {grade}` {asks}, and their emails "
    "do not have it."
)
NOTHING_CHANGES = "That is how the rules are."


def read(cup: Cup, text: str, proves: Callable[[Grade], bool]) -> tuple[TournamentRules, list[str]]:
    """The rules as lines of the form change them, and the changes as all are told. Raises Refused.

    ``proves`` tells whether the director could still direct by mail in a grade.
    """
    before = cup.rules
    try:
        after = same_people(before, form.read(text, before))
    except form.WrongForm as wrong:
        raise Refused(" ".join(map(str, wrong.faults))) from wrong
    _check_rounds(cup, after)
    if after.grade != before.grade and not proves(after.grade):
        raise Refused(DIRECTOR_COULD_NOT.format(grade=after.grade, asks=ASKS[after.grade]))
    changed = changes(before, after)
    if not changed:
        raise Refused(NOTHING_CHANGES)
    return after, changed


ROUND_HAS_BEGUN = "Round {round} has begun: there cannot be fewer rounds."
ROUND_IS_SEATED = "Round {round} is seated: there cannot be fewer rounds."
SEATING_IS_PUBLISHED = (
    "Round {round} is seated, and its seating is published: its titles, tables and byes stay. "
    "Those of later rounds may change."
)
LATER_IS_SEATED = (
    "Round {next} is seated by what round {round} was: round {round} stays as it was. Later rounds "
    "may change."
)


def _check_rounds(cup: Cup, after: TournamentRules) -> None:
    """What a published seating was made by stays; what a round before it decided stays too."""
    if len(after.rounds) < cup.round:
        raise Refused(ROUND_HAS_BEGUN.format(round=cup.round))
    seated = max((one.round for one in cup.value.seatings), default=0)
    if len(after.rounds) < seated:
        raise Refused(ROUND_IS_SEATED.format(round=seated))
    for number in range(1, seated + 1):
        old, new = cup.rules.round(number), after.round(number)
        if (old.titles, old.sizes, old.byes) != (new.titles, new.sizes, new.byes):
            raise Refused(SEATING_IS_PUBLISHED.format(round=number))
        if number < seated and old != new:
            raise Refused(LATER_IS_SEATED.format(next=number + 1, round=number))


SEED_DIGEST = "Digest of the seed of round {round}: {digest}"
CHANGED_SUBJECT = "The rules have changed"
ARE_OTHERS = "The rules of {cup} are others now."


def plan(
    desk: Desk,
    known: Known,
    change: tuple[TournamentRules, Sequence[str]],
    by: str,
    because: str,
) -> Plan:
    """The rules are others from now on, and all are told.

    ``change`` are the rules with what is told of them. Where standings change that were published,
    these are struck out.
    """
    after, changed = change
    new = range(len(known.cup.value.digests) + 1, len(after.rounds) + 1)
    digests = digests_of(desk.house, known.row, new)
    seeds = [SEED_DIGEST.format(round=n, digest=d) for n, d in zip(new, digests, strict=True)]
    acts = [Doing(Ruled(after, "\n".join(changed), digests), by, because)]
    then = after_acts(known, desk, acts)
    again = [Doing(one, by) for one in figures.published_again(known.cup, then)]
    why = (BECAUSE.format(because=because),) if because else ()
    kept = BOARDS_KEEP if known.cup.round else ""
    blocks: Sequence[Block] = ()
    if again:
        acts = [*acts, *again]
        blocks = figures.standings(then, _SHOWN)
    words = Words(
        CHANGED_SUBJECT,
        ARE_OTHERS.format(cup=known.name),
        (*changed, *seeds, *why, kept, figures.STANDINGS_STRUCK if again else ""),
        blocks,
        kind="rules",
    )
    return Plan(acts, list(to_all(desk, known, words)))


def same_people(before: TournamentRules, after: TournamentRules) -> TournamentRules:
    """Other rules with the same director and assistant: those are named by words of their own."""
    return replace(after, director=before.director, assistant=before.assistant, name=before.name)


WAS_BEFORE = "{key}: {value} (before: {before})"


def changes(before: TournamentRules, after: TournamentRules) -> list[str]:
    """What rules say otherwise than before, line by line of the form."""
    old = dict(_lines(before))
    return [
        WAS_BEFORE.format(key=key, value=value, before=old.get(key, "none"))
        for key, value in _lines(after)
        if old.get(key) != value
    ]


def _lines(rules: TournamentRules) -> list[tuple[str, str]]:
    found = (line.partition(": ") for line in form.printed(rules).splitlines())
    return [(key, value) for key, _, value in found]
