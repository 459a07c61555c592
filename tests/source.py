"""The program's own source, read once by the tests that look at it."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def modules(folder: str) -> list[Path]:
    """All modules under a folder of the project."""
    return sorted((ROOT / folder).rglob("*.py"))


def name(path: Path) -> str:
    """A path as seen from the project, "engine/flow.py"."""
    return path.relative_to(ROOT).as_posix()


@cache
def tree(path: Path) -> ast.Module:
    """What a module says."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """All nodes of a module's tree, from the outside inwards."""
    return tuple(ast.walk(tree(path)))


def imports(node: ast.AST) -> Iterator[str]:
    """Full names of all modules that a piece of code imports, inside functions too."""
    for part in ast.walk(node):
        yield from _modules(part)


def _modules(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module:
        yield node.module
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


@cache
def imported(path: Path) -> frozenset[str]:
    """Full names of all modules that a module imports."""
    return frozenset(module for node in nodes(path) for module in _modules(node))
