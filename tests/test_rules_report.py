"""The proof of the rules is whole: every rule has its test, every refusal its rule."""

import ast
from pathlib import Path

import pytest

from engine.titles.registry import load_title, title_names
from tests import rules_report
from tests.source import modules, nodes

RULES = Path(__file__).parent / "rules"
#: sections that several numbers of a rulebook make up
COMPOUND = {
    "3, 4": ("3", "4"),
    "4.1, 4.6": ("4.1", "4.6"),
    "4.5.1.2, 4.7.3": ("4.5.1.2", "4.7.3"),
}


@pytest.mark.long
@pytest.mark.parametrize("title", rules_report.playable())
def test_every_rule_of_the_rulebook_has_a_test(title: str) -> None:
    """No number of the rulebook is without a test that is named after it."""
    assert rules_report.unproved()[title] == []


@pytest.mark.long
def test_every_marker_names_a_rule_of_a_rulebook() -> None:
    """A misspelt number in a marker is noticed."""
    assert rules_report.unknown() == []


@pytest.mark.parametrize("title", rules_report.playable())
def test_every_section_that_a_refusal_cites_is_in_the_rulebook(title: str) -> None:
    """What the engine may cite is a rule of the book."""
    known = rules_report.rulebook()[title]
    for section in load_title(title).rules.sections.values():
        for part in COMPOUND.get(section, (section,)):
            assert part in known or any(rule.startswith(f"{part} ") for rule in known), section


@pytest.mark.long
def test_every_rule_that_a_refusal_names_has_a_section_in_some_title() -> None:
    """A new rule needs its section: without it the refusal itself would fail."""
    named = {
        node.args[0].value
        for path in modules("engine")
        for node in nodes(path)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("refuse", "rule")
        and node.args
        and isinstance(node.args[0], ast.Constant)
    }
    titles = [load_title(title) for title in title_names()]
    assert named
    assert named - {key for title in titles for key in title.rules.sections} == set()


def _refusals(source: str) -> set[str]:
    """Sections that a module expects refusals to cite: the third argument of `on.refused`."""
    return {
        node.args[2].value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "refused"
        and len(node.args) > 2
        and isinstance(node.args[2], ast.Constant)
        and isinstance(node.args[2].value, str)
    }


@pytest.mark.long
@pytest.mark.parametrize(
    ("title", "proofs"),
    [
        ("18AL", ("al/test_*.py",)),
        ("18GA", ("ga/test_*.py", "test_family.py")),
        ("18TN", ("tn/test_*.py", "test_family.py")),
        ("18GL", ("gl/test_*.py",)),
    ],
)
def test_every_section_is_cited_by_an_expected_refusal(title: str, proofs: tuple[str, ...]) -> None:
    """Whatever a title's refusals may cite, a proof has one that cites it."""
    files = [path for proof in proofs for path in RULES.glob(proof)]
    expected = set().union(*(_refusals(path.read_text(encoding="utf-8")) for path in files))
    assert set(load_title(title).rules.sections.values()) - expected == set()


def test_a_rule_without_a_test_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The report names it with its words, and the command fails; a long test is no proof."""
    book = tmp_path / "rulebook.toml"
    book.write_text('["18XX"]\n"1" = "one"\n"2" = "two"\n', encoding="utf-8")
    mark = "@pytest.mark." + 'rule("18XX {}")\ndef test_it() -> None: ...\n'
    long = "@pytest.mark.long\n" + mark.format(2)
    (tmp_path / "test_one.py").write_text(mark.format(1) + mark.format(3) + long, encoding="utf-8")
    assert rules_report.unproved(book, tmp_path) == {"18XX": ["2"]}
    assert rules_report.unknown(book, tmp_path) == ["18XX 3"]
    monkeypatch.setattr(rules_report, "rulebook", lambda: {"18XX": {"1": "one", "2": "two"}})
    monkeypatch.setattr(rules_report, "unproved", lambda: {"18XX": ["2"]})
    monkeypatch.setattr(rules_report, "unknown", lambda: [])
    monkeypatch.setattr(rules_report, "playable", lambda: ["18XX"])
    assert rules_report.main() == 1
    assert rules_report.WITHOUT_TEST.format(rule=2, about="two") in capsys.readouterr().out
    monkeypatch.setattr(rules_report, "playable", list)
    assert rules_report.main() == 0
    assert capsys.readouterr().out == (
        "18XX: 1 of 2 rules have a test, and it cannot be played yet\n"
    )


@pytest.mark.long
def test_the_report_passes_when_nothing_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    """The command as `make rules` runs it."""
    assert rules_report.main() == 0
    assert "18AL:" in capsys.readouterr().out
