"""Errors that the operator can mend. A command prints one as a sentence, without a traceback.

The module is below the packages that raise such errors. So a program can report them without
loading those packages.
"""

from typing import ClassVar


class OperatorError(Exception):
    """An error whose text says what is wrong and what to do."""

    #: the sentence in which a command prints it
    said: ClassVar[str] = "{error}"
    #: the exit code of a command that it ends
    code: ClassVar[int] = 1
