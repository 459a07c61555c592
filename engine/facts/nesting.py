"""Depth of nested tables and lists in a file, checked without recursion.

A stranger's JSON or TOML may be nested deeper than Python can recurse. Readers refuse it.
"""

from itertools import chain, compress
from typing import Any

MOST = 60
"""No file that is read here has a tenth of it."""

TOO_DEEP = "tables or lists within each other go too deep"

_NESTED = frozenset((dict, list, tuple))


def too_deep(value: Any) -> bool:  # noqa: ANN401 - whatever a file holds
    """Whether lists and tables are nested deeper than MOST."""
    level = [value] if type(value) in _NESTED else []
    for _ in range(MOST + 1):
        # a file has many values and few tables: a loop over its values would take long
        every = (outer.values() if type(outer) is dict else outer for outer in level)
        inner = list(chain.from_iterable(every))
        level = list(compress(inner, map(_NESTED.__contains__, map(type, inner))))
        if not level:
            return False
    return True
