"""The command line: what programs may rely on, and what people are told."""

import json
import re
from contextlib import contextmanager
from functools import partial

import pytest
import structlog
from typer.testing import CliRunner

from engine import digest, load_title
from engine.events import BidMade, PrivateBought
from engine.position.values import OFFERING
from engine.telling.narration import narrate
from service.cli import bench as bench_commands
from service.cli import program
from service.cli.games import NO_GAMES
from service.workshop.benches import bench_mail, bench_start
from service.workshop.benches.bench_transport import bench_transport
from service.workshop.demo import demo
from service.workshop.practice import bench, late_networks, positions
from service.workshop.practice.script import read, run
from tests.need import peer_games
from tests.service.exchange.exports import SOLD, exported
from tests.service.players import says
from tests.service.practice.positions import part


def waybill(*words, typed=None):
    return CliRunner().invoke(program(), list(words), input=typed)


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """No settings of the user's own, and a data folder that goes away."""
    monkeypatch.delenv("WAYBILL_CONFIG", raising=False)
    monkeypatch.setenv("WAYBILL_DATA__DIR", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    yield
    structlog.reset_defaults()  # a command logs to the standard error it was given


@pytest.mark.long
def test_selfplay_sums_up_in_its_last_line():
    found = waybill("selfplay", "18AL", "--games", "2", "--players", "3", "--seed", "5", "--json")
    *games, summary = [json.loads(line) for line in found.stdout.splitlines()]
    assert found.exit_code == 0
    assert len(games) == 2
    assert summary["games"] == 2
    assert summary["clean"] is True
    assert summary["actions"] == sum(game["actions"] for game in games)
    assert sum(summary["ends"].values()) == 2
    assert summary["verbs"]["lay"] > 0


@pytest.mark.long
def test_selfplay_writes_each_game_as_a_script_that_is_played_again(tmp_path):
    words = ("selfplay", "18AL", "--games", "1", "--players", "3", "--seed", "3")
    found = waybill(*words, "--write", str(tmp_path), "--json")
    assert found.exit_code == 0
    written = (tmp_path / "18al-random-3.game").read_text(encoding="utf-8")
    first = json.loads(found.stdout.splitlines()[0])
    assert digest(run(read(written)).final) == first["digest"]
    assert waybill(*words, "--write", "nowhere").exit_code == 2


def test_selfplay_says_which_titles_there_are():
    found = waybill("selfplay", "1830")
    assert found.exit_code == 2
    assert "18AL" in found.stderr


@pytest.mark.peer
@pytest.mark.parametrize("name", ["18AL_1446", "18AL_144868"])
def test_verify_agrees_with_games_of_another_system(name):
    folder = peer_games()
    found = waybill(
        "verify",
        str(folder / f"{name}.json"),
        "--trace",
        str(folder / f"{name}.trace.jsonl.gz"),
        "--json",
    )
    verdict = json.loads(found.stdout)
    assert found.exit_code == 0
    assert verdict["agrees"] is True
    assert verdict["first_difference"] is None
    assert verdict["result"] == verdict["expected"]


@pytest.mark.peer
def test_verify_names_the_first_action_that_differs(tmp_path):
    game = json.loads((peer_games() / "18AL_1446.json").read_text())
    game["actions"][20]["rotation"] = 0
    spoiled = tmp_path / "spoiled.json"
    spoiled.write_text(json.dumps(game))
    found = waybill("verify", str(spoiled), "--json")
    assert found.exit_code == 1
    assert json.loads(found.stdout)["first_difference"]["action"] == 21


@pytest.fixture
def small_work(monkeypatch):
    """What is measured is small: here it only matters that figures are printed."""
    beginning, late = part("18AL", 300, 340), part("18AL", 460, 509)
    small = partial(late_networks.network, hexes=20)
    monkeypatch.setattr(bench, "recordings", lambda peers: [beginning])
    monkeypatch.setattr(positions, "all_games", lambda games, peers, titles: [late])
    monkeypatch.setattr(late_networks, "network", small)


@pytest.mark.long
def test_bench_engine_prints_actions_per_second(small_work):
    found = waybill("bench", "engine", "--json")
    figures = json.loads(found.stdout)
    assert found.exit_code == 0
    assert figures["actions_per_second"] > 0
    assert [(game["game"], game["actions"]) for game in figures["games"]] == [("18AL from 300", 40)]
    plain = waybill("bench", "engine", "--profile").stdout
    assert "18AL from 300" in plain and "40 actions" in plain
    assert re.search(r"^median of 1 titles +\d+/s$", plain, re.MULTILINE)
    assert re.search(r"^  [a-z/]+ +[01]\.\d", plain, re.MULTILINE)


def test_bench_engine_says_how_long_games_of_the_other_site_take_to_follow(monkeypatch, tmp_path):
    (tmp_path / "small.json").write_text(json.dumps(exported(*SOLD)))
    games = bench.peer_recordings(tmp_path)
    monkeypatch.setattr(bench, "recordings", lambda peers: games)
    figures = json.loads(waybill("bench", "engine", "--json").stdout)
    assert figures["following"]["games"] == 1
    assert "followed" in figures["games"][0]
    plain = waybill("bench", "engine").stdout
    assert re.search(r"^1 games .+ \d\.\d+ s .+ \d\.\d+ s ", plain, re.MULTILINE)


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "group"),
    [
        (("routes", "18AL", "--real", "--games", "0"), ("real", "18AL, stops")),
        (("routes", "--synthetic", "--networks", "1"), ("synthetic", "10H and D")),
        (("options", "18AL", "--games", "0"), ("18AL",)),
    ],
)
def test_bench_routes_and_options_print_times_by_group(small_work, words, group):
    found = waybill("bench", *words, "--json")
    figures = json.loads(found.stdout)
    if words[0] == "routes":
        assert set(figures) == {group[0]}
    for key in group:
        figures = figures[key]
    assert figures["count"] > 0
    assert figures["p99_ms"] <= figures["max_ms"]
    plain = waybill("bench", *words).stdout
    assert f"  {group[-1]} " in plain


