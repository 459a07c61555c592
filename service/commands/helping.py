"""Writes the help and the page of all commands, both from the table of commands."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from engine import Title
from engine.notation import verbs
from service.commands.entry import (
    ALWAYS,
    OF_TOURNAMENTS,
    Entry,
    Vocabulary,
    When,
    Where,
    Who,
    called,
    why_not,
)
from service.commands.reading import ORDER, PLAY
from service.commands.terms import TERMS, singular, term
from service.reports import Answer
from service.reports.quickstart import quick_start
from service.reports.tables import Block, Lines, Pairs, Row

MOVES_OF = "IN A GAME OF {title}, for example"
MANNERS = (
    "Write one command per line, or put `;` between commands. Case, $ and & do not matter. Write a "
    "hex as C4, and the exits of a tile as S-N. Leave the exits out if only one way is legal."
)
ONE_PER_LINE = "Write one command per line."
BY_EMAIL_ALL_OR_NONE = (
    "Either all moves of an email are made, or none. Questions, settings and `clear` count for "
    "themselves. The moves are your whole turn: steps that you do not mention are skipped. Add "
    "`more` to keep the turn open."
)
AT_A_TERMINAL = (
    "Each line is carried out at once, for the player who must decide. A name before a colon says "
    "who else gives a command: `Bob: pass round`."
)
OPENLY_ONLY = (
    "Here, write a `!` before each command, as in `!status`. Send `help` to your seat address for "
    "the private commands."
)
COMMANDS = "WHAT YOU MAY WRITE, BY TOPIC"
#: the word after `help` that lists the moves of a title
MOVES = "moves"
#: the words after `help` that bring the page for new players
QUICK_START = ("quickstart", "quick start")
MORE = (
    "`help {topic}` says what the commands of that topic do, `help status` explains one command or "
    "verb. `help quickstart` is for new players."
)
NO_COMMAND = "There is no command “{word}”. `help` lists them all."
NO_COMMAND_BUT = "There is no command “{word}”. Did you mean {near}? `help` lists them all."


def help_(
    vocabulary: Vocabulary,
    who: Who,
    where: Where,
    when: When,
    title: Title | None = None,
    word: str = "",
) -> Answer | None:
    """The commands that these writers may use there: all, one command, or those of one topic.

    None for a word that is neither a command nor a topic.
    """
    wanted = word.strip().casefold()
    if wanted:
        found = (_one(vocabulary, who, where, when, title, form) for form in singular(wanted))
        return next(filter(None, found), None)
    named: set[str] = set()
    topics: dict[str, Iterable[str]] = {}
    if title is not None and _moves(vocabulary, who, where, when, title):
        topics[MOVES] = dict.fromkeys(line.verb.casefold() for line in verbs(title))
    for topic in vocabulary.topics:
        mine = [one for one in topic.entries if not why_not(one, who, where, when)]
        new = dict.fromkeys(one.name for one in mine if not one.read)
        if new.keys() - named:
            topics[topic.name] = new
        named.update(new)
    rows = tuple(Row(f"`help {word}`", (", ".join(names),)) for word, names in topics.items())
    more = (MORE.format(topic=next(iter(topics))),) if topics else ()
    return Answer((Pairs(COMMANDS, rows), Lines("", (*more, *_manners(who, where)))))


def _manners(who: Who, where: Where) -> Sequence[str]:
    """How commands are written there."""
    if where & Where.TERMINAL:
        return (MANNERS, AT_A_TERMINAL) if who & Who.PLAYER else ()
    if who & OF_TOURNAMENTS:
        return (ONE_PER_LINE,)
    openly = (OPENLY_ONLY,) if not where & Where.PRIVATE else ()
    return (*openly, MANNERS, BY_EMAIL_ALL_OR_NONE)


def sorry(vocabulary: Vocabulary, word: str) -> str:
    """The answer to a word that is not a command."""
    known = {first for entry in vocabulary.entries for first in entry.words} | TERMS.keys()
    near = get_close_matches(word.casefold(), known, 1)
    text = NO_COMMAND_BUT if near else NO_COMMAND
    return text.format(word=word, near=f"`{near[0]}`" if near else "")


def _one(
    vocabulary: Vocabulary, who: Who, where: Where, when: When, title: Title | None, word: str
) -> Answer | None:
    if word in QUICK_START:
        return quick_start()
    if word == MOVES and (moves := _moves(vocabulary, who, where, when, title)):
        return Answer(tuple(moves))
    topic = next((one for one in vocabulary.topics if one.name in (word, f"{word}s")), None)
    if topic is not None:
        return Answer(tuple(_listed(topic.heading, topic.entries)))
    first = word.split()[0]
    named = [one for one in vocabulary.entries if word in (one.name, *one.also)]
    entries = named or [one for one in vocabulary.entries if first in one.words]
    entries = [one for one in entries if one.name not in (PLAY, ORDER)]
    entries = [one for one in entries if not why_not(one, who, where, when)] or entries
    blocks = _moves(vocabulary, who, where, when, title, word)
    rows = [
        Row(f"`{one.syntax}`", tuple(filter(None, (one.help, why_not(one, who, where, when)))))
        for one in entries
    ]
    if rows:
        blocks.append(Pairs(f"`{word}`", tuple(rows)))
    if meaning := term(word, title):
        blocks.insert(0, Lines(word.upper(), (meaning,)))
    return Answer(tuple(blocks)) if blocks else None


def _moves(
    vocabulary: Vocabulary,
    who: Who,
    where: Where,
    when: When,
    title: Title | None,
    word: str = "",
) -> list[Block]:
    """The moves of a title, where players may write moves; only those of one verb if given."""
    plays = [one for one in vocabulary.entries if one.name == PLAY]
    if title is None or all(why_not(one, who, where, when | When.RUNNING) for one in plays):
        return []
    rows = tuple(
        Row(f"`{line.example}`", (line.meaning,))
        for line in verbs(title)
        if word in ("", line.verb.casefold(), line.example.split()[0].casefold())
    )
    return [Pairs(MOVES_OF.format(title=title.name), rows)] if rows else []


def _listed(heading: str, entries: Iterable[Entry]) -> list[Block]:
    rows = tuple(Row(f"`{one.syntax}`", (one.help,)) for one in entries)
    return [Pairs(heading, rows)] if rows else []


# ------------------------------------------------------------------------ the page of commands

PAGE = """# Commands

