"""Pages without a position: joining, the start of a game, help, strangers, failures."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from engine import Seat, Title
from engine.wording import cut
from service.audience import Audience, OnlyFor
from service.reports.position import brief
from service.reports.receipt import MARKS, NOT_DONE, answering
from service.reports.rendering import page
from service.reports.scene import About, Answer, Figure, Page, Result
from service.reports.tables import Block, Lines, Pairs, Row, Verbatim
from service.reports.turn import Button
from service.said import WRITE_FOR_EXAMPLE

REPLY_WITH = "REPLY WITH"
RUN = "RUN ON THE SERVER"
_TO_FILL_IN = re.compile(r"…|\b[A-Z]{3,}\b")


@dataclass(frozen=True, slots=True)
class LetterText:
    """The text of a letter, with its pictures."""

    subject: str
    headline: str
    blocks: Sequence[Block]
    figures: tuple[Figure, ...] = ()


def letter(
    to: Audience,
    kind: str,
    words: LetterText,
    about: About,
    buttons: Sequence[Button] = (),
    reply_to: OnlyFor[str] | None = None,
) -> Page:
    """A letter of some kind; its ``buttons`` write to ``reply_to``."""
    title = about.title
    return page(
        to,
        kind,
        words.subject,
        words.figures,
        about.templates,
        game=about.game,
        title=title.name if title and about.named else "",
        mark=about.mark,
        number="",
        seat=about.seat,
        headline=words.headline,
        blocks=tuple(words.blocks),
        buttons=tuple(buttons),
        reply_to=reply_to,
        provenance=brief(title.facts.provenance, title.overlay) if title else (),
        link="",
    )


NEW_HERE = "New to playing by email? Reply `help quickstart` for a page that explains it."
KEPT_FOR_YOU = "The seat is kept for you until {until}. After that, anybody can take it."


def confirm_page(
    to: Audience,
    title: Title,
    until: str = "",
    reply_to: OnlyFor[str] | None = None,
    *,
    templates: Path | None,
) -> Page:
    """Ask whether the owner of an address wants the seat (double opt-in): `yes` accepts.

    ``until`` says when the offer expires. The page names no person, because the creator of the game
    has proved nothing either.
    """
    game, seat = to.game, to.seat
    text = (
        f"You (or somebody using your address) asked to play as {seat} in “{game}”, a game of "
        f"{title.name}, {title.facts.subtitle}, by email.",
        "To play, reply `yes`. If you did not ask for this, ignore this email: Waybill will "
        "not write to you again.",
        *([KEPT_FOR_YOU.format(until=until)] * bool(until)),
        NEW_HERE,
    )
    blocks = (Lines("", text), Verbatim(REPLY_WITH, ("yes",)))
    words = LetterText(
        f"[{game}] Do you want to play as {seat}? Reply yes",
        f"Do you want to play {title.name} as {seat}?",
        blocks,
    )
    about = About(game, title, True, seat, templates=templates)
    return letter(to, "confirm", words, about, (Button("Yes, I play", "yes"),), reply_to)


def joined_page(
    to: Audience,
    title: Title,
    address: OnlyFor[str],
    players: Sequence[Seat] = (),
    *,
    templates: Path | None,
) -> Page:
    """The seat is confirmed, with its own ``address``; the game has not begun."""
    game, seat = to.game, to.seat
    needed = f"{title.seats[0]} to {title.seats[-1]}"
    text = (
        f"You play as {seat}. The game begins when its organizer starts it, with {needed} players."
    )
    blocks = (
        Lines("", (text, f"Joined so far: {', '.join(players) or seat}.")),
        *_MANNERS,
    )
    words = LetterText(
        f"[{game}] You have joined as {seat}",
        f"Welcome, {seat}: you have a seat in “{game}”.",
        blocks,
    )
    about = About(game, title, True, seat, templates=templates)
    return letter(to, "joined", words, about, _FIRST_STEPS, address)


#: how players got their seats, if nothing else is said
DRAWN = "drawn by lot"


def seated(players: Sequence[Seat], drawn: str = DRAWN) -> str:
    """The players in seating order, and how they got their seats."""
    return f"{', '.join(players)} ({drawn}; {players[0]} has the priority deal)"


def opening_blocks(
    title: Title, order: str = "", clock: str = "", *, known: bool = False
) -> tuple[Block, ...]:
    """The blocks at the start of a game: the players, the rules, and how to write.

    ``order`` describes the seating, as `seated` does. ``clock`` describes the game's clock, if any.
    ``known`` says whether the reader learned how to write when they joined.
    """
    rules = [f"{title.name}, {title.facts.subtitle}, rules {title.facts.rulebook}."]
    summaries = [title.summary(v) for v in sorted(title.variants)]
    rows = [Row("rules", tuple(rules)), Row("optional rules", tuple(summaries) or ("none",), True)]
    if order:
        rows.insert(0, Row("seats", (order,)))
    if clock:
        rows.append(Row("clock", (clock, "`clock` tells how it stands")))
    if title.overlay:
        rows.append(Row("own facts", (title.overlay,)))
    return (Pairs("THE GAME", tuple(rows)), *(() if known else _MANNERS))


FIRST_TURN = "{name} has the first turn. An email tells you when it is your turn."


def welcome_page(
    to: Audience,
    title: Title,
    address: OnlyFor[str],
    opening: Sequence[Block],
    first: str = "",
    *,
    templates: Path | None,
) -> Page:
    """The game begins, for a player who does not act first; ``first`` does.

    ``opening`` are its `opening_blocks`, ``address`` is the seat's address.
    """
    game, seat = to.game, to.seat
    next_ = [Lines("", (FIRST_TURN.format(name=first),))] if first else []
    blocks = (*next_, *opening)
    words = LetterText(
        f"[{game}] The game begins: you play as {seat}", f"“{game}” begins, {seat}.", blocks
    )
    about = About(game, title, True, seat, templates=templates)
    return letter(to, "welcome", words, about, _FIRST_STEPS, address)


_FIRST_STEPS = (Button("Show me the map", "map"), Button("Help", "help"))
_MANNERS: tuple[Block, ...] = (
    Lines(
        "HOW TO PLAY",
        (
            "When it is your turn, you get an email with what happened, what you may do, and "
            "what to write. Reply to it with your commands at the top, one per line.",
            "You get a receipt for every email. It says what was done, or why not. Either all "
            "moves of an email are made, or none.",
            "At any time you may write `help`, `status`, `map` or `say: hello everybody`.",
        ),
    ),
    Lines(
        "YOUR SEAT ADDRESS",
        (
            "Your replies go to a private address for your seat. Anybody who has it could "
            "play for you, so do not forward these emails.",
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class Waits:
    """The time that a game waits for players, the needs of its mailing list, and its clock."""

    until: str = ""
    mailing: tuple[str, ...] = ()
    #: a sentence about its clock, "" if it has none
    clock: str = ""


NO_WAITS = Waits()


IS_OPEN_SUBJECT = "[{game}] Your game of {title} is open"
IS_CANCELED = "If it has not started by {until}, it is canceled, and you get an email."
JOIN_AS = "join {game} as NAME"


def created_page(
    to: Audience,
    title: Title,
    mailbox: str,
    waits: Waits = NO_WAITS,
    reply_to: OnlyFor[str] | None = None,
    *,
    templates: Path | None,
) -> Page:
    """Tell an organizer that a game is open, how others join, and how it starts."""
    game = to.game
    chosen = [f"{name}: {title.summary(name)}" for name in sorted(title.variants)]
    needed = f"{title.seats[0]} to {title.seats[-1]}"
    its_list: tuple[Block, ...] = (
        (Lines("THE MAILING LIST", waits.mailing),) if waits.mailing else ()
    )
    blocks = (
        Pairs(
            "THE GAME",
            (
                Row("title", (f"{title.name}, {title.facts.subtitle}",)),
                *([Row("own facts", (title.overlay,))] if title.overlay else ()),
                Row("players", (f"{needed}; seats are drawn by lot at the start",)),
                Row("optional rules", tuple(chosen) or ("none",), True),
                *([Row("clock", (waits.clock,), True)] if waits.clock else ()),
            ),
        ),
        Lines("", (f"Everybody who wants to play, you included, writes to {mailbox}:",)),
        Verbatim("TO JOIN", (JOIN_AS.format(game=game),)),
        *its_list,
        Lines("", ("When all have joined, reply to this email:",)),
        Verbatim("TO BEGIN", (f"start {game}",)),
        Lines(
            "",
            (
                *([IS_CANCELED.format(until=waits.until)] * bool(waits.until)),
                "Before it begins you may also reply `status`, `kick NAME`, `cancel`, or "
                "`say: …` to all who have joined; or choose how it is played: `help` says how.",
            ),
        ),
    )
    words = LetterText(
        IS_OPEN_SUBJECT.format(game=game, title=title.name),
        f"“{game}” is open for players.",
        blocks,
    )
    about = About(game, title, True, templates=templates)
    buttons = (Button("Start the game", f"start {game}"),)
    return letter(to, "created", words, about, buttons, reply_to)


def note_page(
    to: Audience,
    subject: str,
    headline: str,
    lines: Sequence[str],
    commands: Sequence[str] = (),
    *,
    about: About,
    opened: Sequence[Block] = (),
) -> Page:
    """A short letter: what was done or not, what the game reveals, and what to write."""
    blocks: list[Block] = [Lines("", tuple(lines)), *opened]
    blocks += to_write(commands)
    return letter(to, "note", LetterText(subject, headline, blocks), about)


def to_write(commands: Sequence[str]) -> Sequence[Block]:
    """The commands to write: one to copy as it is, or examples; () for none.

    A command with "…" or a word in capitals is an example. One of Waybill's command line is for
    the operator's computer.
    """
    exact = len(commands) == 1 and not _TO_FILL_IN.search(commands[0])
    heading = REPLY_WITH if exact else WRITE_FOR_EXAMPLE
    if any(command.startswith("waybill ") for command in commands):
        heading = RUN
    return (Verbatim(heading, tuple(commands)),) if commands else ()


def answer_page(to: Audience, subject: str, headline: str, answer: Answer, about: About) -> Page:
    """The answer to a query of a person without a seat."""
    words = LetterText(subject, headline, answer.blocks, answer.figures)
    return letter(to, "answer", words, about)


NO_SEAT_YET = "You have no seat here yet."
FROM_A_SEAT = (
    "If you play in a game, reply to one of its emails from the address you joined with. If you "
    "answered an invitation to a seat, it has expired or the seat was given up: join again."
)
PUBLIC_GAMES = "Games that wait for players or go on: {games}."


def stranger_page(
    to: Audience,
    mailbox: str,
    games: Sequence[str] = (),
    subject: str = "Your email",
    *,
    templates: Path | None,
) -> Page:
    """To a person without a seat: what Waybill is and how to join."""
    public = PUBLIC_GAMES.format(games=", ".join(games) or "none")
    blocks = (
        Lines(
            "",
            (
                "This is Waybill, a moderator for 18xx railway games by email. Your email did "
                "not come from a seat in a game, so nothing was done.",
                FROM_A_SEAT,
                public,
            ),
        ),
        Pairs(
            f"WRITE TO {mailbox}",
            (
                Row("`join GAME as NAME`", ("take a seat in a game that waits for players",)),
                Row("`create 18AL GAME`", ("open a new game",)),
                Row("`watch GAME`", ("news of a game that you do not play in",)),
                Row("`games`", ("the games that are played here",)),
                Row("`status GAME`", ("a game's position; also `map GAME`, `history GAME`",)),
                Row("`help`", ("all commands",)),
            ),
        ),
    )
    words = LetterText(answering(subject), NO_SEAT_YET, blocks)
    return letter(to, "stranger", words, About(templates=templates))


@dataclass(frozen=True, slots=True)
class Confirmable:
    """An email in a player's name that is held for confirmation: number, some lines, deadline."""

    number: str
    lines: Sequence[str]
    until: str


