"""The rules of 18xx games as a library: pure, deterministic, typed.

This package exports what a caller needs to play a game. `DOORS` lists the other modules that the
service may import. All other modules are internal: `steps`, `play`, `track`, `titles`, the draft
and the codec. Only bots, benchmarks and the replay of games from another site use them, because
these prove the rules. The engine knows no email, no database, no clock and no drawing.
"""

from engine.actions import Action
from engine.corrections import Correction
from engine.events import Event
from engine.facts.title import Title
from engine.flow import (
    Outcome,
    accepted,
    agreed_end,
    apply,
    decision,
    interrupted,
    new_game,
    options,
    question,
    replay,
    to_act,
    too_late,
    unearned,
    why_not,
    why_not_accepted,
    why_not_pass,
)
from engine.options import Choice, Open, Option, Range
from engine.play.ending import places
from engine.position.codec import (
    FORMAT,
    decode_action,
    decode_events,
    decode_state,
    digest,
    encode,
)
from engine.position.frames import Question
from engine.position.upgrades import UnknownFormat
from engine.position.values import Seat, State
from engine.refusal import Illegal, Refusal
from engine.titles.checks.check import check
from engine.titles.registry import decode_title, load_title, title_names

#: modules and packages whose public names other packages may use, beside those of this one
DOORS = (
    "engine.actions", "engine.board", "engine.corrections", "engine.events", "engine.facts",
    "engine.inquiry", "engine.notation", "engine.options", "engine.position.frames",
    "engine.position.table", "engine.position.values", "engine.proposals", "engine.refusal",
    "engine.runs", "engine.supposing", "engine.telling", "engine.wording",
)  # fmt: skip

__all__ = [
    "DOORS",
    "FORMAT",
    "Action",
    "Choice",
    "Correction",
    "Event",
    "Illegal",
    "Open",
    "Option",
    "Outcome",
    "Question",
    "Range",
    "Refusal",
    "Seat",
    "State",
    "Title",
    "UnknownFormat",
    "accepted",
    "agreed_end",
    "apply",
    "check",
    "decision",
    "decode_action",
    "decode_events",
    "decode_state",
    "decode_title",
    "digest",
    "encode",
    "interrupted",
    "load_title",
    "new_game",
    "options",
    "places",
    "question",
    "replay",
    "title_names",
    "to_act",
    "too_late",
    "unearned",
    "why_not",
    "why_not_accepted",
    "why_not_pass",
]
