"""The assistant of a tournament: the question, the answer, and the same assistant in all games."""

from functools import partial

import msgspec

from service.desk.answering.effects import Effect
from service.desk.letters.desk import Desk
from service.desk.rationing import named_addresses
from service.desk.tournament.answering.tournament_context import TournamentContext
from service.desk.tournament.directing.tournament_directing import Instruction
from service.desk.tournament.letters.tournament_letters import (
    TournamentText,
    ticket_of_office,
    to_director,
    to_ticket,
)
from service.desk.tournament.stored.keeping import change_of
from service.games.games import load
from service.refusal import Refused
from service.said import (
    ASKED_TO_BE_ASSISTANT,
    DIRECTOR_ALREADY,
    NAME_A_NON_PLAYER,
    NAME_ANOTHER_ADDRESS,
    WILL_YOU_ASSIST,
    YES_TAKES_IT,
)
from service.store import Letter, Tx
from service.tournaments.acts import ASSISTANT, LoggedAct, OfficeGiven
from service.tournaments.tournament import Tournament

ASKED_TO_ASSIST = (
    "The director of {tournament}, a tournament of 18xx railway games by email, asks you to be its "
    "assistant. You would direct with them, and rule on the table where the director plays."
)


def invitation(desk: Desk, tournament: Tournament) -> Letter:
    """To somebody who is asked to be the assistant: they reply with one word, or not at all."""
    name = tournament.name
    lines = (ASKED_TO_ASSIST.format(tournament=name), YES_TAKES_IT)
    said = TournamentText(
        ASKED_TO_BE_ASSISTANT, lines, commands=("yes",), kind="assistant", subject=WILL_YOU_ASSIST
    )
    return to_ticket(desk, ticket_of_office(tournament, ASSISTANT, tournament.invited), said)


IS_ASKED = "{address} is asked, and is the assistant once they say `yes`."
NO_ASSISTANT = "{tournament} has no assistant."
WRITE_THE_ADDRESS = "Add the address: `assistant eve@example.org`."
PLAYS = "{name} plays."


def assistant(context: TournamentContext, said: Instruction) -> Effect:
    """Ask a person to rule where the director plays, or have no assistant."""
    desk, tournament = context.desk, context.tournament
    if said.rest.lower() in ("off", "none"):
        none = [LoggedAct(OfficeGiven(ASSISTANT, ""), context.office)]
        made = change_of(desk, tournament, none, also=partial(assist, tournament, ""))
        return context.did(said.command, made, NO_ASSISTANT.format(tournament=tournament.name))
    address = named_addresses.read(said.rest, WRITE_THE_ADDRESS)
    if address == tournament.rules.director.lower():
        raise Refused(DIRECTOR_ALREADY, hint=NAME_ANOTHER_ADDRESS)
    entry = tournament.at_address(address)
    if entry is not None and entry.state == "entered":
        raise Refused(PLAYS.format(name=entry.name), hint=NAME_A_NON_PLAYER)
    named_addresses.check(context.reads, desk, address)
    asked = [LoggedAct(OfficeGiven(ASSISTANT, address, asked=True), context.office)]
    letter = invitation(desk, msgspec.structs.replace(tournament, invited=address))
    count = partial(named_addresses.count, address=address, now=desk.now)
    made = change_of(desk, tournament, asked, [letter], also=count)
    return context.did(said.command, made, IS_ASKED.format(address=address))


YOU_PLAY = "You play in this tournament, so you cannot be its assistant."
WITHDRAW_FIRST = "To assist instead, first reply `withdraw` to an email about your entry."
NOTHING_WAITS = "Nothing waits for your `yes`."
IS_ASSISTANT = "{address} is the assistant of {tournament}."
SAME_ASSISTANT = "All tables have the same assistant from now on."


def accept(context: TournamentContext, said: Instruction) -> Effect:
    """`yes`: somebody who was asked agrees to be the assistant."""
    if context.office != ASSISTANT or context.agreed:
        raise Refused(NOTHING_WAITS)
    desk, tournament, address = context.desk, context.tournament, context.tournament.invited
    entry = tournament.at_address(address)
    if entry is not None and entry.state == "entered":
        # they have entered since they were asked
        raise Refused(YOU_PLAY, hint=WITHDRAW_FIRST)
    text = IS_ASSISTANT.format(address=address, tournament=tournament.name)
    words = TournamentText(text, (SAME_ASSISTANT,), kind="assistant")
    acts = [LoggedAct(OfficeGiven(ASSISTANT, address), ASSISTANT)]
    letters = [to_director(desk, tournament, words)]
    made = change_of(desk, tournament, acts, letters, also=partial(assist, tournament, address))
    return context.did(said.command, made, text)


def assist(tournament: Tournament, address: str, tx: Tx) -> None:
    """Give all games in play this assistant, "" for none."""
    for table in tournament.playing:
        game = load(tx, table.game)
        assert game is not None
        if game.settings.assistant != address:
            tx.games.set_settings(game.row.id, game.settings.with_assistant(address).stored())
