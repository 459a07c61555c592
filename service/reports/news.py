"""Emails about other players' moves: after a move, after a round, at the end of the game."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engine.board.hexes import Hex
from engine.telling.view import PlayerView
from engine.wording import counted, listed
from service.audience import Audience
from service.reports import position
from service.reports.decisions import whose_turn
from service.reports.figures import map_figure, market_figure
from service.reports.rendering import LONGEST_SUBJECT, page
from service.reports.scene import Figure, Page, PageLook, Scene, Since
from service.reports.state_file import state_files
from service.reports.tables import Block, Column, Grid, Lines
from service.reports.turn import WITH_PICTURES, frame, happened, talk
from service.said import THANKS

#: the most characters of messages in an email that all players keep
_SAID = 6_000
#: the most past actions in such an email
_ACTS = 150


def _sheet(to: Audience, scene: Scene, headline: str, since: Since) -> dict[str, Any]:
    return {
        **frame(scene, to.seat),
        "headline": headline,
        "note": since.own(to),
        "since": happened(since.narrated, _ACTS, "WHAT HAPPENED"),
        "said": talk(since.said, _SAID),
        "standing": whose_turn(scene),
    }


MOVE = ", move {number}"
MOVED = "{names} moved"
MESSAGE = "message from {names}"


def news_page(to: Audience, scene: Scene, since: Since) -> Page:
    """The NEWS email: what happened since the last one; on a list, a round has one subject."""
    subject = f"[{scene.game}] {scene.view.round}"
    if to.kind != "list":
        move = MOVE.format(number=scene.view.number)
        subject += " – ".join(filter(None, (move, _gist(since))))
    blocks = (position.companies(scene),) if position.started(scene) else ()
    sheet = _sheet(to, scene, whose_turn(scene), since) | {"standing": ""}
    return page(to, "news", subject, (), scene.templates, **sheet, tables=blocks)


def _gist(since: Since) -> str:
    """What happened, in a few words: what one player did first, or who moved, or who wrote."""
    rows = [row for told in since.narrated for row in told.rows()]
    movers = list(dict.fromkeys(label for label, _ in rows if label))
    if len(movers) == 1:
        return next(str(sentence) for label, sentence in rows if label)
    if movers:
        return MOVED.format(names=listed(movers))
    if rows:
        return str(rows[0][1])
    writers = dict.fromkeys(one.seat for one in since.said)
    return MESSAGE.format(names=listed(writers)) if writers else ""


NO_LONGER_SUBJECT = "[{game}] NO LONGER YOUR TURN: {reason}"
NO_LONGER_YOURS = "It is no longer your turn. {reason}. Ignore your last turn email."


def void_page(to: Audience, scene: Scene, reason: str, since: Since) -> Page:
    """To a player whose decision is gone: the turn email that asked for it is no longer valid."""
    subject = NO_LONGER_SUBJECT.format(game=scene.game, reason=reason)
    headline = NO_LONGER_YOURS.format(reason=f"{reason[:1].upper()}{reason[1:]}")
    blocks = (position.companies(scene),) if position.started(scene) else ()
    sheet = _sheet(to, scene, headline, since)
    return page(to, "news", subject, (), scene.templates, **sheet, tables=blocks)


ROUND_COMPLETE = "{round} is complete{begins}."
ROUND_SUBJECT = "[{game}] {round} complete{begins}"
BEGINS = " – {round} begins"


def round_page(
    to: Audience, scene: Scene, ended_round: str, since: Since, look: PageLook = WITH_PICTURES
) -> Page:
    """The ROUND email: full tables, map and chart, and all moves of the round."""
    begins = BEGINS.format(round=scene.view.round) if scene.view.to_act else ""
    subject = ROUND_SUBJECT.format(game=scene.game, round=ended_round, begins=begins)
    headline = ROUND_COMPLETE.format(round=ended_round, begins=begins)
    sheet = _sheet(to, scene, headline, since)
    shown = look.of(_pictures(scene, look.new_tiles)) if look.pictures else ()
    every = (*position.tables(scene), *since.parts(to))
    made = page(to, "round", subject, shown, scene.templates, **sheet, tables=every)
    return replace(made, files=state_files(scene))


def _pictures(scene: Scene, new: frozenset[Hex] = frozenset()) -> tuple[Figure, ...]:
    return scene.figures(new, lambda: (map_figure(scene, new), market_figure(scene)))


def outcome(scene: Scene) -> tuple[str, int]:
    """`Bob wins`, or the joint winners, of a game that is over; and their dollars."""
    ranked = scene.view.ranked()
    best = ranked[0].worth if ranked else 0
    winners = tuple(p.seat for p in ranked if p.worth == best and p.out == ranked[0].out)
    return f"{listed(winners)} {'wins' if len(winners) == 1 else 'share the win'}", best


def _ended_subject(scene: Scene, wins: str) -> str:
    """The subject of the last email; it counts the winners if it has no room for their names."""
    subject = ENDED_SUBJECT.format(game=scene.game, wins=wins)
    if len(subject) <= LONGEST_SUBJECT:
        return subject
    ranked = scene.view.ranked()
    winners = sum((p.worth, p.out) == (ranked[0].worth, ranked[0].out) for p in ranked)
    few = WIN_TOGETHER.format(count=winners) if winners > 1 else wins
    return ENDED_SUBJECT.format(game=scene.game, wins=few)


WIN_TOGETHER = "{count} players share the win"
OVER = "The game is over: {wins} with {money}."
ENDED_SUBJECT = "[{game}] The end: {wins}"


def ended_page(
    to: Audience,
    scene: Scene,
    since: Since,
    pictures: bool = True,
    opened: Sequence[Block] = (),
) -> Page:
    """The last email of a game: the winner, how each worth adds up, and what is ``opened``."""
    wins, best = outcome(scene)
    headline = OVER.format(wins=wins, money=scene.money(best))
    subject = _ended_subject(scene, wins)
    sheet = _sheet(to, scene, headline, since) | {"opened": opened}
    # the note with the director's reason says already who ended the game
    ruled = scene.state.ending is not None and scene.state.ending.cause == "director"
    sheet["standing"] = "" if ruled and sheet["note"] else cause(scene)
    count = _began(scene) if to.kind == "observers" else f"{THANKS} {_began(scene)}"
    blocks: tuple[Block, ...] = (worths(scene), position.companies(scene), Lines("", (count,)))
    shown = _pictures(scene) if pictures else ()
    return page(to, "ended", subject, shown, scene.templates, **sheet, tables=blocks)


_CAUSES = {
    "bank": "The bank ran out of money.",
    "price": "A price reached the end of the stock chart.",
    "agreement": "The players agreed to stop.",
    "survivor": "All others went bankrupt.",
    "director": "The director ended the game.",
}


WENT_BANKRUPT = "{name} went bankrupt. A bankrupt player's cash does not count."


def cause(scene: Scene) -> str:
    """A sentence that says what ended a game; "" if it is not over."""
    ending = scene.state.ending
    if ending is None:
        return ""
    if ending.bankrupt:
        return WENT_BANKRUPT.format(name=ending.bankrupt)
    return _CAUSES.get(ending.cause, "")


def _began(scene: Scene) -> str:
    number = scene.view.number
    count = f"{counted(number, 'move')} {'was' if number == 1 else 'were'} made"
    return f"{count} since {scene.began}." if scene.began else f"{count}."


def worths(scene: Scene) -> Grid:
    """Each player's cash, shares and other assets, the highest worth first."""
    facts = scene.title.facts
    bonds = any(player.bonds for player in scene.view.players)
    heads = ["cash", "shares"] + ["bonds"] * bonds + ["privates"] * facts.privates_worth
    rows = []
    for player in scene.view.ranked():
        parts = _parts(scene, player)
        cells = (player.seat, *(f"{scene.money(parts[head])}" for head in (*heads, "total")))
        rows.append((*cells, _held(scene, player)))
    columns = (
        Column("FINAL WORTH", name=True),
        *(Column(head, True) for head in (*heads, "total")),
        Column("holds", name=True),
    )
    return Grid("", columns, tuple(rows))


def _parts(scene: Scene, player: PlayerView) -> dict[str, int]:
    """The parts of a player's worth."""
    facts, ending = scene.title.facts, scene.state.ending
    lost = ending is not None and ending.bankrupt == player.seat
    cash = 0 if lost else player.cash
    valued = player.privates if facts.privates_worth else ()
    privates = sum(scene.title.privates[p].par for p in valued)
    bonds = player.bonds * facts.bonds.value if facts.bonds else 0
    shares = player.worth - cash - privates - bonds
    total = player.worth
    return {"cash": cash, "shares": shares, "bonds": bonds, "privates": privates, "total": total}


def _held(scene: Scene, player: PlayerView) -> str:
    """The number of shares by company."""
    if player.out:
        return "bankrupt"
    return ", ".join(
        f"{percent // scene.companies[company].share} {company}"
        for company, percent in player.shares.items()
    )