@pytest.mark.long
def test_bench_picture_prints_times_and_bytes_by_title():
    found = waybill("bench", "picture", "18AL", "--moves", "3", "--json")
    figures = json.loads(found.stdout)
    assert set(figures) == {"18AL"}
    measured = figures["18AL"]
    assert 1 <= measured["pictures"] <= 3
    assert 0 < measured["median_ms"] <= measured["p90_ms"]
    assert 50_000 < measured["bytes"] <= 125_000
    plain = waybill("bench", "picture", "18AL", "--moves", "1").stdout
    assert re.search(r"^18AL +1( +\d+){4}$", plain, re.MULTILINE)


@pytest.mark.long
def test_bench_start_prints_what_each_command_takes():
    found = waybill("bench", "start", "--starts", "2", "--json")
    figures = json.loads(found.stdout)
    assert list(figures) == ["--version", "--help", "check"]
    for spent in figures.values():
        assert set(spent) == {"starts", "median_ms", "least_ms", "most_ms"}
        assert spent["starts"] == 2
        assert 0 < spent["least_ms"] <= spent["median_ms"] <= spent["most_ms"]


@pytest.mark.long
def test_bench_start_measures_no_command_that_fails(monkeypatch):
    monkeypatch.setattr(bench_start, "COMMANDS", ("nonsense",))
    with pytest.raises(RuntimeError, match="No such command 'nonsense'"):
        bench_start.bench_start(1, lambda done: None)


@pytest.mark.long
def test_bench_burst_prints_when_the_first_and_the_last_answer_left():
    found = waybill("bench", "burst", "--emails", "2", "--json")
    figures = json.loads(found.stdout.splitlines()[-1])
    assert figures["emails"] == 2 and figures["title"] == "18AL"
    assert 0 <= figures["first_s"] <= figures["last_s"]


