"""What everybody may ask about tournaments, players and ratings, by mail or at a terminal."""

from engine.wording import counted, listed
from service.desk.letters.post import Desk
from service.desk.lobby.naming import shown
from service.desk.tournament import listing
from service.desk.tournament.acts import Cup
from service.desk.tournament.known import Known, Refused, know, of_row
from service.desk.tournament.letters import NOT_DONE, Words
from service.desk.tournament.records import ratings_words, record_words
from service.desk.tournament.words import Asked
from service.reports.blocks import Block, Lines, Pairs, Row, Verbatim
from service.store import Store, Tx
from service.tournaments import form

#: players that an answer names
NAMED = 60


NO_SUCH = "There is no tournament called {name}. There are {cups}."
NO_SUCH_BUT_ONE = "There is no tournament called {name}. There is {cups}."
WHICH_ONE = "Which tournament? There are {cups}."


def find(tx: Tx, name: str) -> Known:
    """The tournament of that name. Raises Refused."""
    known = know(tx, name) if name else None
    if known is not None:
        return known
    there = [row.name for row in tx.tournaments() if not row.ended]
    if not name and len(there) == 1:
        only = know(tx, there[0])
        assert only is not None
        return only
    if name:
        told = NO_SUCH_BUT_ONE if len(there) == 1 else NO_SUCH
    else:
        told = WHICH_ONE
    raise Refused(told.format(name=shown(name), cups=listed(there) or "none"))


def of_board(tx: Tx, game: str) -> Known | None:
    """The tournament that goes on and of which a game is a board, None for every other game."""
    row = tx.game(game) if game else None
    board = tx.board_of(row.id) if row is not None else None
    if board is None:
        return None
    cup = tx.tournament_by_id(board.tournament_id)
    return None if cup.ended else of_row(tx, cup)


STANDINGS_OF = "The standings of {cup}"


def answer(store: Store, desk: Desk, asked: Asked, *, proved: bool = True) -> Words:
    """The answer to a question of anybody.

    Where nobody has ``proved`` who asks, it has no words that a director or player has chosen
    freely: the address may be that of somebody who never asked.
    """
    try:
        if asked.kind == "record":
            return record_words(store, asked.name)
        if asked.kind == "help":
            return _help(desk)
        if asked.kind == "ratings":
            return ratings_words(store)
        if asked.kind == "list" or (asked.kind == "info" and not asked.name):
            return _list(store, desk)
        with store.transaction() as tx:
            known = find(tx, asked.name)
        if asked.kind == "standings":
            made = listing.standings(known.cup, asked.rest.lower(), proved=proved)
            headline = STANDINGS_OF.format(cup=known.name)
            return Words(headline, headline, (), made.blocks, files=made.files)
        return info(desk, known, proved=proved)
    except Refused as why:
        return Words(NOT_DONE, NOT_DONE, (str(why),))


#: what everybody may write, and what it does
WRITE: tuple[tuple[str, str], ...] = (
    ("tournaments", "all there are, and how they stand"),
    ("tournament NAME", "its rules, its players, its tables"),
    ("standings NAME", "how all stand; `standings NAME csv` or `json` as a file"),
    ("enter NAME as YOU", "behind it `, zone Europe/Paris` and `, near` for tables in near zones"),
    ("standby NAME as YOU", "you offer to take a seat that becomes free"),
    ("withdraw NAME", "you play no more"),
    ("record PLAYER", "games, places, how often in time; `record off` leaves you out of lists"),
    ("ratings", "the ratings of all who have played here"),
    ("tournament new NAME", "you get the form by which a tournament is announced"),
)


#: what who has entered may write in a reply to a letter of the tournament
ENTERED: tuple[tuple[str, str], ...] = (
    ("withdraw", "you play no more; asked first while a board of yours is played"),
    ("address YOU@EXAMPLE.ORG", "you are written to there; `address add …`, `address drop …`"),
    ("zone Europe/Paris", "where you live; `near on` is a wish for tables in near zones"),
    ("propose …", "once it has begun: other rules, put to the vote of all players"),
    ("vote 1 yes", "or `vote 1 no`; who is silent has said no"),
)


