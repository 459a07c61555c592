"""Commands that are announced before their modules are loaded."""

import inspect
import pkgutil
import resource
import subprocess
import sys

import pytest
import typer
from typer.testing import CliRunner

from service.cli import program
from service.cli.app import COMMANDS
from tests.source import modules

PLACES = [f"service.cli.{place}" for _, place, _ in COMMANDS]


def waybill(*words):
    return CliRunner().invoke(program(), list(words))


@pytest.mark.parametrize(
    ("name", "place", "short_help"), COMMANDS, ids=[row[0] for row in COMMANDS]
)
def test_what_is_announced_is_what_is_loaded(name, place, short_help):
    found = pkgutil.resolve_name(f"service.cli.{place}")
    loaded = typer.main.get_command(program()).commands[name].load()
    assert loaded.name == name
    assert loaded.get_short_help_str() == short_help
    if isinstance(found, typer.Typer):
        assert loaded.commands and all(one.help for one in loaded.commands.values())
    else:
        assert loaded.help == inspect.getdoc(found)
        assert loaded.help


def test_every_module_of_commands_is_announced():
    """A function that takes options is a command, of the program or of a group."""
    groups = [
        found for place in PLACES if isinstance(found := pkgutil.resolve_name(place), typer.Typer)
    ]
    of_groups = {info.callback for group in groups for info in group.registered_commands}
    reached = {pkgutil.resolve_name(place) for place in PLACES} - set(groups) | of_groups
    commands = {
        function
        for path in modules("service/cli")
        for function in vars(pkgutil.resolve_name(f"service.cli.{path.stem}")).values()
        if inspect.isfunction(function) and function.__module__.startswith("service.cli")
        if function.__name__ != "_options" and "typer.models" in str(function.__annotations__)
    }
    assert commands == reached


def test_the_help_lists_all_commands_in_their_order():
    text = waybill("--help").stdout
    listed = [
        line.split()[0]
        for line in text.split("Commands:")[1].splitlines()
        if line.startswith("  ") and line[2] != " "
    ]
    assert listed == [name for name, _, _ in COMMANDS]
    for _, _, short_help in COMMANDS:
        assert short_help in " ".join(text.split())


def test_a_word_that_is_no_command_is_told_with_one_that_is_close():
    found = waybill("chek")
    assert found.exit_code == 2
    assert "'chek'" in found.output and "'check'" in found.output


@pytest.mark.long
@pytest.mark.parametrize(("word", "most"), [("--version", 0.4), ("--help", 0.7)])
def test_a_start_that_only_tells_takes_little_processor_time(word, most):
    """The least of three: whatever else runs on the machine can only add to it."""

    def seconds():
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-m", "service", word], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert min(seconds() for _ in range(3)) < most
