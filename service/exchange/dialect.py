"""Names that 18xx.games uses for each title, and the rules in which it differs; data only."""

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

#: (section of the rulebook, how 18xx.games differs)
Differences = tuple[tuple[str, str], ...]


def _family(first: str, forced: str, end: str = "5") -> Differences:
    """The differences of 18xx.games in all titles of the 18AL family.

    ``first`` is the cheapest private company, ``forced`` the section on forced purchases, ``end``
    the section on the end of the game.
    """
    return (
        (
            "1.2",
            "The first phase is called 2; nothing else changes when the first 2 train is bought.",
        ),
        (
            "3.1",
            "Private companies are sold in a round of their own (ISR1) before the first stock "
            "round; nobody operates before all are sold.",
        ),
        (
            "3.1.1",
            "In an auction the lowest bidder raises or passes next, and may first bid on other "
            "private companies. A player who passes is out of that auction and gets the money of "
            "the bid back.",
        ),
        (
            "3.1.2",
            f"The {first} becomes $5 cheaper each time all pass; once it is sold, the private "
            "companies pay their owners when all pass. At $0 the next player must take it.",
        ),
        (
            "3.2(b), (c)(4)",
            "A player buys a private company of another player on the buyer's own turn only, as "
            "its "
            "one purchase, at any price, and beyond the certificate limit.",
        ),
        (
            "3.3(b)",
            "A player over a limit may do nothing but sell while anything can be sold, even "
            "shares that do not count.",
        ),
        (
            "4.2",
            "A pass ends one step of a company's turn; steps in which nothing is possible end "
            "alone.",
        ),
        ("4.2.3.1", "No shareholder can insist on the best run."),
        (
            "4.2.5(d), 4.2.6",
            "Trains and private companies change hands without the other side being asked.",
        ),
        ("4.2.5(g)", "Trains over the limit are named one by one even where all are alike."),
        (
            forced,
            "The president's money pays for another company's train, too, for up to its face "
            "value. A president who has sold shares must keep less than the price of one that was "
            "sold last.",
        ),
        (
            forced,
            "Each sale of shares for a train must be needed by itself; that a later one makes it "
            "needless says nothing.",
        ),
        (
            forced,
            "A bankrupt's shares are sold as far as the rules allow, and the cash goes to the "
            "bank.",
        ),
        (end, "A bank that has paid its last dollar has not broken; one that has to owe has."),
        (end, "The players may agree to end the game at any time."),
    )


#: title → its differences
DIFFERENCES: Mapping[str, Differences] = {
    "18AL": (
        *_family("Tuscumbia Railway", "4.2.5.2"),
        ("4.2.1, map", "Corinth (B1) earns $40 at first and $30 from phase 5 on."),
        ("4.2.5(g)", "Obsolete trains do not count toward the train limit."),
        (
            "4.2.5.1",
            "The corporation that buys the 7 keeps its 4 trains for a last run like all others.",
        ),
        (
            "Table III, S&NA",
            "The coal field marker needs track that leads there, and some train of the company, "
            "which need not run there. It can be placed on the turn of any company with the same "
            "president.",
        ),
        (
            "Table III, M&C",
            "The name chits are not given to trains: each counts once, on a run with both its "
            "places. They stay with the company when its president changes, though its log says "
            "that they are removed; here they leave the game.",
        ),
        (
            "Table III, NDY",
            "The discount is for used trains too, and beside the one train of the bank in a turn.",
        ),
        (
            "7(c)",
            "Unlimited 4D trains are eight there; here there is no limit under either name.",
        ),
    ),
    "18GA": (
        *_family("Lexington Terminal Railroad", "4.2.5.1"),
        ("4.2(a)", "ACL places its home token when its par is set, not on its first turn."),
        (
            "4.2.1(f), map",
            "E3, F2, H2 and I3 cost $20 instead of $40, and Columbus (G3) costs nothing.",
        ),
        (
            "4.2.3(h)",
            "Jacksonville (J12) is a city that trains of ACL run through; nobody runs through it "
            "before ACL has its token there.",
        ),
        ("Table III, MRC", "The Midland lays a yellow 7, 8 or 9 only."),
        (
            "7",
            "Of the options there are 7(a) to (c), and two more: a last run of 4 trains after the "
            "first 8, last-run here, and a map with Charleston, cotton-port here.",
        ),
        (
            "Table III, M&B",
            "A player who buys it from another player gets its share again, out of the open "
            "market and beyond all limits. While no share is there, it is not sold to players.",
        ),
        ("Table III, OSR", "The free train is the sixth 2 train, 2-5 in a file; here it is a 2F."),
    ),
    "18TN": (
        *_family("Tennessee Copper Company", "4.2.5.2", "6"),
        ("4.2.5(g)", "Obsolete trains do not count toward the train limit."),
        (
            "5.1",
            "Every company with a train loses a run in its next turn, whether or not it has a "
            "route. A train that stays at home is the lost one. If all trains run, the poorest "
            "run earns nothing.",
        ),
        (
            "4.2.5.2(d)",
            "A president's certificate may be sold whole where a part of it would be enough.",
        ),
        ("Table III, M&C", "The free tile is for Memphis, H3, and not for H5."),
        ("Table IV", "Tile 57 may be replaced by 619."),
        ("8(b), (c)", "There are no such options."),
    ),
}