@pytest.mark.long
def test_bench_mail_counts_what_each_email_asks_of_the_database(tmp_path):
    scenario = tmp_path / "alone.rehearsal"
    scenario.write_text(
        "title: a question\nbegin: 2026-08-03 08:00 UTC\npeople: Ann\n\n"
        "Ann writes\n  help\nAnn replies\n  pass\n> Ann: You have no seat here yet\n"
    )
    found = waybill("bench", "mail", str(scenario), "--json")
    assert found.exit_code == 0, found.output
    figures = json.loads(found.stdout.splitlines()[-1])
    assert (figures["scenario"], figures["received"], figures["sent"]) == ("a question", 2, 2)
    stages = figures["stages"]
    assert list(stages) == list(bench_mail.STAGES.values())
    for what in ("statements", "transactions"):
        assert all(cost[what] >= 1 for cost in stages.values())
        assert sum(cost[what] for cost in stages.values()) == pytest.approx(figures[what], abs=0.02)
    assert "desk/moderator.py" in figures["files"]
    assert {name.split("/")[0] for name in figures["files"]} <= {"desk", "games", "reports"}
    plain = waybill("bench", "mail", str(scenario)).stdout
    assert says(plain, bench_commands.SIZE, scenario="a question", received=2, sent=2)
    assert re.search(r"^all( +\d+\.\d){3}$", plain, re.MULTILINE)
    assert f"{len(figures['files'])} files" in plain


@pytest.mark.long
def test_an_email_asks_no_more_of_the_database_and_of_the_reader_of_the_code_than_it_may():
    """These numbers are the same in each run."""
    figures = json.loads(waybill("bench", "mail", "--json").stdout.splitlines()[-1])
    assert (figures["received"], figures["sent"]) == (13, 24)
    assert figures["statements"] <= 40 and figures["transactions"] <= 8
    assert len(figures["files"]) <= 40, sorted(figures["files"])


def test_bench_mail_measures_no_scenario_that_goes_otherwise(tmp_path):
    scenario = tmp_path / "wrong.rehearsal"
    scenario.write_text(
        "title: a wrong hope\nbegin: 2026-08-03 08:00 UTC\npeople: Ann\n\n"
        "Ann writes\n  help\n> Ann: YOUR TURN\n"
    )
    found = waybill("bench", "mail", str(scenario))
    assert found.exit_code == 2
    assert says(found.output, bench_mail.FAILED)


@pytest.mark.long
def test_moderation_is_compared_with_transport_of_the_same_emails():
    done: list[int] = []
    figures = bench_transport("18AL", 30, done.append)
    assert done == [*range(1, 61)], "as many emails again go before those that count"
    assert figures["emails"] == 30
    assert figures["answers"] >= 30  # a receipt for each
    assert 0 < figures["transport_ms"] < figures["stock_round_ms"] < 10_000
    assert figures["transport_ms"] < figures["library_ms"]
    for ratio, transport in (("ratio", "transport_ms"), ("library_ratio", "library_ms")):
        whole = figures["service_ms"] / figures[transport]
        assert figures[ratio] == pytest.approx(whole, rel=0.1)


def test_handovers_are_told_by_their_names(tmp_path):
    game = tmp_path / "begun.game"
    game.write_text("title 18AL\nplayers Ann Bob Cat\n\nAnn: buy TR\nBob: pass\nCat: pass\n")
    found = waybill("bench", "handovers", str(game), "--json")
    assert found.exit_code == 0, found.output
    figures = json.loads(found.stdout)
    assert {"handovers", "with_orders", "saved_percent"} <= set(figures)
    assert [game["title"] for game in figures["games"]] == ["18AL"]
    assert figures["handovers"] == 2


