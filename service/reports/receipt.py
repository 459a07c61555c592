"""The receipt that every mail gets: what became of each command, and how to go on."""

from collections.abc import Iterator
from dataclasses import replace

from engine import Refusal, Seat
from engine.notation import NotationError
from engine.wording import listed
from service.audience import Audience, OnlyFor
from service.reports.advice import LEVELS, legal
from service.reports.blocks import Block, Verbatim
from service.reports.deciding import BYSTANDER, task
from service.reports.example import example
from service.reports.fitting import TEXT_LIMIT
from service.reports.outcome import of_turn
from service.reports.rendering import page, text_of
from service.reports.scene import Figure, Handled, Page, Result, Scene
from service.reports.subjects import answering
from service.reports.turn import Button, buttons, frame, happened

#: how a result is marked
MARKS = {"ok": "ok", "no": "NO", "would": "would be ok", "answer": "see below"}
MARKS |= {"unsent": "not done", "ignored": "not read", "waits": "waits", "asks": "sure?"}
#: how a task begins that says itself whose turn it is
_YOURS = "It is your turn "


def misread(number: int, text: str, error: NotationError) -> Result:
    """The result of a command that was not understood, with a caret under the place."""
    line, caret, *reasons = str(error).split("\n")
    return Result(number, text, "no", "", ("\n".join(_around(line, len(caret) - 1)), *reasons))


#: characters of a line that is shown with a caret: more would not fit behind the widest mark
_POINTED = 66


def _around(line: str, column: int) -> tuple[str, str]:
    """What of a line stands around a column, and a caret below that."""
    if len(line) <= _POINTED:
        return line, " " * column + "^"
    first = max(0, min(column - _POINTED // 2, len(line) - _POINTED + 2))
    shown = line[first : first + _POINTED - 4]
    before, after = "… " if first else "", " …" if first + len(shown) < len(line) else ""
    return f"{before}{shown}{after}", " " * (column - first + len(before)) + "^"


def refused(number: int, text: str, canonical: str, refusal: Refusal) -> Result:
    """The result of a command that a rule forbids: the reason, the rule, what would do."""
    rule = f" ({refusal.rule})" if refusal.rule else ""
    notes = [f"{refusal.text}{rule}", *([refusal.hint] if refusal.hint else [])]
    return Result(number, text, "no", canonical, tuple(notes))


def receipt_page(
    to: Audience,
    scene: Scene,
    handled: Handled,
    reply_subject: str,
    reply_to: OnlyFor[str] | None = None,
    pictures: bool = True,
) -> Page:
    """The RECEIPT mail to a seat; ``scene`` is the position that holds now.

    Answers to queries stand in the same mail.
    """
    seat, results, done = to.seat, handled.results, handled.done
    ending, headline = of_turn(handled)
    answers = [result for result in results if result.answer is not None]
    mine = seat in scene.view.to_act
    sheet = {
        **frame(scene, seat),
        "headline": headline,
        "standing": _standing(scene, seat, done),
        "done": done,
        "results": tuple(r for r in results if r.answer is None),
        "marks": MARKS,
        "hint": handled.hint,
        "then": happened(handled.then, heading="AND THEN"),
        "answers": tuple((f"{r.text}", r.answer.blocks) for r in answers if r.answer),
        "example": Verbatim("", example(scene, seat) if mine and not done else ()),
        "buttons": _buttons(scene, seat, handled) if mine and reply_to and not done else (),
        "reply_to": reply_to,
    }
    sheet["legal"] = _legal(scene, seat, sheet) if mine and not done else None
    shown = tuple(_distinct(f for r in answers if r.answer for f in r.answer.figures))
    subject = answering(reply_subject, ending)
    shown = shown if pictures else ()
    files = tuple(file for r in answers if r.answer for file in r.answer.files)
    made = page(to, "receipt", subject, shown, scene.templates, **sheet, plain=False)
    return replace(made, files=files)


def _distinct(figures: Iterator[Figure]) -> Iterator[Figure]:
    """Each picture once, though two queries may ask for it."""
    yield from {figure.cid: figure for figure in figures}.values()


def _buttons(scene: Scene, seat: Seat, handled: Handled) -> tuple[Button, ...]:
    """What can be done of the mail stands first."""
    count = handled.go.split()[1:2]
    label = "Do it" if count == ["all"] else f"Do the first {' '.join(count)}"
    first = (Button(label, handled.go),) if count else ()
    return (*first, *buttons(scene, seat))


def _standing(scene: Scene, seat: Seat, done: bool) -> str:
    """Whose turn it is now."""
    seats = scene.view.to_act
    if not seats:
        return "The game is over."
    if seat in seats:
        still, sentence = "" if done else "still ", task(scene, seat).sentence
        if sentence.startswith(_YOURS):
            return f"It is {still}{sentence.removeprefix('It is ')}"
        return f"It is {still}your turn. {sentence}"
    names = listed(seats)
    what = task(scene, seats[0], BYSTANDER).subject
    return f"{names} {'is' if len(seats) == 1 else 'are'} next: {what}."


def _legal(scene: Scene, seat: Seat, sheet: dict[str, object]) -> Block:
    """What is legal, as long as the text stays short enough."""
    for level in range(LEVELS):
        found = legal(scene, seat, level)
        rest = {"legal": found, "subject": "", "figures": ()}
        text = text_of("receipt", scene.templates, **sheet, **rest)
        if len(text.encode()) <= TEXT_LIMIT:
            break
    return found
