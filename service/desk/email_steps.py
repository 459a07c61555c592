"""A chain of steps finds out who wrote an email; the first step that knows concludes.

A chain is a table, as the chain of rules of a list manager is: the order of the checks is the order
of its rows, and each row says why it is there.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic

from service.desk.door import Done
from service.desk.proving.arrived import ArrivedEmail, Email


def always(came: ArrivedEmail) -> bool:
    """The question of a step that looks closer at every email."""
    return True


@dataclass(frozen=True)
class EmailStep(Generic[Email]):
    """One step of a chain.

    ``may_be`` is a cheap question; for most emails its answer is no. ``conclude`` looks closer. It
    returns None if the email turns out to be something else, and the email itself if it has changed
    something before the later steps handle it. ``why`` gives the reason for the step's place.
    """

    may_be: Callable[[Email], bool]
    conclude: Callable[[Email], Done | Email | None]
    why: str


def by_steps(steps: Sequence[EmailStep[Email]], came: Email) -> Done | None:
    """What the first step that knows makes of an email; None if no step does."""
    for step in steps:
        found = step.conclude(came) if step.may_be(came) else None
        if isinstance(found, Done):
            return found.preceded_by(came.before)
        came = came if found is None else found
    return None
