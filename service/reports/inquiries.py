"""Answers about a position's worth, possible places of tokens, and upgrades of tiles."""

from collections.abc import Iterator

from engine import Seat, Title
from engine.facts.powers import NameChit, NamesPower
from engine.inquiry import StationPlace, final_price, rebuilt, station_places, upgrades
from engine.position.values import CLOSED, PrivateId
from engine.supposing import with_turn
from engine.wording import counted, listed
from service.reports.scene import Answer, Scene
from service.reports.tables import Block, Column, Grid, Lines, Pairs, Row


def _sorry(text: str) -> Answer:
    return Answer((Lines("", (text,)),))


# names of trains

ITS_BONUS = "If one of its trains runs to {places}, it earns ${bonus} more."
NOBODY_HAS = "The company that buys {private} gets this name for a train."
HAS_NAME = "{company} has this name for a train."
NO_MORE = "No company has this name for a train."
GIVES_ITSELF = (
    "You need not do anything: Waybill gives the name to the train that earns it. "
    "`name {name} on {train}` chooses the train yourself."
)


def name_chits(title: Title) -> dict[str, tuple[PrivateId, NameChit]]:
    """The names of trains, each with the private company that brings it."""
    return {
        chit.name: (private.id, chit)
        for private in title.facts.private
        if isinstance(private.power, NamesPower)
        for chit in private.power.names
    }


def train_name(scene: Scene, name: str) -> Answer:
    """What the name of a train is worth, which company has it, and how it is used."""
    private, chit = name_chits(scene.title)[name]
    owner = next((mark.company for mark in scene.state.marks if mark.kind == name), "")
    closed = scene.state.privates[private] == CLOSED
    whose = HAS_NAME if owner else NO_MORE if closed else NOBODY_HAS
    trains = scene.state.trains.get(owner, ())
    train = trains[0] if trains else next(iter(scene.title.trains))
    lines = (
        whose.format(company=owner, private=private),
        ITS_BONUS.format(places=listed(map(scene.title.place, chit.places)), bonus=chit.bonus),
        *((GIVES_ITSELF.format(name=name, train=train),) if owner or not closed else ()),
    )
    return Answer((Lines(name.upper(), (" ".join(lines),)),))


# worth


def worth(scene: Scene, seat: Seat = "") -> Answer:
    """Every player's worth, or one player's in detail, if the game ended now."""
    if seat:
        heading = f"WORTH OF {seat} IF THE GAME ENDED NOW"
        return Answer((Pairs(heading, tuple(_parts(scene, seat))),))
    at, facts = scene.table.at, scene.title.facts
    columns = [Column("PLAYER", name=True), Column("cash", True), Column("shares", True)]
    columns += [Column("privates", True)] * facts.privates_worth
    columns += [Column("bonds", True)] * (facts.bonds is not None)
    rows = []
    for player in sorted(scene.view.players, key=lambda player: -player.worth):
        name = player.seat
        ending = at.ending
        gone = player.out or (ending is not None and ending.bankrupt == name)
        cash = 0 if gone else at.cash[name]
        privates, bonds = (0, 0) if player.out else (_privates(scene, name), _bonds(scene, name))
        shares = player.worth - cash - privates - bonds
        cells = [name, f"{scene.money(cash)}", f"{scene.money(shares)}"]
        cells += [f"{scene.money(privates)}"] * facts.privates_worth + [f"{scene.money(bonds)}"] * (
            facts.bonds is not None
        )
        rows.append((*cells, f"{scene.money(player.worth)}"))
    note = "As if the game ended now. `worth NAME` tells what somebody's is made of."
    return Answer((Grid("NET WORTH", (*columns, Column("worth", True)), tuple(rows), note),))


def _privates(scene: Scene, seat: Seat) -> int:
    if not scene.title.facts.privates_worth:
        return 0
    return sum(scene.title.privates[p].par for p in scene.table.privates_of(seat))


def _bonds(scene: Scene, seat: Seat) -> int:
    bonds = scene.title.facts.bonds
    return scene.table.at.bonds.get(seat, 0) * bonds.value if bonds else 0


