"""`waybill routes`: runs of files and of our own games, made and possible."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from service.cli import program
from service.cli import routes as routes_command
from service.reports import route_answers
from tests.need import peer_games
from tests.service.players import GAME, says

pytestmark = pytest.mark.long

SCRIPT = str(Path(__file__).resolve().parents[2] / "service/workshop/practice/games/18al.game")


def waybill(*words):
    return CliRunner().invoke(program(), ["routes", *words])


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.delenv("WAYBILL_CONFIG", raising=False)
    monkeypatch.setenv("WAYBILL_DATA__DIR", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def poor(tmp_path):
    """A game in which L&N leaves its trains at home, as nobody insists."""
    text = Path(SCRIPT).read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("=")]
    at = next(i for i, line in enumerate(lines) if ": run " in line)
    seats = next(line for line in lines if line.startswith("players")).split()[1:]
    who = lines[at].split(":")[0]
    off = [f"{seat}: insist off" for seat in seats if seat != who]
    found = tmp_path / "poor.game"
    found.write_text("\n".join([*lines[:at], *off, f"{who}: run none"]), encoding="utf-8")
    return str(found)


def test_the_end_of_a_file_is_shown_without_an_action():
    found = waybill(SCRIPT, "L&N")
    assert found.exit_code == 0, found.output
    assert found.stdout.startswith("18AL 18al")


def test_a_run_that_was_made_stands_beside_the_best(poor):
    missed = waybill(poor, "--missed", "--json")
    (one,) = [json.loads(line) for line in missed.stdout.splitlines()]
    assert one["ran"]["total"] == 0 < one["best"]["total"]
    shown = waybill(poor, "--action", str(one["number"]), "--json")
    again = json.loads(shown.stdout)
    for figures in (one, again):
        assert figures["best"].pop("seconds") >= 0
        assert figures["best"]["proved"] is True and "proved" not in figures["ran"]
    assert {k: one[k] for k in ("ran", "best")} == {k: again[k] for k in ("ran", "best")}
    text = waybill(poor, "--action", str(one["number"])).stdout
    best = route_answers.Runs("", (), 0, proved=True).known_as
    assert says(text, route_answers.NOT_RUNNING, trains=2)
    assert says(text, routes_command.RAN, company=one["ran"]["company"], total=0)
    assert says(text, route_answers.FOUND, known_as=best, total=f"${one['best']['total']}")


def test_missed_sums_up(poor):
    found = waybill(poor, "--missed")
    assert found.exit_code == 0
    assert "1 below the best" in found.stdout.splitlines()[-1]
    assert says(found.stdout, routes_command.RAN_BELOW, total=0)


def test_a_best_run_is_said_to_be_one(tmp_path):
    every = waybill(SCRIPT, "--missed").stdout
    assert "0 below the best" in every
    found = waybill(SCRIPT, "--action", "200", "--with", "4", "L&N")
    assert says(found.stdout, route_answers.SUPPOSED)


@pytest.mark.parametrize("plan", [(), ("--with", "4+3")])
def test_programs_get_the_best_run_with_its_proof_and_seconds(plan):
    found = waybill(SCRIPT, "L&N", "--action", "200", *plan, "--json")
    best = json.loads(found.stdout)["best"]
    assert sum(run["total"] for run in best["runs"]) == best["total"] > 0
    assert best["proved"] is True and best["seconds"] >= 0
    assert {run["train"] for run in best["runs"]} <= ({"4", "3"} if plan else {"2", "3"})


def test_runs_are_drawn(tmp_path):
    found = waybill(SCRIPT, "L&N", "--action", "200", "--with", "4+3", "--to", "runs.svg")
    assert found.exit_code == 0, found.output
    assert (tmp_path / "runs.svg").read_text().startswith("<svg")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((SCRIPT, "--action", "99999"), "the one before it is"),
        ((SCRIPT, "nobody"), "“nobody” is not a company"),
        ((SCRIPT, "nobody", "--missed"), "“nobody” is not a company"),
        ((SCRIPT, "L&N", "--with", "tokn C4"), "Did you mean: token?"),
        (("gone.json",), "cannot be read"),
        (("gone.game",), "cannot be read"),
        (("dixie7",), "nor a file of that name"),
        (("dixie7", "--missed"), "there is no game called dixie7"),
        ((SCRIPT, "--to", "x.png"), "there is no run to be drawn"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(words, told):
    found = waybill(*words)
    assert found.exit_code in (1, 2)
    assert told in " ".join(found.stderr.split())
    assert "Traceback" not in found.output


@pytest.mark.peer
def test_games_of_another_system_show_what_was_missed():
    game = str(peer_games() / "18TN_7818.json")
    rows = [json.loads(line) for line in waybill(game, "--missed", "--json").stdout.splitlines()]
    assert [row["number"] for row in rows][-2:] == [606, 612]
    for row in rows:
        for runs in (row["ran"], row["best"]):
            assert sum(run["total"] for run in runs["runs"]) - runs["idle"] == runs["total"]
        assert row["best"]["total"] > row["ran"]["total"]
    text = waybill(game, "--action", "612").stdout
    assert says(text, routes_command.RAN, company="L&N", total=330)
    assert says(text, route_answers.FOUND, company="L&N", known_as="best run", total="$340")
    assert "action 610" in waybill(game, "--action", "610").stderr


def test_a_game_of_the_database_is_shown_as_it_is_and_as_it_was(players, tmp_path, monkeypatch):
    """Played by mails into the store that the command opens."""
    monkeypatch.setenv("WAYBILL_DATABASE__URL", f"sqlite:///{tmp_path}/waybill.sqlite")
    players.write("Ann", "buy TR")
    players.write("Bob", "buy S&NA")
    now = waybill(GAME, "TAG", "--with", "2")
    assert now.exit_code == 0, now.output
    assert says(now.stdout, route_answers.FOUND, company="TAG", known_as="best run", total="$30")
    first = players.state.number - 1
    assert f"action {first}" in waybill(GAME, "TAG", "--action", str(first)).stdout
    assert "0 runs, 0 below the best" in waybill(GAME, "--missed").stdout
