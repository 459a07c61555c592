"""A group's overlay of a title's facts: reading it, merging it, reporting its faults.

An overlay is TOML with the keys of the title's file and a header of its own. This module gets its
text and reads no files. It does not know what the facts mean.
"""

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping
from types import UnionType
from typing import Any, NamedTuple, Union, get_args, get_origin

import msgspec
from msgspec import Struct

from engine.facts.facts import Facts
from engine.facts.nesting import TOO_DEEP, too_deep

Tables = dict[str, Any]

HEADER = ("title", "name", "provenance")
#: keys of a title's file about its rules and its edition
RULES = ("edition", "turn", "anytime", "variants", "overlay")
#: tables without new entries: a map has fixed hexes, and there are four colors
CLOSED = ("hex", "supply")
#: what names an entry of a list of tables
_IDS = ("id", "type")
_NAME_LENGTH = 60
_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
}


class OverlayError(ValueError):
    """An invalid overlay; the message has one line for each fault, with its place."""


class Overlay(NamedTuple):
    """An overlay as it is written."""

    title: str
    name: str
    #: part → where the group's facts for it come from
    provenance: dict[str, str]
    #: the facts it has, as in a title's file
    facts: Tables


def read_overlay(text: str) -> Overlay:
    """An overlay from its TOML. Raises OverlayError."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise OverlayError(f"this is not TOML: {error}") from error
    except RecursionError as error:
        raise OverlayError(TOO_DEEP) from error
    if too_deep(tables):
        raise OverlayError(TOO_DEEP)
    faults: list[str] = []
    header = {}
    for key, kind in (("title", str), ("name", str), ("provenance", dict[str, str])):
        header[key] = tables.pop(key, {} if key == "provenance" else "")
        _check(kind, header[key], key, faults)
    if not faults:
        faults += [f'{key}: is missing, as in {key} = "…"' for key in HEADER[:2] if not header[key]]
        if len(header["name"]) > _NAME_LENGTH or not header["name"].isprintable():
            faults.append(f"name: one line of at most {_NAME_LENGTH} characters, please")
    _raise(faults)
    return Overlay(header["title"].upper(), header["name"], header["provenance"], tables)


def overlaid(tables: Tables, overlay: Overlay) -> Tables:
    """The tables of a title's file with the overlay's facts in their places.

    Tables are merged key by key, lists of tables by id or type; any other list is replaced. Marks
    of reconstructed parts go where the overlay gives the part. Raises OverlayError.
    """
    if overlay.title != tables["name"].upper():
        raise OverlayError(f"title: this overlay is for {overlay.title}, not {tables['name']}")
    faults = [
        f"{key}: an overlay has facts only, and this belongs to the rules"
        for key in RULES
        if key in overlay.facts
    ]
    given = {key: value for key, value in overlay.facts.items() if key not in RULES}
    marks = tables.get("provenance", {})
    known = (*(f.name for f in msgspec.structs.fields(Facts) if f.name not in RULES), *marks)
    for part in overlay.provenance:
        if part not in known and part.split(".")[0] not in known:
            faults.append(f"provenance.{part}: there is no such part{_nearest(part, known)}")
    merged: Tables = _merged(Facts, tables, given, "", faults)
    _raise(faults)
    kept = {
        part: note
        for part, note in marks.items()
        if part not in overlay.provenance and not _gives(_at(tables, part), _at(given, part))
    }
    source = {"name": overlay.name, "provenance": overlay.provenance}
    return {**merged, "provenance": kept, "overlay": source}


def _raise(faults: Iterable[str]) -> None:
    text = "\n".join(faults)
    if text:
        raise OverlayError(text)


# merging


def _merged(kind: Any, old: Any, new: Any, path: str, faults: list[str]) -> Any:  # noqa: ANN401
    """``new`` of a file over ``old``, both being of the type ``kind`` when converted."""
    # an entry that stands twice in an overlay may have been wrong before
    old = old if isinstance(old, type(new)) else None
    struct = _struct(kind, old, new, path, faults)
    if struct is not None:
        return _table(struct, old, new, path, faults)
    if get_origin(kind) is dict and isinstance(new, dict):
        return _entries(get_args(kind)[1], old or {}, new, path, faults)
    row = _row(kind)
    if row is not None and isinstance(new, list):
        return _rows(row, old or [], new, path, faults)
    if row is not None:
        id_ = _id(row)
        faults.append(f'{path}: a list of tables is expected: [[{path}]] with {id_} = "…"')
    else:
        _check(kind, new, path, faults)
    return new


def _struct(
    kind: Any,  # noqa: ANN401 - a type
    old: Any,  # noqa: ANN401 - of a file
    new: Any,  # noqa: ANN401 - of a file
    path: str,
    faults: list[str],
) -> type[Struct] | None:
    """What a table is to become; of several the one that its ``kind`` names. None if nothing."""
    if not isinstance(new, dict):
        return None
    if get_origin(kind) not in (Union, UnionType):
        return kind if isinstance(kind, type) and issubclass(kind, Struct) else None
    choice = [k for k in get_args(kind) if isinstance(k, type) and issubclass(k, Struct)]
    tagged = {str(k.__struct_config__.tag): k for k in choice if k.__struct_config__.tag_field}
    if not tagged:
        return choice[0] if choice else None
    tag = str(new.get("kind", (old or {}).get("kind")))
    if tag not in tagged:
        faults.append(f"{_join(path, 'kind')}: one of {', '.join(sorted(tagged))} is expected")
        return Struct
    return tagged[tag]


LACKS = "{place}: lacks {keys}"


def _table(
    struct: type[Struct],
    old: Tables | None,
    new: Tables,
    path: str,
    faults: list[str],
) -> Tables:
    """A table with fixed keys."""
    if struct is Struct:
        return new
    tag = struct.__struct_config__.tag_field
    base = dict(old or {})
    if tag and base.get(tag) != struct.__struct_config__.tag:
        base = {}
    if tag:
        base[tag] = struct.__struct_config__.tag
    fields = {field.encode_name: field for field in msgspec.structs.fields(struct)}
    known = [name for name in fields if path or name not in RULES]
    for key, value in new.items():
        place = _join(path, key)
        if key == tag:
            continue
        if key not in known:
            faults.append(f"{place}: unknown key{_nearest(key, known)}")
            continue
        base[key] = _merged(fields[key].type, base.get(key), value, place, faults)
    missing = [name for name, field in fields.items() if field.required and name not in base]
    if missing:
        faults.append(LACKS.format(place=path, keys=", ".join(missing)))
    return base


def _entries(kind: Any, old: Tables, new: Tables, path: str, faults: list[str]) -> Tables:  # noqa: ANN401
    """A table whose keys are names: of hexes, tiles, numbers of players."""
    base = dict(old)
    for key, value in new.items():
        place = _join(path, key)
        if path in CLOSED and key not in old:
            faults.append(f"{place}: the title has no such {path}{_nearest(key, old)}")
            continue
        base[key] = _merged(kind, base.get(key), value, place, faults)
    return base


UNKNOWN_ROW = " (the title has no {kind} {name}{nearest})"


def _rows(
    row: type[Struct], old: list[Any], new: list[Any], path: str, faults: list[str]
) -> list[Any]:
    """A list of tables; what is new is put at its end."""
    id_ = _id(row)
    base = {entry[id_]: entry for entry in old}
    for number, entry in enumerate(new, start=1):
        name = entry.get(id_) if isinstance(entry, dict) else None
        if not isinstance(name, str):
            faults.append(f'{path}: entry {number} lacks its {id_}, as in {id_} = "…"')
            continue
        found = len(faults)
        base[name] = _table(row, base.get(name), entry, _join(path, name), faults)
        known = [e[id_] for e in old]
        if len(faults) > found and name not in known:
            nearest = _nearest(name, known)
            faults[found] += UNKNOWN_ROW.format(kind=path, name=name, nearest=nearest)
    return list(base.values())


def _row(kind: Any) -> type[Struct] | None:  # noqa: ANN401 - a type
    """The tables of a list that are known by an id; None for any other type."""
    args = get_args(kind) if get_origin(kind) is tuple else ()
    struct = args[0] if len(args) == 2 and args[1] is Ellipsis else None
    if isinstance(struct, type) and issubclass(struct, Struct) and _id(struct):
        return struct
    return None


def _id(struct: type[Struct]) -> str:
    return next((key for key in _IDS if key in struct.__struct_fields__), "")


def _check(kind: Any, value: Any, path: str, faults: list[str]) -> None:  # noqa: ANN401
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        faults.append(f"{path}: {_plain(str(error))}")


def _plain(message: str) -> str:
    """A message of msgspec in the words of somebody who writes TOML."""
    text, _, where = message.partition(" - at `$")
    entry = re.match(r"\[(\d+)\]", where)
    found = re.fullmatch(r"Expected `([\w |]+)`, got `(\w+)`", text)
    if found:
        wanted = " or ".join(_KINDS.get(k, k) for k in found[1].split(" | ") if k != "null")
        text = f"{wanted} is expected, not {_KINDS.get(found[2], found[2])}"
    return f"{text} (entry {int(entry[1]) + 1})" if entry else text


DID_YOU_MEAN = "; did you mean {word}?"


def _nearest(word: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(word, list(known), n=1)
    return DID_YOU_MEAN.format(word=close[0]) if close else ""


def _join(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


# marks of reconstructed parts


def _at(tables: Mapping[str, Any], part: str) -> Any:  # noqa: ANN401 - of a file
    """What stands at "market" or "train.4.price"; None if nothing does.

    "hex.cost" are the costs of all hexes that have one, by hex.
    """
    found: Any = tables
    for key in part.split("."):
        found = _keyed(found)
        if not isinstance(found, dict):
            return None
        found = found[key] if key in found else _column(found, key)
    return found


def _column(table: Tables, key: str) -> Tables | None:
    """The value of a key in all entries of a table that have it; None if none has."""
    rows = {name: row[key] for name, row in table.items() if isinstance(row, dict) and key in row}
    return rows or None


def _keyed(value: Any) -> Any:  # noqa: ANN401 - of a file
    """A list of tables with ids as a table; anything else as it is."""
    if isinstance(value, list) and value and all(isinstance(entry, dict) for entry in value):
        id_ = next((key for key in _IDS if key in value[0]), "")
        return {entry.get(id_): entry for entry in value} if id_ else value
    return value


def _gives(old: Any, new: Any) -> bool:  # noqa: ANN401 - of a file
    """Whether ``new`` gives the whole part: all lists of a table, or where it has none all of it.

    A table of tables is given when each of them is.
    """
    if old is None or new is None:
        return False
    old, new = _keyed(old), _keyed(new)
    if not isinstance(old, dict) or not isinstance(new, dict):
        return True
    lists = [key for key, value in old.items() if isinstance(value, list)]
    return all(key in new and _gives(old[key], new[key]) for key in lists or old)
