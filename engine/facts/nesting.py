"""Depth of nested tables and lists in a file, checked without recursion.

A stranger's JSON or TOML may be nested deeper than Python can recurse. Readers refuse it.
"""

from typing import Any

MOST = 60
"""No file that is read here has a tenth of it."""

TOO_DEEP = "tables or lists within each other go too deep"

#: a tuple, for that is asked faster than a union
_NESTED = (dict, list, tuple)


def too_deep(value: Any, most: int = MOST) -> bool:  # noqa: ANN401 - whatever a file holds
    """Whether lists and tables are nested deeper than so many."""
    level = [value] if isinstance(value, _NESTED) else []
    for _ in range(most + 1):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, _NESTED)
        ]
        if not level:
            return False
    return True
