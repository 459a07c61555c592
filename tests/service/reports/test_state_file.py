"""The file for programs that letters after rounds carry, and its schema."""

import json
from email import message_from_bytes
from pathlib import Path

import msgspec
import pytest

import engine
from service.reports import Scene
from service.reports.state_file import LIMIT, StateFile, state_files, stated
from service.workshop.practice.script import recorded_game
from tests.service.players import one

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.long
@pytest.mark.parametrize("name", engine.title_names())
def test_every_position_of_a_recorded_game_fits(name):
    game = recorded_game(name)
    sizes = []
    for state in (*game.states[::40], game.final):
        [made] = state_files(Scene("a-game-of-sixteen", game.title, state))
        sizes.append(len(made.data))
        assert json.loads(made.data)["number"] == state.number
    assert max(sizes) <= LIMIT, sizes


def test_the_schema_is_the_one_in_the_docs():
    """If it fails after a change of the file, write what it wants into the docs."""
    wanted = msgspec.json.format(msgspec.json.encode(msgspec.json.schema(StateFile)), indent=2)
    assert (ROOT / "docs/state.schema.json").read_bytes() == wanted + b"\n"


@pytest.mark.long
def test_it_says_what_the_position_says():
    game = recorded_game("18AL")
    state = game.states[200]
    made = stated(Scene("x", game.title, state))
    assert {(t.hex, t.tile, t.rotation) for t in made.tiles} == {
        (hex_, *lies) for hex_, lies in state.tiles.items()
    }
    assert len(made.stations) == sum(map(len, state.stations.values()))
    assert {c.id: c.cash for c in made.companies if c.floated} == {
        c: state.cash[c] for c in state.floated
    }
    assert [p.name for p in made.players] == list(state.seats)
    assert made.to_act == engine.to_act(game.title, state)


def test_fields_are_never_lost():
    """Programs read them; who takes one away makes another format."""
    assert set(StateFile.__struct_fields__) >= {
        *("format", "game", "title", "variants", "number", "round", "phase", "bank", "ending"),
        *("over", "to_act", "operating", "order", "players", "companies", "privates", "trains"),
        *("market_trains", "market_bonds", "tiles", "stations", "marks"),
    }


@pytest.mark.long
def test_the_letter_after_a_round_carries_it_and_keeps_its_size(players):
    for name in ("Ann", "Bob", "Cat"):
        players.write(name, "digest round")
    letters = []
    for line in ("Ann: buy TR", "Bob: buy S&NA", "Cat: buy B&SLC", "Ann: buy M&C", "Bob: buy NDY"):
        name, _, text = line.partition(": ")
        letters += players.write(name, text)
    for _ in range(12):
        name = engine.to_act(players.table().title, players.state)[0]
        letters += players.write(name, "pass")
        if any(letter.kind == "round" for letter in letters):
            break
    letter = one([x for x in letters if x.kind == "round"], "Ann", "round")
    parts = [
        p for p in message_from_bytes(bytes(letter.mail)).walk() if p.get_filename() == "state.json"
    ]
    [part] = parts
    assert part.get_content_type() == "application/json"
    made = json.loads(part.get_payload(decode=True))
    assert made["game"] == "dixie9" and made["format"] == 1
    assert len(bytes(letter.mail)) <= 300_000
