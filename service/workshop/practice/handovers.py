"""Counts how often a game waits for another person, as played and with advance orders.

The rules are in ``docs/handovers.md``. The module knows files of games, but no command line.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from engine import Title, load_title, title_names
from service.exchange.dialect import NeighbourError
from service.exchange.folder import games_of
from service.exchange.verify import read_game, replay
from service.workshop.practice.bench import Recording
from service.workshop.practice.decided import Decided, decided
from service.workshop.practice.hindsight import Hindsight, Kind, PossibleOrder
from service.workshop.practice.positions import games_of_bots
from service.workshop.practice.script import ScriptError, read, recorded, recorded_names, run

#: column → possible texts of its orders
COLUMNS: dict[str, frozenset[Kind]] = {
    "with_pass": frozenset({"pass"}),
    "with_buying": frozenset({"buy"}),
    "with_operating": frozenset({"operate"}),
    "with_orders": frozenset({"pass", "buy", "operate"}),
}


class Unreadable(Exception):
    """A file without a game that can be counted; the message names the file."""


@dataclass(frozen=True)
class HandoverCounts:
    """A game, and how often it waited for another person: one figure per column."""

    game: str
    title: str
    players: int
    ended: bool
    actions: int
    turns: int
    #: as played, and with each turn in one email
    handovers: int
    one_mail: int
    #: column → number of handovers
    columns: dict[str, int]
    #: turns that orders take, and the orders: seat, position of the email before it, text
    taken: int
    orders: tuple[tuple[str, int, str], ...]

    def figures(self, with_orders: bool = False) -> dict[str, object]:
        """The game for JSON; ``with_orders`` lists them."""
        known: dict[str, object] = {
            "game": self.game,
            "title": self.title,
            "players": self.players,
            "ended": self.ended,
            "actions": self.actions,
            "turns": self.turns,
        }
        known |= _sums([self]) | {"taken": self.taken}
        if with_orders:
            known["orders"] = [
                {"seat": seat, "after": number, "order": text} for seat, number, text in self.orders
            ]
        return known


def count(
    game: Recording, progress: Callable[[int, int], None] = lambda *_: None
) -> HandoverCounts:
    """Count the hand-overs of a game, however far it was played."""
    decisions = tuple(decided(game))
    most = len(decisions) * len(COLUMNS)
    hindsight = Hindsight(game.title, decisions)
    behind = hindsight.behind()
    columns: dict[str, int] = {}
    taken: set[int] = set()
    given: list[PossibleOrder] = []
    for number, (name, kinds) in enumerate(COLUMNS.items()):

        def told(place: int, done: int = number * len(decisions)) -> None:
            progress(done + place, most)

        given = list(hindsight.orders(kinds, behind, told))
        taken = {place for order in given for place in order.takes}
        columns[name] = handovers(decisions, behind | taken)
    final = decisions[-1].after if decisions else game.start
    return HandoverCounts(
        game=game.name,
        title=game.title.name,
        players=len(game.start.seats),
        ended=not final.stack,
        actions=len(game.actions),
        turns=len(decisions),
        handovers=handovers(decisions),
        one_mail=handovers(decisions, behind),
        columns=columns,
        taken=len(taken),
        orders=tuple((o.seat, decisions[o.place].after.number, o.text) for o in given),
    )


def handovers(decisions: Sequence[Decided], taken: Collection[int] = ()) -> int:
    """Count the decisions of a person who was not the last to act.

    ``taken`` are indexes of decisions that orders make. The first decision is no handover.
    """
    found, last, direct = -1, "", False
    for place, one in enumerate(decisions):
        if place in taken:
            direct = direct and one.seat == last
            continue
        found += not (direct and one.seat == last)
        last, direct = one.seat, True
    return max(found, 0)


def summed(games: Sequence[HandoverCounts]) -> dict[str, object]:
    """Figures of several games: their sums, and the percentage that is saved."""
    return {"count": len(games), **_sums(games)}


def _sums(games: Sequence[HandoverCounts]) -> dict[str, object]:
    played = sum(game.handovers for game in games)
    figures: dict[str, object] = {
        "handovers": played,
        "one_mail": sum(game.one_mail for game in games),
    }
    figures |= {name: sum(game.columns[name] for game in games) for name in COLUMNS}
    left = sum(game.columns["with_orders"] for game in games)
    figures["saved_percent"] = round(100 * (played - left) / played, 1) if played else 0.0
    return figures


# games


@dataclass(frozen=True)
class GameSource:
    """The source of a game; ``game`` reads it and raises Unreadable."""

    name: str
    #: "files", "recorded", "peers" or "bots"
    group: str
    game: Callable[[], Recording]


def sources(files: Sequence[Path], peers: Path | None, bots: int) -> Iterator[GameSource]:
    """The games of files and folders, by default those of the program and of ``peers``.

    ``bots`` is the number of games of bots of each title.
    """
    for path in files:
        yield from (_source(file, "files") for file in (games_of(path) or [path]))
    if not files:
        for name in recorded_names():
            yield GameSource(name, "recorded", partial(_recorded, name))
        yield from (_source(file, "peers") for file in (games_of(peers) if peers else ()))
    for name in title_names() if bots else ():
        title = load_title(name)
        for seed in range(1, bots + 1):
            make = partial(_of_bots, title, seed)
            yield GameSource(f"{name} bots {seed}", "bots", make)


def _source(path: Path, group: str) -> GameSource:
    return GameSource(path.stem, group, partial(from_file, path))


def from_file(path: Path) -> Recording:
    """The game of a file, a script or an export of 18xx.games. Raises Unreadable."""
    try:
        if path.suffix == ".game":
            return _script(path.stem, path.read_text(encoding="utf-8"))
        game = read_game(path)
        _, done = replay(game)
        return Recording(path.stem, game.title, game.course().state, tuple(done))
    except (OSError, UnicodeDecodeError) as error:
        raise Unreadable(f"{path} cannot be read ({error})") from error
    except (NeighbourError, ScriptError) as error:
        raise Unreadable(f"{path}: {error}") from error


def _recorded(name: str) -> Recording:
    return _script(name, recorded(name))


def _script(name: str, text: str) -> Recording:
    played = run(read(text))
    return Recording(name, played.title, played.states[0], tuple(played.actions))


def _of_bots(title: Title, seed: int) -> Recording:
    return next(games_of_bots(title, 1, seed, at=seed - 1))
