"""The one refusal of the service: why something is not done, by which rule, and what would work."""

from collections.abc import Sequence

from engine import Refusal


class Refused(Exception):
    """A request that is not carried out.

    ``why`` says in whole sentences what is wrong, ``rule`` is the section of the rulebook or "",
    and ``hint`` says what would work, or is "" if ``why`` says it too. ``also`` has what else is
    wrong, if the request has several faults and each has its own sentence.
    """

    def __init__(
        self, why: str, rule: str = "", hint: str = "", *, also: Sequence[str] = ()
    ) -> None:
        super().__init__(why, rule, hint, also)
        self.why, self.rule, self.hint, self.also = why, rule, hint, tuple(also)

    @classmethod
    def of(cls, refusal: Refusal) -> "Refused":
        """The refusal of a rule of the game."""
        return cls(f"{refusal.text}.", refusal.rule, refusal.hint)

    @property
    def lines(self) -> tuple[str, ...]:
        """All that is wrong, with the section, and what would work if that is said apart."""
        why = f"{self.why.rstrip('.')} ({self.rule})." if self.rule else self.why
        return (why, *self.also, self.hint) if self.hint else (why, *self.also)

    def __str__(self) -> str:
        """All of it as one text."""
        return " ".join(self.lines)
