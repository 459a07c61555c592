"""The director of a tournament changes its rules by lines of the form, after its announcement."""

import dataclasses

from service.desk.answering.effects import Effect
from service.desk.tournament.answering.tournament_context import TournamentContext, shows
from service.desk.tournament.directing.tournament_directing import Instruction, decided_by_director
from service.desk.tournament.letters.tournament_letters import BECAUSE, TournamentText
from service.desk.tournament.questions import public
from service.refusal import Refused
from service.reports import Answer
from service.tournaments import form, listing
from service.tournaments.acts import LoggedAct, RulesChanged
from service.tournaments.lots import digests_of
from service.tournaments.rules import TournamentRules
from service.tournaments.tournament import Tournament, planned

TABLES_KEEP = "Tables that have begun keep their clock, security level and caretaker."
#: rows of the standings in an email
_SHOWN = 40


def _parted(text: str, because: str) -> tuple[str, str]:
    """Lines of the form, and the reason after them or in their last line."""
    lines = [line for line in text.splitlines() if line.strip()]
    if lines and lines[-1].strip().lower().startswith("because "):
        because, lines = lines[-1].strip()[len("because ") :].strip(" ."), lines[:-1]
    return "\n".join(lines), because


NOTHING_CHANGES = "The rules say that already."
CHANGE_A_LINE = "Change a line of them."


def _read(tournament: Tournament, text: str) -> tuple[TournamentRules, list[str]]:
    """The rules after lines of the form, and the changes as all read them. Raises Refused."""
    after = form.read(text, tournament.rules)
    _check_rounds(tournament, after)
    changed = changes(tournament.rules, after)
    if not changed:
        raise Refused(NOTHING_CHANGES, hint=CHANGE_A_LINE)
    return after, changed


ROUND_IS_SEATED = "Round {round} is seated: there cannot be fewer rounds."
SEATING_IS_PUBLISHED = (
    "Round {round} is seated, and its seating is published: its titles and tables stay."
)
LATER_IS_SEATED = (
    "Round {next} is seated by what round {round} was, so round {round} stays as it was."
)
CHANGE_LATER_ROUNDS = "Change later rounds."


def _check_rounds(tournament: Tournament, after: TournamentRules) -> None:
    """Raises Refused for changes to the rules behind a published seating or a past round."""
    seated = max((one.round for one in tournament.seatings), default=0)
    if len(after.rounds) < seated:
        raise Refused(ROUND_IS_SEATED.format(round=seated))
    for number in range(1, seated + 1):
        old, new = tournament.rules.round(number), after.round(number)
        if (old.titles, old.sizes) != (new.titles, new.sizes):
            raise Refused(SEATING_IS_PUBLISHED.format(round=number), hint=CHANGE_LATER_ROUNDS)
        if number < seated and old != new:
            told = LATER_IS_SEATED.format(next=number + 1, round=number)
            raise Refused(told, hint=CHANGE_LATER_ROUNDS)


SEED_DIGEST = "Digest of the seed of round {round}: {digest}"
CHANGED = "The rules have changed."
WAS_BEFORE = "{key}: {value} (before: {before})"


def changes(before: TournamentRules, after: TournamentRules) -> list[str]:
    """The differences of rules, line by line of the form."""
    old = dict(_lines(before))
    return [
        WAS_BEFORE.format(key=key, value=value, before=old.get(key, "none"))
        for key, value in _lines(after)
        if old.get(key) != value
    ]


def _lines(rules: TournamentRules) -> list[tuple[str, str]]:
    found = (line.partition(": ") for line in form.printed(rules).splitlines())
    return [(key, value) for key, _, value in found]


ONLY_BY_RULING = "The tournament has begun: its rules change by a ruling, for a reason."
WRITE_BECAUSE_LAST = "Write `because …` as the last line."
THE_RULES = "THE RULES"


def rules(context: TournamentContext, said: Instruction) -> Effect:
    """Change the rules: freely before the first round, then by a ruling with a reason."""
    text = lines_of(said)
    if not text.strip():
        return shows(said.command, Answer((public.rules_of(context.tournament, THE_RULES),)))
    lines, because = _parted(text, said.because)
    if context.tournament.status == "running" and not because:
        raise Refused(ONLY_BY_RULING, hint=WRITE_BECAUSE_LAST)
    desk, tournament = context.desk, context.tournament
    after, changed = _read(tournament, lines)
    new = range(len(tournament.digests) + 1, len(after.rounds) + 1)
    digests = digests_of(desk.service.secret, tournament, new)
    seeds = [SEED_DIGEST.format(round=n, digest=d) for n, d in zip(new, digests, strict=True)]
    act = RulesChanged(after, "\n".join(changed), digests)
    then = planned(tournament, [LoggedAct(act, context.office, because)], desk.now)
    # standings that change with the rules are struck out
    again = listing.published_again(tournament, then)
    told = (
        *changed,
        *seeds,
        BECAUSE.format(because=because) if because else "",
        TABLES_KEEP if tournament.round else "",
        listing.STANDINGS_STRUCK if again else "",
    )
    blocks = listing.standings_blocks(then, _SHOWN) if again else ()
    words = TournamentText(CHANGED, told, blocks, kind="rules")
    said = dataclasses.replace(said, because=because)
    return decided_by_director(context, said, [act, *again], words, *changed)


def lines_of(said: Instruction) -> str:
    """The lines of the form after a command, and below it."""
    return "\n".join(filter(None, (said.rest.lstrip(":").strip(), said.below)))
