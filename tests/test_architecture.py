"""The walls of the house: who may import whom, from the lowest floor to the highest."""

import ast
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import engine

ROOT = Path(__file__).resolve().parents[1]
DATABASE = {"sqlmodel", "sqlalchemy", "alembic", "sqlite3", "psycopg"}
OUTSIDE = {
    *DATABASE, "os", "io", "time", "datetime", "socket", "pathlib", "subprocess", "service",
    "email", "smtplib", "imaplib", "aiosmtplib", "imapclient", "jinja2", "logging", "structlog",
}  # fmt: skip

#: floors from the ground up: a room may import from its own floor's own room and from all below
ENGINE = (
    ("engine.refusal", "engine.actions", "engine.corrections", "engine.wording"), ("engine.options", "engine.proposals"),
    ("engine.board",), ("engine.facts",),
    ("engine.events",), ("engine.position",), ("engine.track",), ("engine.runs",), ("engine.play",),
    ("engine.steps",), ("engine.invariants",), ("engine.correcting",), ("engine.inquiry",), ("engine.flow",), ("engine.supposing",), ("engine.notation",),
    ("engine.telling",), ("engine.titles",), ("engine",),
)  # fmt: skip
SERVICE = (
    ("service.audience",),
    ("service", "service.resources", "service.logs", "service.apart"),
    ("service.store", "service.drawing", "service.mail"),
    ("service.limits",), ("service.pages",), ("service.settings",), ("service.reports",), ("service.orders",), ("service.tournaments",),
    ("service.games",), ("service.publish",), ("service.desk",), ("service.exchange",), ("service.practice",),
    ("service.app",), ("service.demo", "service.rehearsal"), ("service.cli",), ("service.__main__",),
)  # fmt: skip


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


def dotted(path: Path) -> str:
    return name(path).removesuffix(".py").removesuffix("/__init__").replace("/", ".")


@cache
def house() -> dict[str, set[str]]:
    """Module → the modules of the house that it imports, those for types included."""
    every = {dotted(path): path for path in (*modules("engine"), *modules("service"))}
    found = {}
    for module, path in every.items():
        names = {m for m in imported(path) if m in every}
        # `from engine.board import hexes` asks for the module, not for its folder's door
        doors = {m for m in names if any(other.startswith(f"{m}.") for other in names)}
        found[module] = (names - doors if path.name != "__init__.py" else names) - {module}
    return found


def room(module: str) -> str:
    """The room of a module, named as the floors name it."""
    rooms = {room for floor in (*ENGINE, *SERVICE) for room in floor}
    parts = module.split(".")
    return next(known for n in range(len(parts), 0, -1) if (known := ".".join(parts[:n])) in rooms)


def circles(graph: dict[str, set[str]]) -> list[tuple[str, ...]]:
    """Modules that import each other, directly or by others."""
    try:
        tuple(TopologicalSorter(graph).static_order())
    except CycleError as error:
        return [tuple(error.args[1])]
    return []


def test_no_modules_import_each_other_in_a_circle_not_even_for_types():
    assert not circles(house())


@pytest.mark.parametrize("floors", [ENGINE, SERVICE], ids=["engine", "service"])
def test_rooms_stand_on_floors_and_import_downwards_only(floors):
    level = {room: n for n, floor in enumerate(floors) for room in floor}
    upwards = [
        (module, other)
        for module, others in house().items()
        for other in others
        if (here := room(module)) in level and (there := room(other)) in level
        if here != there and level[there] >= level[here]
    ]
    assert not upwards


def test_a_circle_would_be_found():
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}})


@pytest.mark.parametrize(
    "folder", sorted({p.parent for p in (*modules("engine"), *modules("service"))}), ids=name
)
def test_every_folder_says_what_it_is_for(folder):
    if "migrations" in folder.parts or folder.name == "service":
        return  # named by the database's own tool; the whole program
    text = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8")))
    assert text


@pytest.mark.parametrize("path", modules("engine"), ids=name)
def test_the_engine_knows_no_mail_database_clock_file_or_drawing(path):
    roots = {module.split(".")[0] for module in imported(path)}
    assert not roots & OUTSIDE


def test_the_engine_needs_two_libraries():
    roots = {module.split(".")[0] for path in modules("engine") for module in imported(path)}
    assert roots - set(sys.stdlib_module_names) == {"engine", "msgspec", "highspy"}


@pytest.mark.parametrize("path", modules("engine"), ids=name)
def test_only_the_draft_itself_changes_its_fields(path):
    if name(path) == "engine/position/draft.py":
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        targets = getattr(node, "targets", [getattr(node, "target", None)])
        for target in targets:
            if isinstance(target, ast.Attribute):
                assert ast.unparse(target.value) not in ("draft", "self.draft"), ast.unparse(node)


@pytest.mark.parametrize("path", modules("service/drawing"), ids=name)
def test_drawing_sees_only_the_view(path):
    engine = {m for m in imported(path) if m.split(".")[0] == "engine"}
    assert all(m.startswith(("engine.telling.view", "engine.board.hexes")) for m in engine)


@pytest.mark.parametrize("path", modules("service"), ids=name)
def test_the_service_comes_in_by_the_engines_doors(path):
    """What proves the rules looks inside: bots and benchmarks, and the replay of another site."""
    if path.parts[len(ROOT.parts) + 1] in ("practice", "exchange"):
        return
    inside = [
        module for module in imported(path)
        if module.startswith("engine.") and module in house()
        and not any(module == door or module.startswith(f"{door}.") for door in engine.DOORS)
    ]  # fmt: skip
    assert not inside


@pytest.mark.parametrize("path", modules("service"), ids=name)
def test_only_the_store_knows_the_database(path):
    allowed = name(path).startswith("service/store/")
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
def test_lists_of_parameters_are_short(path):
    """What takes more belongs together in a record; each option of a command is a parameter."""
    if name(path).startswith("service/cli/"):
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
            taken = [one.arg for one in found if one.arg not in ("self", "cls")]
            most = 6 if name(path).startswith("service/") else 7  # a draft comes first
            assert len(taken) <= most, f"{node.name} takes {', '.join(taken)}"


@pytest.mark.parametrize("path", [*modules("engine"), *modules("service")], ids=name)
def test_files_stay_short(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 410
