"""What a mail asks of tournaments: by everybody, by who has entered, by who directs; knows none."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.notation.words import normalise
from engine.wording import cut
from service.commands.command import SHOWN
from service.mail.replies import Line

#: characters of a reason, and of words to all
LONGEST = 2_000
#: lines of a mail that are read; a form has many
MOST_LINES = 400

#: what everybody may write, behind which the name of a tournament or a player stands
_PUBLIC: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        ("new", r"tournament\s+new(?:\s+(?P<name>\S+))?"),
        ("info", r"tournament(?:\s+(?P<name>\S+))?"),
        ("list", r"tournaments"),
        ("enter", r"enter(?:\s+(?P<name>\S+?))?(?:\s+as\s+(?P<rest>.+))?"),
        (
            "standby",
            r"stand\s?-?by(?:\s+(?:(?:for|in)\s+)?(?P<name>\S+?))?(?:\s+as\s+(?P<rest>.+))?",
        ),
        ("withdraw", r"withdraw(?:\s+(?:from\s+)?(?P<name>\S+))?"),
        ("standings", r"standings(?:\s+(?P<name>\S+))?(?:\s+(?P<rest>json|csv|text))?"),
        ("record", r"records?(?:\s+(?P<name>\S+))?(?:\s+(?P<rest>\S+))?"),
        ("ratings", r"ratings?"),
        ("help", r"help\s+tournaments?"),
    )
)

#: what who directs may write
_DIRECTING: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE | re.DOTALL))
    for kind, pattern in (
        ("entries", r"entries(.*)"),
        ("close", r"close(?:\s+entries)?(.*)"),
        ("open", r"(?:re)?open(?:\s+entries)?(.*)"),
        ("admit", r"admit\s+(.*)"),
        ("refuse", r"refuse\s+(.*)"),
        ("exclude", r"exclude\s+(.*)"),
        ("withdraw", r"withdraw\s+(.*)"),
        ("seat", r"seat(?:ing)?(.*)"),
        ("swap", r"swap\s+(.*)"),
        ("start", r"start(?:\s+round)?(.*)"),
        ("late", r"late(.*)"),
        ("standbys", r"stand\s?-?bys?(.*)"),
        ("standings", r"standings(.*)"),
        ("yes", r"(?:yes|ja|oui|s[ií])[.!]?()"),
        ("announce", r"announce(?:ment)?\b\s*:?(.*)"),
        ("rules", r"rules\b(.*)"),
        ("propose", r"propose\b(?:\s+rules\b)?(.*)"),
        ("votes", r"votes?(.*)"),
        ("rule", r"(?:rule|ruling)\b(?:\s+(?:on\s+)?(\d{1,2}\.\d{1,3}))?\s*:?(.*)"),
        ("report", r"report(.*)"),
        ("export", r"export(.*)"),
        ("adjudicate", r"adjudicate\b(?:\s+(\d{1,2}\.\d{1,3}))?(.*)"),
        ("correct", r"correct\s+(\d{1,2}\.\d{1,3})\s*:?(.*)"),
        ("hold", r"hold(.*)"),
        ("resume", r"resume(.*)"),
        ("assistant", r"assistant\b\s*:?(.*)"),
        ("board", r"board\s+(\d{1,2}\.\d{1,3})(.*)"),
        ("boards", r"boards?(.*)"),
        ("log", r"(?:log|history)(.*)"),
        ("finish", r"(?:finish|end\s+(?:the\s+)?tournament)(.*)"),
        ("abandon", r"abandon(?:\s+(?:the\s+)?tournament)?(.*)"),
        ("help", r"(?:help|\?)(.*)"),
        ("info", r"(?:status|tournament)(.*)"),
    )
)
KINDS = tuple(dict.fromkeys(kind for kind, _ in (*_PUBLIC, *_DIRECTING)))
"""All that can be asked of a tournament, by one word each."""
#: words behind which a form or words to all may go on in lines below
_LONG = ("announce", "rule", "rules", "propose")
_BECAUSE = re.compile(r"(?:^|(?<=\s)|(?<=[;,.]))because\b\s*:?\s*(.*)", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True)
class Asked:
    """What everybody may write; ``name`` is of a tournament or a player, "" where there is none."""

    kind: str
    name: str
    rest: str
    text: str


@dataclass(frozen=True)
class Word:
    """One thing that a director asks for; ``kind`` is "" for what is not understood.

    ``board`` is "2.1" where it names one, ``below`` the lines that belong to it.
    """

    number: int
    kind: str
    rest: str
    text: str
    because: str = ""
    board: str = ""
    below: str = ""

    @property
    def shown(self) -> str:
        """It as an answer repeats it."""
        return cut(" ".join(self.text.split()), SHOWN)


def asked(lines: Sequence[Line]) -> Asked | None:
    """What the first line of a mail asks of tournaments, None if nothing."""
    text = " ".join(normalise(lines[0].text).split()).rstrip(".!") if lines else ""
    for kind, pattern in _PUBLIC:
        found = pattern.fullmatch(text)
        if found is not None:
            groups = found.groupdict()
            name, rest = groups.get("name") or "", groups.get("rest") or ""
            return Asked(kind, name.lower() if kind != "record" else name, rest.strip(), text)
    return None


def read(lines: Sequence[Line]) -> list[Word]:
    """What a mail of a director asks for; lines below some words belong to them."""
    found: list[Word] = []
    for line in lines[:MOST_LINES]:
        text = normalise(line.text).strip()
        if not text:
            continue
        last = found[-1] if found else None
        if last is not None and last.kind in _LONG:
            below = f"{last.below}\n{line.text}" if last.below else line.text
            found[-1] = replace(last, below=below)
            continue
        found.append(_word(line.number, text, line.text.strip()))
    return [_with_reason(word) for word in found]


def one(text: str) -> list[Word]:
    """The same of words at the command line."""
    return read([Line(n, line) for n, line in enumerate(text.split("\n"), 1)])


def _word(number: int, text: str, said: str) -> Word:
    for kind, pattern in _DIRECTING:
        # words to all are told as they were written
        found = pattern.fullmatch(said if kind in _LONG else text)
        if found is None:
            continue
        *board, rest = (group or "" for group in found.groups())
        if rest and not board and pattern.groups == 1 and not _parted(text, rest):
            continue
        return Word(number, kind, rest.strip(), text, board=board[0] if board else "")
    return Word(number, "", "", text)


def _parted(text: str, rest: str) -> bool:
    """Whether what stands behind a word is parted from it: "closed" is not "close"."""
    head = text[: len(text) - len(rest)]
    return rest[:1] in " :," or head.endswith((" ", ":"))


def _with_reason(word: Word) -> Word:
    if word.kind in ("announce", "rule"):
        said = " ".join(f"{word.rest} {word.below}".split()) if word.kind == "rule" else ""
        said = said or f"{word.rest}\n{word.below}".strip()
        return replace(word, rest=cut(said, LONGEST), below="")
    found = _BECAUSE.search(word.rest)
    if found is None:
        return word
    because = cut(" ".join(found[1].split()).rstrip(" ."), LONGEST)
    rest = word.rest[: found.start()].strip(" ;,\n")
    return replace(word, rest=rest, because=because)
