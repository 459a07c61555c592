"""What a game's director may put right: judged and made here; no rule of any title asks for it."""

from engine.correcting.judge import correct

__all__ = ["correct"]