def _parts(scene: Scene, seat: Seat) -> Iterator[Row]:
    """Cash, the shares of each company, private companies, bonds, and the sum."""
    table, player = scene.table, scene.players[seat]
    if player.out:
        yield Row("out", ("bankrupt and out of the game: nothing counts",))
        return
    yield Row("cash", (f"{scene.money(table.at.cash[seat])}",))
    for company, percent in player.shares.items():
        price = final_price(table, company)
        value = table.part(company, price, table.percent(company, seat), up=True)
        yield Row(company, (f"{percent}% at {scene.money(price)}: {scene.money(value)}",))
    if scene.title.facts.privates_worth:
        for private in table.privates_of(seat):
            yield Row(private, (f"{scene.money(scene.title.privates[private].par)}",))
    if count := player.bonds:
        yield Row("bonds", (f"{counted(count, 'bond')}: {scene.money(_bonds(scene, seat))}",))
    yield Row("all", (f"{scene.money(player.worth)}",))


# stations


def reach(scene: Scene, company: str) -> Answer:
    """The cities on a company's track, each with a token's cost or why none may be placed."""
    if not company:
        return _sorry("No company operates now: write `reach` and a company.")
    name, view = scene.title.companies[company].name, scene.companies[company]
    if company not in scene.state.floated:
        return _sorry(f"{name} has not floated.")
    if company != scene.view.company:
        state = with_turn(scene.title, scene.state, company)
        scene = scene.later(state) if state is not None else scene
    rows: list[Row] = []
    for place in station_places(scene.table, company):
        price = f"{scene.money(place.cost)}" if place.cost else "free"
        by = f" by {place.power}" if place.power else ""
        what = f"no: {place.refusal.text}" if place.refusal else f"{price}{by}"
        rows.append(Row(_place(scene, place), (what,)))
    if not rows:
        return _sorry(f"The track of {company} reaches no city without a token of its own.")
    tokens = f"{counted(view.tokens_left, 'token')} left, {scene.money(view.cash)} in the treasury"
    heading = f"TOKENS FOR {company}   {tokens}"
    return Answer((Pairs(heading, tuple(dict.fromkeys(rows))),))


def _place(scene: Scene, there: StationPlace) -> str:
    many = len(scene.table.face(there.hex).stops) > 1
    return (
        f"{scene.table.place(there.hex)} {there.stop + 1}" if many else scene.table.place(there.hex)
    )


# tiles


def become(scene: Scene, tile: str) -> Answer:
    """The upgrades of a tile, how many of each are left, and their phase."""
    title = scene.title
    rows = [_tile(scene, new) for new in upgrades(title, tile)]
    blocks: list[Block] = [Pairs(f"UPGRADES OF TILE {tile}", tuple(rows))]
    if not rows:
        blocks = [Lines("", (f"Tile {tile} is never replaced by another color.",))]
    if small := rebuilt(title, tile):
        facts = title.facts.small_cities
        assert facts is not None
        heading = f"ITS TOWN MAY BE REBUILT FROM PHASE {facts.phase} ON"
        blocks.append(Pairs(heading, tuple(_tile(scene, new) for new in small)))
    before = [old for old in title.supply if tile in upgrades(title, old)]
    if before:
        blocks.append(Lines("", (f"It replaces: {', '.join(before)}.",)))
    return Answer(tuple(blocks))


def _tile(scene: Scene, tile: str) -> Row:
    title = scene.title
    if tile in title.endless:
        left = "any number left"
    else:
        left = f"{scene.table.tiles_left(tile)} left"
    face = title.face(tile, 0)
    later = face.colour not in scene.table.phase.tiles
    now = f", from phase {_phase(title, face.colour)} on" if later else ""
    only = title.reserved_tiles.get(tile, ())
    where = (f"on {', '.join(map(scene.table.place, only))} alone",) if only else ()
    return Row(f"tile {tile}", (f"{face.colour}{now}", left, *where))


def _phase(title: Title, colour: str) -> str:
    return next((p.id for p in title.facts.phase if colour in p.tiles), "")
