"""The secrets that prove a writer: pass phrases and tokens, which operators renew, too."""

from collections.abc import Sequence
from dataclasses import replace

from service.audience import of_seat
from service.commands.command import Command
from service.commands.results import done
from service.desk.answering.effects import Effect
from service.desk.answering.game_email import GameContext
from service.desk.door import NOTHING, Done, finish
from service.desk.informing.follow_up import FollowUp
from service.desk.letters.desk import Desk, at_head
from service.desk.seats import handover
from service.desk.service import Service
from service.games import changes, games
from service.games.games import with_new_token
from service.games.orders import book_of
from service.mail import phrases
from service.refusal import Refused
from service.reports import note_page
from service.said import RENEWED, REST_NOT_UNDERSTOOD
from service.store import Conflict, Letter, Occasion, SeatRow, Store, Tx

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


ADDRESS_RENEWED = "an address of {game} was renewed"


HOW_TO_RENEW = "Write `new token` for a new address of your seat."


def new_token(context: GameContext, command: Command) -> Effect:
    """`new token`: the seat or the organizer has another address from this answer on.

    `new address` may also mean `address NEW`. Raises Refused.
    """
    if command.parts["what"].lower() == "address":
        raise Refused(REST_NOT_UNDERSTOOD, hint=HOW_TO_RENEW)
    row, seat, mail_id = context.table.row, context.seat, context.desk.mail_id
    if seat is None:
        table = replace(context.table, row=replace(row, epoch=row.epoch + 1, renewed_by=mail_id))
    else:
        table = games.with_seat(context.table, with_new_token(seat, mail_id))

    def write(tx: Tx) -> None:
        renewed = (
            tx.games.renew_organiser(row.id, row.epoch, mail_id)
            if seat is None
            else tx.seats.renew(seat.id, seat.epoch, mail_id)
        )
        if not renewed:
            raise Conflict(ADDRESS_RENEWED.format(game=context.game))

    letters: Sequence[Letter] = ()
    if seat is not None and table.head is not None:
        # from now on this answer's address is the one for replies about the turn
        log, book = games.log_of(context.reads, table), book_of(context.reads, table)
        change, delivers = changes.nothing(table), context.channel.delivers
        follow = FollowUp(context.desk, change, log, book, seat.name, by_list=delivers)
        letters = follow.letters(again=True)
    return Effect(
        (done(command, RENEWED),), changed=table, letters=letters, write=write, changes=True
    )


NEW_SUBJECT = "[{game}] Your address in this game is a new one"
REPLACED = "The operator has replaced your address."


def renew_token(store: Store, service: Service, game: str, seat: str, now: int) -> SeatRow:
    """Give a seat a new token and email its player; gives the new row. Raises Refused."""
    with store.reading() as reads:
        table, old = handover.find_seat(reads, game, seat)
    new = with_new_token(old)
    name = table.row.name
    subject, to = NEW_SUBJECT.format(game=name), of_seat(name, new.name)
    page = note_page(to, subject, REPLACED, (RENEWED,), about=service.about(name))
    # the epoch grows with each new token, so each occasion is unique
    key = f"renewed-{new.id}-{new.epoch}"
    desk = Desk(service, now, Occasion("operator", key, name, new.name))

    def renewed(tx: Tx) -> None:
        if not tx.seats.renew(old.id, old.epoch):
            raise Conflict(f"the address of {seat} was renewed")

    letter = desk.to_seat("renewed", at_head(table), new, page)
    finish(store, now, NOTHING, Done(letters=(letter,), also=renewed))
    return new
