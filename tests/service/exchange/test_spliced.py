"""Logs with all that 18xx.games writes beside plain play come to the same positions."""

from functools import cache

import pytest

from service.exchange.trace import Scribe
from service.exchange.verify import ExportedGame, compare
from tests.service.exchange.exports import plain, with_log

#: whole games
pytestmark = pytest.mark.long

#: games of bots that do anything, so that all kinds of actions are among them
SAMPLE = ["18al-bankrupt"]
SAMPLE += [pytest.param(name, marks=pytest.mark.long) for name in ("18ga-bankrupt", "18tn-bank")]


@cache
def plain_positions(sample):
    return positions(plain(sample))


def positions(file):
    """The start and the positions after each action; every action of the file does one thing."""
    game = ExportedGame(file)
    course, scribe = game.course(), Scribe(game.title, game.dialect)
    found = [scribe.line(course.state)]
    for index in range(len(course.deeds)):
        course.play(index)
        found.append(scribe.line(course.state))
    return found


def agrees(sample, log, **changes):
    """Whether a log leads through the positions of the plain one, and to its end."""
    game, there = with_log({**plain(sample), **changes}, log), plain_positions(sample)
    trace, done = [there[0]], 0
    for line in game.lines:
        done += len(line.deeds)
        trace.append(type(there[0])(**{**fields(there[done]), "action": line.id}))
    assert done == len(there) - 1
    verdict = compare(game, trace)
    assert verdict.agrees, verdict.first_difference
    return True


def fields(line):
    return {name: getattr(line, name) for name in line.__struct_fields__}


def talk(after, at):
    """What says nothing about the board, after an action of a number, with numbers beyond all."""
    who = {"entity": 1, "entity_type": "player", "created_at": 1}
    kinds = (
        {"type": "message", "message": "hello"},
        {"type": "log", "message": "noted"},
        {"type": "program_share_pass", "unconditional": True, "indefinite": False},
        {"type": "program_buy_shares", "corporation": "X", "until_condition": "float"},
        {"type": "program_disable", "reason": "done"},
        {"type": "program_close_pass"},
        {"type": "program_independent_mines"},
        {"type": "program_auction_bid", "bid_target": "X"},
    )
    return {**who, **kinds[at % len(kinds)], "id": after}


@pytest.mark.parametrize("sample", SAMPLE)
def test_messages_logs_and_programs_change_nothing(sample):
    file = plain(sample)
    log = []
    for at, action in enumerate(file["actions"]):
        log.append({**action, "id": len(log) + 1})
        if at % 5 == 0:
            log.append(talk(len(log) + 1, at // 5))
    assert agrees(sample, log)


@pytest.mark.parametrize("sample", SAMPLE)
def test_what_is_undone_and_redone_is_where_it_was(sample):
    """Numbers are those of the plain log; what is undone stays out of it."""
    file = plain(sample)
    log = []
    for action in file["actions"]:
        log.append(action)
        number = action["id"]
        if number % 7 == 0:
            log += [undo(), undo(), undo(), redo(), redo(), redo()]
        if number % 11 == 0:
            log += [undo(number - 4), redo()]
    assert agrees(sample, log)


@pytest.mark.parametrize("sample", SAMPLE)
def test_what_is_undone_and_played_again_counts_once(sample):
    file = plain(sample)
    log = []
    for place, action in enumerate(file["actions"]):
        log.append(action)
        number = action["id"]
        if number % 13 == 0:
            log += [undo(number - 3), *file["actions"][place - 2 : place + 1], redo()]
    assert agrees(sample, log)


def test_all_may_be_undone_and_begun_again():
    file = plain(SAMPLE[0])
    assert agrees(SAMPLE[0], [*file["actions"][:40], undo(0), *file["actions"]])


def undo(to=None):
    """What undoes has a number of its own there; nothing here asks for it."""
    who = {"type": "undo", "id": 99999, "entity": 1, "entity_type": "player", "user": 1}
    return who if to is None else {**who, "action_id": to}


def redo():
    return {"type": "redo", "id": 99999, "entity": 1, "entity_type": "player"}


@pytest.mark.parametrize("sample", SAMPLE)
def test_passes_may_stand_in_the_action_that_sets_them_off(sample):
    file = plain(sample)
    log = []
    for action in file["actions"]:
        if log and action["type"] in ("pass", "buy_shares") and action["entity_type"] == "player":
            bare = {key: value for key, value in action.items() if key != "id"}
            disable = {"type": "program_disable", "entity": action["entity"], "reason": "x"}
            log[-1].setdefault("auto_actions", []).extend([bare, disable])
        else:
            log.append(dict(action))
    assert len(log) < len(file["actions"]) - 20
    assert agrees(sample, log)


@pytest.mark.parametrize("sample", SAMPLE)
def test_players_are_named_numbers_have_gaps_and_more_is_said(sample):
    file = plain(sample)
    names = {player["id"]: player["name"] for player in file["players"]}
    log = []
    for action in file["actions"]:
        entity = names.get(action["entity"], action["entity"])
        more = {"user": 1, "created_at": 1, "original_id": action["id"]}
        log.append({**action, **more, "entity": entity, "id": 3 * action["id"]})
        if action["type"] == "sell_shares" and not any(s.endswith("_0") for s in action["shares"]):
            del log[-1]["percent"]
        if action["type"] == "buy_train" and "variant" in action:
            del log[-1]["variant"]
    players = [{"name": name} for name in names.values()]
    result = {names[int(who)]: dollars for who, dollars in file["result"].items()}
    assert agrees(sample, log, players=players, result=result)


@pytest.mark.parametrize("sample", SAMPLE)
def test_players_stop_the_game_anywhere(sample):
    """The position stays as it was, whoever is said to stop it."""
    file = plain(sample)
    there = plain_positions(sample)
    for cut in range(5, len(file["actions"]), 101):
        begun, then = file["actions"][:cut], file["actions"][cut]
        end = {key: then[key] for key in ("entity", "entity_type")}
        log = [*begun, {**end, "type": "end_game", "id": cut + 1}]
        stopped = {**file, "game_end_reason": "manually_ended", "manually_ended": True}
        found = positions({**stopped, "actions": log})
        del stopped["result"]
        assert len(found) == cut + 2
        assert with_log(stopped, log).finished
        verdict = compare(with_log(stopped, log))
        assert verdict.agrees, (cut, verdict.first_difference)
        assert found[-1].finished
        for field in ("bank", "players", "corporations", "tiles", "phase", "round"):
            assert getattr(found[cut + 1], field) == getattr(there[cut], field), (cut, field)
            assert getattr(found[cut], field) == getattr(there[cut], field), (cut, field)


def test_nothing_is_played_when_the_game_is_over():
    file = plain(SAMPLE[0])
    number = len(file["actions"]) + 1
    for kind in ("end_game", "pass", "bankrupt", "par", "lay_tile", "dividend"):
        last = {"type": kind, "entity": "L&N", "entity_type": "corporation", "id": number}
        last |= {"kind": "payout", "corporation": "L&N", "share_price": "60,2,2"}
        last |= {"hex": "C4", "tile": "5-0", "rotation": 0}
        found = compare(with_log(file, [*file["actions"], last])).first_difference
        assert found is not None and found.action == number


def test_a_finished_game_may_be_in_the_archive():
    file = {**plain(SAMPLE[0]), "status": "archived"}
    assert ExportedGame(file).finished and compare(ExportedGame(file)).agrees
    file["result"] = dict.fromkeys(file["result"], 1)
    assert not compare(ExportedGame(file)).agrees