_ASKED = {
    True: "Was this you? Somebody wrote in your name",
    False: "Was this you? An email is not done yet",
}
_PROPERLY = {True: "from the address you joined with", False: "in reply to an email of the game"}
#: the holder of an office → how they get a new address
_ANEW = {
    "organiser": "`new token` gets another one",
    "assistant": "the organizer gives you another one by `assistant ADDRESS` with your address",
}


def foreign_page(
    to: Audience,
    sender: str,
    why: str,
    about: About,
    asked: Confirmable | None = None,
    reply_to: OnlyFor[str] | None = None,
) -> Page:
    """Tell a player or the organizer about an email that does not prove its sender.

    ``sender`` is "" if it seems to be their own address. ``why`` says what the email lacks.
    ``asked`` is the email, if they can confirm it.
    """
    yes = f"yes {asked.number}" if asked else ""
    whose = "your seat's address" if to.seat else f"your address as {to.name}"
    came = f"An email from {sender} came to {whose}." if sender else f"An email came to {whose}."
    lines = [f"{came} Nothing of it was done, because {why}."]
    if asked:
        lines.append(f"If it was you, reply `{yes}`, and it is done. It waits until {asked.until}.")
    if sender or not asked:
        how = "from your own address" if to.kind == "assistant" else _PROPERLY[bool(sender)]
        lines.append(f"{'Or' if asked else 'If it was you,'} send it again {how}.")
    elif to.seat:
        lines.append(
            "To avoid this, set a pass phrase of four words, `pass-phrase set …`, and add a "
            "line `pass-phrase: …` to your emails."
        )
    lines.append(
        f"If it was not you, do nothing, and it will not be done. But somebody knows {whose}: "
        f"`new token` gets you another one. Tell the organizer, too."
        if to.seat
        else f"If it was not you, do nothing. Somebody knows {whose}: {_ANEW[to.name]}."
    )
    blocks: list[Block] = [Lines("", tuple(lines))]
    buttons: tuple[Button, ...] = ()
    if asked:
        blocks += [Verbatim("IT SAYS", tuple(asked.lines)), Verbatim(REPLY_WITH, (yes,))]
        buttons = (Button("Yes, it was me", yes), Button("A new token", "new token"))
    words = LetterText(
        f"[{to.game}] {_ASKED[bool(sender)]}",
        f"Somebody wrote in your name, {to.name}. Was it you?"
        if sender
        else f"An email in your name is not done yet, {to.name}. Was it you?",
        blocks,
    )
    return letter(to, "foreign", words, about, buttons, reply_to)


