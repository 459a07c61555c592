"""Words of decisions that interrupt others: offers, trains over the limit, merged tokens."""

from collections.abc import Iterator

from engine import Action, Range, Seat
from engine.actions import Accept, Counteroffer, Decline, DiscardTrain, KeepStation, Withdraw
from engine.board.hexes import Hex
from engine.inquiry import train_limit
from engine.notation import write
from engine.position.frames import Discard, MergerStations, Question
from engine.proposals import BarredLay, PowerUse, PrivateSale, TrainSale
from engine.wording import listed
from service.reports.decisions import base
from service.reports.decisions.base import Chances, DecisionTask, F, Words
from service.reports.decisions.offers import in_brief, in_short, meaning, offer
from service.reports.scene import Figure, Scene, Sorted
from service.reports.tables import Row


class _InterruptingWords(Words[F]):
    """Shows the map, and has no special commands."""

    def own_words(self) -> tuple[str, ...]:
        """None besides those of every turn."""
        return ()

    def figures(self, scene: Scene, frame: F, seat: Seat, new: frozenset[Hex]) -> Iterator[Figure]:
        """The map."""
        return base.building(scene, seat, new)


OFFER = "Offer "
COUNTER = "`counter for PRICE`"


class QuestionWords(_InterruptingWords[Question]):
    """Another player has made an offer."""

    frame = Question
    lists = (Accept, Decline, Counteroffer, Withdraw)

    def task(self, scene: Scene, frame: Question, seat: Seat, reader: Seat) -> DecisionTask:
        """Accept or decline, or name a price."""
        numbered = f"{OFFER}{scene.offer}: " if scene.offer else ""
        what = f"{numbered}{offer(scene, frame, reader)}"
        priced = isinstance(frame.proposal, PrivateSale | TrainSale)
        words = f"`accept`, `decline` or {COUNTER}" if priced else "`accept` or `decline`"
        text = f"{what}. Do you accept? Answer {words}."
        subject, short = what.replace("`", ""), ""
        if isinstance(frame.proposal, PrivateSale | TrainSale) and reader == frame.asked:
            subject = f"{numbered}{in_brief(scene, frame, frame.proposal)}"
            short = in_short(scene, frame.proposal)
        return DecisionTask(subject, text, lead="YOUR ANSWER", dated=False, short=short)

    def example(self, chances: Chances) -> Action | None:
        """Yes, if that is still possible."""
        return chances.first(Accept, Decline)

    def own_words(self) -> tuple[str, ...]:
        """The other answer; a price is in the list of legal moves, if allowed."""
        return ("decline",)

    def rows(self, scene: Scene, frame: Question, found: Sorted) -> list[Row]:
        """The answers, and the consequences of a yes."""
        lent = isinstance(frame.proposal, PowerUse | BarredLay)
        does = "it is done" if lent else "the sale takes place"
        rows = [Row("`accept`", (does, *meaning(scene, frame)), True)] if found.of(Accept) else []
        rows.append(Row("`decline`", ("nothing changes",)))
        spans = [o for o in found.of(Counteroffer) if isinstance(o, Range)]
        if spans:
            low, high = min(o.low for o in spans), max(o.high for o in spans)
            between = f"from {scene.money(low)} to {scene.money(high)}: {frame.by} is asked"
            rows.append(Row(COUNTER, (between,)))
        return rows


class DiscardWords(_InterruptingWords[Discard]):
    """Companies have more trains than the limit."""

    frame = Discard
    lists = (DiscardTrain,)

    def task(self, scene: Scene, frame: Discard, seat: Seat, reader: Seat) -> DecisionTask:
        """The player's companies that must discard a train."""
        mine = tuple(c for c in frame.companies if scene.table.operator(c) == seat)
        names = listed(mine)
        limit = max(train_limit(scene.table, company) for company in mine)
        text = f"{names} has more trains than the limit of {limit}: choose which to give up."
        return DecisionTask(f"{names} must discard a train", text)

    def example(self, chances: Chances) -> Action | None:
        """The cheapest train."""
        trains = chances.title.trains
        discards = chances.of(DiscardTrain)
        return min(discards, key=lambda discard: trains[discard.train].price, default=None)

    def rows(self, scene: Scene, frame: Discard, found: Sorted) -> list[Row]:
        """Each train that may be discarded."""
        every = (write(scene.title, scene.state, o.action) for o in found.of(DiscardTrain))
        return [Row("discard", tuple(f"`{text}`" for text in every))]


class MergerStationsWords(_InterruptingWords[MergerStations]):
    """A company that others merged into chooses the tokens that it keeps."""

    frame = MergerStations
    lists = (KeepStation,)

    def task(self, scene: Scene, frame: MergerStations, seat: Seat, reader: Seat) -> DecisionTask:
        """Choose tokens."""
        text = f"Companies have merged into {frame.company}: choose which of their other tokens "
        return DecisionTask(
            f"{frame.company} keeps tokens", f"{text}it keeps. Their home tokens stay."
        )

    def example(self, chances: Chances) -> Action | None:
        """The first token, or none."""
        return chances.earliest(KeepStation) or chances.ending

    def rows(self, scene: Scene, frame: MergerStations, found: Sorted) -> list[Row]:
        """Each token that the company may keep."""
        items = []
        for option in found.of(KeepStation):
            assert isinstance(option.action, KeepStation)
            text = write(scene.title, scene.state, option.action)
            items.append(f"`{text}` {scene.title.hexes[option.action.hex].name}")
        return [Row("keep", tuple(items), True)]
