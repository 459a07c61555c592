"""All regular expressions of a source tree, found by walking it, with how each is used."""

import ast
import importlib
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parents[1]
FOLDERS = ("service", "engine")
_WAYS = {"match", "fullmatch", "search", "split", "sub", "subn", "findall", "finditer"}
#: how much of a text each looks at
_ORDER = ("fullmatch", "match", "search", "finditer")


class Regex(NamedTuple):
    """A pattern, where it stands, and the way of using it that looks at most."""

    where: str
    pattern: re.Pattern
    way: str


def regexes(*folders, without=()):
    """All of the modules under some folders."""
    trees, ways = _source()
    for name, tree in trees.items():
        if name.startswith(folders) and not name.startswith(tuple(without)):
            yield from _of(name, tree, ways)


@cache
def _source():
    """The trees of all modules by their names, and how names are used there."""
    paths = [path for folder in FOLDERS for path in sorted((HERE / folder).rglob("*.py"))]
    texts = {path: path.read_text("utf-8") for path in paths if path.name != "__main__.py"}
    # most modules neither have one nor use one of another
    some = re.compile(rf"^import re$|\.(?:{'|'.join(sorted(_WAYS))})\b", re.MULTILINE)
    trees = {
        str(path.relative_to(HERE)): ast.parse(text)
        for path, text in texts.items()
        if some.search(text)
    }
    ways = {}
    for name, tree in trees.items():
        for owner, way in _calls(tree):
            ways.setdefault((name, owner), set()).add(way)
            ways.setdefault(owner, set()).add(way)
    return trees, ways


def _of(name, tree, ways):
    dotted = name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    module = importlib.import_module(dotted)
    constants = set()
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                if isinstance(target, ast.Name) and hasattr(module, target.id):
                    for pattern in _patterns(getattr(module, target.id)):
                        constants.add(pattern.pattern)
                        used = set().union(
                            *(ways[key] for key in _keys(name, target.id, tree) if key in ways)
                        )
                        yield Regex(f"{name} {target.id}", pattern, _most(used))
    for node in ast.walk(tree):
        if _calls_re(node):
            pattern = _inline(node, vars(module))
            if pattern.pattern not in constants:
                way = node.func.attr
                yield Regex(f"{name}:{node.lineno}", pattern, _most({way} - {"compile"}))


def _keys(name, constant, tree):
    """By what a constant is used: its own name, here or elsewhere, and what loops call its parts."""
    yield name, constant
    if not constant.startswith("_"):
        yield constant
    for node in ast.walk(tree):
        over = isinstance(node, ast.For | ast.comprehension)
        if over and isinstance(node.iter, ast.Name) and node.iter.id == constant:
            yield from (
                (name, one.id) for one in ast.walk(node.target) if isinstance(one, ast.Name)
            )


def _most(ways):
    """The way that looks at most; all of the text where none is known."""
    plain = {way if way in _ORDER else "finditer" for way in ways} or {"finditer"}
    return max(plain, key=_ORDER.index)


def _patterns(value):
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict):
        yield from (found for one in (*value, *value.values()) for found in _patterns(one))
    elif isinstance(value, tuple | list | set | frozenset):
        yield from (found for one in value for found in _patterns(one))


def _calls(tree):
    """Which names patterns are used by, and how: ``_NAME.search(…)``, ``words.NAME.match``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in _WAYS:
            owner = node.value
            if isinstance(owner, ast.Name):
                yield owner.id, node.attr
            elif isinstance(owner, ast.Attribute):
                yield owner.attr, node.attr


def _calls_re(node):
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "re"
        and node.func.attr in {*_WAYS, "compile"}
    )


def _inline(node, known):
    """The pattern of a call; what a function fills in is some word."""
    flags = [one.value for one in node.keywords if one.arg == "flags"]
    place = {"compile": 1, "sub": 4, "subn": 4, "split": 3}.get(node.func.attr, 2)
    flags += node.args[place : place + 1]
    return re.compile(_value(node.args[0], known), _value(flags[0], known) if flags else 0)


def _value(node, known):
    try:
        return eval(compile(ast.Expression(node), "pattern", "eval"), dict(known))
    except NameError:
        if isinstance(node, ast.JoinedStr):
            parts = (
                one.value if isinstance(one, ast.Constant) else _piece(one, known)
                for one in node.values
            )
            return "".join(parts)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            return _value(node.left, known).replace(b"%s", b"word")
        return "word"


def _piece(node, known):
    try:
        return str(eval(compile(ast.Expression(node.value), "pattern", "eval"), dict(known)))
    except NameError:
        return "word"
