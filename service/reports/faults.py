"""Letters to the operator about mails that were put aside."""

from collections.abc import Sequence
from pathlib import Path

from engine.wording import cut
from service.audience import Audience
from service.reports.blocks import Lines, Pairs, Row
from service.reports.letters import LetterText, letter
from service.reports.scene import About, Page


def fault_page(
    to: Audience, mail: int, sender: str, game: str, error: str, *, templates: Path | None
) -> Page:
    """Tells the operator of a mail that was put aside because of a fault of the program."""
    rows = (
        Row("email", (str(mail),)),
        Row("sender", (sender or "unknown",)),
        Row("game", (game or "none",)),
        Row("fault", (error,)),
    )
    text = (
        "The email is kept, and other games go on. Its sender was told if registered in the game. "
        "`waybill shunt` lists such emails."
    )
    blocks = (Pairs("", rows), Lines("", (text,)))
    words = LetterText(f"Email {mail} was put aside", "An email could not be handled.", blocks)
    return letter(to, "fault", words, About(game, templates=templates))


def faults_page(
    to: Audience,
    number: int,
    latest: Sequence[tuple[str, str, str, str]],
    *,
    templates: Path | None,
) -> Page:
    """Sums up for the operator what was put aside since the last letter.

    ``number`` is how much is put aside now; of the ``latest``: which mail or task, its sender or
    kind, game, fault.
    """
    rows = tuple(
        Row(which, (sender or "unknown", game or "no game", cut(error, 200)))
        for which, sender, game, error in latest
    )
    more = number - len(rows)
    text = (f"{more} older ones are not named here. " if more > 0 else "") + (
        "All are kept. `waybill shunt` lists them, `waybill shunt --retry NUMBER` tries one again."
    )
    both = any(which.startswith("task") for which, *_ in latest)
    words = LetterText(
        f"{number} emails {'and tasks ' if both else ''}are put aside",
        f"Emails {'or tasks ' if both else ''}could not be handled.",
        (Pairs("", rows), Lines("", (text,))),
    )
    return letter(to, "fault", words, About(templates=templates))
