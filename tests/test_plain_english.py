"""Texts that people read are in plain English: phrases that a reader trips over, and what to write.

They are the messages of the program, the help of the command line, the templates of emails and
pages, and the documents. `CONTRIBUTING.md` says what holds for the style. A phrase that must stay
has its reason in `STAYS`.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from tests.source import ROOT, modules, name, nodes, tree

#: the most words of a sentence
LONGEST = 30
#: what a reader may not understand at once, or a second word for one thing → what is written
BANNED = {
    r"mails|an? mail(?! server|box|host)|by mail|turn mail": "email",
    r"letters?(?! first|s? of one alphabet|, digits|s?, and|s? and digits| or digit)": "email",
    r"organis\w+": "organizer",
    r"cancelled|colou?rs? of yours|colours?|centres?|licences?": "American spelling",
    r"anew": "again",
    r"any ?more": "no longer",
    r"(?:works|holds|stands|plays|acts|free|asked) no more": "no longer",
    r"per cent": "percent",
    r"orders? given ahead": "advance order",
    r"hear of us": "Waybill will not write to you again",
    r"we hope you": "You (or somebody using your address)",
    r"faults? of ours": "a bug in Waybill",
    r"behind it": "after it",
    r"lapse[sd]?": "expires, is canceled",
    r"has done for you": "moved for you",
    r"stations?": "token",
    r"log-ins?": "login",
    r"put by": "held for confirmation",
    r"heed|ahead of time": "a simpler word",
    r"(?<!there )is no (?!longer)[a-z]+": "is not a, is not an",
}
#: a statement that has a clause for its subject; a question may begin so
CLAUSE = re.compile(r"(?:^|[.:;] )(?:Who|Whoever|Whose|Whom|What) (?![^.?]*\?)")
#: what must stay, with the reason
STAYS = {
    "waybill letters": "a command",
    "16 letters": "those of an alphabet",
    "sell station from": "a command of 18MW",
    "buy station": "a command of 18MW",
    "offer station": "a command of 18MW",
    "station COMPANY on HEX": "what a director may correct",
    "private station share": "words of commands",
    "station for sale": "the name of a rule in the code",
    "one station a hex": "the name of a rule in the code",
    "Station Token Placement": "a heading of 18MW's rulebook",
    "What to suppose": "the description of an option",
}
#: modules whose strings are what people write, not what they read
INPUT = ("service/commands/courtesy.py",)
"""Words of greetings and thanks in many languages."""
#: a pattern, or a type
NO_TEXT = re.compile(r"\\b|\(\?:| \| None")


def _docs(path: Path) -> set[int]:
    """The docstrings of a module, by identity of their nodes."""
    docs = {
        id(node.body[0].value)
        for node in nodes(path)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in nodes(path):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            docs.add(id(node.value))
    return docs


@cache
def messages(path: Path) -> tuple[tuple[int, str], ...]:
    """The strings of several words in a module, but for docstrings and patterns."""
    return tuple(_messages(path))


def _messages(path: Path) -> Iterator[tuple[int, str]]:
    docs = _docs(path)
    for node in nodes(path):
        text = node.value if isinstance(node, ast.Constant) and id(node) not in docs else None
        if isinstance(text, str) and len(text.split()) > 2 and not NO_TEXT.search(text):
            yield node.lineno, text


def helps(path: Path) -> Iterator[tuple[int, str]]:
    """The help of the commands in a module of the command line: their docstrings."""
    for node in tree(path).body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            text = (ast.get_docstring(node) or "").partition("\b")[0]
            yield node.lineno, re.sub(r"Examples?:.*", "", text, flags=re.DOTALL)


def words_of(template: str) -> str:
    """A template without its code and its tags, each of which may be the end of a sentence."""
    text = re.sub(r"<style.*?</style>|\{[%#].*?[%#]\}|<[^>]*>", "\n\n", template, flags=re.S)
    return re.sub(r"\{\{.*?\}\}", "X", text, flags=re.S)


def sentences(text: str) -> list[str]:
    """The sentences of a text. A line of a table, a list or a heading ends one, as a "·" does."""
    apart = (
        r"(?<=[.!?])[)”*]*\s+|\n\s*\n|\n(?=\s*(?:[-*|#–]|\d+\. ))|\s[|·]\s|\n(?=\S* *\S* *\S*  )"
    )
    return [" ".join(one.split()) for one in re.split(apart, text)]


@cache
def pattern(phrase: str) -> re.Pattern[str]:
    """A banned phrase wherever it is no part of a longer word or of a path."""
    return re.compile(rf"(?<![\w./-])(?:{phrase})(?![\w-])", re.IGNORECASE)


#: what is quoted, and what must stay
KEPT = re.compile("|".join(("`[^`]*`", "“[^”]*”", *STAYS)))


def faults(text: str, banned: Mapping[str, str] = BANNED) -> list[str]:
    """What is wrong with a text, each with what to write."""
    text = KEPT.sub("X", text)
    found = [
        f"{text[max(0, hit.start() - 40) : hit.end() + 20]!r}: instead of {hit[0]!r} write {better}"
        for phrase, better in banned.items()
        for hit in pattern(phrase).finditer(text)
    ]
    for one in sentences(text):
        if CLAUSE.search(one) and one.endswith((".", "!", ":")):
            found.append(f"{one!r}: begin with a thing or a person that does something")
        if len(one.split()) > LONGEST:
            found.append(f"{one!r}: write shorter sentences")
    return found


#: what readers of emails, of pages and of the command line get; the words of bots, and emails made
#: to harm, are for nobody
MESSAGES = [
    path
    for folder in ("service", "engine")
    for path in modules(folder)
    if not {"migrations", "practice"} & set(path.parts) and name(path) not in INPUT
]
COMMAND_LINE = modules("service/cli")
TEMPLATES = [
    path for path in sorted((ROOT / "templates").rglob("*.j2")) if path.stem != "gallery.html"
]
#: pages with texts of the program, and the settings, which are its texts too
GENERATED = ("commands", "moves", "operators-settings")
PAGES = [
    path
    for path in (*ROOT.glob("*.md"), *sorted((ROOT / "docs").glob("*.md")))
    if path.stem not in GENERATED
]


@pytest.mark.parametrize("path", MESSAGES, ids=map(name, MESSAGES))
def test_messages_are_in_plain_english(path):
    every = [f"line {n}: {x}" for n, text in messages(path) for x in faults(text)]
    assert every == []


@pytest.mark.parametrize("path", COMMAND_LINE, ids=map(name, COMMAND_LINE))
def test_the_help_of_the_command_line_is_in_plain_english(path):
    every = [f"line {n}: {x}" for n, text in helps(path) for x in faults(text)]
    assert every == []


@pytest.mark.parametrize("path", TEMPLATES, ids=map(name, TEMPLATES))
def test_templates_are_in_plain_english(path):
    assert faults(words_of(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("path", PAGES, ids=map(name, PAGES))
def test_pages_are_in_plain_english(path):
    text = re.sub(r"```.*?```|<!--.*?-->", "\n\n", path.read_text(encoding="utf-8"), flags=re.S)
    # Developers' pages speak of the class Letter, titles' pages of letters of the alphabet.
    banned = {phrase: better for phrase, better in BANNED.items() if "letters" not in phrase}
    assert faults(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text), banned) == []


def test_every_exception_is_needed():
    assert len(STAYS) <= 25
    told = "\n".join(text for path in MESSAGES for _, text in messages(path))
    told += "".join(path.read_text(encoding="utf-8") for path in (*PAGES, *COMMAND_LINE))
    assert [phrase for phrase in STAYS if phrase not in told] == []
