"""The command `pass-phrase`: a phrase by which a player may write from anywhere."""

from service.commands.command import Command
from service.commands.results import done
from service.desk.answering.effects import Effect
from service.desk.answering.game_email import GameContext
from service.mail import phrases
from service.refusal import Refused
from service.said import REST_NOT_UNDERSTOOD

PHRASE_DROPPED = "You no longer have a pass phrase in this game."
PHRASE_KEPT = (
    "Your pass phrase is stored so that nobody can read it, not even the operator. With a line "
    "`pass-phrase: …` an email to your seat address counts from wherever you write."
)
PHRASE_MISSING = "Add the phrase in the same line."
HAS_PHRASE = (
    "You have a pass phrase in this game. `pass-phrase set …` chooses one, `pass-phrase off` drops "
    "it."
)
HAS_NO_PHRASE = (
    "You have no pass phrase here yet. `pass-phrase set …` chooses one, `pass-phrase off` drops it."
)


def pass_phrase(context: GameContext, command: Command) -> Effect:
    """`pass-phrase set …`, `pass-phrase off`; alone it asks. The phrase was removed before."""
    game, holder, now = context.table.row.id, context.reader.name, context.desk.now
    what, new = command.rest.lower(), context.mail.new_phrase
    if what == "off":
        return Effect(
            (done(command, PHRASE_DROPPED),),
            write=lambda tx: tx.proofs.set_phrase(game, holder, "", now),
        )
    # computed before the transaction, because it takes a while
    hashed = phrases.kept(new) if what == "set" else ""
    if hashed:
        return Effect(
            (done(command, PHRASE_KEPT),),
            write=lambda tx: tx.proofs.set_phrase(game, holder, hashed, now),
        )
    if what == "set":
        why = phrases.unfit(new) if new else PHRASE_MISSING
        raise Refused(why, hint="`pass-phrase set …` chooses another one.")
    if what:
        raise Refused(REST_NOT_UNDERSTOOD, hint="Write `pass-phrase set …`, `pass-phrase off`.")
    has = bool(context.reads.proofs.phrase(game, holder))
    return Effect((done(command, HAS_PHRASE if has else HAS_NO_PHRASE),))
