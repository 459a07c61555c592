"""How deep tables and lists of a file stand within each other; walks, so that depth costs nothing.

JSON and TOML that a stranger made may be nested deeper than Python recurses: readers refuse it.
"""

from typing import Any

MOST = 60
"""No file that is read here has a tenth of it."""


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
