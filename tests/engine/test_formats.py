"""What older releases stored is read, and games go on from it."""

import gzip
from functools import cache
from pathlib import Path

import msgspec
import pytest
from msgspec import Raw

import engine
from engine import Open, UnknownFormat, encode
from engine.actions import Accept, Decline
from engine.position.upgrades import UPGRADES, Upgrade
from engine.proposals import BarredLay, PowerUse, PrivateSale, TrainSale, Unstated
from tests.formats.record import FOLDER, TITLES

RELEASED = sorted((folder for folder in FOLDER.iterdir() if folder.name.isdigit()), key=str)
FILES = [(int(folder.name), file) for folder in RELEASED for file in sorted(folder.iterdir())]
each_file = pytest.mark.parametrize(
    ("number", "file"), FILES, ids=[f"{n}-{f.name.partition('.')[0]}" for n, f in FILES]
)
#: titles that no program played when a format was the newest, and titles without optional rules
LATER = {1: {"18MW"}}
PLAIN = {"18MW"}
#: positions of a file that all options are asked for, spread over it
LOOKED_AT = 12


@cache
def stored(file: Path) -> tuple[dict[str, Raw], ...]:
    """The lines of a file, each with its parts as they were stored."""
    lines = gzip.decompress(file.read_bytes()).splitlines()
    return tuple(msgspec.json.decode(line, type=dict[str, Raw]) for line in lines)


def titles(number, file):
    return [
        engine.decode_title(bytes(line["title"]), number)
        for line in stored(file)
        if "title" in line
    ]


def steps(number, file):
    """(position before, action, events, position after) of each step, decoded."""
    for line in stored(file):
        if "action" in line:
            yield (
                engine.decode_state(bytes(line["before"]), number),
                engine.decode_action(bytes(line["action"]), number),
                engine.decode_events(bytes(line["events"]), number),
                engine.decode_state(bytes(line["after"]), number),
            )


def test_every_format_up_to_todays_has_a_folder_with_every_title():
    assert [int(folder.name) for folder in RELEASED] == list(range(1, engine.FORMAT + 1))
    for folder in RELEASED:
        names = {file.name.partition(".")[0].upper() for file in folder.iterdir()}
        assert names == set(TITLES) - LATER.get(int(folder.name), set())


def test_every_older_format_has_its_way_to_the_next():
    assert sorted(UPGRADES) == list(range(1, engine.FORMAT))


@each_file
def test_titles_that_were_stored_are_read(number, file):
    found = titles(number, file)
    assert {title.name.upper() for title in found} == {file.name.partition(".")[0].upper()}
    assert len({title.variants for title in found}) == len(found)
    assert (len(found) > 1) == (found[0].name not in PLAIN)
    for title in found:
        assert engine.decode_title(title.encode()).facts == title.facts


@each_file
def test_positions_actions_and_events_that_were_stored_are_read(number, file):
    count = 0
    for before, action, events, after in steps(number, file):
        count += 1
        assert after.number == before.number + 1
        assert action.by in before.seats
        for value, decode in (
            (before, engine.decode_state),
            (after, engine.decode_state),
            (action, engine.decode_action),
            (events, engine.decode_events),
        ):
            assert decode(encode(value)) == value
    assert count > 100


