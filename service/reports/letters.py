"""Letters around a game: joining, beginning, help, strangers; they need no position."""

from collections.abc import Sequence
from pathlib import Path

from engine import Seat, Title
from service.reports.answers import help_
from service.reports.blocks import Block, Lines, Pairs, Row, Verbatim
from service.reports.position import sources
from service.reports.rendering import page
from service.reports.scene import Answer, Page
from service.reports.subjects import answering
from service.reports.turn import Button


def letter(
    kind: str,
    subject: str,
    headline: str,
    blocks: Sequence[Block],
    *,
    game: str = "",
    title: Title | None = None,
    about: Title | None = None,
    seat: Seat = "",
    buttons: Sequence[Button] = (),
    reply_to: str = "",
    answer: Answer | None = None,
    templates: Path | None = None,
) -> Page:
    """A letter of a kind; ``about`` is the title of a game whose letter does not name it."""
    footed = title or about
    return page(
        kind,
        subject,
        answer.figures if answer else (),
        templates,
        game=game,
        title=title.name if title else "",
        mark="",
        number="",
        seat=seat,
        headline=headline,
        blocks=tuple(blocks),
        buttons=tuple(buttons),
        reply_to=reply_to,
        provenance=sources(footed.facts.provenance, footed.overlay) if footed else (),
        link="",
    )


def confirm_page(
    game: str,
    title: Title,
    seat: Seat,
    organiser: str = "",
    reply_to: str = "",
    until: str = "",
    templates: Path | None = None,
) -> Page:
    """Asks whether the owner of an address wants the seat (double opt-in): the reply is `yes`.

    ``until`` says when the offer lapses.
    """
    asked = f" {organiser} has set the game up." if organiser else ""
    text = (
        f"Somebody, we hope you, asked for the seat {seat} in “{game}”, a game of {title.name}, "
        f"{title.facts.subtitle}, played by mail.{asked}",
        "If you want to play, reply to this mail with the one word below. If not, do nothing: you "
        "will not hear of us again.",
        *([f"The seat is kept for you until {until}; then it is free for anybody."] * bool(until)),
    )
    blocks = (Lines("", text), Verbatim("REPLY WITH", ("yes",)))
    return letter(
        "confirm",
        f"[{game}] Do you want to play as {seat}? Reply yes",
        f"Do you want to play {title.name} as {seat}?",
        blocks,
        game=game,
        title=title,
        seat=seat,
        buttons=(Button("Yes, I play", "yes"),),
        reply_to=reply_to,
        templates=templates,
    )


def joined_page(
    game: str,
    title: Title,
    seat: Seat,
    address: str,
    players: Sequence[Seat] = (),
    templates: Path | None = None,
) -> Page:
    """The seat is confirmed, ``address`` is its own; the game has not begun."""
    needed = f"{title.seats[0]} to {title.seats[-1]}"
    text = (
        f"You play as {seat}. The game begins when its organiser starts it, with {needed} players."
    )
    blocks = (
        Lines("", (text, f"Joined so far: {', '.join(players) or seat}.")),
        *_MANNERS,
    )
    return letter(
        "joined",
        f"[{game}] You have joined as {seat}",
        f"Welcome, {seat}: you have a seat in “{game}”.",
        blocks,
        game=game,
        title=title,
        seat=seat,
        buttons=(Button("Show me the map", "map"), Button("Help", "help")),
        reply_to=address,
        templates=templates,
    )


def welcome_page(
    game: str,
    title: Title,
    seat: Seat,
    address: str,
    players: Sequence[Seat] = (),
    templates: Path | None = None,
) -> Page:
    """The game begins: who plays, by which rules, how to write.

    ``players`` as seated; ``address`` is the seat's own.
    """
    rules = [f"{title.name}, {title.facts.subtitle}, rules {title.facts.rulebook}."]
    summaries = [title.summary(v) for v in sorted(title.variants)]
    rows = [Row("rules", tuple(rules)), Row("variants", tuple(summaries) or ("none",), True)]
    if players:
        order = f"{', '.join(players)} (drawn by lot; {players[0]} has the priority deal)"
        rows.insert(0, Row("seats", (order,)))
    if title.overlay:
        rows.append(Row("own facts", (title.overlay,)))
    blocks = (Pairs("THE GAME", tuple(rows)), *_MANNERS)
    return letter(
        "welcome",
        f"[{game}] The game begins: you play as {seat}",
        f"“{game}” begins, {seat}.",
        blocks,
        game=game,
        title=title,
        seat=seat,
        buttons=(Button("Show me the map", "map"), Button("Help", "help")),
        reply_to=address,
        templates=templates,
    )


_MANNERS: tuple[Block, ...] = (
    Lines(
        "HOW TO PLAY",
        (
            "When it is your turn a mail tells you all you need: what happened, what you may do, "
            "and what to write. Reply to it with commands at the top, one a line.",
            "Every mail of yours gets an answer. It says what was done, or why nothing was: a mail "
            "is carried out whole or not at all.",
            "At any time you may write `help`, `status`, `map` or `say: hello everybody`.",
        ),
    ),
    Lines(
        "YOUR SEAT'S ADDRESS",
        (
            "Your replies go to an address of their own that stands for your seat. Who knows it "
            "can play for you, so do not pass our mails on.",
        ),
    ),
)


