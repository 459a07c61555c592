"""The results of `waybill check` and `waybill doctor`."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """The result of one test."""

    what: str
    good: bool
    text: str
    #: whether the service works in spite of it
    warning: bool = False

    @property
    def sign(self) -> str:
        """The mark of the result: good, to be mended, or a warning."""
        return "ok" if self.good else "!!" if self.warning else "NO"

    def __str__(self) -> str:
        """One line for people: the mark, what was tested, and the result."""
        return f"{self.sign} {self.what}: {self.text}"
