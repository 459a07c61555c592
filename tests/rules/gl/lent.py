"""Words for powers of private companies that players lend to companies of 18GL."""

from engine.actions import ActivateFerry, Decline, ExtendTrain, LaidTile, PlaceMark

MILWAUKEE = "Milwaukee–Muskegon"
ONTARIO = "Northern Ontario–Alpena–Owen Sound"
ESCANABA = "Traverse City–Escanaba"
LONDON = "London–Cleveland"


def mark(name: str, private: str, hex_: str = "", by: str = "Ann") -> PlaceMark:
    """Give a company the marker of a private, on its charter or on a hex."""
    return PlaceMark(by=by, company=name, private=private, hex=hex_)


def extend(name: str, train: str, by: str = "Ann") -> ExtendTrain:
    """Make a train reach further by ALCO."""
    return ExtendTrain(by=by, company=name, private="ALCO", train=train)


def ferry(name: str, which: str, tiles: str = "", by: str = "Ann") -> ActivateFerry:
    """Open a ferry, with tiles for its empty ends, "hex tile rotation" parted by commas."""
    laid = []
    for lay in tiles.split(",") if tiles else ():
        hex_, tile, rotation = lay.split()
        laid.append(LaidTile(hex_, tile, int(rotation)))
    return ActivateFerry(by=by, company=name, private="Ferry", ferry=which, tiles=tuple(laid))


def decline(seat: str) -> Decline:
    """Refuse leave."""
    return Decline(by=seat)
