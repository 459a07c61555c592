"""The facts of a title as its file states them: typed, checked, kept with each game."""

from typing import Literal

from msgspec import Struct

from engine.facts.powers import Power


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
    #: "auction": only the high bidder's money is set aside, and who passes in an auction is out
    private_sale: Literal["turns", "waterfall", "auction"] = "turns"
    #: whether players sell private companies to each other
    player_sales: bool = True
    #: zones of the stock chart in which a player may hold all of a company
    unlimited_zones: tuple[str, ...] = ()
    #: what a company receives when it floats: ten times its par, or the price of what was bought;
    #: then the rest of its shares lie in its treasury, and it is paid for them
    capital: Literal["full", "bought"] = "full"
    #: whether shares of the initial offering cost par, or the market value like all others
    par_price: bool = True
    #: whether a company's shares may be sold only after it has operated
    sale_needs_turn: bool = False
    #: whether a turn's sales come before its purchase, all shares of a company as one block
    sales_first: bool = False
    #: whether private companies count toward the certificate limit
    privates_count: bool = True
    #: groups of private companies of which lot chooses one
    drawn: tuple[tuple[str, ...], ...] = ()


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
    #: when a company puts its home station
    home: Literal["first turn", "float"] = "first turn"
    #: whether ``station_costs`` tells the cost by the number of the station, or of each hex traced
    station_cost: Literal["number", "hex"] = "number"
    #: whether further stations may stand in off-board locations that have circles
    offboard_stations: bool = False
    #: which companies must own a train
    must_own: Literal["with route", "all"] = "with route"
    #: which train loans and a president's money pay for: the cheapest of the bank, or the new one
    forced_train: Literal["cheapest", "new"] = "cheapest"
    #: whether trains must always run for the most, or only when a shareholder insists
    best_run: Literal["insisted", "always"] = "insisted"
    #: what a president may do with the earnings
    dividends: tuple[str, ...] = ("pay", "withhold")
    #: who is paid for shares in the open market
    market_dividend: Literal["treasury", "nobody"] = "treasury"
    #: what moves a price right: any dividend, or one of at least the price
    price_rises: Literal["any dividend", "price paid"] = "any dividend"
    #: whether tiles may not shut out companies that have not operated
    protects_homes: bool = False
    #: who owns private companies whose powers companies use; "player" asks the owner
    powers: Literal["company", "player"] = "company"
    #: what a president sells just enough of for the company: certificates, of which that of the
    #: president is one, or shares
    aid_sale: Literal["certificates", "shares"] = "certificates"
    #: whether it must be just enough in each sale by itself, not in all sales together
    aid_sales_apart: bool = False
    #: whether a company can pay for what it can pay for with a discount that it owns
    aid_after_discount: bool = True


class ChartFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """The stock chart, rows from the top: a price with letters for what the space is."""

    end_price: int
    rows: tuple[str, ...]
    #: par value → the phase from which it may be set, where that is not the first
    par_from: dict[str, str] = {}


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
    #: how many spaces right a dividend of so many times the price moves it, up to this many
    most_steps: int = 1
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
    #: what ``reach`` limits: stops, as the operating facts say; hexes entered; cities and off-board
    #: places, and then towns earn nothing; or nothing at all
    counts: Literal["stops", "hexes", "cities", "nothing"] = "stops"
    #: its reach by the number of trains of the type that companies own, one first; else ``reach``
    reach_by_owned: tuple[int, ...] = ()
    #: the phase that ends doubling, and ``reach_by_owned``
    settled_on: str = ""
    #: the type it is again when it is discarded, where it is a train that a private extended
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
    #: hexes of which the president chooses one for the home station; ``home`` is the first
    homes: tuple[str, ...] = ()
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


class TileFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """A tile in rotation 0."""

    colour: str
    stops: tuple[str, ...] = ()
    track: str = ""
    label: str = ""
    name: str = ""
    printed: str = ""
    #: ferry line, written like track: usable only while the ferry runs
    ferry: str = ""
    #: whether it lies as it is printed, in rotation 0 alone
    fixed: bool = False


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
    #: ferry line, written like track
    ferry: str = ""
    #: colour of an upgrade → what it costs
    upgrade_costs: dict[str, int] = {}


class Borders(Struct, frozen=True, forbid_unknown_fields=True):
    """Sides of hexes that no track may cross, as "B3-D3"."""

    impassable: tuple[str, ...] = ()


class Location(Struct, frozen=True, forbid_unknown_fields=True):
    """Off-board hexes that are one place: a train stops there once."""

    hexes: tuple[str, ...]
    #: whether a station in one of them stands in all
    one_station: bool = False


class FerryFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """A ferry: its ends and what is laid on the lake when it is opened."""

    name: str
    ends: tuple[str, ...]
    #: tiles as "hex tile rotation"
    tiles: tuple[str, ...]


class LoanFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """Loans of companies, in dollars; ``loss`` is what each takes from a share at the end."""

    value: int
    interest: int
    limit: int
    loss: int


class BondFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """Bonds of one company, in dollars; ``loss`` is what each takes from a share at the end."""

    company: str
    number: int
    value: int
    interest: int
    loss: int


class MergerFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """A company that forms when others that have operated are without trains."""

    company: str
    #: phases at whose beginning it may form
    phases: tuple[str, ...]
    #: merged companies from which on the second issue, and then bonds, are exchanged as well
    second_issue_from: int
    bonds_from: int
    #: its certificates: of the first issue alone, and of both
    first_issue: tuple[int, ...]
    both_issues: tuple[int, ...]
    least_price: int
    #: station tokens beside those that replace others, and how many of these a merged one gives
    tokens: int
    stations_each: int
    #: type of train whose number depends on the companies there are, and that number by them
    train: str
    train_count: tuple[int, ...]


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
    #: hex → colour → the tiles of which it takes one, and that no other hex takes
    choices: dict[str, dict[str, tuple[str, ...]]] = {}
    locations: dict[str, Location] = {}
    ferries: tuple[FerryFacts, ...] = ()
    #: dollars that a train's use of another company's ferry costs
    ferry_fee: int = 0
    loans: LoanFacts | None = None
    bonds: BondFacts | None = None
    merger: MergerFacts | None = None
    #: whether the end comes after a whole set of operating rounds, and with the last player
    full_set_end: bool = False
    #: whether a bankrupt player leaves and the others play on
    plays_on: bool = False
    #: whether private companies count at the end
    privates_worth: bool = True
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
