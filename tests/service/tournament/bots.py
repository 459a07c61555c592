"""Boards of a tournament that bots play on, by the functions that carry out what no mail asks for."""

from itertools import count

import engine
from engine.notation import write
from service.commands.command import Command
from service.desk.door import NOTHING, Done, finish
from service.desk.letters.desk import Desk
from service.desk.timing import caretaking
from service.games.changes import Request
from service.games.games import load
from service.store import Occasion
from service.workshop.practice.sense import SensibleBot

_numbers = count(1)


def play_on(people, game, actions=10_000, seed=1):
    """Bots play a board by at most so many actions, in one change; the letters that follow."""
    with people.store.transaction() as tx:
        table = load(tx, game)
    title, state = table.title, table.state
    bots = {seat: SensibleBot(seed + n) for n, seat in enumerate(sorted(state.seats))}
    requests = []
    while len(requests) < actions and (acting := engine.to_act(title, state)):
        seat = acting[0]
        action = bots[seat].choose(title, state, seat)
        text = write(title, state, action)
        requests.append(Request(seat, (Command(0, "play", text, text),), True))
        state = engine.apply(title, state, action).state
    desk = Desk(people.service, people.now, Occasion("bots", f"bots-{next(_numbers)}", game))
    with people.store.reading() as reads:
        changed = caretaking.carried_out(reads, desk, *requests, notes={}, caretaken="")
    finish(people.store, people.now, NOTHING, Done(letters=changed.letters, also=changed.write))
    assert all(outcome.done for outcome in changed.change.outcomes)
    assert engine.digest(changed.change.state) == engine.digest(state)
    return people.work()
