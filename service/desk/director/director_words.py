"""What the lines of a mail ask of a game's director, or say to one; knows no game."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.notation.words import normalise
from engine.wording import cut, whole
from service.commands.command import SHOWN
from service.mail.replies import Line

#: characters of a reason, of a ruling and of what is told to all
LONGEST = 1_000
#: what a player may ask of the director, or say about an act
OF_PLAYERS = ("dispute", "ask")
#: what concerns the position: a director who plays leaves it to the assistant
RULES = ("as", "correct", "clock", "set", "rollback", "redo", "rule", "end", "abandon")
#: what leads to another position, once in a mail
MOVES = ("as", "correct", "rollback", "redo", "end")

_HEADS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE | re.DOTALL))
    for kind, pattern in (
        ("dispute holds", r"hold\s+on\s+disputes?\b(?:\s*(on|off))?\s*"),
        ("hold", r"hold(?:\s+(?:the\s+)?game)?(?=\s*$|\s+because\b|\s*:\s*because\b)(.*)"),
        ("resume", r"resume(?:\s+(?:the\s+)?game)?(?=\s*$|\s+because\b|\s*:\s*because\b)(.*)"),
        ("as", r"as\s+([^:]{1,60}):(.*)"),
        # before more time for a player, which is written alike
        (
            "set",
            r"(clock\s+(?:fischer|each|daily|none)\b.*"
            r"|(?:holidays|late|allowance|caretaker|excused)\s+.*|undo\s+(?:vote|leave)\b.*"
            r"|(?:grade|batch|pages)\s.*\bbecause\b.*)",
        ),
        (
            "clock",
            r"(?:correct\s+)?clock\s+(?:of\s+)?(\S.{0,59}?)\s+([+-]\s*\d{1,4}\s*(?:h|d)\w*)(.*)",
        ),
        ("correct", r"correct\b:?(.*)"),
        ("replace", r"replace\s+(\S.{0,59}?)\s+(?:by|with)\s+<?(\S+@\S+?)>?(?=\s|$|[;,])(.*)"),
        ("rollback", r"roll\s?back\b(?:\s+to)?\s*#?(\S*)(.*)"),
        ("redo", r"redo\b(.*)"),
        ("rule", r"(?:rule|ruling)\s+#?(\d{1,9})\s*:?(.*)"),
        ("announce", r"announce(?:ment)?\b\s*:?(.*)"),
        ("dispute", r"dispute\b\s*#?(\S*?)\s*(?::|because\b|$)(.*)"),
        ("ask", r"ask\s+(?:for\s+)?(?:an\s+)?undo\b(?:\s+(?:back\s+)?to\s+#?(\S+))?(.*)"),
        ("assistant", r"assistant\b\s*:?\s*(\S*)\s*"),
        ("end", r"end\s+(?:the\s+)?game\b(.*)"),
        ("abandon", r"abandon(?:\s+(?:the\s+)?game)?\b(.*)"),
    )
)
_BECAUSE = re.compile(r"(?:^|(?<=\s)|(?<=[;,.]))because\b\s*:?\s*(.*)", re.IGNORECASE | re.DOTALL)
_GO = re.compile(r"\W*go(?:\s+all)?(?:\s+of\s+(\d{1,9}))?\W*", re.IGNORECASE)
#: kinds whose words are their reason
_SAY = ("rule", "announce", "dispute", "dispute holds", "assistant")

HOW = {
    "hold": "`hold because the order of play is in doubt`",
    "resume": "`resume because the order of play is clear`",
    "as": "`as Bob: pass because nobody can reach Bob`",
    "correct": "`correct cash TC +20 because the run was misread`",
    "clock": "`clock Bob +24h because the server was not reached`",
    "set": "`clock each 72h because it is summer`, `caretaker on because nobody is to wait`",
    "replace": "`replace Bob by eve@example.org because nobody can reach Bob`",
    "rollback": "`rollback 212 because the tile was the wrong one`",
    "redo": "`redo because the tile was right after all`",
    "rule": "`rule 212: the run stands`",
    "announce": "`announce: no moves over the holidays`",
    "dispute": "`dispute 212: the tile does not fit there`",
    "ask": "`ask undo to 212 because I took the wrong train`",
    "assistant": "`assistant eve@example.org`, `assistant off`",
    "dispute holds": "`hold on dispute on`, `hold on dispute off`",
    "end": "`end game because nobody wants to go on`",
    "abandon": "`abandon because two players have left`",
}
"""How each kind is written, by an example."""

MEANINGS = {
    "hold": "the game takes no move, orders wait, clocks stand still",
    "resume": "it goes on",
    "as": "commands of a player in whose place you act; several may stand in lines below",
    "correct": "something is put right: cash, shares, trains, private companies, tiles, stations, "
    "prices, loans, bonds, marks, the priority deal; it is shown first, and `go` does it",
    "clock": "more time for a player, less by `clock Bob -24h because …`; it is shown first, and "
    "`go` does it",
    "set": "another clock for all, who begin anew by it; also holidays, late, allowance, "
    "caretaker, excused, batch, grade, pages; `undo leave` where only the director takes back what "
    "others acted on",
    "replace": "somebody is asked to take a seat, alone in its mail",
    "rollback": "back to a position; what is struck out stays in the log",
    "redo": "what a rollback took back stands again, while nobody has acted since",
    "rule": "a ruling about an act",
    "announce": "words to all",
    "assistant": "who rules on the position where the organiser plays; `assistant off` for nobody",
    "dispute holds": "whether a dispute of a player holds the game",
    "end": "the game is over, with everybody's worth as it is",
    "abandon": "the game is given up, and nobody has won it",
}
"""Kind → what it does, for who directs."""


@dataclass(frozen=True)
class Act:
    """One thing that is asked for; ``kind`` is a key of `HOW`, or "" for a line that is none."""

    number: int
    kind: str
    #: what stands behind the word, without name, number and reason
    rest: str
    text: str
    because: str = ""
    #: the player or address that it names
    name: str = ""
    #: what is given: an address, or time
    given: str = ""
    #: the position that it names, None for none, -1 where what stands there is no number
    about: int | None = None

    @property
    def shown(self) -> str:
        """It as an answer repeats it."""
        return cut(" ".join(self.text.split()), SHOWN)


def directs(lines: Sequence[Line], *, office: bool) -> bool:
    """Whether a mail is for the director's desk; ``office``: it comes from who may direct.

    From others `hold` and `resume` alone are words of their own turn and orders.
    """
    for line in lines:
        act = _head(line)
        bare = act is not None and act.kind in ("hold", "resume") and not act.rest.strip()
        game = re.search(r"\bgame\b", line.text, re.IGNORECASE)
        if act is not None and (office or not bare or game):
            return True
    return office and confirms(lines) is not None


def confirms(lines: Sequence[Line]) -> int | None:
    """The number of the mail that `go` names, 0 for none; None for any other mail."""
    found = _GO.fullmatch(lines[0].text) if len(lines) == 1 else None
    return None if found is None else int(found[1] or 0)


def read(lines: Sequence[Line]) -> list[Act]:
    """The acts of a mail in their order; lines below an act belong to it."""
    found: list[Act] = []
    for line in lines:
        act = _head(line)
        if act is not None:
            found.append(act)
        elif found and found[-1].kind:
            before = found[-1]
            rest, text = f"{before.rest}\n{line.text}", f"{before.text} / {line.text.strip()}"
            found[-1] = replace(before, rest=rest, text=text)
        else:
            found.append(Act(line.number, "", "", line.text))
    return [_with_reason(act) for act in found]


def _head(line: Line) -> Act | None:
    text = normalise(line.text) if line.text.strip() else ""
    for kind, pattern in _HEADS:
        found = pattern.fullmatch(text)
        if found is None:
            continue
        *names, rest = (group or "" for group in found.groups())
        act = Act(line.number, kind, rest, line.text.strip())
        if kind in ("clock", "replace"):
            return replace(act, name=names[0].strip(), given=names[1].strip())
        if kind == "as":
            return replace(act, name=names[0].strip())
        if kind == "assistant":
            return replace(act, name=rest, rest="")
        if kind in ("rollback", "rule", "dispute", "ask"):
            wanted = names[0]
            if kind == "ask" and wanted.lower() == "because":
                wanted, act = "", replace(act, rest=f"because {rest}")
            number = whole(wanted)
            return replace(act, about=number if number is not None or not wanted else -1)
        return act
    return None


def _with_reason(act: Act) -> Act:
    rest = act.rest.strip()
    if act.kind in _SAY:
        return replace(act, rest="", because=_said(rest))
    found = _BECAUSE.search(rest)
    if found is None:
        return replace(act, rest=rest)
    before = rest[: found.start()].strip(" ;:,\n")
    return replace(act, rest=before, because=_said(found[1]).rstrip(" ."))


def _said(text: str) -> str:
    """A reason or ruling as it is told, "" for one of no letter, as the dots of an example."""
    return cut(" ".join(text.split()), LONGEST) if re.search(r"\w", text) else ""
