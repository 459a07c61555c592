"""Verbs of companies in their operating turns."""

from engine.facts.powers import (
    ExtendPower,
    FerryPower,
    HexTilePower,
    LaysPower,
    MarkPower,
    NamesPower,
    OwnHexesPower,
    SpareStationPower,
    StationPower,
    TerrainPower,
    TilePower,
)
from engine.notation import debt, distress, operating, powers, running, systems, trains
from engine.notation.forms import (
    Form,
    Verb,
    bonds,
    fire_sales,
    forms_systems,
    half_dividends,
    idle_trains,
    loans,
    mergers,
    own_shares,
    redemption,
    station_trade,
    without_loans,
)

_USE_LAY = "use PRIVATE: lay TILE HEX [EXITS]"

TURN_VERBS = (
    Verb(
        "lay",
        ("tile", "build", "upgrade"),
        operating.lay,
        (
            Form(
                "lay TILE HEX [EXITS]",
                "lay or upgrade a tile; exits may be left out if only one way is legal",
                "lay {tile} {hex} {exits}",
            ),
            Form(
                _USE_LAY,
                "lay a tile with a private's power",
                "use {tile_power}: lay {power_tile} {hex}",
                TilePower,
            ),
            Form(
                _USE_LAY,
                "lay a tile on a private's hex with its power",
                "use {hex_power}: lay {tile} {power_hex} {exits}",
                HexTilePower,
            ),
            Form(
                _USE_LAY,
                "lay a tile beside those of the turn with a private's power",
                "use {lays_power}: lay {tile} {hex} {exits}",
                LaysPower,
            ),
            Form(
                _USE_LAY,
                "lay a tile on one of a private's hexes with its power",
                "use {own_hexes_power}: lay {tile} {own_hex} {exits}",
                OwnHexesPower,
            ),
        ),
    ),
    Verb(
        "ferry",
        (),
        powers.ferry,
        (
            Form(
                "use PRIVATE: FERRY[, lay TILE HEX [EXITS] and …]",
                "open a ferry instead of laying tiles, with a tile for each end that has none",
                "use {ferry_power}: {ferry}, lay {ferry_tile} {ferry_hex}",
                FerryPower,
            ),
        ),
    ),
    Verb(
        "token",
        ("station", "home"),
        operating.token,
        (
            Form(
                "token HEX [CITY]",
                "put a station; number the city on a hex with several",
                "token {city}",
            ),
            Form(
                "use PRIVATE: token HEX",
                "put a station with a private's power",
                "use {station_power}: token {station_hex}",
                StationPower,
            ),
            Form(
                "use PRIVATE: token HEX [CITY]",
                "put the station that a private brings, wherever a circle is free",
                "use {spare_power}: token {city}",
                SpareStationPower,
            ),
        ),
    ),
    Verb(
        "mark",
        ("marker",),
        powers.mark,
        (
            Form(
                "use PRIVATE: mark HEX",
                "put a private's marker on the map",
                "use {mark_power}: mark {icon}",
                MarkPower,
            ),
            Form(
                "use PRIVATE",
                "give the company a private's marker that lowers the cost of tiles",
                "use {terrain_power}",
                TerrainPower,
            ),
        ),
    ),
    Verb(
        "extend",
        ("lengthen",),
        powers.extend,
        (
            Form(
                "use PRIVATE: extend TRAIN",
                "make a train reach further with a private's power",
                "use {extend_power}: extend {extended}",
                ExtendPower,
            ),
        ),
    ),
    Verb(
        "name",
        (),
        powers.name,
        (
            Form(
                "name NAME on TRAIN|off",
                "give a train a name, or leave its use to the moderator",
                "name {chit} on {train}",
                NamesPower,
            ),
        ),
    ),
    Verb(
        "run",
        ("operate", "run trains", "run routes"),
        running.run,
        (
            Form("run", "run all trains as well as possible", "run"),
            Form("run none", "let all trains stay at home", "run none"),
            Form(
                "run TRAIN: STOP-STOP…, …",
                "run trains from stop to stop; best and none may stand for the stops",
                "run {train}: best",
            ),
        ),
    ),
    Verb(
        "idle",
        ("rest",),
        running.idle,
        (
            Form(
                "idle TRAIN",
                "choose the train that earns nothing in this turn",
                "idle {train}",
                feature=idle_trains,
            ),
        ),
    ),
    Verb(
        "pay",
        ("payout", "dividend", "dividends", "pay dividend", "pay dividends"),
        operating.pay,
        (Form("pay", "pay the revenue out to the shareholders", "pay"),),
    ),
    Verb(
        "half",
        ("half pay", "pay half", "split"),
        operating.half,
        (
            Form(
                "half",
                "pay half of the revenue out and keep the other half",
                "half",
                feature=half_dividends,
            ),
        ),
    ),
    Verb(
        "withhold",
        ("hold", "hold back", "retain"),
        operating.withhold,
        (Form("withhold", "keep the revenue in the treasury", "withhold"),),
    ),
    Verb("train", ("trains", "buy train"), trains.buy_train),
    Verb(
        "buy station",
        ("buy token",),
        operating.buy_station,
        (
            Form(
                "buy station HEX [from COMPANY]",
                "take the place of another company's station, whose president is asked",
                "buy station {city} from {other}",
                feature=station_trade,
            ),
        ),
    ),
    Verb(
        "discard",
        ("scrap",),
        trains.discard,
        (Form("discard TRAIN", "give up a train over the limit", "discard {train}"),),
        lists=True,
    ),
    Verb(
        "repay",
        ("pay back",),
        debt.repay,
        (Form("repay NUMBER|all", "repay loans of the company", "repay 1", feature=loans),),
    ),
    Verb(
        "redeem",
        (),
        debt.redeem,
        (
            Form(
                "redeem NUMBER|all [from PLAYER]",
                "buy bonds back from the open market, or if it has none from a player",
                "redeem 2",
                feature=bonds,
            ),
            Form(
                "redeem NUMBER|all COMPANY",
                "your company buys shares of its own from the open market; it is your whole turn",
                "redeem 2 {company}",
                feature=redemption,
            ),
        ),
    ),
    Verb(
        "issue",
        (),
        debt.issue,
        (
            Form(
                "issue NUMBER",
                "sell shares of the company's treasury to the open market as one block",
                "issue 2",
                feature=own_shares,
            ),
        ),
    ),
    Verb(
        "buy back",
        (),
        debt.buy_back,
        (
            Form(
                "buy back NUMBER",
                "the company buys shares of its own from the open market",
                "buy back 2",
                feature=own_shares,
            ),
        ),
    ),
    Verb(
        "keep",
        (),
        operating.keep,
        (
            Form(
                "keep HEX",
                "keep a station of a company that has merged into yours",
                "keep {kept}",
                feature=mergers,
            ),
        ),
        lists=True,
    ),
    Verb(
        "offer",
        ("auction",),
        distress.offer,
        (
            Form(
                "offer share",
                "put a share of the treasury up for a fire sale, for a train that must be bought",
                "offer share",
                feature=fire_sales,
            ),
            Form(
                "offer station HEX for PRICE",
                "put a station up for it, from this price on",
                "offer station {city} for 40",
                feature=fire_sales,
            ),
        ),
    ),
    Verb(
        "merge",
        (),
        systems.merge,
        (
            Form(
                "merge COMPANY with COMPANY [as SYSTEM]",
                "merge your corporation without a train and another into a system",
                "merge {company} with {other} as {system}",
                feature=forms_systems,
            ),
        ),
    ),
    Verb(
        "bankrupt",
        ("bankruptcy", "go bankrupt", "declare bankruptcy"),
        trains.bankrupt,
        (
            Form(
                "bankrupt",
                "declare that a forced train cannot be paid",
                "bankrupt",
                feature=without_loans,
            ),
            Form(
                "bankrupt",
                "declare that a forced train or interest cannot be paid",
                "bankrupt",
                feature=loans,
            ),
        ),
    ),
)
