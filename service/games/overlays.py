"""The operator's folder of overlays: a group's own facts for a title, by name."""

import re
from collections.abc import Sequence
from pathlib import Path

import engine
from engine import Title

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*", re.I)


class UnusableOverlay(Exception):
    """An overlay is unusable; the text says what is wrong."""


def read_options(text: str) -> tuple[tuple[str, ...], str]:
    """Optional rules and the overlay's name ("" for none) from "two-yellow, overlay club"."""
    words = [word for word in re.split(r"[,\s]+", text.strip()) if word]
    variants: list[str] = []
    overlay = ""
    while words:
        word = words.pop(0)
        if word.lower() == "overlay" and words:
            overlay = words.pop(0)
        elif word.lower() not in ("and", "with"):
            variants.append(word)
    return tuple(variants), overlay


def overlay_names(folder: Path | None) -> tuple[str, ...]:
    """The names of the overlays in the folder."""
    if folder is None or not folder.is_dir():
        return ()
    return tuple(sorted(p.stem for p in folder.glob("*.toml") if _NAME.fullmatch(p.stem)))


NO_OVERLAY = "there is no overlay {name}; there are {names}"
NO_OVERLAYS = "there is no overlay {name}; there are none here"
CANNOT_BE_USED = "the overlay {name} cannot be used: {faults}"


def find_title(name: str, variants: Sequence[str], overlay: str, folder: Path | None) -> Title:
    """A title with optional rules and, unless "", an overlay of the folder.

    Raises LookupError if there is no such title, rule or overlay, OverlayError if the overlay is
    wrong.
    """
    chosen = frozenset(variants)
    if not overlay:
        return engine.load_title(name, chosen)
    known = {known.lower(): known for known in overlay_names(folder)}
    if folder is None or overlay.lower() not in known:
        why = NO_OVERLAY if known else NO_OVERLAYS
        raise LookupError(why.format(name=overlay, names=", ".join(known.values())))
    place = folder / f"{known[overlay.lower()]}.toml"
    try:
        title = engine.load_title(name, chosen, place.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        faults = "; ".join(str(error).splitlines())
        raise UnusableOverlay(CANNOT_BE_USED.format(name=overlay, faults=faults)) from error
    findings = engine.check(title)
    if findings:
        raise UnusableOverlay(CANNOT_BE_USED.format(name=overlay, faults="; ".join(findings)))
    return title
