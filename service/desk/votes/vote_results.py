"""The notes about votes to players, and what a vote that is over brings about."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from engine import Seat
from service import ballots
from service.desk.door import Done
from service.desk.informing.follow_up import FollowUp
from service.desk.letters.desk import Desk
from service.desk.options.game_options import clocked
from service.desk.seats import standbys
from service.desk.seats.standbys import Offer
from service.desk.service import Service
from service.games import commit, games, timing, votes
from service.games.changes import Change, nothing, orders_after
from service.games.commit import Besides, Jot
from service.games.games import GameLog
from service.games.orders import book_of
from service.games.timing import ClockMoments
from service.games.votes import Poll
from service.reports.words import moment
from service.store import Letter, Occasion, Task, TaskRow, Tx, VoteRow

#: the answer about more time where nothing has a deadline
NO_CLOCK = "This game has no clock: nothing is due in it that could be put off."


ALL_BEGIN_ANEW = "All begin again: banks are full, and who must answer has the whole time from now."
STANDBYS_ASKED = "The organizer gets an email, and the seat is offered to the standbys of the game."
NOBODY_STANDS_BY = (
    "Nobody stands by yet. If a friend of yours writes `standby {game}` to Waybill's main "
    "address, they are offered the seat at once."
)


def follows(poll: Poll, vote: VoteRow) -> Iterator[str]:
    """The consequences of a vote that passed and does not change the position."""
    if vote.status == "passed" and vote.kind == "extend" and not poll.clock:
        yield NO_CLOCK
    if vote.status == "passed" and vote.kind == "clock":
        yield clocked(poll.table.settings, vote.about)[1]
        if vote.about != "none":
            yield ALL_BEGIN_ANEW
    if vote.status == "passed" and vote.kind == "replace":
        yield STANDBYS_ASKED
        table = poll.table
        if not standbys.listed(table):
            yield NOBODY_STANDS_BY.format(game=table.row.name)


PROPOSES = "Vote {number}: {name} proposes to {about}."
TAKES_BACK = "That takes back: {acts}."
DO_YOU_AGREE = (
    "Do you agree? Answer `vote {number} yes` or `vote {number} no` until {until}; silence is a no."
)


def request(poll: Poll, vote: VoteRow) -> str:
    """The text for a player whom a vote asks."""
    gone = votes.vanishing(poll, vote)
    told = [PROPOSES.format(number=vote.number, name=vote.by, about=_verbal(vote))]
    if gone:
        told.append(TAKES_BACK.format(acts=gone))
    told.append(DO_YOU_AGREE.format(number=vote.number, until=moment(vote.due)))
    return " ".join(told)


GIVE_TIME = "give {about}"
AGREE_THAT = "agree that {about}"


def _verbal(vote: VoteRow) -> str:
    text = votes.in_words(vote)
    verbal = {"extend": GIVE_TIME, "runs": AGREE_THAT}.get(vote.kind, "{about}")
    return verbal.format(about=text)


IS_PROPOSED = "Vote {number} is proposed by {name}: {about}."


def notes(poll: Poll, before: Sequence[VoteRow], now: Sequence[VoteRow]) -> dict[Seat, str]:
    """The notes to each player about votes that were proposed or are over."""
    stood = {vote.number: vote.status for vote in before}
    found: dict[Seat, list[str]] = {}
    for vote in now:
        new, was = vote.number not in stood, stood.get(vote.number, "open")
        for seat in (player.name for player in poll.table.players):
            if vote.status != "open" and was == "open":
                text = " ".join((votes.result(vote), *follows(poll, vote)))
                found.setdefault(seat, []).append(text)
            elif new and seat in open_for(poll, vote):
                found.setdefault(seat, []).append(request(poll, vote))
            elif new and seat != vote.by:
                text = IS_PROPOSED.format(number=vote.number, name=vote.by, about=votes.about(vote))
                found.setdefault(seat, []).append(text)
    return {seat: " ".join(texts) for seat, texts in found.items()}


def open_for(poll: Poll, vote: VoteRow) -> tuple[Seat, ...]:
    """The seats whose answer an open vote still needs."""
    return ballots.silent(vote.ballots, poll.voters(vote))


def close(reads: Tx, service: Service, now: int, row: TaskRow) -> Done:
    """Count a vote whose time is over; silence is a no."""
    found = _vote_of(reads, row)
    if found is None:
        return Done("it was over")
    poll, vote = found.poll, found.vote
    since = int(row.payload or vote.due - votes.WITHIN)
    due = poll.due(vote, since, now)
    if due > now:
        # votes that advance orders have cast since for silent players are added
        key = f"{commit.VOTE}-{due}-{row.game}-{vote.number}"
        later = Task(commit.VOTE, key, due, row.game, payload=row.payload)
        return Done("put off", read=poll.table, also=lambda tx: tx.tasks.add_all((later,), now))
    outcome = poll.outcome(vote, due=True)
    ended = poll.over(vote, outcome)
    change = votes.change(poll, ended) if outcome == "passed" else nothing(poll.table)
    every = tuple(ended if v.number == vote.number else v for v in poll.table.votes)
    change = replace(change, votes=every, outcomes=())
    desk = Desk(service, now, Occasion("clock", row.key, row.game))
    if reads.occasions.named(desk.occasion.key) is not None:
        return Done(outcome)
    letters, jots = _told(desk, poll, change, found.log)

    def counted(tx: Tx) -> None:
        commit.commit(tx, desk.occasion, change, now, Besides(jots=jots))

    return Done(outcome, letters, read=poll.table, also=counted)


@dataclass(frozen=True)
class _OpenVote:
    """A vote that is not over, the poll that counts it, and what happened in its game."""

    poll: Poll
    vote: VoteRow
    log: GameLog


def _vote_of(tx: Tx, row: TaskRow) -> _OpenVote | None:
    """The vote of a task, None if it is over."""
    table = games.load(tx, row.game)
    if table is None or table.row.status != "running":
        return None
    number = int(row.key.rpartition("-")[2])
    vote = next((v for v in table.votes if (v.number, v.status) == (number, "open")), None)
    if vote is None:
        return None
    poll = votes.poll_of(tx, table, book_of(tx, table), table.next_number)
    return _OpenVote(poll, vote, games.log_of(tx, table))


def _told(desk: Desk, poll: Poll, change: Change, log: GameLog) -> tuple[list[Letter], list[Jot]]:
    clocks = timing.after(change, ClockMoments(desk.now, desk.now))
    follow = FollowUp(
        desk,
        change,
        log,
        orders_after(change, poll.book),
        clocks=timing.deadlines(change, clocks, desk.now),
        told=notes_of_change(poll, change),
        by=by_vote(change),
    )
    return [*follow.letters(), *calls(desk, change)], follow.jots


def notes_of_change(poll: Poll | None, change: Change) -> dict[Seat, str]:
    """The notes about votes to each player after a change; {} if it has no part in any."""
    if poll is None or change.votes is None:
        return {}
    return notes(poll, poll.table.votes, change.votes)


def new_votes(poll: Poll | None, change: Change) -> dict[Seat, VoteRow]:
    """The seats asked by the votes that a change has proposed, with the first of those votes."""
    if poll is None or change.votes is None:
        return {}
    known = {vote.number for vote in poll.table.votes}
    new = [v for v in change.votes if v.number not in known and v.status == "open"]
    return {seat: v for v in reversed(new) for seat in open_for(poll, v)}


VOTE = "Vote {number}"


def by_vote(change: Change) -> str:
    """The name of the vote by which a change took something back; "" if there is none."""
    if change.back is None:
        return ""
    return next(
        (VOTE.format(number=v.number) for v in commit.passed(change) if v.kind == "undo"), ""
    )


def calls(desk: Desk, change: Change) -> Iterator[Letter]:
    """To the organizer and the standbys, if the players want somebody replaced."""
    for vacancy in commit.voted_out(change, desk.now):
        yield from standbys.call(desk, change.table, Offer(vacancy, quiet=True))
