"""The facts of a title as its file states them: typed, checked, kept with each game."""

from typing import Literal

from msgspec import Struct


class Seats(Struct, frozen=True, forbid_unknown_fields=True):
    """What a number of players begins with."""

    cash: int
    certificates: int


class StockFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """Figures of the stock round; percentages are of one company."""

    #: those of every company whose own facts do not say otherwise
    float: int
    president: int
    player_limit: int
    market_limit: int
    bid_step: int
    first_private: tuple[int, ...]
    no_sale_in_first_round: bool
    uncounted_zones: tuple[str, ...]
    #: how the bank sells private companies: in "turns" as in 3.1 of these rulebooks, or as a
    #: "waterfall": who bid lowest raises or is out, and when all pass the round goes on
    private_sale: Literal["turns", "waterfall"] = "turns"
    #: whether players sell private companies to each other
    player_sales: bool = True
    #: zones of the stock chart in which a player may hold all of a company
    unlimited_zones: tuple[str, ...] = ()


class Lays(Struct, frozen=True, forbid_unknown_fields=True):
    """Tiles a company may lay in a turn: so many yellow ones, or so many upgrades, not both."""

    yellow: int
    upgrades: int


class FirstRoundSale(Struct, frozen=True, forbid_unknown_fields=True):
    """Private companies to companies in the first operating round, whatever the phase.

    ``price`` is percent of par; so many of them for each company and from each player.
    """

    price: tuple[int, int]
    per_company: int
    per_player: int


class OperatingFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """Figures of the operating round; money in dollars."""

    lays: Lays
    station_costs: tuple[int, ...]
    objective_bonus: int
    private_price: tuple[int, int]
    train_min_price: int
    #: instead of ``lays`` on a company's first turn
    first_lays: Lays | None = None
    #: whether obsolete trains of the company that made them so have a last run like all others
    buyer_keeps_obsolete: bool = False
    #: whether obsolete trains count toward the train limit
    obsolete_count: bool = True
    #: whether towns count toward a train's reach
    towns_count: bool = False
    #: whether a president who lacks money for a forced train may sell privates to other players
    aid_privates: bool = False
    first_round_sale: FirstRoundSale | None = None
    #: how a train that earns nothing is found where the title has such: its president chooses it,
    #: or all run and the poorest run does not count
    idle: Literal["", "choice", "poorest run"] = ""
    #: what a president sells just enough of for a forced train: certificates, of which that of the
    #: president is one, or shares; or certificates in each sale by itself, not in all of them
    aid_sale: Literal["certificates", "shares", "each sale"] = "certificates"


class ChartFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """The stock chart, rows from the top: a price with letters for what the space is."""

    end_price: int
    rows: tuple[str, ...]


class Phase(Struct, frozen=True, forbid_unknown_fields=True):
    """A phase and what it allows; the purchase of the ``nth`` train of type ``on`` begins it."""

    id: str
    tiles: tuple[str, ...]
    train_limit: int
    rounds: int
    on: str = ""
    nth: int = 1
    #: trains that one company may buy from the bank in a turn; 0 is any number
    bank_trains: int = 0
    company_privates: bool = False
    #: percent of par that they cost, where it is not what the operating facts say
    private_price: tuple[int, int] | None = None
    events: tuple[str, ...] = ()


class TrainKind(Struct, frozen=True, forbid_unknown_fields=True):
    """A type of train; ``count`` 0 is without limit.

    ``removed_on`` and ``obsolete_on`` name the phases that take it out of the game.
    """

    type: str
    price: int
    count: int
    reach: int
    removed_on: str = ""
    obsolete_on: str = ""
    doubles: tuple[str, ...] = ()
    #: whether it comes with a private company: the bank has none, and it is never sold
    gift: bool = False
    #: dollars that its company gets for one that a phase removes
    salvage: int = 0


class MarkPower(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="mark"):
    """A marker put on an icon of the map, worth a bonus to its company alone."""

    mark: str
    bonus: int
    lost_on: str
    removed_on: str
    #: whether a train that the company owns must be able to run there
    needs_train: bool = True
    #: whether it must be the company's turn, or that of any company with the same president
    needs_turn: bool = True


class TilePower(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="tile"):
    """An extra tile on an empty hex of a terrain, free and unconnected."""

    tiles: tuple[str, ...]
    terrain: str
    lost_on: str


class HexTilePower(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="hex tile"
):
    """An extra tile on one hex, once: any that the hex takes then, free and unconnected."""

    hex: str
    #: the only tiles it lays; empty for all
    tiles: tuple[str, ...] = ()
    #: whether it lays the hex's first tile only, and is lost once the hex has one
    first_only: bool = False