This page lists every command that you can email to Waybill or type at a terminal, but for the
[moves](moves.md) of your turn. The program writes it: `waybill commands`.
"""
COLUMNS = ("write", "what it does", "who", "where", "when")
WHEN = {When.OPEN: "before the start", When.RUNNING: "in a game that runs", When.OVER: "afterwards"}
WHERE = {
    Where.PRIVATE: "private email",
    Where.LIST: "list",
    Where.FORUM: "forum",
    Where.TERMINAL: "terminal",
}


def page(vocabulary: Vocabulary) -> str:
    """The text of docs/commands.md."""
    parts = [PAGE]
    for topic in vocabulary.topics:
        table = _table(COLUMNS, map(_row, topic.entries))
        parts.append(f"## {topic.heading}\n\n{table}\n")
    return "\n".join(parts)


MOVES_PAGE = """# Moves

This page lists the moves that you can make on your turn, in every title. In a game `help moves`
lists those of its title, and [Turns](turns.md) has examples. The program writes this page:
`waybill commands --moves`.
"""
IN_ALL = "All titles"
IN_SOME = "Some titles"


def moves_page(titles: Sequence[Title]) -> str:
    """The text of docs/moves.md: the moves of all ``titles``, the common ones first."""
    found: dict[tuple[str, str], list[str]] = {}
    for title in titles:
        for form in verbs(title):
            found.setdefault((form.syntax, form.meaning), []).append(title.name)
    sections: dict[str, list[tuple[str, ...]]] = {IN_ALL: [], IN_SOME: []}
    sections |= {title.name: [] for title in titles}
    for (syntax, meaning), names in found.items():
        move = (f"`{syntax}`", meaning)
        if len(names) == len(titles):
            sections[IN_ALL].append(move)
        elif len(names) > 1:
            sections[IN_SOME].append((*move, ", ".join(names)))
        else:
            sections[names[0]].append(move)
    parts = [MOVES_PAGE]
    for heading, moves in sections.items():
        if not moves:
            continue
        head = ("write", "to", "in") if heading == IN_SOME else ("write", "to")
        table = _table(head, moves)
        parts.append(f"## {heading}\n\n{table}\n")
    return "\n".join(parts)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = (head, ["---"] * len(head), *rows)
    return "\n".join("| " + " | ".join(c.replace("|", "\\|") for c in row) + " |" for row in lines)


def _row(entry: Entry) -> tuple[str, ...]:
    when = "always" if entry.when == ALWAYS else _named(WHEN, entry.when)
    return (f"`{entry.syntax}`", _help(entry), called(entry.who), _named(WHERE, entry.where), when)


def _help(entry: Entry) -> str:
    example = "" if entry.example == entry.syntax else f" As in `{entry.example}`."
    alone = f" Alone in its email: {entry.alone}." if entry.alone else ""
    return f"{entry.help[:1].upper()}{entry.help[1:].rstrip('.')}.{example}{alone}"


def _named(names: dict[When, str] | dict[Where, str], these: When | Where) -> str:
    found: Sequence[str] = [name for one, name in names.items() if one in these]
    return ", ".join(found)
