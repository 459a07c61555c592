"""What became of an email as a whole: how the subject of its answer ends, and its first line."""

from collections.abc import Sequence

from service.reports.scene import Result

NOT_DONE = "NOT DONE: what is marked NO was not done."
NOT_DONE_SUBJECT = "NOT DONE"
DONE = "DONE."
DONE_BUT = "DONE, but for what is marked NO."
DONE_SUBJECT = "done"
TO_BE_CONFIRMED = "NOT DONE YET: you are asked whether you mean it."
PARTLY_TO_BE_CONFIRMED = "DONE, but for what you are asked to confirm."
TO_BE_CONFIRMED_SUBJECT = "to be confirmed"
ANSWERED = "Here is how it stands."
ANSWERED_SUBJECT = "answered"


def outcome(results: Sequence[Result]) -> tuple[str, str]:
    """The ending of the subject and the headline, both from what became of each command."""
    found = {result.status for result in results}
    if "no" in found:
        return (DONE_SUBJECT, DONE_BUT) if "ok" in found else (NOT_DONE_SUBJECT, NOT_DONE)
    if "asks" in found:
        headline = PARTLY_TO_BE_CONFIRMED if "ok" in found else TO_BE_CONFIRMED
        return TO_BE_CONFIRMED_SUBJECT, headline
    return (DONE_SUBJECT, DONE) if "ok" in found else (ANSWERED_SUBJECT, ANSWERED)


NOTHING_READ = "No command could be read in your mail: {trouble}."
HOW_TO_WRITE = "Write commands as plain text at the top of your reply; `help` lists them."


def nothing_read(trouble: str) -> Result:
    """What is told of an email without a line that could be read."""
    notes = (NOTHING_READ.format(trouble=trouble or "empty"), HOW_TO_WRITE)
    return Result(0, "nothing to do", "no", notes=notes)
