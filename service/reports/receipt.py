"""The receipt of an email: its subject, its headline, and the result of each command."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine import Refusal, Seat
from engine.notation import NotationError
from service.audience import Audience, OnlyFor
from service.reports import position
from service.reports.advice import legal
from service.reports.decisions import task, whose_turn
from service.reports.decisions.base import YOUR_TURN
from service.reports.example import likely
from service.reports.lays import LEVELS
from service.reports.rendering import LONGEST_SUBJECT, fitting, page
from service.reports.scene import Figure, Handled, Page, Result, Scene
from service.reports.tables import Lines, Verbatim
from service.reports.turn import Button, buttons, frame, happened

MARKED_NOT_DONE = "NOT DONE: the lines marked NO were not done."
#: the end of a subject, and the headline where no single lines are shown
NOT_DONE = "NOT DONE"
DONE = "DONE."
DONE_BUT = "DONE, except the lines marked NO."
DONE_SUBJECT = "done"
DONE_BUT_SUBJECT = "done in part"
TO_BE_CONFIRMED = "NOT DONE YET: please confirm it."
PARTLY_TO_BE_CONFIRMED = "DONE, except the lines marked “sure?”."
TO_BE_CONFIRMED_SUBJECT = "confirm?"
ANSWERED = "Here is how it stands."
ANSWERED_SUBJECT = "answered"


def outcome(results: Sequence[Result]) -> tuple[str, str]:
    """The end of the subject and the headline, from the results of all commands."""
    found = {result.status for result in results}
    if "no" in found:
        return (DONE_BUT_SUBJECT, DONE_BUT) if "ok" in found else (NOT_DONE, MARKED_NOT_DONE)
    if "asks" in found:
        headline = PARTLY_TO_BE_CONFIRMED if "ok" in found else TO_BE_CONFIRMED
        return TO_BE_CONFIRMED_SUBJECT, headline
    if _unread(results):
        return NOT_DONE, NO_COMMAND
    return (DONE_SUBJECT, DONE) if "ok" in found else (ANSWERED_SUBJECT, ANSWERED)


NOTHING_CHANGED = "NOT DONE: nothing was changed."
NO_COMMAND = "NOT DONE: Waybill found no command in your email."
NO_MOVE_MADE = "NOT DONE: none of your moves was made. Other lines marked ok were done."
SAVED = "SAVED: none of your moves is made yet."
SAVED_SUBJECT = "saved"
RECEIVED = "RECEIVED: none of your moves is made yet."
RECEIVED_SUBJECT = "waits"


#: all endings of subjects; an answer keeps only the ending of its own email
SUBJECT_ENDINGS = (
    NOT_DONE,
    DONE_SUBJECT,
    DONE_BUT_SUBJECT,
    TO_BE_CONFIRMED_SUBJECT,
    ANSWERED_SUBJECT,
    SAVED_SUBJECT,
    RECEIVED_SUBJECT,
)


def carried_out(results: Sequence[Result]) -> bool:
    """Whether nothing of an email was refused, or something of it was done or answered."""
    found = {result.status for result in results}
    return "no" not in found or bool(found & {"ok", "answer"})


def of_turn(handled: Handled) -> tuple[str, str]:
    """The same for an email to a running game, in which all moves are done or none."""
    if handled.later:
        return RECEIVED_SUBJECT, RECEIVED
    if handled.saved:
        return SAVED_SUBJECT, SAVED
    found = {result.status for result in handled.results}
    if not handled.done and _unread(handled.results):
        return NOT_DONE, NO_COMMAND
    if not handled.done:
        return NOT_DONE, NO_MOVE_MADE if "ok" in found else NOTHING_CHANGED
    if "waits" in found:
        return (DONE_BUT_SUBJECT, DONE_BUT) if "no" in found else (DONE_SUBJECT, DONE)
    return outcome(handled.results)


def _unread(results: Sequence[Result]) -> bool:
    """Whether an email has words, and nothing that Waybill could read."""
    return {result.status for result in results} == {"ignored"}


NOTHING_READ = "No command could be read in your email: {trouble}."
HOW_TO_WRITE = "Write commands as plain text at the top of your reply; `help` lists them."


def nothing_read(trouble: str) -> Result:
    """The result of an email without a readable line."""
    notes = (NOTHING_READ.format(trouble=trouble or "empty"), HOW_TO_WRITE)
    return Result(0, "nothing to do", "no", notes=notes)


#: the words that email programs put before the subject of a reply or a forward
_ANSWERS = re.compile(
    r"(?:re|aw|antw|sv|vs|odp|rif|ref|res|r|fwd?|fw|wg|tr)(?:\[\d+\])?\s*:\s*", re.IGNORECASE
)
#: the tags that games and lists put before a subject
_TAG = re.compile(r"\[[^\]]{1,100}\]\s*")
#: the words that Waybill puts into a subject, for one email only
_LEAD = re.compile(r"^(?:NO LONGER YOUR TURN|YOUR (?:TURN|ANSWER)):\s*")
_UNTIL = re.compile(r", by [A-Z][a-z]{2} \d{1,2} [A-Z][a-z]{2} \d\d:\d\d\s*$")
#: the round at the end of the subject of a turn email
_IN_ROUND = re.compile(r", (?:SR|OR) \d+(?:\.\d+)?$")
_ENDINGS = tuple(f"{dash} {one}" for dash in "–-" for one in SUBJECT_ENDINGS)

UNPROVED = "your email"
"""The name of an email that proves nothing, in Waybill's answer to it.

