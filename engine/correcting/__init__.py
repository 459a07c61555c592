"""A director's corrections: judged and carried out here; no rule of a title asks for them."""

from engine.correcting.judge import correct

__all__ = ["correct"]
