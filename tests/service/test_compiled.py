"""Compiled templates are kept, and only where and while they are true."""

import pytest
from jinja2 import Environment, FileSystemLoader

from service.compiled import CompiledTemplates
from service.drawing import svg
from service.reports import compiling, rendering
from service.resources import folder

TEMPLATES = folder("templates")


@pytest.fixture
def shown(tmp_path, monkeypatch):
    """Renders the template as a new process does; whether it had to be compiled, and its text."""
    compiled = []
    really = Environment.compile

    def noted(self, *given, **named):
        compiled.append(given)
        return really(self, *given, **named)

    def show():
        compiled.clear()
        kept = CompiledTemplates(tmp_path)
        environment = Environment(loader=FileSystemLoader(tmp_path), bytecode_cache=kept)
        return environment.get_template("one.j2").render(name="Ann"), bool(compiled)

    monkeypatch.setattr(Environment, "compile", noted)
    (tmp_path / "one.j2").write_text("Hello {{ name }}")
    return show


def test_a_template_is_compiled_once_and_leaves_no_other_file(shown, tmp_path):
    assert shown() == ("Hello Ann", True)
    assert shown() == ("Hello Ann", False)
    assert len(list((tmp_path / "__pycache__").iterdir())) == 1


def test_a_changed_template_is_compiled_again(shown, tmp_path):
    shown()
    (tmp_path / "one.j2").write_text("Bye {{ name }}")
    assert shown() == ("Bye Ann", True)
    assert shown() == ("Bye Ann", False)


@pytest.mark.parametrize("left", [0, 3, 40, 120])
def test_a_damaged_file_is_compiled_again(shown, tmp_path, left):
    shown()
    (file,) = (tmp_path / "__pycache__").iterdir()
    file.write_bytes(file.read_bytes()[:left])
    assert shown() == ("Hello Ann", True)
    assert shown() == ("Hello Ann", False)


def test_each_process_compiles_where_nothing_can_be_written(shown, tmp_path):
    (tmp_path / "__pycache__").write_text("a file where the folder would be")
    assert shown() == ("Hello Ann", True)
    assert shown() == ("Hello Ann", True)


def test_all_templates_of_emails_and_pictures_can_be_compiled_beforehand(monkeypatch):
    kept = []
    monkeypatch.setattr(CompiledTemplates, "load_bytecode", lambda self, bucket: None)
    monkeypatch.setattr(
        CompiledTemplates, "dump_bytecode", lambda self, bucket: kept.append(bucket.key)
    )
    svg.templates.cache_clear()
    rendering.environment_of.cache_clear()
    compiling.compile_templates()
    sources = [one for kind in ("mail", "picture") for one in (TEMPLATES / kind).glob("*.*")]
    assert len(set(kept)) == len(sources) > 20
