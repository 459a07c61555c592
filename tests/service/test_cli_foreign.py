"""Files and names that strangers made, at the command line: plain sentences, and nothing works."""

import ast
import io
import json

import pytest
import structlog
from typer.testing import CliRunner

from engine.facts.nesting import MOST, TOO_DEEP, too_deep
from service import logs
from service.cli import program
from service.cli.options import Terminal
from service.exchange import files
from service.visible import ascii_json, visible
from tests.service.players import says
from tests.source import modules

ESCAPES = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e[/red][bold]"


def waybill(*words):
    return CliRunner().invoke(program(), list(map(str, words)))


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.delenv("WAYBILL_CONFIG", raising=False)
    monkeypatch.setenv("WAYBILL_DATA__DIR", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    yield
    structlog.reset_defaults()


def game(title='"18AL"', name="Ann", actions="[]"):
    players = json.dumps([{"id": n, "name": one} for n, one in enumerate((name, "Bob", "Cat"))])
    return f'{{"title": {title}, "players": {players}, "actions": {actions}, "status": "active"}}'


def nested(depth):
    return "[" * depth + "]" * depth


@pytest.mark.parametrize("depth", [100, 900, 100_000])
@pytest.mark.parametrize("place", ["alone", "title", "actions", "waybill"])
@pytest.mark.parametrize("more", [(), ("--json",)])
def test_verify_refuses_json_that_is_nested_too_deeply(tmp_path, depth, place, more):
    deep = nested(depth)
    text = {
        "alone": deep,
        "title": game(title=deep),
        "actions": game(actions=deep),
        "waybill": f'{{"waybill": 1, "game": "x", "title": {deep}}}',
    }[place]
    (tmp_path / "game.json").write_text(text)
    found = waybill("verify", tmp_path / "game.json", *more)
    assert found.exit_code == 1 and isinstance(found.exception, SystemExit)
    assert says(found.output, files.TOO_DEEP)


def test_a_folder_with_a_deep_file_and_a_deep_trace_are_told_and_gone_on_with(tmp_path):
    (tmp_path / "deep.json").write_text(nested(100_000))
    (tmp_path / "traced.json").write_text(game())
    (tmp_path / "traced.trace.jsonl").write_text(nested(100_000))
    found = waybill("verify", tmp_path)
    assert isinstance(found.exception, SystemExit)
    assert found.output.count(files.TOO_DEEP.format(what="")) == 2
    assert "0 of 2 games agree" in found.output


@pytest.mark.parametrize("text", [f"[mail]\nhost = {nested(5000)}", f"{'a.' * 5000}a = 1"])
def test_settings_and_overlays_that_are_nested_too_deeply_are_told(tmp_path, text):
    (tmp_path / "my.toml").write_text(text)
    for words in (
        ("config", "--config", tmp_path / "my.toml"),
        ("title", "check", "18AL", "--overlay", tmp_path / "my.toml"),
    ):
        found = waybill(*words)
        assert isinstance(found.exception, SystemExit) and found.exit_code, words
        assert says(found.output, TOO_DEEP)


def test_no_name_of_a_file_works_at_the_terminal(tmp_path):
    (tmp_path / "game.json").write_text(game(name=f"Ann{ESCAPES}"))
    found = waybill("verify", tmp_path / "game.json")
    assert isinstance(found.exception, SystemExit | None)
    assert "\\x1b]0;owned" in found.output and "[/red][bold]" in found.output
    assert not set("\x1b\x07\x9b\u202e") & set(found.output)


def test_json_has_no_sign_that_works_at_the_terminal_and_means_the_same(tmp_path):
    (tmp_path / "game.json").write_text(game(name=f"Ann{ESCAPES}é"))
    found = waybill("verify", tmp_path / "game.json", "--json")
    assert found.output.isascii()
    [text] = [line for line in found.output.splitlines() if line.startswith("{")]
    told = json.loads(text)
    assert f"Ann{ESCAPES}é" in json.dumps(told, ensure_ascii=False).replace(
        json.dumps(ESCAPES, ensure_ascii=False)[1:-1], ESCAPES
    )


@pytest.mark.parametrize("text", [f"a{ESCAPES}\x7f", "Paweł 👩", "\u2028", "plain"])
def test_json_in_plain_ascii_means_the_same(text):
    written = json.dumps({text: [text]}, ensure_ascii=False, indent=1)
    assert ascii_json(written).isascii() and "\x7f" not in ascii_json(written)
    assert json.loads(ascii_json(written)) == {text: [text]}


def test_settings_are_shown_without_what_would_work_at_the_terminal(tmp_path):
    (tmp_path / "my.toml").write_text('[mail]\nname = "a[/b]\\u001b[2Jb"\n')
    found = waybill("config", "--config", tmp_path / "my.toml")
    assert "\x1b" not in found.output and found.exit_code in (0, 2)
    assert not found.exception or isinstance(found.exception, SystemExit)


def test_tables_have_no_escapes_and_keep_square_brackets():
    from rich.table import Table

    terminal, table = Terminal(), Table(f"head{ESCAPES}")
    terminal.file = io.StringIO()
    table.add_row(f"cell{ESCAPES}")
    terminal.print(table, ESCAPES)
    written = terminal.file.getvalue()
    assert "[/red]" in written and "\\x1b" in written
    assert not set("\x1b\x07\x9b\u202e") & set(written)


def test_no_line_of_the_log_works_at_the_terminal(capsys):
    logs.configure("info")
    structlog.get_logger().info("kept", subject="x\x1b]0;owned\x07", sender="\x9b31m")
    said = capsys.readouterr().err
    assert "owned" in said and not set("\x1b\x07\x9b") & set(said)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Paweł\t太郎\n", "Paweł\t太郎\n"), ("\x1b[2J", "\\x1b[2J"), ("a\rb", "a\\rb"),
        ("\x85", "\\x85"), ("\u202eexe", "\\u202eexe"), ("\ud800", "\\ud800"), ("👩‍🚀", "👩‍🚀"),
    ],
)  # fmt: skip
def test_what_is_visible(text, shown):
    assert visible(text) == shown


def test_how_deep_a_file_may_be():
    value: object = []
    for _ in range(MOST):
        value = [value]
    assert not too_deep(value) and too_deep([value]) and too_deep({"a": (value, 1)})


def test_the_command_line_prints_by_one_function():
    """A bare `print` is for JSON, whose encoder writes out what could work, and for files."""
    data = {
        "json.dumps",
        "ascii_json",
        "printed",
        "text",
        "version",
        "running()",
        "HELP",
        "as_text",
    }
    for path in modules("service/cli"):
        if path.name == "options.py":
            continue
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(call, ast.Call) and getattr(call.func, "id", "") == "print"):
                continue
            printed = " ".join(map(ast.unparse, call.args))
            assert not printed or any(word in printed for word in data), (path.name, printed)
