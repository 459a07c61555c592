"""Pages for a game's mailing list or forum: greeting, start of the game, receipts.

All members read them, so they contain no seat address and no buttons.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine import Title
from service.audience import Audience
from service.reports import receipt
from service.reports.decisions import whose_turn
from service.reports.letters import LetterText, letter, seated
from service.reports.position import mark
from service.reports.receipt import MARKS, answering, of_turn
from service.reports.scene import About, Handled, Page, Result, Scene
from service.reports.tables import Block, Lines, Pairs, Row, Verbatim, folded
from service.reports.turn import happened

_HOW = (
    "Lines that begin with `!` are commands of the game, as in `!pass`. They may be anywhere "
    "in your own text, but not in what you quote. Waybill does not carry out any other text.",
    "Each email with commands gets one receipt here. Keep private commands off the list: advance "
    "orders, notes, messages to one player. Send them to your seat address, by a reply to an email "
    "that Waybill sent to you alone.",
)


def greeting_page(to: Audience, title: Title, about: About) -> Page:
    """The first letter to a list, whose members may not have asked for it."""
    lines = (
        f"A member of this list wants to play “{to.game}” here, a game of {title.name} "
        f"({title.facts.subtitle}). This is Waybill, a moderator for 18xx games by email: it knows "
        "the rules, and posts each turn to the list.",
        "Waybill begins when this email comes back to it from the list. If the list sends Waybill "
        "no copies of its own emails, reply to this one on the list, with any words. Otherwise "
        "Waybill sends nothing more.",
        "If you do not want Waybill on this list, write `!list off` here. Anybody may, at any "
        "time.",
    )
    words = LetterText(
        f"[{to.game}] {title.name} on this list",
        f"Do you want a game of {title.name} on this list?",
        (Lines("", lines), Lines("HOW IT IS PLAYED HERE", _HOW)),
    )
    return letter(to, "list-greeting", words, about)


def opening_page(to: Audience, scene: Scene, about: About) -> Page:
    """The game begins: the seats, and how to play on the list."""
    seats, title = scene.state.seats, scene.title
    order = seated(seats)
    rules = f"{title.name}, {title.facts.subtitle}, rules {title.facts.rulebook}."
    rows = [Row("seats", (order,)), Row("rules", (rules,))]
    if title.variants:
        rows.append(
            Row("optional rules", tuple(title.summary(v) for v in sorted(title.variants)), True)
        )
    blocks: tuple[Block, ...] = (
        Lines("", (whose_turn(scene),)),
        Pairs("THE GAME", tuple(rows)),
        Lines("HOW IT IS PLAYED HERE", _HOW),
    )
    words = LetterText(f"[{to.game}] {scene.view.round}", f"“{to.game}” begins.", blocks)
    return letter(to, "list-opening", words, about)


DONE_FOR = "DONE for {writer}."
ASKED_FOR = "Here is what {writer} asked for."
NOTHING_CHANGED_FOR = "NOT DONE for {writer}: nothing was changed."
DONE_BUT_FOR = "DONE for {writer}, except the lines marked NO."
#: how the first line of an answer names the writer on a list or forum
_ON_A_LIST = {
    receipt.DONE: DONE_FOR,
    receipt.DONE_BUT: DONE_BUT_FOR,
    receipt.ANSWERED: ASKED_FOR,
    receipt.MARKED_NOT_DONE: "NOT DONE for {writer}: the lines marked NO were not done.",
    receipt.NOTHING_CHANGED: NOTHING_CHANGED_FOR,
    receipt.NO_MOVE_MADE: (
        "NOT DONE for {writer}: no move was made. Other lines marked ok were done."
    ),
}


def open_receipt_page(
    to: Audience,
    scene: Scene,
    writer: str,
    handled: Handled,
    reply_subject: str,
    about: About,
) -> Page:
    """The outcome of the commands in a post on a list or forum, and the answers to it."""
    results, then = handled.results, handled.then
    ending, plain = of_turn(handled)
    headline = _ON_A_LIST.get(plain, plain).format(writer=writer)
    bare = [result for result in results if result.answer is None]
    room = max((len(MARKS[result.status]) for result in bare), default=0)
    told = tuple(line for result in bare for line in _told(result, room))
    blocks: list[Block] = [Verbatim("", told)] if told else []
    if then:
        blocks.append(happened(then, heading="AND THEN"))
    if plain != receipt.ANSWERED:
        blocks.append(Lines("", (whose_turn(scene),)))
    for result in results:
        if result.answer is not None:
            blocks += result.answer.blocks
    figures = {f.cid: f for r in results if r.answer for f in r.answer.figures}
    subject = answering(reply_subject, ending)
    words = LetterText(subject, headline, tuple(blocks), tuple(figures.values()))
    return letter(to, "list-receipt", words, replace(about, mark=mark(scene)))


def _told(result: Result, room: int) -> Iterator[str]:
    yield from folded(result.canonical or result.text, f"{MARKS[result.status]:<{room}}  ")
    if result.pointed:
        yield from (f"  {line}" for line in result.pointed.split("\n"))
    for note in result.reasons:
        yield from folded(note, "    ")


def forum_opening_lines(game: str, title: Title) -> tuple[str, ...]:
    """The first post of a thread, as paragraphs of Markdown."""
    return (
        f"This thread is for **{game}**, a game of {title.name} ({title.facts.subtitle}). Waybill, "
        "a moderator for 18xx games by email, posts a summary of each round here.",
        "Players write commands here as lines that begin with `!`, as in `!pass`. Each post with "
        "commands gets one receipt. Waybill does not read anything else. Send private commands, "
        "such as advance orders, to your seat address.",
        "If Waybill does not know your name here yet, write `forum name` to your seat address.",
        "If you do not want Waybill in this thread, write `!forum off` here. Anybody may, at any "
        "time.",
    )


def open_note_page(to: Audience, subject: str, lines: Sequence[str], about: About) -> Page:
    """A short note that says why the commands of a post were not carried out."""
    subject = answering(subject, receipt.NOT_DONE)
    words = LetterText(subject, receipt.NOT_DONE, (Lines("", tuple(lines)),))
    return letter(to, "list-note", words, about)
