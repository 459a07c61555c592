"""What a game's director has put right."""

from engine.corrections import Part
from engine.events.base import Happening


class Corrected(Happening, frozen=True, tag="corrected"):
    """Something was put right; the last of several says why."""

    part: Part
    because: str = ""
