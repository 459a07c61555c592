"""Optional features of a title: debt, mergers, connections, companies in distress.

Each feature is one table of the title's file.
"""

from msgspec import Struct


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
    """A company that forms when other companies that have operated have no trains."""

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


class SystemFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """Systems, each formed by two companies of one president, one of them without a train."""

    #: the charters; any of them can be used for any merger
    companies: tuple[str, ...]
    #: the phase from which on they form
    phase: str
    #: their certificates, the president's first; a share of the old ones becomes the smallest
    certificates: tuple[int, ...]
    #: certificates by which each merger lowers the certificate limit
    certificates_less: int


class ConnectionFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """A bonus for the first company that runs between two places, and a token that doubles one."""

    id: str
    places: tuple[str, str]
    #: dollars for the treasury, and for the revenue of the run
    treasury: int
    route: int
    #: the place in which the token goes, into a circle that is kept for it; one of the two
    token: str


class RebuildFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """Yellow town tiles that may be replaced from a phase on, by a city or by plain track."""

    phase: str
    #: tile → the tiles that may replace it
    tiles: dict[str, tuple[str, ...]]


class FireSaleFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """Auctions for a company that needs a train: first of its shares, then of its tokens."""

    #: percent of the market value at which bids on a share begin, and that the bank pays
    least: int
    #: dollars that a bid is above the one before
    step: int


class ReceivershipFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """Receivership: players run companies without a president in turn."""

    #: the type of train that one without trains borrows of the bank
    train: str
