"""What became of an email as a whole: how the subject of its answer ends, and its first line."""

from collections.abc import Sequence

from service.reports.scene import Handled, Result

NOT_DONE = "NOT DONE: what is marked NO was not done."
NOT_DONE_SUBJECT = "NOT DONE"
DONE = "DONE."
DONE_BUT = "DONE, but for what is marked NO."
DONE_SUBJECT = "done"
DONE_BUT_SUBJECT = "done in part"
TO_BE_CONFIRMED = "NOT DONE YET: you are asked whether you mean it."
PARTLY_TO_BE_CONFIRMED = "DONE, but for what you are asked to confirm."
TO_BE_CONFIRMED_SUBJECT = "to be confirmed"
ANSWERED = "Here is how it stands."
ANSWERED_SUBJECT = "answered"


def outcome(results: Sequence[Result]) -> tuple[str, str]:
    """The ending of the subject and the headline, both from what became of each command."""
    found = {result.status for result in results}
    if "no" in found:
        return (DONE_BUT_SUBJECT, DONE_BUT) if "ok" in found else (NOT_DONE_SUBJECT, NOT_DONE)
    if "asks" in found:
        headline = PARTLY_TO_BE_CONFIRMED if "ok" in found else TO_BE_CONFIRMED
        return TO_BE_CONFIRMED_SUBJECT, headline
    return (DONE_SUBJECT, DONE) if "ok" in found else (ANSWERED_SUBJECT, ANSWERED)


NOTHING_CHANGED = "NOT DONE: nothing was changed."
NO_MOVE_MADE = "NOT DONE: none of your moves was made. What is marked ok was done."
HELD = "HELD: nothing is done yet."
HELD_SUBJECT = "held"
RECEIVED = "RECEIVED: nothing is done yet."
RECEIVED_SUBJECT = "waits"


#: all endings of subjects: an answer has that of its own email alone
SUBJECT_ENDINGS = (
    NOT_DONE_SUBJECT,
    DONE_SUBJECT,
    DONE_BUT_SUBJECT,
    TO_BE_CONFIRMED_SUBJECT,
    ANSWERED_SUBJECT,
    HELD_SUBJECT,
    RECEIVED_SUBJECT,
)


def of_turn(handled: Handled) -> tuple[str, str]:
    """The same for an email to a game that runs, whose moves are made all or none."""
    if handled.later:
        return RECEIVED_SUBJECT, RECEIVED
    if handled.held:
        return HELD_SUBJECT, HELD
    found = {result.status for result in handled.results}
    if not handled.done:
        return NOT_DONE_SUBJECT, NO_MOVE_MADE if "ok" in found else NOTHING_CHANGED
    if "waits" in found:
        return (DONE_BUT_SUBJECT, DONE_BUT) if "no" in found else (DONE_SUBJECT, DONE)
    return outcome(handled.results)


NOTHING_READ = "No command could be read in your email: {trouble}."
HOW_TO_WRITE = "Write commands as plain text at the top of your reply; `help` lists them."


def nothing_read(trouble: str) -> Result:
    """What is told of an email without a line that could be read."""
    notes = (NOTHING_READ.format(trouble=trouble or "empty"), HOW_TO_WRITE)
    return Result(0, "nothing to do", "no", notes=notes)
