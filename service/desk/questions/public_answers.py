"""Answers for anybody: the listed games, the help, and what is public about a game."""

from dataclasses import replace

import msgspec

from engine.events import Corrected
from service.commands.command import Command
from service.commands.entry import When, Who, first_word
from service.commands.helping import help_
from service.desk.answering.effects import Effect
from service.desk.channels.private_email import PrivateEmail
from service.desk.questions.queries import Queries, games_block
from service.desk.questions.sources import for_all
from service.desk.strangers.stranger_mail import StrangerContext
from service.games import games
from service.games.games import GameTable, Past
from service.games.shown import LISTED, is_listed, why_not_told
from service.refusal import Refused
from service.reports import Answer, Result
from service.reports.letters import JOIN_AS
from service.reports.tables import Lines, Verbatim
from service.said import HAS_JOINED, WRITE_FOR_EXAMPLE


def _answered(command: Command, answer: Answer, what: str = "") -> Result:
    canonical = f"{command.word} {what}".strip()
    return Result(command.number, canonical, "answer", canonical, answer=answer)


def list_games(context: StrangerContext, command: Command) -> Effect:
    """`games`: the listed games, and the sender's own."""
    rows = context.reads.games.lines("open", "running", ended_since=context.desk.now - LISTED)
    block = games_block(rows, context.own(rows))
    return Effect((_answered(command, Answer((block,))),))


def help_with(context: StrangerContext, command: Command) -> Effect:
    """`help`, `help WORD`; a move means the game of the email's question before it."""
    vocabulary, where, when = context.desk.service.commands, PrivateEmail.where, When.OPEN
    title = context.seen.told[0].title if context.seen.told else None
    # one word alone, because the text after it could be anything
    word = first_word(command.rest).lower()
    found = help_(vocabulary, Who.STRANGER | Who.PLAYER, where, when, title, word) if word else None
    if found is None:
        # the request is not repeated, because From may be forged
        word, found = "", help_(vocabulary, Who.STRANGER, where, when)
    assert found is not None
    return Effect((_answered(command, found, word),))


NOT_UNDERSTOOD = "Waybill did not understand what comes after `{word} {game}`."


def tell(context: StrangerContext, command: Command) -> Effect:
    """`status dixie7`, `map dixie7`: public facts, or an owner's view of their own games."""
    name, _, rest = command.rest.partition(" ")
    table, page = context.seen.called(name.lower())
    waits = table.head is None and is_listed(table.row)
    if not waits and table.row.name not in context.own([table.row]):
        secret = context.desk.service.secret
        why = why_not_told(table.row, table.settings, secret, page)
        if why:
            raise Refused(why)
    if table.head is not None:
        all_of_it = command.word == "history"
        past = [_bare(one) for one in games.recent(context.reads, table, lambda _: not all_of_it)]
    seen, game = context.seen.mentioning(table), table.row.name
    if table.head is None:
        return Effect((_answered(command, _waiting(table), game),), changed=seen)
    scene = table.scene(context.desk.service.templates)
    asked = replace(command, rest=rest.strip())
    # Actions are public; what players said is for the players alone.
    known = replace(for_all(context.reads, table, games.GameLog(past)), work=context.work)
    found = Queries(scene, "", known).answer(asked)
    if found.answer is None:
        raise Refused(
            NOT_UNDERSTOOD.format(word=command.word, game=game),
            hint=f"Write `{command.word} {game}` alone.",
        )
    return Effect((_answered(command, found.answer, game),), changed=seen)


def _bare(past: Past) -> Past:
    """The actions without the reasons that somebody wrote, because the reader is not proved."""
    events = tuple(
        msgspec.structs.replace(event, because="") if isinstance(event, Corrected) else event
        for event in past.events
    )
    return replace(past, events=events)


FOR_PLAYERS = "{title} is for {fewest} to {most} players; the organizer starts it."


def _waiting(table: GameTable) -> Answer:
    """The state of a game that has not begun, for anybody: names, but no address."""
    name, title = table.row.name, table.title
    names = ", ".join(seat.name for seat in table.players) or "nobody"
    lines = (
        HAS_JOINED.format(game=name, title=title.name, names=names),
        FOR_PLAYERS.format(title=title.name, fewest=title.seats[0], most=title.seats[-1]),
    )
    return Answer((Lines("", lines), Verbatim(WRITE_FOR_EXAMPLE, (JOIN_AS.format(game=name),))))
