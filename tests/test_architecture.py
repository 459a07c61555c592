"""The walls of the house: who may import whom."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
DATABASE = {"sqlmodel", "sqlalchemy", "alembic", "sqlite3", "psycopg"}
OUTSIDE = {
    *DATABASE, "os", "io", "time", "datetime", "socket", "pathlib", "subprocess", "service",
    "email", "smtplib", "imaplib", "aiosmtplib", "imapclient", "jinja2", "logging", "structlog",
}  # fmt: skip


def modules(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def imported(path: Path) -> Iterator[str]:
    """Full names of all modules that a file imports, inside functions too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", modules("engine"), ids=name)
def test_the_engine_knows_no_mail_database_clock_file_or_drawing(path):
    roots = {module.split(".")[0] for module in imported(path)}
    assert not roots & OUTSIDE


def test_the_engine_needs_two_libraries():
    roots = {module.split(".")[0] for path in modules("engine") for module in imported(path)}
    assert roots - set(sys.stdlib_module_names) == {"engine", "msgspec", "highspy"}


@pytest.mark.parametrize("path", modules("service/drawing"), ids=name)
def test_drawing_sees_only_the_view(path):
    engine = {m for m in imported(path) if m.split(".")[0] == "engine"}
    assert all(m.startswith(("engine.telling.view", "engine.board.hexes")) for m in engine)


@pytest.mark.parametrize("path", modules("service"), ids=name)
def test_only_the_store_knows_the_database(path):
    allowed = name(path) in {
        "service/store/store.py",
        "service/store/queues.py",
        "service/store/tables.py",
    }
    if not allowed and "migrations" not in path.parts:
        assert not {module.split(".")[0] for module in imported(path)} & DATABASE


@pytest.mark.parametrize("path", modules("service"), ids=name)
def test_only_mailbox_and_sender_speak_to_mail_servers(path):
    client = {"imapclient", "aiosmtplib", "imaplib"} & {m.split(".")[0] for m in imported(path)}
    assert not client or name(path) in {"service/mail/mailbox.py", "service/mail/sender.py"}


@pytest.mark.parametrize("path", [*modules("engine"), *modules("service")], ids=name)
def test_no_code_asks_for_a_title_by_name(path):
    if path.parent.name == "titles":
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Compare):
            texts = [n.value for n in ast.walk(node) if isinstance(n, ast.Constant)]
            assert not {"18AL", "18GA", "18TN", "18GL", "18MW"} & set(map(str, texts))


@pytest.mark.parametrize("path", [*modules("engine"), *modules("service")], ids=name)
def test_files_stay_short(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 410
