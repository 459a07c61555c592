"""What `waybill check` and `waybill doctor` find out about one thing."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """One thing that was tested."""

    what: str
    good: bool
    text: str
    #: what is not good works all the same
    warning: bool = False

    @property
    def sign(self) -> str:
        """How it is marked: good, to be mended, or a warning."""
        return "ok" if self.good else "!!" if self.warning else "NO"
