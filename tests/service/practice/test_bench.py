"""The benchmark plays recorded games again and says how fast."""

import pytest

from service.practice.bench import bench_engine, peer_recordings, recordings
from tests.need import peer_games


def test_all_recorded_games_are_played_and_summed_up():
    told = []
    figures = bench_engine(lambda done, total: told.append((done, total)))
    games = figures["games"]
    assert [g["game"] for g in games] == [r.name for r in recordings()]
    assert figures["actions"] == sum(g["actions"] for g in games)
    assert figures["actions_per_second"] > 0
    assert told == [(n, len(games)) for n in range(len(games) + 1)]
    assert "stages" not in figures


def test_a_profile_says_where_the_time_goes():
    figures = bench_engine(profile=True)
    stages = figures["stages"]
    assert {"flow", "track/network"} <= set(stages)
    assert 0.8 < sum(stages.values()) <= 1.01
    assert figures["hottest"]


@pytest.mark.peer
def test_games_of_another_system_are_played_too():
    names = [recording.name for recording in peer_recordings(peer_games())]
    figures = bench_engine(peer_games=peer_games())
    assert "18AL_1446" in names
    assert [g["game"] for g in figures["games"]][-len(names) :] == names


def test_files_that_are_no_games_are_left_out(tmp_path):
    (tmp_path / "letter.json").write_text("{}", encoding="utf-8")
    assert peer_recordings(tmp_path) == []