Its subject may be an advertisement, and its address may be that of a person who did not write it.
"""


def answering(subject: str, ending: str = "") -> str:
    """The subject of an answer: one ``Re:``, each tag once, no YOUR TURN, no deadline.

    ``ending`` is the result of this email; results of other emails are removed. A long subject
    goes without its round, or is cut.

    ``Re: AW: [dixie7] YOUR TURN: M&O operates – NOT DONE`` → ``Re: [dixie7] M&O operates``;
    ``[Trains] Re: [Trains] Re: [dixie7] SR 1`` → ``Re: [Trains] [dixie7] SR 1``.
    """
    bare, tags = subject.strip(), dict[str, str]()
    while found := _ANSWERS.match(bare) or _TAG.match(bare):
        if found.re is _TAG:
            tags.setdefault(found[0].strip().casefold(), found[0].strip())
        bare = bare[found.end() :]
    while bare.endswith(_ENDINGS):
        bare = bare[: max(map(bare.rfind, "–-"))].rstrip()
    bare = " ".join((*tags.values(), _UNTIL.sub("", _LEAD.sub("", bare)).strip())).strip()
    end = f" – {ending}" if ending else ""
    whole, room = f"Re: {bare or UNPROVED}", LONGEST_SUBJECT - len(end)
    if len(whole) > room:
        whole = _IN_ROUND.sub("", whole)
    return fitting(whole, room) + end


MARKS = {"ok": "ok", "no": "NO", "would": "would be ok", "answer": "see below"}
MARKS |= {"unsent": "not done", "ignored": "not read", "waits": "waits", "asks": "sure?"}
#: the beginning of a task that already says whose turn it is
_YOURS = "It is your turn "
STILL_YOURS = "It is {still}your turn. {task}"
#: of an offer that a player must answer in another player's turn
STILL_ASKED = "Your answer is {still}needed. {task}"


def misread(number: int, text: str, error: NotationError) -> Result:
    """The result of a command that was not understood, with a caret below the place."""
    line, caret, *reasons = str(error).split("\n")
    return Result(number, text, "no", "", ("\n".join(_around(line, len(caret) - 1)), *reasons))


#: the most characters of a line with a caret; more would not fit after the widest mark
_POINTED = 66


def _around(line: str, column: int) -> tuple[str, str]:
    """The part of a line around a column, and a caret below the column."""
    if len(line) <= _POINTED:
        return line, " " * column + "^"
    first = max(0, min(column - _POINTED // 2, len(line) - _POINTED + 2))
    shown = line[first : first + _POINTED - 4]
    before, after = "… " if first else "", " …" if first + len(shown) < len(line) else ""
    return f"{before}{shown}{after}", " " * (column - first + len(before)) + "^"


def refused(number: int, text: str, canonical: str, refusal: Refusal) -> Result:
    """The result of a command that a rule forbids: the reason, the rule, and what would work."""
    notes = [refusal.reason, *([refusal.hint] if refusal.hint else [])]
    return Result(number, text, "no", canonical, tuple(notes))


def receipt_page(
    to: Audience,
    scene: Scene,
    handled: Handled,
    reply_subject: str,
    reply_to: OnlyFor[str] | None = None,
    pictures: bool = True,
) -> Page:
    """The RECEIPT to a seat; ``scene`` is the present position.

    Answers to queries are in the same email.
    """
    seat, results = to.seat, handled.results
    mine = seat in scene.view.to_act
    if mine and _unread(results):
        handled = replace(handled, done=False)
    done = handled.done
    asks = mine and (not done or handled.goes_on)
    ending, headline = of_turn(handled)
    answers = [result for result in results if result.answer is not None]
    sources = Lines("", position.sources(scene.view.provenance, ""))
    explained = any(sources in result.answer.blocks for result in answers if result.answer)
    sheet = {
        **frame(scene, seat),
        **({"provenance": ()} if explained else {}),
        "headline": headline,
        "standing": _standing(scene, seat, done),
        "done": done,
        "results": tuple(r for r in results if r.answer is None),
        "marks": MARKS,
        "hint": handled.hint,
        "then": happened(handled.then, heading="AND THEN"),
        "answers": tuple((f"{r.text}", r.answer.blocks) for r in answers if r.answer),
        "example": Verbatim("", likely(scene, seat) if asks else ()),
        "buttons": _buttons(scene, seat, handled) if asks and reply_to else (),
        "reply_to": reply_to,
    }
    # the legal moves, if the text stays short enough
    levels = range(LEVELS if asks else 1)
    sizes = ({"legal": legal(scene, seat, level) if asks else None} for level in levels)
    shown = tuple(_distinct(f for r in answers if r.answer for f in r.answer.figures))
    subject = answering(reply_subject, ending)
    shown = shown if pictures else ()
    files = tuple(file for r in answers if r.answer for file in r.answer.files)
    made = page(to, "receipt", subject, shown, scene.templates, sizes, **sheet, plain=False)
    return replace(made, files=files)


def _distinct(figures: Iterator[Figure]) -> Iterator[Figure]:
    """Each picture once, also if two queries ask for it."""
    yield from {figure.cid: figure for figure in figures}.values()


DO_IT = "Do it"
DO_THE_FIRST = "Do the first {count}"


def _buttons(scene: Scene, seat: Seat, handled: Handled) -> tuple[Button, ...]:
    """The buttons; first the one that does the part of the email that can be done."""
    count = handled.go.split()[1:2]
    label = DO_IT if count == ["all"] else DO_THE_FIRST.format(count=" ".join(count))
    first = (Button(label, handled.go),) if count else ()
    return (*first, *buttons(scene, seat))


def _standing(scene: Scene, seat: Seat, done: bool) -> str:
    """A sentence that names whose turn it is now."""
    if seat in scene.view.to_act:
        still, asked = "" if done else "still ", task(scene, seat)
        if asked.sentence.startswith(_YOURS):
            return f"It is {still}{asked.sentence.removeprefix('It is ')}"
        standing = STILL_YOURS if asked.lead == YOUR_TURN else STILL_ASKED
        return standing.format(still=still, task=asked.sentence)
    return whose_turn(scene)
