"""Optional rules that titles of the 18AL family share; each title names those it has."""

from collections.abc import Mapping

from msgspec.structs import replace

from engine.facts.facts import CompanyFacts, Facts, Lays, TrainKind
from engine.facts.places import HexFacts
from engine.position.rules import Rules


def two_yellow(facts: Facts, rules: Rules) -> tuple[Facts, Rules]:
    """Two yellow tiles instead of one in a company's first turn."""
    return with_first_lays(facts, yellow=2), rules


def tie_break(facts: Facts, rules: Rules) -> tuple[Facts, Rules]:
    """One extra operating round breaks a tie."""
    return replace(facts, extra_round_on_tie=True), rules


def with_first_lays(facts: Facts, yellow: int) -> Facts:
    """``yellow`` yellow tiles instead of one, or one upgrade, in a company's first turn."""
    operating = replace(facts.operating, first_lays=Lays(yellow=yellow, upgrades=1))
    return replace(facts, operating=operating)


def with_home(facts: Facts, company: str, home: str) -> Facts:
    """A company starts on another hex."""
    return with_company(facts, replace(company_of(facts, company), home=home))


def company_of(facts: Facts, company: str) -> CompanyFacts:
    """The facts of one company."""
    return next(c for c in facts.company if c.id == company)


def with_company(facts: Facts, company: CompanyFacts) -> Facts:
    """One company has other facts."""
    return replace(
        facts, company=tuple(company if c.id == company.id else c for c in facts.company)
    )


def train_of(facts: Facts, type_: str) -> TrainKind:
    """The facts of one type of train."""
    return next(t for t in facts.train if t.type == type_)


def with_train(facts: Facts, train: TrainKind) -> Facts:
    """One type of train has other facts."""
    return replace(facts, train=tuple(train if t.type == train.type else t for t in facts.train))


def endless(facts: Facts, type_: str) -> Facts:
    """An unlimited number of trains of a type."""
    return with_train(facts, replace(train_of(facts, type_), count=0))


def as_the_neighbour_plays(facts: Facts, hexes: Mapping[str, HexFacts]) -> Facts:
    """The differences of 18xx.games in all titles of the family; ``hexes`` are those of its map."""
    return replace(
        facts,
        stock=replace(
            facts.stock,
            private_sale="waterfall",
            player_sales=False,
            player_purchases=True,
            limits_first=True,
        ),
        hex={**facts.hex, **hexes},
        operating=replace(
            facts.operating,
            aid_sales_apart=True,
            aid_after_discount=False,
            aid_for_company_trains=True,
            wide_discounts=True,
        ),
        waits_without_choice=True,
        empty_bank_ends=False,
    )
