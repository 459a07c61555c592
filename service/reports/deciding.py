"""What a player is asked to decide, in a few words for a subject and in a sentence for a page."""

from engine import Seat
from service.reports.decisions import words_of
from service.reports.decisions.base import Task
from service.reports.scene import Scene

__all__ = ["BYSTANDER", "Task", "task"]

BYSTANDER: Seat = ""
"""A reader who need not decide, whoever it is."""


def task(scene: Scene, seat: Seat, reader: Seat | None = None) -> Task:
    """What the player must decide now, being one of those who must.

    It is told to ``reader``, who may be another player or `BYSTANDER`, and is by default the same.
    """
    told = seat if reader is None else reader
    return words_of(scene.state).task(scene, scene.state.stack[-1], seat, told)
