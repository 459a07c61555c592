"""Votes that come due, and who is called by those that were agreed on.

It knows no clock: ``now`` is an argument. All of a vote's end is one transaction.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from engine import Seat
from service.desk.ahead import ahead_words, offer_words
from service.desk.door import Conclusion, Done
from service.desk.follow_up import FollowUp
from service.desk.letters.post import Desk, House
from service.desk.seats import standbys
from service.desk.seats.standbys import Offer
from service.desk.votes import vote_words
from service.games import commit, directing, games, offers, timing, votes
from service.games.changes import Change, nothing, orders_after
from service.games.commit import Besides, Jot
from service.games.games import GameTable, Log
from service.games.standing import book_of
from service.games.timing import When
from service.games.votes import Poll
from service.reports import Scene
from service.store import Letter, Occasion, Store, Task, TaskRow, Tx, VoteRow

KIND = commit.VOTE


def close(store: Store, house: House, now: int, row: TaskRow) -> Conclusion:
    """Count a vote whose time is over; silence is a no."""
    with store.transaction() as tx:
        found = _open(tx, row)
    if found is None:
        return Done("it was over")
    poll, vote, log = found
    since = int(row.payload or vote.due - votes.WITHIN)
    due = poll.due(vote, since, now)
    if due > now:
        # what has not counted since for somebody who is silent is added
        key = f"{KIND}-{due}-{row.game}-{vote.number}"
        later = Task(KIND, key, due, row.game, payload=row.payload)
        return Done("put off", read=poll.table, also=lambda tx: tx.tasks.add(later, now))
    outcome = poll.outcome(vote, due=True)
    ended = poll.over(vote, outcome)
    change = votes.change(poll, ended) if outcome == "passed" else nothing(poll.table)
    every = tuple(ended if v.number == vote.number else v for v in poll.table.votes)
    change = replace(change, votes=every, outcomes=())
    desk = Desk(house, now, Occasion("clock", row.key, row.game))
    letters, jots = _told(desk, poll, change, log)

    def counted(tx: Tx) -> Done:
        if not tx.occasions.first(desk.occasion, now):
            return Done(outcome)
        commit.commit(tx, desk.occasion, change, now, Besides(jots=jots))
        return Done(outcome, letters)

    return counted


def _open(tx: Tx, row: TaskRow) -> tuple[Poll, VoteRow, Log] | None:
    """The vote of a task with what it is counted by; None where it is over."""
    table = games.load(tx, row.game)
    if table is None or table.row.status != "running":
        return None
    number = int(row.key.rpartition("-")[2])
    vote = next((v for v in table.votes if (v.number, v.status) == (number, "open")), None)
    if vote is None:
        return None
    poll = votes.poll_of(tx, table, book_of(tx, table), table.next_number)
    return poll, vote, games.log_of(tx, table)


def _told(desk: Desk, poll: Poll, change: Change, log: Log) -> tuple[list[Letter], list[Jot]]:
    table = poll.table
    scene = Scene(table.row.name, table.title, change.state, templates=desk.house.templates)
    scene = replace(scene, offer=offers.number(change.offers))
    told = merged(
        notes(poll, change),
        offer_words.notes(change),
        ahead_words.notes(change),
    )
    follow = FollowUp(
        desk,
        table,
        log.past,
        log.said,
        change.played,
        scene,
        "",
        taken_back=change.back.texts if change.back else (),
        notes=told,
        waiting=ahead_words.still(change),
        book=orders_after(change, poll.book),
        voted=by_vote(table, change),
        clocks=timing.deadlines(change, timing.after(change, When(desk.now, desk.now)), desk.now),
    )
    letters = [*follow.letters(), *calls(desk, table, change)]
    return letters, [Jot(name, "news", text) for name, text in follow.later()]


def merged(*kinds: Mapping[Seat, str]) -> dict[Seat, str]:
    """Notes of several kinds, by seat."""
    seats = dict.fromkeys(seat for one in kinds for seat in one)
    return {seat: " ".join(filter(None, (o.get(seat, "") for o in kinds))) for seat in seats}


def notes(poll: Poll | None, change: Change) -> dict[Seat, str]:
    """What each player is told of votes by a change; {} where it has no part in any."""
    if poll is None or change.votes is None:
        return {}
    return vote_words.notes(poll, poll.table.votes, change.votes)


def asked(poll: Poll | None, change: Change) -> dict[Seat, VoteRow]:
    """Whom the votes ask that a change has proposed, with the first of those."""
    if poll is None or change.votes is None:
        return {}
    known = {vote.number for vote in poll.table.votes}
    new = [v for v in change.votes if v.number not in known and v.status == "open"]
    return {seat: v for v in reversed(new) for seat in vote_words.open_for(poll, v)}


def over(store: Store, table: GameTable, change: Change) -> tuple[tuple[int, str], ...]:
    """The votes that are over after a change: the position that stood then, and the result.

    What the director has ruled stands among them.
    """
    with store.transaction() as tx:
        table = games.with_rulings(tx, table)
    every = table.votes if change.votes is None else change.votes
    found = ((v.closed, votes.result(v)) for v in every if v.status != "open")
    return (*found, *ruled(table))


def ruled(table: GameTable) -> tuple[tuple[int, str], ...]:
    """What was ruled and disputed, by the position that stood then, as the log tells it.

    A correction is an act of the game, which tells itself as long as it stands.
    """
    told = (row for row in table.rulings if row.kind != "correct" or row.struck)
    return tuple((row.position, directing.logged(row)) for row in told)


VOTE = "Vote {number}"


def by_vote(table: GameTable, change: Change) -> str:
    """What a vote is called that has taken something back with a change; "" if none has."""
    if change.back is None:
        return ""
    return next(
        (VOTE.format(number=v.number) for v in ended(table, change) if v.kind == "undo"), ""
    )


def ended(table: GameTable, change: Change) -> Sequence[VoteRow]:
    """The votes that were agreed on with a change."""
    before = {vote.number: vote.status for vote in table.votes}
    return [v for v in change.votes or () if v.status == "passed" != before.get(v.number)]


def calls(desk: Desk, table: GameTable, change: Change) -> Iterator[Letter]:
    """To the organiser and to who stands by, where the players want somebody replaced."""
    for vote in ended(table, change):
        if vote.kind == "replace" and not any(v.seat == vote.about for v in table.vacancies):
            offered = Offer(vote.about, commit.AGREED, quiet=True)
            yield from standbys.call(desk, table, offered)
