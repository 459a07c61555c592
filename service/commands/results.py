"""The result of one command, with the words in which its writer reads it again."""

from collections.abc import Callable
from typing import Protocol, TypeVar

from service.commands.command import Command
from service.refusal import Refused
from service.reports import Answer, Result

T = TypeVar("T")


class Numbered(Protocol):
    """Something written in a line of an email; ``shown`` is its text as an answer repeats it."""

    @property
    def number(self) -> int: ...
    @property
    def shown(self) -> str: ...


N = TypeVar("N", bound=Numbered)


def tried(do: Callable[[N], T], command: N) -> T | Result:
    """What a function makes of a command; if it raises Refused, the result that says why."""
    try:
        return do(command)
    except Refused as why:
        return refused(command, *why.lines)


def done(command: Command, *notes: str, canonical: str = "") -> Result:
    """It was carried out."""
    return Result(command.number, command.shown, "ok", canonical, notes)


def refused(command: Numbered, *why: str) -> Result:
    """It was refused."""
    return Result(command.number, command.shown, "no", notes=why)


def asks_back(command: Command, *notes: str) -> Result:
    """Its writer is asked whether they mean it."""
    return Result(command.number, command.shown, "asks", notes=notes)


def waits(command: Command, *notes: str) -> Result:
    """It waits for its time, or for somebody's answer."""
    return Result(command.number, command.shown, "waits", notes=notes)


def unsent(command: Command) -> Result:
    """It was possible and not done, because of another line of the email."""
    return Result(command.number, command.shown, "unsent")


def answered(command: Command, answer: Answer, canonical: str = "") -> Result:
    """It was a question, and this is the answer."""
    return Result(command.number, command.shown, "answer", canonical, answer=answer)