_MOST = 5


def not_done_page(
    to: Audience,
    reply_subject: str,
    lines: Sequence[str],
    about: About,
    headline: str = NOT_DONE,
) -> Page:
    """The answer to an email of which nothing was done; the lines say why."""
    return note_page(to, answering(reply_subject, NOT_DONE), headline, lines, about=about)


def away_page(to: Audience, game: str, subject: str, about: About) -> Page:
    """To the address of an email in a player's name: what to do if the player wrote it."""
    lines = (
        f"Your email came to an address of {game}, but not from the one that its owner joined "
        f"with. "
        "Nothing of it was done.",
        "If you are the owner: an email to the address that you joined with tells how to have "
        "your email carried out. Or send it again from there.",
    )
    return not_done_page(to, subject, lines, about)


NO_EMAIL_WAITS = "No email {number} waits for your yes, {name}: {why}."
NONE_WAITS = "there is none, or you have said yes before"


def unknown_page(to: Audience, mail: str, why: str, subject: str, about: About) -> Page:
    """To a player who confirmed an email that is not waiting; ``why``, if known."""
    lines = (
        NO_EMAIL_WAITS.format(number=mail, name=to.name, why=why or NONE_WAITS),
        "Write what you want to do as commands. To agree to a sale that waits for you, write "
        "`accept`.",
    )
    return not_done_page(to, subject, lines, about)


