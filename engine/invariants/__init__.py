"""Conditions that must hold in every position; knows no actions and no games."""

from engine.invariants.broken import Broken, hold
from engine.invariants.position import check_state

__all__ = ["Broken", "check_state", "hold"]
