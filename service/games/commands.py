"""What a player's lines ask for: commands of the game, and words for the moderator.

It tells them apart and knows no position: whether a game's command makes sense is the engine's to
say.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from engine.notation import split
from engine.notation.words import normalise, without_comment
from service.commands.command import LONGEST, MOST, NOTHING_AHEAD, SHOWN, Ahead, Command
from service.mail.replies import Line
from service.orders.special import PASS_ROUND

#: words that change nothing and are answered in the receipt
QUERIES = frozenset(
    (
        *("status", "map", "market", "options", "tiles", "routes", "trains", "history", "games"),
        *("help", "orders", "explain", "clock", "upgrades", "reach", "worth", "rules"),
        "log",
        *("page", "forum"),
    )
)
#: questions that anybody may ask about any game, by its name
PUBLIC = ("status", "map", "market", "history")
#: words that may be written where all read along, on a list or a forum
OPEN = frozenset((*PUBLIC, "play", "say", "more", "undo", "tiles", "routes", "trains", "help"))
#: words by which players choose what letters they get
CHOICES = ("images", "digest", "news", "zone", "alarm", "release", "quiet", "remind", "auto-leave")
#: words on who plays a seat, each in a mail of its own
ALONE = ("resign", "back", "deputy")
#: words about how somebody proves who they are, and about the mailing list: alone in a mail
OWN = ("pass-phrase", "address", "grade", "list")
#: words that change something beside the game's position, or how a mail is read
DEEDS = frozenset(
    (
        *("say", "tell", "note", "diary", "undo", "try", "more", "resend", "new", "resume"),
        *("clear", "go", "hold", "propose", "vote", "batch", "away", *ALONE, *CHOICES, *OWN),
    )
)
_ALSO = {
    "chart": "market",
    "what": "options",
    "moves": "options",
    "tile": "tiles",
    "upgrade": "upgrades",
    "route": "routes",
    "commands": "help",
    "?": "help",
    "pictures": "images",
    "clocks": "clock",
    "autoleave": "auto-leave",
    "pages": "page",
}

#: what may stand behind words that are short, and begin sentences as well
_BEHIND = {"hold": ("", "turn"), "back": ("", "now")}
_TALK = re.compile(r"\s*(say|note|diary|tell)\b\s*:?\s*(.*)", re.IGNORECASE)
_TRY = re.compile(r"\s*try\b\s*:?\s*(.*)", re.IGNORECASE)
#: a question whose commas belong to it, though verbs follow them
_PLAN = re.compile(r"\s*routes?\b.*?\swith\b", re.IGNORECASE)
#: how an order begins that is not for the company that a mail has named before
_ENDS_SECTION = re.compile(
    rf"(?:next(?:\s+turn)?\s*:|standing\b|always\b|never\b|then\b|{PASS_ROUND})", re.IGNORECASE
)
_WORD = re.compile(r"\s*(pass-phrase|[a-z?]+(?:-leave)?)\b:?\s*(.*)", re.IGNORECASE)


#: how a line begins that goes on from the one above it, as a mail program or its writer broke it
_GOES_ON = re.compile(r"(?:until|till?|else|otherwise|or|and)\b", re.IGNORECASE)
#: quotation marks around words, and words of courtesy: no command has them
_MARKS = re.compile(r"(?<!\w)['\"]|['\"](?!\w)")
_COURTESY = re.compile(
    r"^(?:(?:please|pls|bitte)\b[,:]?\s*|i(?:'d| would) like to\s+|i want to\s+|i(?:'ll| will)\s+)+"
    r"|(?<![\s,])[\s,]+(?:please|pls|bitte|thanks|thank you|thx|danke)[\s.!]*$",
    re.IGNORECASE,
)


def read_commands(lines: Sequence[Line], ahead: Ahead = NOTHING_AHEAD) -> tuple[Command, ...]:
    """The commands of a mail in its order.

    A line `try` on its own makes dry runs of all the game's commands after it. Each `try` is a
    plan of its own and begins where the mail's commands lead. Commands below the name of a company
    whose turn is still to come are one order for that turn.
    """
    found: list[Command] = []
    section = Section(ahead)
    trying, plan = False, 0
    for line in _whole(lines):
        if len(found) >= MOST:
            found.append(_unread(line, f"Only the first {MOST} commands of a mail are read."))
            break
        if len(line.text) > LONGEST and not _TALK.match(line.text):
            size = f"This line has {len(line.text)} characters; at most {LONGEST} are read."
            found.append(_unread(line, size))
            continue
        dry = _TRY.fullmatch(line.text)
        if dry and not dry[1].strip():
            trying, plan = True, plan + 1
        elif dry or trying:
            plan += bool(dry)
            found.extend(_dry_run(line, dry[1] if dry else line.text, plan))
        else:
            _commands(line, section, found)
    return _one_plan(found)


def _whole(lines: Sequence[Line]) -> list[Line]:
    """The lines, each with what goes on from it in the next."""
    whole: list[Line] = []
    last = 0
    for line in lines:
        below = whole and line.number == last + 1 and not _TALK.match(whole[-1].text)
        if below and _GOES_ON.match(line.text):
            whole[-1] = replace(whole[-1], text=f"{whole[-1].text} {line.text}")
        else:
            whole.append(line)
        last = line.number
    return whole


def _bare(text: str) -> str:
    """A part of a line without quotation marks around words, and without courtesy."""
    return _COURTESY.sub("", _MARKS.sub("", text).strip()).strip()


def _unread(line: Line, why: str) -> Command:
    """A command that nobody can have meant, so that nothing else of the mail is done either."""
    text = f"{line.text[: SHOWN // 2].rstrip()} …"
    return Command(line.number, "play", text, text, barred=why)


def asked_of(commands: Sequence[Command]) -> tuple[str, ...]:
    """What may be names of games in the questions that anybody may ask."""
    return tuple(c.rest.split()[0].lower() for c in commands if c.word in PUBLIC and c.rest)


def within(commands: Sequence[Command], game: str) -> tuple[Command, ...]:
    """The commands as a seat of ``game`` means them: `status dixie7` asks there for the `status`.

    A company or player called like the game would be meant by nobody who writes both.
    """
    return tuple(
        replace(c, rest=c.rest.partition(" ")[2].strip()) if asked_of([c]) == (game,) else c
        for c in commands
    )


class Section:
    """The company whose later turn the commands that follow are meant for, if they are."""

    def __init__(self, ahead: Ahead) -> None:
        self._ahead = ahead
        #: the place of its order among the commands
        self._at: int | None = None

    def take(self, number: int, text: str, found: list[Command]) -> bool:
        """Whether a part of a line was for a later turn, or a heading alone; else it is not."""
        company, rest, later = self._ahead.section(text)
        if later:
            self._at = len(found)
            order = f"operate {company}: {rest}"
            found.append(Command(number, "order", order, text))
            return True
        if company:
            self._at = None
            return not rest
        if _ENDS_SECTION.match(text):
            self._at = None
        elif self._at is not None and _command(number, text).word == "play":
            self._join(text, found)
            return True
        if self._ahead.order(text):
            found.append(Command(number, "order", text, text))
            return True
        return False

    def _join(self, text: str, found: list[Command]) -> None:
        assert self._at is not None
        order = found[self._at]
        rest = f"{order.rest}{text}" if order.rest.endswith(": ") else f"{order.rest}, {text}"
        found[self._at] = replace(order, rest=rest, text=f"{order.text}; {text}")


def _commands(line: Line, section: Section, found: list[Command]) -> None:
    """Add what a line asks for."""
    talk = _TALK.fullmatch(line.text)
    if talk:
        found.append(Command(line.number, talk[1].lower(), talk[2].strip(), line.text.strip()))
        return
    for part in without_comment(normalise(line.text)).split(";"):
        text = _bare(part)
        if not (text and section.take(line.number, text, found)):
            found += [_command(line.number, one) for one in _split(text)]


def _split(line: str) -> list[str]:
    """The commands of a line; what `routes` supposes stays together."""
    found: list[str] = []
    for part in without_comment(normalise(line)).split(";"):
        found += [part.strip()] if _PLAN.match(part) else split(part)
    return found


def _command(number: int, text: str) -> Command:
    found = _WORD.fullmatch(text)
    if found or text.strip() == "?":
        word, rest = (found[1].lower(), found[2].strip()) if found else ("?", "")
        word = _ALSO.get(word, word)
        if word in _BEHIND and rest.lower() not in _BEHIND[word]:
            word = "play"
        if word in QUERIES or word in DEEDS:
            return Command(number, word, rest, text.strip())
    return Command(number, "play", text.strip(), text.strip())


def _dry_run(line: Line, text: str, plan: int) -> list[Command]:
    parts = (_command(line.number, part) for part in _split(_bare(normalise(text))))
    return [replace(c, word="try", plan=plan) if c.word == "play" else c for c in parts]


def _one_plan(commands: Sequence[Command]) -> tuple[Command, ...]:
    """Dry runs in a row that one `try` begins are one plan, tried step after step."""
    found: list[Command] = []
    for command in commands:
        before = found[-1] if found else command
        if command.word == "try" and found and (before.word, before.plan) == ("try", command.plan):
            last = found.pop()
            rest = f"{last.rest}\n{command.rest}"
            command = replace(last, rest=rest, text=f"{last.text}; {command.text}")
        found.append(command)
    return tuple(found)