HELP = "Help: tournaments"
WRITE_TO = "WRITE TO {address}"
WHO_HAS_ENTERED = "WHO HAS ENTERED, in a reply to its letters"
WHO_DIRECTS = "WHO DIRECTS ONE, in a reply to its letters"


def _help(desk: Desk) -> Words:
    """What may be written about tournaments, by everybody and by who directs one."""
    everybody = tuple(Row(f"`{form}`", (told,)) for form, told in WRITE)
    directs = tuple(Row(f"`{form}`", (told,)) for form, told in listing.HELP)
    headline = HELP
    entered = tuple(Row(f"`{form}`", (told,)) for form, told in ENTERED)
    blocks = [
        Pairs(WRITE_TO.format(address=desk.house.address), everybody),
        Pairs(WHO_HAS_ENTERED, entered),
        Pairs(WHO_DIRECTS, directs),
    ]
    return Words(headline, headline, (), blocks)


TOURNAMENTS_HERE = "Tournaments here"
NO_TOURNAMENTS = "There are none."


def _list(store: Store, desk: Desk) -> Words:
    """All tournaments there are."""
    lines = []
    with store.transaction() as tx:
        for row in tx.tournaments():
            known = know(tx, row.name)
            if known is not None and known.cup.status != "abandoned":
                lines.append(f"{row.name}: {listing.standing_lines(known.cup)[0]}")
    write = ("tournament NAME", "enter NAME as YOU", "standings NAME", "tournament new NAME")
    return Words("Tournaments", TOURNAMENTS_HERE, lines or (NO_TOURNAMENTS,), commands=write)


THE_TOURNAMENT = "The tournament {cup}"
WRITE_STANDINGS = "standings {cup}"
WRITE_ENTER = "enter {cup} as YOU"
WRITE_STANDBY = "standby {cup} as YOU"
TABLES_OF_ROUND = "TABLES OF ROUND {round}"


#: lines of the rules that are told elsewhere, or to people alone
_APART = ("announcement:", "director:", "assistant:")


def info(desk: Desk, known: Known, *, proved: bool = True) -> Words:
    """All that everybody may know of a tournament: what it is, who plays, how it stands.

    ``proved`` as in `answer`.
    """
    cup = known.cup
    lines = listing.standing_lines(cup, proved=proved)
    lines[:0] = cup.rules.announcement.split("\n") if proved else ()
    write = [WRITE_STANDINGS.format(cup=known.name)]
    if cup.status == "announced":
        write.insert(0, WRITE_ENTER.format(cup=known.name))
    elif cup.rules.standbys and cup.status in ("closed", "running"):
        write.insert(0, WRITE_STANDBY.format(cup=known.name))
    seating = cup.value.seated(cup.round)
    blocks: list[Block] = [Lines("PLAYERS", (_players(cup),))]
    if seating is not None:
        tables = tuple(
            f"{t.round}.{t.number}  {t.title.name}  {', '.join(t.seats)}"
            for t in seating.tables[:NAMED]
        )
        blocks.append(Verbatim(TABLES_OF_ROUND.format(round=cup.round), tables))
    rules = tuple(
        line
        for line in form.printed(cup.rules).splitlines()
        if not line.startswith(_APART if proved else (*_APART, "prizes:"))
    )
    blocks.append(Verbatim(listing.ITS_RULES, rules))
    digests = tuple(f"round {n}  {digest}" for n, digest in enumerate(cup.value.digests, 1))
    blocks.append(Verbatim(listing.DIGESTS, digests))
    headline = THE_TOURNAMENT.format(cup=known.name)
    return Words(headline, headline, lines, blocks, write)


ALL_PLAYERS = "{players}: {names}."
MANY_PLAYERS = "{players}: {names}, and {left} more."
NOBODY_ENTERED = "Nobody has entered yet."


def _players(cup: Cup) -> str:
    names = [entry.name for entry in cup.players]
    if not names:
        return NOBODY_ENTERED
    told = MANY_PLAYERS if len(names) > NAMED else ALL_PLAYERS
    return told.format(
        players=counted(len(names), "player"),
        names=", ".join(names[:NAMED]),
        left=len(names) - NAMED,
    )
