"""Names that 18xx.games uses for each title; data only."""

from collections.abc import Mapping
from dataclasses import dataclass, field


class NeighbourError(Exception):
    """An exported game that Waybill cannot use: the action's id, None for the file, and why."""

    def __init__(self, action: int | None, why: str) -> None:
        super().__init__(why if action is None else f"action {action}: {why}")
        self.action = action
        self.why = why


@dataclass(frozen=True)
class Dialect:
    """A title in the words of 18xx.games; names that are missing here are the same in both."""

    #: the variant of our title that plays by their rules
    variant: str = "18xx.games"
    #: their private company → ours
    privates: Mapping[str, str] = field(default_factory=dict)
    #: their corporation → ours
    companies: Mapping[str, str] = field(default_factory=dict)
    #: our companies in the order in which they discard trains over the limit; () for our own order
    order: tuple[str, ...] = ()
    #: id of one of their trains → our type, if the id does not show it
    single_trains: Mapping[str, str] = field(default_factory=dict)
    #: their tile → ours
    tiles: Mapping[str, str] = field(default_factory=dict)
    #: their type of train → our type, if they distinguish types that we do not
    trains: Mapping[str, str] = field(default_factory=dict)
    #: our type of train → (number of trains that have our name there, name of the others)
    late_trains: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    #: our phase → theirs
    phases: Mapping[str, str] = field(default_factory=dict)
    #: their optional rule → the variant of our title, "" if it changes no rule
    optional_rules: Mapping[str, str] = field(default_factory=dict)
    #: type of train → their number of trains, if an optional rule gives us an unlimited number
    copies: Mapping[str, int] = field(default_factory=dict)
    #: whether their game fails if a turn ends right after a private company's tile
    fails_after_power: bool = False
    #: their reason for the end of the game → our cause
    endings: Mapping[str, str] = field(
        default_factory=lambda: {
            "bank": "bank",
            "stock_market": "price",
            "bankrupt": "bankruptcy",
            "manually_ended": "agreement",
        }
    )

    def train_ids(self, train: str, count: int) -> tuple[str, ...]:
        """Their ids of trains of our type, in order of sale; ``count`` 0: an unlimited number."""
        single = [id_ for id_, ours in self.single_trains.items() if ours == train]
        if single:
            return tuple(single)
        count = count or self.copies[train]
        first, late = self.late_trains.get(train, (count, ""))
        return tuple(f"{train}-{n}" if n < first else f"{late}-{n - first}" for n in range(count))


#: by title
DIALECTS: Mapping[str, Dialect] = {
    "18AL": Dialect(
        privates={"SNAR": "S&NA", "BLC": "B&SLC"},
        phases={"1": "2"},
        optional_rules={
            "double_yellow_first_or": "two-yellow",
            "LN_home_city_moved": "decatur-home",
            "unlimited_4d": "endless-4d",
            "hard_rust_t4": "no-last-run",
        },
        copies={"4D": 8},
    ),
    "18GA": Dialect(
        privates={"LTR": "LT", "W&SR": "W&S", "M&BR": "M&B"},
        order=("ACL", "CoG", "G&F", "GA", "W&A", "SAL"),
        single_trains={"2-5": "2F"},
        phases={"1": "2"},
        optional_rules={
            "double_yellow_first_or": "two-yellow",
            "new_georgia_florida_home": "columbus-home",
            "remove_cog_token": "cog-one-less",
            "soft_rust_4t": "last-run",
            "cotton_port": "cotton-port",
        },
    ),
    "18TN": Dialect(
        privates={"ETWCR": "ET&WNC", "MCR": "M&C", "OWR": "O&W"},
        companies={"NC&StL": "NCSL", "SR": "SOU"},
        order=("SOU", "GMO", "L&N", "IC", "NCSL", "TC"),
        trains={"3'": "3", "6'": "6"},
        late_trains={"3": (3, "3'"), "6": (1, "6'")},
        fails_after_power=True,
        phases={"1": "2"},
        optional_rules={"triple_yellow_first_or": "three-yellow"},
    ),
}
