"""What a player may write instead of a command that is not for now: the same, given in advance."""

from collections.abc import Sequence

from engine import Action, Seat, State, Title
from engine.actions import CompanyAction, LetFall, Protect
from engine.notation import NotationError, heading, parse
from engine.position.table import Table
from service.desk.ahead.giving import give

IN_ADVANCE = "Give it in advance: `{order}`. It is done when your turn comes."
PROTECT_IN_ADVANCE = (
    "Give the answer in advance: `{order}` buys what others sell if it costs no more."
)
LET_FALL_IN_ADVANCE = "Give the answer in advance: `{order}`."

#: shares at the present price that the example of a limit pays for
_EXAMPLE = 2


def in_advance(title: Title, state: State, seat: Seat, commands: Sequence[str]) -> str:
    """How a player gives the commands of a turn before it comes, in a sentence; "" if that is vain.

    ``commands`` are those of one mail, in their order.
    """
    try:
        actions = [parse(title, state, seat, text) for text in commands]
    except NotationError:
        return ""
    if not actions or any(action.asked for action in actions):
        return ""
    later = not isinstance(actions[0], CompanyAction | Protect | LetFall)
    if later and state.round.kind != "SR":
        # the next turn is perhaps that of a company
        return ""
    told, order = _order(title, state, seat, actions, commands)
    try:
        taken = give(title, state, seat, order, ())
    except NotationError:
        return ""
    return "" if isinstance(taken, str) else told.format(order=order)


def _order(
    title: Title, state: State, seat: Seat, actions: Sequence[Action], commands: Sequence[str]
) -> tuple[str, str]:
    """The message and the order: an answer about a price, a company's turn, or the next turn."""
    first, mine = actions[0], [c for c, owner in state.presidents.items() if owner == seat]
    if isinstance(first, Protect):
        company = first.which if first.which in mine else "".join(mine[:1])
        most = _EXAMPLE * Table(title, state).price(company) if company else 0
        return PROTECT_IN_ADVANCE, f"always protect {company} up to {most}"
    if isinstance(first, LetFall):
        return LET_FALL_IN_ADVANCE, f"always {commands[0]}"
    parts = [heading(title, text, state.seats) for text in commands]
    bare = ", ".join(rest for _, rest in parts)
    if not isinstance(first, CompanyAction):
        return IN_ADVANCE, f"next: {bare}"
    named = next((company for company, _ in parts if company), "")
    return IN_ADVANCE, f"operate {named or ''.join(mine[:1])}: {bare}"
