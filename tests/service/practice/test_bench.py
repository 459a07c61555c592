"""The benchmark plays recorded games again and says how fast."""

import json

import pytest

from service.workshop.practice.bench import bench_engine, peer_recordings, recordings
from service.workshop.practice.script import recorded_names
from tests.need import peer_games
from tests.service.exchange.exports import SOLD, exported
from tests.service.practice.positions import part
from tests.source import ROOT

#: as much as shows that every game is played, timed and summed up
SMALL = [part("18AL", 0, 40), part("18TN", 300, 330)]


def test_all_games_are_played_and_summed_up():
    told = []
    figures = bench_engine(SMALL, lambda done, total: told.append((done, total)))
    games = figures["games"]
    assert [(g["game"], g["actions"]) for g in games] == [
        ("18AL from 0", 40),
        ("18TN from 300", 30),
    ]
    assert figures["actions"] == 70
    assert figures["actions_per_second"] > 0
    assert told == [(0, 2), (1, 2), (2, 2)]
    assert "stages" not in figures


def test_each_title_counts_once_for_the_median_however_many_games_it_has():
    figures = bench_engine([*SMALL, part("18AL", 40, 50), part("18GA", 0, 20)])
    rates = figures["titles"]
    assert list(rates) == ["18AL", "18TN", "18GA"]
    assert figures["median"] == sorted(rates.values())[1] > 0
    assert bench_engine([])["median"] == 0


@pytest.mark.long
def test_a_profile_says_where_the_time_goes():
    figures = bench_engine([part("18AL", 0, 600)], profile=True)
    stages = figures["stages"]
    assert "flow" in stages
    # which other part takes how much depends on the machine and on what is remembered
    names = set(stages) - {"python"}
    assert names and all((ROOT / "engine" / f"{name}.py").exists() for name in names)
    assert 0.8 < sum(stages.values()) <= 1.01
    assert figures["hottest"]


@pytest.mark.long
def test_the_games_that_come_with_the_program_are_there_to_be_played():
    found = recordings()
    assert [game.name for game in found] == list(recorded_names())
    assert all(len(game.actions) > 400 for game in found)


def test_games_of_another_system_are_also_read_from_their_files(tmp_path):
    (tmp_path / "small.json").write_text(json.dumps(exported(*SOLD)), encoding="utf-8")
    [game] = peer_recordings(tmp_path)
    figures = bench_engine([*SMALL[:1], game])
    assert ["followed" in each for each in figures["games"]] == [False, True]
    assert figures["following"]["games"] == 1
    assert figures["following"]["followed"] >= 0 <= figures["following"]["replayed"]
    assert "following" not in bench_engine(SMALL[:1])


@pytest.mark.peer
@pytest.mark.long
def test_games_of_another_system_are_played_too():
    names = [recording.name for recording in peer_recordings(peer_games())]
    assert "18AL_1446" in names
    assert [game.name for game in recordings(peer_games())][-len(names) :] == names


def test_files_that_are_no_games_are_left_out(tmp_path):
    (tmp_path / "letter.json").write_text("{}", encoding="utf-8")
    assert peer_recordings(tmp_path) == []
