"""Rules of the 1870 family along the Mississippi; 18MW is its title here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.play.privates import close_with_heirs, share_brought
from engine.position.rules import Rules
from engine.runs.connections import connection_bonus, connection_bonuses, factor

if TYPE_CHECKING:
    from engine.board.hexes import Hex
    from engine.facts.facts import TrainKind
    from engine.position.table import Table

#: the subject of a refusal → the heading of 18MW's rulebook, which has no numbers
SECTIONS = {
    # things that players may try, and that this title does not have
    **dict.fromkeys(
        (
            "barred hexes",
            "extended train",
            "ferry",
            "founding",
            "lays",
            "mark",
            "own hexes",
            "power",
            "power station",
            "power tile",
            "private purchase",
            "terrain",
            "train name",
        ),
        "Private Companies",
    ),
    **dict.fromkeys(("idle train", "ferry fee"), "Train Operation"),
    **dict.fromkeys(("gift train", "one bank train", "debt trade", "discount"), "Train Purchase"),
    **dict.fromkeys(("bond", "last share", "not operated"), "Stock Round"),
    **dict.fromkeys(
        ("bond interest", "bond redemption", "interest", "loan repayment", "own shares"),
        "Operations Round, Overview",
    ),
    "merger stations": "Merger",
    "obsolete train": "Game Phases",
    "turn order": "Sequence of Play",
    "bid": "Initial Stock Round",
    "auction": "Initial Stock Round",
    "par": "Initial Value Zone",
    "companies": "Companies",
    "private companies": "Private Companies",
    "sale": "Stock Round",
    "first round": "Initial Stock Round",
    "one block": "Stock Round",
    "market limit": "Shares and Limits",
    "president's certificate": "Shares and Limits",
    "half shares": "Shares and Limits",
    "player limit": "Shares and Limits",
    "certificate limit": "Shares and Limits",
    "must sell": "Shares and Limits",
    "excess": "Share Price Protection, Procedure",
    "protection": "Share Price Protection",
    "protection money": "Share Price Protection, Eligibility 1",
    "protection limit": "Share Price Protection, Eligibility 2",
    "protection sale": "Share Price Protection, Eligibility 3",
    "private between players": "Private Companies",
    "purchase": "Stock Round",
    "president's purchase": "Stock Round",
    "merger company": "Systems",
    "swap": "Lacrosse and Milwaukee",
    "redemption": "Share Redemption, Procedure",
    "redemption turn": "Share Redemption, Eligibility 1",
    "redemption money": "Share Redemption, Eligibility 2",
    "redemption market": "Share Redemption, Eligibility 3",
    "redemption place": "Share Redemption, Eligibility 4",
    "merger": "Merger",
    "system charter": "Merger 1",
    "company gone": "Closed Zone",
    "share of the offering": "Stock Round",
    "share of the market": "Stock Round",
    "share of the treasury": "Share Reissue",
    "one purchase": "Stock Round",
    "several shares": "Brown Zone",
    "bought after sold": "Stock Round",
    "order of a stock turn": "Stock Round",
    "operating order": "Operations Round, Overview",
    "order of an operating turn": "Operations Round, Overview",
    "home station": "Formation of Corporations",
    "tile lays": "Lay or Upgrade Track",
    "tile phases": "Game Phases",
    "tile supply": "A5.0",
    "tile colours": "Tile Placement and Tile Upgrades",
    "cities on tiles": "Tile Placement and Tile Upgrades",
    "towns on tiles": "Tile Placement and Tile Upgrades",
    "tile cost": "Lay or Upgrade Track",
    "small cities": "Lay or Upgrade Track",
    "reserved tiles": "Lay or Upgrade Track",
    "protected homes": "Tile Placement and Tile Upgrades",
    "upgrade chart": "Tile Placement and Tile Upgrades",
    "power tile": "Private Companies",
    "power station": "Saint Louis and Alton",
    "last share": "Stock Round",
    "track kept": "Tile Placement and Tile Upgrades",
    "exits of tiles": "Tile Placement and Tile Upgrades",
    "tile connection": "Lay or Upgrade Track",
    "station": "Additional Token Placement",
    "station cost": "Station Token Placement",
    "station connection": "Station Token Placement",
    "spare station": "Saint Louis and Alton",
    "connection Chicago–San Francisco": "Chicago-San Francisco Connection",
    "connection New Orleans–Southwest": "New Orleans-Southwest Connection",
    "station trade": "Purchase of Tokens",
    "one station a hex": "Station Token Placement",
    "reserved circle": "Station Token Placement",
    "own trains": "Train Operation",
    "route": "Train Operation",
    "track once": "Train Operation",
    "forks": "Train Operation",
    "through cities": "Train Operation",
    "blocked cities": "Train Operation",
    "own station": "Train Operation",
    "stops once": "Train Operation",
    "off-board ends": "Train Operation",
    "train reach": "Train Operation",
    "separate track": "Train Operation",
    "best run": "Train Operation",
    "idle train": "Train Operation",
    "dividend": "Dividend Payment",
    "train for a private": "Mobile and Ohio",
    "train order": "Train Purchase",
    "face value": "Train Purchase",
    "discount": "Train Purchase",
    "company train": "Train Purchase",
    "train limit": "Game Phases",
    "discard": "Game Phases",
    "forced purchase": "Mandatory Train Purchase",
    "president's aid": "Mandatory Train Purchase",
    "cheapest train": "Mandatory Train Purchase",
    "aid sale": "Mandatory Train Purchase",
    "redeemed shares": "Mandatory Train Purchase 1",
    "station for sale": "Mandatory Train Purchase 2",
    "bankruptcy": "Bankruptcy",
    "receivership": "Bankruptcy",
    "company buys private": "Private Companies",
}


def stop_value(table: Table, company: str, train: TrainKind, hex_: Hex, stop: int) -> int:
    """Revenue of a stop, by the phase (Game Phases), and double for some companies."""
    value = table.face(hex_).stops[stop].value(table.phase.value_colour)
    return value * factor(table, company, hex_)


RULES = Rules(
    sections=SECTIONS,
    stop_value=stop_value,
    set_bonus=connection_bonus,
    bonuses=connection_bonuses,
    on_event={"close privates": close_with_heirs},
    on_first_owner=share_brought,
)
