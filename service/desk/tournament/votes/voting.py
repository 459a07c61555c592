"""Votes of all players of a running tournament: proposing, voting, ending.

A vote is about a question in words. If it passes, the director carries it out.
`service/tournaments/votes.py` counts votes.
"""

from collections.abc import Sequence
from dataclasses import replace

from engine.wording import cut
from service.clocks.zones import DAY
from service.commands.command import Command
from service.desk.answering.effects import Effect, concluded
from service.desk.door import Done
from service.desk.letters.desk import Desk
from service.desk.service import Service
from service.desk.tournament.answering.tournament_context import (
    TournamentContext,
    TournamentEmail,
    agreed_entry,
)
from service.desk.tournament.directing.tournament_directing import Instruction
from service.desk.tournament.letters.tournament_letters import (
    TournamentText,
    to_all_entrants,
    to_offices,
    to_these,
)
from service.desk.tournament.stored.keeping import change_of, tournament_called
from service.desk.tournament.stored.tournament_tasks import VOTE
from service.games.commit import ITSELF
from service.refusal import Refused
from service.reports.words import moment
from service.said import NO_VOTE_OPEN, VOTES_ARE_PUBLISHED
from service.store import Occasion, Task, TaskRow, Tx
from service.tournaments import votes
from service.tournaments.acts import BallotCast, LoggedAct, VoteEnded, VoteProposed
from service.tournaments.telling import IS_OVER, entry_told
from service.tournaments.tournament import Tournament
from service.tournaments.votes import Vote, VoteStatus

#: most characters of a question
LONGEST = 2_000
#: seconds after which silence is a no
WITHIN = 7 * DAY
ASKED = "All players are asked."
WHAT_TO_ASK = "The proposal is missing."
WRITE_PROPOSE = "Write `propose` and your proposal, in a sentence or two."


def _propose(context: TournamentContext, command: Command, by: str, text: str) -> Effect:
    """Ask all players to agree to something. Raises Refused.

    ``by`` is an entrant, who votes yes with it, or an office.
    """
    desk, tournament = context.desk, context.tournament
    _may_propose(tournament, by)
    if not text:
        raise Refused(WHAT_TO_ASK, hint=WRITE_PROPOSE)
    names = tuple(entry.name for entry in tournament.players)
    number, due, question = len(tournament.votes) + 1, desk.now + WITHIN, cut(text, LONGEST)
    vote = Vote(number, by, tournament.round, question, desk.now, due, asked=names)
    if by in names:
        vote = votes.with_ballot(vote, by, yes=True)
    acts = [LoggedAct(VoteProposed(vote), by)]
    if (status := votes.outcome(vote, names)) != "open":
        over, told = _ended(desk, tournament, acts, vote, status)
        return context.did(command, over, ASKED, *told)
    words = _asks(tournament, vote, len(names))
    asked = [entry for entry in tournament.players if entry.name != by]
    for_offices = _asks(tournament, vote, len(names), votes_too=False)
    letters = [
        *to_these(desk, tournament, asked, words),
        *to_offices(desk, tournament, for_offices),
    ]
    key = f"{VOTE}-{tournament.name}-{number}"
    asks = change_of(
        desk, tournament, acts, letters, [Task(VOTE, key, due, tournament.name, str(number))]
    )
    return context.did(command, asks, *words.lines[-2:])


def voters(tournament: Tournament, vote: Vote) -> tuple[str, ...]:
    """The players whose votes count now: those who were asked and have not left since."""
    playing = {entry.name for entry in tournament.players}
    return tuple(name for name in vote.asked if name in playing)


NOT_BEGUN = "{tournament} has not begun: until then its director decides without a vote."
WRITE_TO_THE_DIRECTOR = "Write to the director."
IS_OPEN = "Vote {vote} is open until {due}, and only one vote is open at a time."
PROPOSE_YOURS_AFTER_THAT = "Propose yours after that."
PROPOSED_ALREADY = "You have proposed something in this round."
PROPOSE_IT_NEXT_ROUND = "Propose this in the next round."


def _may_propose(tournament: Tournament, by: str) -> None:
    if tournament.status != "running":
        raise Refused(NOT_BEGUN.format(tournament=tournament.name), hint=WRITE_TO_THE_DIRECTOR)
    if (vote := tournament.vote) is not None:
        told = IS_OPEN.format(vote=vote.number, due=moment(vote.due))
        raise Refused(told, hint=PROPOSE_YOURS_AFTER_THAT)
    proposed = {vote.by for vote in tournament.votes if vote.round == tournament.round}
    if by in proposed and tournament.entry(by):
        raise Refused(PROPOSED_ALREADY, hint=PROPOSE_IT_NEXT_ROUND)


VOTE_SUBJECT = "Vote {vote}: {question}"
#: characters of the question in a subject
SHORTEST = 40
OFFICE_PROPOSES = "The {name} of {tournament} asks all players whether they agree to this:"
PROPOSES = "{name} asks all players of {tournament} whether they agree to this:"
AGREED_IF = (
    "All players may vote until {due}, and silence is a no. It is agreed if {needed} say yes."
)
VOTE_YES = "vote {vote} yes"
VOTE_NO = "vote {vote} no"


