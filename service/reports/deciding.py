"""What a player is asked to decide, in a few words for a subject and in a sentence for a page."""

from engine import Seat
from service.reports.decisions import words_of
from service.reports.decisions.base import Task
from service.reports.scene import Scene

__all__ = ["Task", "task"]


def task(scene: Scene, seat: Seat) -> Task:
    """What the player, who is one of those who must, has to decide now."""
    return words_of(scene.state).task(scene, scene.state.stack[-1], seat)
