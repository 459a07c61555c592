"""The facts of a title, as its file states them: typed, checked, and stored with each game."""

from typing import Literal

from msgspec import Struct

from engine.facts.features import (
    BondFacts,
    ConnectionFacts,
    FireSaleFacts,
    LoanFacts,
    MergerFacts,
    RebuildFacts,
    ReceivershipFacts,
    SystemFacts,
)
from engine.facts.places import Borders, FerryFacts, HexFacts, Location, RiverFacts, TileFacts
from engine.facts.powers import Power


class SeatFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """The start of a game for a number of players."""

    cash: int
    certificates: int


class StockFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """Numbers of the stock round; percentages are of one company."""

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
    #: "auction": only the high bidder's money is set aside, and who passes in an auction is out
    #: "parallel": a turn is one bid on any of them or a pass; when all pass in a row each goes to
    #: its high bidder, and those without a bid wait for the next stock round
    private_sale: Literal["turns", "waterfall", "auction", "parallel"] = "turns"
    #: whether players sell private companies to each other
    player_sales: bool = True
    #: whether such a sale happens in the buyer's turn without using it; otherwise it is a sale in
    #: the seller's turn, or the purchase of the buyer's turn
    player_sales_beside: bool = False
    #: whether players buy private companies from each other only on the buyer's turn, at any price
    #: and without regard to the certificate limit, where they do not sell them in another way
    player_purchases: bool = False
    #: whether a player over a limit may only sell, while anything can be sold
    limits_first: bool = False
    #: zones of the stock chart in which a player may hold all of a company
    unlimited_zones: tuple[str, ...] = ()
    #: zones in which a turn's one purchase may be several shares of a company in the open market
    several_zones: tuple[str, ...] = ()
    #: a company's capital when it floats: ten times its par, or the price of the bought shares; the
    #: other shares are then in its treasury, and it gets their price
    capital: Literal["full", "bought"] = "full"
    #: whether shares in the IPO cost par, or the market value like all others
    par_price: bool = True
    #: whether a company's shares may be sold only after it has operated
    sale_needs_turn: bool = False
    #: whether a turn's sales come before its purchase, all shares of a company as one block
    sales_first: bool = False
    #: whether sales may come both before and after the purchase of a turn, or only on one side of
    #: it
    sales_around: bool = False
    #: whether all shares of a company sold in a turn form one block, although sales need not come
    #: first
    one_block: bool = False
    #: whether shares in its own treasury count as held when sold-out companies' prices rise
    treasury_holds: bool = False
    #: whether a president may protect the price by buying all that another player has just sold
    protection: bool = False
    #: whether a company that has operated may buy its shares in the open market, as its president's
    #: whole stock turn, and players buy them of its treasury
    redemption: bool = False
    #: par value → tokens that a company founded at this par has in addition to its own
    par_tokens: dict[str, int] = {}
    #: whether private companies count toward the certificate limit
    privates_count: bool = True
    #: groups of private companies from which one is drawn by lot
    drawn: tuple[tuple[str, ...], ...] = ()

    @property
    def treasuries(self) -> bool:
        """Whether companies may hold their own shares, which players buy from them."""
        return self.capital == "bought" or self.redemption


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
    """Numbers of the operating round; money is in dollars."""

    lays: Lays
    station_costs: tuple[int, ...]
    objective_bonus: int
    private_price: tuple[int, int]
    train_min_price: int
    #: instead of ``lays`` on a company's first turn
    first_lays: Lays | None = None
    #: whether trains that a company makes obsolete by its own purchase still have a last run
    buyer_keeps_obsolete: bool = False
    #: whether obsolete trains count toward the train limit
    obsolete_count: bool = True
    #: whether towns count toward a train's reach
    towns_count: bool = False
    #: whether a president who lacks money for a forced train may sell privates to other players
    aid_privates: bool = False
    first_round_sale: FirstRoundSale | None = None
    #: how the train that earns nothing is found, if the title has one: its president chooses it, or
    #: it is one that stays at home, and if all run, the poorest run does not count
    idle: Literal["", "choice", "poorest run"] = ""
    #: when a company places its home token
    home: Literal["first turn", "float"] = "first turn"
    #: whether ``station_costs`` are by the number of the token, or for each hex of track, or first
    #: a cost and then an amount for each hex of straight distance from the home
    station_cost: Literal["number", "hex", "distance"] = "number"
    #: whether further tokens may be in off-board locations that have circles
    offboard_stations: bool = False
    #: which companies must own a train
    must_own: Literal["with route", "all"] = "with route"
    #: the train that loans and a president's money pay for: the cheapest of the bank, or the new
    #: one
    forced_train: Literal["cheapest", "new"] = "cheapest"
    #: whether trains must always run for the most, or only when a shareholder insists
    best_run: Literal["insisted", "always"] = "insisted"
    #: the president's choices for the earnings
    dividends: tuple[str, ...] = ("pay", "withhold")
    #: who is paid for shares in the open market
    market_dividend: Literal["treasury", "nobody"] = "treasury"
    #: who is paid for shares in the IPO
    offering_dividend: Literal["treasury", "nobody"] = "nobody"
    #: what moves a price right: any dividend, or one of at least the price
    price_rises: Literal["any dividend", "price paid"] = "any dividend"
    #: whether tiles may not shut out companies that have not operated
    protects_homes: bool = False
    #: whether this lasts until the end of the round in which a company first operates
    protects_first_round: bool = False
    #: who owns private companies whose powers companies use; "player" asks the owner
    powers: Literal["company", "player"] = "company"
    #: the unit that a president sells just enough of: certificates, with the president's as one, or
    #: shares
    aid_sale: Literal["certificates", "shares"] = "certificates"
    #: whether it must be just enough in each single sale, not in all sales together
    aid_sales_apart: bool = False
    #: whether a president's money may go for another company's train too, for up to its face value
    aid_for_company_trains: bool = False
    #: whether a private company's discount also applies to used trains of the bank, and in addition
    #: to the one train that a company may buy from it in a turn
    wide_discounts: bool = False
    #: whether a company that could pay with its own discount counts as able to pay
    aid_after_discount: bool = True
    #: whether a tile may be laid if the company reaches any of its track, new or old; otherwise it
    #: must reach new track, or a city
    permissive: bool = False
    #: whether companies buy trains only of companies with the same president
    own_trains_only: bool = False
    #: dollars that a company pays another for the place of its token; 0 if tokens are not sold
    station_trade: int = 0


class ChartFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """The stock chart, rows from the top: each space has a price, letters for its kind, and marks.

    `engine.board.market` explains the marks.
    """

    rows: tuple[str, ...]
    #: the price that ends the game, 0 if none does
    end_price: int = 0
    #: par value → the phase from which it may be set, where that is not the first
    par_from: dict[str, str] = {}
    #: whether the price of a company that is sold out in the top row goes right and down
    diagonal: bool = False
    #: zone → how many times the price a dividend must be for each space right, where that differs
    dividend_steps: dict[str, tuple[int, ...]] = {}
    #: zones in which a company closes at once
    closing_zones: tuple[str, ...] = ()


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
    #: whether companies buy trains from each other
    company_trains: bool = True
    #: most spaces right that a dividend of several times the price moves it
    most_steps: int = 1
    #: percent of par that they cost, where it is not what the operating facts say
    private_price: tuple[int, int] | None = None
    events: tuple[str, ...] = ()
    #: the color of the present revenue of places with several, if it is not the newest tile color
    revenue: str = ""

    @property
    def value_colour(self) -> str:
        """The colour whose revenue places with several have in the phase."""
        return self.revenue or self.tiles[-1]


class TrainKind(Struct, frozen=True, forbid_unknown_fields=True):
    """A type of train; ``count`` 0 means without limit.

    ``removed_on`` and ``obsolete_on`` name the phases that remove it or make it obsolete.
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
    #: the unit of ``reach``: stops, as the operating facts say; hexes entered; cities and off-board
    #: places, with towns that earn nothing; or no limit at all
    counts: Literal["stops", "hexes", "cities", "nothing"] = "stops"
    #: its reach by the number of trains of the type that companies own, one first; else ``reach``
    reach_by_owned: tuple[int, ...] = ()
    #: the phase that ends doubling, and ``reach_by_owned``
    settled_on: str = ""
    #: the type that it becomes again when it is discarded, for a train that a private company
    #: extended
    extends: str = ""


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
    #: phase → revenue from then on
    revenue_from: dict[str, int] = {}
    #: whether companies may buy it, in the phases that allow it
    for_companies: bool = True


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
    #: hexes from which the president chooses one for the home token; ``home`` is the first
    homes: tuple[str, ...] = ()
    #: hexes in which it also places a free token, in addition to its home
    more_homes: tuple[str, ...] = ()
    #: whether it forms by a merger only
    merger: bool = False
    #: trains above the limit that it may own
    more_trains: int = 0
    #: whether it trades trains with other companies at face value only
    face_value: bool = False
    #: whether it may lay the tiles of a first turn
    first_lays: bool = True
    president: int | None = None
    float: int | None = None


class VariantFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """An optional rule: its section, and its change in our words."""

    rule: str
    summary: str


class OverlayFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """The group whose overlay is merged into a title's facts; ``provenance`` names its sources."""

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
    players: dict[str, SeatFacts]
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
    #: the sign before an amount of money
    currency: str = "$"
    #: tile → hexes on which its track may lead off the map
    off_map: dict[str, tuple[str, ...]] = {}
    borders: Borders = Borders()
    rivers: dict[str, RiverFacts] = {}
    #: hex → colour → the tiles of which it takes one, and that no other hex takes
    choices: dict[str, dict[str, tuple[str, ...]]] = {}
    locations: dict[str, Location] = {}
    ferries: tuple[FerryFacts, ...] = ()
    #: dollars that a train's use of another company's ferry costs
    ferry_fee: int = 0
    loans: LoanFacts | None = None
    bonds: BondFacts | None = None
    merger: MergerFacts | None = None
    systems: SystemFacts | None = None
    connections: tuple[ConnectionFacts, ...] = ()
    small_cities: RebuildFacts | None = None
    fire_sale: FireSaleFacts | None = None
    receivership: ReceivershipFacts | None = None
    #: whether the end comes after a whole set of operating rounds, and with the last player
    full_set_end: bool = False
    #: whether a bankrupt player leaves and the others play on
    plays_on: bool = False
    #: whether private companies count at the end
    privates_worth: bool = True
    variants: dict[str, VariantFacts] = {}
    #: tile → tiles that keep everything it has but may not replace it
    barred_upgrades: dict[str, tuple[str, ...]] = {}
    #: parts that are reconstructions and marked so wherever players see them
    provenance: dict[str, str] = {}
    #: a group's own facts that are in these
    overlay: OverlayFacts | None = None
    #: whether the game waits for players without a choice: to end a turn in which they can buy
    #: nothing, to pass in an auction, to discard one of several equal trains
    waits_without_choice: bool = False
    #: whether a bank that has paid its last dollar is out of cash, or only one that owes
    empty_bank_ends: bool = True
    #: whether a tie for the first place is broken by one extra operating round
    extra_round_on_tie: bool = False