def created_page(
    game: str,
    title: Title,
    mailbox: str,
    reply_to: str = "",
    until: str = "",
    templates: Path | None = None,
) -> Page:
    """Tells an organiser that a game is open: how others join, how it starts.

    ``until`` says when it lapses if it has not begun.
    """
    chosen = [f"{name}: {title.summary(name)}" for name in sorted(title.variants)]
    needed = f"{title.seats[0]} to {title.seats[-1]}"
    blocks = (
        Pairs(
            "THE GAME",
            (
                Row("title", (f"{title.name}, {title.facts.subtitle}",)),
                *([Row("own facts", (title.overlay,))] if title.overlay else ()),
                Row("players", (f"{needed}; seats are drawn by lot at the start",)),
                Row("variants", tuple(chosen) or ("none",), True),
            ),
        ),
        Lines("", (f"Everybody who wants to play, you too, writes to {mailbox}:",)),
        Verbatim("TO JOIN", (f"join {game} as NAME",)),
        Lines("", ("When all have joined, reply to this mail:",)),
        Verbatim("TO BEGIN", (f"start {game}",)),
        Lines(
            "",
            (
                *([f"If it has not begun by {until}, it lapses, and you are told."] * bool(until)),
                "Before it begins you may also reply `status`, `kick NAME`, `cancel`, or "
                "`say: …` to all who have joined.",
            ),
        ),
    )
    return letter(
        "created",
        f"[{game}] Your game of {title.name} is open",
        f"“{game}” is open for players.",
        blocks,
        game=game,
        title=title,
        buttons=(Button("Start the game", f"start {game}"),),
        reply_to=reply_to,
        templates=templates,
    )


def note_page(
    subject: str,
    headline: str,
    lines: Sequence[str],
    commands: Sequence[str] = (),
    game: str = "",
    reply_to: str = "",
    about: Title | None = None,
    templates: Path | None = None,
) -> Page:
    """A short letter: what was done or could not be done, and what to write.

    ``about`` is the title of the game that it is about.
    """
    blocks: list[Block] = [Lines("", tuple(lines))]
    if commands:
        blocks.append(Verbatim("WRITE, for example", tuple(commands)))
    return letter(
        "note",
        subject,
        headline,
        blocks,
        game=game,
        about=about,
        reply_to=reply_to,
        templates=templates,
    )


def answer_page(
    subject: str,
    headline: str,
    answer: Answer,
    game: str = "",
    about: Title | None = None,
    templates: Path | None = None,
) -> Page:
    """The answer to a query of somebody who has no seat; ``about`` is the game's title."""
    return letter(
        "answer",
        subject,
        headline,
        answer.blocks,
        game=game,
        about=about,
        answer=answer,
        templates=templates,
    )


def help_page(
    title: Title | None = None,
    word: str = "",
    subject: str = "Help",
    templates: Path | None = None,
) -> Page:
    """All commands, or one."""
    answer = help_(title, word)
    headline = f"Help: {word}" if word else "What you can write"
    return letter("help", subject, headline, answer.blocks, title=title, templates=templates)


def stranger_page(
    mailbox: str,
    games: Sequence[str] = (),
    subject: str = "Your mail",
    templates: Path | None = None,
) -> Page:
    """To somebody who wrote without a seat: what this is and how to join."""
    public = "Games that wait for players or go on: " + (", ".join(games) or "none") + "."
    blocks = (
        Lines(
            "",
            (
                "This is a moderator for 18xx railway games played by mail. Your mail did not come "
                "from a seat in a game, so nothing was done.",
                "If you play in a game, reply to one of its mails from the address you joined "
                "with. If you answered the offer of a seat, it has lapsed or was given up: join "
                "again.",
                public,
            ),
        ),
        Pairs(
            f"WRITE TO {mailbox}",
            (
                Row("`join GAME as NAME`", ("take a seat in a game that waits for players",)),
                Row("`create 18AL GAME`", ("open a new game",)),
                Row("`games`", ("the games that are played here",)),
                Row("`status GAME`", ("a game's position; also `map GAME`, `history GAME`",)),
                Row("`help`", ("all commands",)),
            ),
        ),
    )
    return letter(
        "stranger",
        answering(subject),
        "You have no seat here yet.",
        blocks,
        templates=templates,
    )


def foreign_page(
    game: str,
    seat: Seat,
    sender: str,
    about: Title | None = None,
    asked: Sequence[str] = (),
    mail: int = 0,
    reply_to: str = "",
    templates: Path | None = None,
) -> Page:
    """Warns a player of a game of ``about`` that another's mail came to his seat's address.

    ``asked`` are lines of that mail if it can be confirmed; ``mail`` is its number then.
    """
    lines = (
        f"A mail from {sender} came to your seat's address. Nothing of it was done, because it did "
        "not come from the address you joined with.",
        "If it was you, "
        + (f"reply `yes {mail}` to have it carried out, or " if asked else "")
        + "send it again from the address you joined with. If it was not, somebody knows your "
        "seat's address: write `new token` to get another one, and tell the organiser.",
    )
    blocks: list[Block] = [Lines("", lines)]
    if asked:
        blocks += [Verbatim("IT SAYS", tuple(asked)), Verbatim("REPLY WITH", (f"yes {mail}",))]
    return letter(
        "foreign",
        f"[{game}] Somebody wrote in your name",
        f"Somebody wrote in your name, {seat}.",
        blocks,
        game=game,
        about=about,
        seat=seat,
        buttons=(
            (Button("Yes, it was me", f"yes {mail}"), Button("A new token", "new token"))
            if asked
            else ()
        ),
        reply_to=reply_to,
        templates=templates,
    )
