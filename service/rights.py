"""Finds file permissions that this process lacks, and says how to get them."""

import os
import pwd
from pathlib import Path

READ, USE = os.R_OK, os.R_OK | os.W_OK


def user() -> str:
    """The user name of this process, or the user's number if the system has no name for it."""
    return _name(os.geteuid())


def owner(place: Path) -> str:
    """The owner of a file or folder. Raises OSError."""
    return _name(place.stat().st_uid)


def hindrance(place: Path, how: int) -> str:
    """Why this user cannot ``READ`` or ``USE`` (make, read, write) the path; "" if it can."""
    if os.path.exists(place):
        wanted = how | os.X_OK if place.is_dir() else how
        return "" if os.access(place, wanted, effective_ids=True) else remedy(place)
    if how == READ:
        return ""
    above = next(one for one in place.absolute().parents if os.path.exists(one))
    if not above.is_dir():
        return f"{place} cannot be made: {above} is not a folder"
    may = os.access(above, os.W_OK | os.X_OK, effective_ids=True)
    return "" if may else f"{place} cannot be made or seen: {remedy(above)}"


NOT_YOURS = (
    "the user {user} may not use {place}, which belongs to {owner}: start waybill as {owner}, or "
    "let {user} have it"
)


def remedy(place: Path) -> str:
    """One line that says what to do about a file or folder that this user may not access."""
    there = next(one for one in (place, *place.absolute().parents) if os.path.exists(one))
    mine, its = user(), owner(there)
    if mine == its:
        mode = "u+rwx" if there.is_dir() else "u+rw"
        return f"the user {mine} may not use {there}; write: chmod {mode} {there}"
    return NOT_YOURS.format(user=mine, place=there, owner=its)


def _name(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)
