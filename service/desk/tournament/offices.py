"""The assistant of a tournament: the question, the answer, and the same assistant in all games."""

from dataclasses import replace

import msgspec

from service.desk.answering.effects import Effect
from service.desk.letters import post
from service.desk.letters.post import Desk
from service.desk.tournament.cup_directing import Instruction
from service.desk.tournament.cup_email import CupContext
from service.desk.tournament.cup_known import CupPlan, Doing, KnownCup, ticket_of_office
from service.desk.tournament.cup_letters import CupText, to_director, to_ticket
from service.desk.tournament.cup_log import ASSISTANT, OfficeGiven
from service.games.games import load
from service.mail.message import is_address
from service.refusal import Refused
from service.said import ASKED_TO_BE_ASSISTANT, DIRECTOR_ALREADY, WILL_YOU_ASSIST, YES_TAKES_IT
from service.store import Letter, Tx

ASKED_TO_ASSIST = (
    "The director of {cup}, a tournament of 18xx railway games by email, asks you to be its "
    "assistant. You would direct with them, and rule on the table where the director plays."
)


def invitation(desk: Desk, known: KnownCup) -> Letter:
    """To somebody who is asked to be the assistant: they reply with one word, or not at all."""
    name = known.name
    lines = (
        ASKED_TO_ASSIST.format(cup=name),
        YES_TAKES_IT,
    )
    said = CupText(
        WILL_YOU_ASSIST,
        ASKED_TO_BE_ASSISTANT,
        lines,
        commands=("yes",),
        kind="assistant",
    )
    return to_ticket(desk, ticket_of_office(known, ASSISTANT, known.cup.invited), said)


IS_ASKED = "{address} is asked, and is the assistant once they say `yes`."
NO_ASSISTANT = "{cup} has no assistant."
WRITE_THE_ADDRESS = "Add the address: `assistant eve@example.org`."
PLAYS = "{name} plays: an assistant is somebody who does not."


def assistant(context: CupContext, said: Instruction) -> Effect:
    """Ask a person to rule where the director plays, or have no assistant."""
    address = said.rest.strip("<> ").lower()
    rules, name = context.cup.rules, context.known.name
    if address in ("off", "none"):
        also = (lambda tx: assist(tx, context.known, ""),)
        plan = CupPlan([Doing(OfficeGiven(ASSISTANT, ""), context.office)], also=also)
        return context.did(said.command, plan, NO_ASSISTANT.format(cup=name))
    if not is_address(address):
        raise Refused(WRITE_THE_ADDRESS)
    if address == rules.director.lower():
        raise Refused(DIRECTOR_ALREADY)
    known = context.cup.at_address(address)
    if known is not None and known.state == "entered":
        raise Refused(PLAYS.format(name=known.name))
    with context.store.transaction() as tx:
        if why := post.refusal(tx, address, context.desk.now):
            raise Refused(why)
    act = OfficeGiven(ASSISTANT, address, asked=True)
    asked = replace(context.known, cup=replace(context.cup, invited=address))
    also = (lambda tx: post.counts(tx, address, context.desk.now),)
    letters = [invitation(context.desk, asked)]
    plan = CupPlan([Doing(act, context.office)], letters, also=also)
    return context.did(said.command, plan, IS_ASKED.format(address=address))


IS_ASSISTANT = "{address} is the assistant of {cup}."
YOU_HAVE_ASSISTANT = "You have an assistant"
SAME_ASSISTANT = "All boards have the same assistant from now on."


def accept(context: CupContext, said: Instruction) -> Effect:
    """Somebody who was asked agrees to be the assistant."""
    known, address = context.known, context.cup.invited
    text = IS_ASSISTANT.format(address=address, cup=known.name)
    words = CupText(YOU_HAVE_ASSISTANT, text, (SAME_ASSISTANT,), kind="assistant")
    acts = [Doing(OfficeGiven(ASSISTANT, address), ASSISTANT)]
    also = (lambda tx: assist(tx, known, address),)
    return context.did(
        said.command, CupPlan(acts, [to_director(context.desk, known, words)], also=also), text
    )


def assist(tx: Tx, known: KnownCup, address: str) -> None:
    """Give all games in play this assistant, "" for none; a former token is void."""
    for board in known.playing:
        table = load(tx, board.game)
        assert table is not None
        if table.settings.assistant != address:
            epoch = table.settings.assistant_epoch + 1
            chosen = msgspec.structs.replace(
                table.settings, assistant=address, invited="", assistant_epoch=epoch
            )
            tx.games.set_settings(table.row.id, msgspec.json.encode(chosen))
