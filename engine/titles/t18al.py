"""18AL: its rules are those of its family; its optional rules."""

from msgspec.structs import replace

from engine.titles import derrick
from engine.titles.facts import CompanyFacts, Facts, HexFacts, Lays, MarkPower, TrainKind
from engine.titles.rules import Rules
from engine.titles.title import Variant

RULES = derrick.RULES


def two_yellow(facts: Facts, rules: Rules) -> tuple[Facts, Rules]:
    """7(a): two yellow tiles instead of one on a company's first turn."""
    operating = replace(facts.operating, first_lays=Lays(yellow=2, upgrades=1))
    return replace(facts, operating=operating), rules


def decatur_home(facts: Facts, rules: Rules) -> tuple[Facts, Rules]:
    """7(b): L&N starts in Decatur."""

    def moved(company: CompanyFacts) -> CompanyFacts:
        return replace(company, home="C4") if company.id == "L&N" else company

    return replace(facts, company=tuple(map(moved, facts.company))), rules


def _with_train(facts: Facts, type_: str, train: TrainKind) -> Facts:
    trains = tuple(train if t.type == type_ else t for t in facts.train)
    return replace(facts, train=trains)


def _train(facts: Facts, type_: str) -> TrainKind:
    return next(t for t in facts.train if t.type == type_)


def endless_4d(facts: Facts, rules: Rules) -> tuple[Facts, Rules]:
    """7(c): as many 4D trains as are wanted."""
    return _with_train(facts, "4D", replace(_train(facts, "4D"), count=0)), rules


def no_last_run(facts: Facts, rules: Rules) -> tuple[Facts, Rules]:
    """7(d): the 7 removes all 4 trains at once."""
    train = replace(_train(facts, "4"), obsolete_on="", removed_on="7")
    return _with_train(facts, "4", train), rules


def neighbour(facts: Facts, rules: Rules) -> tuple[Facts, Rules]:
    """The rules as 18xx.games plays them; `service.neighbour.dialect` lists the differences."""
    corinth = HexFacts(
        name="Corinth", colour="red", stops=("offboard yellow:40 brown:30",), track="5-a"
    )
    stock = replace(facts.stock, private_sale="waterfall")
    operating = replace(facts.operating, buyer_keeps_obsolete=True, obsolete_count=False)
    privates = tuple(
        replace(p, power=replace(p.power, needs_train=False, needs_turn=False))
        if isinstance(p.power, MarkPower)
        else p
        for p in facts.private
    )
    theirs = replace(
        facts,
        stock=stock,
        operating=operating,
        private=privates,
        hex={**facts.hex, "B1": corinth},
        waits_without_choice=True,
    )
    return theirs, rules


VARIANTS: dict[str, Variant] = {
    "two-yellow": two_yellow,
    "decatur-home": decatur_home,
    "endless-4d": endless_4d,
    "no-last-run": no_last_run,
    "tie-break": derrick.tie_break,
    "18xx.games": neighbour,
}
