"""Letters about who may write for a seat: mails from elsewhere, and addresses shown to others."""

from collections.abc import Sequence
from pathlib import Path

from engine import Seat, Title
from service.reports.letters import note_page
from service.reports.scene import Page

_MOST = 5


def away_page(
    game: str, subject: str, about: Title | None = None, templates: Path | None = None
) -> Page:
    """To the address from which somebody wrote in a player's name: what to do if it was them."""
    lines = (
        f"Your mail came to an address of {game}, but not from the one that its owner joined with. "
        "Nothing of it was done.",
        "If you are the owner: a letter to the address that you joined with tells how to have the "
        "mail carried out. Or send it again from there.",
    )
    return note_page(_not_done(subject), "NOT DONE", lines, about=about, templates=templates)


def unknown_page(
    game: str,
    seat: Seat,
    mail: int,
    subject: str,
    about: Title | None = None,
    templates: Path | None = None,
) -> Page:
    """To a player who confirmed a mail that does not wait, or does no more."""
    lines = (
        f"No mail {mail} waits for your yes, {seat}: there is none, or you have said yes before.",
        "Write what you want to do as commands. To agree to a sale that waits for you, write "
        "`accept`.",
    )
    return note_page(
        _not_done(subject), "NOT DONE", lines, game=game, about=about, templates=templates
    )


def renewed_page(
    game: str,
    seat: Seat,
    others: Sequence[str],
    about: Title | None = None,
    templates: Path | None = None,
) -> Page:
    """Tells a player, or the organiser (``seat`` ""), that a mail has shown their address."""
    shown = ", ".join(others[:_MOST])
    if len(others) > _MOST:
        shown = f"{shown} and {len(others) - _MOST} more"
    whose = f"{seat}'s address" if seat else "your address as organiser"
    lines = (
        f"A mail to {whose} in {game} went to others too: {shown}. Who knows that address could "
        "write in your name, so it has been replaced, and the old one is void.",
        "Reply to this mail or to later ones; replies to older mails are not carried out. What you "
        "want to tell the other players goes to them by `say:`, without copies.",
    )
    return note_page(
        f"[{game}] Your address in this game is a new one",
        "Your address was shown to others and has been replaced.",
        lines,
        game=game,
        about=about,
        templates=templates,
    )


def moved_page(
    game: str,
    seat: Seat,
    address: str,
    about: Title | None = None,
    holder: bool = False,
    templates: Path | None = None,
    dropped: str = "",
) -> Page:
    """Tells that a seat has another address: its new ``holder``, or somebody else concerned.

    ``dropped`` are commands of the former holder that waited, for the new one alone.
    """
    if holder:
        headline = f"You play as {seat} in {game} from now on."
        lines: tuple[str, ...] = (
            "The operator has given the seat to this address. Reply to this mail to play; what was "
            "sent to the former address works no more.",
            "`resend` brings the turn mail if it is your turn, `status` the position, `history` "
            "what happened so far, `help` all commands.",
        )
        if dropped:
            lines += (f"Dropped with the former holder, who wrote it ahead: {dropped}.",)
    else:
        headline = f"The seat {seat} in {game} has another address."
        lines = (
            f"The operator has given the seat to {address}. What was sent to the former address "
            "works no more. If that is not right, write to the operator.",
        )
    return note_page(
        f"[{game}] {headline}", headline, lines, game=game, about=about, templates=templates
    )


def _not_done(subject: str) -> str:
    subject = subject.strip() or "your mail"
    answer = subject if subject.casefold().startswith("re:") else f"Re: {subject}"
    return f"{answer} – NOT DONE"
