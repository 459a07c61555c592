"""Presidents keep up the price of shares another player has sold (18MW Share Price Protection)."""

from collections.abc import Iterator

from msgspec.structs import replace

from engine.actions import Action, LetFall, Protect
from engine.events import PriceLetFall
from engine.options import Choice, Option
from engine.play import shares
from engine.play.protection import ALL, in_order, open_blocks, protect, why_not_eligible
from engine.position.codec import encode
from engine.position.draft import Draft
from engine.position.frames import Protection, SoldBlock
from engine.position.table import Table
from engine.position.values import Round, Seat
from engine.refusal import Refusal
from engine.steps.base import Step


def supposed(table: Table, frame: Protection, *more: str) -> Table:
    """The position after a president has bought as promised, and ``more`` of their companies."""
    draft = Draft(table.title, table.at)
    for block in in_order(table, frame.blocks):
        if block.company in (*frame.kept, *more):
            protect(draft, block)
    return draft.table


class ProtectionStep(Step[Protection]):
    """Each president, in order of price, decides whether to buy all that was sold of a company."""

    frame = Protection
    deciding = "shares were sold, and a president may keep the price; `protect` or `let fall`"
    verbs = (Protect, LetFall)

    def key(self, frame: Protection, now: Round) -> str:
        """Each answer is a decision of its own."""
        return encode(frame).decode()

    def enter(self, draft: Draft, frame: Protection) -> None:
        """Settle the dearest block if nobody need be asked about it."""
        blocks = in_order(draft.table, frame.blocks)
        if not blocks:
            draft.pop()
            return
        first, *rest = blocks
        eligible = _is_eligible(draft.table, frame, first)
        if eligible and first.company not in (*frame.kept, *frame.let_fall):
            return
        draft.replace(replace(frame, blocks=tuple(rest)))
        if eligible and first.company in frame.kept:
            protect(draft, first)
        else:
            shares.fall(draft, first.company, first.percent)

    def actors(self, table: Table, frame: Protection) -> tuple[Seat, ...]:
        """The president of the dearest company."""
        return (table.at.presidents[in_order(table, frame.blocks)[0].company],)

    def candidates(self, table: Table, frame: Protection) -> Iterator[Option]:
        """Each of the president's companies, and all of them together."""
        (by,) = self.actors(table, frame)
        blocks = open_blocks(table, frame, by)
        for which in (*(block.company for block in blocks), ALL):
            yield Choice(Protect(by=by, which=which))
            yield Choice(LetFall(by=by, which=which))

    def why_not(self, table: Table, frame: Protection, action: Protect | LetFall) -> Refusal | None:
        """Require a company of the president, all its sold shares, and the three tests."""
        blocks = open_blocks(table, frame, action.by)
        named = [b for b in blocks if action.which in (ALL, b.company)]
        if not named or (action.which == ALL and len(blocks) == 1):
            mine = " or ".join(f"`protect {b.company}`" for b in blocks)
            text = f"{action.by} is asked about {' and '.join(b.company for b in blocks)}"
            return table.refuse("protection", "place", text, f"{mine}, or `let fall`.")
        if isinstance(action, LetFall):
            return None
        before: list[str] = []
        for block in named:
            then = supposed(table, frame, *before)
            if refusal := why_not_eligible(then, frame.seat, block):
                return refusal
            before.append(block.company)
        return None

    def play(self, draft: Draft, frame: Protection, action: Action) -> None:
        """Record the answer; it is carried out when all dearer companies are settled."""
        assert isinstance(action, Protect | LetFall)
        named = tuple(
            block.company
            for block in open_blocks(draft.table, frame, action.by)
            if action.which in (ALL, block.company)
        )
        if isinstance(action, Protect):
            draft.replace(replace(frame, kept=(*frame.kept, *named)))
            return
        for company in named:
            draft.record(PriceLetFall(action.by, company))
        draft.replace(replace(frame, let_fall=(*frame.let_fall, *named)))


def _is_eligible(table: Table, frame: Protection, block: SoldBlock) -> bool:
    """Whether a president passes the three tests; never for a company in receivership."""
    there = table.at.presidents.get(block.company) is not None
    return there and why_not_eligible(table, frame.seat, block) is None
