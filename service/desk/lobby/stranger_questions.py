"""What anybody may ask at Waybill's own address: which games there are, how they stand, help."""

from dataclasses import replace

import msgspec

from engine.events import Corrected
from service.commands.command import Command
from service.commands.entry import When, Where, Who, first_word
from service.commands.helping import help_
from service.commands.refusal import Refused
from service.desk.effects import Effect
from service.desk.lobby.stranger_mail import StrangerContext
from service.desk.turns.queries import Queries, Sources, games_block
from service.desk.watching import asking
from service.games import games
from service.games.games import GameTable, Past
from service.publish.shown import is_listed, why_not_told
from service.reports import Answer, Result
from service.reports.blocks import Lines, Verbatim
from service.said import HAS_JOINED


def _answered(command: Command, answer: Answer, what: str = "") -> Result:
    canonical = f"{command.word} {what}".strip()
    return Result(command.number, canonical, "answer", canonical, answer=answer)


def list_games(context: StrangerContext, command: Command) -> Effect:
    """`games`: those that are listed, and the sender's own."""
    with context.store.transaction() as tx:
        rows = tx.games.all()
    block = games_block(rows, context.own(rows))
    return Effect((_answered(command, Answer((block,))),))


def help_with(context: StrangerContext, command: Command) -> Effect:
    """`help`, `help WORD`; a move is one of the game that the email has asked about before."""
    vocabulary, where, when = context.desk.house.commands, Where.PRIVATE, When.OPEN
    title = context.told[0].title if context.told else None
    # one word alone: what follows it could be anything
    word = first_word(command.rest).lower()
    found = help_(vocabulary, Who.STRANGER | Who.PLAYER, where, when, title, word) if word else None
    if found is None:
        # what was asked for is not repeated to whom a forged email names
        word, found = "", help_(vocabulary, Who.STRANGER, where, when)
    assert found is not None
    return Effect((_answered(command, found, word),))


NOT_UNDERSTOOD = "Write `{word} {game}`: Waybill did not understand what comes after it."


def tell(context: StrangerContext, command: Command) -> Effect:
    """`status dixie7`, `map dixie7`: what everybody may know, and owners of their own games."""
    name, _, rest = command.rest.partition(" ")
    with context.store.transaction() as tx:
        table, named = asking.game_called(tx, name.lower())
        waits = table.head is None and is_listed(table.row)
        if not waits and table.row.name not in context.own([table.row]):
            secret = context.desk.house.secret
            why = why_not_told(table.row, table.settings, secret, named.page)
            if why:
                raise Refused(why)
        if table.head is not None:
            all_of_it = command.word == "history"
            past = [_bare(one) for one in games.recent(tx, table, lambda _: not all_of_it)]
    told, game = (*context.told, table), table.row.name
    if table.head is None:
        return Effect((_answered(command, _waiting(table), game),), told)
    scene = table.scene(context.desk.house.templates)
    asked = replace(command, rest=rest.strip())
    # What was done is everybody's to know, what was said is for the table alone.
    sources = Sources(games.Log(past), work=context.work)
    found = Queries(scene, "", sources).answer(asked)
    if found.answer is None:
        raise Refused(NOT_UNDERSTOOD.format(word=command.word, game=game))
    return Effect((_answered(command, found.answer, game),), told)


def _bare(past: Past) -> Past:
    """It without the reasons that somebody has written: nobody has proved who reads it."""
    events = tuple(
        msgspec.structs.replace(event, because="") if isinstance(event, Corrected) else event
        for event in past.events
    )
    return replace(past, events=events)


FOR_PLAYERS = "{title} is for {fewest} to {most} players; the organizer starts it."


def _waiting(table: GameTable) -> Answer:
    """How a game that has not begun stands, for anybody: names, but no address."""
    name, title = table.row.name, table.title
    names = ", ".join(seat.name for seat in table.players) or "nobody"
    lines = (
        HAS_JOINED.format(game=name, title=title.name, names=names),
        FOR_PLAYERS.format(title=title.name, fewest=title.seats[0], most=title.seats[-1]),
    )
    return Answer((Lines("", lines), Verbatim("WRITE, for example", (f"join {name} as NAME",))))
