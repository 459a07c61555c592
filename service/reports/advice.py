"""Lists a player's legal moves as commands, and the other commands that are possible."""

from collections.abc import Iterable

from engine import Seat
from engine.actions import Pass
from engine.notation import write
from engine.position.frames import Auction
from service.reports import lays
from service.reports.decisions import distress, money, operating, powers, stock, unlisted, words_of
from service.reports.scene import Listed, Scene, Sorted
from service.reports.tables import Pairs, Row

__all__ = ["legal", "words"]


def legal(scene: Scene, seat: Seat, level: int = 0) -> Pairs:
    """The player's legal moves by verb; ``level``, as in `lays`, shortens the list of tiles."""
    actions = Sorted(scene.options(seat))
    rows: list[Row] = []
    if scene.state.stack:
        rows += words_of(scene.state).rows(scene, scene.state.stack[-1], actions)
    rows += _made(_BEFORE, scene, seat, actions)
    if scene.view.company:
        rows += lays.lay_rows(scene, seat, level)
    rows += _made(_AFTER, scene, seat, actions)
    return Pairs("LEGAL NOW", tuple(row for row in rows if row.items))


def _made(every: Iterable[Listed], scene: Scene, seat: Seat, found: Sorted) -> list[Row]:
    """The rows of actions for which there is an option, or may be later in a company's turn."""
    operates = scene.view.company
    shown = (one for one in every if found.of(*one.kinds) or (operates and one.ahead))
    made = (listed.rows(scene, seat, found) for listed in shown)
    return [row for rows in made for row in rows]


NOTHING_MORE = "do nothing more; only needed if you write no other move"
GIVES_UP = "you give up {private}: it goes to {high} for ${amount}, or to a player who bids more"


def _ends(scene: Scene, seat: Seat, found: Sorted) -> list[Row]:
    word = write(scene.title, scene.state, Pass(by=seat))
    what = "do nothing" if word == "pass" else NOTHING_MORE
    top = scene.state.stack[-1]
    if isinstance(top, Auction):
        what = GIVES_UP.format(private=top.private, high=top.high, amount=top.amount)
    return [Row(word, (what,))]


#: in the order of a turn, before and after the tiles
_BEFORE = (stock.PRIVATES, stock.SHARES, money.BONDS)
_AFTER = (
    operating.STATIONS,
    operating.RUNS,
    operating.DIVIDENDS,
    operating.TRAINS,
    distress.FIRE_SALE,
    operating.MERGERS,
    money.DEBTS,
    powers.POWERS,
    stock.TRADES,
    money.BANKRUPT,
    Listed((Pass,), _ends),
)


def _complete() -> None:
    """Check that a list shows every action. Raises TypeError that names the missing ones."""
    kinds = (kind for listed in (*_BEFORE, *_AFTER) for kind in listed.kinds)
    if left := unlisted((*kinds, *lays.KINDS)):
        raise TypeError(f"actions that are never listed as legal: {', '.join(left)}")


_complete()


def words(scene: Scene) -> str:
    """Other commands that the player may write."""
    own = words_of(scene.state).own_words() if scene.state.stack else ()
    return ", ".join([*own, "undo", "status", "map", "options", "say: …", "help"])
