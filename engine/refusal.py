"""What the moderator says when something is not allowed: the rule, the reason, what would do."""

from msgspec import Struct


class Refusal(Struct, frozen=True):
    """Why an action is not legal."""

    #: the title's section, as "18AL 4.2.1(j)"
    rule: str
    #: one word for programs: "turn", "money", "limit", "order", "name", "place", "track" …
    code: str
    #: one sentence for the player
    text: str
    #: what would be legal instead, or ""
    hint: str = ""

    def __str__(self) -> str:
        """One line: the reason, the rule, what would do."""
        line = f"{self.text} ({self.rule})" if self.rule else self.text
        return f"{line}. {self.hint}" if self.hint else line


class Illegal(Exception):
    """Raised by `engine.apply` for an action that `engine.why_not` refuses."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal
