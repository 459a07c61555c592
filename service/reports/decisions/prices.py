"""Words for presidents who may protect a share price."""

from collections.abc import Iterator

from engine import Action, Seat
from engine.actions import LetFall, Protect
from engine.board.hexes import Hex
from engine.inquiry import fallen, open_blocks, protection_cost
from engine.notation import write
from engine.position.frames import Protection, SoldBlock
from engine.wording import listed
from service.reports.decisions import base
from service.reports.decisions.base import Chances, DecisionTask, Words
from service.reports.scene import Figure, Scene, Sorted
from service.reports.tables import Row


class ProtectionWords(Words[Protection]):
    """A player sold shares of a president's companies."""

    frame = Protection
    lists = (Protect, LetFall)

    def task(self, scene: Scene, frame: Protection, seat: Seat, reader: Seat) -> DecisionTask:
        """Protect the price or let it fall."""
        blocks = open_blocks(scene.table, frame, seat)
        sold = listed(f"{block.percent}% of {block.company}" for block in blocks)
        companies = listed(block.company for block in blocks)
        text = f"{frame.seat} has sold {sold}. Buy all of it to protect the price, or let it fall?"
        message = f"protect {companies} or let {'it' if len(blocks) == 1 else 'them'} fall"
        return DecisionTask(message, text, lead="YOUR ANSWER", dated=False)

    def example(self, chances: Chances) -> Action | None:
        """The company with the highest cost."""
        return chances.first(Protect, LetFall)

    def own_words(self) -> tuple[str, ...]:
        """The short answers."""
        return ("protect", "let fall")

    def figures(
        self, scene: Scene, frame: Protection, seat: Seat, new: frozenset[Hex]
    ) -> Iterator[Figure]:
        """The stock chart and the map."""
        return base.trading(scene, new)

    def rows(self, scene: Scene, frame: Protection, found: Sorted) -> list[Row]:
        """The cost for each company, and the price that it would fall to."""
        (seat,) = scene.view.to_act
        blocks = open_blocks(scene.table, frame, seat)
        named = {block.company: block for block in blocks}
        rows = []
        for kind in (Protect, LetFall):
            items = []
            for option in found.of(kind):
                assert isinstance(option.action, Protect | LetFall)
                text = write(scene.title, scene.state, option.action)
                one = named.get(option.action.which)
                about = [one] if one else blocks
                protects = isinstance(option.action, Protect)
                items.append(f"`{text}` {_effect(scene, about, protects)}")
            rows.append(Row("protect" if kind is Protect else "let fall", tuple(items), True))
        return rows


def _effect(scene: Scene, blocks: list[SoldBlock], protects: bool) -> str:
    if protects:
        return f"for {scene.money(sum(protection_cost(scene.table, block) for block in blocks))}"
    prices = []
    for block in blocks:
        cell = fallen(scene.table, block.company, block.percent)
        old, new = scene.table.price(block.company), scene.title.chart.price(cell)
        prices.append(f"{block.company} {scene.money(old)} → {scene.money(new)}")
    return listed(prices)
