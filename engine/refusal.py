"""Refusals of actions: the rule, the reason, and what would be legal."""

from msgspec import Struct


class Refusal(Struct, frozen=True, gc=False):
    """Why an action is not legal."""

    #: the title's section, as "18AL 4.2.1(j)"
    rule: str
    #: one word for programs: "turn", "money", "limit", "order", "name", "place", "track" …
    code: str
    #: one sentence for the player, without its full stop: the section comes before it
    text: str
    #: what would be legal instead, or ""
    hint: str = ""

    @property
    def reason(self) -> str:
        """A whole sentence: what is wrong, and the section."""
        return f"{self.text} ({self.rule})." if self.rule else f"{self.text}."

    def __str__(self) -> str:
        """One line: what is wrong, the section, what would work."""
        return f"{self.reason} {self.hint}".rstrip()


class Illegal(Exception):
    """Raised by `engine.apply` for an action that `engine.why_not` refuses."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal
