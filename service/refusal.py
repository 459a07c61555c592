"""The one refusal of the service: why something is not done, by which rule, and what would work."""

from engine import Refusal


class Refused(Exception):
    """A request that is not carried out.

    ``why`` says in whole sentences what is wrong, ``rule`` is the section of the rulebook or "",
    and ``hint`` says what would work, or is "" if ``why`` says it too.
    """

    def __init__(self, why: str, rule: str = "", hint: str = "") -> None:
        super().__init__(why, rule, hint)
        self.why, self.rule, self.hint = why, rule, hint

    @classmethod
    def of(cls, refusal: Refusal) -> "Refused":
        """The refusal of a rule of the game."""
        return cls(f"{refusal.text}.", refusal.rule, refusal.hint)

    @property
    def lines(self) -> tuple[str, ...]:
        """What is wrong with the section, and what would work if that is said apart."""
        why = f"{self.why.rstrip('.')} ({self.rule})." if self.rule else self.why
        return (why, self.hint) if self.hint else (why,)

    def __str__(self) -> str:
        """All of it as one text."""
        return " ".join(self.lines)
