"""Powers of private companies, as a title's file states them: one struct for each kind."""

from typing import Literal

from msgspec import Struct


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
    #: the only step of a turn in which it is placed, "" for any
    step: str = ""
    #: whether placing it closes the private
    closes: bool = False


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
    #: whether its owner may exchange the private for a train of the bank, for a company of theirs
    for_train: bool = False


class FoundingPower(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="founding"
):
    """The president's certificate of a company: the private's buyer sets the par."""

    company: str
    #: when the private closes: as soon as the par is set, or when the company buys a train
    closes: Literal["at once", "first train"] = "at once"


class TerrainPower(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="terrain"
):
    """A marker for a company's charter: tiles on a terrain cost it a percentage of the price."""

    mark: str
    terrain: str
    percent: int
    removed_on: str


class LaysPower(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="lays"):
    """Tiles beside those of the turn: so many yellow ones, or one upgrade; closes the private."""

    yellow: int
    #: the colour that an upgrade may bring
    upgrade_to: str


class OwnHexesPower(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="own hexes"
):
    """A yellow tile on each of the private's hexes, unconnected but joined; closes the private."""

    hexes: tuple[str, ...]


class ExtendPower(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="extend"):
    """One train that reaches further for good; the private closes when that train leaves."""

    #: type → the type it becomes
    trains: dict[str, str]


class FerryPower(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="ferry"):
    """A ferry instead of a turn's tiles; its company uses it free, others for a fee."""

    mark: str


class SpareStationPower(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="spare station"
):
    """One station token more, unconnected, beside that of the turn; closes the private."""


class PassagePower(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="passage"
):
    """Dollars of the bank to its owner for each train that stops in a place, whose it may be."""

    hex: str
    dollars: int
    #: the phase that ends it; it outlives the private
    until: str


class SwapPower(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="swap"):
    """The private for one ordinary share of any company, beside the owner's turns."""


class BridgePower(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="bridge"):
    """A percentage of what companies pay for bridges goes to the private's owner."""

    percent: int


class DoublePower(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="double"):
    """A place counts double for the company that owns the private."""

    hex: str
    #: the phase that ends it; it outlives the private
    until: str


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
    | TerrainPower
    | LaysPower
    | OwnHexesPower
    | ExtendPower
    | FerryPower
    | SpareStationPower
    | PassagePower
    | SwapPower
    | BridgePower
    | DoublePower
)
