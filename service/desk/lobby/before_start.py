"""What is written about a game that has not begun, and by the office of one that has.

The talk, choices and questions that have a turn to go with are `service/desk/turns/turn.py`'s.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import msgspec

from service.commands.command import Command
from service.commands.refusal import Refused
from service.desk.director import directing
from service.desk.effects import Effect, done, refused
from service.desk.game_email import GameContext
from service.desk.letters.follow_up import opening_letters
from service.desk.letters.post import At
from service.desk.lobby import lobby
from service.desk.lobby.lobby_letters import said_page, to_organiser, to_others, told
from service.desk.lobby.lobby_options import OPTIONS
from service.desk.lobby.lobby_queries import answer_to
from service.desk.turns import seat_words
from service.games import observers
from service.games.commit import commit_opening, handle_at
from service.games.games import GameTable, seat_settings
from service.reports import Page, Result, joined_page
from service.store import Letter, Tx, rations

# talk, choices, questions

PLAYERS_CHOOSE = "It is a player who chooses that, in a mail from the seat."
THE_ORGANISER = "The organiser"
IS_OVER = "{game} is over: nobody is told."
#: words of players about the letters that they get
CHOICES = frozenset(
    ("images", "digest", "news", "zone", "alarm", "release", "quiet", "remind", "auto-leave")
)


def before_start(context: GameContext, commands: Sequence[Command]) -> Effect:
    """Talk to all who have joined, settings and questions."""
    table, seat = context.table, context.seat
    results: list[Result] = []
    says = [command for command in commands if command.word == "say"]
    texts, limit = [command.rest for command in says if command.rest], _limit(context, says)
    results += [seat_words.say(command, limit) for command in says]
    letters: list[Letter] = []
    if texts and not limit:
        called = context.holder or THE_ORGANISER
        letters = to_others(
            context.desk, table, seat, said_page(context.desk, table, called, texts)
        )
    chosen = seat
    for command in commands:
        if command.word not in CHOICES:
            continue
        if chosen is None:
            results.append(refused(command, PLAYERS_CHOOSE))
            continue
        settings, result = seat_words.choose(command, seat_settings(chosen))
        results.append(result)
        if result.status == "ok":
            chosen = replace(chosen, settings=msgspec.json.encode(settings))
    asked = [one for one in commands if one.word != "say" and one.word not in CHOICES]
    for place, command in enumerate(asked, 1):
        if command.word == "help":
            results.append(_helped(context, command))
        else:
            results.append(answer_to(context.store, table, command, place, context.desk))
    seats = tuple(chosen if chosen and one.id == chosen.id else one for one in table.seats)

    def write(tx: Tx) -> None:
        if chosen is not None and chosen is not seat:
            tx.change_seat(chosen.id, settings=chosen.settings)
        if letters:
            who = rations.player(context.game, context.holder, "talk")
            tx.count_answer(who, context.desk.now)

    changes = bool(letters) or chosen is not seat
    return Effect(results, replace(table, seats=seats), letters, write, changes)


def _helped(context: GameContext, command: Command) -> Result:
    try:
        answer = context.help(command.rest)
    except LookupError as why:
        return refused(command, str(why.args[0]))
    return Result(command.number, command.shown, "answer", answer=answer)


def _limit(context: GameContext, says: Sequence[Command]) -> str:
    """Why nothing is said to all, "" if it is: the whole of it, or nothing."""
    if not says:
        return ""
    if context.table.row.status in ("abandoned", "ended"):
        return IS_OVER.format(game=context.game)
    who = rations.player(context.game, context.holder, "talk")
    with context.store.transaction() as tx:
        ration = tx.ration(who, context.desk.now)
    return seat_words.too_much(
        [one.rest for one in says if one.rest], context.desk.house.talk, ration
    )


# acts

NOT_THAT_GAME = "Your mail came to an address of {game}, not of that game."
NO_SEAT = "The organiser has no seat to leave; `cancel` ends the game."
KICK_WHOM = "Write whom: `kick NAME`."
FREE_AGAIN = "The seat of {name} is free again; its address holds no more."


def leave(context: GameContext, command: Command) -> Effect:
    """`leave`: a player gives their seat up."""
    _this_game(context, command)
    if context.seat is None:
        raise Refused(NO_SEAT)
    return _without(context, command, context.seat.name)


def kick(context: GameContext, command: Command) -> Effect:
    """`kick Bob`: the organizer frees a seat, confirmed or not."""
    if not command.rest:
        raise Refused(KICK_WHOM)
    return _without(context, command, lobby.seat_called(context.table, command.rest).name)


def _without(context: GameContext, command: Command, name: str) -> Effect:
    before, gone = context.table, context.table.seat(name)
    after = replace(before, seats=tuple(seat for seat in before.seats if seat.id != gone.id))
    return _changed(
        context,
        after,
        done(command, FREE_AGAIN.format(name=name)),
        lambda tx: lobby.free(tx, before, gone),
    )


def cancel(context: GameContext, command: Command) -> Effect:
    """`cancel dixie7`: the game is called off; without its name it is asked first."""
    _this_game(context, command)
    name, sure = context.game, bool(command.rest)
    if not sure:
        asks = Result(
            command.number, command.shown, "asks", notes=(lobby.ARE_YOU_SURE.format(game=name),)
        )
        return Effect((asks,))
    after, text = lobby.called_off(context.table, sure=True)

    def write(tx: Tx) -> None:
        tx.set_status(after.row.id, after.row.status, context.desk.now)
        observers.plan(tx, name, after.row.status, context.desk.now)

    return _changed(context, after, done(command, text), write)


def option(context: GameContext, command: Command) -> Effect:
    """`clock each 48h`, `batch 06:00 18:00` … : what the organizer chooses of the game."""
    word = command.word.split()[0]
    after, text = OPTIONS[word](context.table, command.rest)
    return _changed(
        context,
        after,
        done(command, text),
        lambda tx: handle_at(tx, after, after.settings.batch, context.desk.now),
    )


def _changed(
    context: GameContext, after: GameTable, result: Result, write: Callable[[Tx], object]
) -> Effect:
    """A game that is another one then; those whom it concerns are told."""

    def store(tx: Tx) -> None:
        write(tx)

    letters = told(context.desk, context.table, after, context.seat)
    return Effect((result,), after, letters, store, changes=True)


def _this_game(context: GameContext, command: Command) -> None:
    """Raises Refused where another game is named."""
    if command.rest and command.rest.lower().rstrip(".!") != context.game:
        raise Refused(NOT_THAT_GAME.format(game=context.game))


BEGINS = "{game} has begun."
SEATS_BY_LOT = "Seats by lot: {names}."


def start(context: GameContext, command: Command) -> Effect:
    """`start`: the game begins, as what is written above it has left it."""
    _this_game(context, command)
    opening = lobby.opening(context.table, context.desk.house.secret, context.desk.now)
    begun, desk = opening.begun, context.desk

    def write(tx: Tx) -> None:
        commit_opening(tx, desk.occasion, begun, opening.step, desk.now)

    names = ", ".join(seat.name for seat in begun.players)
    closing = (BEGINS.format(game=context.game), SEATS_BY_LOT.format(names=names))
    letters = opening_letters(desk, begun)
    return Effect((done(command),), None, letters, write, changes=True, closing=closing)


# the answer to an invitation

JOINED = "{name} has joined {game}."
CALLED_OFF = "{game} was called off."


def accept(context: GameContext, command: Command) -> Effect:
    """`yes` of somebody who is asked to take a seat, or to be the assistant."""
    if context.seat is None:
        return directing.accept(context, [command])
    seat, desk, game = context.seat, context.desk, context.game
    with context.store.transaction() as tx:
        table = lobby.joining(tx, game, seat)
    letters = []
    if table.row.organiser != seat.address:
        letters.append(to_organiser(desk, table, JOINED.format(name=seat.name, game=game)))

    def write(tx: Tx) -> None:
        lobby.confirm(tx, game, seat)

    def receipt(_: Sequence[Result]) -> Page:
        own = desk.house.button_address(context.reader, seat.epoch, 0)
        players, templates = [one.name for one in table.players], desk.house.templates
        return joined_page(context.reader, table.title, own, players, templates=templates)

    def letter(page: Page) -> Letter:
        return desk.to_seat("welcome", At(game), seat, page, answers=context.mail)

    return Effect(
        (done(command),), table, letters, write, changes=True, receipt=receipt, letter=letter
    )
