"""The structure of a verb: its forms, and the titles that need each form; knows no verb."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.facts.powers import Power
from engine.notation.reading import CommandReader
from engine.steps.powers.exchange import for_train

if TYPE_CHECKING:
    from engine.actions import Action
    from engine.facts.title import Title


def always(title: Title) -> bool:
    """A feature of every title."""
    return True


def nothing(title: Title, power: Any) -> dict[str, str]:  # noqa: ANN401
    """No names, for an example with only those of every title and of the private company."""
    return {}


@dataclass(frozen=True)
class Form:
    """One way to use a verb; `engine.notation.help` fills names of the title into ``example``.

    For an action by a private company's power, ``example`` names the power as ``{power}``.
    """

    syntax: str
    meaning: str
    example: str
    #: the kind of power that a title must have for this form
    power: type[Power] | None = None
    #: whether a title has the feature for this form
    feature: Callable[[Title], bool] = always
    #: names for the example that come from the power
    names: Callable[[Title, Any], dict[str, str]] = nothing

    def fits(self, title: Title) -> bool:
        """Whether players can use this form in a title."""
        powers = (private.power for private in title.facts.private)
        kind = self.power
        return self.feature(title) and (kind is None or any(isinstance(p, kind) for p in powers))


@dataclass(frozen=True)
class Verb:
    """A verb with its other names, its reader and its forms."""

    name: str
    also: tuple[str, ...]
    read: Callable[[CommandReader], Action]
    forms: tuple[Form, ...] = ()
    #: kinds of powers that it serves in addition to those of its forms
    powers: tuple[type[Power], ...] = ()
    #: whether a list may continue without the verb: "sell 2 L&N, 1 M&O"
    lists: bool = False

    def known(self, title: Title) -> bool:
        """Whether a title needs it; a verb without forms only replaces other words."""
        return not self.forms or any(form.fits(title) for form in self.forms)


def idle_trains(title: Title) -> bool:
    """A president chooses a train that earns nothing."""
    return title.facts.operating.idle == "choice"


def best_runs_by_wish(title: Title) -> bool:
    """Companies may run for less than they can, unless somebody insists."""
    return title.facts.operating.best_run == "insisted"


def half_dividends(title: Title) -> bool:
    """Companies may pay out half of their earnings."""
    return "half" in title.facts.operating.dividends


def treasuries(title: Title) -> bool:
    """Companies hold their own shares, and trade in them."""
    return title.facts.stock.treasuries


def own_shares(title: Title) -> bool:
    """Companies trade in their own shares in their turns."""
    return "own shares" in title.facts.turn


def redemption(title: Title) -> bool:
    """Companies redeem shares in stock turns of their presidents."""
    return title.facts.stock.redemption


def without_treasuries(title: Title) -> bool:
    """Companies hold no shares of their own."""
    return not treasuries(title)


def sold_in_turns(title: Title) -> bool:
    """The bank sells private companies turn by turn, the cheapest at its par."""
    return not parallel_auctions(title)


def parallel_auctions(title: Title) -> bool:
    """All private companies are auctioned at once."""
    return title.facts.stock.private_sale == "parallel"


def protection(title: Title) -> bool:
    """Presidents may protect prices."""
    return title.facts.stock.protection


def several_shares(title: Title) -> bool:
    """Several shares of the open market may be one purchase."""
    return bool(title.facts.stock.several_zones)


def starting_values(title: Title) -> bool:
    """Players pay market value for shares, and the first buyer sets the starting value."""
    return not title.facts.stock.par_price


def par_prices(title: Title) -> bool:
    """Shares in the IPO cost par."""
    return title.facts.stock.par_price


def loans(title: Title) -> bool:
    """Companies take loans."""
    return title.facts.loans is not None


def without_loans(title: Title) -> bool:
    """Companies take no loans."""
    return title.facts.loans is None


def bonds(title: Title) -> bool:
    """A company has bonds."""
    return title.facts.bonds is not None


def mergers(title: Title) -> bool:
    """Companies may merge."""
    return title.facts.merger is not None


def fire_sales(title: Title) -> bool:
    """Companies auction shares and tokens for a train that they must buy."""
    return title.facts.fire_sale is not None


def forms_systems(title: Title) -> bool:
    """Corporations merge into systems."""
    return title.facts.systems is not None


def station_trade(title: Title) -> bool:
    """Companies sell each other tokens."""
    return title.facts.operating.station_trade > 0


def exchanges(title: Title) -> bool:
    """A private company can be exchanged for a train."""
    return any(for_train(title, private) for private in title.privates)


def receivership(title: Title) -> bool:
    """Players run companies without a president, and take them over."""
    return title.facts.receivership is not None


def traded_privates(title: Title) -> bool:
    """Private companies change hands after the bank has sold them."""
    facts = title.facts
    to_companies = any(phase.company_privates for phase in facts.phase)
    first = facts.operating.first_round_sale is not None
    between = facts.stock.player_sales or facts.stock.player_purchases
    return between or to_companies or first


def lent_powers(title: Title) -> bool:
    """Players lend companies the powers of their private companies."""
    return title.facts.operating.powers == "player"


def own_powers(title: Title) -> bool:
    """Powers belong to the companies that own the private companies."""
    return not lent_powers(title)
