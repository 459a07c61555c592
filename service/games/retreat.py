"""Handles emails that answer an old position, and takes back a player's last email."""

from collections.abc import Sequence

import engine
from service.games import games, offers
from service.games.changes import TakenBack
from service.games.games import GameTable, Past
from service.games.offers import waits_for
from service.refusal import Refused
from service.store import ActionRow, Tx

#: the most sentences about what changed
_MOST = 6


GAME_IS_OVER = "{game} is over, nothing can be taken back."
NOBODY_ACTED = "Nobody has acted yet."
ACTED_LAST = (
    "{name} acted last. You can take back your own last email only until somebody else acts."
)
OFFERED_LAST = (
    "{name} acted last, with an offer. You can take back your own last email only until somebody "
    "else acts."
)
ANSWER_FIRST = "The offer waits for your answer: reply `accept` or `decline`."
PROPOSE_UNDO = "`propose undo` asks those who have acted since."
ASK_UNDO = "`ask undo because …` asks for the director's leave."
NO_MAIL_OF_YOURS = "Your last move was made by an order or the caretaker, not by an email."


def take_back(tx: Tx, table: GameTable, seat: str) -> TakenBack:
    """A player's latest email, if nobody has acted since. Raises Refused."""
    head = table.head
    if table.row.status != "running" or head is None:
        raise Refused(GAME_IS_OVER.format(game=table.row.name))
    if not head.seat:
        raise Refused(NOBODY_ACTED)
    if head.seat != seat:
        raise _others_acted(table, head.seat, seat)
    occasion = tx.occasions.get(head.occasion_id)
    if occasion.kind not in ("mail", "step") or occasion.seat not in ("", seat):
        raise Refused(NO_MAIL_OF_YOURS, hint="`undo` only takes back emails.")
    count = 100
    while True:
        rows = tx.log.actions(table.row.id, max(head.number - count, -1))
        before = [row for row in rows if row.occasion_id != head.occasion_id]
        if before:
            break
        count *= 4
    parent = before[-1]
    texts = tuple(row.text for row in rows if row.number > parent.number)
    return TakenBack(parent.id, parent.number, games.state(parent), texts)


def _others_acted(table: GameTable, last: str, seat: str) -> Refused:
    """Why `undo` takes back nothing after another player's action, and what would."""
    offer = offers.waiting(table.offers)
    offered = offer is not None and offer.by == last
    why = (OFFERED_LAST if offered else ACTED_LAST).format(name=last)
    asks = ASK_UNDO if table.settings.undo == "leave" else PROPOSE_UNDO
    if offer is not None and offered and offer.asked == seat:
        return Refused(why, hint=ANSWER_FIRST, also=(asks,))
    return Refused(why, hint=asks)


def position_before(tx: Tx, table: GameTable, number: int | None, received: int) -> int | None:
    """The position that an email's writer saw; None before the game began.

    ``number`` is the one that the email shows. An unknown number says nothing, and neither does a
    newly written email. Then it is the position at ``received``, when the email came. So an email
    that was delayed for a day is an old one, however it was sent.
    """
    if number is not None and number < table.next_number:
        return number
    head = table.head
    if head is None or head.at <= received:
        return head.number if head else None
    stood = tx.log.at(table.row.id, received)
    return stood.number if stood else None


ANSWERS_TAKEN_BACK = "Your email is about position #{answered}, which was taken back."
ANSWERS_EARLIER = (
    "Your email is about an older position (#{answered}). The game is now at #{position}."
)
WHAT_NOW = "Answer the latest turn email; `resend` sends it again."


def changed(
    tx: Tx, table: GameTable, past: Sequence[Past], number: int | None, seat: str
) -> tuple[str, ...]:
    """Sentences for a seat that answers position ``number``; () if the answer still holds.

    It holds while the same decision is open, or while the seat's own turn waits for the answer to
    its own question. After the position was taken back it never holds.
    """
    now = table.state
    if number is None or number == now.number or table.row.status != "running":
        return ()
    then = tx.log.numbered(table.row.id, number)
    if then is None:
        lines = [ANSWERS_TAKEN_BACK.format(answered=number)]
    elif _still_asked(tx, table, then) or _own_turn(table, then, seat):
        return ()
    else:
        lines = [ANSWERS_EARLIER.format(answered=number, position=now.number)]
    asked = [offers.fate(row) for row in table.offers if row.position == number]
    return (*lines, *asked, *_since(table, past, number), WHAT_NOW)


def over(tx: Tx, table: GameTable, number: int, seat: str) -> bool:
    """Whether the decision at position ``number`` is made, so that its buttons no longer work.

    Before the game begins, no decision is made.
    """
    if table.head is None or number == table.state.number:
        return False
    then = tx.log.numbered(table.row.id, number)
    if table.row.status != "running" or then is None or then.snapshot is None:
        return True
    return not (_still_asked(tx, table, then) or _own_turn(table, then, seat))


def _still_asked(tx: Tx, table: GameTable, then: ActionRow) -> bool:
    """Whether the decision at ``then`` is still open.

    Each offer to another party is a new question, even with the same words.
    """
    asked = engine.decision(table.state)
    if engine.decision(games.state(then)) != asked:
        return False
    if engine.question(table.state) is None:
        return True
    between = (row for row in tx.log.actions(table.row.id, then.number) if row.snapshot is not None)
    return all(engine.decision(games.state(row)) == asked for row in between)


def _own_turn(table: GameTable, then: ActionRow, seat: str) -> bool:
    """Whether the turn at ``then`` waits for a player whom the seat has asked."""
    if not waits_for(seat, table.state):
        return False
    return engine.decision(games.state(then)) == engine.interrupted(table.state)


SINCE_THEN = "since then: {told}"


def _since(table: GameTable, past: Sequence[Past], number: int) -> list[str]:
    """The latest events after position ``number``, in sentences."""
    since = [p for p in past if p.number > number]
    told = [str(sentence) for p in since for sentence in p.narrated(table.title).sentences]
    return [SINCE_THEN.format(told=sentence) for sentence in told[-_MOST:]]


WOULD_TAKE_BACK = (
    "Your email answers position #{answered}; the game is at #{position}, and `undo` would "
    "now take "
    "back: {commands}."
)
GONE_WOULD_TAKE_BACK = (
    "Your email answers position #{answered}, which was taken back; the game is at "
    "#{position}, and "
    "`undo` would now take back: {commands}."
)
IF_YOU_WANT_THAT = "If you want that, send `undo` in reply to the latest email of the game."


def undo_changed(
    tx: Tx, table: GameTable, past: Sequence[Past], number: int | None, taken: TakenBack
) -> tuple[str, ...]:
    """Why an `undo` written at position ``number`` does not mean the email it would undo.

    () if it does: only that email's own commands have been carried out since.
    """
    if number is None:
        return ()
    then = tx.log.numbered(table.row.id, number)
    if then is not None and number >= taken.parent_number:
        return ()
    would = GONE_WOULD_TAKE_BACK if then is None else WOULD_TAKE_BACK
    now, texts = table.state.number, "; ".join(taken.texts)
    return (
        would.format(answered=number, position=now, commands=texts),
        *_since(table, past, number),
        IF_YOU_WANT_THAT,
    )