def _asks(
    tournament: Tournament, vote: Vote, count: int, *, votes_too: bool = True
) -> TournamentText:
    """The email that asks for a ballot, or tells the offices of the vote."""
    proposes = PROPOSES if tournament.entry(vote.by) else OFFICE_PROPOSES
    agreed_if = AGREED_IF.format(due=moment(vote.due), needed=votes.needed_told(count))
    return TournamentText(
        proposes.format(name=vote.by, tournament=tournament.name),
        (*vote.text.split("\n"), agreed_if, VOTES_ARE_PUBLISHED),
        commands=[one.format(vote=vote.number) for one in (VOTE_YES, VOTE_NO) if votes_too],
        kind="vote",
        subject=VOTE_SUBJECT.format(vote=vote.number, question=_in_brief(vote.text)),
    )


def _in_brief(question: str) -> str:
    """The first line of a question, as far as a subject has room."""
    return cut(question.split("\n")[0], SHORTEST)


# --------------------------------------------------------------------------------------- voting
VOTED_YES = "You have voted yes in vote {vote}, on this:"
VOTED_NO = "You have voted no in vote {vote}, on this:"
OPEN_UNTIL = "It is open until {due}. Votes are published then; until then you may change yours."
ASKS_OTHERS = "Vote {vote} is for those who played in {tournament} when it was proposed."
NO_SUCH_VOTE = "There is no vote {vote}."
NOTHING_CHANGED = "Nothing is changed."
VOTE_COUNTED = "Your vote is counted."


def vote(context: TournamentEmail, command: Command) -> Effect:
    """`vote 1 yes`, `vote no`; without a number it is about the open vote."""
    agreed_entry(context)
    number, open_ = command.parts["vote"], context.tournament.vote
    wanted = int(number) if number else open_.number if open_ is not None else 0
    return cast(context, command, wanted, yes=command.parts["answer"].lower() == "yes")


def cast(context: TournamentEmail, command: Command, number: int, *, yes: bool) -> Effect:
    """An entrant's ballot. Raises Refused."""
    name, tournament = context.entry.name, context.tournament
    found = next((one for one in tournament.votes if one.number == number), None)
    if tournament.over:
        raise Refused(IS_OVER.format(tournament=tournament.name))
    if found is None:
        raise Refused(NO_SUCH_VOTE.format(vote=number) if number else NO_VOTE_OPEN)
    if found.status != "open":
        raise Refused(" ".join((NOTHING_CHANGED, *votes.result(found))))
    names = voters(tournament, found)
    if name not in names:
        raise Refused(ASKS_OTHERS.format(vote=number, tournament=tournament.name))
    acts = [LoggedAct(BallotCast(number, name, yes), name)]
    after = votes.with_ballot(found, name, yes=yes)
    if (status := votes.outcome(after, names)) != "open":
        over, told = _ended(context.desk, tournament, acts, after, status)
        return context.did(command, over, VOTE_COUNTED, *told)
    voted = (VOTED_YES if yes else VOTED_NO).format(vote=number)
    until = OPEN_UNTIL.format(due=moment(found.due))
    lines = found.text.split("\n")
    counted = change_of(context.desk, tournament, acts)
    return context.did(command, counted, VOTE_COUNTED, voted, *lines, until)


NOT_AGREED = "Nothing changes."
AGREED = "The players have agreed. The director carries it out."
WAS_ON = "The vote was on this:"
CARRY_IT_OUT = "rules …"


def _ended(
    desk: Desk, tournament: Tournament, acts: Sequence[LoggedAct], vote: Vote, status: VoteStatus
) -> tuple[Effect, Sequence[str]]:
    """A vote is over: all read the ballots, and the director reads what to do next."""
    over = votes.over(vote, voters(tournament, vote), status)
    told, passed = tuple(votes.result(over)), status == "passed"
    lines = *told[1:], AGREED if passed else NOT_AGREED, WAS_ON, *vote.text.split("\n")
    words = TournamentText(told[0], lines, kind="voted")
    letters = list(to_all_entrants(desk, tournament, words))
    letters += to_offices(
        desk, tournament, replace(words, commands=(CARRY_IT_OUT,)) if passed else words
    )
    return change_of(desk, tournament, [*acts, LoggedAct(VoteEnded(over), ITSELF)], letters), told


def due(reads: Tx, service: Service, now: int, row: TaskRow) -> Done:
    """The task that ends a vote: its time is over, and silent players have voted no."""
    tournament = tournament_called(reads, row.game)
    assert tournament is not None
    vote = tournament.vote
    if vote is None or vote.number != int(row.seat):
        return Done("it was over")
    desk = Desk(service, now, Occasion("tournament", row.key, tournament.name))
    status = votes.outcome(vote, voters(tournament, vote), due=True)
    return concluded(_ended(desk, tournament, (), vote, status)[0], note="counted")


def propose_to_all(context: TournamentContext, said: Instruction) -> Effect:
    """Put a question of the director to the vote of all players."""
    return _propose(context, said.command, context.office, said.rest)


PLAYERS_PROPOSE = "Only players may propose. {state}"


def propose(context: TournamentEmail, command: Command) -> Effect:
    """`propose …`: ask all players whether they agree to something."""
    entry = agreed_entry(context)
    if entry.state != "entered":
        raise Refused(PLAYERS_PROPOSE.format(state=entry_told(context.tournament, entry)))
    return _propose(context, command, entry.name, command.rest.strip())
