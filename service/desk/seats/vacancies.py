"""The organizer's command for a seat of a running game: `replace Bob by eve@example.org`.

Waybill first asks the named person, or the standbys. Until somebody says yes, the seat stays as it
is.
"""

import re

from engine import Seat
from service.audience import of_seat, of_table
from service.commands.command import Command
from service.commands.results import done
from service.desk.answering.effects import Effect
from service.desk.answering.game_email import GameContext
from service.desk.informing.everybody import informed, to_all
from service.desk.letters.desk import at_head
from service.desk.rationing import named_addresses
from service.desk.seats import standbys
from service.desk.seats.standbys import Offer
from service.games.games import with_rulings, without_vacancy
from service.games.naming import player_meant
from service.refusal import Refused
from service.reports import note_page
from service.said import REST_NOT_UNDERSTOOD
from service.store import Letter, RulingRow, Tx, VacancyRow

_REST = re.compile(
    r"(?P<seat>[^\s,;]+)(?:\s+(?:by|with)\s+<?(?P<by>[^\s<>,;]+)>?)?(?P<off>\s+off)?"
    r"(?:[\s,;]+because\b:?\s*(?P<why>.*))?",
    re.IGNORECASE,
)
#: most characters of a reason
LONGEST = 300

_HOW = "`replace Bob because Bob has no time`, `replace Bob by eve@example.org because …`"
ORGANISER_FINDS = "Only the organizer finds another player."
ONE_AT_A_TIME = "You can replace one player at a time."
HOW_TO_REPLACE = f"Write it as in {_HOW}."
SAY_WHY = "The reason is missing: all players read it."
TOO_LONG = "The reason is too long."
WHO_IS_ASKED = (
    "Asked whether they take the seat of {name}: {asked}. The first who says yes gets the seat, "
    "and all players get an email. Until then nothing changes."
)
NOBODY_YET = "nobody yet, for nobody stands by"
OFF_ENDS = "`replace {name} off` ends the search."


def replace_(context: GameContext, command: Command) -> Effect:
    """Begin or end a search, one per email, because all players get an email about it.

    Raises Refused.
    """
    if context.table.vacancies != context.before.vacancies:
        raise Refused(ONE_AT_A_TIME, hint="Send this in a separate email.")
    if not context.organises:
        raise Refused(ORGANISER_FINDS, hint="Send `replace` from the organizer's address.")
    found = _REST.fullmatch(" ".join(command.rest.split()))
    if found is None:
        raise Refused(REST_NOT_UNDERSTOOD, hint=HOW_TO_REPLACE)
    whom = _whom(context, found["seat"])
    if found["off"]:
        return _off(context, command, whom)
    why = (found["why"] or "").rstrip(".")
    if not why:
        raise Refused(SAY_WHY, hint=HOW_TO_REPLACE)
    if len(why) > LONGEST:
        raise Refused(TOO_LONG, hint=f"It may have {LONGEST} characters.")
    table, desk, address = context.table, context.desk, ""
    if found["by"]:
        address = named_addresses.read(found["by"], HOW_TO_REPLACE, outside=table)
        named_addresses.check(context.reads, desk, address)
    vacancy = VacancyRow(whom, "director", why, desk.now)
    left = standbys.vacate(desk, table, Offer(vacancy, (address,) if address else None))
    ready = [one.address for one in standbys.listed(table)]
    asked = ", ".join([address] if address else ready) or NOBODY_YET
    text = WHO_IS_ASKED.format(name=whom, asked=asked)

    def write(tx: Tx) -> None:
        game, now = table.row.id, desk.now
        left.write(tx)
        row = tx.games.named(table.row.name)
        head = (row.head if row else None) or 0
        stood = (table.state.number, 0, "organiser", f"replace {whom}", why, head, head)
        tx.rulings.add(
            game, RulingRow(0, "replace", *stood, at=now), tx.occasions.record(desk.occasion, now)
        )
        if address:
            named_addresses.count(tx, address, now)

    return Effect(
        (done(command, text, OFF_ENDS.format(name=whom)),),
        changed=left.table,
        letters=(*left.letters, _to_player(context, whom, why)),
        write=write,
        changes=True,
    )


OWN_TABLE = "You play in {game}, a table of a tournament, so you replace nobody at your own table."
ITS_ASSISTANT_DOES_THAT = (
    "Its assistant does that, by `withdraw {name} because …` or `exclude {name} because …`."
)


def _whom(context: GameContext, name: str) -> Seat:
    """The player to replace. Raises Refused, also if an organizer who plays picks an opponent."""
    table = context.table
    found = player_meant(table.names, name)
    of_tournament = context.reads.tournaments.place_of(table.row.id) is not None
    own = with_rulings(context.reads, table).seat_at(table.row.organiser) if of_tournament else ""
    if own and own != found:
        raise Refused(
            OWN_TABLE.format(game=context.game), hint=ITS_ASSISTANT_DOES_THAT.format(name=found)
        )
    return found


NOBODY_LOOKED_FOR = "Nobody is wanted for the seat of {name}."
STAYS_SUBJECT = "{name} stays"
STAYS = "{name} stays in {game}: Waybill looks for no other player."


def _off(context: GameContext, command: Command, whom: Seat) -> Effect:
    """End the search. Raises Refused."""
    table, desk = context.table, context.desk
    if table.vacancy(whom) is None:
        raise Refused(
            NOBODY_LOOKED_FOR.format(name=whom),
            hint=f"`replace {whom} because …` asks standbys.",
        )
    text = STAYS.format(name=whom, game=context.game)
    about = desk.service.about(context.game, table.title)
    subject = f"[{context.game}] {STAYS_SUBJECT.format(name=whom)}"
    page = note_page(of_table(context.game), subject, text, (), about=about)
    letters = to_all(desk, table, informed(table, context.holder), "notice", page)

    def write(tx: Tx) -> None:
        tx.people.close_vacancy(table.row.id, whom)

    after = without_vacancy(table, whom)
    return Effect((done(command, text),), changed=after, letters=letters, write=write, changes=True)


LOOKS_FOR_ANOTHER = "The organizer is looking for another player for your seat in {game}."
THE_REASON = "The reason: {why}."
YOURS_UNTIL_THEN = (
    "Until somebody has said yes the seat is yours, and your orders go on. If that is not right, "
    "write to all by `say:`."
)


def _to_player(context: GameContext, whom: Seat, why: str) -> Letter:
    """To the player concerned, who keeps the seat until somebody has agreed to take it."""
    game, table, desk = context.game, context.table, context.desk
    headline = LOOKS_FOR_ANOTHER.format(game=game)
    lines = (THE_REASON.format(why=why), YOURS_UNTIL_THEN)
    about = desk.service.about(game, table.title)
    to, row = of_seat(game, whom), table.seat(whom)
    page = note_page(to, f"[{game}] {headline}", headline, lines, about=about)
    return desk.to_seat("notice", at_head(table), row, page)