class NameChit(Struct, frozen=True, forbid_unknown_fields=True):
    """A train's name that earns a bonus on a run to both places."""

    name: str
    places: tuple[str, str]
    bonus: int


class NamesPower(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="names"):
    """Names for trains, kept until their company changes its president."""

    names: tuple[NameChit, ...]


class DiscountPower(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="discount"
):
    """One new train of the bank at a percentage of its price; closes the private."""

    percent: int
    until: str


class StationPower(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="station"
):
    """The turn's station in one city, free and unconnected."""

    hex: str


class TrainPower(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="train"):
    """A train that the company receives when it buys the private; lost if it has no room for it."""

    train: str


class SharePower(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="share"):
    """An ordinary share of a company for the private's first owner."""

    company: str


class FoundingPower(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="founding"
):
    """The president's certificate of a company: the private's buyer sets the par, and it closes."""

    company: str


Power = (
    MarkPower
    | TilePower
    | HexTilePower
    | NamesPower
    | DiscountPower
    | StationPower
    | TrainPower
    | SharePower
    | FoundingPower
)


class PrivateFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """A private company."""

    id: str
    name: str
    par: int
    revenue: int
    also: tuple[str, ...] = ()
    power: Power | None = None
    #: hexes that take no tile while a player owns it
    blocks: tuple[str, ...] = ()


class CompanyFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """A corporation; ``tokens`` counts all its stations, the home included.

    ``president`` and ``float`` are percent, where they are not what the stock facts say.
    """

    id: str
    name: str
    home: str
    tokens: int
    colour: str
    text: str
    also: tuple[str, ...] = ()
    objective: str = ""
    #: whether it puts its home station when its par is set, not on its first turn
    home_on_par: bool = False
    president: int | None = None
    float: int | None = None


class TileFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """A tile in rotation 0."""

    colour: str
    stops: tuple[str, ...] = ()
    track: str = ""
    label: str = ""
    name: str = ""
    printed: str = ""


class HexFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """A hex as printed; without a colour it is open ground."""

    name: str = ""
    colour: str = ""
    label: str = ""
    cost: int = 0
    terrain: tuple[str, ...] = ()
    icons: tuple[str, ...] = ()
    stops: tuple[str, ...] = ()
    track: str = ""
    #: whether no train runs through it before the company at home there has its station
    shut_before_home: bool = False


class Borders(Struct, frozen=True, forbid_unknown_fields=True):
    """Sides of hexes that no track may cross, as "B3-D3"."""

    impassable: tuple[str, ...] = ()


class VariantFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """An optional rule: its section and what it changes, in our words."""

    rule: str
    summary: str


class OverlayFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """Whose own facts are merged into a title's; ``provenance`` says where they have them from."""

    name: str
    provenance: dict[str, str] = {}


class Facts(Struct, frozen=True, forbid_unknown_fields=True):
    """All facts of a title."""

    name: str
    subtitle: str
    rulebook: str
    edition: int
    layout: Literal["flat", "pointy"]
    letters: Literal["rows", "columns"]
    bank: int
    turn: tuple[str, ...]
    anytime: tuple[str, ...]
    players: dict[str, Seats]
    stock: StockFacts
    operating: OperatingFacts
    market: ChartFacts
    phase: tuple[Phase, ...]
    train: tuple[TrainKind, ...]
    private: tuple[PrivateFacts, ...]
    company: tuple[CompanyFacts, ...]
    hex: dict[str, HexFacts]
    supply: dict[str, dict[str, int]]
    tile: dict[str, TileFacts] = {}
    reserved: dict[str, dict[str, str]] = {}
    #: tile → hexes that alone take it, beside those of ``reserved``; they take others as well
    labelled: dict[str, tuple[str, ...]] = {}
    #: tile → hexes on which its track may lead off the map
    off_map: dict[str, tuple[str, ...]] = {}
    borders: Borders = Borders()
    variants: dict[str, VariantFacts] = {}
    #: tile → tiles that keep all it has and may not replace it all the same
    barred_upgrades: dict[str, tuple[str, ...]] = {}
    #: parts that are reconstructions and marked so wherever players see them
    provenance: dict[str, str] = {}
    #: a group's own facts that are in these
    overlay: OverlayFacts | None = None
    #: whether players without a choice are waited for all the same: to end a turn in which nothing
    #: can be bought, to pass in an auction, to discard one of several trains that are alike
    waits_without_choice: bool = False
    #: whether a tie for the first place is broken by one extra operating round
    extra_round_on_tie: bool = False
