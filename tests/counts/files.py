"""The files of counts: reading them, writing them, and which positions are worth counting."""

from __future__ import annotations

import textwrap
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

from engine import Open, options, to_act
from tests import games
from tests.counts.counting import Count, count

FOLDER = Path(__file__).parent
#: positions that are chosen for a title, and the share of them that is spread over its games
MOST, SPREAD = 48, 16
_HEAD = """\
# What is legal at fixed positions of recorded games of {title}, written by `python -m tests.counts`.
# `legal` counts options by verb, `then` those one action later, `commands` are the options.
"""


def titles() -> list[str]:
    """Titles whose positions are counted."""
    return sorted(path.stem.upper() for path in FOLDER.glob("*.toml"))


def read(title: str) -> list[Count]:
    """The counts of a title as they are stored."""
    raw = tomllib.loads((FOLDER / f"{title.lower()}.toml").read_text(encoding="utf-8"))
    return [
        Count(
            one["game"],
            one["after"],
            one["when"],
            one["legal"],
            one.get("then", {}),
            tuple(part for part in " ".join(one["commands"].split()).split("; ") if part),
        )
        for one in raw["position"]
    ]


def write(title: str, counts: Sequence[Count]) -> None:
    """Store the counts of a title."""
    text = _HEAD.format(title=title) + "".join(map(_written, counts))
    (FOLDER / f"{title.lower()}.toml").write_text(text, encoding="utf-8")


def _written(one: Count) -> str:
    lines = [
        "",
        "[[position]]",
        f'game = "{one.game}"',
        f"after = {one.after}",
        f'when = "{one.when}"',
        f"legal = {_table(one.legal)}",
    ]
    if one.then:
        lines.append(f"then = {_table(one.then)}")
    text = textwrap.fill(
        "; ".join(one.commands), 98, break_long_words=False, break_on_hyphens=False
    )
    return "\n".join([*lines, f"commands = '''\n{text}'''", ""])


def _table(counts: dict[str, int]) -> str:
    return "{ " + ", ".join(f'"{verb}" = {n}' for verb, n in counts.items()) + " }"


def counted(game: str, after: int) -> Count:
    """The count of a position as it is now; LookupError if there is none."""
    played = games.game(game)
    if after >= len(played.actions):
        raise LookupError(f"{game} has no decision after {after} actions")
    return count(game, after, played.title, played.states[after])


def again(title: str) -> list[Count]:
    """The counts of the same positions as they are now."""
    return [counted(one.game, one.after) for one in read(title)]


def chosen(title: str) -> list[Count]:
    """Counts of positions that show between them every kind of decision of all recorded games.

    First come those with the most kinds of decisions, verbs and phases that are not yet shown, of
    several the one with the most options; then some that are spread evenly over the games.
    """
    shown = dict(_shown(title))
    picked: list[tuple[str, int]] = []
    missing = set().union(*(features for features, _ in shown.values()))
    while missing and len(picked) < MOST - SPREAD:
        best = max(shown, key=lambda place: (len(shown[place][0] & missing), shown[place][1]))
        picked.append(best)
        missing -= shown[best][0]
    places = list(shown)
    step = max(1, len(places) // (MOST - len(picked)))
    picked += places[step // 2 :: step][: MOST - len(picked)]
    return [counted(*place) for place in sorted(set(picked))]


def _shown(title: str) -> Iterator[tuple[tuple[str, int], tuple[set[tuple[str, ...]], int]]]:
    """Places of all recorded games of a title, what each shows, and how many options it has."""
    for name in [title.lower(), *games.names()]:
        played = games.game(name)
        if played.title.name != title:
            continue
        for after, state in enumerate(played.states[: len(played.actions)]):
            frame = type(state.stack[-1]).__name__
            found: set[tuple[str, ...]] = {(frame, "phase", state.phase)}
            number = 0
            for seat in to_act(played.title, state):
                for option in options(played.title, state, seat):
                    kind = option.kind if isinstance(option, Open) else type(option.action)
                    found.add((frame, kind.__name__))
                    number += 1
            yield (name, after), (found, number)
