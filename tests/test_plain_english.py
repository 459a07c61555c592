"""Texts that people read are in plain English: phrases that a reader trips over, and what to write.

`CONTRIBUTING.md` says what holds for the style. A phrase that must stay has its reason in `STAYS`.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.source import modules, name, tree

#: what a reader may not understand at once → what is written instead
BANNED = {
    r"mails|an? mail(?! server|box|host)|by mail|turn mail": "email",
    r"letters?(?! first|s? of one alphabet|, digits|s?, and|s? and digits)": "email",
    r"organis\w+": "organizer",
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
}
#: a sentence that has a clause for its subject; a question may begin so
CLAUSE = re.compile(r"(?:^|[.:;] )(?:Who|Whoever|Whose|Whom) (?![^.?]*\?)")
#: what must stay, with the reason
STAYS = {
    "waybill letters": "a command",
    "by the letters": "those of an alphabet",
    "16 letters": "those of an alphabet",
}


#: a pattern, or a type
NO_TEXT = re.compile(r"\\b|\(\?:| \| None")


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """The strings of several words in a module, but for docstrings and patterns."""
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            docs.add(id(node.value))
    for node in ast.walk(tree(path)):
        text = node.value if isinstance(node, ast.Constant) and id(node) not in docs else None
        if isinstance(text, str) and len(text.split()) > 2 and not NO_TEXT.search(text):
            yield node.lineno, text


#: what readers of emails, of pages and of the command line get; the workshop's own words are for
#: those who work on the program
MESSAGES = [path for path in modules("service") if not {"migrations", "workshop"} & set(path.parts)]


def faults(text: str) -> list[str]:
    """What is wrong with a text, each with what to write."""
    text = re.sub("|".join(("`[^`]*`", "“[^”]*”", *STAYS)), "", text)
    found = [
        f"{hit!r} in {text!r}: write {better}"
        for banned, better in BANNED.items()
        for hit in re.findall(rf"(?<![\w./-])(?:{banned})(?![\w-])", text, re.IGNORECASE)
    ]
    if CLAUSE.search(text):
        found.append(f"{text!r}: begin with a thing or a person that does something")
    return found


@pytest.mark.parametrize("path", MESSAGES, ids=map(name, MESSAGES))
def test_messages_are_in_plain_english(path):
    every = [f"line {n}: {x}" for n, text in texts(path) for x in faults(text)]
    assert every == []
