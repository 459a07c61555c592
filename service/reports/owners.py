"""Letters about who may write for a seat: mails from elsewhere, and addresses shown to others."""

from collections.abc import Sequence

from service.audience import Audience
from service.reports.letters import note_page
from service.reports.scene import About, Page

_MOST = 5


def away_page(to: Audience, game: str, subject: str, about: About) -> Page:
    """To the address from which somebody wrote in a player's name: what to do if it was them."""
    lines = (
        f"Your email came to an address of {game}, but not from the one that its owner joined "
        f"with. "
        "Nothing of it was done.",
        "If you are the owner: an email to the address that you joined with tells how to have "
        "your email carried out. Or send it again from there.",
    )
    return note_page(to, _not_done(subject), "NOT DONE", lines, about=about)


def unknown_page(to: Audience, mail: str, why: str, subject: str, about: About) -> Page:
    """To a player who confirmed a mail that does not wait, or does no more; ``why``, if known."""
    lines = (
        f"No email {mail} waits for your yes, {to.name}: "
        f"{why or 'there is none, or you have said yes before'}.",
        "Write what you want to do as commands. To agree to a sale that waits for you, write "
        "`accept`.",
    )
    return note_page(to, _not_done(subject), "NOT DONE", lines, about=about)


def renewed_page(to: Audience, others: Sequence[str], about: About) -> Page:
    """Tells a player, the organiser or the assistant that a mail has shown their address."""
    shown = ", ".join(others[:_MOST])
    if len(others) > _MOST:
        shown = f"{shown} and {len(others) - _MOST} more"
    whose = f"{to.seat}'s address" if to.seat else f"your address as {to.name}"
    word = "say" if to.seat else "announce"
    lines = (
        f"An email to {whose} in {to.game} went to others too: {shown}. Anybody who has that "
        f"address could write in your name, so it has been replaced. The old one no longer works.",
        "Reply to this email or to later ones; replies to older emails are not carried out. "
        "What you "
        f"want to tell {'the other' if to.seat else 'all'} players goes to them by `{word}:`, "
        "without copies.",
    )
    return note_page(
        to,
        f"[{to.game}] You have a new address in this game",
        "Your address was shown to others and has been replaced.",
        lines,
        about=about,
    )


def _not_done(subject: str) -> str:
    subject = subject.strip() or "your mail"
    answer = subject if subject.casefold().startswith("re:") else f"Re: {subject}"
    return f"{answer} – NOT DONE"
