"""The result of one command, with the words in which its writer reads it again."""

from service.commands.command import Command
from service.reports import Answer, Result


def done(command: Command, *notes: str, canonical: str = "") -> Result:
    """It was carried out."""
    return Result(command.number, command.shown, "ok", canonical, notes)


def refused(command: Command, *why: str) -> Result:
    """It was refused."""
    return Result(command.number, command.shown, "no", notes=why)


def asks(command: Command, *notes: str) -> Result:
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