def renewed_page(to: Audience, others: Sequence[str], about: About) -> Page:
    """Tell a player, organizer or assistant that an email showed their address to others."""
    shown = ", ".join(others[:_MOST])
    if len(others) > _MOST:
        shown = f"{shown} and {len(others) - _MOST} more"
    whose = f"{to.seat}'s address" if to.seat else f"your address as {to.name}"
    word = "say" if to.seat else "announce"
    lines = (
        f"An email to {whose} in {to.game} went to others too: {shown}. Anybody who has that "
        f"address could write in your name, so it has been replaced. The old one no longer works.",
        "Reply to this email or to later ones. Replies to older emails are not carried out. "
        f"To write to {'the other' if to.seat else 'all'} players, use `{word}:`, not copies.",
    )
    return note_page(
        to,
        f"[{to.game}] You have a new address in this game",
        "Your address was shown to others and has been replaced.",
        lines,
        about=about,
    )


def fault_page(
    to: Audience, mail: int, sender: str, game: str, error: str, *, templates: Path | None
) -> Page:
    """Tell the operator about an email that was put aside because of a bug in the program."""
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
    """Sum up for the operator what was put aside since the last letter.

    ``number`` is how much is put aside now. ``latest`` has the email or task, its sender or kind,
    the game, and the fault.
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


def lobby_page(
    to: Audience,
    subject: str,
    headline: str,
    results: Sequence[Result],
    standing: Sequence[str],
    about: About,
) -> Page:
    """The receipt of an email before the start: the result of each line, and the status."""
    rows = [
        Row(MARKS[result.status], (result.text, *result.notes), True)
        for result in results
        if result.answer is None
    ]
    blocks: list[Block] = [Pairs("", tuple(rows))] if rows else []
    figures: dict[str, Figure] = {}
    for result in results:
        if result.answer is not None:
            blocks += [Lines("", (f"> {result.text}",)), *result.answer.blocks]
            figures |= {figure.cid: figure for figure in result.answer.figures}
    blocks.append(Lines("", tuple(standing)))
    answer = Answer(tuple(blocks), tuple(figures.values()))
    files = tuple(file for r in results if r.answer is not None for file in r.answer.files)
    return replace(answer_page(to, subject, headline, answer, about), files=files)


def without_pictures(results: Sequence[Result]) -> list[Result]:
    """The results for a reader who wants no pictures."""
    return [
        replace(result, answer=replace(result.answer, figures=())) if result.answer else result
        for result in results
    ]
