"""What is wrong in the operator's world, not in the program: a command tells it in a sentence.

It stands below the rooms that raise such errors, so that who tells them need not load those.
"""

from typing import ClassVar


class OperatorError(Exception):
    """The text says what is wrong and what to do."""

    #: how a command says it
    said: ClassVar[str] = "{error}"
    #: the exit code of a command that it ends
    code: ClassVar[int] = 1
