"""Strategies for whatever a type of the engine may hold, found by its annotations."""

from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st
from msgspec import Struct

#: what JSON can carry: text without lone surrogates, numbers that other programs read exactly
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
NUMBER = st.integers(-(2**53), 2**53)
_PLAIN = {str: TEXT, int: NUMBER, bool: st.booleans(), NoneType: st.none()}


@cache
def of(kind: Any) -> st.SearchStrategy[Any]:
    """Any value of a type, any kind of a union, any content of a struct."""
    if kind in _PLAIN:
        return _PLAIN[kind]
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Literal:
        return st.sampled_from(parts)
    if origin in (Union, UnionType):
        return st.one_of(*map(of, parts))
    if origin is tuple and parts[-1] is Ellipsis:
        return st.lists(of(parts[0]), max_size=2).map(tuple)
    if origin is tuple:
        return st.tuples(*map(of, parts))
    if origin is dict:
        return st.dictionaries(of(parts[0]), of(parts[1]), max_size=2)
    if issubclass(kind, Struct):
        hints = get_type_hints(kind)
        return st.builds(kind, **{name: st.deferred(lambda t=t: of(t)) for name, t in hints.items()
                                  if name in kind.__struct_fields__})  # fmt: skip
    raise TypeError(f"no strategy for {kind}")