@each_file
def test_games_go_on_from_positions_that_were_stored(number, file):
    """Who must act can do something, and every question can be answered."""
    title = titles(number, file)[0]
    every = [after for _, _, _, after in steps(number, file) if after.stack]
    asked = [state for state in every if engine.question(state)]
    for state in (*asked, *every[:: max(1, len(every) // LOOKED_AT)]):
        assert engine.decision(state)
        for seat in engine.to_act(title, state):
            listed = engine.options(title, state, seat)
            actions = [option.action for option in listed if not isinstance(option, Open)]
            assert actions
            after = engine.apply(title, state, actions[-1]).state
            assert after.number == state.number + 1


@each_file
def test_questions_that_waited_are_answered_as_they_were(number, file):
    """The stored step of each answer is what the answer leads to now."""
    title = titles(number, file)[0]
    answers = [step for step in steps(number, file) if isinstance(step[1], Accept | Decline)]
    assert answers
    for before, action, _, after in answers:
        assert engine.question(before) is not None
        assert engine.apply(title, before, action).state == after


def test_a_question_of_each_kind_waited_in_format_1():
    kinds = set()
    for number, file in FILES:
        for _, _, _, after in steps(number, file) if number == 1 else ():
            if waiting := engine.question(after):
                action = getattr(waiting.proposal, "action", None)
                kinds.add((type(waiting.proposal), type(action).__name__))
    assert {kind for kind, _ in kinds} == {PrivateSale, TrainSale, PowerUse, BarredLay}
    lent = {name for kind, name in kinds if kind is PowerUse}
    assert lent == {"LayTile", "PlaceMark", "ActivateFerry", "ExtendTrain"}


def test_the_fields_of_a_question_of_format_1_are_those_of_its_kind():
    """A sale keeps its parties and price; leave tells a power from a hex that is barred."""
    waiting = {
        "type": "consent", "asked": "Bob", "by": "Ann", "thing": "train", "id": "2",
        "seller": "M&O", "buyer": "L&N", "price": 50, "action": None,
    }  # fmt: skip
    state = {"stack": [{"type": "track", "company": "L&N"}, waiting], "number": 7}
    up = UPGRADES[1].state(state)
    assert up["number"] == 7
    assert up["stack"][0] == {"type": "track", "company": "L&N"}
    assert up["stack"][1] == {
        "type": "question",
        "asked": "Bob",
        "by": "Ann",
        "proposal": {
            "what": "train sale", "train": "2", "seller": "M&O", "buyer": "L&N", "price": 50,
        },
    }  # fmt: skip


def test_events_of_format_1_tell_what_they_told():
    old = (
        b'[{"event":"asked","asked":"Bob","by":"Ann","thing":"power","id":"C&E",'
        b'"seller":"Bob","buyer":"IC","price":0},'
        b'{"event":"asked","asked":"Bob","by":"Ann","thing":"private","id":"TR",'
        b'"seller":"Ann","buyer":"Bob","price":33},'
        b'{"event":"declined","asked":"Bob","thing":"train","id":"2"},'
        b'{"event":"passed","seat":"Ann"}]'
    )
    asked, sale, declined, _ = engine.decode_events(old, 1)
    assert asked.proposal == Unstated("power", "C&E", "IC")
    assert sale.proposal == PrivateSale("TR", "Ann", "Bob", 33)
    assert declined.proposal == Unstated("train", "2")


@pytest.mark.parametrize("number", [engine.FORMAT + 1, 0, -1])
def test_a_format_that_is_not_known_is_refused_with_its_number(number):
    decoders = (
        engine.decode_state,
        engine.decode_action,
        engine.decode_events,
        engine.decode_title,
    )
    for decode in decoders:
        with pytest.raises(UnknownFormat, match=f"format {number}"):
            decode(b"{}", number)


@pytest.mark.parametrize("number", range(1, engine.FORMAT + 1))
@pytest.mark.parametrize("data", [b"{}", b"[]", b"7", b'[{"event":"asked"}]', b'{"stack":[{}]}'])
def test_what_is_damaged_is_refused_in_every_format(data, number):
    with pytest.raises(msgspec.ValidationError):
        engine.decode_state(data, number)
    if data != b"[]":
        with pytest.raises(msgspec.ValidationError):
            engine.decode_events(data, number)


def test_a_newer_format_says_what_to_do():
    with pytest.raises(UnknownFormat, match="newer release; this one reads up to 2"):
        engine.decode_state(b"{}", 3)


def test_upgrades_go_through_all_formats_between(monkeypatch):
    told = b'[{"event":"declined","asked":"Bob","thing":"train","id":"2"}]'
    monkeypatch.setitem(UPGRADES, 0, Upgrade(events=lambda events: events * 2))
    assert len(engine.decode_events(told, 0)) == 2
