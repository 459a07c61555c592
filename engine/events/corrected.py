"""Corrections by a game's director."""

from engine.corrections import Part
from engine.events.base import Happening


class Corrected(Happening, frozen=True, tag="corrected"):
    """A director corrected something; the last event of several has the reason."""

    part: Part
    because: str = ""
