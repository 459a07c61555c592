"""The operating round: private companies pay, then companies take their turns (4, 4.1)."""

from msgspec.structs import replace

from engine.events import PrivatePaid, RoundEnded, TurnEnded
from engine.play.ending import after_round
from engine.play.privates import pay_passages
from engine.play.receivership import lend_train
from engine.play.rounds import first_frame
from engine.position.draft import Draft
from engine.position.frames import OperatingRound, OperatingTurn
from engine.position.values import BANK, CLOSED, OFFERING, Round
from engine.steps.base import AutomaticStep


def pay_privates(draft: Draft) -> None:
    """The bank pays the revenue of private companies to their owners (4.1)."""
    for private, owner in draft.privates.items():
        revenue = draft.table.revenue(private)
        if owner not in (OFFERING, CLOSED) and revenue:
            draft.record(PrivatePaid(private, owner, revenue))
            draft.pay(BANK, owner, revenue)


class OperatingRoundStep(AutomaticStep[OperatingRound]):
    """Each company operates once; the present prices decide which is next (4(b))."""

    frame = OperatingRound

    def key(self, frame: OperatingRound, now: Round) -> str:
        """Nothing: the turns of companies name their own decisions."""
        return ""

    def enter(self, draft: Draft, frame: OperatingRound) -> None:
        """Pay the private companies, begin the next turn, or end the round."""
        if not frame.paid:
            pay_privates(draft)
            draft.replace(replace(frame, paid=True))
            return
        ready = set(draft.floated).difference(frame.done)
        waiting = [company for company in draft.table.priced() if company in ready]
        if not waiting:
            pay_passages(draft, frame.passages)
            draft.record(RoundEnded(str(draft.round), draft.priority))
            draft.pop()
            after_round(draft)
            return
        draft.replace(replace(frame, done=(*frame.done, waiting[0])))
        draft.push(OperatingTurn(waiting[0]))


class OperatingTurnStep(AutomaticStep[OperatingTurn]):
    """A company's turn: its steps in the title's order."""

    frame = OperatingTurn

    def key(self, frame: OperatingTurn, now: Round) -> str:
        """A company has one turn in each round."""
        return frame.company

    def enter(self, draft: Draft, frame: OperatingTurn) -> None:
        """Begin the next step, or end the turn."""
        turn = draft.title.facts.turn
        if frame.at == 0:
            lend_train(draft, frame.company)
        if frame.at < len(turn):
            draft.replace(OperatingTurn(frame.company, frame.at + 1))
            draft.push(first_frame(turn[frame.at], frame.company))
        else:
            draft.pop()
            draft.count_turn(frame.company)
            draft.record(TurnEnded(frame.company))