@pytest.mark.long
def test_demo_leaves_mails_maps_and_a_page_to_look_at(tmp_path):
    folder = tmp_path / "seen"
    found = waybill("demo", "--folder", str(folder), "--mails", "2")
    assert found.exit_code == 0, found.output
    assert says(found.stdout, demo.COUNTS)
    assert len(list((folder / "emails" / "in").glob("*.eml"))) == 12
    assert list((folder / "maps").glob("*.png"))
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert page.count("<iframe") == 4
    assert "data:image/png;base64," in page


@pytest.mark.long
def test_the_demo_on_a_list_counts_its_letters_there_and_none_is_doubled(tmp_path):
    found = waybill("demo", "--list", "--folder", str(tmp_path / "d"), "--mails", "30", "--json")
    assert found.exit_code == 0, found.output
    told = json.loads(found.stdout)
    assert told["list_doubled"] == 0
    assert told["list_posts"] == told["list_receipts"] + 1, "one post was to greet us"
    assert told["list_rounds"] >= 1
    assert told["letters_per_player"] == max(told["letters_of"].values())
    assert told["list_letters_a_round"] == round(told["list_letters"] / told["list_rounds"], 1)
    # an answer to each post, and of direct mails no more than a letter each
    assert told["list_letters"] - told["list_receipts"] <= told["mails"]


def test_demo_keeps_its_hands_off_a_folder_with_other_things(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    found = waybill("demo", "--folder", str(tmp_path / "mine"), "--mails", "1")
    assert found.exit_code == 1
    assert says(found.stderr, demo.NOT_OURS, folder=tmp_path / "mine")
    assert (tmp_path / "mine" / "letter.txt").read_text() == "dear"


def test_map_draws_a_title_without_a_game(tmp_path):
    assert waybill("map", "18AL", "--to", "map.png", "--width", "300").exit_code == 0
    assert (tmp_path / "map.png").read_bytes().startswith(b"\x89PNG")
    assert waybill("map", "18AL", "--market", "--to", "chart.svg").exit_code == 0
    assert (tmp_path / "chart.svg").read_text().startswith("<svg")


def test_map_says_that_there_is_no_such_game():
    found = waybill("map", "dixie7")
    assert found.exit_code == 1
    assert "dixie7" in found.stderr


def test_games_of_an_empty_database():
    assert json.loads(waybill("games", "--json").stdout) == []
    assert says(waybill("games").stdout, NO_GAMES)


def test_check_says_what_is_missing():
    found = waybill("check")
    assert found.exit_code == 1
    assert "imap.host" in found.stdout


@pytest.mark.parametrize(
    ("words", "opened"), [(("config",), 0), (("games", "--json"), 1), (("commands",), 1)]
)
def test_only_a_command_that_may_need_a_solver_prepares_one(words, opened, tmp_path, monkeypatch):
    begun, ended = [], []

    @contextmanager
    def solver():
        begun.append(words)
        yield
        ended.append(words)

    monkeypatch.chdir(tmp_path)
    found = CliRunner().invoke(program(), list(words), obj=solver)
    assert found.exit_code == 0 and found.stdout
    assert len(begun) == len(ended) == opened


def test_a_wrong_key_in_the_settings_ends_with_a_sentence(tmp_path):
    (tmp_path / "my.toml").write_text('[mail]\nadress = "play@example.org"\n')
    found = waybill("games", "--config", "my.toml")
    assert found.exit_code == 2
    assert "address" in found.stderr


def test_play_writes_out_control_characters_of_names():
    found = waybill("play", "18AL", "A\x1b[31m", "Bob", "Cat", typed="status\n")
    assert "\x1b" not in found.output
    assert "A\\x1b[31m> " in found.output


def test_play_reads_commands_from_a_file():
    typed = "buy TR\nbid NDY 125\nquit\n"
    found = waybill("play", "18AL", "Ann", "Bob", "Cat", typed=typed)
    for event in (PrivateBought("TR", "Ann", OFFERING, 20), BidMade("Bob", "NDY", 125)):
        assert narrate(load_title("18AL"), event) in found.stdout


def test_version():
    assert waybill("--version").stdout.startswith("waybill ")
