"""Reading answers about prices that may fall, and exchanges of private companies for shares."""

from __future__ import annotations

from engine.actions import Action, LetFall, Protect, SwapPrivate
from engine.facts.powers import SwapPower
from engine.notation import names
from engine.notation.position import private_with
from engine.notation.reading import Reader
from engine.play.protection import ALL, open_blocks
from engine.position.frames import Protection
from engine.position.values import MARKET, OFFERING


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


def exchange(reader: Reader) -> Action:
    """``exchange LCM for IC market``; the private and the place may be left out if clear."""
    reader.skip("my", "the")
    private = private_with(reader.title, SwapPower)
    named = reader.maybe_name(names.privates(reader.title)) if reader.low != "for" else None
    if named or not private:
        private = (named or reader.name(names.privates(reader.title), "the private company")).id
    reader.skip("for", "against", "a", "one", "share", "of", "10%")
    company = reader.name(names.companies(reader.title), "the company").id
    reader.skip("share")
    source = reader.source(company)
    reader.end("offering", "market", "treasury")
    every, held = (OFFERING, company, MARKET), reader.state.shares[company]
    places = [p for p in every if source == p or (not source and held.get(p))]
    return reader.one_of(
        [
            SwapPrivate(by=reader.seat, private=private, company=company, source=place)
            for place in places or (OFFERING,)
        ],
        f"from where does the share of {company} come?",
    )
