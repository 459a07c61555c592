"""What a player comes to where a board is adjudicated: a sum such as `worth + 2 x income`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

#: figures of a player that a formula may name (`values.SeatResult`), in dollars
FIGURES = ("worth", "cash", "income")
_TERM = re.compile(r" ?([+-])? ?(?:(\d{1,3}) ?[x*] ?)?([a-z]+) ?", re.IGNORECASE)


class WrongFormula(ValueError):
    """A formula that is not understood; says what would be."""


NO_FORMULA = "write a sum, such as worth + 2 x income"
HOW_OF_FORMULAS = "write a sum of {figures}, such as worth + 2 x income"


@dataclass(frozen=True)
class Formula:
    """A sum of figures, each with how often it counts."""

    terms: tuple[tuple[int, str], ...]

    @classmethod
    def read(cls, text: str) -> Self:
        """The formula of a text. Raises WrongFormula."""
        text = " ".join(text.split())
        terms: list[tuple[int, str]] = []
        at = 0
        while at < len(text):
            found = _TERM.match(text, at)
            if (
                found is None
                or (found[1] is None) == bool(terms)
                or found[3].lower() not in FIGURES
            ):
                raise WrongFormula(HOW_OF_FORMULAS.format(figures=", ".join(FIGURES)))
            times = int(found[2] or 1)
            terms.append((-times if found[1] == "-" else times, found[3].lower()))
            at = found.end()
        if not terms:
            raise WrongFormula(NO_FORMULA)
        return cls(tuple(terms))

    def of(self, figures: Mapping[str, int]) -> int:
        """What it comes to."""
        return sum(times * figures[name] for times, name in self.terms)

    def __str__(self) -> str:
        text = ""
        for times, name in self.terms:
            sign = ("-" if times < 0 else "+") if text else ("-" if times < 0 else "")
            term = name if abs(times) == 1 else f"{abs(times)} x {name}"
            text += f" {sign} {term}" if text else f"{sign}{term}"
        return text
