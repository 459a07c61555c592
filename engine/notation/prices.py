"""Reading what presidents answer about prices that may fall."""

from __future__ import annotations

from engine.actions import Action, LetFall, Protect
from engine.notation import names
from engine.notation.reading import Reader
from engine.play.protection import ALL, open_blocks
from engine.position.frames import Protection


def protect(reader: Reader) -> Action:
    """``protect``, ``protect IC``; ``protect all`` for all companies that one is asked about."""
    which = _protected(reader)
    reader.end()
    return Protect(by=reader.seat, which=which)


def let_fall(reader: Reader) -> Action:
    """``let fall``, ``let IC fall``, ``let fall IC``, ``let all fall``."""
    reader.skip("it", "them", "fall")
    which = _protected(reader)
    reader.skip("fall")
    reader.end("fall")
    return LetFall(by=reader.seat, which=which)


def _protected(reader: Reader) -> str:
    """Take a company, or what stands for all where there are several that are asked about."""
    reader.skip("the", "price", "prices", "of")
    named = not reader.take("all", "both") and bool(reader.word) and reader.low != "fall"
    if named:
        return reader.name(names.companies(reader.title), "the company").id
    top = reader.state.stack[-1] if reader.state.stack else None
    blocks = open_blocks(reader.table, top, reader.seat) if isinstance(top, Protection) else []
    return blocks[0].company if len(blocks) == 1 else ALL
